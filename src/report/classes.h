// What `linsep certify` reports about more than two classes, each against the rest, and all jointly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/certify.h"
#include "linsep/tools/certify_classes.h"
#include "report/json.h"

namespace linsep {
/// One class against the rest.
struct ClassTrial {
  CertifyOutcome outcome;
  std::vector<WitnessRow> witness;
  double seconds = 0;
};

struct ClassesReport {
  std::string data;   ///< as named on the command line
  std::string proof;  ///< the file of the joint certificate, or "" if it wasn't written
  std::string check;  ///< the command that checks it
  Schema schema;
  std::int64_t rows = 0;
  std::vector<ClassTrial> against;  ///< of the first classes. Fewer than all if limits ran out, or none was asked about
  CertifyOutcome joint;
  std::vector<RivalRow> witness;
  double read_seconds = 0, certify_seconds = 0, seal_seconds = 0;
};

/// With `full`, lists of any length.
Json report_json(const ClassesReport& report, bool full);
std::string report_words(const ClassesReport& report);

}  // namespace linsep
