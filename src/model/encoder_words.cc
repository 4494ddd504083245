#include "linsep/tools/encoder_words.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/words.h"
#include "linsep/tools/number_words.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

std::string scaling_words(const Scaling& s) {
  std::string text = s.shift == 0 && s.factor == 1 ? "as written" : "";
  if (s.shift != 0) text = fmt::format("less {}", figure_text(s.shift));
  if (s.factor != 1) text += fmt::format("{}divided by {}", text.empty() ? "" : ", ", figure_text(1 / s.factor));
  return text;
}

std::string terms_words(const TermSet& set, std::string_view noun, bool rare = false) {
  if (!set.hashed()) {
    return fmt::format("{} {}{}{}", with_commas(set.terms.size()), noun, set.terms.size() == 1 ? "" : "s",
                       rare ? " and (rare)" : "");
  }
  const std::uint64_t all = std::uint64_t{1} << set.bits;
  return fmt::format("hashed to {} bits{}, {} of {} buckets in use", set.bits, set.has_signs ? " with signs" : "",
                     with_commas(set.every_bucket ? all : set.buckets.size()), with_commas(all));
}

std::string words_of(const NumberEncoder& number) { return scaling_words(number); }

std::string words_of(const CategoryEncoder& category) { return terms_words(category, "value", category.rare); }

std::string words_of(const TextEncoder& text) {
  const TermRange range = text.words.none() ? text.chars : text.words;
  const std::string_view weight = text.weight == TermWeight::kSqrt    ? "√count"
                                  : text.weight == TermWeight::kCount ? "count"
                                                                      : "presence";
  return fmt::format("{} {}-{}: {}; {}{}{}", text.words.none() ? "characters" : "words", range.from, range.to,
                     terms_words(text, "term"), weight, text.idf.empty() ? "" : "·idf",
                     text.norm ? ", of length 1" : "");
}

std::string words_of(const DateEncoder& date) {
  std::vector<std::string_view> parts;
  for (const DateEncoder::Part part : date.parts) parts.push_back(part_name(part));
  const std::string days = scaling_words(date);
  return fmt::format("{}; {}{}", shown_text(date.format), fmt::join(parts, ", "),
                     days == "as written" ? "" : fmt::format("; days {}", days));
}

std::string words_of(const VectorEncoder& /*vector*/) { return "as written"; }

std::string words_of(const CrossEncoder& cross) {
  if (cross.of == CrossEncoder::Of::kCategories) return terms_words(cross, "value pair", cross.rare);
  return cross.of == CrossEncoder::Of::kNumbers ? "the product" : "the number at the category's place";
}

}  // namespace

std::string encoder_words(const Encoder& encoder) {
  const std::string text = std::visit([](const auto& kind) { return words_of(kind); }, encoder.kind);
  return encoder.has_indicator() ? text + "; missing values have a feature of their own" : text;
}

}  // namespace linsep
