// HessianSums: Σ D_i·x_i·x_iᵀ over all columns or some, and the factor of I + Σ D_i·x_i·x_iᵀ over few, for Newton's
// method.
//
// √D_i·x_i is rounded to whole numbers of up to 22 bits in units of each column, so that products and sums of products
// are whole numbers without rounding: the same bits in any order of the rows, however they are stored, on any number of
// threads and workers. The sum is that of some rows, so no direction has a curvature below 0. With an offset every row
// is followed by a 1 that isn't penalized, and a solution leaves it out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/fixed_point.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {

class HessianSums {
 public:
  /// Whether a Hessian in every step costs less than the passes that it saves.
  static bool pays(std::size_t features) { return features > 0 && features <= kMostFeatures; }
  static constexpr std::size_t kMostFeatures = 63;
  /// The memory that the sums take.
  static std::uint64_t bytes(std::size_t columns, std::uint64_t threads) {
    const std::size_t size = columns + 1;
    return sizeof(double) * ((kPanelRows + kStrip) * padded_stride(size) + triangle_size(size)) * threads;
  }

  /// From now on sums are over these columns, in their order, of rows with so many. They are numbered ascending.
  void choose(std::span<const std::uint32_t> columns, std::size_t features);
  /// How many were chosen; 0: all are summed.
  std::size_t columns() const { return column_.size(); }
  /// `greatest` has max |x_ij| by column, `weight` is at least every D_i; both and `all_rows` are those of all workers.
  void begin(std::span<const double> greatest, double weight, std::int64_t all_rows, bool offset, std::size_t slots);
  /// Adds weight·x·xᵀ. REQUIRES: the rows of a slot come from one thread at a time.
  template <class Row>
  void add(const Row& row, double weight, std::size_t slot) {
    if (weight == 0) return;
    Part& part = part_[slot];
    const double root = std::sqrt(weight);
    if (chosen_) return add_chosen(row, root, part);
    double* to = next_of_panel(part);
    for_each_entry(row, [&](std::uint32_t j, double x) { to[j] = whole(root * (x * scale_[j])); });
    if (offset_) to[size_ - 1] = whole(root * scale_[size_ - 1]);
    if (++part.filled == kPanelRows) empty(part);
  }
  /// All rows have been added: sums them over all workers. REQUIRES: begun.
  void finish(Comm& comm);
  /// Σ D_i·x_ik·x_il over columns number k ≤ l; the last one is the offset, if there is one. REQUIRES: finished.
  double at(std::size_t k, std::size_t l) const {
    constexpr double kMost = std::numeric_limits<double>::max();
    const auto sum = static_cast<double>(part_.front().sum[triangle_row(k) + l]);
    return sum == 0 ? 0 : std::clamp(sum * unit_[k] * unit_[l], -kMost, kMost);
  }

  /// Factors I + Σ D_i·x_i·x_iᵀ. REQUIRES: finished.
  void factor();
  /// Has been factored, or loaded.
  bool factored() const { return factor_.size() > 0; }
  /// x ← Hessian⁻¹·x. REQUIRES: factored().
  void solve(std::span<double> x) const;

  /// The factor, where there is one.
  void save(ByteWriter& writer) const;
  void load(ByteReader& reader, std::size_t features, bool offset);

 private:
  static constexpr int kMostBits = 22;  // products of so many bits, kPanelRows of them, add up to at most 2^53
  static constexpr std::size_t kPanelRows = 512;
  static constexpr std::size_t kStrip = 8 * kRankTile;  // rows of the matrix that a panel is added to at a time
  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};

  /// Rows with values in many columns wait in a panel, whose product is taken at once; the pairs of others go straight
  /// into the sum.
  struct Part {
    std::vector<double> panel, product;
    std::size_t filled = 0;
    std::vector<std::int64_t> sum;  // a triangle
    std::vector<std::uint32_t> hit;
    std::vector<std::int64_t> value;
  };

  static std::size_t triangle_size(std::size_t size) { return size * (size + 1) / 2; }
  /// Where (k, l), k ≤ l, stands in a triangle stored row after row: at triangle_row(k) + l.
  std::size_t triangle_row(std::size_t k) const { return k * size_ - k * (k + 1) / 2; }

  static double whole(double x) {
    constexpr double kShift = 0x1.8p52;
    return (x + kShift) - kShift;
  }
  static std::int64_t product(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  }

  template <class Row>
  void add_chosen(const Row& row, double root, Part& part) {
    std::size_t hits = 0;
    const auto hit = [&](std::size_t place, double x) {
      part.hit[hits] = static_cast<std::uint32_t>(place);
      part.value[hits++] = whole_units(whole(root * (x * scale_[place])));
    };
    if constexpr (requires { row.column; }) {
      for_each_entry(row, [&](std::uint32_t j, double x) {
        if (place_[j] != kOutside && x != 0) hit(place_[j], x);
      });
    } else {
      for (std::size_t k = 0; k < column_.size(); ++k) {
        const auto x = static_cast<double>(row.value[column_[k]]);
        if (x != 0) hit(k, x);
      }
    }
    if (offset_) hit(size_ - 1, 1);
    add_hits(hits, part);
  }
  void add_hits(std::size_t hits, Part& part);
  double* next_of_panel(Part& part) const;
  void empty(Part& part) const;
  static void clear_panel(Part& part);
  void set_size(std::size_t columns, bool offset) {
    offset_ = offset;
    size_ = columns + (offset ? 1 : 0);
    stride_ = padded_stride(size_);
  }

  bool chosen_ = false;
  std::vector<std::uint32_t> column_, place_;  // those chosen, and where each column is among them
  bool offset_ = false;
  std::size_t size_ = 0, stride_ = 0;
  std::vector<double> scale_, unit_;  // powers of two, and 1 by them
  std::vector<Part> part_;            // by slot; the first has the sum over all rows once it is finished
  SymmetricMatrix factor_;
};

}  // namespace linsep
