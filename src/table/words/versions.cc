#include "table/words/words.h"

namespace linsep::words {

const std::vector<Version>& versions() {
  static const std::vector<Version> usable = [] {
    std::vector<Version> found;
#if defined(__x86_64__)
    for (const Version* version : {&kAvx512, &kAvx2}) {
      if (version->runs_here()) found.push_back(*version);
    }
#endif
    found.push_back(kStrict);
    return found;
  }();
  return usable;
}

}  // namespace linsep::words
