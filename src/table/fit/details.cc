// What the account says of encoders, and the account as lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/with_commas.h"
#include "linsep/tools/shown_text.h"
#include "table/fit/fitted_encoders.h"

namespace linsep {
namespace {

/// ", 3 missing"
std::string missing_text(std::int64_t missing) {
  return missing == 0 ? "" : fmt::format(", {} missing", with_commas(static_cast<std::uint64_t>(missing)));
}

/// What a hole becomes: "; indicator".
std::string hole_text(const Encoder& encoder, std::int64_t missing) {
  if (missing == 0) return "";
  return encoder.missing ? "; indicator" : "; holes take the mean";
}

std::string scale_text(const Encoder& encoder) {
  std::string text;
  if (encoder.shift != 0) text += fmt::format("less {:.4g}", encoder.shift);
  if (encoder.factor != 1) text += fmt::format("{}divided by {:.3g}", text.empty() ? "" : ", ", 1 / encoder.factor);
  return text.empty() ? "" : "; " + text;
}

std::string day_text(double days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<std::int64_t>(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string range_text(const char* what, TermRange range) {
  return range.from == range.to ? fmt::format("{} {}", what, range.from)
                                : fmt::format("{} {}-{}", what, range.from, range.to);
}

std::string buckets_text(const TableSpec& spec, const Encoder& encoder) {
  const std::string all = with_commas(std::uint64_t{1} << encoder.bits);
  std::string text = spec.bits > 0 ? fmt::format("hashed into {} buckets", all)
                                   : fmt::format("more than {} of them, hashed into {} buckets",
                                                 with_commas(static_cast<std::uint64_t>(spec.most_terms)), all);
  if (!encoder.every_bucket) text += fmt::format(", {} in use", with_commas(encoder.buckets.size()));
  return text;
}

/// "seen once", "in fewer than 5 rows".
std::string rare_text(std::int64_t min_count) {
  return min_count == 2 ? "seen once" : fmt::format("in fewer than {} rows", min_count);
}

}  // namespace

std::string number_detail(const Encoder& encoder, const NumberFacts& facts, std::int64_t missing) {
  if (facts.count == 0) return "no value in any row";
  const std::string range = facts.least == facts.greatest ? fmt::format("always {}", facts.least)
                                                          : fmt::format("{} … {}", facts.least, facts.greatest);
  return range + missing_text(missing) + scale_text(encoder) + hole_text(encoder, missing);
}

std::string date_detail(const Encoder& encoder, const NumberFacts& facts, std::int64_t missing) {
  if (facts.count == 0) return "no value in any row";
  const bool hours = std::find(encoder.parts.begin(), encoder.parts.end(), Encoder::Part::kHour) != encoder.parts.end();
  return fmt::format("{} … {}{}; days, weekday, month{}{}", day_text(facts.least), day_text(facts.greatest),
                     missing_text(missing), hours ? ", hour" : "", hole_text(encoder, missing));
}

std::string category_detail(const TableSpec& spec, const Encoder& encoder, std::uint64_t distinct,
                            std::int64_t missing) {
  if (encoder.bits > 0) {
    return buckets_text(spec, encoder) + missing_text(missing) + (encoder.missing ? " → (missing)" : "");
  }
  std::string text = fmt::format("{} value{}", with_commas(distinct), distinct == 1 ? "" : "s");
  if (encoder.rare) {
    text += fmt::format(", {} {} → (rare)", with_commas(distinct - encoder.terms.size()), rare_text(spec.min_count));
  }
  return text + missing_text(missing) + (encoder.missing ? " → (missing)" : "");
}

std::string terms_detail(const TableSpec& spec, const Encoder& encoder, std::uint64_t distinct) {
  const std::string what =
      encoder.chars.none() ? range_text("words", encoder.words) : range_text("characters", encoder.chars);
  if (encoder.bits > 0) return fmt::format("{}: {}", what, buckets_text(spec, encoder));
  if (encoder.terms.size() == distinct) return fmt::format("{}: {} terms", what, with_commas(distinct));
  const std::string often =
      spec.min_count == 2 ? "seen twice or more" : fmt::format("in {} rows or more", spec.min_count);
  return fmt::format("{}: {} terms {} of {}", what, with_commas(encoder.terms.size()), often, with_commas(distinct));
}

std::string weighting_detail(const Encoder& encoder) {
  std::string text = encoder.weight == TermWeight::kSqrt    ? "√tf"
                     : encoder.weight == TermWeight::kCount ? "counts"
                                                            : "presence";
  if (!encoder.idf.empty()) text += "·idf";
  return text + (encoder.norm ? ", rows of length 1" : "");
}

std::string about(double number) {
  if (number < 1e6) return with_commas(static_cast<std::uint64_t>(number));
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  int power = 0;
  for (; number >= 9.5; ++power) number /= 10;
  std::string text = fmt::format("{:.0f}·10", number);
  if (power >= 10) text += kDigits[static_cast<std::size_t>(power / 10 % 10)];
  return text + kDigits[static_cast<std::size_t>(power % 10)];
}

}  // namespace linsep
