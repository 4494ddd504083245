// LabelCounts: how often each label of a table was met, for the account.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "format/text/format.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

class LabelCounts {
 public:
  void take(const ParsedPage& page);
  void merge(const LabelCounts& other);
  /// "ham (negative, 4,825), spam (positive, 747)"; of many classes only how many there are; of a regression's numbers
  /// nothing. With all workers' counts: a collective call.
  std::string text(const ReadOptions& options, Comm& comm) const;

 private:
  std::map<std::string, std::int64_t> rows_;  ///< of each label, by name; no further ones past kMostClasses
};

}  // namespace linsep
