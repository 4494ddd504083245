#include "export/sql/shares.h"

#include <fmt/format.h>

#include <cmath>

#include "export/sql/text.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;
using Part = Encoder::Part;

std::string column_text(const std::string& name) { return "t." + sql_name(name); }

/// A number; NaN is a hole too.
std::string number_text(const std::string& name) {
  return fmt::format("NULLIF(CAST({} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION))", column_text(name));
}

/// A category; '' is a hole.
std::string category_text(const std::string& name) {
  return fmt::format("COALESCE(CAST({} AS VARCHAR), '')", column_text(name));
}

std::string time_text(const std::string& name) { return fmt::format("CAST({} AS TIMESTAMP)", column_text(name)); }

}  // namespace

std::string SqlShares::score(std::size_t part) const {
  std::string text = "  " + sql_number(plan_.offset(part));
  for (const std::string& share : shares_[part]) text += "\n  + " + share;
  return text;
}

std::string SqlShares::product(double weight, const std::string& value) const {
  if (!plan_.table.single) return fmt::format("{} * ({})", sql_number(weight), value);
  return fmt::format("{} * CAST(CAST({} AS REAL) AS DOUBLE PRECISION)", sql_number(weight), value);
}

std::string SqlShares::encoded_number(std::size_t number) const {
  const Encoder& e = encoder(number);
  std::string text = number_text(e.column);
  if (!std::isnan(e.fill)) text = fmt::format("COALESCE({}, {})", text, sql_number(e.fill));
  if (e.shift == 0 && e.factor == 1) return text;
  return fmt::format("({} - {}) * {}", text, sql_number(e.shift), sql_number(e.factor));
}

void SqlShares::take(std::size_t number) {
  const Encoder& e = encoder(number);
  switch (e.kind) {
    case Kind::kNumber:
      return take_number(number);
    case Kind::kCategory:
      return add_category(number, e, category_text(e.column), "");
    case Kind::kText:
      return take_text(number);
    case Kind::kDate:
      return take_date(number);
    case Kind::kCross:
      return take_cross(number);
    case Kind::kVector:
      break;
  }
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    for (std::uint32_t k = 0; k < e.size; ++k) {
      add(part, product(weight(part, number, k),
                        fmt::format("COALESCE(CAST({}[{}] AS DOUBLE PRECISION), 0)", column_text(e.column), k + 1)));
    }
  }
}

void SqlShares::take_number(std::size_t number) {
  const Encoder& e = encoder(number);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    add(part, product(weight(part, number, 0), encoded_number(number)));
    if (!e.missing) continue;
    add(part, fmt::format("CASE WHEN {} IS NULL THEN {} ELSE 0 END", number_text(e.column),
                          sql_number(weight(part, number, 1))));
  }
}

void SqlShares::add_category(std::size_t number, const Encoder& category, const std::string& value,
                             const std::string& factor) {
  const std::size_t count = category.terms.size();
  if (count > kMostCases) return add_joined(number, category, value, factor);
  const bool single = category.kind == Kind::kCategory;  // a pair that has a hole isn't looked up
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    std::string text = fmt::format("CASE {}", value);
    if (single) {
      const double hole = category.missing ? weight(part, number, count + (category.rare ? 1 : 0)) : 0;
      text += fmt::format("\n    WHEN '' THEN {}", sql_number(hole));
    }
    for (std::size_t place = 0; place < count; ++place) {
      text += fmt::format("\n    WHEN {} THEN {}", sql_string(category.terms[place]),
                          sql_number(weight(part, number, place)));
    }
    const std::string rare = sql_number(category.rare ? weight(part, number, count) : 0);
    text = single || count > 0 ? fmt::format("{}\n    ELSE {} END", text, rare) : rare;
    add(part, factor.empty() ? text : fmt::format("{} * {}", factor, text));
  }
}

void SqlShares::add_joined(std::size_t number, const Encoder& category, const std::string& value,
                           const std::string& factor) {
  const std::size_t count = category.terms.size();
  const std::string name = fmt::format("linsep_values_{}", number);
  std::string head = name + "(value";
  std::vector<std::vector<double>> columns(plan_.parts);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    head += fmt::format(", w{}", part);
    for (std::size_t place = 0; place < count; ++place) columns[part].push_back(weight(part, number, place));
  }
  tables_.push_back(sql_list(head + ")", category.terms, columns));
  joins_ += fmt::format("LEFT JOIN {0} ON {0}.value = {1}\n", name, value);
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    const double rare = category.rare ? weight(part, number, count) : 0;
    const double hole = category.missing ? weight(part, number, count + (category.rare ? 1 : 0)) : 0;
    std::string text = fmt::format("COALESCE({}.w{}, {})", name, part, sql_number(rare));
    if (category.kind == Kind::kCategory) {
      text = fmt::format("CASE WHEN {} = '' THEN {} ELSE {} END", value, sql_number(hole), text);
    }
    add(part, factor.empty() ? text : fmt::format("{} * {}", factor, text));
  }
}

void SqlShares::take_date(std::size_t number) {
  const Encoder& e = encoder(number);
  const std::string time = time_text(e.column);
  std::size_t place = 0;
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      const std::string days =
          fmt::format("FLOOR(CAST(EXTRACT(EPOCH FROM {}) AS DOUBLE PRECISION)) / {}", time, sql_number(86400));
      const std::string value = fmt::format("(COALESCE({}, {}) - {}) * {}", days, sql_number(e.fill),
                                            sql_number(e.shift), sql_number(e.factor));
      for (std::size_t k = 0; k < plan_.parts; ++k) add(k, product(weight(k, number, place), value));
      ++place;
      continue;
    }
    const char* field = part == Part::kWeekday ? "ISODOW" : part == Part::kMonth ? "MONTH" : "HOUR";
    const std::size_t size = part == Part::kWeekday ? 7 : part == Part::kMonth ? 12 : 24;
    const std::size_t first = part == Part::kHour ? 0 : 1;
    for (std::size_t k = 0; k < plan_.parts; ++k) {
      std::string text = fmt::format("CASE EXTRACT({} FROM {})", field, time);
      for (std::size_t at = 0; at < size; ++at) {
        text += fmt::format("\n    WHEN {} THEN {}", at + first, sql_number(weight(k, number, place + at)));
      }
      add(k, text + " ELSE 0 END");
    }
    place += size;
  }
  for (std::size_t k = 0; k < plan_.parts && e.missing; ++k) {
    add(k, fmt::format("CASE WHEN {} IS NULL THEN {} ELSE 0 END", time, sql_number(weight(k, number, place))));
  }
}

void SqlShares::take_cross(std::size_t number) {
  const Encoder& e = encoder(number);
  if (e.cross == Cross::kNumbers) {
    const std::string value = fmt::format("({}) * ({})", encoded_number(plan_.encoder_of(e.column, Kind::kNumber)),
                                          encoded_number(plan_.encoder_of(e.second, Kind::kNumber)));
    for (std::size_t part = 0; part < plan_.parts; ++part) add(part, product(weight(part, number, 0), value));
    return;
  }
  if (e.cross == Cross::kNumberCategory) {
    std::string value = encoded_number(plan_.encoder_of(e.column, Kind::kNumber));
    value = plan_.table.single ? fmt::format("CAST(CAST({} AS REAL) AS DOUBLE PRECISION)", value) : "(" + value + ")";
    return add_category(number, encoder(plan_.encoder_of(e.second, Kind::kCategory)), category_text(e.second), value);
  }
  const std::string a = category_text(e.column), b = category_text(e.second);
  const std::string there = fmt::format("CASE WHEN {} = '' OR {} = '' THEN 0 ELSE 1 END", a, b);
  add_category(number, e, fmt::format("({} || CHR(31) || {})", a, b), there);
}

}  // namespace linsep
