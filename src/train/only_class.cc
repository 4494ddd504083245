#include "linsep/tools/only_class.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace linsep {

std::optional<std::string> only_class(Source& source, Comm& comm) {
  const std::vector<std::string>& classes = source.schema().classes;
  if (classes.size() < 2 || !source.schema().labels.empty()) return std::nullopt;
  constexpr double kMost = std::numeric_limits<double>::max();
  double least = kMost, greatest = -kMost;
  rethrow_on_all(comm, [&] {
    source.rewind(0);
    for (auto batch = source.next(); batch && least >= greatest; batch = source.next()) {
      for (std::int64_t i = 0; batch->labelled() && i < batch->rows; ++i) {
        least = std::min(least, batch->label_of(i));
        greatest = std::max(greatest, batch->label_of(i));
      }
    }
  });
  std::array<double, 2> ends = {-least, greatest};
  comm.all_reduce(std::span<double>(ends), Comm::Op::kMax);
  if (-ends[0] != ends[1]) return std::nullopt;
  // Labels of two classes are −1 and 1, of more than two their indices.
  if (classes.size() == 2) return classes[ends[1] > 0 ? 1 : 0];
  return classes.at(static_cast<std::size_t>(ends[1]));
}

}  // namespace linsep
