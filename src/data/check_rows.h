// What is checked of arrays owned by someone else; `check_rows` of linsep/read.h goes through all of them.
#pragma once

#include <optional>
#include <string>

#include "linsep/batch.h"
#include "linsep/source.h"

namespace linsep {

/// Throws a usage Error where the arrays' sizes don't fit each other: what can be told without going through them.
void check_sizes(const Batch& batch);

/// Throws an input Error for the first row whose label isn't possible under the schema or whose weight isn't a finite
/// number of at least 0; also where labels are missing though the schema names classes. REQUIRES: check_sizes passed.
void check_labels_and_weights(const Batch& batch, const Schema& schema);

}  // namespace linsep
