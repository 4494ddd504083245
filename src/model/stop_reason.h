// Why a run ended, as files write and read it.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "linsep/stop_reason.h"

namespace linsep {

inline constexpr std::array<std::pair<StopReason, std::string_view>, 7> kStopReasonNames{
    {{StopReason::kConverged, "converged"},
     {StopReason::kPasses, "passes"},
     {StopReason::kTime, "time"},
     {StopReason::kInterrupted, "interrupted"},
     {StopReason::kEndOfStream, "end_of_stream"},
     {StopReason::kStalled, "stalled"},
     {StopReason::kInseparable, "inseparable"}}};

}  // namespace linsep
