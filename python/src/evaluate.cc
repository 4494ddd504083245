// Binding of `evaluate` (linsep/train.h), tools/ranking.h and tools/distances.h, for how a model does on labeled rows.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.h"
#include "linsep/model.h"
#include "linsep/tools/distances.h"
#include "linsep/tools/ranking.h"
#include "linsep/train.h"
#include "module.h"
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
  m.def("distances", &distances, nb::arg("rows"), nb::arg("model"), nb::kw_only(), nb::arg("tolerance") = 1e-3,
        nb::arg("threads") = 0, nb::arg("observe") = nb::none(),
        "Where rows lie, seen from the boundary: `margin` is y·z of each row, `norm` is ‖θ‖.");
}

}  // namespace linsep::python
