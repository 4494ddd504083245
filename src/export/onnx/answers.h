// From scores to the outputs of an ONNX graph: labels and probabilities.
#pragma once

#include "export/onnx/graph.h"
#include "linsep/model.h"

namespace linsep {

/// Adds the outputs. `scores`: rows × scores.
void add_answers(const Model& model, OnnxGraph& graph, const Value& scores);

}  // namespace linsep
