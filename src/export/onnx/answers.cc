#include "export/onnx/answers.h"

#include <algorithm>
#include <string>
#include <vector>

namespace linsep {
namespace {

class Answers {
 public:
  Answers(const Model& model, OnnxGraph& graph, Value scores)
      : model_(model),
        graph_(graph),
        scores_(std::move(scores)),
        parts_(static_cast<std::int64_t>(scores_per_row(model))) {}

  void add() {
    if (!model_.regression) add_label();
    graph_.output(shaped(scores_), "score", Element::kDouble, shape());
    if (has_probabilities(model_)) graph_.output(shaped(probability()), "probability", Element::kDouble, shape());
  }

 private:
  bool single() const { return model_.offsets.empty(); }
  Dims shape() const { return single() ? Dims{-1} : Dims{-1, parts_}; }
  /// Of one score a list over the rows, of several a matrix.
  Value shaped(const Value& value) {
    return single() ? graph_.add("Reshape", {value, graph_.constant({1}, std::vector<std::int64_t>{-1})}) : value;
  }

  void add_label() {
    const std::vector<std::string>& classes = model_.schema.classes;
    if (model_.form == Model::Form::kClasses) {
      const auto names = graph_.constant({static_cast<std::int64_t>(classes.size())}, classes);
      const Value best =
          graph_.add("ArgMax", {scores_}, {attribute("axis", std::int64_t{1}), attribute("keepdims", std::int64_t{0})});
      return graph_.output(graph_.add("Gather", {names, best}), "label", Element::kString, {-1});
    }
    std::vector<std::string> negative, positive;
    for (std::size_t k = 0; k < classes.size(); k += 2) {
      negative.push_back(classes[k]);
      positive.push_back(classes[k + 1]);
    }
    const Value yes = graph_.add("GreaterOrEqual", {scores_, graph_.scalar(single() ? model_.threshold : 0)});
    const Dims row{1, parts_};
    const Value label = graph_.add("Where", {yes, graph_.constant(row, positive), graph_.constant(row, negative)});
    graph_.output(shaped(label), "label", Element::kString, shape());
  }

  /// Not the operator Sigmoid: in ONNX Runtime it takes small probabilities for 0.
  Value sigmoid(const Value& z, const Calibration& calibration) {
    const Value scaled = graph_.add("Mul", {z, graph_.scalar(calibration.slope)});
    const Value f = graph_.add("Add", {scaled, graph_.scalar(calibration.offset)});
    const Value e = graph_.add("Exp", {graph_.add("Neg", {graph_.add("Abs", {f})})});
    const Value above = graph_.add("GreaterOrEqual", {f, graph_.scalar(0)});
    const Value part = graph_.add("Where", {above, graph_.scalar(1), e});
    return graph_.add("Div", {part, graph_.add("Add", {e, graph_.scalar(1)})});
  }

  /// Straight lines between the knots: the number of knots at or below z says between which.
  Value isotonic(const Value& z, const Calibration& calibration) {
    const auto knots = static_cast<std::int64_t>(calibration.score.size());
    const Value at = graph_.constant({1, knots}, calibration.score);
    const Value reached = graph_.cast(graph_.add("GreaterOrEqual", {z, at}), Element::kInt64);
    const Value one = graph_.constant({1}, std::vector<std::int64_t>{1});
    const Value zero = graph_.constant({}, std::vector<std::int64_t>{0});
    const Value last = graph_.constant({}, std::vector<std::int64_t>{knots - 1});
    const Value above = graph_.add("ReduceSum", {reached, one}, {attribute("keepdims", std::int64_t{1})});
    const Value low = graph_.add("Max", {graph_.add("Sub", {above, one}), zero});
    const Value high = graph_.add("Min", {above, last});
    const Value scores = graph_.constant({knots}, calibration.score);
    const Value shares = graph_.constant({knots}, calibration.probability);
    const Value z_low = graph_.add("Gather", {scores, low}), z_high = graph_.add("Gather", {scores, high});
    const Value p_low = graph_.add("Gather", {shares, low}), p_high = graph_.add("Gather", {shares, high});
    const Value width = graph_.add("Sub", {z_high, z_low});
    const Value inside = graph_.add("Greater", {width, graph_.scalar(0)});
    const Value divisor = graph_.add("Where", {inside, width, graph_.scalar(1)});
    const Value part = graph_.add("Div", {graph_.add("Sub", {z, z_low}), divisor});
    const Value rise = graph_.add("Mul", {part, graph_.add("Sub", {p_high, p_low})});
    return graph_.add("Where", {inside, graph_.add("Add", {p_low, rise}), p_low});
  }

  Value calibrated(const Value& z, const Calibration& calibration) {
    return calibration.kind == Calibration::Kind::kIsotonic ? isotonic(z, calibration) : sigmoid(z, calibration);
  }

  Value probability() {
    if (model_.calibration.kind == Calibration::Kind::kSoftmax) {
      return graph_.add("Softmax", {scores_}, {attribute("axis", std::int64_t{1})});
    }
    if (single()) return calibrated(scores_, model_.calibration);
    std::vector<Value> shares;
    for (std::int64_t part = 0; part < parts_; ++part) {
      const Value number = graph_.constant({1}, std::vector<std::int64_t>{part});
      const Value z = graph_.add("Gather", {scores_, number}, {attribute("axis", std::int64_t{1})});
      shares.push_back(calibrated(z, model_.calibrations[static_cast<std::size_t>(part)]));
    }
    const Value all = graph_.add("Concat", shares, {attribute("axis", std::int64_t{1})});
    if (model_.form != Model::Form::kClasses) return all;
    const Value axis = graph_.constant({1}, std::vector<std::int64_t>{1});
    const Value sum = graph_.add("ReduceSum", {all, axis}, {attribute("keepdims", std::int64_t{1})});
    const Value none = graph_.add("Equal", {sum, graph_.scalar(0)});
    const Value equal = graph_.scalar(1 / static_cast<double>(parts_));
    return graph_.add("Where", {none, equal, graph_.add("Div", {all, sum})});
  }

  const Model& model_;
  OnnxGraph& graph_;
  Value scores_;
  std::int64_t parts_;
};

}  // namespace

void add_answers(const Model& model, OnnxGraph& graph, const Value& scores) { Answers(model, graph, scores).add(); }

}  // namespace linsep
