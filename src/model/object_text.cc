#include <fmt/format.h>

#include <span>
#include <variant>

#include "core/json_object.h"
#include "core/json_text.h"
#include "map/feature_map.h"
#include "model/object.h"
#include "model/object_names.h"
#include "table/table_object.h"

namespace linsep {
namespace {

/// The kind shows in the text: 3 is an integer, 3.0 a number.
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

  // Its knots are few, so they stand here in the binary form too.
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

}  // namespace

int version_of(const Model& model) { return model.table.empty() && model.threshold == 0 ? 1 : 2; }

std::string object_text(const Model& model, Arrays arrays) { return Writer(arrays).write(model); }

}  // namespace linsep
