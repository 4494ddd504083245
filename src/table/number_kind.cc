// Numbers are scaled. A missing one has its own feature.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/words.h"
#include "table/fitting.h"
#include "table/kind.h"
#include "table/number_style.h"

namespace linsep {
namespace {

constexpr std::array<std::pair<Scale, std::string_view>, 4> kScaleNames{{{Scale::kNone, "none"},
                                                                         {Scale::kDeviation, "deviation"},
                                                                         {Scale::kStandard, "standard"},
                                                                         {Scale::kMaxAbs, "max-abs"}}};

/// The text for the account.
std::string detail_of(const NumberEncoder& number, const NumberFacts& facts, std::int64_t missing) {
  if (facts.count == 0) return "no value in any row";
  std::string text = facts.least == facts.greatest ? fmt::format("always {}", facts.least)
                                                   : fmt::format("{} … {}", facts.least, facts.greatest);
  if (!number.style.empty()) text += "; written as " + number.style;
  text += missing_detail(missing);
  if (number.shift != 0) text += fmt::format("; less {:.4g}", number.shift);
  if (number.factor != 1) text += fmt::format("{} divided by {:.3g}", number.shift != 0 ? "," : ";", 1 / number.factor);
  return text + indicator_detail(number.missing, missing);
}

}  // namespace

std::uint64_t kind_features(const TableMap& /*map*/, const NumberEncoder& number) { return number.missing ? 2 : 1; }

std::string kind_name(const TableMap& /*map*/, const std::string& column, const NumberEncoder& /*number*/,
                      std::uint32_t place) {
  return place == 0 ? column : column + " is missing";
}

std::string kind_problem(const TableMap& map, const std::string& /*column*/, const NumberEncoder& number) {
  if (!number.style.empty() && !style_of(number.style)) return "its number format is unknown";
  if (std::string problem = scaling_problem(map, number); !problem.empty()) return problem;
  const bool scaled = number.shift != 0 || number.factor != 1;
  return number.scale == Scale::kNone && scaled ? "it is taken as written, but has a shift or a factor" : "";
}

std::string scaling_problem(const TableMap& map, const Scaling& scaling) {
  if (!std::isfinite(scaling.shift)) return "its shift is not finite";
  if (!std::isfinite(scaling.factor) || scaling.factor <= 0) return "its factor should be a number above 0";
  if (scaling.scale == Scale::kAuto) return "its scale isn't decided";
  const double most = map.single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  for (const double number : {scaling.fill, scaling.mean}) {
    if (!(std::fabs(scaling.encoded(number)) <= most)) {
      return "its fill or its mean can't be encoded as a finite number";
    }
  }
  return "";
}

std::vector<AskedColumn> asked_of(const std::string& column, const NumberEncoder& number) {
  return {{column, ColumnKind::kNumber, number.style, 0}};
}

void write_scaling(EncoderWriter& to, const Scaling& scaling, bool missing) {
  append_json_word(to.fields["scale"], name_in(kScaleNames, scaling.scale));
  append_json_number(to.fields["shift"], scaling.shift);
  append_json_number(to.fields["factor"], scaling.factor);
  append_json_number(to.fields["fill"], scaling.fill);
  append_json_number(to.fields["mean"], scaling.mean);
  append_json_flag(to.fields["missing"], missing);
}

void read_scaling(EncoderReader& from, Scaling& scaling, bool& missing) {
  scaling.scale = json_choice(from.object, "scale", kScaleNames);
  scaling.shift = json_number(from.object, "shift");
  scaling.factor = json_number(from.object, "factor");
  scaling.fill = json_number(from.object, "fill");
  scaling.mean = json_number(from.object, "mean");
  missing = json_flag(from.object, "missing");
}

void write_kind(EncoderWriter& to, const NumberEncoder& number) {
  if (!number.style.empty()) append_json_word(to.fields["format"], number.style);
  write_scaling(to, number, number.missing);
}

void read_kind(EncoderReader& from, NumberEncoder& number) {
  if (from.object.has("format")) number.style = json_word(from.object, "format");
  if (number.style == "iso") number.style.clear();  // the explicit word for a plain number
  read_scaling(from, number, number.missing);
}

void take_fields(const PreparedEncoder& prepared, const NumberEncoder& number, const TableBatch& batch,
                 EncodedFields& fields) {
  const TableColumn& column = batch.columns[prepared.column];
  const auto rows = static_cast<std::size_t>(batch.rows);
  fields.number.resize(rows);
  fields.missing.assign(number.missing ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.number[row];
    const bool hole = is_missing(column, row) || std::isnan(x);
    fields.number[row] = number.encoded(hole ? number.fill : x);
    if (!hole) continue;
    ++fields.holes;
    if (number.missing) fields.missing[row] = 1;
  }
}

void emit_row(const PreparedEncoder& prepared, const NumberEncoder& number, const EncodedRow& to) {
  to.emit(prepared.start, to.mine().number[to.row]);
  if (number.missing) to.emit(prepared.start + prepared.hole, to.mine().missing[to.row]);
}

void count_number(ColumnCounts& counts, BinnedSums& sums, double x, double centre) {
  counts.least = std::min(counts.least, x);
  counts.greatest = std::max(counts.greatest, x);
  const double off = x - centre;
  sums.add(counts.sums, off);
  if (counts.has_squares) sums.add(counts.sums + 1, off * off);
}

void count_numbers(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts) {
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.number[row];
    if (is_missing(column, row) || std::isnan(x)) {
      ++counts.missing;
    } else {
      count_number(counts, sums, x, centre);
    }
  }
}

NumberFacts number_facts(const TableFitter::Counts& counts, const ColumnCounts& column, double centre) {
  NumberFacts facts;
  facts.count = counts.rows - column.missing;
  if (facts.count == 0) return facts;
  facts.least = column.least;
  facts.greatest = column.greatest;
  const auto count = static_cast<double>(facts.count);
  const double off = counts.sums.value(column.sums) / count, squares = counts.sums.value(column.sums + 1) / count;
  const double mean = centre + off;
  // For numbers near the limits of a double, sums may not be finite.
  facts.mean =
      std::isfinite(mean) ? std::clamp(mean, facts.least, facts.greatest) : facts.least / 2 + facts.greatest / 2;
  const double variance = squares - off * off;
  if (facts.least < facts.greatest && std::isfinite(variance) && variance > 0) facts.deviation = std::sqrt(variance);
  return facts;
}

double factor_of(double by) {
  const double factor = 1 / by;
  return by > 0 && std::isfinite(factor) && factor > 0 ? factor : 1;
}

Scaling fitted_scaling(const TableSpec& spec, const NumberFacts& facts) {
  Scaling scaling;
  scaling.scale = spec.scale;
  scaling.mean = facts.mean;
  const bool zero = spec.as_written && spec.missing == TableSpec::Missing::kIndicator;
  scaling.fill = zero ? 0 : facts.mean;
  const double greatest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  const double deviation = facts.deviation > 0 ? facts.deviation : greatest;
  if (spec.scale == Scale::kDeviation || spec.scale == Scale::kStandard) {
    scaling.factor = factor_of(deviation);
    const bool far = facts.deviation > 0 && std::abs(facts.mean) > 8 * facts.deviation;
    if (spec.scale == Scale::kStandard || far) scaling.shift = facts.mean;
  } else if (spec.scale == Scale::kMaxAbs) {
    scaling.factor = factor_of(greatest);
  }
  return scaling;
}

std::string missing_detail(std::int64_t missing) {
  return missing == 0 ? "" : fmt::format(", {} missing", with_commas(static_cast<std::uint64_t>(missing)));
}

std::string indicator_detail(bool indicator, std::int64_t missing) {
  if (missing == 0) return "";
  return indicator ? "; indicator" : "; missing values take the mean";
}

FittedColumn fit_number(Fitting& fitting, std::size_t k) {
  const PlannedColumn& plan = fitting.plans[k];
  const ColumnCounts& column = fitting.counts.columns[k];
  const NumberFacts facts = number_facts(fitting.counts, column, plan.centre);
  const NumberEncoder number{fitted_scaling(fitting.spec, facts), plan.number_format, fitting.has_indicator(k)};
  fitting.add(plan.name, number);
  return {"", detail_of(number, facts, column.missing)};
}

}  // namespace linsep
