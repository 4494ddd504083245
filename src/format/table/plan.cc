#include "format/table/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/deadline.h"
#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "format/csv/misfits.h"
#include "linsep/error.h"
#include "table/kinds.h"

namespace linsep {
namespace {

using Kind = ColumnKind;

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

/// Whether a column only counts rows. It may be 0, 1, 2 … or 1, 2, 3 … in a hundred rows or more. Or it may be the
/// first column, without a name, with ascending whole numbers, the form of an index in pandas.
bool counts_rows(const Sample& sample, const csv::Columns& columns, std::size_t column) {
  constexpr std::size_t kFewest = 100;
  const std::vector<std::string_view>& below = sample.columns[column];
  const std::size_t first = columns.header ? 0 : 1, rows = below.size() + first;
  const std::string_view name = columns.header ? csv::trimmed(sample.first[column]) : "1";
  const bool index = column == 0 && (name.empty() || name == "Unnamed: 0" || name == "__index_level_0__");
  if (columns.features < 2 || rows == 0 || (!index && rows < kFewest)) return false;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string_view field = i < first ? sample.first[column] : below[i - first];
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || stop != field.data() + field.size()) return false;
    if (i > 0 && (index ? number <= before : number != before + 1)) return false;
    if (i == 0 && !index && number != 0 && number != 1) return false;
    before = number;
  }
  return true;
}

/// Whether options leave numbers as they are.
bool takes_numbers_as_they_are(const TableSpec& spec) {
  return (spec.scale == Scale::kNone || spec.scale == Scale::kAuto) && spec.number.empty() && spec.category.empty() &&
         spec.text.empty() && spec.date.empty() && spec.cross.empty() && !spec.only && spec.missing_words.empty() &&
         spec.decimal != ',' && spec.missing != TableSpec::Missing::kMean;
}

/// The columns as they are if features are numbers, provided that all features of the sample are.
std::optional<csv::Columns> plain_columns(const Sample& sample, const ReadOptions& options, const TableSpec& spec) {
  csv::Columns columns;
  if (sample.first.empty()) return columns;  // reading reports that there are no rows
  if (!takes_numbers_as_they_are(spec)) return std::nullopt;
  try {
    columns = csv::find_columns(strings(sample.first), options);
  } catch (const Error&) {
    return std::nullopt;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns.role[c] != csv::Role::kFeature) continue;
    if (counts_rows(sample, columns, c)) return std::nullopt;
    const PlannedColumn* typed = sample.typed.empty() || !sample.typed[c] ? nullptr : &*sample.typed[c];
    if (typed != nullptr && (typed->kind != Kind::kNumber || !typed->number_format.empty())) return std::nullopt;
    std::vector<std::string_view> fields = sample.columns[c];
    if (!columns.header) fields.push_back(sample.first[c]);
    if (!std::ranges::all_of(fields, csv::is_number)) return std::nullopt;
    if (!fields.empty() && find_kind(fields, {}, {csv::is_number}).what != FoundKind::What::kNumber)
      return std::nullopt;
  }
  if (columns.features == 0 || !columns.header || !options.labelled) return columns;
  // The label is the last column there. If its name contradicts that, the table isn't taken as plain numbers.
  std::vector<std::size_t> place;
  const csv::Columns table = csv::find_free_columns(strings(sample.first), options, true, {}, place);
  if (table.role != columns.role) return std::nullopt;
  return columns;
}

/// Whether a column becomes a feature, and how, or why not.
struct Decision {
  std::optional<PlannedColumn> planned;
  ColumnAccount account;
  FoundKind found;
};

/// Applies the sample's findings about a column. If options name it, only how its numbers or dates are written.
void take_found(const FoundKind& found, bool named, PlannedColumn& column) {
  const Kind kind = found.what == FoundKind::What::kCategory ? Kind::kCategory
                    : found.what == FoundKind::What::kText   ? Kind::kText
                    : found.what == FoundKind::What::kDate   ? Kind::kDate
                                                             : Kind::kNumber;
  if (!named) column.kind = kind;
  if (column.kind != kind) return;
  if (kind == Kind::kDate && column.format == "iso") column.format = found.format;
  if (kind == Kind::kNumber) column.number_format = found.format;
}

Decision decide(const Named* named, const PlannedColumn* typed, std::span<const std::string_view> fields,
                const TableSpec& spec, const NumberRules& rules) {
  Decision decision;
  PlannedColumn column;
  column.asked = named != nullptr;
  if (named != nullptr) {
    column.kind = named->kind;
    column.format = named->format;
    if (typed != nullptr && typed->kind == named->kind) column.number_format = typed->number_format;
  } else if (spec.only) {
    decision.account = {"", "left out", "not asked for", ""};
    return decision;
  }
  if (typed != nullptr && named == nullptr) {
    column = *typed;
  } else if (typed == nullptr && (named == nullptr || column.kind == Kind::kNumber || column.kind == Kind::kDate)) {
    decision.found = find_kind(fields, spec.missing_words, rules);
    take_found(decision.found, named != nullptr, column);
  }
  if (named == nullptr && typed == nullptr) {
    decision.account.reason = decision.found.reason;
    if (decision.found.what == FoundKind::What::kId) {
      decision.account.purpose = "left out";
      return decision;
    }
  }
  const NumberStyle style = csv::style_of_column({"", column.kind, column.number_format, 0}, rules.decimal);
  for (const std::string_view field : fields) {
    if (column.kind != Kind::kNumber || is_hole(csv::trimmed(field), spec.missing_words)) continue;
    if (csv::read_decimal(csv::trimmed(field), style, column.centre).fault == NumberFault::kNone) break;
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

/// The place of a field of the sample. For a file that is its line and column, else only its row.
Place place_of(const Sample& sample, std::string_view field) {
  const char* begin = sample.text.data();
  if (field.data() < begin || field.data() > begin + sample.text.size()) return {sample.name, 0, 0};
  const TextError error = csv::error_at(sample.text, field.data(), "");
  return {sample.name, error.line + 1, error.column};
}

/// Refuses a number or date that can be read in two ways.
[[noreturn]] void refuse_doubt(const Sample& sample, const csv::Columns& columns, std::size_t column,
                               const FoundKind& found) {
  const FoundKind::Doubt& doubt = *found.doubt;
  const std::string field = csv::without_braces(csv::shown_field(doubt.field));
  if (found.what == FoundKind::What::kNumber) {
    throw Error(Error::Kind::kInput, place_of(sample, doubt.field), {"decimal", "decimal"},
                fmt::format("{} may be {} or {}: use {{}} , for a decimal comma, or {{}} . for thousands", field,
                            doubt.first, doubt.second));
  }
  const std::string name = csv::without_braces(columns.argument(column));
  throw Error(Error::Kind::kInput, place_of(sample, doubt.field), {"date", "date", "category"},
              fmt::format("{} may be of the form {} or {}: use {{}} {}:{}, {{}} {}:{} or {{}} {}", field, doubt.first,
                          doubt.second, name, doubt.first, name, doubt.second, name));
}

/// A column with fields that aren't like nearly all others.
struct OddColumn {
  std::size_t column = 0;
  AskedColumn asked;
  FoundKind found;
};

/// Throws one Error about all of them, at the first odd field of the first.
[[noreturn]] void refuse_odd(const Sample& sample, const TablePlan& plan, std::span<const OddColumn> odd) {
  Place place;
  std::string message;
  std::vector<std::string> options;
  for (const OddColumn& one : odd.first(std::min(odd.size(), csv::kMostMisfits))) {
    csv::OddFields fields{one.column, one.asked, one.found.values - one.found.odd.size(), one.found.values, {}, {}};
    const std::size_t header = plan.columns.header ? 0 : 1;
    for (const std::size_t at : one.found.odd) {
      fields.texts.push_back(at < header ? sample.first[one.column] : sample.columns[one.column][at - header]);
      const Place here = place_of(sample, fields.texts.back());
      fields.places.push_back(here.line > 0 ? fmt::format("line {}", here.line) : fmt::format("row {}", at + 1));
      if (message.empty() && fields.texts.size() == 1) {
        place = here;
        if (here.line == 0) message = fields.places[0] + ": ";
      }
    }
    const csv::Misfit said = csv::misfit_in_sample(plan.columns, *plan.table, fields);
    message += (&one == odd.data() ? "" : "; also ") + said.message;
    options.insert(options.end(), said.options.begin(), said.options.end());
  }
  message += csv::more_misfits(odd.size());
  throw Error(Error::Kind::kInput, place, std::move(options), message);
}

/// Decides on each column that could be a feature.
void decide_all(const Sample& sample, const std::vector<Named>& named, const std::vector<std::size_t>& place,
                const TableSpec& spec, const NumberRules& rules, TablePlan& plan) {
  csv::TableColumns& table = *plan.table;
  std::vector<const Named*> by_option(plan.columns.size());
  for (std::size_t k = 0; k < named.size(); ++k) by_option[place[k]] = &named[k];
  std::vector<OddColumn> odd;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    if (plan.columns.role[c] != csv::Role::kFeature) continue;
    poll_now();
    std::vector<std::string_view> fields;
    if (!plan.columns.header) fields.push_back(sample.first[c]);
    fields.insert(fields.end(), sample.columns[c].begin(), sample.columns[c].end());
    const PlannedColumn* typed = sample.typed.empty() || !sample.typed[c] ? nullptr : &*sample.typed[c];
    Decision decision;
    if (by_option[c] == nullptr && !spec.only && counts_rows(sample, plan.columns, c)) {
      decision.account = {"", "left out", "row numbers; --number keeps them", ""};
    } else {
      decision = decide(by_option[c], typed, fields, spec, rules);
    }
    decision.account.name = column_name(plan.columns, c);
    if (decision.planned) {
      PlannedColumn& column = *decision.planned;
      column.name = decision.account.name;
      const std::string format = column.kind == Kind::kDate ? column.format : column.number_format;
      table.asked.push_back({column.name, column.kind, format, column.size});
      table.found.push_back(by_option[c] == nullptr);
      table.empty.push_back(by_option[c] == nullptr && decision.found.what == FoundKind::What::kNothing);
      if (by_option[c] == nullptr && decision.found.doubt) refuse_doubt(sample, plan.columns, c, decision.found);
      if (by_option[c] == nullptr && !decision.found.odd.empty())
        odd.push_back({c, table.asked.back(), decision.found});
      plan.planned.push_back(std::move(column));
      plan.place.push_back(c);
      plan.typed.push_back(typed != nullptr);
    }
    plan.account.columns[c] = std::move(decision.account);
  }
  if (!odd.empty()) refuse_odd(sample, plan, odd);
}

/// How numbers are read. The file has a decimal comma only if the comma isn't the delimiter, some field shows it, and
/// none shows a point. With Arrow, as in CSV with commas, at most a column has one.
NumberRules number_rules(const Sample& sample, const TableSpec& spec) {
  NumberRules rules{csv::is_number, spec.decimal, true, true};
  if (spec.decimal != 0) return rules;
  rules = {csv::is_number, '.', false, false};
  bool comma = false;
  for (const auto& column : sample.columns) {
    for (const std::string_view field : column) {
      const char shown = shown_decimal(csv::trimmed(field));
      if (shown == '.') {
        rules.certain = true;
        return rules;
      }
      comma = comma || shown == ',';
    }
  }
  if (!comma || sample.syntax.delimiter == ',' || sample.syntax.delimiter == 0) return rules;
  rules.decimal = ',';
  rules.certain = true;
  return rules;
}

/// Describes the new names of columns whose name the header has more than once.
void describe_renamed(const Sample& sample, TablePlan& plan) {
  for (std::size_t c = 0; c < plan.columns.names.size() && !plan.columns.repeated.empty(); ++c) {
    const std::string_view name = csv::trimmed(sample.first[c]);
    if (name.empty() || name == plan.columns.names[c]) continue;
    std::string& reason = plan.account.columns[c].reason;
    reason += fmt::format("{}renamed: the header has '{}' more than once", reason.empty() ? "" : "; ", name);
  }
}

}  // namespace

TablePlan plan_table(const Sample& sample, const ReadOptions& options, const TableSpec& spec) {
  TablePlan plan;
  if (auto plain = plain_columns(sample, options, spec)) {
    plan.numbers_only = true;
    plan.columns = *std::move(plain);
    describe(sample, plan);
    describe_renamed(sample, plan);
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
  const NumberRules rules = number_rules(sample, spec);
  table.decimal = rules.decimal;
  table.header = header;
  plan.whole = sample.whole;
  table.fitting = true;
  table.looked_at = plan.account.looked_at;
  table.refuse_holes = spec.missing == TableSpec::Missing::kRefuse;
  plan.account.decimal = table.decimal;
  decide_all(sample, named, place, spec, rules, plan);
  describe_renamed(sample, plan);
  return plan;
}

}  // namespace linsep
