// For tests: small rows as batches, as they were written, and exactly.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/exact/witness.h"
#include "certify/row_scaling.h"
#include "core/random.h"
#include "exact/number.h"
#include "linsep/comm.h"
#include "linsep/pass.h"
#include "linsep/source.h"
#include "numeric/worst_rows.h"

namespace linsep::testing {

/// Rows whose values are tenths. n stands for n/10, which a decimal represents exactly and a double doesn't.
struct TenthRows {
  std::vector<std::vector<int>> x;
  std::vector<int> label;  ///< −1 or +1
  bool binary = false;     ///< values are the doubles nearest to n/10, instead of decimals

  std::size_t rows() const { return x.size(); }
  std::uint32_t features() const { return x.empty() ? 0 : static_cast<std::uint32_t>(x.front().size()); }
  double number(std::size_t i, std::size_t j) const { return x[i][j] / 10.0; }
  Rational exact(std::size_t i, std::size_t j) const { return binary ? Rational(number(i, j)) : ratio(x[i][j], 10); }

  /// z_i = y_i·(x_i, 1), or y_i·x_i through the origin.
  std::vector<Rational> z(std::size_t i, bool origin) const {
    std::vector<Rational> z;
    for (std::size_t j = 0; j < features(); ++j) z.push_back(Rational(label[i]) * exact(i, j));
    if (!origin) z.emplace_back(label[i]);
    return z;
  }
  std::vector<std::vector<Rational>> all_z(bool origin) const {
    std::vector<std::vector<Rational>> all;
    for (std::size_t i = 0; i < rows(); ++i) all.push_back(z(i, origin));
    return all;
  }

  WrittenRow written(std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row);
    WrittenRow written;
    written.row = row;
    for (std::uint32_t j = 0; j < features(); ++j) {
      if (binary) {
        written.values.push_back({j, "", number(i, j)});
      } else {
        written.values.push_back({j, fmt::format("{}e-1", x[i][j]), 0});
      }
    }
    return written;
  }
  std::vector<WrittenRow> written(std::span<const std::int64_t> wanted) const {
    std::vector<WrittenRow> all;
    for (const std::int64_t row : wanted) all.push_back(written(row));
    return all;
  }
  ExactRow exact_row(std::int64_t row, const RowSpace& space) const {
    return linsep::exact_row(written(row), label[static_cast<std::size_t>(row)], space);
  }
  WorkRow work_row(std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row);
    WorkRow work;
    work.row = row;
    work.sign = label[i];
    work.hash = static_cast<std::uint64_t>(row);
    for (std::uint32_t j = 0; j < features(); ++j) {
      if (x[i][j] == 0) continue;
      work.column.push_back(j);
      work.value.push_back(number(i, j));
    }
    return work;
  }
};

/// Rows of a few tenths around 0, so that equal rows, zeros and ties are frequent.
inline TenthRows drawn_rows(std::uint64_t seed, std::size_t rows, std::uint32_t features, int largest) {
  Random random(71, seed);
  TenthRows set;
  set.binary = random.below(2) == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<int> x;
    for (std::uint32_t j = 0; j < features; ++j) {
      x.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(2 * largest + 1))) - largest);
    }
    set.x.push_back(std::move(x));
    set.label.push_back(random.below(2) == 0 ? -1 : 1);
  }
  return set;
}

inline RowSpace space_of(const TenthRows& set, bool origin) {
  RowSpace space;
  space.features = space.mapped = set.features();
  space.origin = origin;
  return space;
}

/// Columns are left as they are.
inline RowScaling plain_scaling(const TenthRows& set, bool origin) {
  RowScaling scaling;
  scaling.space = space_of(set, origin);
  scaling.column_scale.assign(set.features(), 1.0);
  scaling.exponent.assign(std::size_t{set.features()} + 1, 0);
  scaling.binary = set.binary;
  return scaling;
}

/// Rows `first` … `end` − 1 as one batch of dense doubles. This object owns the arrays.
class TenthBatch {
 public:
  TenthBatch(const TenthRows& set, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t j = 0; j < set.features(); ++j) value_.push_back(set.number(i, j));
      label_.push_back(set.label[i]);
    }
    batch_.first_row = static_cast<std::int64_t>(first);
    batch_.rows = static_cast<std::int64_t>(end - first);
    batch_.features = set.features();
    batch_.is_float = false;
    batch_.dense = true;
    batch_.stride = set.features();
    batch_.value64 = value_;
    batch_.label = label_;
  }
  const Batch& batch() const { return batch_; }

 private:
  std::vector<double> value_, label_;
  Batch batch_;
};

/// One pass over rows `first` … `end` − 1, `at_once` per batch.
inline Verdict run_once(Pass& pass, const TenthRows& set, std::size_t first, std::size_t end, std::size_t at_once,
                        Comm& comm) {
  pass.begin({static_cast<std::int64_t>(end - first), set.features(), -1});
  for (std::size_t from = first; from < end; from += at_once) {
    const TenthBatch rows(set, from, std::min(end, from + at_once));
    pass.visit(rows.batch());
  }
  pass.synchronise(comm);
  Progress progress;
  return pass.end_pass(progress);
}

/// Whether the rows ascend, all weights are above 0 and Σ α_i z_i = 0, by the definition.
inline bool is_witness(const Witness& witness, const TenthRows& set, bool origin) {
  if (witness.empty()) return false;
  std::vector<Rational> sum(set.features() + (origin ? 0 : 1), Rational(0));
  std::int64_t last = -1;
  for (const auto& [row, alpha] : witness) {
    if (row <= last || alpha <= 0) return false;
    last = row;
    const std::vector<Rational> z = set.z(static_cast<std::size_t>(row), origin);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += Rational(alpha) * z[j];
  }
  for (const Rational& value : sum) {
    if (value != 0) return false;
  }
  return true;
}

}  // namespace linsep::testing
