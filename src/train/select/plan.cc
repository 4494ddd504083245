#include "train/select/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/elementary.h"
#include "learn/margin/solvers.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::int64_t kFoldsOfProbabilities = 5;
constexpr std::size_t kMostAdded = 6;
constexpr std::string_view kAuto = "auto";

/// Whether the λ are those that suit the data.
bool suits_data(const SelectionPlan& plan) {
  return plan.lambdas == kAuto || (!plan.own_lambda && plan.lambdas.empty() && plan.cs.empty());
}

void require_objective(const LearnerInfo& learner) {
  if (learner.objective) return;
  std::vector<std::string_view> able;
  for (const LearnerInfo& info : learners()) {
    if (info.objective) able.push_back(info.name);
  }
  throw options_error(
      {"lambdas", "Cs", "cv", "probabilities"},
      fmt::format("{{}}, {{}}, {{}} and {{}} are for the learner {}, not {}", fmt::join(able, " or "), learner.name));
}

}  // namespace

SelectionPlan plan_selection(const TrainSpec& spec, const Options& given) {
  const Options selection = complete_options(selection_options(), given);
  const LearnerInfo& learner = learner_info(spec.learner);
  require_objective(learner);
  SelectionPlan plan;
  plan.options = complete_options(learner.table, spec.options);
  plan.loss = margin_loss(plan.options);
  plan.origin = get_flag(plan.options, "origin");
  plan.seed = static_cast<std::uint64_t>(get_integer(plan.options, "seed"));
  plan.lambdas = get_text(selection, "lambdas");
  plan.cs = get_text(selection, "Cs");
  plan.penalty = margin_penalty(plan.options);
  plan.choice.by_loss = get_text(selection, "choose") == "loss";
  plan.choice.one_se = get_flag(selection, "one-se");
  plan.choice.features = get_integer(selection, "features");
  plan.probabilities = get_text(selection, "probabilities");
  plan.folds = get_integer(selection, "cv");
  for (const auto& [asked, name] : {std::pair{plan.choice.by_loss, "choose"}, {plan.choice.one_se, "one-se"}}) {
    if (asked && plan.folds == 0) throw options_error({name, "cv"}, "{} needs a cross-validation: add {} FOLDS");
  }
  if (plan.choice.features > 0 && !plan.penalty.has_l1()) {
    throw options_error({"features", "penalty"}, "{} needs a penalty that leaves weights at 0: add {} l1");
  }
  if (plan.folds == 1) throw option_error("cv", "{} takes at least two folds");
  const bool strength = spec.options.contains("lambda") || spec.options.contains("C");
  const bool listed = !plan.lambdas.empty() || !plan.cs.empty();
  if (!plan.lambdas.empty() && !plan.cs.empty()) {
    throw options_error({"lambdas", "Cs"}, "{} and {} set the same thing: use only one of them");
  }
  if (listed && strength) {
    throw options_error({"lambdas", "Cs", "lambda", "C"}, "{} and {} replace {} and {}: leave those out");
  }
  if (plan.choice.features > 0 && strength) {
    throw options_error({"features", "lambda", "C"}, "{} chooses λ: leave out {} and {}");
  }
  plan.own_lambda = !listed && (strength || (plan.folds == 0 && plan.choice.features == 0));
  const bool each_listed = (listed && (plan.lambdas + plan.cs).find_first_of(":o") == std::string::npos) ||
                           (plan.penalty.has_l1() && wants_greatest(plan));
  if (plan.folds > 0 && !plan.own_lambda && !each_listed) plan.most_added = kMostAdded;
  if (plan.folds == 0 && plan.probabilities != "none") plan.folds = kFoldsOfProbabilities;
  // What is wrong with them should be said before reading.
  if (!plan.lambdas.empty() && plan.lambdas != kAuto) parse_lambdas(plan.lambdas);
  if (!plan.cs.empty()) parse_lambdas(plan.cs, "Cs");
  return plan;
}

bool wants_square(const SelectionPlan& plan) { return suits_data(plan) && !plan.penalty.has_l1(); }
bool wants_greatest(const SelectionPlan& plan) { return suits_data(plan) && plan.penalty.has_l1(); }

std::vector<double> lambdas_of(const SelectionPlan& plan, double suited_to, double weight) {
  if (suits_data(plan)) return plan.penalty.has_l1() ? l1_lambdas(suited_to) : usual_lambdas(suited_to);
  if (!plan.lambdas.empty()) return parse_lambdas(plan.lambdas);
  if (!plan.cs.empty()) {
    std::vector<double> values = parse_lambdas(plan.cs, "Cs");
    std::reverse(values.begin(), values.end());
    for (double& value : values) value = 1 / (value * weight);
    return values;
  }
  const double lambda = get_number(plan.options, "lambda");
  return {lambda > 0 ? lambda : 1 / (get_number(plan.options, "C") * weight)};
}

const OptionTable& selection_options() {
  static const OptionTable kTable = {
      text_option(
          "lambdas", "",
          "Train for each of these λ, from largest to smallest: 1e-2,1e-3 or FROM:TO:COUNT; or auto, a range that "
          "suits the data."),
      text_option("Cs", "", "The same by C: λ = 1/(C·rows)."),
      integer_option("cv", 0, 0, 1000, "Choose λ by cross-validation with this many folds."),
      choice_option("choose", "error", {"error", "loss"}, "What cross-validation minimizes: held-out error or loss."),
      flag_option("one-se", "Keep the largest λ whose held-out value is within one standard error of the lowest."),
      integer_option("features", 0, 0, 1'000'000'000,
                     "Keep a model with at most this many features: the best by cross-validation, or else the largest. "
                     "Needs a penalty with an L1 part."),
      choice_option("probabilities", "none", {"none", "platt", "isotonic"},
                    "Fit probabilities to the scores of held-out rows: a sigmoid (platt), or any increasing function "
                    "(isotonic)."),
  };
  return kTable;
}

bool asks_for_selection(const Options& selection) {
  return !get_text(selection, "lambdas").empty() || !get_text(selection, "Cs").empty() ||
         get_integer(selection, "cv") != 0 || get_integer(selection, "features") != 0 ||
         get_flag(selection, "one-se") || get_text(selection, "probabilities") != "none";
}

namespace {

constexpr int kUsual = 7;
constexpr double kMostValues = 1000;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double number(std::string_view word, std::string_view text, std::string_view option) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || !(value > 0) || !std::isfinite(value)) {
    throw option_error(
        std::string(option),
        fmt::format("{{}} takes positive numbers separated by commas, or FROM:TO:COUNT, not '{}'", text));
  }
  return value;
}

std::vector<double> ratios(double from, double to, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double part = count == 1 ? 0 : static_cast<double>(i) / (count - 1);
    values.push_back(i + 1 == count && count > 1 ? to : from * elementary::pow(to / from, part));
  }
  return values;
}

}  // namespace

std::vector<double> parse_lambdas(std::string_view text, std::string_view option) {
  std::vector<double> values;
  if (const auto parts = split(text, ':'); parts.size() == 3) {
    const double count = number(parts[2], text, option);
    if (count != std::floor(count) || count > kMostValues) {
      throw option_error(std::string(option),
                         fmt::format("{{}} FROM:TO:COUNT takes 1 to {} values, not {}", kMostValues, parts[2]));
    }
    values = ratios(number(parts[0], text, option), number(parts[1], text, option), static_cast<int>(count));
  } else {
    for (const std::string_view word : split(text, ',')) values.push_back(number(word, text, option));
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<double> usual_lambdas(double square) {
  const double first =
      square > 0 && std::isfinite(square) ? std::clamp(std::round(elementary::log10(square)), -290.0, 290.0) - 1 : -1;
  std::vector<double> values;
  // By way of text: 10^−3 is the number that one gets by writing 1e-3.
  for (int i = 0; i < kUsual; ++i) values.push_back(number(fmt::format("1e{}", static_cast<int>(first) - i), "", ""));
  return values;
}

std::vector<double> l1_lambdas(double greatest) {
  constexpr int kCount = 100;
  constexpr double kReach = 0.01;
  const double first = greatest > 0 && std::isfinite(greatest) ? greatest : 1;
  return ratios(first, kReach * first, kCount);
}

namespace {

double held_out_value(const SelectionPoint& point, bool by_loss) {
  return by_loss ? point.held_out->loss : point.held_out->error;
}

/// To 15 digits: 1e-6/10 is then the number that one gets by writing 1e-7.
double rounded(double value) {
  const std::string text = fmt::format("{:.15g}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

}  // namespace

std::size_t choose_point(const std::vector<SelectionPoint>& path, const Choice& choice) {
  const auto fits = [&](const SelectionPoint& point) {
    return choice.features == 0 || point.support <= choice.features;
  };
  std::size_t best = 0, finished = 0;
  bool found = false;
  for (std::size_t l = 0; l < path.size(); ++l) {
    if (!fits(path[l])) continue;
    if (path[l].mistakes >= 0) finished = l;
    if (!path[l].held_out) continue;
    if (!found || held_out_value(path[l], choice.by_loss) < held_out_value(path[best], choice.by_loss)) best = l;
    found = true;
  }
  if (!found) return finished;
  if (!choice.one_se) return best;
  const HeldOut& held = *path[best].held_out;
  const double enough =
      held_out_value(path[best], choice.by_loss) + (choice.by_loss ? held.loss_spread : held.error_spread);
  std::size_t l = 0;
  while (!fits(path[l]) || !path[l].held_out || held_out_value(path[l], choice.by_loss) > enough) ++l;
  return l;
}

std::optional<double> next_lambda(const std::vector<SelectionPoint>& path, const Choice& choice, double ratio) {
  constexpr double kLeast = 1e-200, kMost = 1e200;
  const auto held_out = [](const SelectionPoint& point) { return point.held_out.has_value(); };
  if (path.size() < 2 || !std::ranges::all_of(path, held_out)) return std::nullopt;
  const bool by_loss = choice.by_loss;
  const std::size_t best = choose_point(path, {.by_loss = by_loss}), last = path.size() - 1;
  if (best != 0 && best != last) return std::nullopt;
  const SelectionPoint& neighbour = path[best == 0 ? 1 : last - 1];
  if (!(held_out_value(path[best], by_loss) < held_out_value(neighbour, by_loss))) return std::nullopt;
  const double lambda = rounded(best == 0 ? path[0].lambda * ratio : path[last].lambda / ratio);
  if (!(lambda > kLeast) || !(lambda < kMost)) return std::nullopt;
  return lambda;
}

}  // namespace linsep
