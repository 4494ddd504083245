#include "linsep/progress.h"

namespace linsep {

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kReading:
      return "reading";
    case Phase::kPermuting:
      return "permuting";
    case Phase::kTraining:
      return "training";
    case Phase::kMeasuring:
      return "measuring";
    case Phase::kCertifying:
      return "certifying";
    case Phase::kSealing:
      return "sealing";
    case Phase::kChecking:
      return "checking";
    case Phase::kPredicting:
      return "predicting";
  }
  return "";
}

}  // namespace linsep
