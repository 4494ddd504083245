// What `linsep train --hard` tells of rows that no linear classifier separates.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "report/json.h"

namespace linsep::app {

struct InseparableReport {
  std::string data;   ///< as named on the command line
  std::string proof;  ///< where the certificate was written; "": nowhere
  const Certificate& certificate;
  Source* source;  ///< the data, to read the witness's rows again
};

/// One sentence: the message of an Error; and what can be done.
std::string inseparable_words(const InseparableReport& report);
std::string inseparable_advice(const InseparableReport& report);
/// `full`: witnesses of any length.
Json inseparable_json(const InseparableReport& report, bool full);

}  // namespace linsep::app
