// Averaging: the mean of a perceptron's θ over all its steps, without touching all of θ at each of them.
//
// θ_t is θ after row visit t = 1 … N. A mistake at visit t adds (t − 1)·η·y·x to a vector u, and mean = (N·θ − u) / N.
// The order of operations is: a = (t − 1)·(η·y), u_j += a·x_j, then at the end (N·θ_j − u_j) / N, each rounded once.
// Where sums are exact this is the rounded mean itself. With several workers it is the mean over the steps of all.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {

class Averaging {
 public:
  void widen(std::size_t features) { late_.resize(features); }

  /// θ += a·x (and θ0 += a, unless `origin`) after `step` visits.
  template <class Row>
  void correct(double a, const Row& x, bool origin, std::int64_t step) {
    const double late = static_cast<double>(step) * a;
    axpy(late, x, late_.data());
    if (!origin) late_offset_ += late;
  }

  /// All workers are about to resume from the same θ: adds up what they have done in `steps` visits each.
  void synchronise(Comm& comm, const std::vector<double>& theta, double offset, std::int64_t steps);

  /// Replaces the θ and θ0 reached, after `steps` visits since workers were synchronised, by the mean of all.
  void average(std::vector<double>& theta, double& offset, std::int64_t steps) const;

  void save(ByteWriter& writer) const;
  /// What was saved with this number of features.
  void load(ByteReader& reader, std::size_t features);

 private:
  /// Σθ_t over the steps since workers were synchronised, and at the end Σθ0_t.
  std::vector<double> sum_of_steps(const std::vector<double>& theta, double offset, std::int64_t steps) const;

  std::vector<double> late_;  ///< u
  double late_offset_ = 0;
  std::vector<double> mixed_sum_;  ///< with workers: Σθ_t over their steps in the passes that have ended, the last
  std::int64_t mixed_steps_ = 0;   ///< number being that of θ0; and how many steps these are
};

}  // namespace linsep
