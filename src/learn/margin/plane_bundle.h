// PlaneBundle: the cutting planes of a convex risk R(θ) ≥ β_k − g_k·θ, and the least point of ½‖θ‖² + the highest of
// them. Each worker keeps the planes' coordinates for its own share of the features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "linsep/comm.h"

namespace linsep {

// max over λ ≥ 0, Σλ = 1 of β·λ − ½λᵀGλ, for tens of λ, by a primal-dual interior-point method (Mehrotra, 1992).
//
// Slower per step than moving mass between two λ at a time, but the number of steps hardly depends on how G is scaled.
// Cost of a step: one factoring of G. The same bits for any number of workers that have the same G and β.

/// What λ leaves below the maximum at most: the greatest of β − Gλ less its mean under λ. REQUIRES: λ ≥ 0, Σλ = 1.
double left_on_simplex(std::span<const double> gram, std::span<const double> beta, std::span<const double> lambda);

/// The best λ found; those that don't matter are 0. `gram` is symmetric, row by row. False: rounding, or the number of
/// steps, ended it with more than `tolerance` left.
bool solve_on_simplex(std::span<const double> gram, std::span<const double> beta, double tolerance,
                      std::vector<double>& lambda);

class PlaneBundle {
 public:
  void begin(std::size_t features);
  std::size_t size() const { return planes_.size(); }

  /// `imbalance`, `alphas`: what the rounding bound wants to know of the plane's α.
  void add(std::span<const double> g, double beta, double imbalance, Comm& comm);

  /// max over λ ≥ 0, Σλ ≤ 1 of Σ λ_k β_k − ½‖Σ λ_k g_k‖² to within `tolerance`; planes that have long been idle go.
  /// False: it couldn't be found to within that, as where planes differ by many orders of magnitude.
  bool solve(double tolerance);
  /// Whether moving mass between two λ at a time has run out of steps once; from then on all are solved for at once.
  bool exhausted() const { return exhausted_; }

  /// θ = Σ λ_k g_k, on every worker.
  std::vector<double> theta(Comm& comm) const;
  /// Σ λ_k β_k, and Σ λ_k·imbalance_k.
  double beta() const;
  double imbalance() const;

  void save(ByteWriter& writer) const;
  /// REQUIRES: begun with as many features.
  void load(ByteReader& reader);

 private:
  struct Plane {
    std::vector<double> g;  ///< this worker's coordinates
    double beta = 0, imbalance = 0, lambda = 0;
    std::int64_t active = 0;  ///< the last round in which it counted
  };
  /// This worker's features: first … end − 1, whole blocks.
  std::pair<std::size_t, std::size_t> share(const Comm& comm) const;
  double gram(std::size_t a, std::size_t b) const { return gram_[a * planes_.size() + b]; }
  void remove(std::size_t which);
  /// From and to λ of all planes and of the one that is 0 everywhere. False: more than `tolerance` is left.
  bool move_mass(double tolerance, std::vector<double>& lambda) const;
  bool solve_at_once(double tolerance, std::vector<double>& lambda) const;

  std::size_t features_ = 0;
  std::vector<Plane> planes_;
  std::vector<double> gram_;  ///< g_a·g_b, row by row
  std::int64_t round_ = 0;
  bool exhausted_ = false;
};

}  // namespace linsep
