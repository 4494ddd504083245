#include "export/c/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "export/c/text.h"
#include "export/word_pattern.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;

bool is_category(const Encoder& e) {
  return e.kind == Kind::kCategory || (e.kind == Kind::kCross && e.cross == Cross::kCategories);
}

/// Values or terms in ascending order of their bytes, with their places.
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

}  // namespace

CWriter::CWriter(const Plan& plan, std::string name) : plan_(plan), name_(std::move(name)) {
  std::vector<std::string> names;
  for (const Input& input : plan.inputs) names.push_back(input.name);
  fields_ = c_identifiers(names);
  std::uint32_t at = 0;
  for (std::size_t number = 0; number < plan.table.encoders.size(); ++number) {
    start_.push_back(at);
    at += static_cast<std::uint32_t>(features_of(number).size());
  }
  find_needs();
}

void CWriter::find_needs() {
  for (const Encoder& e : plan_.table.encoders) {
    const bool hashed = e.bits > 0, text = e.kind == Kind::kText;
    needs_.numbers = needs_.numbers || e.kind == Kind::kNumber || e.kind == Kind::kDate;
    needs_.dates = needs_.dates || e.kind == Kind::kDate;
    needs_.values = needs_.values || (e.kind == Kind::kCategory && !hashed);
    needs_.pairs = needs_.pairs || (is_category(e) && e.kind == Kind::kCross && !hashed);
    needs_.text = needs_.text || text;
    needs_.terms = needs_.terms || (text && !hashed);
    needs_.blanks = needs_.blanks || (text && (!e.chars.none() || !hashed));
    needs_.hashes = needs_.hashes || hashed;
    needs_.buckets = needs_.buckets || (hashed && !e.every_bucket);
  }
}

std::vector<std::uint32_t> CWriter::features_of(std::size_t number) const {
  const Encoder& own = encoder(number);
  const bool by_other = own.kind == Kind::kCross && own.cross == Cross::kNumberCategory;
  const Encoder& e = by_other ? encoder(plan_.encoder_of(own.second, Kind::kCategory)) : own;
  const std::uint32_t all = plan_.start[number + 1] - plan_.start[number];
  if (e.bits > 0 && !e.every_bucket) {
    std::vector<std::uint32_t> features = e.buckets;
    if (e.missing) features.push_back(all - 1);
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
    if (input.kind == Kind::kCategory || input.kind == Kind::kText) {
      type = "const char *";
      what = input.kind == Kind::kText ? "text in UTF-8; NULL or \"\": missing" : "a category; NULL or \"\": missing";
    } else if (input.kind == Kind::kDate) {
      what = "seconds from 1970-01-01 00:00 to the date and local time; NAN: missing";
    } else if (input.kind == Kind::kVector) {
      behind = fmt::format("[{}]", input.size);
      what = plan_.model->table.empty() ? "every feature, also those that are 0" : "numbers; NAN: missing";
    } else if (plan_.model->table.empty()) {
      what = "a number";
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
  const Encoder& e = encoder(number);
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
  if (!e.idf.empty()) {
    std::vector<std::string> idf;
    for (const double weight : e.idf) idf.push_back(c_number(weight));
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
    if (is_category(e) || e.kind == Kind::kText) {
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
  if (needs_.dates) text += c_date_functions();
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
    if (e.kind == Kind::kCategory) text += category_function(number);
    if (is_category(e) && e.kind == Kind::kCross) text += pair_function(number);
    if (e.kind == Kind::kText) text += text_function(number);
  }
  return text;
}

}  // namespace linsep
