// InteriorRows: what the interior-point method keeps of each row: the pairs α·s and (c − α)·ξ, and how they change.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/bytes.h"

namespace linsep {

/// `room` is c_i − α_i, kept by itself so that it stays precise when it is small.
struct InteriorRow {
  double alpha = 0, room = 0, s = 0, xi = 0;
  double z = 0;  ///< θ·x
  double dalpha = 0, ds = 0, dxi = 0;

  /// e_i of the matrix.
  double weight() const { return 1 / (s / alpha + xi / room); }
  /// The change of the variables that goes with the change `dz` of the score, offset included, aiming at α·s = first
  /// and (c − α)·ξ = second. `excess` is 1 − y·(z + θ0).
  void change(double y, double excess, double dz, double first, double second) {
    const double g = excess - second / room + first / alpha;
    dalpha = (g - y * dz) * weight();
    ds = first / alpha - s - s / alpha * dalpha;
    dxi = second / room - xi + xi / room * dalpha;
  }
};

class InteriorRows {
 public:
  void begin(std::size_t rows) { rows_.assign(rows, {}); }
  std::size_t size() const { return rows_.size(); }
  InteriorRow& operator[](std::size_t i) { return rows_[i]; }
  const InteriorRow& operator[](std::size_t i) const { return rows_[i]; }

  /// α in the middle of its room; where the classes must be `balanced`, the heavier one less. `cost` is y_i·c_i.
  void set_alphas(std::span<const double> cost, double positive, double negative, bool balanced);
  /// s and ξ for the present scores with this offset, all of them well above 0.
  void set_slacks(std::span<const double> cost, double offset, int threads);

  /// The mean of all products α·s and (c − α)·ξ, now and after a step of this length.
  double mean_product() const;
  double mean_product_after(double step) const;
  /// The longest step, at most 1, that keeps every variable at or above 0.
  double longest_step() const;
  void advance(double step, std::span<const double> cost);

  std::vector<double> scores() const;

  void save(ByteWriter& writer) const;
  /// Throws an input Error where the number of rows isn't `size()`.
  void load(ByteReader& reader);

 private:
  std::vector<InteriorRow> rows_;
};

}  // namespace linsep
