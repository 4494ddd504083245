#include "learn/common_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/from_chars.h"
#include "linsep/error.h"

namespace linsep {

OptionSpec passes_option(std::int64_t fallback) {
  return in_group("stopping", integer_option("passes", fallback, 1, 1e15, "At most this many passes over the rows."));
}

OptionSpec order_option() {
  return in_group("numerics",
                  choice_option("order", "given", {"given", "shuffled", "drawn"},
                                "Rows as given, shuffled anew in each pass, or drawn at random with replacement."));
}

VisitOrder order_asked(const Options& options, const SolverChoice& /*choice*/) {
  for (const VisitOrder order : {VisitOrder::kShuffled, VisitOrder::kDrawn}) {
    if (get_text(options, "order") == visit_order_name(order)) return order;
  }
  return VisitOrder::kGiven;
}

OptionSpec seed_option() {
  return in_group("numerics",
                  integer_option("seed", 1, 0, 9e15, "Seed for the order of rows; the same seed gives the same bits."));
}

OptionSpec origin_option() {
  return in_group("objective", flag_option("origin", "Keep the intercept at 0: the boundary goes through the origin."));
}

OptionSpec weighted_option() {
  OptionSpec spec =
      in_group("objective", flag_option("weighted",
                                        "Multiply each correction by the row's weight. Otherwise weights other than 0 "
                                        "are ignored."));
  spec.details =
      "A row of weight 0 is left out in any case. A row of weight w corrects w times as far as one of weight 1, which "
      "is not the same as w copies of it: copies would be corrected one after the other, each seeing the last.";
  return spec;
}

OptionSpec positive_option(std::string_view name, double fallback, std::string_view help) {
  OptionSpec spec = number_option(name, fallback, 0, std::numeric_limits<double>::infinity(), help);
  spec.above_low = true;
  return spec;
}

void refuse_options(const Options& options, const OptionTable& table, std::initializer_list<const char*> names,
                    std::string_view because) {
  for (const char* name : names) {
    if (options.find(name)->second != find_option(table, name)->fallback)
      throw option_error(name, std::string(because));
  }
}

namespace {

constexpr std::size_t kShownClasses = 20;

Error refused(std::string_view text) {
  // Braces in the given text would be taken for places for options.
  std::string shown;
  for (const char c : text) shown += c == '{' || c == '}' ? '?' : c;
  return option_error(
      "class-weight",
      fmt::format("{{}} takes balanced, or weights above 0 by class, such as a=2,b=0.5; not '{}'", shown));
}

/// The number after the last '=' of a word. NaN if there is none.
double number_of(std::string_view word) {
  const std::size_t at = word.rfind('=');
  if (at == std::string_view::npos) return NAN;
  word.remove_prefix(at + 1);
  double value = 0;
  const auto [end, problem] = from_chars(word.data(), word.data() + word.size(), value);
  return problem == std::errc() && end == word.data() + word.size() ? value : NAN;
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
    std::size_t end = std::min(text.find(',', begin), text.size());
    while (end < text.size() &&
           std::isnan(number_of(text.substr(begin, end - begin)))) {  // the comma is part of a name
      end = std::min(text.find(',', end + 1), text.size());
    }
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t at = word.rfind('=');
    if (at == std::string_view::npos || at == 0) throw refused(text);
    const std::string name(word.substr(0, at));
    const double weight = number_of(word);
    const bool twice = std::ranges::any_of(rule.named, [&](const auto& known) { return known.first == name; });
    if (twice || !(weight > 0) || !std::isfinite(weight)) throw refused(text);
    rule.named.emplace_back(name, weight);
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
