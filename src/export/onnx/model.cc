// A model as an ONNX graph: every encoder gives its share of the scores, rows × scores, and the shares are summed.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "export/onnx/answers.h"
#include "export/onnx/graph.h"
#include "export/onnx/shares.h"
#include "export/plan.h"
#include "linsep/tools/export.h"

namespace linsep {
namespace {

Language onnx_language() {
  Language language;
  language.name = "ONNX";
  language.nul = true;
  return language;
}

Value input_value(OnnxGraph& graph, const Input& input) {
  switch (input.kind) {
    case Encoder::Kind::kCategory:
      return graph.input(input.name, Element::kString, {-1, 1});
    case Encoder::Kind::kText:
      return graph.input(input.name, Element::kString, {-1});
    default:
      return graph.input(input.name, Element::kDouble, {-1, static_cast<std::int64_t>(input.size)});
  }
}

}  // namespace

std::string export_onnx(const Model& model) {
  const Plan plan = make_plan(model, onnx_language());
  std::vector<std::string> names;
  for (const Input& input : plan.inputs) names.push_back(input.name);
  OnnxGraph graph(names);
  OnnxShares shares(plan, graph);
  for (const Input& input : plan.inputs) shares.set_input(input_value(graph, input));
  for (std::size_t encoder = 0; encoder < plan.table.encoders.size(); ++encoder) shares.take(encoder);
  add_answers(model, graph, shares.sum());
  return graph.model("0.1");
}

}  // namespace linsep
