#include "export/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "export/refusals.h"
#include "linsep/error.h"

namespace linsep {
namespace {

Encoder plain_number(std::string name) {
  Encoder encoder;
  encoder.column = std::move(name);
  encoder.fill = std::numeric_limits<double>::quiet_NaN();  // a hole has no meaning here: so has the score
  return encoder;
}

/// Columns that are features, as a table.
TableMap table_of_numbers(const Model& model, const Language& language) {
  TableMap table;
  const std::vector<std::string>& names = model.schema.feature_names;
  if (names.empty() && language.vector) {
    Encoder vector;
    vector.column = "x";
    vector.kind = Encoder::Kind::kVector;
    vector.size = model.features;
    vector.fill = std::numeric_limits<double>::quiet_NaN();
    table.encoders.push_back(std::move(vector));
    return table;
  }
  for (std::uint32_t j = 0; j < model.features; ++j) {
    table.encoders.push_back(plain_number(j < names.size() ? names[j] : fmt::format("x{}", std::uint64_t{j} + 1)));
  }
  return table;
}

std::vector<Input> inputs_of(const TableMap& table) {
  std::vector<Input> inputs;
  for (const Encoder& encoder : table.encoders) {
    if (encoder.kind == Encoder::Kind::kCross) continue;
    const bool known = std::ranges::any_of(inputs, [&](const Input& input) { return input.name == encoder.column; });
    if (!known) inputs.push_back({encoder.column, encoder.kind, std::max(encoder.size, 1U)});
  }
  return inputs;
}

/// A table of nothing else is read into dense rows.
bool is_number(const Encoder& encoder) {
  return encoder.kind == Encoder::Kind::kNumber || encoder.kind == Encoder::Kind::kVector ||
         (encoder.kind == Encoder::Kind::kCross && encoder.cross == Encoder::Cross::kNumbers);
}

}  // namespace

std::size_t Plan::input_of(const std::string& column) const {
  const auto found = std::ranges::find(inputs, column, &Input::name);
  if (found == inputs.end()) throw input_error(fmt::format("the model's table has no column '{}'", column));
  return static_cast<std::size_t>(found - inputs.begin());
}

std::size_t Plan::encoder_of(const std::string& column, Encoder::Kind kind) const {
  const auto found = std::ranges::find_if(
      table.encoders, [&](const Encoder& encoder) { return encoder.kind == kind && encoder.column == column; });
  if (found == table.encoders.end()) throw input_error(fmt::format("the model's table has no column '{}'", column));
  return static_cast<std::size_t>(found - table.encoders.begin());
}

Plan make_plan(const Model& model, const Language& language) {
  refuse_form(model, language);
  refuse_columns(model.table, language);
  Plan plan;
  plan.model = &model;
  plan.parts = scores_per_row(model);
  plan.table = model.table.empty() ? table_of_numbers(model, language) : model.table;
  plan.start = encoder_starts(plan.table);
  if (plan.start.back() != weights_of(model, 0).size()) {
    throw input_error(fmt::format("the model has {} weights for {} features of its table", weights_of(model, 0).size(),
                                  plan.start.back()));
  }
  plan.inputs = inputs_of(plan.table);
  plan.dense =
      model.table.empty() ? !model.schema.feature_names.empty() : std::ranges::all_of(plan.table.encoders, is_number);
  return plan;
}

}  // namespace linsep
