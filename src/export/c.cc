// Writes a model as one file of C99. '@' stands before every name of the file until it is finished.
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "export/c_text.h"
#include "export/plan.h"
#include "export/word_pattern.h"
#include "linsep/model.h"
#include "linsep/tools/export.h"
#include "table/number_style.h"

namespace linsep {
namespace {

/// Which functions a file needs.
struct CNeeds {
  bool numbers = false, values = false, pairs = false;
  CDateParts dates;
  bool text = false, terms = false, blanks = false, hashes = false, buckets = false;
};

/// A model's table, weights and encoders as C.
class CWriter {
 public:
  CWriter(const Plan& plan, std::string name);

  /// Everything but the answers, that is, the scores of a row.
  std::string row_struct() const;
  std::string tables() const;
  std::string functions() const;
  std::string scores_function() const;

 private:
  const Encoder& encoder(std::size_t number) const { return plan_.table.encoders[number]; }
  /// The features of an encoder that the file contains: all, or for a hashed one the buckets in use and the feature for
  /// a missing value.
  std::vector<std::uint32_t> features_of(std::size_t number) const;
  std::string field_of(const std::string& column) const { return "row->" + fields_[plan_.input_of(column)]; }
  void find_needs();

  std::string weights_table() const;
  std::string letters_table() const;
  std::string values_tables(std::size_t number) const;
  std::string category_function(std::size_t number, const CategoryEncoder& e) const;
  std::string pair_function(std::size_t number, const CrossEncoder& e) const;
  std::string text_function(std::size_t number, const TextEncoder& e) const;
  std::string found_terms(std::size_t number, const TextEncoder& e) const;
  std::string encoded_fields(std::size_t number) const;
  /// The code that an encoder adds to the sum, for a feature and its value.
  std::string additions(std::size_t number, const NumberEncoder& e) const;
  std::string additions(std::size_t number, const CategoryEncoder& e) const;
  std::string additions(std::size_t number, const TextEncoder& e) const;
  std::string additions(std::size_t number, const DateEncoder& e) const;
  std::string additions(std::size_t number, const VectorEncoder& e) const;
  std::string additions(std::size_t number, const CrossEncoder& e) const;
  std::string sign_of(std::size_t number) const { return hashed(number) ? fmt::format("sign_{}", number) : "1.0"; }
  bool hashed(std::size_t number) const;
  /// Adds `value` at the place of the category or pair `of`, within the features of `number`.
  std::string at_place(std::size_t number, std::size_t of, const std::string& value) const;

  const Plan& plan_;
  std::string name_;
  std::vector<std::string> fields_;   // fields of the struct, one for each input
  std::vector<std::uint32_t> start_;  // where each encoder's features start in the file
  CNeeds needs_;
};

using Of = CrossEncoder::Of;
using Part = DateEncoder::Part;

bool is_pair(const Encoder& e) {
  const auto* cross = e.get<CrossEncoder>();
  return cross != nullptr && cross->of == Of::kCategories;
}

bool is_hashed(const Encoder& e) { return e.terms() != nullptr && e.terms()->hashed(); }

/// The places of values or terms, in ascending order of their bytes.
std::vector<std::uint32_t> sorted_places(const std::vector<std::string>& terms) {
  std::vector<std::uint32_t> places(terms.size());
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::sort(places, [&](std::uint32_t a, std::uint32_t b) { return terms[a] < terms[b]; });
  return places;
}

std::vector<std::string> numbers_text(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::string> text;
  text.reserve(numbers.size());
  for (const std::uint32_t number : numbers) text.push_back(fmt::format("{}", number));
  return text;
}

CWriter::CWriter(const Plan& plan, std::string name) : plan_(plan), name_(std::move(name)) {
  std::vector<std::string> names;
  for (const Input& input : plan.inputs) names.push_back(input.name);
  fields_ = c_fields(names, name_);
  std::uint32_t at = 0;
  for (std::size_t number = 0; number < plan.table.encoders.size(); ++number) {
    start_.push_back(at);
    at += static_cast<std::uint32_t>(features_of(number).size());
  }
  find_needs();
}

void CWriter::find_needs() {
  for (const Encoder& e : plan_.table.encoders) {
    const bool hashed = is_hashed(e);
    const auto* text = e.get<TextEncoder>();
    const auto* date = e.get<DateEncoder>();
    if (date == nullptr) {
      needs_.numbers = needs_.numbers || e.scaling() != nullptr;
    } else {
      const auto has = [&](Part part) { return std::ranges::find(date->parts, part) != date->parts.end(); };
      needs_.numbers = needs_.numbers || has(Part::kDays);
      needs_.dates.weekday = needs_.dates.weekday || has(Part::kWeekday);
      needs_.dates.month = needs_.dates.month || has(Part::kMonth);
      needs_.dates.hour = needs_.dates.hour || has(Part::kHour);
    }
    needs_.values = needs_.values || (e.is<CategoryEncoder>() && !hashed);
    needs_.pairs = needs_.pairs || (is_pair(e) && !hashed);
    needs_.text = needs_.text || text != nullptr;
    needs_.terms = needs_.terms || (text != nullptr && !hashed);
    needs_.blanks = needs_.blanks || (text != nullptr && (!text->chars.none() || !hashed));
    needs_.hashes = needs_.hashes || hashed;
    needs_.buckets = needs_.buckets || (hashed && !e.terms()->every_bucket);
  }
}

std::vector<std::uint32_t> CWriter::features_of(std::size_t number) const {
  const Encoder& own = encoder(number);
  const auto* cross = own.get<CrossEncoder>();
  const bool by_other = cross != nullptr && cross->of == Of::kNumberCategory;
  const Encoder& e = by_other ? encoder(plan_.encoder_of<CategoryEncoder>(cross->second)) : own;
  const std::uint32_t all = plan_.start[number + 1] - plan_.start[number];
  if (is_hashed(e) && !e.terms()->every_bucket) {
    std::vector<std::uint32_t> features = e.terms()->buckets;
    if (e.has_indicator()) features.push_back(all - 1);
    return features;
  }
  std::vector<std::uint32_t> features(all);
  std::iota(features.begin(), features.end(), 0U);
  return features;
}

std::string CWriter::row_struct() const {
  std::string text = "/* A row of the table. */\nstruct @row {\n";
  for (std::size_t k = 0; k < plan_.inputs.size(); ++k) {
    const Input& input = plan_.inputs[k];
    const std::string column = c_comment(input.name);
    const char* what = "a number; NAN: missing";
    std::string type = "double ", behind;
    if (input.kind == ColumnKind::kCategory || input.kind == ColumnKind::kText) {
      type = "const char *";
      what = input.kind == ColumnKind::kText ? "text in UTF-8; NULL or \"\": missing"
                                             : "a category; NULL or \"\": missing";
    } else if (input.kind == ColumnKind::kDate) {
      what = "seconds from 1970-01-01 00:00 to the date and local time; NAN: missing";
    } else if (input.kind == ColumnKind::kVector) {
      behind = fmt::format("[{}]", input.size);
      what = plan_.model->table.empty() ? "every feature, also those that are 0" : "numbers; NAN: missing";
    } else if (plan_.model->table.empty()) {
      what = "a number";
    } else if (plan_.settings_of<NumberEncoder>(input.name).style == kBooleanStyle) {
      what = "1 for true, 0 for false; NAN: missing";
    }
    text += fmt::format("  {}{}{}; /* {}: {} */\n", type, fields_[k], behind, column, what);
  }
  return text + "};\n";
}

std::string CWriter::weights_table() const {
  std::vector<std::string> theta, offsets;
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) {
    for (const std::uint32_t feature : features_of(number)) {
      for (std::size_t part = 0; part < plan_.parts; ++part) {
        theta.push_back(c_number(plan_.weight(part, plan_.start[number] + feature)));
      }
    }
  }
  for (std::size_t part = 0; part < plan_.parts; ++part) offsets.push_back(c_number(plan_.offset(part)));
  return "\n/* The weights of each feature, and the offsets. */\n" + c_array("double", "@theta", theta) +
         c_array("double", "@offset", offsets);
}

std::string CWriter::letters_table() const {
  std::vector<std::string> ranges;
  for (const LetterRange& range : letter_ranges()) {
    ranges.push_back(fmt::format("{{{}, {}, {}, {}}}", range.first, range.last, range.lower, range.own ? 1 : 0));
  }
  std::string text =
      "\n/* Unicode's letters, marks and numbers: what lowers them, and whether each is a word of its own. */\n";
  return text + "struct @letter_range { uint32_t first, last; int32_t lower; int own; };\n" +
         c_array("struct @letter_range", "@letters", ranges);
}

std::string CWriter::values_tables(std::size_t number) const {
  const TermSet& e = *encoder(number).terms();
  std::string text;
  if (e.bits > 0) {
    if (!e.every_bucket) text += c_array("uint32_t", fmt::format("@buckets_{}", number), numbers_text(e.buckets));
  } else {
    const std::vector<std::uint32_t> places = sorted_places(e.terms);
    std::vector<std::string_view> values;
    for (const std::uint32_t place : places) values.push_back(e.terms[place]);
    text += c_string_array(fmt::format("@values_{}", number), values);
    text += c_array("uint32_t", fmt::format("@places_{}", number), numbers_text(places));
  }
  const auto* own = encoder(number).get<TextEncoder>();
  if (own != nullptr && !own->idf.empty()) {
    std::vector<std::string> idf;
    for (const double weight : own->idf) idf.push_back(c_number(weight));
    text += c_array("double", fmt::format("@idf_{}", number), idf);
  }
  return text;
}

std::string CWriter::tables() const {
  std::string text = weights_table();
  if (needs_.text) text += letters_table();
  if (needs_.hashes) {
    std::vector<std::string> secret;
    for (const unsigned char byte : XXH3_kSecret) secret.push_back(fmt::format("{}", static_cast<unsigned>(byte)));
    text += "\n/* Of XXH3. */\n" + c_array("unsigned char", "@secret", secret);
  }
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) {
    const Encoder& e = encoder(number);
    if (e.is<CategoryEncoder>() || e.is<TextEncoder>() || is_pair(e)) {
      text += fmt::format("\n/* {} */\n", c_comment(e.column)) + values_tables(number);
    }
  }
  return text;
}

std::string CWriter::functions() const {
  const std::string zeros = plan_.dense ? "" : "  if (value == 0.0) return;\n";
  std::string text = fmt::format(R"(
#define @NONE UINT32_MAX

/* Products are added as linsep adds them: number k to partial sum k mod 8. */
struct @sum {{ double lane[{0}][8]; unsigned next; }};

static void @add(struct @sum *sum, size_t feature, double value) {{
  const double *theta = @theta + feature * {0};
  int part;
{1}  for (part = 0; part < {0}; ++part) sum->lane[part][sum->next % 8u] += {2} * theta[part];
  ++sum->next;
}}
static double @total(const double *s) {{ return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }}
)",
                                 plan_.parts, zeros, plan_.table.single ? "(double)(float)value" : "value");
  if (needs_.numbers) {
    text +=
        "\nstatic double @number(double x, double fill, double shift, double factor) {\n"
        "  return ((isnan(x) ? fill : x) - shift) * factor;\n}\n";
  }
  if (needs_.dates.any()) text += c_date_functions(needs_.dates);
  if (needs_.values) text += c_find_function();
  if (needs_.pairs) text += c_find_pair_functions();
  if (needs_.text || needs_.hashes)
    text += "\n/* Bytes of a text or value as it was given. */\nstruct @piece { const unsigned char *at, *end; };\n";
  if (needs_.text) text += c_letter_functions();
  if (needs_.text || needs_.hashes) text += c_bytes_functions(needs_.text);
  if (needs_.terms) text += c_term_functions();
  if (needs_.hashes) text += c_hash_functions();
  if (needs_.buckets) text += c_find_bucket_function();
  if (needs_.blanks) text += "\nstatic const unsigned char @blank[1] = {' '};\n";
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) {
    const Encoder& e = encoder(number);
    if (const auto* category = e.get<CategoryEncoder>()) text += category_function(number, *category);
    if (is_pair(e)) text += pair_function(number, *e.get<CrossEncoder>());
    if (const auto* own = e.get<TextEncoder>()) text += text_function(number, *own);
  }
  return text;
}

// The encoders of a table in C.

/// The place of a key's bucket, computed from `key`.
std::string bucket_text(const TermSet& e, std::size_t number) {
  const std::string bucket = fmt::format("key & {}u", (std::uint64_t{1} << static_cast<unsigned>(e.bits)) - 1);
  if (e.every_bucket) return fmt::format("(uint32_t)({})", bucket);
  return fmt::format("@find_bucket(@buckets_{}, {}, {})", number, e.buckets.size(), bucket);
}

std::string sign_text(const TermSet& e) { return e.has_signs ? "  if (key >> 63) *sign = -1.0;\n" : ""; }

std::string or_none(bool there, std::size_t place) { return there ? fmt::format("{}u", place) : "@NONE"; }

/// The place of a category's missing value within its features in the file.
std::size_t hole_place(const CategoryEncoder& e) {
  if (e.bits == 0) return e.terms.size() + (e.rare ? 1 : 0);
  return e.every_bucket ? std::size_t{1} << static_cast<unsigned>(e.bits) : e.buckets.size();
}

constexpr const char* kValueKey = R"(
static uint64_t @key_{0}(const char *value) {{
  struct @piece piece;
  piece.at = (const unsigned char *)value;
  piece.end = piece.at + strlen(value);
  return @hash_bytes(@bytes_of(&piece, 1, 0));
}}
)";

std::string CWriter::category_function(std::size_t number, const CategoryEncoder& e) const {
  const std::string hole = or_none(e.missing, hole_place(e));
  if (e.bits == 0) {
    return fmt::format(R"(
static uint32_t @category_{0}(const char *value) {{
  if (!value || !*value) return {1};
  return @find(@values_{0}, @places_{0}, {2}, value, {3});
}}
)",
                       number, hole, e.terms.size(), or_none(e.rare, e.terms.size()));
  }
  return fmt::format(kValueKey, number) + fmt::format(R"(
static uint32_t @category_{0}(const char *value, double *sign) {{
  uint64_t key;
  *sign = 1.0;
  if (!value || !*value) return {1};
  key = @key_{0}(value);
{2}  return {3};
}}
)",
                                                      number, hole, sign_text(e), bucket_text(e, number));
}

std::string CWriter::pair_function(std::size_t number, const CrossEncoder& e) const {
  if (e.bits == 0) {
    return fmt::format(R"(
static uint32_t @pair_{0}(const char *first, const char *second) {{
  if (!first || !*first || !second || !*second) return @NONE;
  return @find_pair(@values_{0}, @places_{0}, {1}, first, second, {2});
}}
)",
                       number, e.terms.size(), or_none(e.rare, e.terms.size()));
  }
  return fmt::format(kValueKey, number) + fmt::format(R"(
static uint32_t @pair_{0}(const char *first, const char *second, double *sign) {{
  uint64_t key;
  *sign = 1.0;
  if (!first || !*first || !second || !*second) return @NONE;
  key = @hash_pair(@key_{0}(first), @key_{0}(second));
{1}  return {2};
}}
)",
                                                      number, sign_text(e), bucket_text(e, number));
}

std::string CWriter::encoded_fields(std::size_t number) const {
  const Encoder& e = encoder(number);
  const std::string field = field_of(e.column);
  const std::string sign = hashed(number) ? fmt::format(", &sign_{}", number) : "";
  const std::string declare_sign = hashed(number) ? fmt::format("  double sign_{};\n", number) : "";
  if (const auto* own = e.get<NumberEncoder>()) {
    return fmt::format("  const double number_{} = @number({}, {}, {}, {});\n", number, field, c_number(own->fill),
                       c_number(own->shift), c_number(own->factor));
  }
  if (e.is<CategoryEncoder>()) {
    return declare_sign + fmt::format("  const uint32_t place_{0} = @category_{0}({1}{2});\n", number, field, sign);
  }
  if (!is_pair(e)) return "";
  return declare_sign + fmt::format("  const uint32_t place_{0} = @pair_{0}({1}, {2}{3});\n", number, field,
                                    field_of(e.get<CrossEncoder>()->second), sign);
}

bool CWriter::hashed(std::size_t number) const { return is_hashed(encoder(number)); }

std::string CWriter::at_place(std::size_t number, std::size_t of, const std::string& value) const {
  return fmt::format("  if (place_{0} != @NONE) @add(&sum, {1} + (size_t)place_{0}, {2});\n", of, start_[number],
                     value);
}

std::string CWriter::additions(std::size_t number, const NumberEncoder& e) const {
  const std::uint32_t at = start_[number];
  std::string text = fmt::format("  @add(&sum, {}, number_{});\n", at, number);
  if (!e.missing) return text;
  return text + fmt::format("  @add(&sum, {}, isnan({}) ? 1.0 : 0.0);\n", at + 1, field_of(encoder(number).column));
}

std::string CWriter::additions(std::size_t number, const CategoryEncoder& /*e*/) const {
  return at_place(number, number, sign_of(number));
}

std::string CWriter::additions(std::size_t number, const TextEncoder& /*e*/) const {
  return fmt::format("  @text_{}(&sum, {});\n", number, field_of(encoder(number).column));
}

std::string CWriter::additions(std::size_t number, const DateEncoder& e) const {
  const std::string field = field_of(encoder(number).column);
  std::uint32_t at = start_[number];
  std::string text;
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      text += fmt::format("  @add(&sum, {}, @number(floor({}) / 86400.0, {}, {}, {}));\n", at, field, c_number(e.fill),
                          c_number(e.shift), c_number(e.factor));
    } else {
      text += fmt::format("  if (!isnan({0})) @add(&sum, {1} + @{2}(floor({0})), 1.0);\n", field, at, part_name(part));
    }
    at += part_features(part);
  }
  if (e.missing) text += fmt::format("  if (isnan({})) @add(&sum, {}, 1.0);\n", field, at);
  return text;
}

std::string CWriter::additions(std::size_t number, const VectorEncoder& e) const {
  const std::string value = plan_.model->table.empty() ? "{0}[k]" : "isnan({0}[k]) ? 0.0 : {0}[k]";
  return fmt::format("  for (k = 0; k < {}; ++k) @add(&sum, {} + k, ", e.size, start_[number]) +
         fmt::format(fmt::runtime(value), field_of(encoder(number).column)) + ");\n";
}

std::string CWriter::additions(std::size_t number, const CrossEncoder& e) const {
  if (e.of == Of::kCategories) return at_place(number, number, sign_of(number));
  const std::size_t first = plan_.encoder_of<NumberEncoder>(encoder(number).column);
  if (e.of == Of::kNumbers) {
    return fmt::format("  @add(&sum, {}, number_{} * number_{});\n", start_[number], first,
                       plan_.encoder_of<NumberEncoder>(e.second));
  }
  const std::size_t second = plan_.encoder_of<CategoryEncoder>(e.second);
  return at_place(number, second,
                  hashed(second) ? fmt::format("number_{} * sign_{}", first, second) : fmt::format("number_{}", first));
}

std::string CWriter::scores_function() const {
  bool vectors = false;
  for (const Encoder& e : plan_.table.encoders) vectors = vectors || e.is<VectorEncoder>();
  std::string text =
      "\nstatic void @fill_scores(const struct @row *row, double *z) {\n  struct @sum sum;\n  int part;\n";
  if (vectors) text += "  size_t k;\n";
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) text += encoded_fields(number);
  text += "  memset(&sum, 0, sizeof sum);\n";
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) {
    text += std::visit([&](const auto& kind) { return additions(number, kind); }, encoder(number).kind);
  }
  text += fmt::format("  for (part = 0; part < {}; ++part) z[part] = @total(sum.lane[part]) + @offset[part];\n}}\n",
                      plan_.parts);
  return text;
}

// Texts in C: count every known term, then weigh the counts in ascending order of features.

/// The value of a count (`count`, never 0) at `place`, before the division by the length.
std::string weight_text(const TextEncoder& e, std::size_t number) {
  std::string value = "(double)count";
  if (e.weight == TermWeight::kSqrt)
    value = e.has_signs ? "(count < 0 ? -sqrt(-(double)count) : sqrt((double)count))" : "sqrt((double)count)";
  if (e.weight == TermWeight::kPresence) value = e.has_signs ? "(count < 0 ? -1.0 : 1.0)" : "1.0";
  return e.idf.empty() ? value : fmt::format("{} * @idf_{}[place]", value, number);
}

std::size_t places_of(const TextEncoder& e) {
  if (e.bits == 0) return e.terms.size();
  return e.every_bucket ? std::size_t{1} << static_cast<unsigned>(e.bits) : e.buckets.size();
}

/// Loops over every n-gram of words. It is looked up by its bytes if exact, and by its key if hashed.
std::string word_loop(const TextEncoder& e, std::size_t number, const std::string& found) {
  if (e.bits == 0) {
    return fmt::format(R"(
  struct @piece piece[{0}];
  int words = 0, n, k;
  for (k = 0; k < {0}; ++k) {{
    piece[k].at = @blank;
    piece[k].end = @blank + 1;
  }}
  while (@next_word(&at, &piece[{1}])) {{
    if (words < {2}) ++words;
    for (n = {3}; n <= words; ++n) {{
      const uint32_t place = @find_term(@values_{4}, @places_{4}, {5}, piece + {0} - (2 * n - 1), 2 * n - 1);
{6}    }}
    for (k = 0; k + 2 < {0}; k += 2) piece[k] = piece[k + 2];
  }}
)",
                       2 * e.words.to - 1, 2 * e.words.to - 2, e.words.to, e.words.from, number, e.terms.size(), found);
  }
  return fmt::format(R"(
  struct @piece word;
  uint64_t last[{0} + 1] = {{0}};
  int words = 0, n;
  while (@next_word(&at, &word)) {{
    const uint64_t own = @hash_bytes(@bytes_of(&word, 1, 1));
    if (words < {0}) ++words;
    for (n = words; n > 1; --n) last[n] = @hash_pair(last[n - 1], own);
    last[1] = own;
    for (n = {1}; n <= words; ++n) {{
      const uint64_t key = last[n];
{2}    }}
  }}
)",
                     e.words.to, e.words.from, found);
}

/// Loops over every n-gram of characters within words, with a blank at both ends.
std::string character_loop(const TextEncoder& e, std::size_t number, const std::string& found) {
  const std::string look = e.bits == 0
                               ? fmt::format(
                                     "const uint32_t place = @find_term(@values_{0}, @places_{0}, {1}, "
                                     "piece + first, last - first + 1);\n",
                                     number, e.terms.size())
                               : "const uint64_t key = @hash_bytes(@bytes_of(piece + first, last - first + 1, 1));\n";
  return fmt::format(R"(
  struct @piece word, piece[3];
  piece[0].at = piece[2].at = @blank;
  piece[0].end = piece[2].end = @blank + 1;
  while (@next_word(&at, &word)) {{
    const unsigned char *begin, *end;
    uint32_t code;
    int n, size = 2, from, k;
    for (begin = word.at; begin < word.end; begin = @point(begin, &code)) ++size;
    for (n = {0}; n <= {1} && n <= size; ++n) {{
      begin = end = word.at;
      for (k = 1; k < n && end < word.end; ++k) end = @point(end, &code);
      for (from = 0; from + n <= size; ++from) {{
        const int first = from > 0, last = from + n == size ? 2 : 1;
        piece[1].at = begin;
        piece[1].end = end;
        {{
        {2}{3}        }}
        if (from > 0) begin = @point(begin, &code);
        if (end < word.end) end = @point(end, &code);
      }}
    }}
  }}
)",
                     e.chars.from, e.chars.to, look, found);
}

/// What happens to `place` or, if hashed, `key`: count it, and remember that it was met.
std::string CWriter::found_terms(std::size_t number, const TextEncoder& e) const {
  const std::string count = fmt::format(
      "      if (place != @NONE) {{\n        @count_{0}[place] += {1};\n"
      "        @met_{0}[place / 64] |= UINT64_C(1) << place % 64;\n      }}\n",
      number, e.has_signs ? "(key >> 63) ? -1 : 1" : "1");
  if (e.bits == 0) return count;
  const std::string bucket = fmt::format("key & {}u", (std::uint64_t{1} << static_cast<unsigned>(e.bits)) - 1);
  return (e.every_bucket ? fmt::format("      const uint32_t place = (uint32_t)({});\n", bucket)
                         : fmt::format("      const uint32_t place = @find_bucket(@buckets_{}, {}, {});\n", number,
                                       e.buckets.size(), bucket)) +
         count;
}

std::string CWriter::text_function(std::size_t number, const TextEncoder& e) const {
  const std::size_t places = places_of(e), blocks = (places + 63) / 64;
  if (places == 0)
    return fmt::format(
        "\nstatic void @text_{}(struct @sum *sum, const char *text) {{\n  (void)sum;\n  (void)text;\n}}\n", number);
  const std::string loop =
      e.chars.none() ? word_loop(e, number, found_terms(number, e)) : character_loop(e, number, found_terms(number, e));
  return fmt::format(R"(
/* Of the text that is being scored. */
static @THREAD int32_t @count_{0}[{1}];
static @THREAD uint64_t @met_{0}[{2}];

static void @terms_{0}(const unsigned char *at) {{{3}}}

static void @text_{0}(struct @sum *sum, const char *text) {{
  double squares = 0.0, length = 1.0;
  size_t block, place;
  int pass;
  if (!text) return;
  @terms_{0}((const unsigned char *)text);
  for (pass = 0; pass < 2; ++pass) {{
    for (block = 0; block < {2}; ++block) {{
      for (place = 64 * block; @met_{0}[block] >> place % 64 && place / 64 == block; ++place) {{
        const int32_t count = @count_{0}[place];
        if (count != 0) {{
          const double value = {4};
          if (pass == 0) squares += value * value; else @add(sum, {5} + place, value / length);
        }}
        if (pass == 1) @count_{0}[place] = 0;
      }}
      if (pass == 1) @met_{0}[block] = 0;
    }}
{6}  }}
}}
)",
                     number, places, blocks, loop, weight_text(e, number), start_[number],
                     e.norm ? "    if (pass == 0 && squares > 0.0) length = sqrt(squares);\n" : "    (void)squares;\n");
}

// Turns scores into labels and probabilities in C.

struct CAnswers {
  std::vector<std::string> declarations;  ///< of the functions that callers use
  std::string functions;
};

/// A function @probability_N(z) for one calibration.
std::string calibration_function(const Calibration& calibration, std::size_t number) {
  if (calibration.kind != Calibration::Kind::kIsotonic) {
    return fmt::format(R"(
static double @calibrated_{0}(double z) {{
  const double f = {1} * z + {2}, e = exp(-fabs(f));
  return (f >= 0.0 ? 1.0 : e) / (1.0 + e);
}}
)",
                       number, c_number(calibration.slope), c_number(calibration.offset));
  }
  std::vector<std::string> score, probability;
  for (const double z : calibration.score) score.push_back(c_number(z));
  for (const double p : calibration.probability) probability.push_back(c_number(p));
  std::string text = c_array("double", fmt::format("@knots_{}", number), score);
  text += c_array("double", fmt::format("@heights_{}", number), probability);
  return text + fmt::format(R"(
static double @calibrated_{0}(double z) {{
  const double *knot = @knots_{0}, *height = @heights_{0};
  size_t low = 0, high = {1};
  double part, low_height, high_height, p;
  while (low < high) {{
    const size_t middle = low + (high - low) / 2;
    if (z < knot[middle]) high = middle; else low = middle + 1;
  }}
  if (low == 0) return height[0];
  if (low == {1}) return height[low - 1];
  part = (z / 2 - knot[low - 1] / 2) / (knot[low] / 2 - knot[low - 1] / 2);
  low_height = height[low - 1];
  high_height = height[low];
  if (low_height == 0.0) return part * high_height;
  p = low_height + part * (high_height - low_height);
  return p > high_height ? high_height : p;
}}
)",
                            number, calibration.score.size());
}

std::string names_array(const std::string& name, const std::vector<std::string>& names) {
  return c_string_array(name, std::vector<std::string_view>(names.begin(), names.end()));
}

void add(CAnswers& answers, const std::string& declaration, const std::string& body) {
  answers.declarations.push_back(declaration + ";");
  answers.functions += fmt::format("\n{} {{\n{}}}\n", declaration, body);
}

CAnswers one_score(const Model& model) {
  CAnswers answers;
  add(answers, "double @score(const struct @row *row)", "  double z;\n  @fill_scores(row, &z);\n  return z;\n");
  if (!model.regression) {
    answers.functions += names_array("@names", model.schema.classes);
    add(answers, "const char *@label(const struct @row *row)",
        fmt::format("  return @names[@score(row) >= {} ? 1 : 0];\n", c_number(model.threshold)));
  }
  if (!has_probabilities(model)) return answers;
  answers.functions += calibration_function(model.calibration, 0);
  add(answers, "double @probability(const struct @row *row)", "  return @calibrated_0(@score(row));\n");
  return answers;
}

std::string probabilities_body(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  std::string body = "  @fill_scores(row, p);\n";
  if (model.calibration.kind == Calibration::Kind::kSoftmax) {
    body = "  double greatest;\n  @fill_scores(row, p);\n  greatest = p[0];\n";
    body += fmt::format("  for (part = 1; part < {}; ++part) if (greatest < p[part]) greatest = p[part];\n", parts);
    body += fmt::format("  for (part = 0; part < {}; ++part) p[part] = exp(p[part] - greatest);\n", parts);
  } else {
    for (std::size_t part = 0; part < parts; ++part) body += fmt::format("  p[{0}] = @calibrated_{0}(p[{0}]);\n", part);
  }
  if (model.form != Model::Form::kClasses) return body;
  return fmt::format("  double sum = 0.0;\n  int part;\n{}", body) +
         fmt::format(
             "  for (part = 0; part < {0}; ++part) sum += p[part];\n"
             "  for (part = 0; part < {0}; ++part) p[part] = sum == 0.0 ? 1.0 / {1} : p[part] / sum;\n",
             parts, c_number(static_cast<double>(parts)));
}

CAnswers several_scores(const Model& model) {
  CAnswers answers;
  const std::size_t parts = scores_per_row(model);
  add(answers, fmt::format("void @scores(const struct @row *row, double z[{}])", parts), "  @fill_scores(row, z);\n");
  answers.functions += names_array("@names", model.schema.classes);
  if (model.form == Model::Form::kClasses) {
    add(answers, "const char *@label(const struct @row *row)",
        fmt::format("  double z[{0}];\n  int part, best = 0;\n  @fill_scores(row, z);\n"
                    "  for (part = 1; part < {0}; ++part) if (z[best] < z[part]) best = part;\n"
                    "  return @names[best];\n",
                    parts));
  } else {
    answers.functions += names_array("@columns", model.schema.labels);
    add(answers, fmt::format("void @labels(const struct @row *row, const char *label[{}])", parts),
        fmt::format("  double z[{0}];\n  int part;\n  @fill_scores(row, z);\n"
                    "  for (part = 0; part < {0}; ++part) label[part] = @names[2 * part + (z[part] >= 0.0 ? 1 : 0)];\n",
                    parts));
    add(answers, "const char *@label_column(int part)", "  return @columns[part];\n");
  }
  if (!has_probabilities(model)) return answers;
  for (std::size_t part = 0; part < model.calibrations.size(); ++part) {
    answers.functions += calibration_function(model.calibrations[part], part);
  }
  add(answers, fmt::format("void @probabilities(const struct @row *row, double p[{}])", parts),
      probabilities_body(model));
  return answers;
}

CAnswers c_answers(const Model& model) { return model.offsets.empty() ? one_score(model) : several_scores(model); }

Language c_language() {
  Language language;
  language.name = "C";
  language.hashed = true;
  language.characters = true;
  return language;
}

constexpr const char* kHead =
    R"(/* A linear classifier, written by linsep: C99, no allocation, no locale. Compile it, or include it, and call
 *
{0} *
 * With #define @ONLY_DECLARED before it, this file can be included as its own header.{1}
 * Scores are the same bits as linsep's where floating-point arithmetic is IEEE 754's: no -ffast-math, no x87. */
#ifndef @DECLARED
#define @DECLARED

{2}
{3}
#endif

#ifndef @ONLY_DECLARED
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
)";

constexpr const char* kThreads =
    " Texts are counted in static arrays:\n * where several threads score, compile with -D@THREAD=_Thread_local (C11) "
    "or "
    "__thread.";

}  // namespace

std::string export_c(const Model& model, const std::string& name) {
  const Plan plan = make_plan(model, c_language());
  const std::string own = c_prefix(name);
  const CWriter writer(plan, own);
  bool text = false;
  for (const Input& input : plan.inputs) text = text || input.kind == ColumnKind::kText;
  const CAnswers answers = c_answers(model);
  std::string calls;
  for (const std::string& declaration : answers.declarations) calls += " *   " + declaration + "\n";
  std::string declarations;
  for (const std::string& declaration : answers.declarations) declarations += declaration + "\n";
  std::string file = fmt::format(kHead, calls, text ? kThreads : "", writer.row_struct(), declarations);
  if (text) file += "#ifndef @THREAD\n#define @THREAD\n#endif\n";
  file += writer.tables() + writer.functions() + writer.scores_function() + answers.functions;
  return with_prefix(file, own) + "#endif\n";
}

}  // namespace linsep
