// Written by hand rather than by the JSON library for two reasons: numbers in their shortest form that reads back to
// the same bits (std::to_chars), and arrays of millions of numbers without a tree of them in memory.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <span>
#include <variant>

#include "map/feature_map.h"
#include "model/object.h"
#include "model/object_names.h"

namespace linsep {
namespace {

void append_number(std::string& out, double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  out += text == "-0" ? "-0.0" : text;  // readers take -0 for the integer 0
}

template <class Number>
void append_numbers(std::string& out, std::span<const Number> numbers) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ", ";
    if constexpr (std::is_same_v<Number, double>) {
      append_number(out, numbers[i]);
    } else {
      out += fmt::to_string(numbers[i]);
    }
  }
  out += ']';
}

/// A string, or where it isn't UTF-8 {"bytes": "…"} with every byte as the character of that number.
void append_word(std::string& out, const std::string& word) {
  try {
    out += nlohmann::json(word).dump();
  } catch (const nlohmann::json::type_error&) {
    std::string wide;
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        wide += c;
      } else {
        wide += static_cast<char>(0xc0 | (byte >> 6));
        wide += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
    out += "{\"bytes\": " + nlohmann::json(wide).dump() + "}";
  }
}

void append_words(std::string& out, std::span<const std::string> words) {
  out += '[';
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += ", ";
    append_word(out, words[i]);
  }
  out += ']';
}

/// The kind shows in the text: 3 is an integer, 3.0 a number.
void append_option(std::string& out, const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    out += *flag ? "true" : "false";
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out += fmt::to_string(*integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    const std::size_t before = out.size();
    append_number(out, *number);
    if (out.find_first_of(".e", before) == std::string::npos) out += ".0";
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    append_word(out, *word);
  } else {
    append_numbers(out, std::span(std::get<std::vector<double>>(value)));
  }
}

/// Writes `"key": value` pairs with commas where they belong.
class Fields {
 public:
  Fields(std::string& out, std::string_view separator) : out_(out), separator_(separator) {}

  std::string& operator[](const std::string& key) {
    if (!first_) out_ += ",";
    out_ += separator_;
    first_ = false;
    append_word(out_, key);
    out_ += ": ";
    return out_;
  }

 private:
  std::string& out_;
  std::string_view separator_;
  bool first_ = true;
};

class Writer {
 public:
  explicit Writer(Arrays arrays) : arrays_(arrays) {}

  std::string write(const Model& model) {
    out_ += '{';
    Fields fields(out_, "\n  ");
    append_word(fields["format"], std::string(kFormatName));
    fields["version"] += fmt::to_string(kFormatVersion);
    append_word(fields["learner"], model.learner);
    fields["options"];
    options(model.options);
    fields["form"] += fmt::format("\"{}\"", name_in(kFormNames, model.form));
    fields["origin"] += model.origin ? "true" : "false";
    fields["regression"] += model.regression ? "true" : "false";
    append_words(fields["classes"], model.schema.classes);
    if (model.form == Model::Form::kLabels) append_words(fields["labels"], model.schema.labels);
    fields["features"] += fmt::to_string(model.features);
    if (!model.schema.feature_names.empty()) append_words(fields["feature_names"], model.schema.feature_names);
    fields["map"] += fmt::format("\"{}\"", map_text(model.map));
    if (model.form != Model::Form::kDual) array(fields, "theta", std::span(model.theta));
    append_number(fields["offset"], model.offset);
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
    if (model.weight_error > 0) append_number(fields["weight_error"], model.weight_error);
    if (!model.calibrations.empty()) {
      fields["calibrations"];
      calibrations(model.calibrations);
    }
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  template <class Number>
  void array(Fields& fields, const char* key, std::span<const Number> numbers) {
    std::string& out = fields[key];
    if (arrays_ == Arrays::kInPlace) {
      append_numbers(out, numbers);
    } else {
      out += fmt::to_string(numbers.size());
    }
  }

  void options(const Options& options) {
    out_ += '{';
    Fields fields(out_, "\n    ");
    for (const auto& [name, value] : options) append_option(fields[name], value);
    out_ += options.empty() ? "}" : "\n  }";
  }

  void kernel(const Kernel& kernel) {
    out_ += '{';
    Fields fields(out_, "\n    ");
    fields["kind"] += fmt::format("\"{}\"", name_in(kKernelNames, kernel.kind));
    fields["degree"] += fmt::to_string(kernel.degree);
    append_number(fields["constant"], kernel.constant);
    append_number(fields["gamma"], kernel.gamma);
    out_ += "\n  }";
  }

  // Its knots are few, so they stand here in the binary form too.
  void calibration(const Calibration& calibration) {
    out_ += '{';
    Fields fields(out_, "\n    ");
    fields["kind"] += fmt::format("\"{}\"", name_in(kCalibrationNames, calibration.kind));
    if (calibration.kind == Calibration::Kind::kSigmoid) {
      append_number(fields["slope"], calibration.slope);
      append_number(fields["offset"], calibration.offset);
    } else if (calibration.kind == Calibration::Kind::kIsotonic) {
      append_numbers(fields["score"], std::span(calibration.score));
      append_numbers(fields["probability"], std::span(calibration.probability));
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
    Fields fields(out_, "\n    ");
    array(fields, "start", std::span(kept.start));
    array(fields, "column", std::span(kept.column));
    array(fields, "value", std::span(kept.value));
    out_ += "\n  }";
  }

  Arrays arrays_;
  std::string out_;
};

}  // namespace

std::string object_text(const Model& model, Arrays arrays) { return Writer(arrays).write(model); }

}  // namespace linsep
