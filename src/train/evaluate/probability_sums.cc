#include "train/evaluate/probability_sums.h"

#include <algorithm>
#include <vector>

#include "model/class_probability.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

double mean(const ExactSum& sum, std::int64_t count) {
  return sum.value() / static_cast<double>(std::max<std::int64_t>(count, 1));
}

}  // namespace

void EvaluationSums::exact_all_reduce(Comm& comm) {
  std::vector<ExactSum*> all = {&squares, &log_loss, &brier};
  for (ExactSum& sum : predicted) all.push_back(&sum);
  linsep::exact_all_reduce(comm, all);
}

void count_probability(ProbabilityEvaluation& result, EvaluationSums& sums, const Calibration& calibration, double y,
                       double z) {
  const double p = positive_probability(calibration, z), truth = y > 0 ? 1 : 0;
  sums.log_loss.add(log_loss(calibration, z, y));
  sums.brier.add((p - truth) * (p - truth));
  const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(p * 10), result.bins.size() - 1);
  ++result.bins[place].rows;
  if (y > 0) ++result.bins[place].positive;
  sums.predicted[place].add(p);
}

void count_probability(EvaluationSums& sums, const Model& model, std::size_t own, std::span<const double> z) {
  std::vector<double> p(z.size());
  probabilities(model, z, p);
  sums.log_loss.add(class_log_loss(p, own));
  for (std::size_t c = 0; c < p.size(); ++c) sums.brier.add((p[c] - (c == own ? 1 : 0)) * (p[c] - (c == own ? 1 : 0)));
}

void finish_probabilities(ProbabilityEvaluation& result, const EvaluationSums& sums, std::int64_t rows) {
  for (std::size_t k = 0; k < result.bins.size(); ++k) {
    result.bins[k].predicted = mean(sums.predicted[k], result.bins[k].rows);
  }
  result.log_loss = mean(sums.log_loss, rows);
  result.brier = mean(sums.brier, rows);
}

std::vector<ProbabilityEvaluation::Bin> equal_count_bins(const ScoreCounts& counts, const Calibration& calibration) {
  constexpr std::int64_t kBins = 10;
  std::int64_t rows = 0, before = 0;
  for (const auto& place : counts.places) rows += place.negative + place.positive;
  std::vector<ProbabilityEvaluation::Bin> bins(kBins);
  std::vector<ExactSum> predicted(kBins);
  for (std::size_t i = counts.places.size(); i-- > 0;) {
    const auto& place = counts.places[i];
    const std::int64_t here = place.negative + place.positive;
    // Where the middle one of its rows falls.
    const auto bin = static_cast<std::size_t>(std::min((2 * before + here) * kBins / (2 * rows), kBins - 1));
    const double least = positive_probability(calibration, place.least);
    const double most = counts.dropped_bits == 0 ? least : positive_probability(calibration, greatest_score(counts, i));
    bins[bin].rows += here;
    bins[bin].positive += place.positive;
    predicted[bin].add(static_cast<double>(here) * (least + (most - least) / 2));
    before += here;
  }
  for (std::size_t k = 0; k < bins.size(); ++k) bins[k].predicted = mean(predicted[k], bins[k].rows);
  return bins;
}

}  // namespace linsep
