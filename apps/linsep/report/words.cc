#include "report/words.h"

#include <fmt/format.h>

#include <cmath>

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

std::string figure(double number) {
  const std::string text = fmt::format("{:.6g}", std::fabs(number));
  return number < 0 ? fmt::format("−{}", text) : text;
}

std::string score_formula(const Model& model) {
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
  for (std::size_t j = 0; j < model.theta.size(); ++j) {
    term(model.theta[j], shown_text(feature_name(model, static_cast<std::uint32_t>(j))));
  }
  term(model.offset, "");
  return first ? "z = 0" : text;
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
