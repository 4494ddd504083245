// Writes a model as an ONNX graph. Every encoder gives its share of the scores (rows × scores), and the shares are
// summed.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "export/onnx_graph.h"
#include "export/plan.h"
#include "export/word_pattern.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/export.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

/// Adds each encoder's share of the scores to the graph, as nodes.
class OnnxShares {
 public:
  OnnxShares(const Plan& plan, OnnxGraph& graph) : plan_(plan), graph_(graph) {}

  /// Sets the next of the plan's inputs.
  void set_input(Value value) { inputs_.push_back(std::move(value)); }
  void take(std::size_t encoder);
  /// Returns the scores, rows × scores. Called last.
  Value sum();

 private:
  const std::string& column(std::size_t number) const { return plan_.table.encoders[number].column; }
  Value input_of(const std::string& column) const { return inputs_[plan_.input_of(column)]; }
  /// The weights of features first … first + count − 1, as count × scores.
  std::vector<double> weights(std::uint32_t first, std::uint64_t count) const;
  Value weights_value(std::uint32_t first, std::uint64_t count);
  /// The product of values (rows × count) and their weights. A single value is multiplied, because ONNX Runtime fuses a
  /// scalar factor before MatMul into one operator whose factor is a float.
  Value weighed(const Value& value, std::size_t count, const std::vector<double>& weights);
  /// Rounded to float if the table is.
  Value rounded(const Value& value);

  void take_numbers();
  void take(std::size_t number, const NumberEncoder& /*e*/) { numbers_.push_back(number); }
  void take(std::size_t number, const CategoryEncoder& e);
  void take(std::size_t number, const TextEncoder& e);
  void take(std::size_t number, const DateEncoder& e);
  void take(std::size_t number, const VectorEncoder& e);
  void take(std::size_t number, const CrossEncoder& e);

  /// (x − shift)·factor of a number column, rows × 1, before rounding.
  Value encoded_number(const std::string& column);
  /// The weight of each row's value. `keys` and then `rare` (and the missing value of `category`) have the weights from
  /// `first` on. Pairs have no `category`.
  Value looked_up(const Value& strings, const ValueSet& values, const CategoryEncoder* category, std::uint32_t first);
  /// 1, or 0 if a category is missing.
  Value is_there(const std::string& column);
  Value words_of(const std::string& column);
  Value date_part(const Value& seconds, DateEncoder::Part part);

  const Plan& plan_;
  OnnxGraph& graph_;
  std::vector<Value> inputs_, shares_;
  std::vector<std::size_t> numbers_;    // number encoders, handled together at the end
  std::map<std::string, Value> words_;  // words of text columns
};

using Of = CrossEncoder::Of;

std::vector<std::int64_t> one(std::int64_t value) { return {value}; }

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
  std::visit([&](const auto& kind) { take(number, kind); }, plan_.table.encoders[number].kind);
}

Value OnnxShares::sum() {
  take_numbers();
  std::vector<double> offsets;
  for (std::size_t part = 0; part < plan_.parts; ++part) offsets.push_back(plan_.offset(part));
  // This makes rows × scores even if every share is a list of one number.
  shares_.push_back(graph_.constant({1, static_cast<std::int64_t>(plan_.parts)}, offsets));
  return graph_.add("Sum", shares_);
}

/// All number columns side by side. Missing values are filled, and numbers are shifted, scaled and rounded. Then one
/// product with their weights follows.
void OnnxShares::take_numbers() {
  if (numbers_.empty()) return;
  std::vector<Value> columns;
  std::vector<double> fill, shift, factor, theta, theta_hole;
  bool indicators = false;
  for (const std::size_t number : numbers_) {
    const auto& e = *plan_.table.encoders[number].get<NumberEncoder>();
    columns.push_back(input_of(column(number)));
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

Value OnnxShares::encoded_number(const std::string& column) {
  const auto& e = plan_.settings_of<NumberEncoder>(column);
  const Value x = input_of(column);
  const Value filled = graph_.add("Where", {graph_.add("IsNaN", {x}), graph_.scalar(e.fill), x});
  return graph_.add("Mul", {graph_.add("Sub", {filled, graph_.scalar(e.shift)}), graph_.scalar(e.factor)});
}

Value OnnxShares::looked_up(const Value& strings, const ValueSet& values, const CategoryEncoder* category,
                            std::uint32_t first) {
  // Rows of weights: those of the values in order, that of a missing value if it is looked up, and last that of all
  // other values.
  std::vector<std::string> keys = values.terms;
  std::vector<double> rows = weights(first, keys.size());
  const auto add_row = [&](bool there, std::uint64_t place) {
    const std::vector<double> own =
        there ? weights(static_cast<std::uint32_t>(first + place), 1) : std::vector<double>(plan_.parts, 0.0);
    rows.insert(rows.end(), own.begin(), own.end());
  };
  if (category != nullptr) {
    keys.emplace_back();
    add_row(category->missing, values.terms.size() + (values.rare ? 1 : 0));
  }
  add_row(values.rare, values.terms.size());
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

void OnnxShares::take(std::size_t number, const VectorEncoder& e) {
  const Value x = input_of(column(number));
  // Without a table a missing value has no meaning, and neither does its score.
  const double fill = plan_.model->table.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  const Value filled = graph_.add("Where", {graph_.add("IsNaN", {x}), graph_.scalar(fill), x});
  shares_.push_back(weighed(rounded(filled), e.size, weights(plan_.start[number], e.size)));
}

Value OnnxShares::is_there(const std::string& column) {
  return graph_.add("LabelEncoder", {input_of(column)},
                    {attribute("keys_tensor", tensor("keys", {1}, std::vector<std::string>{""})),
                     attribute("values_tensor", tensor("values", {1}, std::vector<double>{0})),
                     attribute("default_tensor", tensor("default", {1}, std::vector<double>{1}))},
                    "ai.onnx.ml");
}

void OnnxShares::take(std::size_t number, const CategoryEncoder& e) {
  shares_.push_back(looked_up(input_of(column(number)), e, &e, plan_.start[number]));
}

void OnnxShares::take(std::size_t number, const CrossEncoder& e) {
  const std::string& one = column(number);
  const std::uint32_t first = plan_.start[number];
  if (e.of == Of::kNumbers) {
    const Value product = graph_.add("Mul", {encoded_number(one), encoded_number(e.second)});
    return shares_.push_back(weighed(rounded(product), 1, weights(first, 1)));
  }
  if (e.of == Of::kNumberCategory) {
    const Value value = rounded(encoded_number(one));
    const auto& category = plan_.settings_of<CategoryEncoder>(e.second);
    return shares_.push_back(graph_.add("Mul", {value, looked_up(input_of(e.second), category, &category, first)}));
  }
  const Value between = graph_.constant({}, std::vector<std::string>{"\x1f"});
  const Value left = graph_.add("StringConcat", {input_of(one), between});
  const Value both = graph_.add("StringConcat", {left, input_of(e.second)});
  const Value there = graph_.add("Mul", {is_there(one), is_there(e.second)});
  shares_.push_back(graph_.add("Mul", {there, looked_up(both, e, nullptr, first)}));
}

// Texts and dates in ONNX.

using Part = DateEncoder::Part;

struct Grams {
  std::vector<std::string> pool;      // the words of all terms, one after another, by the number of words
  std::vector<std::int64_t> counts;   // where the terms of 1, 2, … words begin
  std::vector<std::int64_t> indexes;  // the place of each term
};

std::vector<std::string> split(const std::string& term) {
  std::vector<std::string> words(1);
  for (const char byte : term) {
    if (byte == ' ') {
      words.emplace_back();
    } else {
      words.back().push_back(byte);
    }
  }
  return words;
}

Grams grams_of(const TextEncoder& e) {
  Grams grams;
  for (int n = 1; n <= e.words.to; ++n) {
    grams.counts.push_back(static_cast<std::int64_t>(grams.pool.size()));
    for (std::size_t place = 0; place < e.terms.size(); ++place) {
      const std::vector<std::string> words = split(e.terms[place]);
      if (words.size() != static_cast<std::size_t>(n)) continue;
      grams.pool.insert(grams.pool.end(), words.begin(), words.end());
      grams.indexes.push_back(static_cast<std::int64_t>(place));
    }
  }
  return grams;
}

Value OnnxShares::words_of(const std::string& column) {
  const auto found = words_.find(column);
  if (found != words_.end()) return found->second;
  const Value lowered =
      graph_.add("StringNormalizer", {input_of(column)},
                 {attribute("case_change_action", std::string("LOWER")),
                  attribute("is_case_sensitive", std::int64_t{1}), attribute("locale", std::string("C.UTF-8"))});
  const Value words = graph_.add("Tokenizer", {lowered},
                                 {attribute("mark", std::int64_t{0}), attribute("mincharnum", std::int64_t{1}),
                                  attribute("pad_value", std::string(1, '\0')), attribute("tokenexp", word_pattern())},
                                 "com.microsoft");
  return words_[column] = words;
}

void OnnxShares::take(std::size_t number, const TextEncoder& e) {
  if (e.terms.empty()) return;
  const auto terms = static_cast<std::int64_t>(e.terms.size());
  const Grams grams = grams_of(e);
  const Value counts =
      graph_.add("TfIdfVectorizer", {words_of(column(number))},
                 {attribute("mode", std::string("TF")), attribute("min_gram_length", std::int64_t{e.words.from}),
                  attribute("max_gram_length", std::int64_t{e.words.to}), attribute("max_skip_count", std::int64_t{0}),
                  attribute("ngram_counts", grams.counts), attribute("ngram_indexes", grams.indexes),
                  attribute("pool_strings", grams.pool)});
  Value value = graph_.cast(counts, Element::kDouble);
  if (e.weight == TermWeight::kSqrt) value = graph_.add("Sqrt", {value});
  if (e.weight == TermWeight::kPresence) value = graph_.add("Min", {value, graph_.scalar(1)});
  if (!e.idf.empty()) value = graph_.add("Mul", {value, graph_.constant({1, terms}, e.idf)});
  if (e.norm) {
    const Value squares = graph_.add("ReduceSumSquare", {value, graph_.constant({1}, std::vector<std::int64_t>{1})},
                                     {attribute("keepdims", std::int64_t{1})});
    const Value length = graph_.add("Sqrt", {squares});
    value = graph_.add("Div", {value, graph_.add("Max", {length, graph_.scalar(std::numeric_limits<double>::min())})});
  }
  shares_.push_back(weighed(rounded(value), e.terms.size(), weights(plan_.start[number], e.terms.size())));
}

/// Whole numbers as doubles, for which ⌊a/b⌋ is exact below 2⁵³. The month is that of the civil calendar. Its years
/// begin in March here and repeat every 400 years, which are 146,097 days.
Value OnnxShares::date_part(const Value& seconds, Part part) {
  const auto number = [&](double value) { return graph_.scalar(value); };
  const auto floor_of = [&](const Value& a, double b) {
    return graph_.add("Floor", {graph_.add("Div", {a, number(b)})});
  };
  const auto plus = [&](const Value& a, const Value& b) { return graph_.add("Add", {a, b}); };
  const auto minus = [&](const Value& a, const Value& b) { return graph_.add("Sub", {a, b}); };
  const auto times = [&](const Value& a, double b) { return graph_.add("Mul", {a, number(b)}); };
  const Value days = floor_of(seconds, 86400);
  if (part == Part::kHour) return floor_of(minus(seconds, times(days, 86400)), 3600);
  if (part == Part::kWeekday) {
    const Value from_monday = plus(days, number(3));
    return minus(from_monday, times(floor_of(from_monday, 7), 7));
  }
  const Value z = plus(days, number(719468));
  const Value day_of_era = minus(z, times(floor_of(z, 146097), 146097));
  const Value leap =
      plus(minus(floor_of(day_of_era, 36524), floor_of(day_of_era, 1460)), times(floor_of(day_of_era, 146096), -1));
  const Value year = floor_of(plus(day_of_era, leap), 365);
  const Value before = plus(times(year, 365), minus(floor_of(year, 4), floor_of(year, 100)));
  const Value march = floor_of(plus(times(minus(day_of_era, before), 5), number(2)), 153);
  const Value shifted = plus(march, number(2));  // 0 is January
  return minus(shifted, times(floor_of(shifted, 12), 12));
}

void OnnxShares::take(std::size_t number, const DateEncoder& e) {
  const Value x = input_of(column(number));
  const Value hole = graph_.add("IsNaN", {x});
  const Value there = graph_.cast(graph_.add("Not", {hole}), Element::kDouble);
  const Value seconds = graph_.add("Floor", {graph_.add("Where", {hole, graph_.scalar(0), x})});
  std::uint32_t first = plan_.start[number];
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      const Value days = graph_.add("Div", {seconds, graph_.scalar(86400)});
      const Value filled = graph_.add("Where", {hole, graph_.scalar(e.fill), days});
      const Value scaled =
          graph_.add("Mul", {graph_.add("Sub", {filled, graph_.scalar(e.shift)}), graph_.scalar(e.factor)});
      shares_.push_back(weighed(rounded(scaled), 1, weights(first, 1)));
      ++first;
      continue;
    }
    const std::uint32_t size = part_features(part);
    const Value place = graph_.cast(date_part(seconds, part), Element::kInt64);
    const Value flat = graph_.add("Reshape", {place, graph_.constant({1}, std::vector<std::int64_t>{-1})});
    const Value weight = graph_.add("Gather", {weights_value(first, size), flat});
    shares_.push_back(graph_.add("Mul", {weight, there}));
    first += size;
  }
  if (e.missing) {
    shares_.push_back(weighed(graph_.cast(hole, Element::kDouble), 1, weights(first, 1)));
  }
}

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
  /// For one score a list over the rows, for several a matrix.
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

  /// Doesn't use the operator Sigmoid, which takes small probabilities for 0 in ONNX Runtime.
  Value sigmoid(const Value& z, const Calibration& calibration) {
    const Value scaled = graph_.add("Mul", {z, graph_.scalar(calibration.slope)});
    const Value f = graph_.add("Add", {scaled, graph_.scalar(calibration.offset)});
    const Value e = graph_.add("Exp", {graph_.add("Neg", {graph_.add("Abs", {f})})});
    const Value above = graph_.add("GreaterOrEqual", {f, graph_.scalar(0)});
    const Value part = graph_.add("Where", {above, graph_.scalar(1), e});
    return graph_.add("Div", {part, graph_.add("Add", {e, graph_.scalar(1)})});
  }

  /// Interpolates linearly between the knots. The number of knots at or below z selects the two knots.
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

/// Adds the outputs. `scores` is rows × scores.
void add_answers(const Model& model, OnnxGraph& graph, const Value& scores) { Answers(model, graph, scores).add(); }

Language onnx_language() {
  Language language;
  language.name = "ONNX";
  language.nul = true;
  return language;
}

Value input_value(OnnxGraph& graph, const Input& input) {
  switch (input.kind) {
    case ColumnKind::kCategory:
      return graph.input(input.name, Element::kString, {-1, 1});
    case ColumnKind::kText:
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

namespace {

// A model of numbers as an ONNX graph in floats, with one product of the rows and the weights.

void check_numbers(const TableMap& table) {
  for (const Encoder& encoder : table.encoders) {
    if (encoder.is<VectorEncoder>() || (encoder.is<NumberEncoder>() && !encoder.has_indicator())) continue;
    throw options_error({"float"}, fmt::format("{{}} needs numbers without missing values: column '{}' isn't one",
                                               shown_text(encoder.column)));
  }
}

/// The weights of the columns as they are written (columns × scores), and what is added.
struct Affine {
  std::vector<double> weights, offsets;
};

/// Turns θ·(x − shift)·factor into a weight of x and an intercept.
Affine affine_of(const Plan& plan) {
  Affine all;
  for (std::size_t part = 0; part < plan.parts; ++part) all.offsets.push_back(plan.offset(part));
  for (std::size_t e = 0; e < plan.table.encoders.size(); ++e) {
    const Scaling* own = plan.table.encoders[e].scaling();
    const Scaling scaling = own != nullptr ? *own : Scaling();
    for (std::uint32_t feature = plan.start[e]; feature < plan.start[e + 1]; ++feature) {
      for (std::size_t part = 0; part < plan.parts; ++part) {
        const double weight = plan.weight(part, feature) * scaling.factor;
        all.weights.push_back(weight);
        all.offsets[part] -= weight * scaling.shift;
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
