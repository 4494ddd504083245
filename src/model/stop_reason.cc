#include "model/stop_reason.h"

#include "core/json.h"

namespace linsep {

std::string_view stop_reason_name(StopReason reason) { return name_in(kStopReasonNames, reason); }

}  // namespace linsep
