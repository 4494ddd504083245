// Scores of raw rows by each form of a model. A row is cut to the model's features and mapped, and then
//   linear: one dot product by the kernels;
//   dual:   one kernel value for each kept row;
//   classes, labels: one dot product for each class or label column, of dense rows many at once;
//   voted:  one merged dot product for each mistake of the run, because every intermediate classifier votes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "core/slice.h"
#include "kernel/dense_kernels.h"
#include "kernel/kernel.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "map/feature_map.h"
#include "map/kernel_function.h"

namespace linsep {
namespace {

template <class V>
SparseRow<V> cut(SparseRow<V> row, std::uint32_t features) {
  if (row.size > 0 && row.column[row.size - 1] >= features) {
    row.size = static_cast<std::size_t>(std::lower_bound(row.column, row.column + row.size, features) - row.column);
  }
  return row;
}

template <class V>
DenseRow<V> cut(DenseRow<V> row, std::uint32_t features) {
  row.size = std::min<std::size_t>(row.size, features);
  return row;
}

/// φ(x) as a sparse row of doubles, zeros left out. The row lives until the next call.
class Mapper {
 public:
  explicit Mapper(const Model& model) : model_(model) {}

  template <class Row>
  SparseRow<double> operator()(const Row& row) {
    raw_column_.clear();
    raw_value_.clear();
    for_each_entry(row, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      raw_column_.push_back(column);
      raw_value_.push_back(value);
    });
    const SparseRow<double> raw{raw_column_.data(), raw_value_.data(), raw_column_.size()};
    if (model_.map.kind == FeatureMap::Kind::kNone) return raw;
    column_.clear();
    value_.clear();
    apply_map(model_.map, model_.features, raw, column_, value_);
    return {column_.data(), value_.data(), column_.size()};
  }

 private:
  const Model& model_;
  std::vector<std::uint32_t> raw_column_, column_;
  std::vector<double> raw_value_, value_;
};

double dual_score(const Model& model, const SparseRow<double>& x) {
  double z = 0;
  for (std::size_t i = 0; i < model.kept.size(); ++i) {
    z += model.coefficient[i] * kernel_value(model.kernel, model.kept.row(i), x);
  }
  return z + model.offset;
}

double voted_score(const Model& model, const SparseRow<double>& x) {
  const Kernel linear;
  const double one = model.origin ? 0 : 1;
  double z = dot(x, model.theta.data()) + model.offset;
  double sum = model.votes[0] * predicted_sign(z);
  for (std::size_t k = 0; k < model.kept.size(); ++k) {
    z += model.coefficient[k] * (kernel_value(linear, model.kept.row(k), x) + one);
    sum += model.votes[k + 1] * predicted_sign(z);
  }
  return sum;
}

/// Scores dense rows by a model of many classes or labels. The dot products are the same, a block of rows at a time.
void score_blocks(const Model& model, Batch batch, std::span<double> out) {
  const std::size_t parts = model.offsets.size(), size = model.theta.size() / parts, stride = padded_outputs(parts);
  batch.features = std::min(batch.features, model.features);
  PackedWeights weights;
  weights.set(model.theta.data(), batch.features, 1, parts, size);
  std::vector<double> scores(kDenseBlockRows * stride), scratch;
  for_each_block(batch, [&](const auto& block, std::size_t first) {
    block_scores(block, weights, scores.data(), stride, scratch);
    for (std::size_t i = 0; i < block.rows; ++i) {
      double* z = out.data() + (first + i) * parts;
      for (std::size_t c = 0; c < parts; ++c) z[c] = scores[i * stride + c] + model.offsets[c];
    }
  });
}

void score_rows(const Model& model, const Batch& batch, std::span<double> out) {
  constexpr std::size_t kFewParts = 4;  // fewer aren't worth the preparation
  constexpr std::int64_t kFewRows = 16;
  Mapper mapped(model);
  const std::size_t parts = model.offsets.size();
  if (parts > kFewParts && batch.dense && batch.rows > kFewRows && model.map.kind == FeatureMap::Kind::kNone) {
    return score_blocks(model, batch, out);
  }
  if (parts > 0) {
    const std::size_t size = model.theta.size() / parts;
    const auto score_parts = [&](const auto& x, double* z) {
      for (std::size_t c = 0; c < parts; ++c) z[c] = dot(x, model.theta.data() + c * size) + model.offsets[c];
    };
    return for_each_row(batch, [&](const auto& row, std::int64_t i) {
      const auto x = cut(row, model.features);
      double* z = out.data() + static_cast<std::size_t>(i) * parts;
      if (model.map.kind == FeatureMap::Kind::kNone) {
        score_parts(x, z);
      } else {
        score_parts(mapped(x), z);
      }
    });
  }
  const bool plain = model.form == Model::Form::kLinear && model.map.kind == FeatureMap::Kind::kNone;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const auto x = cut(row, model.features);
    double& z = out[static_cast<std::size_t>(i)];
    if (plain) {
      z = dot(x, model.theta.data()) + model.offset;
    } else if (model.form == Model::Form::kLinear) {
      z = dot(mapped(x), model.theta.data()) + model.offset;
    } else if (model.form == Model::Form::kDual) {
      z = dual_score(model, mapped(x));
    } else {
      z = voted_score(model, mapped(x));
    }
  });
}

/// Scores of rows first … first + count − 1, into the beginning of `out`.
void score_slice(const Model& model, const Batch& batch, std::int64_t first, std::int64_t count,
                 std::span<double> out) {
  if (!batch.foreign()) return score_rows(model, slice(batch, first, count), out);
  BatchConverter narrowed;
  const std::size_t parts = scores_per_row(model);
  const std::int64_t end = first + count;
  for (std::int64_t row = first; row < end;) {
    const std::int64_t some = std::min(narrowed_rows(batch, row), end - row);
    score_rows(model, narrowed.rows(batch, row, some), out.subspan(static_cast<std::size_t>(row - first) * parts));
    row += some;
  }
}

/// About how long it takes to score these rows.
double score_nanoseconds(const Model& model, const Batch& batch) {
  const double products = static_cast<double>(scores_per_row(model) + model.kept.size());
  const double mapping = model.map.kind == FeatureMap::Kind::kNone ? 0 : static_cast<double>(model.theta.size());
  const auto rows = static_cast<double>(batch.rows);
  return products * pass_nanoseconds(rows, values_in(batch)) + mapping * rows;
}

/// Calls `f(first, count)` for chunks of the rows, on several threads if there are enough rows.
template <class F>
void for_each_chunk(const Model& model, const Batch& batch, int threads, const F& f) {
  constexpr std::int64_t kChunk = 1024;
  const auto chunks = static_cast<std::size_t>((batch.rows + kChunk - 1) / kChunk);
  const double work = score_nanoseconds(model, batch);
  const int most = work < 2 * kLeastNanoseconds ? 1 : thread_count(threads);
  parallel_for(chunks, most, work, [&](std::size_t chunk, std::size_t) {
    const std::int64_t first = static_cast<std::int64_t>(chunk) * kChunk;
    f(first, std::min(kChunk, batch.rows - first));
  });
}

std::string raw_name(const Model& model, std::uint32_t j) {
  if (!model.table.empty()) return encoded_name(model.table, j);
  const auto& names = model.schema.feature_names;
  return j < names.size() ? names[j] : fmt::format("x{}", std::uint64_t{j} + 1);
}

}  // namespace

std::size_t predicted_class(std::span<const double> z) {
  return static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
}

void score(const Model& model, const Batch& batch, std::span<double> out, int threads) {
  const std::size_t parts = scores_per_row(model);
  for_each_chunk(model, batch, threads, [&](std::int64_t first, std::int64_t count) {
    score_slice(model, batch, first, count, out.subspan(static_cast<std::size_t>(first) * parts));
  });
}

void score(const Model& model, const Batch& batch, std::span<float> out, int threads) {
  const std::size_t parts = scores_per_row(model);
  for_each_chunk(model, batch, threads, [&](std::int64_t first, std::int64_t count) {
    std::vector<double> z(static_cast<std::size_t>(count) * parts);
    score_slice(model, batch, first, count, z);
    std::transform(z.begin(), z.end(),
                   out.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) * parts),
                   [](double score) { return static_cast<float>(score); });
  });
}

std::int64_t predict(Source& source, const Model& model, const RunLimits& limits, const ScoreSink& take,
                     const Observer& observe) {
  Progress progress;
  progress.pass = 1;
  progress.phase = Phase::kPredicting;
  progress.passes_in_all = 1;
  progress.rows_in_all = source.shape().rows;
  std::vector<double> z;
  source.rewind(0);
  while (const auto batch = source.next()) {
    if (limits.interrupted()) throw interrupted_error();
    z.resize(static_cast<std::size_t>(batch->rows) * scores_per_row(model));
    score(model, *batch, z, limits.threads);
    take(*batch, z);
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  return progress.rows;
}

std::string feature_name(const Model& model, std::uint32_t j) {
  if (model.map.kind == FeatureMap::Kind::kNone) return raw_name(model, j);
  std::string name;
  const std::vector<std::uint32_t> factors = monomial(model.map, model.features, j);
  for (std::size_t begin = 0, end = 0; begin < factors.size(); begin = end) {
    while (end < factors.size() && factors[end] == factors[begin]) ++end;
    if (begin > 0) name += "·";
    name += raw_name(model, factors[begin]);
    if (end - begin > 1) name += fmt::format("^{}", end - begin);
  }
  return name;
}

}  // namespace linsep
