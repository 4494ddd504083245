#include "picture/rows/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "numeric/compensated_sum.h"
#include "picture/parts.h"
#include "report/words.h"

namespace linsep {

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// The rows, brought to numbers of at most 1 so that no square overflows, less their mean.
class CentredRows {
 public:
  CentredRows(std::span<const SampledRow> rows, std::uint32_t features) : rows_(rows), mean_(features) {
    double greatest = 0;
    for (const SampledRow& row : rows) {
      for (const double value : row.value) greatest = std::max(greatest, std::fabs(value));
    }
    if (greatest > 0) scale_ = 1 / greatest;
    if (!std::isfinite(scale_)) scale_ = 1;
    for (const SampledRow& row : rows) {
      values_ += row.value.size();
      for (std::size_t k = 0; k < row.column.size(); ++k) mean_[row.column[k]] += row.value[k] * scale_;
    }
    for (double& one : mean_) one /= static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t values() const { return values_; }
  /// The mean of the rows as they are.
  double middle(std::span<const double> v) const { return dot(mean_, v) / scale_; }
  double product(std::size_t i, std::span<const double> v) const {
    double sum = 0;
    const SampledRow& row = rows_[i];
    for (std::size_t k = 0; k < row.column.size(); ++k) sum += v[row.column[k]] * (row.value[k] * scale_);
    return sum;
  }
  /// Σ weight_i·(row i − mean)
  std::vector<double> sum(std::span<const double> weight) const {
    std::vector<double> result(mean_.size());
    double all = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      all += weight[i];
      for (std::size_t k = 0; k < rows_[i].column.size(); ++k) {
        result[rows_[i].column[k]] += weight[i] * (rows_[i].value[k] * scale_);
      }
    }
    for (std::size_t j = 0; j < result.size(); ++j) result[j] -= all * mean_[j];
    return result;
  }
  /// The covariance times v, up to a factor.
  std::vector<double> turned(std::span<const double> v) const {
    const double middle_here = dot(mean_, v);
    std::vector<double> weight(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) weight[i] = product(i, v) - middle_here;
    return sum(weight);
  }

 private:
  std::span<const SampledRow> rows_;
  std::vector<double> mean_;
  double scale_ = 1;
  std::size_t values_ = 0;
};

/// Makes v a unit vector across the given ones. False if nothing of it is left.
bool make_unit(std::vector<double>& v, std::span<const std::vector<double>> across) {
  const double before = length_of(v);
  for (int twice = 0; twice < 2; ++twice) {
    for (const std::vector<double>& other : across) {
      const double along = dot(v, other);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] -= along * other[j];
    }
  }
  const double length = length_of(v);
  if (!(length > 1e-12 * before) || !std::isfinite(length)) return false;
  for (double& one : v) one /= length;
  return true;
}

void fix_sign(std::vector<double>& v) {
  const auto heaviest =
      std::max_element(v.begin(), v.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  if (heaviest == v.end() || *heaviest >= 0) return;
  for (double& one : v) one = -one;
}

}  // namespace

Direction principal_component(std::span<const SampledRow> sample, std::uint32_t features,
                              std::span<const std::vector<double>> across) {
  const CentredRows rows(sample, features);
  std::vector<double> weight(rows.size());
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = Random(1, i).normal();
  std::vector<double> v = rows.sum(weight);
  if (!make_unit(v, across)) return {};
  const std::size_t most = std::clamp<std::size_t>(20'000'000 / (rows.values() + features + 1), 10, 100);
  for (std::size_t turn = 0; turn < most; ++turn) {
    std::vector<double> next = rows.turned(v);
    if (!make_unit(next, across)) return {};
    double change = 0;
    for (std::size_t j = 0; j < v.size(); ++j) change = std::max(change, std::fabs(next[j] - v[j]));
    v = std::move(next);
    if (change < 1e-7) break;
  }
  fix_sign(v);
  const double middle = rows.middle(v);
  return {std::move(v), middle};
}

namespace {

/// A raw feature by its name, or by its number from 1.
std::uint32_t column_named(const std::string& option, const std::string& text, const Model* model, const Schema& schema,
                           std::uint32_t features) {
  for (std::uint32_t j = 0; j < features; ++j) {
    if (raw_feature_name(model, schema, j) == text) return j;
  }
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 1 && number <= features) {
    return number - 1;
  }
  throw option_error(option, fmt::format("{{}}: '{}' is neither the name of a feature nor a number from 1 to {}",
                                         shown_text(text), features));
}

PlaneChoice plane_of_columns(const AskedColumns& asked, const Model* model, const Gathered& gathered) {
  PlaneChoice plane;
  plane.kind = asked.one || gathered.features == 1 ? "feature" : "features";
  plane.x_column = asked.x;
  plane.x_name = short_text(raw_feature_name(model, gathered.schema, asked.x));
  plane.whole = gathered.features == (plane.kind == "feature" ? 1 : 2);
  if (plane.kind == "feature") return plane;
  plane.y_column = asked.y;
  plane.y_name = short_text(raw_feature_name(model, gathered.schema, asked.y));
  return plane;
}

PlaneChoice plane_of_boundary(const Model& model, const Gathered& gathered, std::span<const SampledRow> sample) {
  PlaneChoice plane;
  plane.kind = "boundary";
  plane.x_name = "signed distance from the boundary";
  std::vector<std::vector<double>> across;
  if (model.form == Model::Form::kLinear && model.map.kind == FeatureMap::Kind::kNone) {
    std::vector<double> theta = model.theta;
    theta.resize(gathered.features);
    const double length = norm_of(model);
    for (double& weight : theta) weight /= length;
    across.push_back(std::move(theta));
  }
  plane.y_name = across.empty() ? "first principal component" : "first principal component of the rest";
  plane.y = principal_component(sample, gathered.features, across);
  return plane;
}

PlaneChoice plane_of_components(const Gathered& gathered, std::span<const SampledRow> sample) {
  PlaneChoice plane;
  plane.kind = "components";
  plane.x_name = "first principal component";
  plane.y_name = "second principal component";
  plane.x = principal_component(sample, gathered.features, {});
  if (plane.x.weight.empty()) return plane;
  const std::vector<std::vector<double>> across = {plane.x.weight};
  plane.y = principal_component(sample, gathered.features, across);
  return plane;
}

}  // namespace

std::string raw_feature_name(const Model* model, const Schema& schema, std::uint32_t j) {
  if (j < schema.feature_names.size()) return schema.feature_names[j];
  if (schema.table && !schema.table->empty()) return encoded_name(*schema.table, j);
  if (model != nullptr && j < model->features && !model->table.empty()) return encoded_name(model->table, j);
  if (model != nullptr && j < model->schema.feature_names.size()) return model->schema.feature_names[j];
  return fmt::format("x{}", std::uint64_t{j} + 1);
}

AskedColumns asked_columns(const PictureSpec& spec, const Model* model, const Schema& schema, std::uint32_t features) {
  AskedColumns asked;
  if (spec.x.empty() && spec.y.empty()) return asked;
  if (spec.x.empty()) throw options_error({"y", "x"}, "{} needs {}, the other axis");
  asked.named = true;
  asked.x = column_named("x", spec.x, model, schema, features);
  asked.one = spec.y.empty();
  if (!asked.one) asked.y = column_named("y", spec.y, model, schema, features);
  return asked;
}

PlaneChoice choose_plane(const AskedColumns& asked, const Model* model, const Gathered& gathered,
                         std::span<const SampledRow> sample) {
  if (gathered.features == 0 || gathered.rows <= 0 || gathered.task == kRegression) return {};
  if (asked.named || gathered.features <= 2) return plane_of_columns(asked, model, gathered);
  if (model != nullptr && is_two_class(*model) && gathered.norm > 0) return plane_of_boundary(*model, gathered, sample);
  return plane_of_components(gathered, sample);
}

}  // namespace linsep
