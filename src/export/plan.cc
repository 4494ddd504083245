// Refuses what a language can't express, by column and reason, with advice on what to do.
#include "export/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linsep/error.h"
#include "table/encode.h"
#include "table/number_style.h"

namespace linsep {
namespace {

/// A column's name without {}, which would be taken for options.
std::string shown_column(const std::string& column) {
  std::string shown = column;
  for (std::size_t at = shown.find("{}"); at != std::string::npos; at = shown.find("{}", at)) shown.erase(at, 2);
  return shown;
}

[[noreturn]] void refuse(const Language& language, const std::string& reason, std::vector<std::string> options = {}) {
  std::string sentence = fmt::format("the model can't be written in {}: ", language.name) + reason;
  if (options.empty()) throw usage_error(sentence);
  throw options_error(std::move(options), std::move(sentence));
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

void refuse_encoder(const Encoder& encoder, const Language& language) {
  const std::string column = "column '" + shown_column(encoder.column) + "' ";
  const TermSet* set = encoder.terms();
  if (set != nullptr && set->hashed() && !language.hashed) {
    refuse(language, column + "is hashed; train without {}", {"bits"});
  }
  if (set != nullptr && set->bits > 22 && set->every_bucket) {
    refuse(language, column + "is hashed into more than 2^22 buckets; train with {} 22 or less", {"bits"});
  }
  const auto* text = encoder.get<TextEncoder>();
  if (text != nullptr && !text->chars.none() && !language.characters) {
    refuse(language, column + "is split into characters; train without {}", {"chars"});
  }
  if (text != nullptr && !language.text) refuse(language, column + language.text_advice);
  const auto* number = encoder.get<NumberEncoder>();
  const bool styled = number != nullptr && !number->style.empty() && number->style != kBooleanStyle;
  if (styled && language.name.ends_with("SQL")) {
    refuse(language, column + "is written as " + number->style + "; store plain numbers and train on them");
  }
  const bool nul = has_nul(encoder.column) || (set != nullptr && std::ranges::any_of(set->terms, has_nul));
  if (nul && !language.nul)
    refuse(language, column + "holds a value with a NUL byte; leave it out with {}", {"ignore"});
}

/// Both throw a usage Error.
void refuse_form(const Model& model, const Language& language) {
  if (model.form == Model::Form::kDual) {
    refuse(language, "it is in dual form, which keeps rows; train a learner whose model is linear, or convert to JSON");
  }
  if (model.form == Model::Form::kVoted) {
    refuse(language, "it is in voted form, which keeps every mistake; train the averaged perceptron instead");
  }
  if (model.map.kind != FeatureMap::Kind::kNone) {
    refuse(language,
           "it has the feature map " + map_text(model.map) + "; train without {}, or with {} for single pairs",
           {"map", "cross"});
  }
}

void refuse_columns(const TableMap& table, const Language& language) {
  for (const Encoder& encoder : table.encoders) refuse_encoder(encoder, language);
}

/// A table of the columns that are features.
TableMap table_of_numbers(const Model& model, const Language& language) {
  TableMap table;
  const std::vector<std::string>& names = model.schema.feature_names;
  if (names.empty() && language.vector) {
    table.encoders.push_back({"x", VectorEncoder{model.features}});
    return table;
  }
  NumberEncoder number;
  number.fill = std::numeric_limits<double>::quiet_NaN();  // a missing value and its score have no meaning here
  for (std::uint32_t j = 0; j < model.features; ++j) {
    table.encoders.push_back({j < names.size() ? names[j] : fmt::format("x{}", std::uint64_t{j} + 1), number});
  }
  return table;
}

std::vector<Input> inputs_of(const TableMap& table) {
  std::vector<Input> inputs;
  for (const AskedColumn& column : asked_columns(table)) {
    inputs.push_back({column.name, column.kind, std::max(column.size, 1U)});
  }
  return inputs;
}

}  // namespace

std::size_t Plan::input_of(const std::string& column) const {
  const auto found = std::ranges::find(inputs, column, &Input::name);
  if (found == inputs.end()) throw_no_column(column);
  return static_cast<std::size_t>(found - inputs.begin());
}

void Plan::throw_no_column(const std::string& column) {
  throw input_error(fmt::format("the model's table has no column '{}'", column));
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
    throw input_error(fmt::format("the model has {} weights, but its table has {} features",
                                  weights_of(model, 0).size(), plan.start.back()));
  }
  plan.inputs = inputs_of(plan.table);
  plan.dense = model.table.empty() ? !model.schema.feature_names.empty() : has_dense_rows(plan.table);
  return plan;
}

}  // namespace linsep
