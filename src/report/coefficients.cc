#include "report/coefficients.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "linsep/map.h"
#include "report/words.h"

namespace linsep {
namespace {

/// The most columns that words list, and the most that are given names.
constexpr std::size_t kFew = 10, kMostNames = 100000;

/// Names of columns, with where they go. Not all if there are many.
struct Listed {
  std::vector<std::string> shown;
  std::size_t count = 0;

  void add(std::string text) {
    if (count++ < kFew) shown.push_back(std::move(text));
  }
  std::string words() const { return listed(shown, kFew, count); }
};

/// "1 stays", "3 stay".
std::string some(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

/// "1 coefficient goes", "3 coefficients go".
std::string goes(const Listed& list) { return some(list.count, "coefficient goes", "coefficients go"); }

std::string to_infinity(const std::string& name, int sign) {
  return fmt::format("{} to {}∞", name, sign > 0 ? "+" : "−");
}

bool is_infinite(const CoefficientEstimate& estimate) {
  return estimate.estimate == Estimate::kPlusInfinity || estimate.estimate == Estimate::kMinusInfinity;
}

int sign_of(const CoefficientEstimate& estimate) { return estimate.estimate == Estimate::kPlusInfinity ? 1 : -1; }

}  // namespace

std::string coefficient_words(const CertifyOutcome& outcome, const Model& names, const std::string& regression) {
  if (outcome.estimates.empty()) return "";
  const std::uint32_t offset = mapped_features(names.map, names.features);
  Listed infinite, finite, going, open, unknown;
  for (const CoefficientEstimate& estimate : outcome.estimates) {
    const std::string name = estimate.column == offset ? "the intercept" : feature_name(names, estimate.column);
    if (is_infinite(estimate)) {
      infinite.add(to_infinity(name, sign_of(estimate)));
    } else if (estimate.estimate == Estimate::kFinite) {
      finite.add(name);
    } else if (estimate.estimate == Estimate::kUnknown) {
      unknown.add(name);
    } else if (estimate.computed_sign != 0) {
      going.add(to_infinity(name, estimate.computed_sign));
    } else {
      open.add(name);
    }
  }
  std::string text;
  if (outcome.certificate.claim == Claim::kSeparable) {
    text += fmt::format(
        "{} without a penalty has no finite estimate: the better it fits these rows, the larger its "
        "coefficients.",
        regression);
    if (infinite.count > 0) {
      text += fmt::format(" {} to infinity: {}.", goes(infinite), infinite.words());
    }
  } else if (infinite.count > 0) {
    text += fmt::format("{} without a penalty has no finite estimate. {} to infinity: {}.", regression, goes(infinite),
                        infinite.words());
  } else {
    text += fmt::format(
        "{} without a penalty has no finite estimate. Some coefficients go to infinity, but separation alone doesn't "
        "determine which way.",
        regression);
  }
  text += "\n";
  if (finite.count > 0) {
    text +=
        fmt::format("{} finite: {}.\n", some(finite.count, "coefficient stays", "coefficients stay"), finite.words());
  }
  const std::size_t undetermined = going.count + open.count;
  if (undetermined > 0) {
    text += fmt::format("For {}, separation alone doesn't determine which way {}.",
                        some(undetermined, "coefficient", "coefficients"), undetermined == 1 ? "it goes" : "they go");
    if (going.count > 0) {
      text += fmt::format(" As the penalty shrinks to 0: {} (computed, not proven).", going.words());
    }
    if (open.count > 0) text += fmt::format(" No sign was computed for {}.", open.words());
    text += "\n";
  }
  if (unknown.count > 0) {
    text += fmt::format("{} not worked out (use --coefficients): {}.\n",
                        some(unknown.count, "coefficient was", "coefficients were"), unknown.words());
  }
  return text;
}

Model joint_names(const Model& raw, bool origin) {
  const std::vector<std::string>& classes = raw.schema.classes;
  const std::size_t block = std::size_t{raw.features} + (origin ? 0 : 1);
  const std::size_t columns = block * (classes.size() - 1);
  Model names;
  names.features = static_cast<std::uint32_t>(columns);
  if (columns > kMostNames) return names;
  for (std::size_t column = 0; column < columns; ++column) {
    const auto place = static_cast<std::uint32_t>(column % block);
    const std::string feature = place == raw.features ? "the intercept" : feature_name(raw, place);
    names.schema.feature_names.push_back(fmt::format("{} of {}", feature, classes[column / block]));
  }
  return names;
}

void add_coefficients(const CertifyOutcome& outcome, const Model& names, bool full, Json& object) {
  if (outcome.estimates.empty()) return;
  const std::uint32_t offset = mapped_features(names.map, names.features);
  const auto named = [&](const CoefficientEstimate& estimate) {
    const bool is_offset = estimate.column == offset;
    return Json{{"feature", is_offset ? "offset" : feature_name(names, estimate.column)},
                {"column", is_offset ? Json(nullptr) : Json(std::uint64_t{estimate.column} + 1)}};
  };
  Json infinite = Json::array();
  Json all = Json::array();
  std::size_t count = 0;
  for (const CoefficientEstimate& estimate : outcome.estimates) {
    if (is_infinite(estimate)) {
      ++count;
      infinite.push_back(named(estimate));
      infinite.back()["sign"] = sign_of(estimate);
    }
    all.push_back(named(estimate));
    all.back()["estimate"] = estimate_name(estimate.estimate);
    all.back()["computed_sign"] = estimate.computed_sign;
  }
  object["infinite_features"] = count;
  if (full || count <= kLongVector) object["infinite"] = std::move(infinite);
  if (full || outcome.estimates.size() <= kLongVector) object["coefficients"] = std::move(all);
}

}  // namespace linsep
