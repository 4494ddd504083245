// OnnxShares: what each encoder adds to the scores, as nodes of a graph.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/onnx/graph.h"
#include "export/plan.h"

namespace linsep {

class OnnxShares {
 public:
  OnnxShares(const Plan& plan, OnnxGraph& graph) : plan_(plan), graph_(graph) {}

  /// The next of the plan's inputs.
  void set_input(Value value) { inputs_.push_back(std::move(value)); }
  void take(std::size_t encoder);
  /// The scores, rows × scores; last.
  Value sum();

 private:
  const Encoder& encoder(std::size_t number) const { return plan_.table.encoders[number]; }
  Value input_of(const std::string& column) const { return inputs_[plan_.input_of(column)]; }
  /// The weights of features first … first + count − 1, count × scores.
  std::vector<double> weights(std::uint32_t first, std::uint64_t count) const;
  Value weights_value(std::uint32_t first, std::uint64_t count);
  /// The product of values, rows × count, and their weights. One value is multiplied: ONNX Runtime makes of a scalar
  /// factor before MatMul one operator whose factor is a float.
  Value weighed(const Value& value, std::size_t count, const std::vector<double>& weights);
  /// Rounded to float where the table is.
  Value rounded(const Value& value);

  void take_numbers();
  void take_category(std::size_t number);
  void take_vector(std::size_t number);
  void take_text(std::size_t number);
  void take_date(std::size_t number);
  void take_cross(std::size_t number);

  /// (x − shift)·factor of a number column, rows × 1, before rounding.
  Value encoded_number(std::size_t number);
  /// The weight of each row's category: `keys` and then `rare` (and the hole) have the weights from `first` on.
  Value looked_up(const Value& strings, const Encoder& category, std::uint32_t first, bool hole);
  /// 1, or 0 where a category is a hole.
  Value is_there(const std::string& column);
  Value words_of(const std::string& column);
  Value date_part(const Value& seconds, Encoder::Part part);

  const Plan& plan_;
  OnnxGraph& graph_;
  std::vector<Value> inputs_, shares_;
  std::vector<std::size_t> numbers_;    // number encoders, taken together at the end
  std::map<std::string, Value> words_;  // of text columns
};

}  // namespace linsep
