// ShareHessian: the Hessian Σ a_i·(diag(p_i) − p_i·p_iᵀ) ⊗ x_i·x_iᵀ of a loss of several outputs that a row has shares
// p_i of, over some pairs of a column and an output, and the outputs' offsets.
//
// Terms are rounded to whole multiples of a unit so small that only the last digit of a double is lost. Whole numbers
// add up to the same bits in any order of the rows, however they are stored, on any number of threads and workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

class ShareHessian {
 public:
  /// From now on sums are over these pairs, of rows with so many columns. Output c of column j is pair number
  /// j·outputs + c. They are numbered ascending.
  void choose(std::span<const std::uint64_t> pairs, std::size_t outputs, std::size_t features);
  std::size_t pairs() const { return pairs_; }
  /// A row's factors: its shares, then a_i.
  std::size_t factors() const { return outputs_ + 1; }

  /// `greatest` has max |x_ij| by column. Σ a_i·max over c of p_ic(1 − p_ic) is at most `curvature`. Both are those of
  /// all workers.
  void begin(std::span<const double> greatest, double curvature, bool offset, std::size_t slots);
  /// REQUIRES: the rows of a slot come from one thread at a time.
  template <class Row>
  void add(const Row& row, const double* factor, std::size_t slot) {
    const double weight = factor[outputs_] * scale_;
    if (weight == 0) return;
    Part& part = part_[slot];
    std::size_t hits = 0;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      if (block_of_[j] != kOutside && x != 0) hits = hit(block_of_[j], x, factor, part, hits);
    });
    if (offset_) hits = hit(column_.size(), 1, factor, part, hits);
    add_hits(hits, weight, part);
  }
  /// All rows have been added: sums them over all workers. REQUIRES: begun.
  void finish(Comm& comm);
  /// Of pairs number k ≤ l. Behind the last pair are the outputs' offsets, if there are any. REQUIRES: finished.
  double at(std::size_t k, std::size_t l) const {
    return static_cast<double>(part_.front().sum[triangle_row(k) + l]) * unit_ * unit_of_[k] * unit_of_[l];
  }

 private:
  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};

  /// What one thread adds up.
  struct Part {
    std::vector<std::int64_t> sum;  // a triangle
    // Of a row's pairs: where they stand, their outputs, x times 1 − p and times −p.
    std::vector<std::uint32_t> place;
    std::vector<double> output, own, other;
  };

  static std::size_t triangle_size(std::size_t size) { return size * (size + 1) / 2; }
  /// Where (k, l), k ≤ l, stands in a triangle stored row after row: at triangle_row(k) + l.
  std::size_t triangle_row(std::size_t k) const { return k * size_ - k * (k + 1) / 2; }

  /// A value of a column, or the 1 of the offsets: pairs whose output has no share take no part.
  std::size_t hit(std::size_t block, double x, const double* share, Part& part, std::size_t hits) const {
    const double value = x * scale_of_[block];
    for (std::size_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const double p = share[output_[k]];
      if (p == 0) continue;
      part.place[hits] = static_cast<std::uint32_t>(k);
      part.output[hits] = static_cast<double>(output_[k]);
      part.own[hits] = (1 - p) * value;
      part.other[hits++] = -p * value;
    }
    return hits;
  }
  void add_hits(std::size_t hits, double weight, Part& part) const;

  std::size_t outputs_ = 0, pairs_ = 0, size_ = 0;
  bool offset_ = false;
  // By column that has pairs, ascending, and then the offsets: which, where its pairs begin, a power of two.
  std::vector<std::uint32_t> column_;
  std::vector<std::size_t> begin_;
  std::vector<double> scale_of_;
  std::vector<std::uint32_t> block_of_;  // by column of a row: its number among those that have pairs
  std::vector<std::uint32_t> output_;    // by pair
  double scale_ = 0, unit_ = 0;          // of all terms: a power of two, and 1 by it
  std::vector<double> unit_of_;          // by pair
  std::vector<Part> part_;               // by slot; the first has the sum over all rows once it is finished
};

}  // namespace linsep
