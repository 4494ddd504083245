#include "report/judge.h"

#include <algorithm>

#include "linsep/tools/advice.h"
#include "linsep/tools/shown_text.h"

namespace linsep::app {
namespace {

/// Whether the columns of a table that nobody has scaled differ much in size.
bool are_uneven(Source& rows, Comm& comm) {
  constexpr double kMuch = 100;
  constexpr std::uint32_t kMost = 10000;
  const Schema& schema = rows.schema();
  if (schema.table || schema.feature_names.empty() || rows.shape().features > kMost) return false;
  std::vector<ColumnSize> columns = column_sizes(rows, comm);
  std::erase_if(columns, [](const ColumnSize& column) { return column.size == 0; });
  if (columns.empty()) return false;
  const auto [least, greatest] = std::ranges::minmax_element(columns, {}, &ColumnSize::size);
  return greatest->size > kMuch * least->size;
}

}  // namespace

// The last pass of a perceptron that visited every row once and corrected nothing has tried the final θ on all rows.
bool clean_pass_proves(const Outcome& outcome) {
  const Options& options = outcome.model.options;
  if (outcome.reason != StopReason::kConverged || outcome.history.empty()) return false;
  if (outcome.history.back().mistakes != 0) return false;
  const auto order = options.find("order");
  if (order != options.end() && option_text(order->second) == "drawn") return false;
  const auto variant = options.find("variant");
  return variant == options.end() || option_text(variant->second) == "last";
}

void add_advice(Source& source, const Outcome& outcome, const RunAsked& asked, Comm& comm, TrainReport& report) {
  const LearnerInfo& learner = learner_info(outcome.model.learner);
  if (learner.mistake_bound && outcome.reason == StopReason::kPasses && !asked.online && asked.time == 0) {
    report.uneven = are_uneven(source, comm);
  }
  if (!learner.objective || report.selection || !outcome.parts.empty()) return;
  if (outcome.history.empty() || !outcome.history.back().gap) return;
  StopFacts facts;
  facts.reason = outcome.reason;
  facts.passes = outcome.passes;
  facts.gap = *outcome.history.back().gap;
  facts.gap_asked = get_number(outcome.model.options, "gap");
  facts.hard = asked.hard;
  facts.no_mistakes = report.result && report.result->mistakes == 0;
  facts.data = report.argument;
  facts.before_option = "--";
  facts.after_option = "";
  if (facts.gap > facts.gap_asked && !report.uncounted) {  // else there is no time for another look at the rows
    facts.outsized = outsized(column_sizes(source, comm));
    Model raw = outcome.model;
    raw.map = {};
    for (const ColumnSize& column : facts.outsized) report.outsized.push_back(feature_name(raw, column.column));
    for (const std::string& name : report.outsized) facts.names.push_back(shown_text(name));
  }
  report.advice = stop_advice(facts);
}

}  // namespace linsep::app
