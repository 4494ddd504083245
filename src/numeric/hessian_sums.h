// HessianSums: the exact Hessian I + Σ D_i·x_i·x_iᵀ over few columns, factored, for Newton's method.
//
// √D_i·x_i is rounded to whole numbers of up to 22 bits in units of each column, so that products and sums of products
// are whole numbers without rounding: the same bits in any order of the rows, however they are stored, on any number of
// threads and workers. With an offset every row is followed by a 1 that isn't penalized, and a solution leaves it out.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {

class HessianSums {
 public:
  /// Whether a Hessian in every step costs less than the passes that it saves.
  static bool pays(std::size_t features) { return features > 0 && features <= kMostFeatures; }
  static constexpr std::size_t kMostFeatures = 63;
  /// The memory that it takes.
  static std::uint64_t bytes(std::size_t features, std::uint64_t threads) {
    const std::size_t stride = padded_stride(features + 1);
    return sizeof(double) * stride * ((kPanelRows + 2 * (features + 1)) * threads + 2 * (features + 1));
  }

  /// `greatest` has max |x_ij| by column, `weight` is at least every D_i; both and `all_rows` are those of all workers.
  void begin(std::span<const double> greatest, double weight, std::int64_t all_rows, bool offset, std::size_t slots);
  /// Adds weight·x·xᵀ. REQUIRES: the rows of a slot come from one thread at a time.
  template <class Row>
  void add(const Row& row, double weight, std::size_t slot) {
    if (weight == 0) return;
    Part& part = part_[slot];
    double* to = part.panel.data() + part.filled * stride_;
    const double root = std::sqrt(weight);
    for_each_entry(row, [&](std::uint32_t j, double x) { to[j] = whole(root * (x * scale_[j])); });
    if (offset_) to[size_ - 1] = whole(root * scale_[size_ - 1]);
    if (++part.filled == kPanelRows) empty(part);
  }
  /// All rows have been added: factors the sum over all workers. REQUIRES: begun.
  void finish(Comm& comm);

  /// Has been finished, or loaded.
  bool factored() const { return factor_.size() > 0; }
  /// x ← Hessian⁻¹·x. REQUIRES: factored().
  void solve(std::span<double> x) const;

  /// The factor, where there is one.
  void save(ByteWriter& writer) const;
  void load(ByteReader& reader, std::size_t features, bool offset);

 private:
  static constexpr int kMostBits = 22;  // products of so many bits, kPanelRows of them, add up to at most 2^53
  static constexpr std::size_t kPanelRows = 512;

  struct Part {
    std::vector<double> panel;
    std::size_t filled = 0;
    SymmetricMatrix product;  // of the panel
    std::vector<std::int64_t> sum;
  };

  static double whole(double x) {
    constexpr double kShift = 0x1.8p52;
    return (x + kShift) - kShift;
  }
  void empty(Part& part);
  void set_size(std::size_t features, bool offset) {
    offset_ = offset;
    size_ = features + (offset ? 1 : 0);
  }

  bool offset_ = false;
  std::size_t size_ = 0, stride_ = 0;
  std::vector<double> scale_;
  std::vector<Part> part_;  // by slot
  SymmetricMatrix factor_;
};

}  // namespace linsep
