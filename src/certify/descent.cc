#include "certify/descent.h"

#include <algorithm>
#include <cmath>

#include "linsep/comm.h"
#include "numeric/parameter_averaging.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

/// A scan costs a pass: it is made when hardly a row slipped, and now and then.
constexpr std::int64_t kFewSlips = 2000;  ///< one row in this many
constexpr std::int64_t kNowAndThen = 16;

}  // namespace

MarginDescent::MarginDescent(const RowScaling& scaling, std::size_t rows)
    : scaling_(scaling),
      weight_(scaling.space.mapped, 0.0),
      scale_square_(scaling.space.mapped, 1.0),
      alpha_(rows, 0.0),
      square_(rows, 0.0F) {
  if (!scaling.mapped()) {
    for (std::size_t j = 0; j < scale_square_.size(); ++j) scale_square_[j] = std::ldexp(1.0, -2 * scaling.exponent[j]);
  }
  if (!scaling.space.origin) offset_square_ = std::ldexp(1.0, -2 * scaling.exponent[scaling.space.mapped]);
}

bool MarginDescent::end_pass(Comm& comm, std::int64_t rows) {
  slips_ = all_reduce_sum(comm, slips_);
  if (comm.size() > 1) mix(comm, weight_, offset_);
  ++passes_;
  const bool few = slips_ <= rows / kFewSlips;
  slips_ = 0;
  return few || passes_ % kNowAndThen == 0;
}

std::vector<double> MarginDescent::scaled_weights() const {
  std::vector<double> scaled = weight_;
  if (!scaling_.mapped()) {
    for (std::size_t j = 0; j < scaled.size(); ++j) scaled[j] = std::ldexp(scaled[j], scaling_.exponent[j]);
  }
  if (!scaling_.space.origin) scaled.push_back(std::ldexp(offset_, scaling_.exponent[scaling_.space.mapped]));
  return scaled;
}

void MarginDescent::save(ByteWriter& writer) const {
  writer.number(passes_);
  writer.number(offset_);
  writer.numbers(weight_);
  writer.numbers(alpha_);
  writer.numbers(square_);
}

void MarginDescent::load(ByteReader& reader) {
  const auto passes = reader.number<std::int64_t>();
  const auto offset = reader.number<double>();
  auto weight = reader.numbers<double>();
  auto alpha = reader.numbers<double>();
  auto square = reader.numbers<float>();
  const auto finite = [](double x) { return std::isfinite(x); };
  require_state(passes >= 0 && std::isfinite(offset) && weight.size() == weight_.size());
  require_state(alpha.size() == alpha_.size() && square.size() == square_.size());
  require_state(std::ranges::all_of(weight, finite));
  require_state(std::ranges::all_of(alpha, [](double a) { return a >= 0 && std::isfinite(a); }));
  require_state(std::ranges::all_of(square, [](float s) { return s >= 0; }));
  passes_ = passes;
  offset_ = offset;
  weight_ = std::move(weight);
  alpha_ = std::move(alpha);
  square_ = std::move(square);
  slips_ = 0;
}

std::vector<std::pair<std::size_t, double>> MarginDescent::support(std::size_t limit) const {
  std::vector<std::pair<std::size_t, double>> support;
  for (std::size_t i = 0; i < alpha_.size(); ++i) {
    if (alpha_[i] > 0) support.emplace_back(i, alpha_[i]);
  }
  if (support.size() > limit) {
    std::nth_element(
        support.begin(), support.begin() + static_cast<std::ptrdiff_t>(limit), support.end(),
        [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    support.resize(limit);
  }
  std::sort(support.begin(), support.end());
  return support;
}

ShortWeights shorten(const std::vector<double>& scaled, double share, std::size_t entries) {
  ShortWeights result;
  int exponent = 0;
  // A unit u changes a score by at most u/2·√entries·norm.
  std::frexp(share / (1.01 * std::sqrt(static_cast<double>(entries + 1))), &exponent);
  result.unit = std::ldexp(1.0, exponent - 1);
  for (const double w : scaled) {
    const double multiple = w / result.unit;
    result.scaled.push_back(std::fabs(multiple) < 0x1p52 ? std::nearbyint(multiple) * result.unit : w);
  }
  return result;
}

}  // namespace linsep
