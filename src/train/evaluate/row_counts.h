// RowCounts collects what one model makes of rows, in bounded memory. The figures depend neither on the order of the
// rows nor on how they are spread over threads and workers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/train.h"

namespace linsep {

class RowCounts {
 public:
  /// At most this many places for scores, in all tables together.
  static constexpr std::size_t kPlaces = std::size_t{1} << 22;

  /// `ranking` also counts rows by score. The model must outlive this.
  RowCounts(const Model& model, bool ranking, std::size_t places = kPlaces);
  RowCounts(RowCounts&&) noexcept;
  RowCounts& operator=(RowCounts&&) = delete;
  ~RowCounts();

  /// Takes rows with their labels and the scores `z`. `schema` is that of the source.
  void take(const Schema& schema, std::span<const double> labels, std::span<const double> z, const RunLimits& limits);
  /// Adds up the counts of all workers.
  void all_reduce(Comm& comm);
  /// Ends the counting.
  Evaluation finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

bool all_finite(std::span<const double> z);
/// Whether a row is a mistake. With a threshold of 0, the boundary itself is a mistake for both classes.
bool is_mistake(double threshold, double y, double z);
/// The same with a score for each class: whether another one is as high as that of the row's own class.
bool is_class_mistake(std::size_t own, std::span<const double> z);
/// Whether a row is a mistake in any of its label columns.
bool is_mistake_of_labels(const std::string& combination, std::span<const double> z);
/// The index of a row's class, which is its label. With two classes, which a source shows as -1 and 1, it is their
/// index. Throws if the source has classes that the model doesn't have.
std::size_t class_index(double label, std::size_t classes);
/// The values of a row in each of the label columns. Throws if its label is none of the source's.
const std::string& combination_of(const Schema& schema, double label);

}  // namespace linsep
