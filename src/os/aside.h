// start_aside starts work on a thread of its own, apart from the caller's. The threads are those of core/parallel.h,
// which are kept from one call to the next.
#pragma once

#include <functional>
#include <future>

namespace linsep {

/// Does the work on a thread of its own, which is kept, and returns at once. The future becomes ready, or gets what the
/// work threw, when that thread may be given other work, so calls one after another share one thread. Throws
/// std::system_error if there is no thread and the system starts none.
std::future<void> start_aside(std::function<void()> work);

}  // namespace linsep
