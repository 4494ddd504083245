// From counts to encoders, and what the account says of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/fit/column_counts.h"
#include "table/fit/counted_terms.h"

namespace linsep {

/// Numbers and the days of dates: what their sums say.
struct NumberFacts {
  std::int64_t count = 0;
  double least = 0, greatest = 0, mean = 0;
  double deviation = 0;  ///< 0 where it can't be told: one value, no squares, or such that aren't doubles
};
NumberFacts number_facts(const TableFitter::Counts& counts, const ColumnCounts& column, double centre);

Encoder number_encoder(const TableSpec& spec, const PlannedColumn& plan, const NumberFacts& facts,
                       std::int64_t missing);
Encoder date_encoder(const TableSpec& spec, const PlannedColumn& plan, const NumberFacts& facts,
                     const ColumnCounts& column);
/// Takes the terms out of `counted`.
Encoder category_encoder(const TableSpec& spec, const PlannedColumn& plan, CountedTerms& counted, std::int64_t missing);
Encoder pair_encoder(const TableSpec& spec, const std::string& first, const std::string& second, CountedTerms& counted);
/// idf is computed by rank 0 and handed to all, for `log` isn't the same everywhere. A collective call.
Encoder text_encoder(const TableSpec& spec, const PlannedColumn& plan, const TextCounts& text, CountedTerms& counted,
                     std::int64_t rows, Comm& comm);

// What the account says (ColumnAccount::detail).
std::string number_detail(const Encoder& encoder, const NumberFacts& facts, std::int64_t missing);
std::string date_detail(const Encoder& encoder, const NumberFacts& facts, std::int64_t missing);
std::string category_detail(const TableSpec& spec, const Encoder& encoder, std::uint64_t distinct,
                            std::int64_t missing);
std::string terms_detail(const TableSpec& spec, const Encoder& encoder, std::uint64_t distinct);
std::string weighting_detail(const Encoder& encoder);
/// "1,234", "2·10⁹"
std::string about(double number);

}  // namespace linsep
