// Exact bounds on margins, as certificates state them.
#pragma once

#include "exact/number.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// Whether the source's values are binary: then a batch shows them exactly. Begins a pass.
bool is_binary(Source& source);

/// A rational of about 60 bits at least (`up`) or at most `value`; the value itself where that is short. REQUIRES:
/// value ≥ 0.
Rational short_bound(const Rational& value, bool up);

/// The double nearest to the square root on the safe side: at least (`up`) or at most it. Nothing beyond the range of
/// doubles. REQUIRES: value > 0.
std::optional<double> root_bound(const Rational& value, bool up);
/// The same of the value itself.
std::optional<double> double_bound(const Rational& value, bool up);

/// No separator has a margin above ‖Σ α_i y_i φ(x_i)‖ / Σ α_i, where with an offset both classes weigh the same: sets
/// `at_most_squared` and `alpha`. `support` are the α by row, made integers of `bits` bits; `rows` are the same rows.
/// False where a class is missing.
bool bound_from_hulls(const std::vector<std::pair<std::int64_t, double>>& support, const std::vector<ExactRow>& rows,
                      const RowSpace& space, int bits, MarginBounds& margin);

}  // namespace linsep
