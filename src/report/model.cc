#include "report/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/elementary.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/tools/encoder_words.h"
#include "linsep/tools/shown_text.h"
#include "report/json.h"
#include "report/words.h"

namespace linsep {
namespace {}  // namespace

std::optional<FeaturePlace> place_of(const Model& model, std::uint32_t feature) {
  if (model.table.empty() || model.map.kind != FeatureMap::Kind::kNone) return std::nullopt;
  std::uint64_t start = 0;
  for (std::size_t e = 0; e < model.table.encoders.size(); ++e) {
    const std::uint64_t end = start + encoder_features(model.table, e);
    if (feature < end) return FeaturePlace{e, static_cast<std::uint32_t>(feature - start)};
    start = end;
  }
  return std::nullopt;
}

std::string other_term(const Model& model, std::uint32_t feature) {
  const auto place = place_of(model, feature);
  if (!place) return "";
  const Encoder& e = model.table.encoders[place->encoder];
  if (e.terms() == nullptr) return "";
  const std::vector<BucketName>& names = e.terms()->names;
  const auto found = std::ranges::lower_bound(names, place->place, {}, &BucketName::bucket);
  return found != names.end() && found->bucket == place->place ? term_words(e, found->second) : "";
}

std::string term_words(const Encoder& encoder, const std::string& term) {
  std::string text = term;
  if (encoder.is<CrossEncoder>()) std::ranges::replace(text, '\x1f', '*');
  return text;
}

std::string shown_feature(const Model& model, std::uint32_t feature) {
  const std::string other = other_term(model, feature);
  const std::string name = short_text(feature_name(model, feature));
  return other.empty() ? name : fmt::format("{} (also {} …)", name, short_text(other));
}

namespace {

constexpr std::uint32_t kManyFeatures = 100;  // without a table, more aren't listed one by one

bool has_odds(const Model& model) {
  return model.form == Model::Form::kLinear && model.map.kind == FeatureMap::Kind::kNone && !model.regression &&
         model.calibration.kind == Calibration::Kind::kSigmoid;
}

/// The amount that one unit of the column, as written, adds to the feature.
double unit_of(const Encoder& e, std::uint32_t place) {
  const auto* date = e.get<DateEncoder>();
  const bool scaled = place == 0 && (e.is<NumberEncoder>() || (date != nullptr && date->has_days()));
  return scaled ? e.scaling()->factor : 1;
}

struct Coefficient {
  std::uint32_t feature = 0;
  double value = 0, error = 0;
  std::optional<double> odds;  ///< not of terms, whose values have no unit
};

Coefficient coefficient_of(const Model& model, const Encoder* e, std::uint32_t place, std::uint32_t feature) {
  const double unit = e == nullptr ? 1 : unit_of(*e, place);
  Coefficient c{feature, model.theta[feature] * unit, model.weight_error * unit, {}};
  if (e == nullptr || !e->is<TextEncoder>()) c.odds = elementary::exp(model.calibration.slope * c.value);
  return c;
}

std::string line(const Model& model, const Coefficient& c) {
  const std::string value = weight_text(c.value, c.error);
  const double slope = std::fabs(model.calibration.slope);
  const std::string odds = c.odds ? weight_text(*c.odds, *c.odds * elementary::expm1(slope * c.error)) : "";
  return fmt::format("  {}  {}  {}\n", padded_left(value, 12), padded_left(odds, 12), shown_feature(model, c.feature));
}

/// The lines of a column, with its features in order, or the heaviest if there are many.
std::string column_lines(const Model& model, const Encoder& e, std::uint32_t begin, std::uint32_t end,
                         std::size_t top) {
  std::vector<std::uint32_t> listed;
  for (std::uint32_t j = begin; j < end; ++j) {
    if (model.theta[j] != 0 || end - begin <= 2) listed.push_back(j);
  }
  const std::size_t all = listed.size();
  const bool whole = e.scaling() != nullptr;
  if (!whole && all > top) {
    std::ranges::stable_sort(listed, std::ranges::greater{},
                             [&](std::uint32_t j) { return std::fabs(model.theta[j]); });
    listed.resize(top);
    std::ranges::sort(listed);
  }
  std::string text;
  for (const std::uint32_t j : listed) text += line(model, coefficient_of(model, &e, j - begin, j));
  if (all > listed.size()) {
    text +=
        fmt::format("{:30}and {} more of {}\n", "", with_commas(all - listed.size()), short_text(encoder_column(e)));
  }
  return text;
}

}  // namespace

std::string odds_words(const Model& model, std::size_t top) {
  if (!has_odds(model) || (model.table.empty() && model.features > kManyFeatures)) return "";
  std::string text = "Coefficients per unit of the original column:\n   coefficient    odds ratio\n";
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

Json odds_json(const Model& model, bool full) {
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
    const std::string column = encoder_column(e);
    for (std::uint32_t j = starts[i]; j < starts[i + 1]; ++j) add(column, coefficient_of(model, &e, j - starts[i], j));
  }
  return all;
}

std::string table_words(const Model& model) {
  if (model.table.empty()) return "";
  std::size_t width = 0;
  for (const Encoder& e : model.table.encoders) width = std::max(width, text_width(short_text(encoder_column(e))));
  std::string text = fmt::format("Table      fitted on {}\n", counted(model.table.rows, "row"));
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& e = model.table.encoders[i];
    text +=
        fmt::format("  {}  {:<8}  {:>16}  {}\n", padded(short_text(encoder_column(e)), width), encoder_kind(e),
                    counted(static_cast<std::int64_t>(encoder_features(model.table, i)), "feature"), encoder_words(e));
  }
  return text;
}

Json table_json(const Model& model) {
  if (model.table.empty()) return nullptr;
  Json columns = Json::array();
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& e = model.table.encoders[i];
    columns.push_back({{"column", encoder_column(e)},
                       {"kind", encoder_kind(e)},
                       {"features", starts[i + 1] - starts[i]},
                       {"first", std::uint64_t{starts[i]} + 1},
                       {"detail", encoder_words(e)}});
  }
  return {{"rows", model.table.rows}, {"columns", columns}};
}

std::vector<std::uint32_t> buckets_among(const Model& model, std::span<const std::uint32_t> features) {
  std::vector<std::uint32_t> buckets;
  for (const std::uint32_t j : features) {
    const auto place = place_of(model, j);
    if (!place) continue;
    const TermSet* terms = model.table.encoders[place->encoder].terms();
    if (terms != nullptr && terms->hashed() && place->place < std::uint64_t{1} << terms->bits) buckets.push_back(j);
  }
  return buckets;
}

std::string shares_words(const Model& model, std::span<const std::uint32_t> buckets,
                         std::span<const std::vector<BucketTerm>> terms) {
  constexpr std::size_t kMostTerms = 5;
  if (buckets.empty()) return "";
  std::string text = "\nTerms in the data that share these weights:\n";
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const Encoder& e = model.table.encoders[place_of(model, buckets[i])->encoder];
    std::int64_t all = 0;
    for (const BucketTerm& term : terms[i]) all += term.count;
    text += fmt::format("  {}: ", short_text(feature_name(model, buckets[i])));
    if (all == 0) text += "none";
    for (std::size_t t = 0; t < std::min(kMostTerms, terms[i].size()); ++t) {
      const BucketTerm& term = terms[i][t];
      const double share = 100 * static_cast<double>(term.count) / static_cast<double>(std::max<std::int64_t>(all, 1));
      text += fmt::format("{}{} {:.3g} %", t > 0 ? ", " : "", short_text(term_words(e, term.name)), share);
    }
    if (terms[i].size() > kMostTerms) text += fmt::format(", {} more", with_commas(terms[i].size() - kMostTerms));
    text += "\n";
  }
  return text;
}

Json shares_json(const Model& model, std::span<const std::uint32_t> buckets,
                 std::span<const std::vector<BucketTerm>> terms) {
  Json all = Json::array();
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const Encoder& e = model.table.encoders[place_of(model, buckets[i])->encoder];
    Json own = Json::array();
    for (const BucketTerm& term : terms[i]) own.push_back({{"term", term_words(e, term.name)}, {"count", term.count}});
    all.push_back(
        {{"feature", std::uint64_t{buckets[i]} + 1}, {"name", feature_name(model, buckets[i])}, {"terms", own}});
  }
  return all;
}

namespace {

constexpr std::size_t kMostGramRows = 1000, kGramRows = 12;

std::string gram_cell(const std::string& text) { return padded_left(text, 11); }

}  // namespace

std::vector<double> gram_matrix(const Model& model) {
  if (model.form != Model::Form::kDual) throw usage_error("--gram needs a model in dual form (--learner dual)");
  const std::size_t kept = model.kept.size();
  if (kept > kMostGramRows) {
    throw usage_error(fmt::format("--gram: the model keeps {} rows; at most {} can be shown", kept, kMostGramRows));
  }
  Batch rows;
  rows.rows = static_cast<std::int64_t>(kept);
  rows.features = model.features;
  rows.is_float = false;
  rows.start = model.kept.start;
  rows.column = model.kept.column;
  rows.value64 = model.kept.value;
  for (const std::uint32_t column : model.kept.column) rows.features = std::max(rows.features, column + 1);

  // The score of a model that keeps one row with coefficient 1 is the kernel with that row.
  Model one = model;
  one.map = {};
  one.features = rows.features;
  one.offset = 0;
  one.coefficient = {1};
  std::vector<double> matrix(kept * kept);
  for (std::size_t i = 0; i < kept; ++i) {
    const SparseRow<double> row = model.kept.row(i);
    one.kept.start = {0, row.size};
    one.kept.column.assign(row.column, row.column + row.size);
    one.kept.value.assign(row.value, row.value + row.size);
    score(one, rows, std::span(matrix).subspan(i * kept, kept));
  }
  return matrix;
}

Json gram_json(const Model& model) {
  const std::vector<double> matrix = gram_matrix(model);
  const std::size_t kept = model.kept.size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < kept; ++i) {
    const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(i * kept);
    rows.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(kept)));
  }
  return rows;
}

std::string gram_words(const Model& model) {
  const std::vector<double> matrix = gram_matrix(model);
  const std::size_t kept = model.kept.size(), shown = std::min(kept, kGramRows);
  std::string text = "Gram matrix K of the kept rows, and α·y of each:\n  kept  ";
  for (std::size_t j = 0; j < shown; ++j) text += gram_cell(std::to_string(j + 1));
  text += fmt::format("{}{}\n", shown < kept ? "  …" : "", gram_cell("α·y"));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {:<6}", i + 1);
    for (std::size_t j = 0; j < shown; ++j) text += gram_cell(figure_text(matrix[i * kept + j]));
    text += fmt::format("{}{}\n", shown < kept ? "  …" : "", gram_cell(figure_text(model.coefficient[i])));
  }
  if (shown < kept)
    text += fmt::format("  … {} more; --json lists all.\n", counted(static_cast<std::int64_t>(kept - shown), "row"));
  return text;
}

namespace {

constexpr std::size_t kFewFeatures = 10, kFewRows = 20, kNamedRows = 10, kBins = 12;
constexpr double kBarWidth = 40;

/// The plane z = level as an equation: "2·x1 + 2·x2 = 4".
std::string plane(const Model& model, double level) {
  Model without = model;
  without.offset = 0;
  return fmt::format("{} = {}", score_formula(without).substr(4), figure_text(level - model.offset));
}

/// Whether z = ±1 means anything. A perceptron's θ may be multiplied by any number, but a θ of least loss may not.
bool has_scale(const Model& model) {
  const LearnerInfo* info = find_learner(model.learner);
  return info != nullptr && info->objective;
}

std::string boundary_words(const Model& model, const Distances& found) {
  if (!(found.norm > 0)) return "θ is 0, so there is no boundary to measure distances from.\n";
  if (!has_scale(model)) {
    if (model.theta.size() > kFewFeatures) return "";
    return fmt::format("Boundary: {}\n", plane(model, 0));
  }
  const std::string text = fmt::format("The margin's boundaries z = ±1 are {} apart (2/‖θ‖, ‖θ‖ = {}).\n",
                                       figure_text(found.width()), figure_text(found.norm));
  if (model.theta.size() > kFewFeatures) return text;
  return fmt::format("{}  z =  1: {}\n  z =  0: {}\n  z = −1: {}\n", text, plane(model, 1), plane(model, 0),
                     plane(model, -1));
}

std::string rows_listed(const std::vector<std::int64_t>& rows) {
  std::string text;
  for (std::size_t k = 0; k < std::min(rows.size(), kNamedRows); ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : ", ", with_commas(rows[k] + 1));
  }
  return rows.size() > kNamedRows ? text + ", …" : text;
}

std::string support_words(const Model& model, const Distances& found, double tolerance) {
  if (!has_scale(model))
    return fmt::format("On the wrong side or on the boundary: {}.\n", counted(found.mistakes, "row"));
  const auto count = static_cast<std::int64_t>(found.support.size());
  std::string text = fmt::format("Support vectors (y·z ≤ 1 + {}): {}", figure_text(tolerance), counted(count, "row"));
  if (count > 0) text += fmt::format(", number {}", rows_listed(found.support));
  text += fmt::format(".\nWithin the margin (y·z < 1 − {}): {}; {} of them mistakes.\n", figure_text(tolerance),
                      counted(found.inside, "row"), with_commas(found.mistakes));
  return text;
}

std::string penalty_formula(double l1_ratio) {
  if (l1_ratio == 0) return "(λ/2)‖θ‖²";
  if (l1_ratio == 1) return "λ‖θ‖₁";
  return fmt::format("λ({}·‖θ‖₁ + {}/2·‖θ‖²)", figure_text(l1_ratio), figure_text(1 - l1_ratio));
}

std::string objective_words(const Distances& found) {
  if (!found.objective) return "";
  const MarginObjective& objective = *found.objective;
  if (objective.hard) return fmt::format("Objective of the hard margin: ½‖θ‖² = {}.\n", figure_text(objective.value));
  return fmt::format("Objective on these rows: mean {} loss {} + {} {} = {}, λ = {}.\n", objective.loss,
                     figure_text(objective.mean_loss), penalty_formula(objective.l1_ratio),
                     figure_text(objective.value - objective.mean_loss), figure_text(objective.value),
                     figure_text(objective.lambda));
}

std::vector<double> distances_of(const Distances& found) {
  std::vector<double> all(found.margin.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = found.distance(i);
  return all;
}

std::string table(const Distances& found) {
  std::string text = "  row           y·z    distance γ\n";
  for (std::size_t i = 0; i < found.margin.size(); ++i) {
    text += fmt::format("  {:<5} {} {}\n", i + 1, padded_left(figure_text(found.margin[i]), 11),
                        padded_left(figure_text(found.distance(i)), 13));
  }
  return text;
}

std::string picture(const Distances& found) {
  const std::vector<Bin> bins = histogram(distances_of(found), kBins);
  std::int64_t most = 1;
  std::size_t width = 0;
  for (const Bin& bin : bins) {
    most = std::max(most, bin.rows);
    width = std::max({width, text_width(figure_text(bin.low)), text_width(figure_text(bin.high))});
  }
  std::string text = "Signed distances γ = y·z/‖θ‖, negative on the wrong side:\n";
  for (const Bin& bin : bins) {
    const double length = std::ceil(kBarWidth * static_cast<double>(bin.rows) / static_cast<double>(most));
    std::string bar;
    for (int k = 0; k < static_cast<int>(length); ++k) bar += "█";
    text += fmt::format("  {} to {} │{} {}\n", padded_left(figure_text(bin.low), width),
                        padded_left(figure_text(bin.high), width), bar, bin.rows == 0 ? "" : with_commas(bin.rows));
    while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
  }
  return text;
}

}  // namespace

Json distances_json(const Model& model, const Distances& found, double tolerance, bool full) {
  const std::size_t rows = found.margin.size();
  const bool known = found.norm > 0;
  Json object{{"rows", rows}, {"norm", found.norm}, {"width", known ? Json(found.width()) : Json(nullptr)}};
  object["boundaries"] = Json::array();
  for (const double z : {1.0, 0.0, -1.0}) object["boundaries"].push_back({{"z", z}, {"offset", model.offset - z}});
  if (found.least_row >= 0) {
    const auto at = static_cast<std::size_t>(found.least_row);
    object["least"] = {{"row", found.least_row + 1},
                       {"margin", found.margin[at]},
                       {"distance", known ? Json(found.distance(at)) : Json(nullptr)}};
  }
  object["mistakes"] = found.mistakes;
  object["scale_is_arbitrary"] = !has_scale(model);
  object["inside"] = found.inside;
  object["tolerance"] = tolerance;
  object["support_vectors"] = found.support.size();
  if (full || found.support.size() <= kLongVector) {
    Json support = Json::array();
    for (const std::int64_t row : found.support) support.push_back(row + 1);
    object["support_rows"] = std::move(support);
  }
  if (full || rows <= kLongVector) {
    object["margins"] = found.margin;
    if (known) object["distances"] = distances_of(found);
  }
  if (const auto& objective = found.objective) {
    object["objective"] = {{"value", objective->value}, {"hard", objective->hard}};
    if (!objective->hard) {
      object["objective"]["loss"] = objective->loss;
      object["objective"]["mean_loss"] = objective->mean_loss;
      object["objective"]["lambda"] = objective->lambda;
      object["objective"]["l1_ratio"] = objective->l1_ratio;
    }
  }
  return object;
}

std::string distances_words(const Model& model, const Distances& found, double tolerance, const std::string& data) {
  const auto rows = static_cast<std::int64_t>(found.margin.size());
  std::string text =
      fmt::format("\nOn {} ({}):\n", data == "-" ? "standard input" : shown_text(data), counted(rows, "row"));
  text += boundary_words(model, found);
  if (rows == 0) return text;
  if (found.norm > 0) {
    const auto least = static_cast<std::size_t>(found.least_row);
    text += fmt::format("The smallest signed distance is {}, at row {}.\n", figure_text(found.distance(least)),
                        with_commas(found.least_row + 1));
  }
  text += support_words(model, found, tolerance) + objective_words(found);
  if (!(found.norm > 0)) return text;
  return text + (found.margin.size() <= kFewRows ? table(found) : picture(found));
}

}  // namespace linsep
