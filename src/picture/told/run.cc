// What a run tells: its passes, the bound on its mistakes, its visits, and mistakes by row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "linsep/learner_info.h"
#include "picture/parts.h"
#include "picture/told/history.h"
#include "picture/told/labels.h"
#include "picture/words.h"

namespace linsep {
namespace {

const Model* first_model(const PictureInput& input) {
  if (input.trained != nullptr) return &input.trained->model;
  return input.models.empty() ? nullptr : input.models.front().model;
}

/// A log doesn't say who made it; a model that is given with it does.
std::string reason_of(const PictureInput& input, const std::vector<Progress>& passes) {
  if (input.trained != nullptr) return std::string(stop_reason_name(input.trained->reason));
  if (!input.run->reason.empty()) return input.run->reason;
  if (passes.empty()) return "";
  if (passes.back().mistakes && *passes.back().mistakes == 0) {
    return std::string(stop_reason_name(StopReason::kConverged));
  }
  const Model* model = first_model(input);
  if (model == nullptr) return "";
  const auto asked = model->options.find("gap");
  if (passes.back().gap && asked != model->options.end() && *passes.back().gap <= get_number(model->options, "gap")) {
    return std::string(stop_reason_name(StopReason::kConverged));
  }
  const auto most = model->options.find("passes");
  if (most != model->options.end() && passes.back().pass == get_integer(model->options, "passes")) {
    return std::string(stop_reason_name(StopReason::kPasses));
  }
  return "";
}

void add_history(Picture& picture, const PictureInput& input) {
  const std::vector<Progress>& passes = input.trained != nullptr ? input.trained->history : input.run->passes;
  Picture::History history = history_of(passes);
  const Model* model = first_model(input);
  if (input.run != nullptr) history.learner = input.run->learner;
  if (history.learner.empty() && model != nullptr) history.learner = model->learner;
  if (input.run != nullptr) history.solver = input.run->solver;
  if (input.trained != nullptr && input.trained->margin) history.solver = input.trained->margin->solver;
  history.reason = reason_of(input, passes);
  if (input.run != nullptr) history.gap_asked = input.run->gap_asked;
  const bool has_gap = std::ranges::any_of(history.passes, [](const auto& pass) { return pass.gap.has_value(); });
  if (!history.gap_asked && has_gap && model != nullptr && model->options.contains("gap")) {
    history.gap_asked = get_number(model->options, "gap");
  }
  if (!passes.empty()) history.seconds = passes.back().seconds;
  picture.history = std::move(history);
}

bool begins_at_zero(const Model& model) {
  if (model.options.contains("init") && !get_numbers(model.options, "init").empty()) return false;
  return !model.options.contains("init-offset") || get_number(model.options, "init-offset") == 0;
}

/// Of a learner for which the bound holds, from θ = 0, and of few rows.
void add_bound(Picture& picture, const PictureInput& input, const PictureSpec& spec) {
  const Model* model = first_model(input);
  if (input.data == nullptr || model == nullptr || model->regression || scores_per_row(*model) > 1) return;
  if (picture.history->bars.empty() || !has_mistake_bound(*model) || !begins_at_zero(*model)) return;
  picture.bound = perceptron_bound(*input.data, model->origin, model->map, spec.limits);
}

void add_events(Picture& picture, const VisitRecord& record, const Model& model) {
  if (record.visits == 0 || record.at.empty()) return;
  Picture::Events events;
  events.features = static_cast<std::uint32_t>(record.at.back().theta.size());
  events.mistakes_only = record.mistakes_only;
  events.visits = record.visits;
  for (const RowVisit& visit : record.at) {
    double square = model.origin ? 0 : visit.offset * visit.offset;
    for (const double weight : visit.theta) square += weight * weight;
    events.at.push_back({visit.visit, visit.pass, visit.row, visit.before, visit.after, visit.mistake, visit.offset,
                         std::sqrt(square)});
    events.theta.insert(events.theta.end(), visit.theta.begin(), visit.theta.end());
    events.theta.resize(events.at.size() * events.features);
  }
  picture.events = std::move(events);
}

/// "and 1,204 rows with 1 to 3", of the rows that aren't listed; "" where all are.
std::string rest_words(std::span<const std::int64_t> alpha) {
  if (alpha.empty()) return "";
  const auto [least, most] = std::ranges::minmax(alpha);
  const std::string range =
      least == most ? count_text(least) : fmt::format("{} to {}", count_text(least), count_text(most));
  return fmt::format("and {} with {}", counted_text(static_cast<std::int64_t>(alpha.size()), "row"), range);
}

void add_alpha(Picture& picture, const PictureInput& input, const Gathered& gathered) {
  constexpr std::size_t kMost = 60;
  const std::vector<std::int64_t>& alpha =
      input.trained != nullptr ? input.trained->stats.mistakes_by_row : input.run->mistakes_by_row;
  std::vector<std::int64_t> order;
  for (std::size_t row = 0; row < alpha.size(); ++row) {
    if (alpha[row] > 0) order.push_back(static_cast<std::int64_t>(row));
  }
  if (order.empty()) return;
  const auto of = [&](std::int64_t row) { return alpha[static_cast<std::size_t>(row)]; };
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) { return of(a) > of(b); });
  Picture::Alpha told;
  std::vector<std::int64_t> rest;
  for (std::size_t k = kMost; k < order.size(); ++k) rest.push_back(of(order[k]));
  told.rest = rest_words(rest);
  order.resize(std::min(order.size(), kMost));
  const auto written = written_by_row(input.data, order);
  for (const std::int64_t row : order) {
    const auto found = written.find(row);
    Picture::Alpha::Row one{row, "", -1, of(row)};
    if (found != written.end()) {
      one.id = short_name(found->second.id);
      one.label = label_index(gathered.schema, found->second.label);
    }
    told.rows.push_back(std::move(one));
  }
  picture.alpha = std::move(told);
}

}  // namespace

void add_run(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  if (input.run == nullptr && input.trained == nullptr) return;
  add_history(picture, input);
  add_bound(picture, input, spec);
  if (spec.no_rows) return;
  add_alpha(picture, input, gathered);
  if (input.trained != nullptr) add_events(picture, input.trained->stats.visits, input.trained->model);
}

}  // namespace linsep
