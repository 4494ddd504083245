// Binding of linsep/optimality.h: how far a classifier's objective is from the best possible one, proven.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/optimality.h"
#include "module.h"
#include "report/optimality.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

ProofOptions limits_of(const Watch& watch, int threads) {
  ProofOptions options;
  static_cast<RunLimits&>(options) = watch.limits(threads);
  return options;
}

OptimalityProof audit_given(Rows& rows, const std::vector<std::pair<std::uint32_t, std::string>>& weights,
                            std::uint32_t features, bool origin, const std::string& loss, const std::string& penalty,
                            const std::pair<std::string, std::string>& class_weights,
                            const std::string& intercept_penalty, const std::string& l1_ratio, double gap, int threads,
                            nb::object observe) {
  const RowsLock use(rows);
  GivenWeights given;
  given.origin = origin;
  given.features = features;
  given.objective = {provable_loss(loss),  penalty,           class_weights.first,
                     class_weights.second, intercept_penalty, l1_ratio};
  for (const auto& [column, weight] : weights) given.weights.push_back({column, weight});
  return supervised(std::move(observe), [&](const Watch& watch) {
    return audit_weights(given, rows.source(watch, for_proof()), gap, limits_of(watch, threads), watch.observe);
  });
}

OptimalityProof audit_classes(Rows& rows,
                              const std::vector<std::vector<std::pair<std::uint32_t, std::string>>>& weights,
                              std::uint32_t features, bool origin, const std::string& loss,
                              const std::vector<std::string>& penalties,
                              const std::vector<std::pair<std::string, std::string>>& class_weights,
                              const std::string& intercept_penalty, const std::string& l1_ratio, double gap,
                              int threads, nb::object observe) {
  const RowsLock use(rows);
  std::vector<GivenWeights> parts;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    GivenWeights& part = parts.emplace_back();
    part.origin = origin;
    part.features = features;
    part.objective = {provable_loss(loss),        penalties.at(c),   class_weights.at(c).first,
                      class_weights.at(c).second, intercept_penalty, l1_ratio};
    for (const auto& [column, weight] : weights[c]) part.weights.push_back({column, weight});
  }
  return supervised(std::move(observe), [&](const Watch& watch) {
    return audit_parts(parts, rows.source(watch, for_proof()), gap, limits_of(watch, threads), watch.observe);
  });
}

OptimalityProof audit_softmax(Rows& rows, const std::vector<std::pair<std::uint32_t, std::string>>& weights,
                              std::uint32_t features, bool origin, const std::string& penalty,
                              const std::vector<std::string>& class_weights, const std::string& l1_ratio, double gap,
                              int threads, nb::object observe) {
  const RowsLock use(rows);
  GivenWeights given;
  given.origin = origin;
  given.features = features;
  given.objective.loss = Loss::kSoftmax;
  given.objective.lambda = penalty;
  given.objective.class_weights = class_weights;
  given.objective.l1_ratio = l1_ratio;
  for (const auto& [column, weight] : weights) given.weights.push_back({column, weight});
  return supervised(std::move(observe), [&](const Watch& watch) {
    return audit_weights(given, rows.source(watch, for_proof()), gap, limits_of(watch, threads), watch.observe);
  });
}

OptimalityProof audit_own(Rows& rows, const Model& model, double gap, int threads, nb::object observe) {
  const RowsLock use(rows);
  return supervised(std::move(observe), [&](const Watch& watch) {
    return audit_model(model, rows.source(watch, for_proof()), gap, limits_of(watch, threads), watch.observe);
  });
}

Dict verify_proof(const OptimalityProof& proof, Rows& rows, int threads, nb::object observe) {
  const RowsLock use(rows);
  const OptimalityCheck result = supervised(std::move(observe), [&](const Watch& watch) {
    return verify_optimality(proof, rows.source(watch, for_proof()), limits_of(watch, threads), watch.observe);
  });
  Dict out;
  out["valid"] = result.valid;
  out["reason"] = to_str(result.reason);
  out["proven"] = to_list(result.proven);
  out["certain_labels"] = result.certain_labels;
  out["zeros"] = nb::cast(result.zeros);
  std::vector<std::int64_t> labels;
  std::vector<std::vector<std::uint32_t>> zeros;
  for (const OptimalityCheck& part : result.parts) {
    labels.push_back(part.certain_labels);
    zeros.push_back(part.zeros);
  }
  out["labels_of_parts"] = nb::cast(labels);
  out["zeros_of_parts"] = nb::cast(zeros);
  return out;
}

}  // namespace

void bind_audit(nb::module_& m) {
  const auto data = [](auto member) { return [member](const OptimalityProof& proof) { return proof.data.*member; }; };
  nb::class_<OptimalityProof>(m, "ModelProof", "How far a classifier's objective is from the best possible one.")
      .def_prop_ro("rows", data(&DataDigest::rows))
      .def_prop_ro("features", data(&DataDigest::features))
      .def_prop_ro("root", data(&DataDigest::root))
      .def_prop_ro("at_most", [](const OptimalityProof& proof) { return worst_part(proof).at_most; })
      .def_prop_ro("at_least", [](const OptimalityProof& proof) { return worst_part(proof).at_least; })
      .def_prop_ro("lower_by",
                   [](const OptimalityProof& given) {
                     const OptimalityProof& proof = worst_part(given);
                     return proof.reference ? proof.reference->lower_by : "0";
                   })
      .def_prop_ro("joint", [](const OptimalityProof& proof) { return proof.objective.loss == Loss::kSoftmax; })
      .def_prop_ro("part_names",
                   [](const OptimalityProof& proof) {
                     std::vector<std::string> names;
                     for (const OptimalityProof& part : proof.parts) names.push_back(part.data.positive);
                     return to_list(names);
                   })
      .def_prop_ro(
          "parts", [](const OptimalityProof& proof) { return proof.parts; },
          nb::sig("def parts(self) -> list[ModelProof]"))
      .def_prop_ro("gap", &proven_gap)
      .def_prop_ro("weights_within", &weights_within)
      .def_prop_ro("certain_signs", &certain_signs)
      .def_prop_ro("above_best",
                   [](const OptimalityProof& proof) {
                     const AboveBest above = above_best(proof);
                     return std::pair(above.at_least, above.at_most);
                   })
      .def_prop_ro("words", [](const OptimalityProof& proof) { return to_str(audit_words(proof)); })
      .def("to_json", &optimality_to_json)
      .def(
          "__eq__", [](const OptimalityProof& a, const OptimalityProof& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const OptimalityProof& p) { return std::hash<std::string>{}(optimality_to_json(p)); });
  m.def("model_proof_from_json", &optimality_from_json, "text"_a, "name"_a = "the proof");
  m.def("audit_weights", &audit_given, "rows"_a, "weights"_a, nb::kw_only(), "features"_a, "origin"_a, "loss"_a,
        "penalty"_a, "class_weights"_a, "intercept_penalty"_a, "l1_ratio"_a, "gap"_a, "threads"_a = 0,
        "observe"_a = nb::none(),
        "Proves how good weights are that any tool found; columns from 0, the intercept behind the last.");
  m.def("audit_classes", &audit_classes, "rows"_a, "weights"_a, nb::kw_only(), "features"_a, "origin"_a, "loss"_a,
        "penalties"_a, "class_weights"_a, "intercept_penalty"_a, "l1_ratio"_a, "gap"_a, "threads"_a = 0,
        "observe"_a = nb::none(), "The same for several classes, each against the rest.");
  m.def("audit_softmax", &audit_softmax, "rows"_a, "weights"_a, nb::kw_only(), "features"_a, "origin"_a, "penalty"_a,
        "class_weights"_a, "l1_ratio"_a, "gap"_a, "threads"_a = 0, "observe"_a = nb::none(),
        "The same for several classes together; a block of columns for each class.");
  m.def("audit_model", &audit_own, "rows"_a, "model"_a, nb::kw_only(), "gap"_a, "threads"_a = 0,
        "observe"_a = nb::none(), "Proves how good a model of linsep's is.");
  m.def("verify_model_proof", &verify_proof, "proof"_a, "rows"_a, nb::kw_only(), "threads"_a = 0,
        "observe"_a = nb::none(), "Checks a proof about a classifier exactly.");
}

}  // namespace linsep::python
