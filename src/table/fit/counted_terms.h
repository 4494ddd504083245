// CountedTerms: a vocabulary once all rows of all workers are counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/table/map.h"
#include "table/fit/vocabulary.h"

namespace linsep {

struct CountedTerm {
  std::string term;
  std::uint64_t count = 0;  ///< rows that it is in

  bool operator==(const CountedTerm&) const = default;
};

struct CountedTerms {
  int bits = 0;                        ///< 0: exact
  std::uint64_t distinct = 0;          ///< exact: all terms
  std::vector<CountedTerm> terms;      ///< exact: those in `min_count` rows or more, by descending count, then by bytes
  std::vector<std::uint32_t> buckets;  ///< hashed: those whose count is `min_count` or more
  std::vector<std::uint64_t> counts;   ///< and their counts, at most the number of rows
  std::vector<BucketName> names;       ///< of those buckets
};

/// Adds what all workers have counted; the vocabulary may be folded by that, and is empty afterwards. The same on all
/// of them, and for any number of them. Terms of an exact one go from worker to worker in slices of the key space, so
/// that memory stays that of one table. A collective call.
CountedTerms count_terms(Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, std::int64_t rows);

}  // namespace linsep
