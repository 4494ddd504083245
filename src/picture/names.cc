#include "picture/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "picture/parts.h"
#include "report/words.h"

namespace linsep {
namespace {

std::optional<double> number_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(number) : std::nullopt;
}

}  // namespace

std::int64_t label_index(const Schema& schema, const std::string& label) {
  const auto found = std::ranges::find(schema.classes, label);
  if (found != schema.classes.end()) return found - schema.classes.begin();
  const auto number = number_of(label);
  for (std::size_t k = 0; number && k < schema.classes.size(); ++k) {
    if (number_of(schema.classes[k]) == number) return static_cast<std::int64_t>(k);
  }
  return -1;
}

std::map<std::int64_t, WrittenRow> written_by_row(Source* data, std::span<const std::int64_t> rows) {
  std::map<std::int64_t, WrittenRow> all;
  if (data == nullptr) return all;
  std::vector<std::int64_t> sorted(rows.begin(), rows.end());
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  const std::int64_t most = data->shape().rows;
  std::erase_if(sorted, [&](std::int64_t row) { return row < 0 || row >= most; });
  try {
    for (WrittenRow& row : data->written(sorted)) all.emplace(row.row, std::move(row));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::kInterrupted) throw;  // otherwise, the input can't be read twice
  }
  return all;
}

std::string values_text(const WrittenRow& row, const Schema& schema, std::uint32_t features) {
  constexpr std::size_t kMost = 8;
  const bool dense = row.values.size() == features && schema.feature_names.empty() && features <= kMost;
  std::string text;
  std::size_t shown = 0;
  for (const WrittenValue& value : row.values) {
    if (shown == kMost) return text + ", …";
    const std::string number = short_text(value.decimal.empty() ? figure_text(value.binary) : value.decimal);
    text += shown == 0 ? "" : ", ";
    if (dense) {
      text += number;
    } else {
      const bool named = value.column < schema.feature_names.size();
      const std::string name =
          named ? short_text(schema.feature_names[value.column]) : fmt::format("x{}", value.column + 1);
      text += fmt::format("{} = {}", name, number);
    }
    ++shown;
  }
  return text;
}

bool has_mistake_bound(const Model& model) {
  const LearnerInfo* learner = find_learner(model.learner);
  const bool weighted = model.options.contains("weighted") && get_flag(model.options, "weighted");
  return learner != nullptr && learner->mistake_bound && !weighted;
}

std::string options_not_default(const Model& model) {
  const LearnerInfo* learner = find_learner(model.learner);
  if (learner == nullptr) return "";
  const Options defaults = complete_options(learner->table, {});
  std::string text;
  for (const auto& [name, value] : model.options) {
    const auto usual = defaults.find(name);
    if (usual == defaults.end() || usual->second == value) continue;
    text += text.empty() ? "" : ", ";
    const bool* flag = std::get_if<bool>(&value);
    text += flag != nullptr && *flag ? name : fmt::format("{} {}", name, short_text(option_text(value)));
  }
  return text;
}

std::string formula_text(const Model& model) {
  return model.form == Model::Form::kLinear ? score_formula(model, kFormulaTerms) : "";
}

}  // namespace linsep
