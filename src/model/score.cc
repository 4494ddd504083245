// Scores of raw rows by each form of a model. A row is cut to the model's features, mapped, and then
//   linear: one dot product by the kernels;
//   dual:   one kernel value for each kept row;
//   classes, labels: one dot product for each class or label column;
//   voted:  one merged dot product for each mistake of the run, as every intermediate classifier has its say.
#include <algorithm>

#include "kernel/kernel.h"
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

}  // namespace

std::size_t predicted_class(std::span<const double> z) {
  return static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
}

void score(const Model& model, const Batch& batch, std::span<double> out) {
  Mapper mapped(model);
  const std::size_t parts = model.offsets.size();
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

}  // namespace linsep
