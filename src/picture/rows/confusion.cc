#include <algorithm>
#include <numeric>

#include "picture/parts.h"

namespace linsep {

void add_confusion(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  constexpr std::size_t kMost = 30;
  if (!gathered.evaluation || gathered.evaluation->confusion.empty()) return;
  const std::vector<std::int64_t>& all = gathered.evaluation->confusion;
  const std::vector<std::string>& names = input.models.front().model->schema.classes;
  const std::size_t k = scores_per_row(*input.models.front().model);
  std::vector<std::int64_t> confused(k);
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b) continue;
      confused[a] += all[a * k + b];
      confused[b] += all[a * k + b];
    }
  }
  std::vector<std::size_t> shown(k);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::ranges::stable_sort(shown, std::ranges::greater{}, [&](std::size_t c) { return confused[c]; });
  shown.resize(std::min(k, kMost));
  std::ranges::sort(shown);
  Picture::Confusion& confusion = *(picture.confusion = Picture::Confusion{});
  confusion.left_out = static_cast<std::int64_t>(k - shown.size());
  for (const std::size_t a : shown) {
    confusion.classes.push_back(a < names.size() ? short_name(names[a]) : std::to_string(a + 1));
    for (const std::size_t b : shown) confusion.counts.push_back(all[a * k + b]);
  }
}

}  // namespace linsep
