#include "linsep/tools/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/elementary.h"
#include "core/words.h"

namespace linsep {
namespace {

constexpr double kFarApart = 1e4, kFromMedian = 100;

std::string_view what_ended(StopReason reason) {
  switch (reason) {
    case StopReason::kTime:
      return "time";
    case StopReason::kInterrupted:
      return "interrupted";
    case StopReason::kStalled:
      return "rounding";
    default:
      return "passes";
  }
}

std::string option(const StopFacts& facts, std::string_view name) {
  return fmt::format("{}{}{}", facts.before_option, name, facts.after_option);
}

/// Advice for a path of λ that was cut short.
std::string path_advice(const StopFacts& facts) {
  const bool time = facts.reason == StopReason::kTime;
  return fmt::format("{} after {}: {} of {} λ finished.{}", time ? "Out of time" : "Interrupted",
                     counted_passes(facts.passes), facts.finished, facts.lambdas,
                     time ? fmt::format(" Allow more {} to try the others.", option(facts, "time")) : "");
}

std::string ending(const StopFacts& facts) {
  const std::string passes = counted_passes(facts.passes);
  switch (facts.reason) {
    case StopReason::kTime:
      return fmt::format("Out of time after {}: allow more {} to get closer.", passes, option(facts, "time"));
    case StopReason::kInterrupted:
      return fmt::format("Interrupted after {}.", passes);
    case StopReason::kStalled:
      return fmt::format("Rounding errors keep it from getting closer after {}: ask for a larger {}{}.", passes,
                         option(facts, "gap"), facts.outsized.empty() ? ", or scale the columns to similar sizes" : "");
    default:
      return fmt::format("{} {} not enough: allow more {}, or ask for a larger {}.", passes,
                         facts.passes == 1 ? "was" : "were", option(facts, "passes"), option(facts, "gap"));
  }
}

std::string columns_words(const StopFacts& facts) {
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < facts.outsized.size(); ++k) {
    const ColumnSize& column = facts.outsized[k];
    shown.push_back(fmt::format("{} ({:.3g} to {:.3g})", facts.names[k], column.least, column.greatest));
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

/// `size` is still a sum of squares. Every worker has the same columns.
void add_columns_of_others(std::vector<ColumnSize>& columns, std::vector<double>& count, Comm& comm) {
  std::vector<double> sums, ends;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    sums.insert(sums.end(), {columns[j].size, count[j]});
    ends.insert(ends.end(), {count[j] == 0 ? kNone : -columns[j].least, count[j] == 0 ? kNone : columns[j].greatest});
  }
  comm.all_reduce(std::span(sums), Comm::Op::kSum);
  comm.all_reduce(std::span(ends), Comm::Op::kMax);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].size = sums[2 * j];
    count[j] = sums[2 * j + 1];
    if (count[j] == 0) continue;
    columns[j].least = -ends[2 * j];
    columns[j].greatest = ends[2 * j + 1];
  }
}

}  // namespace

std::vector<ColumnSize> column_sizes(Source& source, Comm& comm) {
  std::vector<ColumnSize> columns(source.shape().features);
  std::vector<double> count(columns.size(), 0);
  for (std::uint32_t j = 0; j < columns.size(); ++j) columns[j].column = j;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t) {
      for_each_entry(row, [&](std::uint32_t j, double value) {
        if (value == 0 || j >= columns.size()) return;
        ColumnSize& column = columns[j];
        column.size += value * value;
        column.least = count[j] == 0 ? value : std::min(column.least, value);
        column.greatest = count[j] == 0 ? value : std::max(column.greatest, value);
        ++count[j];
      });
    });
  }
  if (comm.size() > 1) add_columns_of_others(columns, count, comm);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double square = columns[j].size / count[j];
    // If squares are beyond the range of doubles, the largest size stands in for their mean.
    const bool fits = square > std::numeric_limits<double>::min() && std::isfinite(square);
    const double greatest = std::max(std::fabs(columns[j].least), std::fabs(columns[j].greatest));
    columns[j].size = count[j] == 0 ? 0 : fits ? std::sqrt(square) : greatest;
  }
  return columns;
}

std::vector<ColumnSize> outsized(std::vector<ColumnSize> columns, std::size_t most) {
  std::erase_if(columns, [](const ColumnSize& column) { return !(column.size > 0) || !std::isfinite(column.size); });
  if (columns.empty()) return {};
  std::sort(columns.begin(), columns.end(), [](const ColumnSize& a, const ColumnSize& b) { return a.size < b.size; });
  if (columns.back().size <= kFarApart * columns.front().size) return {};
  const double median = columns[columns.size() / 2].size;
  const auto far = [&](const ColumnSize& column) { return std::abs(elementary::log(column.size / median)); };
  std::erase_if(columns, [&](const ColumnSize& column) { return far(column) <= elementary::log(kFromMedian); });
  std::sort(columns.begin(), columns.end(), [&](const ColumnSize& a, const ColumnSize& b) {
    return far(a) != far(b) ? far(a) > far(b) : a.column < b.column;
  });
  if (columns.size() > most) columns.resize(most);
  return columns;
}

std::string StopAdvice::sentence() const {
  return fmt::format("Objective {}.{}{}", reached, advice.empty() ? "" : " ", advice);
}

std::optional<double> gap_reached(const Outcome& outcome) {
  std::optional<double> gap;
  for (const PartOutcome& part : outcome.parts) {
    if (part.gap) gap = std::max(gap.value_or(0), *part.gap);
  }
  if (gap || outcome.history.empty()) return gap;
  return outcome.history.back().gap;
}

StopAdvice stop_advice(const StopFacts& facts) {
  const bool cut = facts.reason == StopReason::kTime || facts.reason == StopReason::kInterrupted;
  const std::string reached = gap_words(facts.gap, facts.gap_asked);
  if (cut && facts.finished < facts.lambdas) return {what_ended(facts.reason), reached, path_advice(facts)};
  if (facts.gap <= facts.gap_asked) return {"gap_reached", reached, ""};
  StopAdvice advice{what_ended(facts.reason), reached, ending(facts)};
  if (!facts.outsized.empty()) {
    advice.code = "badly_scaled";
    advice.advice += fmt::format(
        " Columns of very different sizes slow it down: {}. Scale them to similar sizes; λ penalizes all columns "
        "alike.",
        columns_words(facts));
  }
  if (facts.no_mistakes && !facts.hard) {
    advice.code = "separable_no_optimum";
    advice.advice += fmt::format(
        " The rows are separable: without λ there is no optimum and θ grows without bound, so a small λ makes progress "
        "slow. `linsep certify {}` proves it; use {} in place of loss, penalty and λ, or a larger λ (smaller C).",
        facts.data, option(facts, "hard"));
  }
  return advice;
}

}  // namespace linsep
