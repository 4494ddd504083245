// ClassSums: the weighted sums of each class's rows, from which the class means come.
#pragma once

#include <array>
#include <vector>

#include "core/binned_sums.h"
#include "core/bytes.h"
#include "core/exact_sum.h"
#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

/// Index 0 is the negative class, 1 the positive. The sums depend neither on how the data is cut into batches nor on
/// how it is spread over workers.
class ClassSums {
 public:
  std::size_t features() const { return sum_[0].size(); }
  void widen(std::size_t features);
  void add(const Batch& batch);
  /// The sums over all workers.
  void synchronise(Comm& comm);

  double weight(int which) const { return weight_[static_cast<std::size_t>(which)].value(); }
  /// Σw·x of one class.
  std::vector<double> sum(int which) const;
  /// μ of one class. REQUIRES: its weight is above 0.
  std::vector<double> mean(int which) const;
  /// Throws an input Error that names `learner` unless both classes have rows of weight above 0.
  void require_both(std::string_view learner) const;

  void save(ByteWriter& writer) const;
  /// REQUIRES: as wide as when it was saved.
  void load(ByteReader& reader);

 private:
  std::array<ExactSum, 2> weight_;
  std::array<BinnedSums, 2> sum_;
};

/// −θ·(μ⊕ + μ⊖)/2: the offset that puts the threshold half way between the class means.
double halfway_offset(const std::vector<double>& theta, const std::vector<double>& mean_of_negatives,
                      const std::vector<double>& mean_of_positives);

/// θ·x of two dense vectors of one size, by the kernel.
double dot_dense(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace linsep
