// What must hold of an array before its values are read.
#pragma once

#include "format/arrow/type.h"

namespace linsep::arrow {

/// Looks at the values begin … begin + rows − 1 of an array: buffers that are there, offsets that ascend and end within
/// what they point into, views and indices within theirs. Throws an input Error that names the column.
/// An array without a validity buffer, with null_count −1, of no rows and without buffers is fine.
void check_array(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t rows);

}  // namespace linsep::arrow
