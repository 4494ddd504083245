// Crosses: products of the features of two columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/words.h"
#include "linsep/error.h"
#include "table/fitting.h"
#include "table/kind.h"
#include "table/terms.h"

namespace linsep {
namespace {

using Of = CrossEncoder::Of;

constexpr std::uint32_t kNone = KeyTable::kNone;
constexpr char kBetween = '\x1f';  // between the two values
constexpr std::array<std::pair<Of, std::string_view>, 3> kCrossNames{
    {{Of::kCategories, "categories"}, {Of::kNumberCategory, "number*category"}, {Of::kNumbers, "numbers"}}};

/// The category encoder whose features the cross multiplies by a number.
const Encoder* second_category(const TableMap& map, const CrossEncoder& cross) {
  const auto found = std::ranges::find_if(
      map.encoders, [&](const Encoder& other) { return other.is<CategoryEncoder>() && other.column == cross.second; });
  return found == map.encoders.end() ? nullptr : &*found;
}

std::optional<std::size_t> find_column(const std::vector<PlannedColumn>& columns, std::string_view name) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == name) return k;
  }
  return {};
}

const char* kind_word(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kText:
      return "a text";
    case ColumnKind::kDate:
      return "a date";
    case ColumnKind::kVector:
      return "a vector";
    case ColumnKind::kNumber:
    case ColumnKind::kCategory:
      break;
  }
  return "a number or category";
}

PlannedCross cross_of(const std::string& name, const std::vector<PlannedColumn>& columns, std::size_t a,
                      std::size_t b) {
  for (const std::size_t k : {a, b}) {
    if (columns[k].kind == ColumnKind::kNumber || columns[k].kind == ColumnKind::kCategory) continue;
    throw options_error({"cross"}, fmt::format("{{}} {}: column '{}' is {}; only numbers and categories can be crossed",
                                               name, columns[k].name, kind_word(columns[k].kind)));
  }
  const bool first = columns[a].kind == ColumnKind::kNumber, second = columns[b].kind == ColumnKind::kNumber;
  if (first && second) return {Of::kNumbers, a, b, name};
  if (first) return {Of::kNumberCategory, a, b, name};
  if (second) return {Of::kNumberCategory, b, a, name};
  if (a == b)
    throw options_error({"cross"}, fmt::format("{{}} {}: crossing a category with itself changes nothing", name));
  return {Of::kCategories, a, b, name};
}

/// "1,234", "2·10⁹"
std::string about(double number) {
  if (number < 1e6) return with_commas(static_cast<std::uint64_t>(number));
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  int power = 0;
  for (; number >= 9.5; ++power) number /= 10;
  std::string text = fmt::format("{:.0f}·10", number);
  if (power >= 10) text += kDigits[static_cast<std::size_t>(power / 10 % 10)];
  return text + kDigits[static_cast<std::size_t>(power % 10)];
}

}  // namespace

std::uint64_t kind_features(const TableMap& map, const CrossEncoder& cross) {
  if (cross.of == Of::kNumbers) return 1;
  if (cross.of == Of::kCategories) return term_features(cross, cross.rare);
  const Encoder* category = second_category(map, cross);
  return category == nullptr ? 0 : kind_features(map, *category->get<CategoryEncoder>());
}

std::string kind_name(const TableMap& map, const std::string& column, const CrossEncoder& cross, std::uint32_t place) {
  if (cross.of == Of::kNumbers) return column + "*" + cross.second;
  if (cross.of == Of::kNumberCategory) {
    const Encoder* category = second_category(map, cross);
    if (category == nullptr) return fmt::format("{}*{}=#{}", column, cross.second, place);
    return column + "*" + kind_name(map, category->column, *category->get<CategoryEncoder>(), place);
  }
  const auto term = term_at(cross, place);
  const std::size_t at = term ? term->find(kBetween) : std::string_view::npos;
  if (at == std::string_view::npos) return fmt::format("{}*{}={}", column, cross.second, term_text(cross, place));
  return fmt::format("{}={}*{}={}", column, term->substr(0, at), cross.second, term->substr(at + 1));
}

std::string kind_problem(const TableMap& map, const std::string& column, const CrossEncoder& cross) {
  const auto is = [&](const std::string& name, bool number) {
    return std::ranges::any_of(map.encoders, [&](const Encoder& other) {
      return other.column == name && (number ? other.is<NumberEncoder>() : other.is<CategoryEncoder>());
    });
  };
  for (const auto& [name, number] :
       {std::pair(column, cross.of != Of::kCategories), std::pair(cross.second, cross.of == Of::kNumbers)}) {
    if (!is(name, number)) return fmt::format("there is no column '{}' to cross", name);
  }
  if (cross.of != Of::kCategories) return static_cast<const ValueSet&>(cross) == ValueSet() ? "" : "it has values";
  return values_problem(cross, [&](std::size_t i, std::vector<std::uint64_t>& keys) -> std::string {
    const auto signs = std::ranges::count(cross.terms[i], kBetween);
    if (signs == 0) return fmt::format("its value {} isn't a pair", i + 1);
    if (signs == 1) keys.push_back(pair_term_key(cross.terms[i]));  // with several, the first value's end isn't known
    return "";
  });
}

std::vector<AskedColumn> asked_of(const std::string& column, const CrossEncoder& cross) {
  return {{column, cross.of == Of::kCategories ? ColumnKind::kCategory : ColumnKind::kNumber, "", 0},
          {cross.second, cross.of == Of::kNumbers ? ColumnKind::kNumber : ColumnKind::kCategory, "", 0}};
}

void write_kind(EncoderWriter& to, const CrossEncoder& cross) {
  append_json_word(to.fields["second"], cross.second);
  append_json_word(to.fields["cross"], name_in(kCrossNames, cross.of));
  if (cross.of == Of::kCategories) write_values(to, cross);
}

void read_kind(EncoderReader& from, CrossEncoder& cross) {
  cross.second = json_word(from.object, "second");
  cross.of = json_choice(from.object, "cross", kCrossNames);
  if (cross.of == Of::kCategories) read_values(from, cross);
}

void take_fields(const PreparedEncoder& prepared, const CrossEncoder& cross, const TableBatch& batch,
                 EncodedFields& fields) {
  if (cross.of != Of::kCategories) return;
  const TableColumn& a = batch.columns[prepared.column];
  const TableColumn& b = batch.columns[prepared.second];
  const auto rows = static_cast<std::size_t>(batch.rows);
  fields.place.resize(rows);
  fields.negative.assign(cross.has_signs ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(a, row) || is_missing(b, row)) {
      fields.place[row] = kNone;
      ++fields.holes;
    } else {
      take_key(prepared, pair_key(value_key(a.text[row]), value_key(b.text[row])), row, fields);
    }
  }
}

void emit_row(const PreparedEncoder& prepared, const CrossEncoder& cross, const EncodedRow& to) {
  const std::size_t row = to.row;
  if (cross.of == Of::kCategories) {
    const EncodedFields& mine = to.mine();
    if (mine.place[row] != kNone) to.emit(prepared.start + mine.place[row], mine.sign(row));
    return;
  }
  const EncodedFields& a = to.all[prepared.first_of];
  const EncodedFields& b = to.all[prepared.second_of];
  if (cross.of == Of::kNumbers) {
    to.emit(prepared.start, a.number[row] * b.number[row]);
  } else if (b.place[row] != kNone) {
    to.emit(prepared.start + b.place[row], a.number[row] * b.sign(row));
  }
}

/// Names of columns may contain a * themselves, so every split is tried.
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
      throw options_error({"cross"}, fmt::format("{{}} {}: name two feature columns, such as a*b", name));
    }
    crosses.push_back(*cross);
  }
  return crosses;
}

void count_pairs(const TableBatch& batch, const PlannedCross& cross, std::uint64_t place,
                 const std::vector<ColumnCounts>& counts, Vocabulary& pairs) {
  const TableColumn& a = batch.columns[cross.first];
  const TableColumn& b = batch.columns[cross.second];
  pairs.begin_batch(place);
  std::string term;
  for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
    if (is_missing(a, row) || is_missing(b, row)) continue;
    pairs.take_one(pair_key(counts[cross.first].keys[row], counts[cross.second].keys[row]), [&]() -> std::string_view {
      term.assign(a.text[row]).append(1, kBetween).append(b.text[row]);
      return term;
    });
  }
}

FittedCross fit_cross(Fitting& fitting, std::size_t k) {
  const PlannedCross& plan = fitting.counts.crosses[k];
  const std::string& first = fitting.plans[plan.first].name;
  CrossEncoder cross;
  cross.second = fitting.plans[plan.second].name;
  cross.of = plan.of;
  std::string detail =
      plan.of == Of::kNumbers ? "the product" : fmt::format("{} for each value of {}", first, cross.second);
  if (plan.of == Of::kCategories) {
    CountedTerms counted = fitting.terms_of(fitting.counts.pairs[k]);
    if (counted.bits > 0 && fitting.spec.bits == 0) {
      throw options_error({"cross", "bits"},
                          fmt::format("{{}} {} would have up to {} values; add {{}}", plan.name,
                                      about(fitting.values[plan.first] * fitting.values[plan.second])));
    }
    take_values(fitting.spec, counted, true, cross);
    detail = values_detail(fitting.spec, cross, counted.distinct);
  }
  fitting.add(first, std::move(cross));
  return {plan.name, detail};
}

}  // namespace linsep
