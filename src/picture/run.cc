// What a run shows: its passes, the bound on its mistakes, its visits, and mistakes by row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "core/elementary.h"
#include "data/decorators.h"
#include "linsep/arrays.h"
#include "linsep/learner_info.h"
#include "linsep/picture/geometry.h"
#include "linsep/picture/make.h"
#include "linsep/specs.h"
#include "picture/names.h"
#include "picture/parts.h"
#include "report/words.h"

namespace linsep {
namespace {

/// With more values the hard margin may take longer than all else in a picture.
constexpr double kMostValues = 1 << 20;
constexpr std::uint32_t kMostFeatures = 2000;

/// The rows that a perceptron visits, dense, each with a last value 1 unless through the origin.
struct DenseRows {
  std::size_t width = 0;
  std::vector<double> value, label;
  double radius = 0;
  bool both_classes = false;
};

DenseRows gather(Source& source, bool origin) {
  DenseRows all;
  const std::size_t features = source.shape().features;
  all.width = features + (origin ? 0 : 1);
  bool negative = false, positive = false;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& x, std::int64_t i) {
      if (batch->weight_of(i) == 0) return;
      const std::size_t first = all.value.size();
      all.value.resize(first + all.width, 0.0);
      double square = origin ? 0 : 1;
      for_each_entry(x, [&](std::uint32_t column, double value) {
        all.value[first + column] = value;
        square += value * value;
      });
      if (!origin) all.value[first + features] = 1;
      all.radius = std::fmax(all.radius, std::sqrt(square));
      const double y = batch->label_of(i);
      all.label.push_back(y);
      (y > 0 ? positive : negative) = true;
    });
  }
  all.both_classes = negative && positive;
  return all;
}

std::string whole_words(double bound) {
  constexpr double kWholeNumbers = 9e15;
  return bound < kWholeNumbers ? with_commas(static_cast<std::int64_t>(bound)) : figure_text(bound);
}

}  // namespace

std::optional<Picture::Bound> perceptron_bound(Source& source, bool origin, const FeatureMap& map,
                                               const RunLimits& limits) {
  const Schema& schema = source.schema();
  if (schema.classes.size() != 2 || !schema.labels.empty() || source.shape().rows <= 0) return std::nullopt;
  const bool mapped = map.kind != FeatureMap::Kind::kNone;
  const std::uint32_t features = mapped ? mapped_features(map, source.shape().features) : source.shape().features;
  if (features > kMostFeatures) return std::nullopt;
  if (static_cast<double>(source.shape().rows) * (features + 1.0) > kMostValues) return std::nullopt;
  const auto through_map = mapped ? map_rows(source, map) : nullptr;
  const DenseRows rows = gather(through_map ? *through_map : source, origin);
  if (!rows.both_classes || rows.width == 0) return std::nullopt;
  const auto labelled = label_rows(dense_rows(rows.value, rows.width), rows.label);
  const Outcome outcome = fit(*labelled, Margin{.origin = true, .hard = true, .gap = 1e-9}, TrainOptions{limits});
  if (outcome.reason != StopReason::kConverged || !outcome.hard_margin) return std::nullopt;
  constexpr double kRoundedUp = 1 + 1e-12;
  Picture::Bound bound;
  bound.radius = rows.radius;
  bound.margin = outcome.hard_margin->margin;
  bound.mistakes = elementary::pow(bound.radius / bound.margin, 2) * kRoundedUp;
  if (!(bound.margin > 0) || !std::isfinite(bound.mistakes)) return std::nullopt;
  bound.mistakes_text = whole_words(bound.mistakes);
  return bound;
}

namespace {

using DrawnPass = Picture::History::Pass;
using Measure = std::function<std::optional<double>(const DrawnPass&)>;

constexpr std::size_t kMostPasses = 2000, kMostBars = 200;

std::vector<DrawnPass> drawn_passes(std::span<const Progress> passes) {
  std::vector<DrawnPass> all;
  std::int64_t mistakes = 0;
  for (const Progress& progress : passes) {
    DrawnPass pass;
    pass.pass = progress.pass;
    pass.seconds = progress.seconds;
    pass.mistakes = progress.mistakes;
    if (progress.mistakes) pass.mistakes_so_far = mistakes += *progress.mistakes;
    pass.objective = progress.objective;
    pass.gap = progress.gap;
    if (progress.residual && std::isfinite(*progress.residual)) pass.residual = progress.residual;
    // No objective is below 0, so a gap of 1 or more is no information.
    if (progress.objective && progress.gap && *progress.gap < 1) {
      pass.lower_bound = *progress.objective * (1 - *progress.gap);
    }
    all.push_back(pass);
  }
  return all;
}

/// The measures that at least one pass has.
std::vector<Measure> measures_of(std::span<const DrawnPass> passes) {
  std::vector<Measure> measured;
  for (const Measure& measure : {Measure([](const DrawnPass& pass) { return pass.objective; }),
                                 Measure([](const DrawnPass& pass) { return pass.gap; }),
                                 Measure([](const DrawnPass& pass) { return pass.residual; }),
                                 Measure([](const DrawnPass& pass) -> std::optional<double> {
                                   return pass.mistakes ? std::optional(static_cast<double>(*pass.mistakes))
                                                        : std::nullopt;
                                 })}) {
    if (std::ranges::any_of(passes, [&](const DrawnPass& pass) { return measure(pass).has_value(); })) {
      measured.push_back(measure);
    }
  }
  return measured;
}

std::vector<DrawnPass> thinned(const std::vector<DrawnPass>& all) {
  if (all.size() <= kMostPasses) return all;
  const std::vector<Measure> measures = measures_of(all);
  const std::size_t groups = (kMostPasses - 2) / std::max<std::size_t>(1, 2 * measures.size());
  std::set<std::size_t> kept = {0, all.size() - 1};
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t begin = group * all.size() / groups, end = (group + 1) * all.size() / groups;
    if (measures.empty()) kept.insert(begin);
    for (const Measure& measure : measures) {
      std::optional<std::size_t> least, greatest;
      for (std::size_t k = begin; k < end; ++k) {
        const auto value = measure(all[k]);
        if (!value) continue;
        if (!least || *value < *measure(all[*least])) least = k;
        if (!greatest || *value > *measure(all[*greatest])) greatest = k;
      }
      if (least) kept.insert({*least, *greatest});
    }
  }
  std::vector<DrawnPass> few;
  for (const std::size_t k : kept) few.push_back(all[k]);
  return few;
}

/// The smallest of 1, 2, 5, 10, 20, … that leaves at most kMostBars groups.
std::size_t group_size(std::size_t passes) {
  for (std::size_t power = 1;; power *= 10) {
    for (const std::size_t size : std::array<std::size_t, 3>{power, 2 * power, 5 * power}) {
      if ((passes + size - 1) / size <= kMostBars) return size;
    }
  }
}

/// A bar's pass is the last of its group.
std::vector<DrawnPass> bars_of(const std::vector<DrawnPass>& all, std::size_t group) {
  std::vector<DrawnPass> bars;
  if (all.empty() || !all.front().mistakes) return bars;
  for (std::size_t begin = 0; begin < all.size(); begin += group) {
    const std::size_t end = std::min(begin + group, all.size());
    DrawnPass bar;
    bar.pass = all[end - 1].pass;
    bar.seconds = all[end - 1].seconds;
    bar.mistakes = 0;
    for (std::size_t k = begin; k < end; ++k) *bar.mistakes += all[k].mistakes.value_or(0);
    bar.mistakes_so_far = all[end - 1].mistakes_so_far;
    bars.push_back(bar);
  }
  return bars;
}

}  // namespace

Picture::History history_of(std::span<const Progress> passes) {
  Picture::History history;
  const std::vector<DrawnPass> all = drawn_passes(passes);
  history.passes = thinned(all);
  const std::size_t group = group_size(all.size());
  history.group = static_cast<std::int64_t>(group);
  history.bars = bars_of(all, group);
  if (all.empty()) return history;
  history.passes_made = all.back().pass;
  if (all.back().seconds > 0) history.seconds_ticks = round_ticks(0, all.back().seconds);
  return history;
}

namespace {

const Model* first_model(const PictureInput& input) {
  if (input.trained != nullptr) return &input.trained->model;
  return input.models.empty() ? nullptr : input.models.front().model;
}

/// A log doesn't give the reason of its end, but the options of a model that is given with it may.
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

/// A log belongs to a model if its last objective and gap are those of the run in the model's file.
bool is_of_other_run(const Progress& last, const Model& model) {
  const TrainingRecord& training = model.training;
  return training.stopped && (training.objective != last.objective || training.gap != last.gap);
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
  history.claimed = input.trained == nullptr && input.run->reason.empty();
  history.other_run = history.claimed && !passes.empty() && model != nullptr && is_of_other_run(passes.back(), *model);
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

/// Only for a learner for which the bound holds, from θ = 0, and for few rows.
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

/// "and 1,204 rows with 1 to 3", about the rows that aren't listed, or "" if all are.
std::string rest_words(std::span<const std::int64_t> alpha) {
  if (alpha.empty()) return "";
  const auto [least, most] = std::ranges::minmax(alpha);
  const std::string range =
      least == most ? with_commas(least) : fmt::format("{} to {}", with_commas(least), with_commas(most));
  return fmt::format("and {} with {}", counted(static_cast<std::int64_t>(alpha.size()), "row"), range);
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
  Picture::Alpha shown;
  std::vector<std::int64_t> rest;
  for (std::size_t k = kMost; k < order.size(); ++k) rest.push_back(of(order[k]));
  shown.rest = rest_words(rest);
  order.resize(std::min(order.size(), kMost));
  const auto written = written_by_row(input.data, order);
  for (const std::int64_t row : order) {
    const auto found = written.find(row);
    Picture::Alpha::Row one{row, "", -1, of(row)};
    if (found != written.end()) {
      one.id = short_text(found->second.id);
      one.label = label_index(gathered.schema, found->second.label);
    }
    shown.rows.push_back(std::move(one));
  }
  picture.alpha = std::move(shown);
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
