#include "tables/odds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "report/json.h"
#include "report/words.h"
#include "tables/feature_words.h"

namespace linsep::app {
namespace {

using Kind = Encoder::Kind;

constexpr std::uint32_t kManyFeatures = 100;  // without a table, more aren't listed one by one

bool has_odds(const Model& model) {
  return model.form == Model::Form::kLinear && model.map.kind == FeatureMap::Kind::kNone && !model.regression &&
         model.calibration.kind == Calibration::Kind::kSigmoid;
}

/// What one unit of the column, as written, adds to the feature.
double unit_of(const Encoder& e, std::uint32_t place) {
  const bool days = e.kind == Kind::kDate && e.parts.front() == Encoder::Part::kDays;
  return place == 0 && (e.kind == Kind::kNumber || days) ? e.factor : 1;
}

struct Coefficient {
  std::uint32_t feature = 0;
  double value = 0, error = 0;
  std::optional<double> odds;  ///< not of terms, whose values have no unit
};

Coefficient coefficient_of(const Model& model, const Encoder* e, std::uint32_t place, std::uint32_t feature) {
  const double unit = e == nullptr ? 1 : unit_of(*e, place);
  Coefficient c{feature, model.theta[feature] * unit, model.weight_error * unit, {}};
  if (e == nullptr || e->kind != Kind::kText) c.odds = std::exp(model.calibration.slope * c.value);
  return c;
}

std::string line(const Model& model, const Coefficient& c) {
  const std::string value = weight_words(c.value, c.error);
  const double slope = std::fabs(model.calibration.slope);
  const std::string odds = c.odds ? weight_words(*c.odds, *c.odds * std::expm1(slope * c.error)) : "";
  const auto right = [](const std::string& text) {
    constexpr std::size_t kWidth = 12;
    return std::string(kWidth - std::min(kWidth, text_width(text)), ' ') + text;
  };
  return fmt::format("  {}  {}  {}\n", right(value), right(odds), shown_feature(model, c.feature));
}

/// Of a column: its features in order, of many the heaviest.
std::string column_lines(const Model& model, const Encoder& e, std::uint32_t begin, std::uint32_t end,
                         std::size_t top) {
  std::vector<std::uint32_t> listed;
  for (std::uint32_t j = begin; j < end; ++j) {
    if (model.theta[j] != 0 || end - begin <= 2) listed.push_back(j);
  }
  const std::size_t all = listed.size();
  const bool whole = e.kind == Kind::kNumber || e.kind == Kind::kDate;
  if (!whole && all > top) {
    std::ranges::stable_sort(listed, std::ranges::greater{},
                             [&](std::uint32_t j) { return std::fabs(model.theta[j]); });
    listed.resize(top);
    std::ranges::sort(listed);
  }
  std::string text;
  for (const std::uint32_t j : listed) text += line(model, coefficient_of(model, &e, j - begin, j));
  if (all > listed.size()) {
    text += fmt::format("{:30}and {} more of {}\n", "", thousands(static_cast<std::int64_t>(all - listed.size())),
                        short_text(e.kind == Kind::kCross ? e.column + "*" + e.second : e.column));
  }
  return text;
}

}  // namespace

std::string odds_words(const Model& model, std::size_t top) {
  if (!has_odds(model) || (model.table.empty() && model.features > kManyFeatures)) return "";
  std::string text = "Coefficients, for one unit of the column as written:\n   coefficient    odds ratio\n";
  if (model.table.empty()) {
    for (std::uint32_t j = 0; j < model.features; ++j) text += line(model, coefficient_of(model, nullptr, 0, j));
    return text;
  }
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    text += column_lines(model, model.table.encoders[i], starts[i], starts[i + 1], top);
  }
  return text;
}

nlohmann::ordered_json odds_json(const Model& model, bool full) {
  if (!has_odds(model) || (model.theta.size() > kLongVector && !full)) return nullptr;
  Json all = Json::array();
  const auto add = [&](const std::string& column, const Coefficient& c) {
    all.push_back({{"column", column},
                   {"feature", std::uint64_t{c.feature} + 1},
                   {"name", feature_name(model, c.feature)},
                   {"coefficient", c.value},
                   {"odds_ratio", c.odds ? Json(*c.odds) : Json(nullptr)}});
  };
  if (model.table.empty()) {
    for (std::uint32_t j = 0; j < model.features; ++j) {
      add(feature_name(model, j), coefficient_of(model, nullptr, 0, j));
    }
    return all;
  }
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& e = model.table.encoders[i];
    const std::string column = e.kind == Kind::kCross ? e.column + "*" + e.second : e.column;
    for (std::uint32_t j = starts[i]; j < starts[i + 1]; ++j) add(column, coefficient_of(model, &e, j - starts[i], j));
  }
  return all;
}

}  // namespace linsep::app
