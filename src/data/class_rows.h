// Rows of more than two classes as rows of two, for questions that are asked of two classes.
#pragma once

#include <cstddef>
#include <memory>

#include "linsep/source.h"

namespace linsep {

/// One class (an index in the schema's list) is positive, all others together are the negative one, which is called "".
/// All else passes through. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> one_against_the_rest(Source& inner, std::size_t positive);

/// Kesler's construction: each row and each class other than its own, in their order, make a row of the positive class
/// that says "the own class has the greater score". Scores are linear; the last class's is 0, since only differences
/// count, and every other class has a block of columns: the features and, unless `origin`, the offset. The row has
/// (x, 1) in the own class's block and −(x, 1) in the other's. Row i of k classes makes the rows from i·(k−1) on.
/// Batches are sparse doubles without weights; features have no names. Throws a usage Error where there are too many
/// columns. REQUIRES: more than two classes; `inner` outlives the result.
std::unique_ptr<Source> all_classes_jointly(Source& inner, bool origin);

/// Of row number `joint` of all_classes_jointly: the other class, an index, given that of the row's own class.
std::size_t rival_class(std::int64_t joint, std::size_t own, std::size_t classes);

/// A label as written as an index in the list of classes. Numbers are compared as numbers. Throws an input Error where
/// it is none of them.
std::size_t class_of(const std::string& label, const std::vector<std::string>& classes);

}  // namespace linsep
