// Where the rows of a data set lie, seen from a linear classifier's boundary.
//
// The signed distance of a row is γ = y·z/‖θ‖ (‖θ‖ without the intercept, over the mapped features). It is below 0 on
// the wrong side. The margin's boundaries are the planes z = ±1, at the distance 1/‖θ‖ on both sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/model.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// The training problem of a model of the learner margin, on the rows at hand.
struct MarginObjective {
  bool hard = false;
  std::string loss;     ///< as the option --loss names it, or "" for the hard margin
  double lambda = 0;    ///< 0 for the hard margin
  double l1_ratio = 0;  ///< ρ of the penalty ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²
  double mean_loss = 0;
  double value = 0;  ///< mean loss + λ·penalty, or ½‖θ‖²
};

struct Distances {
  double norm = 0;                    ///< ‖θ‖. If it is 0 there is no boundary, and γ isn't defined
  std::vector<double> margin;         ///< y·z of every row, in order
  std::int64_t least_row = -1;        ///< the row of the smallest y·z, the first of several, or −1 without rows
  std::int64_t mistakes = 0;          ///< y·z ≤ 0
  std::int64_t inside = 0;            ///< y·z < 1 − tolerance: mistakes and rows on the right side within the margin
  std::vector<std::int64_t> support;  ///< y·z ≤ 1 + tolerance, ascending
  std::optional<MarginObjective> objective;

  double width() const { return 2 / norm; }
  double distance(std::size_t i) const { return margin[i] / norm; }
};

/// One pass over labeled rows, keeping one number per row. Throws a usage Error for a model that has no θ or predicts
/// numbers.
Distances measure_distances(Source& source, const Model& model, double tolerance, const Observer& observe = {});

/// A bin of a histogram: `rows` values v with low ≤ v < high, in the last one also v = high.
struct Bin {
  double low = 0, high = 0;
  std::int64_t rows = 0;
};
/// At most `most` bins of one round width, 0 being an edge. Values that aren't finite are left out.
std::vector<Bin> histogram(std::span<const double> values, std::size_t most);

}  // namespace linsep
