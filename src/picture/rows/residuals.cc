#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "linsep/tools/distances.h"
#include "picture/parts.h"

namespace linsep {

void add_residuals(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  constexpr std::size_t kMost = 60;
  if (!gathered.evaluation || !input.models.front().model->regression) return;
  std::vector<std::int64_t> shown = gathered.drawn;
  std::ranges::sort(shown);
  Picture::Residuals& residuals = *(picture.residuals = Picture::Residuals{});
  std::vector<double> values;
  std::vector<PlanePoint> ends = {{NAN, NAN}, {NAN, NAN}};
  predict(*input.data, *input.models.front().model, spec.limits, [&](const Batch& batch, std::span<const double> z) {
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const double said = z[static_cast<std::size_t>(i)], label = batch.label_of(i);
      if (!std::isfinite(said)) continue;
      values.push_back(label - said);
      ends[0].x = std::fmin(ends[0].x, std::fmin(said, label));
      ends[1].x = std::fmax(ends[1].x, std::fmax(said, label));
      if (spec.no_rows || !std::ranges::binary_search(shown, batch.number_of(i))) continue;
      residuals.at.push_back({batch.number_of(i), said, label});
    }
  });
  std::ranges::sort(residuals.at, {}, &Picture::Residuals::At::row);
  for (const Bin& bin : histogram(values, kMost)) residuals.bins.push_back({bin.low, bin.high, bin.rows});
  if (values.empty()) return;
  const std::vector<PlanePoint> diagonal = {{ends[0].x, ends[0].x}, {ends[1].x, ends[1].x}};
  const Window window = window_around(diagonal);
  residuals.low = window.x_low;
  residuals.high = window.x_high;
  residuals.root_mean_square = std::sqrt(gathered.evaluation->sum_of_squares / static_cast<double>(values.size()));
}

}  // namespace linsep
