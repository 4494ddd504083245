#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/tools/number_words.h"
#include "linsep/tools/shown_text.h"

namespace linsep::app {

std::string thousands(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", thousands(number), noun, number == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return counted(whole / 86400, "day");
}

std::string short_number(double number) {
  if (number >= 1e9) return fmt::format("{:.1f}G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.1f}M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.0f}k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

std::string figure(double number) { return figure_text(number); }

std::string weight_words(double weight, double error) { return weight_text(weight, error); }

std::string precision_words(const Model& model, double heaviest) {
  constexpr double kWanted = 1e-3, kLeastGap = 1e-12;
  const double error = model.weight_error;
  const auto gap = model.options.find("gap");
  if (!(error > kWanted * heaviest) || gap == model.options.end()) return "";
  std::string text = fmt::format("Weights are within ±{:.2g} of the optimum's, by the certified gap", error);
  const double* asked = std::get_if<double>(&gap->second);
  if (asked == nullptr) return text + ".\n";
  // The gap that was reached may be smaller than the one asked for.
  const double wanted = 0.1 * *asked * std::pow(kWanted * heaviest / error, 2);
  if (wanted < kLeastGap) return text + "; three digits are beyond what --gap can give here.\n";
  return text + fmt::format("; --gap {:.0e} would give about three digits.\n", wanted);
}

bool is_bound(double gap) { return gap < 1 && figure(gap) != "1"; }

std::string gap_words(double gap) {
  return is_bound(gap) ? fmt::format("certified gap {}", figure(gap)) : "no bound is known yet";
}

std::string score_formula(const Model& model) {
  const auto [theta, offset] = raw_weights(model);
  std::string text = "z =";
  bool first = true;
  const auto term = [&](double factor, const std::string& name) {
    if (factor == 0) return;
    const char* sign = factor < 0 ? (first ? " −" : " − ") : (first ? " " : " + ");
    const bool plain = std::fabs(factor) == 1 && !name.empty();
    text +=
        fmt::format("{}{}{}{}", sign, plain ? "" : figure(std::fabs(factor)), plain || name.empty() ? "" : "·", name);
    first = false;
  };
  for (std::size_t j = 0; j < theta.size(); ++j) {
    term(theta[j], shown_text(feature_name(model, static_cast<std::uint32_t>(j))));
  }
  term(offset, "");
  return first ? "z = 0" : text;
}

bool is_scaled(const TableMap& map) {
  return std::ranges::any_of(map.encoders, [](const Encoder& encoder) { return encoder.scale != Scale::kNone; });
}

const std::string& part_name(const Model& model, std::size_t part) {
  return model.form == Model::Form::kLabels ? model.schema.labels[part] : model.schema.classes[part];
}

Schema shown_names(Schema schema) {
  for (auto* names : {&schema.classes, &schema.feature_names, &schema.labels}) {
    for (std::string& name : *names) name = shown_text(name);
  }
  return schema;
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (const char byte : text) width += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

}  // namespace linsep::app
