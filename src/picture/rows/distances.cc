#include <algorithm>
#include <cmath>

#include "linsep/tools/distances.h"
#include "picture/parts.h"

namespace linsep {
namespace {

/// Few bins for few rows.
std::size_t bins_for(std::int64_t rows) {
  return static_cast<std::size_t>(std::clamp(2 * std::sqrt(static_cast<double>(rows)), 10.0, 60.0));
}

}  // namespace

void add_distances(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  if (!gathered.evaluation || !(gathered.norm > 0) || !is_two_class(*input.models.front().model)) return;
  const ScoreCounts& counts = gathered.evaluation->scores.front();
  if (counts.places.empty()) return;
  // The bins of the outermost distances are those of all.
  const std::vector<double> ends = {counts.places.back().least / gathered.norm,
                                    counts.places.front().least / gathered.norm};
  Picture::DistanceBins& distances = *(picture.distances = Picture::DistanceBins{});
  for (const Bin& bin : histogram(ends, bins_for(gathered.rows))) distances.bins.push_back({bin.low, bin.high, 0, 0});
  for (const ScoreCounts::Place& place : counts.places) {
    const double distance = place.least / gathered.norm;
    const auto above = std::ranges::upper_bound(distances.bins, distance, {}, &Picture::DistanceBins::Bin::low);
    auto& bin = above == distances.bins.begin() ? *above : *std::prev(above);
    bin.negative += place.negative;
    bin.positive += place.positive;
  }
  distances.norm = gathered.norm;
  if (gathered.has_margin) distances.margin = 1 / gathered.norm;
}

}  // namespace linsep
