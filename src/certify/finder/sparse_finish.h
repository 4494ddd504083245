// SparseFinish: a witness among the live rows where columns are too many for dense exact arithmetic (certify/sparse).
//
// One pass takes the live rows in, as floats; then every worker does the same work on the rows of all. Twelve bytes per
// entry; where that would be too much, nothing is looked for.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certify/exact/witness.h"
#include "certify/finder/state.h"
#include "certify/sparse/sparse_witness.h"
#include "certify/sparse/unit_rows.h"
#include "linsep/comm.h"

namespace linsep {

class SparseFinish {
 public:
  explicit SparseFinish(FinderState& state);

  /// A live row, `z` as RowScaling shows it.
  template <class Row>
  void take(const Row& z, std::int64_t number, int sign) {
    if (too_many_) return;
    const RowScaling& scaling = state_.scaling;
    for_each_entry(z, [&](std::uint32_t column, double value) {
      if (value != 0) put(column, sign * (scaling.mapped() ? value : value * scaling.column_scale[column]));
    });
    if (!scaling.space.origin)
      put(scaling.space.mapped, sign * std::ldexp(1.0, -scaling.exponent[scaling.space.mapped]));
    rows_.end_row(number);
    if (rows_.entries() > kMostEntries) give_up();
  }

  /// Whether as many columns are so few that the span of all live rows is looked for too: checking it costs their cube.
  static bool wants_span(std::size_t columns) { return columns <= kMostSpan; }

  /// Looks for a witness among the rows of all workers, unless `known` says that there is one; then, where columns are
  /// few enough, for one that spans all live rows. Collective; leaves no rows.
  void finish(bool known, Comm& comm);

  bool stopped() const { return stopped_; }  ///< `stop` said so
  const Witness& witness() const { return witness_; }
  /// Rows of the witness, ascending, that span all live rows; or none.
  const std::vector<std::int64_t>& basis() const { return basis_; }
  /// Why there is no witness, in words; may be empty.
  const std::string& obstacle() const { return obstacle_; }
  /// As one that has found nothing, for this reason.
  void set_obstacle(std::string obstacle) { obstacle_ = std::move(obstacle); }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 25;
  static constexpr std::size_t kMostSpan = 4096;

  void put(std::uint32_t column, double value) {
    rows_.column.push_back(column);
    rows_.value.push_back(value);
  }
  void give_up();
  void gather(Comm& comm);
  bool make_exact(const Support& support, Comm& comm);
  void look_for_span(Comm& comm);

  FinderState& state_;
  UnitRows rows_;
  Witness witness_;
  std::vector<std::int64_t> basis_;
  std::string obstacle_;
  bool too_many_ = false, stopped_ = false;
};

}  // namespace linsep
