// ClassSums: the weighted sums of each class's rows, from which the class means come.
#pragma once

#include <array>
#include <vector>

#include "core/bytes.h"
#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

/// Index 0 is the negative class, 1 the positive. Rows are added one by one, so the sums don't depend on how the data
/// is cut into batches.
struct ClassSums {
  std::array<double, 2> weight{};
  std::array<std::vector<double>, 2> sum;

  std::size_t features() const { return sum[0].size(); }
  void widen(std::size_t features);
  void add(const Batch& batch);
  /// The sums over all workers.
  void synchronise(Comm& comm);

  /// μ of one class. REQUIRES: its weight is above 0.
  std::vector<double> mean(int which) const;
  /// Throws an input Error that names `learner` unless both classes have rows of weight above 0.
  void require_both(std::string_view learner) const;

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);
};

/// −θ·(μ⊕ + μ⊖)/2: the offset that puts the threshold half way between the class means.
double halfway_offset(const std::vector<double>& theta, const std::vector<double>& mean_of_negatives,
                      const std::vector<double>& mean_of_positives);

/// θ·x of two dense vectors of one size, by the kernel.
double dot_dense(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace linsep
