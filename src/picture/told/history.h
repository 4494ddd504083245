// The passes of a run as they are drawn.
#pragma once

#include <span>

#include "linsep/picture/document.h"
#include "linsep/progress.h"

namespace linsep {

/// `passes`, `bars`, `group`, `passes_made` and `seconds_ticks` of a history. Of more than 2,000 passes the first and
/// the last are kept, and of each run of consecutive passes the best and the worst in everything that is measured.
Picture::History history_of(std::span<const Progress> passes);

}  // namespace linsep
