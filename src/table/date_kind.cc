// Dates become days as a number, and weekday, month and hour, each with a feature for every value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include "table/date.h"
#include "table/fitting.h"
#include "table/kind.h"

namespace linsep {
namespace {

using Part = DateEncoder::Part;

constexpr std::uint32_t kNone = KeyTable::kNone;
constexpr std::array<std::pair<Part, std::string_view>, 4> kPartNames{
    {{Part::kDays, "days"}, {Part::kWeekday, "weekday"}, {Part::kMonth, "month"}, {Part::kHour, "hour"}}};

std::string day_text(double days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<std::int64_t>(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// The text for the account.
std::string detail_of(const DateEncoder& date, const NumberFacts& facts, std::int64_t missing) {
  if (facts.count == 0) return "no value in any row";
  const bool hours = std::find(date.parts.begin(), date.parts.end(), Part::kHour) != date.parts.end();
  return fmt::format("{} … {}{}{}; days, weekday, month{}{}", day_text(facts.least), day_text(facts.greatest),
                     date.format == "iso" ? "" : "; written as " + date.format, missing_detail(missing),
                     hours ? ", hour" : "", indicator_detail(date.missing, missing));
}

}  // namespace

std::uint32_t part_features(Part part) {
  switch (part) {
    case Part::kDays:
      return 1;
    case Part::kWeekday:
      return 7;
    case Part::kMonth:
      return 12;
    case Part::kHour:
      return 24;
  }
  return 0;
}

std::string_view part_name(Part part) { return name_in(kPartNames, part); }

std::uint64_t kind_features(const TableMap& /*map*/, const DateEncoder& date) {
  std::uint64_t features = date.missing ? 1 : 0;
  for (const Part part : date.parts) features += part_features(part);
  return features;
}

/// Days of the week count from 1 for Monday, as in ISO 8601. Months count from 1 and hours from 0.
std::string kind_name(const TableMap& /*map*/, const std::string& column, const DateEncoder& date,
                      std::uint32_t place) {
  for (const Part part : date.parts) {
    if (place >= part_features(part)) {
      place -= part_features(part);
      continue;
    }
    if (part == Part::kDays) return column + ":days";
    return fmt::format("{}:{}={}", column, part_name(part), part == Part::kHour ? place : place + 1);
  }
  return column + " is missing";
}

std::string kind_problem(const TableMap& map, const std::string& /*column*/, const DateEncoder& date) {
  if (std::string problem = problem_of_date_format(date.format); !problem.empty()) return problem;
  if (date.parts.empty()) return "it has no parts";
  if (std::set(date.parts.begin(), date.parts.end()).size() != date.parts.size()) return "a part is listed twice";
  return scaling_problem(map, date);
}

std::vector<AskedColumn> asked_of(const std::string& column, const DateEncoder& date) {
  return {{column, ColumnKind::kDate, date.format, 0}};
}

void write_kind(EncoderWriter& to, const DateEncoder& date) {
  append_json_word(to.fields["format"], date.format);
  append_json_list(to.fields["parts"], date.parts, [&](Part part) { append_json_word(to.out, part_name(part)); });
  write_scaling(to, date, date.missing);
}

void read_kind(EncoderReader& from, DateEncoder& date) {
  date.format = json_word(from.object, "format");
  const std::string path = from.object.path("parts");
  for_each_json_item(from.object.field("parts"), path, "a list of strings",
                     [&](const nlohmann::json& part) { date.parts.push_back(json_choice(part, path, kPartNames)); });
  read_scaling(from, date, date.missing);
}

void take_fields(const PreparedEncoder& prepared, const DateEncoder& date, const TableBatch& batch,
                 EncodedFields& fields) {
  const TableColumn& column = batch.columns[prepared.column];
  const auto rows = static_cast<std::size_t>(batch.rows);
  fields.number.resize(rows);
  fields.place.resize(rows);
  fields.missing.assign(date.missing ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      fields.number[row] = date.encoded(date.fill);
      fields.place[row] = kNone;
      ++fields.holes;
      if (date.missing) fields.missing[row] = 1;
      continue;
    }
    const DateParts parts = parts_of(column.seconds[row]);
    fields.number[row] = date.encoded(parts.days);
    fields.place[row] = static_cast<std::uint32_t>(parts.month * 256 + parts.weekday * 32 + parts.hour);
  }
}

void emit_row(const PreparedEncoder& prepared, const DateEncoder& date, const EncodedRow& to) {
  const std::uint32_t parts = to.mine().place[to.row];
  std::uint32_t at = prepared.start;
  for (const Part part : date.parts) {
    if (part == Part::kDays) {
      to.emit(at, to.mine().number[to.row]);
    } else if (parts != kNone) {
      to.emit(at + (part == Part::kWeekday ? parts / 32 % 8 : part == Part::kMonth ? parts / 256 : parts % 32), 1);
    }
    at += part_features(part);
  }
  if (date.missing) to.emit(at, to.mine().missing[to.row]);
}

void count_dates(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts) {
  constexpr std::int64_t kDay = 86400;
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      ++counts.missing;
      continue;
    }
    const std::int64_t rest = column.seconds[row] % kDay;
    const auto time = static_cast<double>(rest < 0 ? rest + kDay : rest);
    counts.earliest = std::min(counts.earliest, time);
    counts.latest = std::max(counts.latest, time);
    count_number(counts, sums, parts_of(column.seconds[row]).days, centre);
  }
}

FittedColumn fit_date(Fitting& fitting, std::size_t k) {
  const PlannedColumn& plan = fitting.plans[k];
  const ColumnCounts& column = fitting.counts.columns[k];
  const NumberFacts facts = number_facts(fitting.counts, column, plan.centre);
  DateEncoder date{fitted_scaling(fitting.spec, facts),
                   plan.format,
                   {Part::kDays, Part::kWeekday, Part::kMonth},
                   fitting.has_indicator(k)};
  if (column.earliest < column.latest) date.parts.push_back(Part::kHour);
  if (!fitting.spec.as_written) {
    date.shift = facts.mean;
    if (fitting.spec.scale == Scale::kMaxAbs) {
      date.factor = factor_of(std::max(facts.greatest - facts.mean, facts.mean - facts.least));
    } else if (facts.deviation == 0) {
      date.factor = 1;
    }
  }
  fitting.add(plan.name, date);
  return {"", detail_of(date, facts, column.missing)};
}

}  // namespace linsep
