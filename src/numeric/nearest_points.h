// NearestPoints: of two convex hulls of a few rows each, the points p and q that are nearest to each other; or of one
// hull the point nearest to the origin. In floating point.
//
// Method: Wolfe's ("Finding the nearest point in a polytope", 1976), for the difference of two hulls. Rows z_i =
// y_i·x_i and weights λ_i ≥ 0 that sum to 1 over each hull give v = Σ λ_i z_i = p − q; a corral of independent rows
// carries λ. The row furthest below its hull's level (the mean of z·v by λ) joins; the weights go towards the corral's
// affine minimum as far as they stay positive, and what reached 0 leaves; repeat. Stops: no row is below its level by
// more than a share of ‖v‖²; or ‖v‖ is 0 but for rounding; or no progress; or the work of a call is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "linsep/model.h"
#include "numeric/corral.h"

namespace linsep {

class NearestPoints {
 public:
  enum class End {
    kNearest,  ///< to the tolerance
    kZero,     ///< v is 0 but for rounding
    kStalled,  ///< neither, and rounding stands in the way
    kPaused,   ///< enough work for one call; the next resumes
  };

  /// Rows have columns below `size`. `hulls` is 1 or 2.
  NearestPoints(std::size_t size, std::size_t hulls) : size_(size), hulls_(hulls), corral_(size, hulls, 1e-13) {}

  /// `z` is y·x; rows of one hull have that hull's number. Norms should be near 1 at most.
  void add(const std::vector<std::uint32_t>& column, const std::vector<double>& z, std::size_t hull, std::int64_t name);
  std::size_t rows() const { return name_.size(); }
  std::int64_t name(std::size_t i) const { return name_[i]; }

  /// Resumes from the weights of the last call. `tolerance` is the share of ‖v‖². Polls on the
  /// way: where that throws, only rows and names are of use.
  /// REQUIRES: every hull has a row.
  End solve(double tolerance);

  /// The direction of v, to more digits than the sum of rows has where v is short.
  const std::vector<double>& direction() const { return v_; }
  double squared_norm() const { return squared_; }  ///< ‖v‖²
  /// z·v of the rows of a hull that carry v: no row of it lies below.
  double level(std::size_t hull) const { return level_[hull]; }
  /// The rows that carry v, by their index, and their weights.
  const std::vector<std::size_t>& corral() const { return corral_.index(); }
  const std::vector<double>& weights() const { return corral_.weight(); }

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);

 private:
  bool push(std::size_t i, double weight);
  double above_level(std::size_t i) const;
  std::size_t find_lowest(double least);
  bool enter(std::size_t i);
  bool enter_any(std::size_t first, double least);
  void begin_corral();
  void update_point();
  void level_corral();

  std::size_t size_, hulls_;
  KeptRows rows_;
  std::vector<std::uint8_t> hull_;
  std::vector<std::int64_t> name_;
  Corral corral_;
  std::vector<double> v_;
  std::vector<std::pair<double, std::size_t>> scored_;
  std::vector<std::size_t> near_;
  double level_[2] = {0, 0};
  double squared_ = 0;
};

}  // namespace linsep
