#include "core/aside.h"

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace linsep {

void run_aside(std::function<void()> work, const StopPoint& stop) {
  constexpr auto kLookUpEvery = std::chrono::milliseconds(10);
  if (!stop.function()) return work();
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  std::thread(std::move(task)).detach();
  while (done.wait_for(kLookUpEvery) == std::future_status::timeout) stop.look();
  done.get();
}

}  // namespace linsep
