// Times all-reduces of several lengths, whoever makes them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace linsep::bench {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Prints, on the worker that `speaks`, the median time of `reduce(numbers)` for each length. The number of calls is
/// fixed by the length, so that all workers make the same.
template <class T>
void time_reductions(const char* name, bool speaks, const std::function<void(std::vector<T>&)>& reduce) {
  struct Case {
    std::size_t length;
    int calls;
  };
  for (const Case& one : {Case{1, 300}, Case{10'000, 100}, Case{1'000'000, 9}, Case{16'000'000, 3}}) {
    std::vector<T> data(one.length, T{1});
    std::vector<double> times;
    reduce(data);
    for (int k = 0; k < one.calls; ++k) {
      std::fill(data.begin(), data.end(), T{1});
      const double start = seconds_now();
      reduce(data);
      times.push_back(seconds_now() - start);
    }
    std::nth_element(times.begin(), times.begin() + one.calls / 2, times.end());
    if (speaks) {
      std::printf("%-28s %10zu numbers %12.1f us\n", name, one.length,
                  1e6 * times[static_cast<std::size_t>(one.calls / 2)]);
    }
  }
  std::fflush(stdout);
}

}  // namespace linsep::bench
