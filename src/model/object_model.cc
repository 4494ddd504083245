#include <fmt/format.h>

#include <limits>

#include "core/json_object.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "model/object.h"
#include "model/object_names.h"
#include "table/table_object.h"

namespace linsep {
namespace {

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
  if (table.empty()) throw wrong_json("table.columns", "a list of one column at least");
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
  reader.finish();
  return model;
}

}  // namespace

std::string version_problem(std::uint64_t version) {
  if (version >= 1 && version <= kFormatVersion) return "";
  return fmt::format("the model has version {} of the format; this program reads versions 1 to {}", version,
                     kFormatVersion);
}

Model object_model(std::string_view text, const std::string& name_for_errors, Arrays arrays, ArrayLengths& lengths) {
  return read_json_text(text, name_for_errors, "a model file",
                        [&](const json& object) { return model_of(object, arrays, lengths); });
}

}  // namespace linsep
