#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "linsep/error.h"
#include "map/feature_map.h"
#include "model/object.h"
#include "model/object_names.h"

namespace linsep {
namespace {

using nlohmann::json;

/// A problem inside the object; the caller adds the file's name.
struct Bad {
  std::string message;
};

/// One JSON object, read field by field. Every field must be asked for: finish() refuses the rest.
class Reader {
 public:
  Reader(const json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object_.is_object()) throw Bad{path_.empty() ? "should be a JSON object" : path_ + " should be an object"};
  }

  bool has(const std::string& key) const { return object_.contains(key); }
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const json& field(const std::string& key) {
    asked_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) throw Bad{fmt::format("the field \"{}\" is missing", path(key))};
    return *found;
  }

  void finish() const {
    for (const auto& [key, value] : object_.items()) {
      if (!asked_.contains(key)) throw Bad{fmt::format("the field \"{}\" is not one of this format", path(key))};
    }
  }

 private:
  const json& object_;
  std::string path_;
  std::set<std::string> asked_;
};

Bad wrong(const std::string& path, std::string_view expected) {
  return Bad{fmt::format("the field \"{}\" should be {}", path, expected)};
}

bool flag(Reader& reader, const std::string& key) {
  const json& value = reader.field(key);
  if (!value.is_boolean()) throw wrong(reader.path(key), "true or false");
  return value.get<bool>();
}

double number(const json& value, const std::string& path) {
  if (!value.is_number()) throw wrong(path, "a number");
  return value.get<double>();
}

template <class Integer>
Integer integer(const json& value, const std::string& path) {
  constexpr auto kMost = std::numeric_limits<Integer>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)) {
    throw wrong(path, fmt::format("an integer from 0 to {}", kMost));
  }
  return static_cast<Integer>(value.get<std::uint64_t>());
}

std::string word(const json& value, const std::string& path) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || value.size() != 1 || !value.contains("bytes") || !value["bytes"].is_string()) {
    throw wrong(path, "a string");
  }
  const auto wide = value["bytes"].get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto lead = static_cast<unsigned char>(wide[i]);
    if (lead < 0x80) {
      bytes += wide[i];
    } else if ((lead == 0xc2 || lead == 0xc3) && i + 1 < wide.size()) {
      bytes += static_cast<char>(((lead & 3) << 6) | (static_cast<unsigned char>(wide[++i]) & 0x3f));
    } else {
      throw wrong(path + ".bytes", "a string of characters up to number 255");
    }
  }
  return bytes;
}

std::vector<std::string> words(const json& value, const std::string& path) {
  if (!value.is_array()) throw wrong(path, "a list of strings");
  std::vector<std::string> result;
  result.reserve(value.size());
  for (const json& item : value) result.push_back(word(item, path));
  return result;
}

template <class Number>
std::vector<Number> numbers(const json& value, const std::string& path) {
  if (!value.is_array()) throw wrong(path, "a list of numbers");
  std::vector<Number> result;
  result.reserve(value.size());
  for (const json& item : value) {
    if constexpr (std::is_same_v<Number, double>) {
      result.push_back(number(item, path));
    } else {
      result.push_back(integer<Number>(item, path));
    }
  }
  return result;
}

OptionValue option(const json& value, const std::string& path) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_float()) return value.get<double>();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    throw wrong(path, "an integer of 64 bits");
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_array()) return numbers<double>(value, path);
  return word(value, path);
}

template <class Table>
auto choice(Reader& reader, const std::string& key, const Table& table) {
  const std::string given = word(reader.field(key), reader.path(key));
  std::string known;
  for (const auto& [value, name] : table) {
    if (name == given) return value;
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name);
  }
  throw wrong(reader.path(key), "one of " + known);
}

template <class Number>
void array(Reader& reader, const std::string& key, Arrays arrays, std::vector<Number>& result, std::uint64_t& length) {
  if (arrays == Arrays::kInPlace) {
    result = numbers<Number>(reader.field(key), reader.path(key));
    length = result.size();
  } else {
    length = integer<std::uint64_t>(reader.field(key), reader.path(key));
  }
}

FeatureMap map_field(Reader& reader) {
  try {
    return parse_map(word(reader.field("map"), "map"));
  } catch (const Error& error) {
    throw Bad{fmt::format("the field \"map\": {}", error.what())};
  }
}

Kernel kernel_of(const json& value) {
  Reader reader(value, "kernel");
  Kernel kernel;
  kernel.kind = choice(reader, "kind", kKernelNames);
  kernel.degree = integer<int>(reader.field("degree"), "kernel.degree");
  kernel.constant = number(reader.field("constant"), "kernel.constant");
  kernel.gamma = number(reader.field("gamma"), "kernel.gamma");
  reader.finish();
  return kernel;
}

KeptRows kept_of(const json& value, Arrays arrays, ArrayLengths& lengths) {
  Reader reader(value, "kept");
  KeptRows kept;
  array(reader, "start", arrays, kept.start, lengths.kept_start);
  array(reader, "column", arrays, kept.column, lengths.kept_column);
  array(reader, "value", arrays, kept.value, lengths.kept_value);
  reader.finish();
  return kept;
}

Calibration calibration_of(const json& value, const std::string& path) {
  Reader reader(value, path);
  Calibration calibration;
  calibration.kind = choice(reader, "kind", kCalibrationNames);
  if (calibration.kind == Calibration::Kind::kSigmoid) {
    calibration.slope = number(reader.field("slope"), reader.path("slope"));
    calibration.offset = number(reader.field("offset"), reader.path("offset"));
  } else if (calibration.kind == Calibration::Kind::kIsotonic) {
    calibration.score = numbers<double>(reader.field("score"), reader.path("score"));
    calibration.probability = numbers<double>(reader.field("probability"), reader.path("probability"));
  }
  reader.finish();
  return calibration;
}

std::vector<Calibration> calibrations_of(const json& value) {
  if (!value.is_array() || value.empty()) throw wrong("calibrations", "a list of objects");
  std::vector<Calibration> all;
  for (const json& item : value) all.push_back(calibration_of(item, fmt::format("calibrations[{}]", all.size())));
  return all;
}

Model model_of(const json& object, Arrays arrays, ArrayLengths& lengths) {
  Reader reader(object, "");
  if (word(reader.field("format"), "format") != kFormatName) throw wrong("format", fmt::format("\"{}\"", kFormatName));
  const int version = integer<int>(reader.field("version"), "version");
  if (version != kFormatVersion) {
    throw Bad{
        fmt::format("the model has version {} of the format; this program reads version {}", version, kFormatVersion)};
  }
  Model model;
  model.learner = word(reader.field("learner"), "learner");
  const json& options = reader.field("options");
  if (!options.is_object()) throw wrong("options", "an object");
  for (const auto& [name, value] : options.items()) model.options[name] = option(value, "options." + name);
  model.form = choice(reader, "form", kFormNames);
  model.origin = flag(reader, "origin");
  model.regression = flag(reader, "regression");
  model.schema.classes = words(reader.field("classes"), "classes");
  if (model.form == Model::Form::kLabels) model.schema.labels = words(reader.field("labels"), "labels");
  model.features = integer<std::uint32_t>(reader.field("features"), "features");
  if (reader.has("feature_names")) model.schema.feature_names = words(reader.field("feature_names"), "feature_names");
  model.map = map_field(reader);
  if (model.form != Model::Form::kDual) array(reader, "theta", arrays, model.theta, lengths.theta);
  model.offset = number(reader.field("offset"), "offset");
  if (has_parts(model.form)) array(reader, "offsets", arrays, model.offsets, lengths.offsets);
  if (model.form == Model::Form::kDual) model.kernel = kernel_of(reader.field("kernel"));
  if (keeps_rows(model.form)) {
    model.kept = kept_of(reader.field("kept"), arrays, lengths);
    array(reader, "coefficient", arrays, model.coefficient, lengths.coefficient);
  }
  if (model.form == Model::Form::kVoted) array(reader, "votes", arrays, model.votes, lengths.votes);
  if (reader.has("calibration")) model.calibration = calibration_of(reader.field("calibration"), "calibration");
  if (reader.has("calibrations")) model.calibrations = calibrations_of(reader.field("calibrations"));
  if (reader.has("weight_error")) model.weight_error = number(reader.field("weight_error"), "weight_error");
  reader.finish();
  return model;
}

/// The library's message without its bracketed code and position, which our own location says better.
std::string plain_message(std::string_view what) {
  for (const std::string_view before : {"] ", ": "}) {
    const std::size_t at = what.find(before);
    if (at != std::string_view::npos) what.remove_prefix(at + before.size());
  }
  return "not valid JSON: " + std::string(what);
}

}  // namespace

Model object_model(std::string_view text, const std::string& name_for_errors, Arrays arrays, ArrayLengths& lengths) {
  try {
    return model_of(json::parse(text), arrays, lengths);
  } catch (const json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
    throw Error(Place{name_for_errors, line, column}, plain_message(error.what()));
  } catch (const json::exception& error) {
    throw Error(Place{name_for_errors}, plain_message(error.what()));
  } catch (const Bad& bad) {
    throw Error(Place{name_for_errors}, "not a model file: " + bad.message);
  }
}

}  // namespace linsep
