#include "core/parallel.h"

namespace linsep {

int thread_count(int /*wanted*/) { return 1; }

void parallel_for(std::size_t count, int /*threads*/,
                  const std::function<void(std::size_t index, std::size_t worker)>& f) {
  for (std::size_t index = 0; index < count; ++index) f(index, 0);
}

}  // namespace linsep
