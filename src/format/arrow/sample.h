// The first rows of an Arrow table, as those of CSV are looked at, and what the types say.
#pragma once

#include "format/arrow/batches.h"
#include "format/table/sample.h"

namespace linsep::arrow {

/// As many rows as CSV would have within kSampleBytes bytes, names above them.
void read_sample(const ArrowTable::Batches& batches, Sample& sample);

}  // namespace linsep::arrow
