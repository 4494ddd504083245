// The encoders of a table in C.
#include <fmt/format.h>

#include "export/c/text.h"
#include "export/c/writer.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;
using Part = Encoder::Part;

/// The place of a key's bucket, from `key`.
std::string bucket_text(const Encoder& e, std::size_t number) {
  const std::string bucket = fmt::format("key & {}u", (std::uint64_t{1} << static_cast<unsigned>(e.bits)) - 1);
  if (e.every_bucket) return fmt::format("(uint32_t)({})", bucket);
  return fmt::format("@find_bucket(@buckets_{}, {}, {})", number, e.buckets.size(), bucket);
}

std::string sign_text(const Encoder& e) { return e.has_signs ? "  if (key >> 63) *sign = -1.0;\n" : ""; }

std::string or_none(bool there, std::size_t place) { return there ? fmt::format("{}u", place) : "@NONE"; }

/// Where the hole of a category is, within its features in the file.
std::size_t hole_place(const Encoder& e) {
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

}  // namespace

std::string CWriter::category_function(std::size_t number) const {
  const Encoder& e = encoder(number);
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

std::string CWriter::pair_function(std::size_t number) const {
  const Encoder& e = encoder(number);
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
  const std::string sign = e.bits > 0 ? fmt::format(", &sign_{}", number) : "";
  const std::string declare_sign = e.bits > 0 ? fmt::format("  double sign_{};\n", number) : "";
  if (e.kind == Kind::kNumber) {
    return fmt::format("  const double number_{} = @number({}, {}, {}, {});\n", number, field_of(e.column),
                       c_number(e.fill), c_number(e.shift), c_number(e.factor));
  }
  if (e.kind == Kind::kCategory) {
    return declare_sign +
           fmt::format("  const uint32_t place_{0} = @category_{0}({1}{2});\n", number, field_of(e.column), sign);
  }
  if (e.kind == Kind::kCross && e.cross == Cross::kCategories) {
    return declare_sign + fmt::format("  const uint32_t place_{0} = @pair_{0}({1}, {2}{3});\n", number,
                                      field_of(e.column), field_of(e.second), sign);
  }
  return "";
}

std::string CWriter::date_additions(std::size_t number) const {
  const Encoder& e = encoder(number);
  const std::string field = field_of(e.column);
  std::uint32_t at = start_[number];
  std::string text;
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      text += fmt::format("  @add(&sum, {}, @number(floor({}) / 86400.0, {}, {}, {}));\n", at, field, c_number(e.fill),
                          c_number(e.shift), c_number(e.factor));
      ++at;
      continue;
    }
    const char* name = part == Part::kWeekday ? "weekday" : part == Part::kMonth ? "month" : "hour";
    text += fmt::format("  if (!isnan({0})) @add(&sum, {1} + @{2}(floor({0})), 1.0);\n", field, at, name);
    at += part == Part::kWeekday ? 7 : part == Part::kMonth ? 12 : 24;
  }
  if (e.missing) text += fmt::format("  if (isnan({})) @add(&sum, {}, 1.0);\n", field, at);
  return text;
}

std::string CWriter::additions(std::size_t number) const {
  const Encoder& e = encoder(number);
  const std::uint32_t at = start_[number];
  const auto at_place = [&](std::size_t of, const std::string& value) {
    return fmt::format("  if (place_{0} != @NONE) @add(&sum, {1} + (size_t)place_{0}, {2});\n", of, at, value);
  };
  const auto sign = [&](std::size_t of) { return encoder(of).bits > 0 ? fmt::format("sign_{}", of) : "1.0"; };
  switch (e.kind) {
    case Kind::kNumber: {
      const std::string hole = fmt::format("  @add(&sum, {}, isnan({}) ? 1.0 : 0.0);\n", at + 1, field_of(e.column));
      return fmt::format("  @add(&sum, {}, number_{});\n", at, number) + (e.missing ? hole : "");
    }
    case Kind::kCategory:
      return at_place(number, sign(number));
    case Kind::kText:
      return fmt::format("  @text_{}(&sum, {});\n", number, field_of(e.column));
    case Kind::kDate:
      return date_additions(number);
    case Kind::kVector: {
      const std::string value = plan_.model->table.empty() ? "{0}[k]" : "isnan({0}[k]) ? 0.0 : {0}[k]";
      return fmt::format("  for (k = 0; k < {}; ++k) @add(&sum, {} + k, ", e.size, at) +
             fmt::format(fmt::runtime(value), field_of(e.column)) + ");\n";
    }
    case Kind::kCross:
      break;
  }
  if (e.cross == Cross::kCategories) return at_place(number, sign(number));
  const std::size_t first = plan_.encoder_of(e.column, Kind::kNumber);
  if (e.cross == Cross::kNumbers) {
    return fmt::format("  @add(&sum, {}, number_{} * number_{});\n", at, first,
                       plan_.encoder_of(e.second, Kind::kNumber));
  }
  const std::size_t second = plan_.encoder_of(e.second, Kind::kCategory);
  return at_place(second, encoder(second).bits > 0 ? fmt::format("number_{} * sign_{}", first, second)
                                                   : fmt::format("number_{}", first));
}

std::string CWriter::scores_function() const {
  bool vectors = false;
  for (const Encoder& e : plan_.table.encoders) vectors = vectors || e.kind == Kind::kVector;
  std::string text =
      "\nstatic void @fill_scores(const struct @row *row, double *z) {\n  struct @sum sum;\n  int part;\n";
  if (vectors) text += "  size_t k;\n";
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) text += encoded_fields(number);
  text += "  memset(&sum, 0, sizeof sum);\n";
  for (std::size_t number = 0; number < plan_.table.encoders.size(); ++number) text += additions(number);
  text += fmt::format("  for (part = 0; part < {}; ++part) z[part] = @total(sum.lane[part]) + @offset[part];\n}}\n",
                      plan_.parts);
  return text;
}

}  // namespace linsep
