#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "core/elementary.h"
#include "core/utf8.h"
#include "linsep/tools/number_words.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15) + 0.5);
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

std::string precision_words(const Model& model, double heaviest) {
  constexpr double kShown = 1e-6, kWanted = 1e-3, kLeastGap = 1e-12;
  const double error = model.weight_error;
  const auto gap = model.options.find("gap");
  if (!(error > kShown * heaviest) || gap == model.options.end()) return "";
  std::string text = fmt::format("Weights are within ±{:.2g} of the best possible ones{}", error, kClaimed);
  const double* asked = std::get_if<double>(&gap->second);
  if (asked == nullptr || error <= kWanted * heaviest) return text + ".\n";
  // The gap that was reached may be smaller than the one asked for.
  const double wanted = 0.1 * *asked * elementary::pow(kWanted * heaviest / error, 2);
  if (wanted < kLeastGap) return text + "; no --gap can give three digits here.\n";
  return text + fmt::format("; --gap {:.0e} would give about three digits.\n", wanted);
}

std::int64_t proven_zeros(const Model& model) {
  return std::ranges::count(model.theta, 0.0) - static_cast<std::int64_t>(model.open_zeros->size());
}

std::string zeros_words(const Model& model, bool claimed) {
  if (!model.open_zeros) return "";
  const std::int64_t zeros = std::ranges::count(model.theta, 0.0), all = static_cast<std::int64_t>(model.theta.size());
  const std::string text =
      fmt::format("{} of {} weights {} 0", with_commas(zeros), with_commas(all), zeros == 1 ? "is" : "are");
  if (zeros == 0) return text + ".\n";
  const std::int64_t proven = proven_zeros(model);
  const std::string how =
      claimed ? fmt::format("0 in every optimal model{}", kClaimed) : "proven to be 0 in every optimal model";
  if (proven == zeros) return fmt::format("{}, {}{}.\n", text, zeros == 1 ? "" : "all ", how);
  return fmt::format("{}; {} {} {}. A smaller --gap proves more.\n", text, with_commas(proven),
                     proven == 1 ? "is" : "are", how);
}

std::string training_words(const TrainingRecord& training) {
  if (!training.objective || !training.gap) return "";
  return fmt::format("Objective {}, {}{}.\n", figure_text(*training.objective), distance_words(*training.gap),
                     kClaimed);
}

void Formula::add(double factor, const std::string& name) {
  if (factor == 0) return;
  const char* sign = factor < 0 ? (first_ ? " −" : " − ") : (first_ ? " " : " + ");
  const bool plain = std::fabs(factor) == 1 && !name.empty();
  text_ += fmt::format("{}{}{}{}", sign, plain ? "" : figure_text(std::fabs(factor)), plain || name.empty() ? "" : "·",
                       name);
  first_ = false;
}

std::string score_formula(const Model& model, std::size_t most) {
  const auto [theta, offset] = raw_weights(model);
  Formula formula;
  std::size_t terms = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    if (theta[j] == 0) continue;
    if (++terms > most) {
      formula.add_dots();
      break;
    }
    formula.add(theta[j], short_text(feature_name(model, static_cast<std::uint32_t>(j))));
  }
  formula.add(offset, "");
  return formula.text();
}

bool is_scaled(const TableMap& map) {
  return std::ranges::any_of(map.encoders, [](const Encoder& encoder) {
    return encoder.scaling() != nullptr && encoder.scaling()->scale != Scale::kNone;
  });
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

std::string short_text(std::string_view text) {
  constexpr std::size_t kMost = 60, kBytes = 4 * kMost;
  std::string shown = shown_text(text.substr(0, kBytes));
  std::size_t at = 0, count = 0;
  while (at < shown.size() && count < kMost - 1) {
    at += std::max<std::size_t>(first_code_point(std::string_view(shown).substr(at)).size, 1);
    ++count;
  }
  if (at >= shown.size() && text.size() <= kBytes) return shown;
  const bool one_left = at < shown.size() && text.size() <= kBytes &&
                        at + first_code_point(std::string_view(shown).substr(at)).size >= shown.size();
  if (one_left) return shown;
  shown.resize(std::min(at, shown.size()));
  return shown + "…";
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (const char byte : text) width += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text_width(text)), ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text_width(text)), ' ') + text;
}

std::string aligned(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> width;
  for (const auto& row : cells) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], text_width(row[c]));
  }
  std::string text;
  for (const auto& row : cells) {
    text += "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += row[c];
      if (c + 1 < row.size()) text.append(width[c] + 2 - text_width(row[c]), ' ');
    }
    text += "\n";
  }
  return text;
}

std::string time_words(double seconds) { return seconds < 0.01 ? "under 0.01 s" : duration(seconds); }

namespace {

/// mantissa·10^exponent, the mantissa exactly or to about 15 figures.
struct Scaled {
  double mantissa = 1;
  double exponent = 0;
  bool exact = true;
};

/// Reads "123", "0.00123" or "123.4".
Scaled scaled_decimal(const std::string& text) {
  constexpr std::size_t kFigures = 15;
  std::string digits;
  Scaled value;
  bool point = false;
  for (const char c : text) {
    if (c == '.') {
      point = true;
      continue;
    }
    if (point) --value.exponent;
    if (c == '0' && digits.empty()) continue;
    if (digits.size() < kFigures) {
      digits += c;
    } else {
      ++value.exponent;
      value.exact = value.exact && c == '0';
    }
  }
  for (; !digits.empty() && digits.back() == '0'; digits.pop_back()) ++value.exponent;
  value.mantissa = std::strtod(digits.c_str(), nullptr);
  return value;
}

/// mantissa·10^power. Decimals may give the mantissa an exponent of its own, so both are added.
double times_power(double mantissa, std::int64_t power) {
  const std::string text = fmt::format("{:.16e}", mantissa);
  const std::size_t e = text.find('e');
  return std::strtod(
      fmt::format("{}e{}", text.substr(0, e), std::strtoll(text.c_str() + e + 1, nullptr, 10) + power).c_str(),
      nullptr);
}

Scaled scaled(const std::string& exact) {
  const std::size_t slash = exact.find('/');
  const Scaled top = scaled_decimal(exact.substr(0, slash));
  if (slash == std::string::npos) return top;
  const Scaled bottom = scaled_decimal(exact.substr(slash + 1));
  const double quotient = top.mantissa / bottom.mantissa;
  const bool divides = std::fma(quotient, bottom.mantissa, -top.mantissa) == 0;
  return {quotient, top.exponent - bottom.exponent, top.exact && bottom.exact && divides};
}

std::string figure_of(const Scaled& value, bool at_least) {
  constexpr double kDoubles = 290;
  if (!(value.mantissa > 0)) return "0";
  const double slack = value.exact ? 1 : (at_least ? 1 + 1e-13 : 1 - 1e-13);
  const auto round = [&](double number) { return at_least ? figure_at_least(number) : figure_at_most(number); };
  const auto power = static_cast<std::int64_t>(value.exponent);
  if (std::fabs(value.exponent) < kDoubles) {
    return round(times_power(value.mantissa, power) * slack);
  }
  const auto shift = static_cast<std::int64_t>(std::floor(elementary::log10(value.mantissa)));
  const double leading = times_power(value.mantissa, -shift);
  return fmt::format("{}e{}", round(leading * slack), power + shift);
}

}  // namespace

std::string figure_at_most(double number) {
  const std::string text = figure_text(number);
  return std::strtod(text.c_str(), nullptr) <= number ? text : figure_text(number * (1 - 1e-5));
}

std::string figure_at_least(double number) {
  const std::string text = figure_text(number);
  return std::strtod(text.c_str(), nullptr) >= number ? text : figure_text(number * (1 + 1e-5));
}

std::string exact_figure(const std::string& exact, bool at_least) { return figure_of(scaled(exact), at_least); }

std::string root_figure(const std::string& exact, bool at_least) {
  Scaled value = scaled(exact);
  if (std::fmod(value.exponent, 2) != 0) value = {value.mantissa * 10, value.exponent - 1, value.exact};
  const double root = std::sqrt(value.mantissa);
  const bool square = std::fma(root, root, -value.mantissa) == 0;
  return figure_of({root, value.exponent / 2, value.exact && square}, at_least);
}

}  // namespace linsep
