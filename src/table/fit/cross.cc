// Which columns a cross names: names may hold a * themselves, so that every one of them is tried.
#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "linsep/error.h"
#include "table/fit/column_counts.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

std::optional<std::size_t> find_column(const std::vector<PlannedColumn>& columns, std::string_view name) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == name) return k;
  }
  return {};
}

const char* kind_word(Kind kind) {
  switch (kind) {
    case Kind::kText:
      return "a text";
    case Kind::kDate:
      return "a date";
    case Kind::kVector:
      return "a vector";
    default:
      return "a number or category";
  }
}

PlannedCross cross_of(const std::string& name, const std::vector<PlannedColumn>& columns, std::size_t a,
                      std::size_t b) {
  for (const std::size_t k : {a, b}) {
    if (columns[k].kind == Kind::kNumber || columns[k].kind == Kind::kCategory) continue;
    throw options_error({"cross"}, fmt::format("{{}} {}: column '{}' is {}; numbers and categories can be crossed",
                                               name, columns[k].name, kind_word(columns[k].kind)));
  }
  const bool first = columns[a].kind == Kind::kNumber, second = columns[b].kind == Kind::kNumber;
  if (first && second) return {Encoder::Cross::kNumbers, a, b, name};
  if (first) return {Encoder::Cross::kNumberCategory, a, b, name};
  if (second) return {Encoder::Cross::kNumberCategory, b, a, name};
  if (a == b) throw options_error({"cross"}, fmt::format("{{}} {}: a category with itself is that category", name));
  return {Encoder::Cross::kCategories, a, b, name};
}

}  // namespace

std::vector<PlannedCross> plan_crosses(const TableSpec& spec, const std::vector<PlannedColumn>& columns) {
  std::vector<PlannedCross> crosses;
  for (const std::string& name : spec.cross) {
    std::optional<PlannedCross> cross;
    for (std::size_t at = name.find('*'); at != std::string::npos && !cross; at = name.find('*', at + 1)) {
      const std::string_view whole = name;
      const auto a = find_column(columns, whole.substr(0, at)), b = find_column(columns, whole.substr(at + 1));
      if (a && b) cross = cross_of(name, columns, *a, *b);
    }
    if (!cross) {
      throw options_error({"cross"}, fmt::format("{{}} {}: say the names of two columns with features, as a*b", name));
    }
    crosses.push_back(*cross);
  }
  return crosses;
}

}  // namespace linsep
