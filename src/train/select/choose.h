// Which λ of a path is kept, and where a path goes on whose best λ stands at one of its ends.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "linsep/select.h"

namespace linsep {

/// The index of least held-out error, or loss; of equals the first, whose λ is greatest. Without a λ that all folds are
/// done with, or without folds, the last that is finished on all rows. `path`: λ descending, at least one.
std::size_t choose_point(const std::vector<SelectionPoint>& path, bool by_loss);

/// The λ to try next: where the best is the first or the last and better than its neighbour, one more in that
/// direction, by the factor `ratio`. Nothing where it stands within, or hasn't been held out everywhere.
std::optional<double> next_lambda(const std::vector<SelectionPoint>& path, bool by_loss, double ratio);

}  // namespace linsep
