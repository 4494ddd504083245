// Writes a model as one query. Large categories and texts are joined by row number. Everything else is one expression.
//
//   WITH linsep_rows AS (the table, with row numbers), weights and sums of texts …
//   SELECT t.*, predicted, score, probability FROM linsep_rows AS t … CROSS JOIN LATERAL (SELECT … AS z0) AS s
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/from_chars.h"
#include "export/plan.h"
#include "export/word_pattern.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/export.h"
#include "table/kinds.h"
#include "table/number_style.h"

namespace linsep {
namespace {

std::string doubled(std::string_view bytes, char quote) {
  std::string text(1, quote);
  for (const char byte : bytes) {
    text.push_back(byte);
    if (byte == quote) text.push_back(byte);
  }
  text.push_back(quote);
  return text;
}

/// A byte that no string contains, or 0 if there is none. A newline is tried first, as it reads best.
char byte_between(const std::vector<std::string>& strings) {
  const auto free = [&](char byte) {
    return std::ranges::none_of(strings, [&](const std::string& one) { return one.find(byte) != std::string::npos; });
  };
  if (free('\n')) return '\n';
  for (char byte = 1; byte < 32; ++byte) {
    if (free(byte)) return byte;
  }
  return 0;
}

/// Exactly this double. It is written as a string, because both dialects read 0.1 as a decimal.
std::string sql_number(double value) { return fmt::format("CAST('{}' AS DOUBLE PRECISION)", value); }
std::string sql_string(std::string_view bytes) { return doubled(bytes, '\''); }
/// A name in quotes.
std::string sql_name(std::string_view name) { return doubled(name, '"'); }

/// A table in WITH: NAME(COLUMN, …), with strings and then columns of numbers. The query splits long literals, because
/// both dialects take many times longer to read as many rows of VALUES. Throws a usage Error for strings that leave no
/// byte to separate them.
std::string sql_list(const std::string& head, const std::vector<std::string>& strings,
                     const std::vector<std::vector<double>>& columns) {
  const char between = byte_between(strings);
  if (between == 0) throw usage_error("the model can't be written in SQL: its values use every control character");
  std::string joined;
  for (const std::string& one : strings) {
    if (!joined.empty()) joined += between;
    joined += one;
  }
  std::string text = fmt::format("{} AS (SELECT UNNEST(STRING_TO_ARRAY({}, CHR({})))", head, sql_string(joined),
                                 static_cast<int>(between));
  for (const std::vector<double>& column : columns) {
    text +=
        fmt::format(",\n    UNNEST(CAST(STRING_TO_ARRAY('{}', ' ') AS DOUBLE PRECISION[]))", fmt::join(column, " "));
  }
  return text + ")";
}

/// The first line's words about the dialect and the columns.
std::string sql_comment(const Plan& plan, SqlDialect dialect) {
  return fmt::format("{}; it reads {} columns", dialect == SqlDialect::kDuckDb ? "DuckDB" : "PostgreSQL",
                     plan.inputs.size());
}

/// Expressions over the columns of t for what each encoder adds to the scores. Also the tables and joins that texts and
/// categories of many values need.
class SqlShares {
 public:
  /// A category with more values becomes a table.
  static constexpr std::size_t kMostCases = 1000;

  explicit SqlShares(const Plan& plan) : plan_(plan), shares_(plan.parts) {}

  void take(std::size_t encoder);

  /// The sum of all shares of a score, and the intercept.
  std::string score(std::size_t part) const;
  /// The tables after WITH.
  const std::vector<std::string>& tables() const { return tables_; }
  const std::string& joins() const { return joins_; }
  /// Whether rows need numbers.
  bool numbered() const { return numbered_; }

 private:
  const std::string& column(std::size_t number) const { return plan_.table.encoders[number].column; }
  double weight(std::size_t part, std::size_t number, std::size_t place) const {
    return plan_.weight(part, static_cast<std::uint32_t>(plan_.start[number] + place));
  }
  void add(std::size_t part, std::string share) { shares_[part].push_back(std::move(share)); }
  /// `value` times a weight, rounded to float if the table is.
  std::string product(double weight, const std::string& value) const;
  /// For a number or date: whether the row has none, its value (NULL if it can't be read), and `value` or the fill.
  std::string hole_of(const std::string& column) const { return fmt::format("h.hole{}", plan_.input_of(column)); }
  std::string value_of(const std::string& column) const { return fmt::format("n.value{}", plan_.input_of(column)); }
  std::string filled(const std::string& column, double fill, const std::string& value) const;
  std::string encoded_number(const std::string& column) const;
  /// Adds weight · factor for the place of a value. The factor is 1 if `factor` is "". `category` is what the values
  /// belong to. It is null for pairs, which aren't looked up if one of the two is missing.
  void add_values(std::size_t number, const ValueSet& values, const CategoryEncoder* category, const std::string& value,
                  const std::string& factor);
  void add_joined(std::size_t number, const ValueSet& values, const CategoryEncoder* category, const std::string& value,
                  const std::string& factor);
  void take(std::size_t number, const NumberEncoder& e);
  void take(std::size_t number, const CategoryEncoder& e);
  void take(std::size_t number, const TextEncoder& e);
  void take(std::size_t number, const DateEncoder& e);
  void take(std::size_t number, const VectorEncoder& e);
  void take(std::size_t number, const CrossEncoder& e);

  const Plan& plan_;
  std::vector<std::vector<std::string>> shares_;
  std::vector<std::string> tables_;
  std::string joins_;
  bool numbered_ = false;
};

using Of = CrossEncoder::Of;
using Part = DateEncoder::Part;

std::string column_text(const std::string& name) { return "t." + sql_name(name); }

/// A category. '' is a missing value.
std::string category_text(const std::string& name) {
  return fmt::format("COALESCE(CAST({} AS VARCHAR), '')", column_text(name));
}

std::string SqlShares::score(std::size_t part) const {
  std::string text = "  " + sql_number(plan_.offset(part));
  for (const std::string& share : shares_[part]) text += "\n  + " + share;
  return text;
}

std::string SqlShares::product(double weight, const std::string& value) const {
  if (!plan_.table.single) return fmt::format("{} * ({})", sql_number(weight), value);
  return fmt::format("{} * CAST(CAST({} AS REAL) AS DOUBLE PRECISION)", sql_number(weight), value);
}

std::string SqlShares::filled(const std::string& column, double fill, const std::string& value) const {
  if (std::isnan(fill)) return value;
  return fmt::format("CASE WHEN {} THEN {} ELSE {} END", hole_of(column), sql_number(fill), value);
}

std::string SqlShares::encoded_number(const std::string& column) const {
  const auto& e = plan_.settings_of<NumberEncoder>(column);
  const std::string text = filled(column, e.fill, value_of(column));
  if (e.shift == 0 && e.factor == 1) return text;
  return fmt::format("({} - {}) * {}", text, sql_number(e.shift), sql_number(e.factor));
}

void SqlShares::take(std::size_t number) {
  std::visit([&](const auto& kind) { take(number, kind); }, plan_.table.encoders[number].kind);
}

void SqlShares::take(std::size_t number, const CategoryEncoder& e) {
  add_values(number, e, &e, category_text(column(number)), "");
}

void SqlShares::take(std::size_t number, const VectorEncoder& e) {
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    for (std::uint32_t k = 0; k < e.size; ++k) {
      add(part, product(weight(part, number, k), fmt::format("COALESCE(CAST({}[{}] AS DOUBLE PRECISION), 0)",
                                                             column_text(column(number)), k + 1)));
    }
  }
}

void SqlShares::take(std::size_t number, const NumberEncoder& e) {
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    add(part, product(weight(part, number, 0), encoded_number(column(number))));
    if (!e.missing) continue;
    add(part,
        fmt::format("CASE WHEN {} THEN {} ELSE 0 END", hole_of(column(number)), sql_number(weight(part, number, 1))));
  }
}

void SqlShares::add_values(std::size_t number, const ValueSet& values, const CategoryEncoder* category,
                           const std::string& value, const std::string& factor) {
  const std::size_t count = values.terms.size();
  if (count > kMostCases) return add_joined(number, values, category, value, factor);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    std::string text = fmt::format("CASE {}", value);
    if (category != nullptr) {
      const double hole = category->missing ? weight(part, number, count + (values.rare ? 1 : 0)) : 0;
      text += fmt::format("\n    WHEN '' THEN {}", sql_number(hole));
    }
    for (std::size_t place = 0; place < count; ++place) {
      text += fmt::format("\n    WHEN {} THEN {}", sql_string(values.terms[place]),
                          sql_number(weight(part, number, place)));
    }
    const std::string rare = sql_number(values.rare ? weight(part, number, count) : 0);
    text = category != nullptr || count > 0 ? fmt::format("{}\n    ELSE {} END", text, rare) : rare;
    add(part, factor.empty() ? text : fmt::format("{} * {}", factor, text));
  }
}

void SqlShares::add_joined(std::size_t number, const ValueSet& values, const CategoryEncoder* category,
                           const std::string& value, const std::string& factor) {
  const std::size_t count = values.terms.size();
  const std::string name = fmt::format("linsep_values_{}", number);
  std::string head = name + "(value";
  std::vector<std::vector<double>> columns(plan_.parts);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    head += fmt::format(", w{}", part);
    for (std::size_t place = 0; place < count; ++place) columns[part].push_back(weight(part, number, place));
  }
  tables_.push_back(sql_list(head + ")", values.terms, columns));
  joins_ += fmt::format("LEFT JOIN {0} ON {0}.value = {1}\n", name, value);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    const double rare = values.rare ? weight(part, number, count) : 0;
    std::string text = fmt::format("COALESCE({}.w{}, {})", name, part, sql_number(rare));
    if (category != nullptr) {
      const double hole = category->missing ? weight(part, number, count + (values.rare ? 1 : 0)) : 0;
      text = fmt::format("CASE WHEN {} = '' THEN {} ELSE {} END", value, sql_number(hole), text);
    }
    add(part, factor.empty() ? text : fmt::format("{} * {}", factor, text));
  }
}

void SqlShares::take(std::size_t number, const DateEncoder& e) {
  const std::string time = value_of(column(number));
  std::size_t place = 0;
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      const std::string days =
          fmt::format("FLOOR(CAST(EXTRACT(EPOCH FROM {}) AS DOUBLE PRECISION)) / {}", time, sql_number(86400));
      const std::string value = fmt::format("({} - {}) * {}", filled(column(number), e.fill, days), sql_number(e.shift),
                                            sql_number(e.factor));
      for (std::size_t k = 0; k < plan_.parts; ++k) add(k, product(weight(k, number, place), value));
      ++place;
      continue;
    }
    const char* field = part == Part::kWeekday ? "ISODOW" : part == Part::kMonth ? "MONTH" : "HOUR";
    const std::size_t size = part_features(part);
    const std::size_t first = part == Part::kHour ? 0 : 1;
    for (std::size_t k = 0; k < plan_.parts; ++k) {
      std::string text = fmt::format("CASE EXTRACT({} FROM {})", field, time);
      for (std::size_t at = 0; at < size; ++at) {
        text += fmt::format("\n    WHEN {} THEN {}", at + first, sql_number(weight(k, number, place + at)));
      }
      add(k, fmt::format("CASE WHEN {} THEN 0 ELSE {} END END", hole_of(column(number)), text));
    }
    place += size;
  }
  for (std::size_t k = 0; k < plan_.parts && e.missing; ++k) {
    add(k,
        fmt::format("CASE WHEN {} THEN {} ELSE 0 END", hole_of(column(number)), sql_number(weight(k, number, place))));
  }
}

void SqlShares::take(std::size_t number, const CrossEncoder& e) {
  const std::string& first = column(number);
  if (e.of == Of::kNumbers) {
    const std::string value = fmt::format("({}) * ({})", encoded_number(first), encoded_number(e.second));
    for (std::size_t part = 0; part < plan_.parts; ++part) add(part, product(weight(part, number, 0), value));
    return;
  }
  if (e.of == Of::kNumberCategory) {
    std::string value = encoded_number(first);
    value = plan_.table.single ? fmt::format("CAST(CAST({} AS REAL) AS DOUBLE PRECISION)", value) : "(" + value + ")";
    const auto& category = plan_.settings_of<CategoryEncoder>(e.second);
    return add_values(number, category, &category, category_text(e.second), value);
  }
  const std::string a = category_text(first), b = category_text(e.second);
  const std::string there = fmt::format("CASE WHEN {} = '' OR {} = '' THEN 0 ELSE 1 END", a, b);
  add_values(number, e, nullptr, fmt::format("({} || CHR(31) || {})", a, b), there);
}

// Texts in DuckDB's SQL: words by a regular expression, n-grams by LEAD, a table of weights, counts, lengths and sums.

/// All n-grams of the words, row by row.
std::string grams_text(const TextEncoder& e, const std::string& words) {
  std::string text;
  for (int n = e.words.from; n <= e.words.to; ++n) {
    std::string term = "word";
    for (int k = 1; k < n; ++k) {
      term += fmt::format(" || ' ' || LEAD(word, {}) OVER (PARTITION BY linsep_row ORDER BY place)", k);
    }
    text += fmt::format("{}SELECT linsep_row, {} AS term FROM {}", text.empty() ? "" : "\n    UNION ALL ", term, words);
  }
  return text;
}

void SqlShares::take(std::size_t number, const TextEncoder& e) {
  if (e.terms.empty()) return;
  numbered_ = true;
  const std::string words = fmt::format("linsep_words_{}", number), weights = fmt::format("linsep_weights_{}", number);
  const std::string values = fmt::format("linsep_terms_{}", number), sums = fmt::format("linsep_sums_{}", number);
  tables_.push_back(fmt::format(
      "{}(linsep_row, word, place) AS (SELECT linsep_row, UNNEST(words), GENERATE_SUBSCRIPTS(words, 1)\n"
      "    FROM (SELECT linsep_row, REGEXP_EXTRACT_ALL(LOWER(CAST({} AS VARCHAR)), {}) AS words FROM linsep_rows))",
      words, sql_name(column(number)), sql_string(word_pattern())));
  std::string columns, any, added;
  std::vector<std::vector<double>> numbers{e.idf.empty() ? std::vector<double>(e.terms.size(), 1.0) : e.idf};
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    columns += fmt::format(", w{}", part);
    any += fmt::format(", ANY_VALUE(w{})", part);
    added += fmt::format(", SUM(w{} * value)", part);
    std::vector<double>& theta = numbers.emplace_back();
    for (std::size_t place = 0; place < e.terms.size(); ++place) theta.push_back(weight(part, number, place));
  }
  tables_.push_back(sql_list(fmt::format("{}(term, idf{})", weights, columns), e.terms, numbers));
  std::string value = "CAST(COUNT(*) AS DOUBLE PRECISION)";
  if (e.weight == TermWeight::kSqrt) value = fmt::format("SQRT({})", value);
  if (e.weight == TermWeight::kPresence) value = sql_number(1);
  tables_.push_back(fmt::format(
      "{}(linsep_row, value{}) AS (SELECT linsep_row, {} * ANY_VALUE(idf){}\n    FROM ({}) AS g JOIN {} USING (term)\n"
      "    GROUP BY linsep_row, term)",
      values, columns, value, any, grams_text(e, words), weights));
  const std::string length = e.norm ? " / SQRT(SUM(value * value) OVER (PARTITION BY linsep_row))" : "";
  const std::string scaled =
      plan_.table.single ? fmt::format("CAST(CAST(value{} AS REAL) AS DOUBLE PRECISION)", length) : "value" + length;
  tables_.push_back(
      fmt::format("{}(linsep_row{}) AS (SELECT linsep_row{}\n    FROM (SELECT linsep_row, {} AS value{} FROM {}) AS v "
                  "GROUP BY linsep_row)",
                  sums, columns, added, scaled, columns, values));
  joins_ += fmt::format("LEFT JOIN {0} ON {0}.linsep_row = t.linsep_row\n", sums);
  for (std::size_t part = 0; part < plan_.parts; ++part) add(part, fmt::format("COALESCE({}.w{}, 0)", sums, part));
}

// Numbers and dates as rows have them, which is as typed columns or as the words that `linsep predict` reads, with the
// same missing words, decimal sign and formats of dates. What can't be read has no value, and so no score and no
// prediction.

using Kind = ColumnKind;

std::string is_text(const std::string& column, SqlDialect dialect) {
  if (dialect == SqlDialect::kDuckDb) return fmt::format("TYPEOF({}) = 'VARCHAR'", column);
  return fmt::format("CAST(PG_TYPEOF({}) AS VARCHAR) IN ('text', 'character varying', 'character')", column);
}

std::string word_of(const std::string& column) { return fmt::format("TRIM(CAST({} AS VARCHAR))", column); }

/// The number in PostgreSQL's text, else NULL.
std::string postgres_number(const std::string& text) {
  return fmt::format(
      "CASE WHEN {0} ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$' THEN CAST({0} AS DOUBLE PRECISION) END",
      text);
}

/// 1 for true, 0 for false, or the number, for any type of column. PostgreSQL casts no boolean to a number.
std::string boolean_text(const std::string& column, SqlDialect dialect) {
  const std::string word = word_of(column);
  std::string text = fmt::format("CASE {}", word);
  for (const std::string_view one : {"true", "True", "TRUE", "false", "False", "FALSE"}) {
    text += fmt::format(" WHEN {} THEN {}", sql_string(one), sql_number(*boolean_of(one) ? 1 : 0));
  }
  const bool duck = dialect == SqlDialect::kDuckDb;
  return fmt::format("{} ELSE {} END", text,
                     duck ? fmt::format("TRY_CAST({} AS DOUBLE PRECISION)", word) : postgres_number(word));
}

/// A finite number, else NULL. Only text may have a decimal comma.
std::string number_text(const std::string& column, const NumberEncoder& encoder, char decimal, SqlDialect dialect) {
  const std::string word = word_of(column);
  const std::string plain = decimal == ',' ? fmt::format("TRANSLATE({}, ',.', '.,')", word) : word;
  std::string number;
  if (encoder.style == kBooleanStyle) {
    number = boolean_text(column, dialect);
  } else if (dialect == SqlDialect::kPostgreSql) {
    number = fmt::format("CASE WHEN {} THEN {} ELSE CAST({} AS DOUBLE PRECISION) END", is_text(column, dialect),
                         postgres_number(plain), column);
  } else if (decimal == ',') {
    number = fmt::format("TRY_CAST(CASE WHEN {} THEN {} ELSE {} END AS DOUBLE PRECISION)", is_text(column, dialect),
                         plain, word);
  } else {
    number = fmt::format("TRY_CAST({} AS DOUBLE PRECISION)", column);
  }
  constexpr double kMost = std::numeric_limits<double>::max();
  return fmt::format("CASE WHEN {0} BETWEEN {1} AND {2} THEN {0} END", number, sql_number(-kMost), sql_number(kMost));
}

/// The PostgreSQL pattern for a format.
std::string date_pattern(std::string_view format) {
  std::string text;
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] != '%' || k + 1 == format.size()) {
      text += fmt::format("\"{}\"", format[k]);
      continue;
    }
    switch (format[++k]) {
      case 'Y':
        text += "YYYY";
        break;
      case 'y':
        text += "YY";
        break;
      case 'm':
        text += "MM";
        break;
      case 'b':
        text += "Mon";
        break;
      case 'd':
        text += "DD";
        break;
      case 'H':
        text += "HH24";
        break;
      case 'M':
        text += "MI";
        break;
      case 'S':
        text += "SS";
        break;
      default:
        text += fmt::format("\"{}\"", format[k]);
    }
  }
  return text;
}

/// For columns that aren't text. Times with a zone are in UTC, whatever the session's zone is.
std::string typed_time(const std::string& column, SqlDialect dialect) {
  const bool duck = dialect == SqlDialect::kDuckDb;
  const std::string type =
      duck ? fmt::format("TYPEOF({})", column) : fmt::format("CAST(PG_TYPEOF({}) AS VARCHAR)", column);
  const std::string_view cast = duck ? "TRY_CAST" : "CAST";
  return fmt::format(
      "CASE WHEN LOWER({0}) = 'timestamp with time zone' THEN {1}({2} AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE "
      "'UTC' ELSE {1}({2} AS TIMESTAMP) END",
      type, cast, column);
}

/// For text, ISO's dates with their zone ignored, or those of the format, else NULL. The conversion avoids the
/// session's zone, in which some local times don't exist.
std::string time_text(const std::string& column, const std::string& format, SqlDialect dialect) {
  const std::string word = word_of(column);
  const std::string local = fmt::format("REGEXP_REPLACE({}, '(Z|[+-][0-9][0-9]:[0-9][0-9])$', '')", word);
  std::string text;
  if (dialect == SqlDialect::kDuckDb) {
    text = format == "iso" ? fmt::format("TRY_CAST({} AS TIMESTAMP)", local)
                           : fmt::format("TRY_STRPTIME({}, {})", word, sql_string(format));
    return fmt::format("CASE WHEN {} THEN {} ELSE {} END", is_text(column, dialect), text, typed_time(column, dialect));
  }
  text = format == "iso"
             ? fmt::format("CASE WHEN {} ~ '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}' THEN CAST({} AS TIMESTAMP) END", word,
                           local)
             : fmt::format("CASE WHEN {0} ~ '[0-9]' THEN TO_TIMESTAMP({0} || ' +00', {1}) AT TIME ZONE 'UTC' END", word,
                           sql_string(date_pattern(format) + " TZH"));
  return fmt::format("CASE WHEN {} THEN {} ELSE {} END", is_text(column, dialect), text, typed_time(column, dialect));
}

/// The number that a missing word spells.
std::optional<double> number_in(std::string word, char decimal) {
  if (decimal == ',') std::ranges::replace(word, ',', '.');
  double number = 0;
  const auto [end, error] = from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// If there is a value, only a missing word that is a number makes it a missing value. This avoids IN, which would be a
/// separate join in DuckDB.
std::string hole_text(const std::string& column, const std::string& value, Kind kind, const TableMap& table) {
  std::string numbers, words;
  for (const std::string& word : table.missing_words) {
    words += fmt::format("{}{} = {}", words.empty() ? "" : " OR ", word_of(column), sql_string(word));
    const auto number = kind == Kind::kNumber ? number_in(word, table.decimal) : std::nullopt;
    if (number) numbers += fmt::format("{}{} = {}", numbers.empty() ? "" : " OR ", value, sql_number(*number));
  }
  std::string text = fmt::format("CASE WHEN {} IS NOT NULL THEN {} ELSE CASE COALESCE(LOWER({}), '') WHEN '' THEN TRUE",
                                 value, numbers.empty() ? "FALSE" : numbers, word_of(column));
  for (const std::string_view word : missing_words()) text += fmt::format(" WHEN {} THEN TRUE", sql_string(word));
  return text + fmt::format(" ELSE {} END END", words.empty() ? "FALSE" : words);
}

/// Joins a row's numbers and dates to it as n.value0 and h.hole0, …, by the number of the input. "" if there are none.
std::string sql_fields(const Plan& plan, SqlDialect dialect) {
  std::vector<std::string> values, holes;
  for (std::size_t k = 0; k < plan.inputs.size(); ++k) {
    const Input& input = plan.inputs[k];
    if (input.kind != Kind::kNumber && input.kind != Kind::kDate) continue;
    const std::string column = "t." + sql_name(input.name);
    const std::string value =
        input.kind == Kind::kNumber
            ? number_text(column, plan.settings_of<NumberEncoder>(input.name), plan.table.decimal, dialect)
            : time_text(column, plan.settings_of<DateEncoder>(input.name).format, dialect);
    values.push_back(fmt::format("{} AS value{}", value, k));
    holes.push_back(
        fmt::format("{} AS hole{}", hole_text(column, fmt::format("n.value{}", k), input.kind, plan.table), k));
  }
  if (values.empty()) return "";
  return fmt::format("CROSS JOIN LATERAL (SELECT\n  {}\n) AS n\nCROSS JOIN LATERAL (SELECT\n  {}\n) AS h\n",
                     fmt::join(values, ",\n  "), fmt::join(holes, ",\n  "));
}

// Turns scores s.z0, s.z1, … into the columns of the answer.

struct SqlColumn {
  std::string name, expression;
};

std::string isotonic(const std::string& z, const Calibration& calibration) {
  const std::vector<double>&at = calibration.score, &height = calibration.probability;
  std::string text = fmt::format("CASE WHEN {} < {} THEN {}", z, sql_number(at.front()), sql_number(height.front()));
  for (std::size_t k = 1; k < at.size(); ++k) {
    text += fmt::format("\n    WHEN {0} < {1} THEN {2} + ({0} - {3}) / ({1} - {3}) * ({4} - {2})", z, sql_number(at[k]),
                        sql_number(height[k - 1]), sql_number(at[k - 1]), sql_number(height[k]));
  }
  return text + fmt::format("\n    WHEN {} IS NOT NULL THEN {} END", z, sql_number(height.back()));
}

/// Both ends keep their digits, and EXP never overflows (PostgreSQL refuses results that are too small or too large).
std::string sigmoid(const std::string& z, const Calibration& calibration) {
  const std::string f = fmt::format("({} * {} + {})", sql_number(calibration.slope), z, sql_number(calibration.offset));
  return fmt::format(
      "CASE WHEN {0} >= 0 THEN 1 / (1 + EXP(-LEAST({0}, 700))) ELSE EXP(GREATEST({0}, -700)) / (1 + EXP(GREATEST({0}, "
      "-700))) END",
      f);
}

std::string calibrated(const std::string& z, const Calibration& calibration) {
  return calibration.kind == Calibration::Kind::kIsotonic ? isotonic(z, calibration) : sigmoid(z, calibration);
}

std::string z_of(std::size_t part) { return fmt::format("s.z{}", part); }

std::string greatest_of(std::size_t parts) {
  std::string text = "GREATEST(";
  for (std::size_t part = 0; part < parts; ++part) text += (part > 0 ? ", " : "") + z_of(part);
  return text + ")";
}

std::string two_classes(const Model& model, std::size_t part, double threshold) {
  const std::vector<std::string>& classes = model.schema.classes;
  return fmt::format("CASE WHEN {0} >= {1} THEN {2} WHEN {0} < {1} THEN {3} END", z_of(part), sql_number(threshold),
                     sql_string(classes[2 * part + 1]), sql_string(classes[2 * part]));
}

/// One share for each class or label column.
std::vector<std::string> shares_of(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  std::vector<std::string> shares;
  for (std::size_t part = 0; part < parts; ++part) {
    if (model.calibration.kind == Calibration::Kind::kSoftmax) {
      shares.push_back(fmt::format("EXP(GREATEST({} - {}, -700))", z_of(part), greatest_of(parts)));
    } else {
      shares.push_back(calibrated(z_of(part), model.calibrations[part]));
    }
  }
  if (model.form != Model::Form::kClasses) return shares;
  std::string sum;
  for (const std::string& share : shares) sum += fmt::format("{}({})", sum.empty() ? "" : " + ", share);
  for (std::string& share : shares) {
    share = fmt::format("COALESCE(({}) / NULLIF({}, 0), {})", share, sum, sql_number(1 / static_cast<double>(parts)));
  }
  return shares;
}

std::vector<SqlColumn> several(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  const std::vector<std::string>& classes = model.schema.classes;
  const bool joint = model.form == Model::Form::kClasses;
  const auto name = [&](const char* what, std::size_t part) {
    return fmt::format("{} {}", what, joint ? classes[part] : model.schema.labels[part]);
  };
  std::vector<SqlColumn> columns;
  if (joint) {
    std::string text = "CASE";
    for (std::size_t part = 0; part < parts; ++part) {
      text += fmt::format("\n    WHEN {} = {} THEN {}", z_of(part), greatest_of(parts), sql_string(classes[part]));
    }
    columns.push_back({"predicted", text + " END"});
  } else {
    for (std::size_t part = 0; part < parts; ++part)
      columns.push_back({name("predicted", part), two_classes(model, part, 0)});
  }
  for (std::size_t part = 0; part < parts; ++part) columns.push_back({name("score", part), z_of(part)});
  if (!has_probabilities(model)) return columns;
  const std::vector<std::string> shares = shares_of(model);
  for (std::size_t part = 0; part < parts; ++part) columns.push_back({name("probability", part), shares[part]});
  return columns;
}

std::vector<SqlColumn> sql_answers(const Model& model) {
  if (!model.offsets.empty()) return several(model);
  std::vector<SqlColumn> columns;
  if (!model.regression) columns.push_back({"predicted", two_classes(model, 0, model.threshold)});
  columns.push_back({"score", z_of(0)});
  if (has_probabilities(model)) columns.push_back({"probability", calibrated(z_of(0), model.calibration)});
  return columns;
}

Language sql_language(SqlDialect dialect) {
  Language language;
  language.name = dialect == SqlDialect::kDuckDb ? "DuckDB's SQL" : "PostgreSQL's SQL";
  language.text = dialect == SqlDialect::kDuckDb;
  language.text_advice = "is text; export for DuckDB, in C or as ONNX";
  language.vector = false;
  return language;
}

}  // namespace

std::string export_sql(const Model& model, SqlDialect dialect, const std::string& from) {
  const Plan plan = make_plan(model, sql_language(dialect));
  SqlShares shares(plan);
  for (std::size_t encoder = 0; encoder < plan.table.encoders.size(); ++encoder) shares.take(encoder);
  std::string query = fmt::format("-- A linear classifier, written by linsep for {}.\n", sql_comment(plan, dialect));
  const bool numbered = shares.numbered();
  if (!shares.tables().empty()) query += "WITH ";
  if (numbered) {
    query += fmt::format("linsep_rows AS (SELECT *, ROW_NUMBER() OVER () AS linsep_row FROM {})", sql_name(from));
  }
  for (std::size_t k = 0; k < shares.tables().size(); ++k) {
    query += (k > 0 || numbered ? ",\n" : "") + shares.tables()[k];
  }
  if (!shares.tables().empty()) query += "\n";
  query += fmt::format("SELECT {}", numbered && dialect == SqlDialect::kDuckDb ? "t.* EXCLUDE (linsep_row)" : "t.*");
  const auto is_column = [&](const std::string& name) {
    return std::ranges::any_of(plan.inputs, [&](const Input& input) { return input.name == name; });
  };
  for (SqlColumn column : sql_answers(model)) {
    while (is_column(column.name)) column.name += "_out";
    query += fmt::format(",\n  {} AS {}", column.expression, sql_name(column.name));
  }
  query += fmt::format("\nFROM {} AS t\n{}{}CROSS JOIN LATERAL (SELECT\n", numbered ? "linsep_rows" : sql_name(from),
                       shares.joins(), sql_fields(plan, dialect));
  for (std::size_t part = 0; part < plan.parts; ++part) {
    query += fmt::format("{}{} AS z{}", part > 0 ? ",\n" : "", shares.score(part), part);
  }
  query += "\n) AS s";
  query += numbered ? "\nORDER BY t.linsep_row;\n" : ";\n";
  return query;
}

}  // namespace linsep
