#include "format/table/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "format/csv/header.h"
#include "format/csv/misfits.h"
#include "linsep/error.h"
#include "table/kinds.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

bool is_number(std::string_view field, char decimal) {
  double value = 0;
  return csv::read_decimal(csv::trimmed(field), decimal, value).fault == NumberFault::kNone;
}

/// A column that options name, with the kind they give it.
struct Named {
  csv::NamedColumn column;
  Kind kind = Kind::kNumber;
  std::string format = "iso";
};

std::vector<Named> named_columns(const TableSpec& spec) {
  std::vector<Named> named;
  for (const std::string& name : spec.number) named.push_back({{name, "number"}, Kind::kNumber});
  for (const std::string& name : spec.category) named.push_back({{name, "category"}, Kind::kCategory});
  for (const std::string& name : spec.text) named.push_back({{name, "text"}, Kind::kText});
  for (const TableSpec::Date& date : spec.date) named.push_back({{date.column, "date"}, Kind::kDate, date.format});
  return named;
}

std::vector<std::string> strings(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

FoundKind kind_of(std::span<const std::string_view> fields, const TableSpec& spec, char decimal) {
  return find_kind(fields, spec.missing_words, [decimal](std::string_view field) { return is_number(field, decimal); });
}

/// Whether options leave numbers as they are.
bool takes_numbers_as_they_are(const TableSpec& spec) {
  return (spec.scale == Scale::kNone || spec.scale == Scale::kAuto) && spec.number.empty() && spec.category.empty() &&
         spec.text.empty() && spec.date.empty() && spec.cross.empty() && !spec.only && spec.missing_words.empty() &&
         spec.decimal != ',' && spec.missing != TableSpec::Missing::kMean;
}

/// The columns as they are where features are numbers, if all features of the sample are.
std::optional<csv::Columns> plain_columns(const Sample& sample, const ReadOptions& options, const TableSpec& spec) {
  csv::Columns columns;
  if (sample.first.empty()) return columns;  // reading tells that there are no rows
  if (!takes_numbers_as_they_are(spec)) return std::nullopt;
  try {
    columns = csv::find_columns(strings(sample.first), options);
  } catch (const Error&) {
    return std::nullopt;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns.role[c] != csv::Role::kFeature) continue;
    if (!sample.typed.empty() && sample.typed[c] && sample.typed[c]->kind != Kind::kNumber) return std::nullopt;
    std::vector<std::string_view> fields = sample.columns[c];
    if (!columns.header) fields.push_back(sample.first[c]);
    if (!std::ranges::all_of(fields, [](std::string_view field) { return is_number(field, '.'); })) return std::nullopt;
    if (!fields.empty() && kind_of(fields, spec, '.').what != FoundKind::What::kNumber) return std::nullopt;
  }
  if (columns.features == 0 || !columns.header || !options.labelled) return columns;
  // The label is the last column there; where its name says otherwise, the table isn't taken as plain numbers.
  std::vector<std::size_t> place;
  const csv::Columns table = csv::find_free_columns(strings(sample.first), options, true, {}, place);
  if (table.role != columns.role) return std::nullopt;
  return columns;
}

/// How one column becomes a feature, or why it doesn't.
struct Decision {
  std::optional<PlannedColumn> planned;
  ColumnAccount account;
  bool empty = false;
};

Decision decide(const Named* named, const PlannedColumn* typed, std::span<const std::string_view> fields,
                const TableSpec& spec, char decimal) {
  Decision decision;
  PlannedColumn column;
  column.asked = named != nullptr;
  if (named != nullptr) {
    column.kind = named->kind;
    column.format = named->format;
  } else if (spec.only) {
    decision.account = {"", "left out", "not asked for", ""};
    return decision;
  } else if (typed != nullptr) {
    column = *typed;
  } else {
    const FoundKind found = kind_of(fields, spec, decimal);
    decision.account.reason = found.reason;
    decision.empty = found.what == FoundKind::What::kNothing;
    if (found.what == FoundKind::What::kId) {
      decision.account.purpose = "left out";
      return decision;
    }
    column.kind = found.what == FoundKind::What::kCategory ? Kind::kCategory
                  : found.what == FoundKind::What::kText   ? Kind::kText
                  : found.what == FoundKind::What::kDate   ? Kind::kDate
                                                           : Kind::kNumber;
  }
  for (const std::string_view field : fields) {
    if (column.kind != Kind::kNumber || is_hole(csv::trimmed(field), spec.missing_words)) continue;
    if (csv::read_decimal(csv::trimmed(field), decimal, column.centre).fault == NumberFault::kNone) break;
    column.centre = 0;
  }
  constexpr const char* kPurposes[] = {"number", "category", "text", "date", "vector"};
  decision.account.purpose = kPurposes[static_cast<std::size_t>(column.kind)];
  if (column.kind == Kind::kDate) decision.account.format = column.format;
  decision.planned = std::move(column);
  return decision;
}

std::string column_name(const csv::Columns& columns, std::size_t column) {
  return columns.header ? columns.names[column] : std::to_string(column + 1);
}

ColumnAccount purpose_account(const csv::Columns& columns, std::size_t column) {
  switch (columns.role[column]) {
    case csv::Role::kLabel:
      return {"", "label", columns.label_reason, ""};
    case csv::Role::kId:
      return {"", "id", "", ""};
    case csv::Role::kWeight:
      return {"", "weight", "", ""};
    case csv::Role::kFeature:
      return {"", "number", "", "taken as it is"};
    case csv::Role::kIgnored:
      break;
  }
  return {"", "left out", "as asked", ""};
}

void describe(const Sample& sample, TablePlan& plan) {
  TableAccount& account = plan.account;
  account.file = sample.name;
  account.header = plan.columns.header;
  account.delimiter = sample.syntax.delimiter;
  account.looked_at = sample.rows_below() + (plan.columns.header || sample.first.empty() ? 0 : 1);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    account.columns.push_back(purpose_account(plan.columns, c));
    account.columns.back().name = column_name(plan.columns, c);
  }
}

/// Columns are known by name, so no two features may share one.
void require_one(const Sample& sample, const csv::Columns& columns, std::size_t column) {
  if (!columns.header || std::ranges::count(columns.names, columns.names[column]) == 1) return;
  throw Error(Error::Kind::kInput, Place{sample.name, 1, 0}, {"ignore"},
              fmt::format("more than one column is called '{}'; rename them, or leave this one out with {{}} {}",
                          columns.names[column], column + 1));
}

/// Decides on each column that could be a feature.
void decide_all(const Sample& sample, const std::vector<Named>& named, const std::vector<std::size_t>& place,
                const TableSpec& spec, TablePlan& plan) {
  csv::TableColumns& table = *plan.table;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    if (plan.columns.role[c] != csv::Role::kFeature) continue;
    std::vector<std::string_view> fields;
    if (!plan.columns.header) fields.push_back(sample.first[c]);
    fields.insert(fields.end(), sample.columns[c].begin(), sample.columns[c].end());
    const auto asked = std::ranges::find(place, c);
    const Named* by_option = asked == place.end() ? nullptr : &named[static_cast<std::size_t>(asked - place.begin())];
    const PlannedColumn* typed = sample.typed.empty() || !sample.typed[c] ? nullptr : &*sample.typed[c];
    Decision decision = decide(by_option, typed, fields, spec, table.decimal);
    decision.account.name = column_name(plan.columns, c);
    if (decision.planned) {
      require_one(sample, plan.columns, c);
      PlannedColumn& column = *decision.planned;
      column.name = decision.account.name;
      table.asked.push_back({column.name, column.kind, column.kind == Kind::kDate ? column.format : "", column.size});
      table.found.push_back(by_option == nullptr);
      table.empty.push_back(decision.empty);
      plan.planned.push_back(std::move(column));
      plan.place.push_back(c);
    }
    plan.account.columns[c] = std::move(decision.account);
  }
}

}  // namespace

char find_decimal(const Sample& sample) {
  if (sample.syntax.delimiter == ',') return '.';
  std::string_view doubtful;
  bool comma = false;
  for (const auto& column : sample.columns) {
    for (std::string_view field : column) {
      field = csv::trimmed(field);
      if (field.find('.') != std::string_view::npos && is_number(field, '.')) return '.';
      const std::size_t at = field.find(',');
      if (at == std::string_view::npos || !is_number(field, ',')) continue;
      const std::size_t digits = at - (field.find_first_of("0123456789") < at ? field.find_first_of("0123456789") : at);
      const bool thousands = field.size() - at - 1 == 3 && digits >= 1 && digits <= 3 && field[at - digits] != '0' &&
                             field.find_first_of("eE") == std::string_view::npos;
      if (thousands) {
        doubtful = field;
      } else {
        comma = true;
      }
    }
  }
  if (comma || doubtful.empty()) return comma ? ',' : '.';
  const std::string whole = csv::with_point(doubtful, ',');
  std::string joined(doubtful);
  std::erase(joined, ',');
  throw Error(
      Error::Kind::kInput, Place{sample.name, 0, 0}, {"decimal", "decimal"},
      fmt::format("'{}' may be {} or {}: say {{}} , for a decimal comma, or {{}} . and take the thousands signs "
                  "out",
                  doubtful, whole, joined));
}

TablePlan plan_table(const Sample& sample, const ReadOptions& options, const TableSpec& spec) {
  TablePlan plan;
  if (auto plain = plain_columns(sample, options, spec)) {
    plan.numbers_only = true;
    plan.columns = *std::move(plain);
    describe(sample, plan);
    plan.account.features = plan.columns.features;
    return plan;
  }
  const std::vector<Named> named = named_columns(spec);
  std::vector<csv::NamedColumn> by_option;
  std::vector<std::string> texts;
  for (const Named& one : named) {
    by_option.push_back(one.column);
    texts.push_back(one.column.text);
  }
  const bool header = csv::has_table_header(sample.first, sample.columns, options, texts);
  std::vector<std::size_t> place;
  plan.columns = csv::find_free_columns(strings(sample.first), options, header, by_option, place);
  describe(sample, plan);
  plan.table = std::make_shared<csv::TableColumns>();
  csv::TableColumns& table = *plan.table;
  table.missing_words = spec.missing_words;
  table.decimal = spec.decimal != 0 ? spec.decimal : find_decimal(sample);
  table.header = header;
  table.fitting = true;
  table.looked_at = plan.account.looked_at;
  table.refuse_holes = spec.missing == TableSpec::Missing::kRefuse;
  plan.account.decimal = table.decimal;
  decide_all(sample, named, place, spec, plan);
  return plan;
}

}  // namespace linsep
