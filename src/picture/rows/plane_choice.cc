#include "picture/rows/plane_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "picture/parts.h"

namespace linsep {
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
  throw option_error(option, fmt::format("{{}}: no feature is called '{}', and it isn't a number from 1 to {}",
                                         shown_text(text), features));
}

PlaneChoice plane_of_columns(const AskedColumns& asked, const Model* model, const Gathered& gathered) {
  PlaneChoice plane;
  plane.kind = asked.one || gathered.features == 1 ? "feature" : "features";
  plane.x_column = asked.x;
  plane.x_name = short_name(raw_feature_name(model, gathered.schema, asked.x));
  plane.whole = gathered.features == (plane.kind == "feature" ? 1 : 2);
  if (plane.kind == "feature") return plane;
  plane.y_column = asked.y;
  plane.y_name = short_name(raw_feature_name(model, gathered.schema, asked.y));
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
  plane.y_name = across.empty() ? "first principal component" : "first principal component of what is left";
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
