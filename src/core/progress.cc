#include "linsep/progress.h"

namespace linsep {

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kReading:
      return "reading";
    case Phase::kPaging:
      return "writing pages";
    case Phase::kGenerating:
      return "generating";
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
