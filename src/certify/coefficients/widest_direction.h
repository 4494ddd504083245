// The direction of the largest margin among rows that can be separated: where the likelihood of a logistic regression
// goes. In floating point, nothing proven.
//
// The w with the least norm (the offset not counted, columns in the units of the data) that has z·w ≥ 1 on the rows and
// z·w = 0 on the rows at zero; by Wolfe's method (numeric/nearest_points.h) on the rests of the rows, in coordinates in
// which the norm of w is the plain one.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "certify/coefficients/direction_space.h"
#include "certify/exact/rows.h"

namespace linsep {

/// Up to a positive scale, over all columns; empty where it isn't found. `rests` are the rests of the rows, which can
/// be separated.
std::vector<double> widest_direction(const DirectionSpace& space, const std::map<std::int64_t, ExactRow>& rests,
                                     const RowSpace& rows);

/// The signs of a direction: 0 where a weight is rounding only. `exponent[column]` is a column's typical size.
std::vector<int> signs_of(const std::vector<double>& direction, const std::vector<int>& exponent);

}  // namespace linsep
