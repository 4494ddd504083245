#include <cmath>
#include <limits>
#include <utility>

#include "picture/parts.h"

namespace linsep {
namespace {

/// Wilson's interval for a share, `positive` of `rows`, at a level of 95 %.
std::pair<double, double> wilson_interval(std::int64_t positive, std::int64_t rows) {
  constexpr double kZ = 1.959963984540054;
  const auto n = static_cast<double>(rows);
  const double share = static_cast<double>(positive) / n;
  const double scale = 1 + kZ * kZ / n, middle = share + kZ * kZ / (2 * n);
  const double half = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  const double low = positive == 0 ? 0 : (middle - half) / scale;
  const double high = positive == rows ? 1 : (middle + half) / scale;
  return {low, high};
}

}  // namespace

void add_calibration(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/,
                     const Gathered& gathered) {
  if (!gathered.evaluation || !gathered.evaluation->probabilities) return;
  if (!is_two_class(*input.models.front().model)) return;
  const ProbabilityEvaluation& found = *gathered.evaluation->probabilities;
  Picture::CalibrationBins& calibration = *(picture.calibration = Picture::CalibrationBins{});
  calibration.log_loss = found.log_loss;
  calibration.brier = found.brier;
  for (std::size_t k = 0; k < found.bins.size(); ++k) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    const ProbabilityEvaluation::Bin& bin = found.bins[k];
    Picture::CalibrationBins::Bin& own = calibration.bins.emplace_back();
    own.from = static_cast<double>(k) / 10;
    own.to = static_cast<double>(k + 1) / 10;
    own.rows = bin.rows;
    own.predicted = own.observed = own.low = own.high = kNothing;
    if (bin.rows == 0) continue;
    own.predicted = bin.predicted;
    own.observed = static_cast<double>(bin.positive) / static_cast<double>(bin.rows);
    std::tie(own.low, own.high) = wilson_interval(bin.positive, bin.rows);
  }
}

}  // namespace linsep
