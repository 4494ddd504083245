#include "picture/told/formula.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "picture/parts.h"
#include "picture/words.h"

namespace linsep {
namespace {

class Formula {
 public:
  void term(double factor, const std::string& name) {
    if (factor == 0) return;
    const char* sign = factor < 0 ? (first_ ? " −" : " − ") : (first_ ? " " : " + ");
    const bool plain = std::fabs(factor) == 1 && !name.empty();
    text_ += fmt::format("{}{}{}{}", sign, plain ? "" : figure_text(std::fabs(factor)),
                         plain || name.empty() ? "" : "·", name);
    first_ = false;
  }
  void dots() { text_ += " + …"; }
  std::string text() const { return first_ ? "z = 0" : text_; }

 private:
  std::string text_ = "z =";
  bool first_ = true;
};

}  // namespace

std::string formula_text(const Model& model) {
  if (model.form != Model::Form::kLinear) return "";
  const auto [theta, offset] = raw_weights(model);
  Formula formula;
  std::size_t terms = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    if (theta[j] == 0) continue;
    if (++terms > kFormulaTerms) {
      formula.dots();
      break;
    }
    formula.term(theta[j], short_name(feature_name(model, static_cast<std::uint32_t>(j))));
  }
  formula.term(offset, "");
  return formula.text();
}

std::string separator_text(const Certificate& certificate, const Model& names) {
  constexpr double kReadable = 1e6;
  const std::uint32_t mapped = mapped_features(names.map, names.features);
  if (certificate.levels.size() != 1 || certificate.levels.front().size() > kFormulaTerms + 1) return "";
  std::int64_t divisor = 0;
  for (const ColumnWeight& weight : certificate.levels.front()) {
    const double value = std::strtod(weight.weight.c_str(), nullptr);
    if (weight.weight.find('/') != std::string::npos || std::fabs(value) >= kReadable || value != std::round(value)) {
      return "";
    }
    divisor = std::gcd(divisor, static_cast<std::int64_t>(value));
  }
  Formula formula;
  for (const ColumnWeight& weight : certificate.levels.front()) {
    const double value = std::strtod(weight.weight.c_str(), nullptr) / static_cast<double>(divisor);
    formula.term(value, weight.column == mapped ? "" : short_name(feature_name(names, weight.column)));
  }
  return formula.text();
}

}  // namespace linsep
