#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/words.h"

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

void add(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
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

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.calibration) return;
  const Picture::CalibrationBins& calibration = *picture.calibration;
  using Bin = Picture::CalibrationBins::Bin;
  out.key("calibration");
  out.open('{');
  out.key("bins");
  out.open('{');
  out.column("from", calibration.bins, &Bin::from);
  out.column("to", calibration.bins, &Bin::to);
  out.column("rows", calibration.bins, &Bin::rows);
  out.column("predicted", calibration.bins, &Bin::predicted);
  out.column("observed", calibration.bins, &Bin::observed);
  out.column("low", calibration.bins, &Bin::low);
  out.column("high", calibration.bins, &Bin::high);
  out.close('}');
  out.field("log_loss", calibration.log_loss);
  out.field("brier", calibration.brier);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  if (!writer.picture.calibration) return;
  const Picture::CalibrationBins& bins = *writer.picture.calibration;
  writer.headline("calibration", fmt::format("Log loss {}, Brier score {} (0 is best).", figure_text(bins.log_loss),
                                             figure_text(bins.brier)));
  writer.caption("calibration",
                 "The share of positive rows in ten bins of predicted probability, with Wilson's 95 % "
                 "interval. On the diagonal, predictions are right on average.");
}

std::string table(const Picture& picture) {
  if (!picture.calibration) return "";
  using Bin = Picture::CalibrationBins::Bin;
  return html_table<Bin>("Predicted and observed", picture.calibration->bins,
                         {{"probability from", &Bin::from},
                          {"to", &Bin::to},
                          {"rows", &Bin::rows},
                          {"predicted", &Bin::predicted},
                          {"observed", &Bin::observed},
                          {"at least", &Bin::low},
                          {"at most", &Bin::high}});
}

}  // namespace

const ReportChart kCalibrationChart = {
    "calibration", "Calibration", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.calibration.has_value();
    }};

}  // namespace linsep
