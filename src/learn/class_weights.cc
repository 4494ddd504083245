#include "learn/class_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/from_chars.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::size_t kShownClasses = 20;

Error refused(std::string_view text) {
  // Braces in what was given would be read as places for options.
  std::string shown;
  for (const char c : text) shown += c == '{' || c == '}' ? '?' : c;
  return option_error("class-weight",
                      fmt::format("{{}} takes balanced, or weights above 0 by class: a=2,b=0.5; not '{}'", shown));
}

double number(std::string_view word, std::string_view text) {
  double value = 0;
  const auto [end, problem] = from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = problem == std::errc() && end == word.data() + word.size();
  if (!whole || !(value > 0) || !std::isfinite(value)) throw refused(text);
  return value;
}

std::string listed(const std::vector<std::string>& classes) {
  std::string text;
  for (std::size_t c = 0; c < std::min(classes.size(), kShownClasses); ++c) {
    text += fmt::format("{}'{}'", c == 0 ? "" : ", ", classes[c]);
  }
  if (classes.size() > kShownClasses) text += fmt::format(" and {} more", classes.size() - kShownClasses);
  return text;
}

std::vector<double> balanced(std::span<const double> totals) {
  double all = 0, present = 0;
  for (const double total : totals) {
    all += total;
    if (total > 0) ++present;
  }
  std::vector<double> weights;
  for (const double total : totals) weights.push_back(total > 0 ? all / (present * total) : 1);
  return weights;
}

}  // namespace

ClassWeightRule parse_class_weights(std::string_view text) {
  ClassWeightRule rule;
  rule.balanced = text == "balanced";
  if (rule.balanced) return rule;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t at = word.rfind('=');
    if (at == std::string_view::npos || at == 0) throw refused(text);
    const std::string name(word.substr(0, at));
    if (std::ranges::any_of(rule.named, [&](const auto& known) { return known.first == name; })) throw refused(text);
    rule.named.emplace_back(name, number(word.substr(at + 1), text));
    begin = end + 1;
  }
  return rule;
}

std::vector<double> weights_of_classes(const ClassWeightRule& rule, const std::vector<std::string>& classes,
                                       std::span<const double> class_totals) {
  if (rule.balanced) return balanced(class_totals);
  std::vector<double> weights(classes.size(), 1);
  for (const auto& [name, weight] : rule.named) {
    const auto at = std::ranges::find(classes, name);
    if (at == classes.end()) {
      throw usage_error(fmt::format("there is no class '{}': the classes are {}", name, listed(classes)));
    }
    weights[static_cast<std::size_t>(at - classes.begin())] = weight;
  }
  return weights;
}

}  // namespace linsep
