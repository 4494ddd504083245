// What workers do together: an error of one is the error of all, and bytes of each reach everyone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linsep/comm.h"

namespace linsep {

/// Runs `work` on every worker. Where it throws an Error on some of them, that of the lowest rank is thrown on all:
/// same kind, place and message. Anything else that is thrown stays with its worker, which must then end the run.
/// A collective call; `work` makes none itself.
void rethrow_on_all(Comm& comm, const std::function<void()>& work);

/// Every worker's bytes, by rank.
std::vector<std::string> gather_text(Comm& comm, const std::string& mine);

}  // namespace linsep
