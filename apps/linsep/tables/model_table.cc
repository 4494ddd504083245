#include "tables/model_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/shown_text.h"
#include "report/json.h"
#include "report/words.h"
#include "tables/feature_words.h"

namespace linsep::app {
namespace {

using Kind = Encoder::Kind;

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
      return "number";
    case Kind::kCategory:
      return "category";
    case Kind::kText:
      return "text";
    case Kind::kDate:
      return "date";
    case Kind::kVector:
      return "vector";
    case Kind::kCross:
      break;
  }
  return "cross";
}

std::string number_detail(const Encoder& e) {
  std::string text = e.scale == Scale::kNone && e.shift == 0 && e.factor == 1 ? "as written" : "";
  if (e.shift != 0) text = fmt::format("less {}", figure(e.shift));
  if (e.factor != 1) text += fmt::format("{}divided by {}", text.empty() ? "" : ", ", figure(1 / e.factor));
  return text;
}

/// Of values and terms.
std::string values_detail(const Encoder& e, std::string_view noun) {
  if (e.bits == 0) {
    return counted(static_cast<std::int64_t>(e.terms.size()), noun) + (e.rare ? " and (rare)" : "");
  }
  const auto used = e.every_bucket ? std::int64_t{1} << e.bits : static_cast<std::int64_t>(e.buckets.size());
  return fmt::format("hashed to {} bits{}, {} of {} buckets in use", e.bits, e.has_signs ? " with signs" : "",
                     thousands(used), thousands(std::int64_t{1} << e.bits));
}

std::string text_detail(const Encoder& e) {
  const TermRange range = e.words.none() ? e.chars : e.words;
  const std::string_view what = e.words.none() ? "characters" : "words";
  const std::string_view weight = e.weight == TermWeight::kSqrt    ? "√count"
                                  : e.weight == TermWeight::kCount ? "count"
                                                                   : "presence";
  return fmt::format("{} {}-{}: {}; {}{}{}", what, range.from, range.to, values_detail(e, "term"), weight,
                     e.idf.empty() ? "" : "·idf", e.norm ? ", of length 1" : "");
}

std::string date_detail(const Encoder& e) {
  std::vector<std::string_view> parts;
  for (const Encoder::Part part : e.parts) {
    parts.push_back(part == Encoder::Part::kDays      ? "days"
                    : part == Encoder::Part::kWeekday ? "weekday"
                    : part == Encoder::Part::kMonth   ? "month"
                                                      : "hour");
  }
  const std::string days = number_detail(e);
  return fmt::format("{}; {}{}", shown_text(e.format), fmt::join(parts, ", "),
                     days == "as written" ? "" : fmt::format("; days {}", days));
}

std::string detail(const Encoder& e) {
  std::string text;
  if (e.kind == Kind::kNumber) text = number_detail(e);
  if (e.kind == Kind::kCategory) text = values_detail(e, "value");
  if (e.kind == Kind::kText) text = text_detail(e);
  if (e.kind == Kind::kDate) text = date_detail(e);
  if (e.kind == Kind::kVector) text = "as written";
  if (e.kind == Kind::kCross) {
    text = e.cross == Encoder::Cross::kCategories       ? values_detail(e, "pair of value")
           : e.cross == Encoder::Cross::kNumberCategory ? "the number at the category's place"
                                                        : "the product";
  }
  return e.missing ? text + "; a hole has a feature of its own" : text;
}

std::string column_name(const Encoder& e) { return e.kind == Kind::kCross ? e.column + "*" + e.second : e.column; }

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text_width(text)), ' ');
}

}  // namespace

std::string table_words(const Model& model) {
  if (model.table.empty()) return "";
  std::size_t width = 0;
  for (const Encoder& e : model.table.encoders) width = std::max(width, text_width(short_text(column_name(e))));
  std::string text = fmt::format("Table      fitted on {}\n", counted(model.table.rows, "row"));
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& e = model.table.encoders[i];
    text += fmt::format("  {}  {:<8}  {:>16}  {}\n", padded(short_text(column_name(e)), width), kind_name(e.kind),
                        counted(static_cast<std::int64_t>(encoder_features(model.table, i)), "feature"), detail(e));
  }
  return text;
}

nlohmann::ordered_json table_json(const Model& model) {
  if (model.table.empty()) return nullptr;
  Json columns = Json::array();
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& e = model.table.encoders[i];
    columns.push_back({{"column", column_name(e)},
                       {"kind", kind_name(e.kind)},
                       {"features", starts[i + 1] - starts[i]},
                       {"first", std::uint64_t{starts[i]} + 1},
                       {"detail", detail(e)}});
  }
  return {{"rows", model.table.rows}, {"columns", columns}};
}

std::vector<std::uint32_t> buckets_among(const Model& model, std::span<const std::uint32_t> features) {
  std::vector<std::uint32_t> buckets;
  for (const std::uint32_t j : features) {
    const auto place = place_of(model, j);
    if (!place) continue;
    const Encoder& e = model.table.encoders[place->encoder];
    if (e.bits > 0 && place->place < std::uint64_t{1} << e.bits) buckets.push_back(j);
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
    if (terms[i].size() > kMostTerms)
      text += fmt::format(", {} more", thousands(static_cast<std::int64_t>(terms[i].size() - kMostTerms)));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json shares_json(const Model& model, std::span<const std::uint32_t> buckets,
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

}  // namespace linsep::app
