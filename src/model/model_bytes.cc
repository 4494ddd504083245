// Model files (docs/reference/formats/model.md). This file has what must hold of every model, the JSON object, with its
// arrays in full or only their lengths, and the binary form, whose arrays follow a JSON header.
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/json.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "map/feature_map.h"
#include "model/model.h"
#include "model/stop_reason.h"
#include "table/table_object.h"

namespace linsep {
namespace {

constexpr std::string_view kFormatName = "linsep model";
constexpr std::uint32_t kFormatVersion = 4;  ///< the latest. Every earlier one is read too

/// "" for a version that this program reads.
std::string version_problem(std::uint64_t version) {
  if (version >= 1 && version <= kFormatVersion) return "";
  return fmt::format("the model has version {} of the format; this program reads versions 1 to {}", version,
                     kFormatVersion);
}

/// A model is written in the earliest version that can express it. 2 has `table` and `threshold`, 3 `open_zeros`, 4
/// `training`.
int version_of(const Model& model) {
  if (model.training != TrainingRecord{}) return 4;
  if (model.open_zeros) return 3;
  return model.table.empty() && model.threshold == 0 ? 1 : 2;
}

/// How many numbers each array of a binary file holds.
struct ArrayLengths {
  std::uint64_t theta = 0;
  std::uint64_t coefficient = 0;
  std::uint64_t votes = 0;
  std::uint64_t kept_value = 0;
  std::uint64_t kept_start = 0;
  std::uint64_t kept_column = 0;
  std::uint64_t offsets = 0;
  std::vector<EncoderLengths> table;  ///< one for each encoder
};

enum class Arrays { kInPlace, kLengthsOnly };

constexpr std::array<std::pair<Model::Form, std::string_view>, 5> kFormNames{{{Model::Form::kLinear, "linear"},
                                                                              {Model::Form::kDual, "dual"},
                                                                              {Model::Form::kVoted, "voted"},
                                                                              {Model::Form::kClasses, "classes"},
                                                                              {Model::Form::kLabels, "labels"}}};

/// The forms that keep rows, and those with several scores per row.
constexpr bool keeps_rows(Model::Form form) { return form == Model::Form::kDual || form == Model::Form::kVoted; }
constexpr bool has_parts(Model::Form form) { return form == Model::Form::kClasses || form == Model::Form::kLabels; }

constexpr std::array<std::pair<Kernel::Kind, std::string_view>, 3> kKernelNames{
    {{Kernel::Kind::kLinear, "linear"},
     {Kernel::Kind::kPolynomial, "polynomial"},
     {Kernel::Kind::kGaussian, "gaussian"}}};

constexpr std::array<std::pair<Calibration::Kind, std::string_view>, 4> kCalibrationNames{
    {{Calibration::Kind::kNone, "none"},
     {Calibration::Kind::kSigmoid, "sigmoid"},
     {Calibration::Kind::kIsotonic, "isotonic"},
     {Calibration::Kind::kSoftmax, "softmax"}}};

/// A kernel's degree beyond this is surely a mistake.
constexpr int kMaxDegree = 1000;

std::string length_problem(std::string_view what, std::size_t found, std::size_t expected) {
  if (found == expected) return "";
  return fmt::format("{} should hold {} numbers but holds {}", what, expected, found);
}

std::string finite_problem(std::string_view what, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) return fmt::format("number {} of {} is not finite", i + 1, what);
  }
  return "";
}

std::string kept_problem(const KeptRows& kept, std::uint32_t mapped) {
  if (kept.start.empty() || kept.start.front() != 0) return "the first offset of the kept rows should be 0";
  if (kept.start.back() != kept.column.size())
    return "the last offset of the kept rows should be their number of columns";
  if (auto problem = length_problem("the kept rows' values", kept.value.size(), kept.column.size()); !problem.empty()) {
    return problem;
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.start[i] > kept.start[i + 1] || kept.start[i + 1] > kept.column.size()) {
      return fmt::format("the offsets of the kept rows don't ascend at row {}", i + 1);
    }
    for (std::uint64_t k = kept.start[i]; k < kept.start[i + 1]; ++k) {
      if (kept.column[k] >= mapped) return fmt::format("kept row {} has a column beyond the features", i + 1);
      if (k > kept.start[i] && kept.column[k] <= kept.column[k - 1]) {
        return fmt::format("the columns of kept row {} don't ascend", i + 1);
      }
    }
  }
  return finite_problem("the kept rows' values", kept.value);
}

std::string options_problem(const Options& options) {
  for (const auto& [name, value] : options) {
    const auto* number = std::get_if<double>(&value);
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    std::string problem;
    if (number != nullptr) problem = finite_problem("option " + name, std::span(number, 1));
    if (numbers != nullptr) problem = finite_problem("option " + name, *numbers);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string kernel_problem(const Kernel& kernel) {
  if (kernel.degree < 1 || kernel.degree > kMaxDegree) {
    return fmt::format("the kernel's degree should be 1 to {} but is {}", kMaxDegree, kernel.degree);
  }
  if (!std::isfinite(kernel.constant)) return "the kernel's constant is not finite";
  if (!std::isfinite(kernel.gamma) || kernel.gamma < 0) return "the kernel's gamma should be a number of at least 0";
  return "";
}

std::string knots_problem(const Calibration& calibration) {
  const auto& score = calibration.score;
  const auto& probability = calibration.probability;
  if (score.empty()) return "an isotonic calibration needs at least one knot";
  std::string problem = length_problem("calibration.probability", probability.size(), score.size());
  if (problem.empty()) problem = finite_problem("calibration.score", score);
  if (!problem.empty()) return problem;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (!(probability[i] >= 0 && probability[i] <= 1)) {
      return fmt::format("number {} of calibration.probability should be from 0 to 1", i + 1);
    }
    if (i > 0 && !(score[i] > score[i - 1])) return "the scores of the calibration's knots don't ascend";
    if (i > 0 && probability[i] < probability[i - 1]) return "the probabilities of the calibration's knots descend";
  }
  return "";
}

std::string calibration_problem(const Calibration& calibration) {
  using Kind = Calibration::Kind;
  if (calibration.kind != Kind::kSigmoid && (calibration.slope != 1 || calibration.offset != 0)) {
    return "only a sigmoid calibration has a slope and an offset";
  }
  if (calibration.kind == Kind::kIsotonic) return knots_problem(calibration);
  if (!calibration.score.empty() || !calibration.probability.empty()) return "only an isotonic calibration has knots";
  if (!std::isfinite(calibration.slope)) return "the calibration's slope is not finite";
  if (!std::isfinite(calibration.offset)) return "the calibration's offset is not finite";
  return "";
}

/// REQUIRES: the sizes of the model are right.
std::string probabilities_problem(const Model& model) {
  using Kind = Calibration::Kind;
  const Kind kind = model.calibration.kind;
  std::string problem = calibration_problem(model.calibration);
  if (!problem.empty()) return problem;
  if (model.regression && kind != Kind::kNone) return "a regression has no probabilities";
  const bool softmax = kind == Kind::kSoftmax;
  if (softmax != (kind != Kind::kNone && !model.offsets.empty()) || (softmax && model.form == Model::Form::kLabels)) {
    return "a softmax calibration is for several classes, and the only one they can have";
  }
  if (model.calibrations.empty()) return "";
  if (softmax) return "there are calibrations besides the softmax";
  if (model.calibrations.size() != model.offsets.size()) {
    return fmt::format("there should be {} calibrations, not {}", model.offsets.size(), model.calibrations.size());
  }
  for (const Calibration& own : model.calibrations) {
    if (own.kind == Kind::kNone || own.kind == Kind::kSoftmax) return "a score's calibration is sigmoid or isotonic";
    if (problem = calibration_problem(own); !problem.empty()) return problem;
  }
  return "";
}

std::string schema_problem(const Model& model) {
  const auto& classes = model.schema.classes;
  const auto& labels = model.schema.labels;
  if (model.form == Model::Form::kClasses) {
    if (classes.size() < 2) return "there should be at least two classes";
    if (std::set<std::string>(classes.begin(), classes.end()).size() != classes.size())
      return "two classes are the same";
  } else if (model.form == Model::Form::kLabels) {
    if (labels.empty()) return "there should be a label column";
    if (classes.size() != 2 * labels.size()) return "there should be two classes for each label column";
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (classes[2 * k] == classes[2 * k + 1]) return "the two classes of a label column should be different";
    }
  } else if (!classes.empty() && (classes.size() != 2 || classes[0] == classes[1])) {
    return "there should be two different classes";
  }
  if (model.form != Model::Form::kLabels && !labels.empty()) return "only a model of label columns names them";
  if (!model.schema.combinations.empty()) return "a model has no combinations of labels";
  if (model.regression && !classes.empty()) return "a regression has no classes";
  const auto& names = model.schema.feature_names;
  if (!names.empty() && names.size() != model.features) {
    return fmt::format("there are {} feature names for {} features", names.size(), model.features);
  }
  return "";
}

std::string table_problem(const Model& model) {
  if (model.table.empty()) return "";
  if (std::string problem = problem_of(model.table); !problem.empty()) return problem;
  const std::uint32_t encoded = encoder_starts(model.table).back();
  if (encoded != model.features)
    return fmt::format("the table has {} features, but the model has {}", encoded, model.features);
  return model.schema.feature_names.empty() ? "" : "a model with a table takes its feature names from there";
}

std::string threshold_problem(const Model& model) {
  if (model.threshold == 0) return "";
  if (!std::isfinite(model.threshold)) return "the threshold is not finite";
  return model.regression || !model.offsets.empty() ? "only a model of two classes has a threshold" : "";
}

std::string training_problem(const TrainingRecord& training) {
  const auto sound = [](const std::optional<double>& number) {
    return !number || (std::isfinite(*number) && *number >= 0);
  };
  if (!sound(training.objective)) return "training.objective should be a number of at least 0";
  if (!sound(training.bound)) return "training.bound should be a number of at least 0";
  if (!sound(training.gap)) return "training.gap should be a number of at least 0";
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::string& root = training.root;
  if (!root.empty() && (root.size() != 64 || root.find_first_not_of(kDigits) != std::string::npos)) {
    return "training.root should be 64 hexadecimal digits";
  }
  return "";
}

std::string map_problem(const Model& model, std::uint32_t& mapped) {
  try {
    mapped = mapped_features(model.map, model.features);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string sizes_problem(const Model& model, std::uint32_t mapped) {
  const bool dual = model.form == Model::Form::kDual;
  const bool voted = model.form == Model::Form::kVoted;
  const std::size_t parts = model.form == Model::Form::kClasses  ? model.schema.classes.size()
                            : model.form == Model::Form::kLabels ? model.schema.labels.size()
                                                                 : 0;
  std::string problem =
      length_problem("theta", model.theta.size(), dual ? 0 : std::max<std::size_t>(parts, 1) * mapped);
  if (problem.empty()) problem = length_problem("offsets", model.offsets.size(), parts);
  if (problem.empty() && parts > 0 && model.regression) problem = "a regression has one score";
  if (problem.empty() && !dual && !voted && model.kept.size() != 0) problem = "a linear model keeps no rows";
  if (problem.empty()) problem = length_problem("coefficient", model.coefficient.size(), model.kept.size());
  if (problem.empty()) problem = length_problem("votes", model.votes.size(), voted ? model.kept.size() + 1 : 0);
  return problem;
}

}  // namespace

namespace {

bool are_zeros(std::span<const std::uint64_t> weights, std::span<const double> theta) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] >= theta.size() || theta[weights[k]] != 0 || (k > 0 && weights[k] <= weights[k - 1])) return false;
  }
  return true;
}

}  // namespace

std::string problem_of(const Model& model) {
  std::uint32_t mapped = 0;
  std::string problem = schema_problem(model);
  if (problem.empty()) problem = table_problem(model);
  if (problem.empty()) problem = threshold_problem(model);
  if (problem.empty()) problem = map_problem(model, mapped);
  if (problem.empty()) problem = kept_problem(model.kept, mapped);
  if (problem.empty()) problem = sizes_problem(model, mapped);
  if (problem.empty()) problem = finite_problem("theta", model.theta);
  if (problem.empty()) problem = finite_problem("coefficient", model.coefficient);
  if (problem.empty()) problem = finite_problem("votes", model.votes);
  if (problem.empty()) problem = finite_problem("offsets", model.offsets);
  if (problem.empty() && !std::isfinite(model.offset)) problem = "the offset is not finite";
  if (problem.empty() && !model.offsets.empty() && model.offset != 0)
    problem = "there is an offset besides the list of offsets";
  const auto zero = [](double offset) { return offset == 0; };
  if (problem.empty() && model.origin && !(zero(model.offset) && std::ranges::all_of(model.offsets, zero)))
    problem = "the offset of a model through the origin should be 0";
  if (problem.empty()) problem = kernel_problem(model.kernel);
  if (problem.empty()) problem = options_problem(model.options);
  if (problem.empty()) problem = probabilities_problem(model);
  if (problem.empty() && !(std::isfinite(model.weight_error) && model.weight_error >= 0)) {
    problem = "weight_error should be a number of at least 0";
  }
  if (problem.empty() && model.open_zeros && !are_zeros(*model.open_zeros, model.theta)) {
    problem = "open_zeros should be ascending numbers of weights that are 0";
  }
  if (problem.empty()) problem = training_problem(model.training);
  return problem;
}

namespace {

/// The text shows the kind: 3 is an integer, 3.0 a number.
void append_option(std::string& out, const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    out += *flag ? "true" : "false";
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out += fmt::to_string(*integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    const std::size_t before = out.size();
    append_json_number(out, *number);
    if (out.find_first_of(".e", before) == std::string::npos) out += ".0";
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    append_json_word(out, *word);
  } else {
    append_json_numbers(out, std::span(std::get<std::vector<double>>(value)));
  }
}

class Writer {
 public:
  explicit Writer(Arrays arrays) : arrays_(arrays) {}

  std::string write(const Model& model) {
    out_ += '{';
    JsonFields fields(out_, "\n  ");
    append_json_word(fields["format"], kFormatName);
    append_json_number(fields["version"], version_of(model));
    append_json_word(fields["learner"], model.learner);
    fields["options"];
    options(model.options);
    fields["form"] += fmt::format("\"{}\"", name_in(kFormNames, model.form));
    fields["origin"] += model.origin ? "true" : "false";
    fields["regression"] += model.regression ? "true" : "false";
    append_json_words(fields["classes"], model.schema.classes);
    if (model.form == Model::Form::kLabels) append_json_words(fields["labels"], model.schema.labels);
    fields["features"] += fmt::to_string(model.features);
    if (!model.schema.feature_names.empty()) append_json_words(fields["feature_names"], model.schema.feature_names);
    if (!model.table.empty()) {
      fields["table"] +=
          table_object_text(model.table, arrays_ == Arrays::kInPlace ? TableLists::kInPlace : TableLists::kLengthsOnly);
    }
    fields["map"] += fmt::format("\"{}\"", map_text(model.map));
    if (model.form != Model::Form::kDual) array(fields, "theta", std::span(model.theta));
    append_json_number(fields["offset"], model.offset);
    if (has_parts(model.form)) array(fields, "offsets", std::span(model.offsets));
    if (model.form == Model::Form::kDual) {
      fields["kernel"];
      kernel(model.kernel);
    }
    if (keeps_rows(model.form)) {
      fields["kept"];
      kept(model.kept);
      array(fields, "coefficient", std::span(model.coefficient));
    }
    if (model.form == Model::Form::kVoted) array(fields, "votes", std::span(model.votes));
    if (model.calibration.kind != Calibration::Kind::kNone) {
      fields["calibration"];
      calibration(model.calibration);
    }
    if (model.weight_error > 0) append_json_number(fields["weight_error"], model.weight_error);
    if (!model.calibrations.empty()) {
      fields["calibrations"];
      calibrations(model.calibrations);
    }
    if (model.threshold != 0) append_json_number(fields["threshold"], model.threshold);
    if (model.open_zeros) append_json_numbers(fields["open_zeros"], std::span(*model.open_zeros));
    if (model.training != TrainingRecord{}) {
      fields["training"];
      training(model.training);
    }
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  template <class Number>
  void array(JsonFields& fields, const char* key, std::span<const Number> numbers) {
    std::string& out = fields[key];
    if (arrays_ == Arrays::kInPlace) {
      append_json_numbers(out, numbers);
    } else {
      out += fmt::to_string(numbers.size());
    }
  }

  void options(const Options& options) {
    out_ += '{';
    JsonFields fields(out_, "\n    ");
    for (const auto& [name, value] : options) append_option(fields[name], value);
    out_ += options.empty() ? "}" : "\n  }";
  }

  void kernel(const Kernel& kernel) {
    out_ += '{';
    JsonFields fields(out_, "\n    ");
    fields["kind"] += fmt::format("\"{}\"", name_in(kKernelNames, kernel.kind));
    fields["degree"] += fmt::to_string(kernel.degree);
    append_json_number(fields["constant"], kernel.constant);
    append_json_number(fields["gamma"], kernel.gamma);
    out_ += "\n  }";
  }

  // There are few knots, so they stand here in the binary form too.
  void calibration(const Calibration& calibration) {
    out_ += '{';
    JsonFields fields(out_, "\n    ");
    fields["kind"] += fmt::format("\"{}\"", name_in(kCalibrationNames, calibration.kind));
    if (calibration.kind == Calibration::Kind::kSigmoid) {
      append_json_number(fields["slope"], calibration.slope);
      append_json_number(fields["offset"], calibration.offset);
    } else if (calibration.kind == Calibration::Kind::kIsotonic) {
      append_json_numbers(fields["score"], std::span(calibration.score));
      append_json_numbers(fields["probability"], std::span(calibration.probability));
    }
    out_ += "\n  }";
  }

  void training(const TrainingRecord& training) {
    out_ += '{';
    JsonFields fields(out_, "\n    ");
    if (training.stopped) append_json_word(fields["stopped"], stop_reason_name(*training.stopped));
    if (training.objective) append_json_number(fields["objective"], *training.objective);
    if (training.bound) append_json_number(fields["bound"], *training.bound);
    if (training.gap) append_json_number(fields["gap"], *training.gap);
    if (!training.root.empty()) append_json_word(fields["root"], training.root);
    out_ += "\n  }";
  }

  void calibrations(const std::vector<Calibration>& all) {
    out_ += '[';
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out_ += ", ";
      calibration(all[i]);
    }
    out_ += ']';
  }

  void kept(const KeptRows& kept) {
    out_ += '{';
    JsonFields fields(out_, "\n    ");
    array(fields, "start", std::span(kept.start));
    array(fields, "column", std::span(kept.column));
    array(fields, "value", std::span(kept.value));
    out_ += "\n  }";
  }

  Arrays arrays_;
  std::string out_;
};

/// The object as text, with keys always in the same order and a newline at its end. REQUIRES: problem_of(model) is "".
std::string object_text(const Model& model, Arrays arrays) { return Writer(arrays).write(model); }

using nlohmann::json;

OptionValue option(const json& value, const std::string& path) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_float()) return value.get<double>();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    throw wrong_json(path, "an integer of 64 bits");
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_array()) return json_numbers<double>(value, path);
  return json_word(value, path);
}

template <class Number>
void array(JsonObject& reader, const std::string& key, Arrays arrays, std::vector<Number>& result,
           std::uint64_t& length) {
  if (arrays == Arrays::kInPlace) {
    result = json_numbers<Number>(reader, key);
    length = result.size();
  } else {
    length = json_integer<std::uint64_t>(reader, key);
  }
}

FeatureMap map_field(JsonObject& reader) {
  try {
    return parse_map(json_word(reader, "map"));
  } catch (const Error& error) {
    throw BadJson{fmt::format("the field \"map\": {}", error.what())};
  }
}

TableMap table_field(JsonObject& reader, Arrays arrays, ArrayLengths& lengths) {
  const TableLists lists = arrays == Arrays::kInPlace ? TableLists::kInPlace : TableLists::kLengthsOnly;
  TableMap table = table_of_object(reader.field("table"), "table", lists, lengths.table);
  if (table.empty()) throw wrong_json("table.columns", "a list of at least one column");
  return table;
}

Kernel kernel_of(const json& value) {
  JsonObject reader(value, "kernel");
  Kernel kernel;
  kernel.kind = json_choice(reader, "kind", kKernelNames);
  kernel.degree = json_integer<int>(reader, "degree");
  kernel.constant = json_number(reader, "constant");
  kernel.gamma = json_number(reader, "gamma");
  reader.finish();
  return kernel;
}

KeptRows kept_of(const json& value, Arrays arrays, ArrayLengths& lengths) {
  JsonObject reader(value, "kept");
  KeptRows kept;
  array(reader, "start", arrays, kept.start, lengths.kept_start);
  array(reader, "column", arrays, kept.column, lengths.kept_column);
  array(reader, "value", arrays, kept.value, lengths.kept_value);
  reader.finish();
  return kept;
}

Calibration calibration_of(const json& value, const std::string& path) {
  JsonObject reader(value, path);
  Calibration calibration;
  calibration.kind = json_choice(reader, "kind", kCalibrationNames);
  if (calibration.kind == Calibration::Kind::kSigmoid) {
    calibration.slope = json_number(reader, "slope");
    calibration.offset = json_number(reader, "offset");
  } else if (calibration.kind == Calibration::Kind::kIsotonic) {
    calibration.score = json_numbers<double>(reader, "score");
    calibration.probability = json_numbers<double>(reader, "probability");
  }
  reader.finish();
  return calibration;
}

std::vector<Calibration> calibrations_of(const json& value) {
  if (!value.is_array() || value.empty()) throw wrong_json("calibrations", "a list of objects");
  std::vector<Calibration> all;
  for (const json& item : value) all.push_back(calibration_of(item, fmt::format("calibrations[{}]", all.size())));
  return all;
}

TrainingRecord training_of(const json& value) {
  JsonObject reader(value, "training");
  TrainingRecord training;
  const auto number = [&](const char* key, std::optional<double>& result) {
    if (reader.has(key)) result = json_number(reader, key);
  };
  if (reader.has("stopped")) training.stopped = json_choice(reader, "stopped", kStopReasonNames);
  number("objective", training.objective);
  number("bound", training.bound);
  number("gap", training.gap);
  if (reader.has("root")) training.root = json_word(reader, "root");
  reader.finish();
  return training;
}

Model model_of(const json& object, Arrays arrays, ArrayLengths& lengths) {
  JsonObject reader(object, "");
  if (json_word(reader, "format") != kFormatName) throw wrong_json("format", fmt::format("\"{}\"", kFormatName));
  const int version = json_integer<int>(reader, "version");
  if (std::string problem = version_problem(version); !problem.empty()) throw BadJson{problem};
  Model model;
  model.learner = json_word(reader, "learner");
  const json& options = reader.field("options");
  if (!options.is_object()) throw wrong_json("options", "an object");
  for (const auto& [name, value] : options.items()) model.options[name] = option(value, "options." + name);
  model.form = json_choice(reader, "form", kFormNames);
  model.origin = json_flag(reader, "origin");
  model.regression = json_flag(reader, "regression");
  model.schema.classes = json_words(reader, "classes");
  if (model.form == Model::Form::kLabels) model.schema.labels = json_words(reader, "labels");
  model.features = json_integer<std::uint32_t>(reader, "features");
  if (reader.has("feature_names")) model.schema.feature_names = json_words(reader, "feature_names");
  if (version > 1 && reader.has("table")) model.table = table_field(reader, arrays, lengths);
  model.map = map_field(reader);
  if (model.form != Model::Form::kDual) array(reader, "theta", arrays, model.theta, lengths.theta);
  model.offset = json_number(reader, "offset");
  if (has_parts(model.form)) array(reader, "offsets", arrays, model.offsets, lengths.offsets);
  if (model.form == Model::Form::kDual) model.kernel = kernel_of(reader.field("kernel"));
  if (keeps_rows(model.form)) {
    model.kept = kept_of(reader.field("kept"), arrays, lengths);
    array(reader, "coefficient", arrays, model.coefficient, lengths.coefficient);
  }
  if (model.form == Model::Form::kVoted) array(reader, "votes", arrays, model.votes, lengths.votes);
  if (reader.has("calibration")) model.calibration = calibration_of(reader.field("calibration"), "calibration");
  if (reader.has("calibrations")) model.calibrations = calibrations_of(reader.field("calibrations"));
  if (reader.has("weight_error")) model.weight_error = json_number(reader, "weight_error");
  if (version > 1 && reader.has("threshold")) model.threshold = json_number(reader, "threshold");
  if (version > 2 && reader.has("open_zeros")) model.open_zeros = json_numbers<std::uint64_t>(reader, "open_zeros");
  if (version > 3 && reader.has("training")) model.training = training_of(reader.field("training"));
  reader.finish();
  return model;
}

/// Reads an object back. With kLengthsOnly the model's arrays stay empty, and `lengths` gets how long they are to be.
/// Throws an input Error. What only the complete model can show is left to problem_of.
Model object_model(std::string_view text, const std::string& name_for_errors, Arrays arrays, ArrayLengths& lengths) {
  return read_json_text(text, name_for_errors, "a model file",
                        [&](const json& object) { return model_of(object, arrays, lengths); });
}

// The binary form of a model file has a prefix, the JSON object with the arrays' lengths, the arrays and a checksum.
// docs/reference/formats/model.md gives the layout byte by byte.

static_assert(std::endian::native == std::endian::little, "model files are little-endian and copied as they stand");

constexpr std::string_view kMagic = "\x89LINSEP\n";
constexpr std::size_t kPrefix = 24;  // magic, version, reserved, length of the object
constexpr std::size_t kChecksum = 8;

template <class Integer>
void append_integer(std::string& out, Integer value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Integer>
Integer integer_at(std::string_view bytes, std::size_t at) {
  Integer value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void pad(std::string& out, char with) { out.append((8 - out.size() % 8) % 8, with); }

template <class Number>
void append_array(std::string& out, const std::vector<Number>& numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  pad(out, '\0');
}

/// Goes through the arrays of a file. Every length is checked before it is trusted.
class ArrayReader {
 public:
  ArrayReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  /// A vector of numbers, or a string of bytes.
  template <class Numbers>
  void read(std::uint64_t length, Numbers& result) {
    using Number = typename Numbers::value_type;
    if (length > bytes_.size() / sizeof(Number)) {
      throw Error(Place{name_}, "not a model file: it is shorter than its header says");
    }
    result.resize(length);
    const std::size_t size = length * sizeof(Number);
    bytes_.copy(reinterpret_cast<char*>(result.data()), size);
    bytes_.remove_prefix(std::min(bytes_.size(), (size + 7) / 8 * 8));
  }

  /// The ends of the strings, one after another, followed by their bytes.
  std::vector<std::string> read_words(std::uint64_t length) {
    std::vector<std::uint64_t> ends;
    std::string bytes;
    read(length, ends);
    read(ends.empty() ? 0 : ends.back(), bytes);
    std::vector<std::string> words;
    words.reserve(ends.size());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      if (end < begin || end > bytes.size())
        throw Error(Place{name_}, "not a model file: the ends of strings don't ascend");
      words.push_back(bytes.substr(begin, end - begin));
      begin = end;
    }
    return words;
  }

  void finish() const {
    if (!bytes_.empty()) throw Error(Place{name_}, "not a model file: it is longer than its header says");
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

void append_words(std::string& out, const std::vector<const std::string*>& words) {
  std::vector<std::uint64_t> ends;
  ends.reserve(words.size());
  std::uint64_t end = 0;
  for (const std::string* word : words) ends.push_back(end += word->size());
  append_array(out, ends);
  for (const std::string* word : words) out += *word;
  pad(out, '\0');
}

void append_lists(std::string& out, const Encoder& encoder) {
  const TermSet* set = encoder.terms();
  if (set == nullptr) return;
  std::vector<const std::string*> words;
  for (const std::string& term : set->terms) words.push_back(&term);
  append_words(out, words);
  append_array(out, set->buckets);
  std::vector<std::uint32_t> named;
  words.clear();
  for (const BucketName& name : set->names) {
    named.push_back(name.bucket);
    words.insert(words.end(), {&name.first, &name.second});
  }
  append_array(out, named);
  append_words(out, words);
  if (const auto* text = encoder.get<TextEncoder>()) append_array(out, text->idf);
}

void read_lists(ArrayReader& arrays, const EncoderLengths& lengths, Encoder& encoder) {
  TermSet* set = encoder.terms();
  if (set == nullptr) return;
  set->terms = arrays.read_words(lengths.terms);
  arrays.read(lengths.buckets, set->buckets);
  std::vector<std::uint32_t> named;
  arrays.read(lengths.names, named);
  std::vector<std::string> words = arrays.read_words(2 * named.size());
  set->names.reserve(named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    set->names.push_back({named[i], std::move(words[2 * i]), std::move(words[2 * i + 1])});
  }
  if (auto* text = encoder.get<TextEncoder>()) arrays.read(lengths.idf, text->idf);
}

Model from_binary(std::string_view bytes, const std::string& name) {
  const auto bad = [&](const std::string& message) { return Error(Place{name}, "not a model file: " + message); };
  if (bytes.size() < kPrefix + kChecksum) throw bad("it ends within its prefix");
  const auto version = integer_at<std::uint32_t>(bytes, 8);
  if (const std::string problem = version_problem(version); !problem.empty()) throw bad(problem);
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (XXH3_64bits(content.data(), content.size()) != integer_at<std::uint64_t>(bytes, content.size())) {
    throw bad("its checksum is wrong: the file is damaged or cut short");
  }
  if (integer_at<std::uint32_t>(bytes, 12) != 0) throw bad("its reserved bytes should be 0");
  const auto object_size = integer_at<std::uint64_t>(bytes, 16);
  if (object_size > content.size() - kPrefix || object_size % 8 != 0) throw bad("its header has an impossible length");
  ArrayLengths lengths;
  Model model = object_model(content.substr(kPrefix, object_size), name, Arrays::kLengthsOnly, lengths);
  if (version_of(model) > static_cast<int>(version)) throw bad("its prefix has another version than its header");
  ArrayReader arrays(content.substr(kPrefix + object_size), name);
  arrays.read(lengths.theta, model.theta);
  arrays.read(lengths.coefficient, model.coefficient);
  arrays.read(lengths.votes, model.votes);
  arrays.read(lengths.kept_value, model.kept.value);
  if (keeps_rows(model.form)) arrays.read(lengths.kept_start, model.kept.start);
  arrays.read(lengths.kept_column, model.kept.column);
  arrays.read(lengths.offsets, model.offsets);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    read_lists(arrays, lengths.table[i], model.table.encoders[i]);
  }
  arrays.finish();
  return model;
}

void require_sound(const Model& model) {
  const std::string problem = problem_of(model);
  if (!problem.empty()) throw input_error("the model can't be written: " + problem);
}

}  // namespace

bool is_model_bytes(std::string_view bytes) {
  if (bytes.starts_with(kMagic)) return true;
  constexpr std::size_t kStart = 200;
  const std::string_view start = bytes.substr(0, kStart);
  const std::size_t at = start.find("\"format\"");
  return start.find_first_not_of(" \t\r\n") == start.find('{') && at != std::string_view::npos &&
         start.substr(at).starts_with(fmt::format("\"format\": \"{}\"", kFormatName));
}

std::string model_to_json(const Model& model) {
  require_sound(model);
  return object_text(model, Arrays::kInPlace);
}

std::string model_to_binary(const Model& model) {
  require_sound(model);
  std::string object = object_text(model, Arrays::kLengthsOnly);
  pad(object, ' ');
  std::string out(kMagic);
  append_integer(out, static_cast<std::uint32_t>(version_of(model)));
  append_integer(out, std::uint32_t{0});
  append_integer(out, static_cast<std::uint64_t>(object.size()));
  out += object;
  append_array(out, model.theta);
  append_array(out, model.coefficient);
  append_array(out, model.votes);
  append_array(out, model.kept.value);
  if (keeps_rows(model.form)) append_array(out, model.kept.start);
  append_array(out, model.kept.column);
  append_array(out, model.offsets);
  for (const Encoder& encoder : model.table.encoders) append_lists(out, encoder);
  append_integer(out, static_cast<std::uint64_t>(XXH3_64bits(out.data(), out.size())));
  return out;
}

Model model_from_bytes(std::string_view bytes, const std::string& name_for_errors) {
  Model model;
  if (bytes.starts_with(kMagic)) {
    model = from_binary(bytes, name_for_errors);
  } else {
    ArrayLengths lengths;
    model = object_model(bytes, name_for_errors, Arrays::kInPlace, lengths);
  }
  const std::string problem = problem_of(model);
  if (!problem.empty()) throw Error(Place{name_for_errors}, "not a model file: " + problem);
  return model;
}

}  // namespace linsep
