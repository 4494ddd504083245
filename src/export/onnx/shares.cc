#include "export/onnx/shares.h"

#include <algorithm>
#include <limits>

#include "linsep/error.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Part = Encoder::Part;

std::vector<std::int64_t> one(std::int64_t value) { return {value}; }

}  // namespace

std::vector<double> OnnxShares::weights(std::uint32_t first, std::uint64_t count) const {
  std::vector<double> values;
  values.reserve(count * plan_.parts);
  for (std::uint64_t j = 0; j < count; ++j) {
    for (std::size_t part = 0; part < plan_.parts; ++part) {
      values.push_back(plan_.weight(part, static_cast<std::uint32_t>(first + j)));
    }
  }
  return values;
}

Value OnnxShares::weights_value(std::uint32_t first, std::uint64_t count) {
  return graph_.constant({static_cast<std::int64_t>(count), static_cast<std::int64_t>(plan_.parts)},
                         weights(first, count));
}

Value OnnxShares::weighed(const Value& value, std::size_t count, const std::vector<double>& weights) {
  const auto parts = static_cast<std::int64_t>(plan_.parts), rows = static_cast<std::int64_t>(count);
  return graph_.add(count == 1 ? "Mul" : "MatMul", {value, graph_.constant({rows, parts}, weights)});
}

Value OnnxShares::rounded(const Value& value) {
  if (!plan_.table.single) return value;
  return graph_.cast(graph_.cast(value, Element::kFloat), Element::kDouble);
}

void OnnxShares::take(std::size_t number) {
  switch (encoder(number).kind) {
    case Kind::kNumber:
      return numbers_.push_back(number);
    case Kind::kCategory:
      return take_category(number);
    case Kind::kText:
      return take_text(number);
    case Kind::kDate:
      return take_date(number);
    case Kind::kCross:
      return take_cross(number);
    case Kind::kVector:
      return take_vector(number);
  }
}

Value OnnxShares::sum() {
  take_numbers();
  std::vector<double> offsets;
  for (std::size_t part = 0; part < plan_.parts; ++part) offsets.push_back(plan_.offset(part));
  // Rows × scores also where every share is a list of one number.
  shares_.push_back(graph_.constant({1, static_cast<std::int64_t>(plan_.parts)}, offsets));
  return graph_.add("Sum", shares_);
}

/// All number columns side by side: holes filled, shifted, scaled, rounded, and then one product with their weights.
void OnnxShares::take_numbers() {
  if (numbers_.empty()) return;
  std::vector<Value> columns;
  std::vector<double> fill, shift, factor, theta, theta_hole;
  bool indicators = false;
  for (const std::size_t number : numbers_) {
    const Encoder& e = encoder(number);
    columns.push_back(input_of(e.column));
    fill.push_back(e.fill);
    shift.push_back(e.shift);
    factor.push_back(e.factor);
    indicators = indicators || e.missing;
    const std::vector<double> own = weights(plan_.start[number], 1);
    theta.insert(theta.end(), own.begin(), own.end());
    const std::vector<double> hole =
        e.missing ? weights(plan_.start[number] + 1, 1) : std::vector<double>(plan_.parts, 0.0);
    theta_hole.insert(theta_hole.end(), hole.begin(), hole.end());
  }
  const auto count = static_cast<std::int64_t>(numbers_.size());
  const Value x =
      columns.size() == 1 ? columns[0] : graph_.add("Concat", columns, {attribute("axis", std::int64_t{1})});
  const Value holes = graph_.add("IsNaN", {x});
  const Value filled = graph_.add("Where", {holes, graph_.constant({1, count}, fill), x});
  const Value shifted = graph_.add("Sub", {filled, graph_.constant({1, count}, shift)});
  const Value scaled = graph_.add("Mul", {shifted, graph_.constant({1, count}, factor)});
  shares_.push_back(weighed(rounded(scaled), numbers_.size(), theta));
  if (!indicators) return;
  shares_.push_back(weighed(graph_.cast(holes, Element::kDouble), numbers_.size(), theta_hole));
}

Value OnnxShares::encoded_number(std::size_t number) {
  const Encoder& e = encoder(number);
  const Value x = input_of(e.column);
  const Value filled = graph_.add("Where", {graph_.add("IsNaN", {x}), graph_.scalar(e.fill), x});
  return graph_.add("Mul", {graph_.add("Sub", {filled, graph_.scalar(e.shift)}), graph_.scalar(e.factor)});
}

Value OnnxShares::looked_up(const Value& strings, const Encoder& category, std::uint32_t first, bool hole) {
  // Rows of weights: the values' in order, the hole's where it is looked up, and last what every other value has.
  std::vector<std::string> keys = category.terms;
  std::vector<double> rows = weights(first, keys.size());
  const auto add_row = [&](bool there, std::uint64_t place) {
    const std::vector<double> own =
        there ? weights(static_cast<std::uint32_t>(first + place), 1) : std::vector<double>(plan_.parts, 0.0);
    rows.insert(rows.end(), own.begin(), own.end());
  };
  if (hole) {
    keys.emplace_back();
    add_row(category.missing, category.terms.size() + (category.rare ? 1 : 0));
  }
  add_row(category.rare, category.terms.size());
  const auto count = static_cast<std::int64_t>(keys.size());
  if (keys.empty()) {  // every value is rare
    return graph_.constant({1, static_cast<std::int64_t>(plan_.parts)}, rows);
  }
  const ProtobufMessage key_tensor = attribute("keys_tensor", tensor("keys", {count}, keys));
  if (plan_.parts == 1) {
    const std::vector<double> rare{rows.back()};
    rows.pop_back();
    return graph_.add("LabelEncoder", {strings},
                      {key_tensor, attribute("values_tensor", tensor("values", {count}, rows)),
                       attribute("default_tensor", tensor("default", {1}, rare))},
                      "ai.onnx.ml");
  }
  std::vector<std::int64_t> places(keys.size());
  for (std::int64_t place = 0; place < count; ++place) places[static_cast<std::size_t>(place)] = place;
  const Value place = graph_.add("LabelEncoder", {strings},
                                 {key_tensor, attribute("values_tensor", tensor("values", {count}, places)),
                                  attribute("default_tensor", tensor("default", {1}, one(count)))},
                                 "ai.onnx.ml");
  const Value flat = graph_.add("Reshape", {place, graph_.constant({1}, one(-1))});
  return graph_.add("Gather", {graph_.constant({count + 1, static_cast<std::int64_t>(plan_.parts)}, rows), flat});
}

void OnnxShares::take_vector(std::size_t number) {
  const Encoder& e = encoder(number);
  const Value x = input_of(e.column);
  const Value filled = graph_.add("Where", {graph_.add("IsNaN", {x}), graph_.scalar(e.fill), x});
  shares_.push_back(weighed(rounded(filled), e.size, weights(plan_.start[number], e.size)));
}

Value OnnxShares::is_there(const std::string& column) {
  return graph_.add("LabelEncoder", {input_of(column)},
                    {attribute("keys_tensor", tensor("keys", {1}, std::vector<std::string>{""})),
                     attribute("values_tensor", tensor("values", {1}, std::vector<double>{0})),
                     attribute("default_tensor", tensor("default", {1}, std::vector<double>{1}))},
                    "ai.onnx.ml");
}

void OnnxShares::take_category(std::size_t number) {
  shares_.push_back(looked_up(input_of(encoder(number).column), encoder(number), plan_.start[number], true));
}

void OnnxShares::take_cross(std::size_t number) {
  const Encoder& e = encoder(number);
  const std::uint32_t first = plan_.start[number];
  if (e.cross == Encoder::Cross::kNumbers) {
    const Value product = graph_.add("Mul", {encoded_number(plan_.encoder_of(e.column, Kind::kNumber)),
                                             encoded_number(plan_.encoder_of(e.second, Kind::kNumber))});
    return shares_.push_back(weighed(rounded(product), 1, weights(first, 1)));
  }
  if (e.cross == Encoder::Cross::kNumberCategory) {
    const Value value = rounded(encoded_number(plan_.encoder_of(e.column, Kind::kNumber)));
    const Encoder& category = encoder(plan_.encoder_of(e.second, Kind::kCategory));
    return shares_.push_back(graph_.add("Mul", {value, looked_up(input_of(e.second), category, first, true)}));
  }
  const Value between = graph_.constant({}, std::vector<std::string>{"\x1f"});
  const Value left = graph_.add("StringConcat", {input_of(e.column), between});
  const Value both = graph_.add("StringConcat", {left, input_of(e.second)});
  const Value there = graph_.add("Mul", {is_there(e.column), is_there(e.second)});
  shares_.push_back(graph_.add("Mul", {there, looked_up(both, e, first, false)}));
}

}  // namespace linsep
