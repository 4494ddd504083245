// The perceptron's bound on mistakes, (R/γ)².
//
// γ is the greatest margin of a separator through the origin of the rows (x, 1) (through the origin: of x), R the
// greatest norm of such a row. Both are of the values as they are stored. The hard margin is solved to 10⁻⁹ of its
// optimum; its margin is rounded down and R up, so that the bound holds.
#include <cmath>
#include <vector>

#include "data/map_source.h"
#include "linsep/arrays.h"
#include "linsep/picture/make.h"
#include "linsep/specs.h"
#include "picture/words.h"

namespace linsep {
namespace {

/// With more values the hard margin may take longer than all else in a picture.
constexpr double kMostValues = 1 << 20;
constexpr std::uint32_t kMostFeatures = 2000;

/// The rows that a perceptron visits, dense, each with a last value 1 unless through the origin.
struct DenseRows {
  std::size_t width = 0;
  std::vector<double> value, label;
  double radius = 0;
  bool both_classes = false;
};

DenseRows gather(Source& source, bool origin) {
  DenseRows all;
  const std::size_t features = source.shape().features;
  all.width = features + (origin ? 0 : 1);
  bool negative = false, positive = false;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& x, std::int64_t i) {
      if (batch->weight_of(i) == 0) return;
      const std::size_t first = all.value.size();
      all.value.resize(first + all.width, 0.0);
      double square = origin ? 0 : 1;
      for_each_entry(x, [&](std::uint32_t column, double value) {
        all.value[first + column] = value;
        square += value * value;
      });
      if (!origin) all.value[first + features] = 1;
      all.radius = std::fmax(all.radius, std::sqrt(square));
      const double y = batch->label_of(i);
      all.label.push_back(y);
      (y > 0 ? positive : negative) = true;
    });
  }
  all.both_classes = negative && positive;
  return all;
}

std::string whole_words(double bound) {
  constexpr double kWholeNumbers = 9e15;
  return bound < kWholeNumbers ? count_text(static_cast<std::int64_t>(bound)) : figure_text(bound);
}

}  // namespace

std::optional<Picture::Bound> perceptron_bound(Source& source, bool origin, const FeatureMap& map,
                                               const RunLimits& limits) {
  const Schema& schema = source.schema();
  if (schema.classes.size() != 2 || !schema.labels.empty() || source.shape().rows <= 0) return std::nullopt;
  const bool mapped = map.kind != FeatureMap::Kind::kNone;
  const std::uint32_t features = mapped ? mapped_features(map, source.shape().features) : source.shape().features;
  if (features > kMostFeatures) return std::nullopt;
  if (static_cast<double>(source.shape().rows) * (features + 1.0) > kMostValues) return std::nullopt;
  const auto through_map = mapped ? map_rows(source, map) : nullptr;
  const DenseRows rows = gather(through_map ? *through_map : source, origin);
  if (!rows.both_classes || rows.width == 0) return std::nullopt;
  const auto labelled = label_rows(dense_rows(rows.value, rows.width), rows.label);
  const Outcome outcome = fit(*labelled, Margin{.origin = true, .hard = true, .gap = 1e-9}, TrainOptions{limits});
  if (outcome.reason != StopReason::kConverged || !outcome.hard_margin) return std::nullopt;
  constexpr double kRoundedUp = 1 + 1e-12;
  Picture::Bound bound;
  bound.radius = rows.radius;
  bound.margin = outcome.hard_margin->margin;
  bound.mistakes = std::pow(bound.radius / bound.margin, 2) * kRoundedUp;
  if (!(bound.margin > 0) || !std::isfinite(bound.mistakes)) return std::nullopt;
  bound.mistakes_text = whole_words(bound.mistakes);
  return bound;
}

}  // namespace linsep
