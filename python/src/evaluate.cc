// Binding of `evaluate` (linsep/train.h, tools/compare.h), tools/ranking.h and tools/distances.h, for how models do on
// labeled rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/compare.h"
#include "linsep/tools/distances.h"
#include "linsep/tools/ranking.h"
#include "linsep/train.h"
#include "module.h"
#include "report/comparison.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {
namespace {

nb::tuple bounds(const Bounded& figure) { return nb::make_tuple(figure.at_least, figure.at_most); }

nb::list bin_list(std::span<const ProbabilityEvaluation::Bin> bins) {
  nb::list all;
  for (const ProbabilityEvaluation::Bin& bin : bins) {
    nb::dict one;
    one["rows"] = bin.rows;
    one["positive"] = bin.positive;
    one["predicted"] = bin.predicted;
    all.append(one);
  }
  return all;
}

nb::dict ranking_dict(const ScoreCounts& counts) {
  const Ranking ranking = rank_rows(counts);
  nb::list top;
  for (const TopRows& rows : ranking.top) {
    nb::dict one;
    one["share"] = rows.share;
    one["rows"] = rows.rows;
    one["threshold"] = rows.threshold;
    one["precision"] = bounds(rows.precision);
    one["recall"] = bounds(rows.recall);
    one["lift"] = bounds(rows.lift);
    top.append(one);
  }
  nb::dict all;
  all["area_under_curve"] = bounds(ranking.area_under_curve);
  all["average_precision"] = bounds(ranking.average_precision);
  all["ks"] = bounds(ranking.ks);
  all["top"] = top;
  return all;
}

Dict evaluation_dict(const Evaluation& result) {
  Dict all;
  all["rows"] = result.rows;
  all["mistakes"] = result.mistakes;
  all["not_finite"] = result.not_finite;
  all["true_positive"] = result.true_positive;
  all["true_negative"] = result.true_negative;
  all["false_positive"] = result.false_positive;
  all["false_negative"] = result.false_negative;
  all["sum_of_squares"] = result.sum_of_squares;
  all["area_under_curve"] = result.area_under_curve;
  all["confusion"] = to_array(result.confusion);
  nb::list rankings, labels;
  for (const ScoreCounts& counts : result.scores) rankings.append(ranking_dict(counts));
  for (const Evaluation& label : result.labels) labels.append(evaluation_dict(label));
  all["rankings"] = rankings;
  all["labels"] = labels;
  all["probabilities"] = nb::none();
  if (result.probabilities) {
    nb::dict one;
    one["log_loss"] = result.probabilities->log_loss;
    one["brier"] = result.probabilities->brier;
    one["bins"] = bin_list(result.probabilities->bins);
    one["equal_count"] = bin_list(result.probabilities->equal_count);
    all["probabilities"] = one;
  }
  return all;
}

Dict evaluate_rows(Rows& rows, const Model& model, bool ranking, int threads, nb::object observe) {
  const RowsLock use(rows);
  const Evaluation found = supervised(std::move(observe), [&](const Watch& watch) {
    return evaluate(rows.source(watch, for_model(model, true)), model, ranking, rows.comm(), watch.observe,
                    watch.limits(threads));
  });
  warn_of_columns(rows);
  return evaluation_dict(found);
}

/// The value of each row, by its number in the source.
RowGroups groups_of(const std::vector<std::string>& values) {
  if (values.empty()) return {};
  return [&values](const Batch& batch) {
    std::vector<std::string> groups;
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const auto number = static_cast<std::size_t>(batch.number_of(i));
      if (number >= values.size()) throw option_error("by", "{} has fewer values than there are rows");
      groups.push_back(values[number]);
    }
    return groups;
  };
}

/// What `linsep evaluate --json` prints of one or two models, as text.
std::string evaluate_fully(Rows& rows, const Model& model, Rows* against_rows, const Model* against,
                           const std::vector<std::string>& by, double false_negative, double false_positive,
                           const std::string& fail_if_worse, const std::string& if_unsure, std::uint64_t seed,
                           int threads, nb::object observe) {
  const std::vector<WorseRule> rules =
      fail_if_worse.empty() ? std::vector<WorseRule>{} : read_worse_rules(fail_if_worse);
  const RowsLock use(rows);
  std::optional<RowsLock> use_other;
  if (against_rows != nullptr) use_other.emplace(*against_rows);
  const FullEvaluation found = supervised(std::move(observe), [&](const Watch& watch) {
    EvaluateRequest request;
    request.against = against;
    if (against != nullptr) request.against_rows = &against_rows->source(watch, for_model(*against, true));
    request.false_negative = false_negative;
    request.false_positive = false_positive;
    request.seed = seed;
    request.groups = groups_of(by);
    return evaluate(rows.source(watch, for_model(model, true)), model, request, rows.comm(), watch.observe,
                    watch.limits(threads));
  });
  warn_of_columns(rows);
  Json object = full_evaluation_json(found, model, against);
  object["not_finite"] = found.model.not_finite;
  if (!rules.empty()) {
    const IfUnsure unsure = if_unsure == "pass" ? IfUnsure::kPass : IfUnsure::kFail;
    const GateResult gate = pass_gate(model, found, rules, unsure);
    object["gate"] = gate_json(gate);
    object["gate"]["words"] = gate_words(gate);
  }
  return object.dump();
}

Dict distance_dict(Distances found) {
  Dict all;
  all["norm"] = found.norm;
  all["least_row"] = found.least_row;
  all["mistakes"] = found.mistakes;
  all["inside"] = found.inside;
  all["margin"] = to_array(std::move(found.margin));
  all["support"] = to_array(std::move(found.support));
  all["objective"] = nb::none();
  if (found.objective) {
    nb::dict one;
    one["hard"] = found.objective->hard;
    one["loss"] = to_str(found.objective->loss);
    one["lambda"] = found.objective->lambda;
    one["l1_ratio"] = found.objective->l1_ratio;
    one["mean_loss"] = found.objective->mean_loss;
    one["value"] = found.objective->value;
    all["objective"] = one;
  }
  return all;
}

Dict distances(Rows& rows, const Model& model, double tolerance, int /*threads*/, nb::object observe) {
  const RowsLock use(rows);
  return distance_dict(supervised(std::move(observe), [&](const Watch& watch) {
    return measure_distances(rows.source(watch, for_model(model, true)), model, tolerance, watch.observe);
  }));
}

}  // namespace

void bind_evaluate(nb::module_& m) {
  m.def("evaluate", &evaluate_rows, nb::arg("rows"), nb::arg("model"), nb::kw_only(), nb::arg("ranking") = false,
        nb::arg("threads") = 0, nb::arg("observe") = nb::none(), "How a model does on labeled rows.");
  m.def("evaluate_fully", &evaluate_fully, nb::arg("rows"), nb::arg("model"), nb::kw_only(),
        nb::arg("against_rows").none() = nb::none(), nb::arg("against").none() = nb::none(),
        nb::arg("by") = std::vector<std::string>(), nb::arg("false_negative") = 0.0, nb::arg("false_positive") = 0.0,
        nb::arg("fail_if_worse") = "", nb::arg("if_unsure") = "fail", nb::arg("seed") = 1, nb::arg("threads") = 0,
        nb::arg("observe") = nb::none(), "How a model does, alone, beside another one and by groups, as JSON.");
  m.def("distances", &distances, nb::arg("rows"), nb::arg("model"), nb::kw_only(), nb::arg("tolerance") = 1e-3,
        nb::arg("threads") = 0, nb::arg("observe") = nb::none(),
        "Where rows lie, seen from the boundary: `margin` is y·z of each row, `norm` is ‖θ‖.");
}

}  // namespace linsep::python
