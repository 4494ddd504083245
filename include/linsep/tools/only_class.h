// Whether all rows are of one class.
#pragma once

#include <optional>
#include <string>

#include "linsep/comm.h"
#include "linsep/source.h"

namespace linsep {

/// The class that every row is of, although there should be two or more. Nothing if rows of two were met, which ends
/// the search, and if rows have numbers or several labels. A collective call. REQUIRES: the rows can be gone through
/// again.
std::optional<std::string> only_class(Source& source, Comm& comm);

}  // namespace linsep
