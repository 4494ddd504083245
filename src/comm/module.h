// What a module of an engine exports, and the entry points that both sides agree on.
#pragma once

#include <filesystem>
#include <vector>

#include "linsep/tools/engines.h"

namespace linsep {

/// The folders that modules may be in, in search order.
std::vector<std::filesystem::path> module_folders();

}  // namespace linsep

/// Changes whenever EngineComm, GlooOptions or the entries below do, so that a module of another build is refused.
#define LINSEP_ENGINE_VERSION "linsep engine 4, " __VERSION__

extern "C" {
const char* linsep_engine_version();
/// Each module exports one of these, by its name. They throw linsep::Error, and the caller owns what they return.
linsep::EngineComm* linsep_engine_mpi(double timeout_seconds);
linsep::EngineComm* linsep_engine_gloo(const linsep::GlooOptions& options, const linsep::AllGather& rendezvous);
}
