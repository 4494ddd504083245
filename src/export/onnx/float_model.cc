// A model of numbers as an ONNX graph in floats: one product of the rows with the weights.
#include <fmt/format.h>

#include "export/onnx/answers.h"
#include "export/onnx/graph.h"
#include "export/plan.h"
#include "linsep/error.h"
#include "linsep/tools/export.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

void check_numbers(const TableMap& table) {
  for (const Encoder& encoder : table.encoders) {
    const bool number = encoder.kind == Kind::kNumber && !encoder.missing;
    if (number || encoder.kind == Kind::kVector) continue;
    throw options_error(
        {"float"}, fmt::format("{{}} is for numbers without holes: column '{}' is none", shown_text(encoder.column)));
  }
}

/// The weights of the columns as they are written, columns × scores, and what is added.
struct Affine {
  std::vector<double> weights, offsets;
};

/// θ·(x − shift)·factor as a weight of x.
Affine affine_of(const Plan& plan) {
  Affine all;
  for (std::size_t part = 0; part < plan.parts; ++part) all.offsets.push_back(plan.offset(part));
  for (std::size_t e = 0; e < plan.table.encoders.size(); ++e) {
    const Encoder& encoder = plan.table.encoders[e];
    for (std::uint32_t feature = plan.start[e]; feature < plan.start[e + 1]; ++feature) {
      for (std::size_t part = 0; part < plan.parts; ++part) {
        const double weight = plan.weight(part, feature) * encoder.factor;
        all.weights.push_back(weight);
        all.offsets[part] -= weight * encoder.shift;
      }
    }
  }
  return all;
}

}  // namespace

std::string export_onnx_float(const Model& model) {
  Language language;
  language.name = "ONNX";
  language.nul = true;
  const Plan plan = make_plan(model, language);
  check_numbers(plan.table);
  const Affine affine = affine_of(plan);
  const auto parts = static_cast<std::int64_t>(plan.parts);
  const auto columns = static_cast<std::int64_t>(affine.weights.size()) / parts;
  OnnxGraph graph({"x"});
  const Value x = graph.input("x", Element::kFloat, {-1, columns});
  const Value weights = graph.cast(graph.constant({columns, parts}, affine.weights), Element::kFloat);
  const Value offsets = graph.cast(graph.constant({1, parts}, affine.offsets), Element::kFloat);
  const Value scores = graph.add("Add", {graph.add("MatMul", {x, weights}), offsets});
  add_answers(model, graph, graph.cast(scores, Element::kDouble));
  return graph.model("0.1");
}

}  // namespace linsep
