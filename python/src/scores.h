// The scores of all rows, in slices that hear interrupts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/error.h"
#include "linsep/model.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

/// As many rows as take some milliseconds.
inline std::int64_t rows_at_a_time(const Model& model, const Batch& rows) {
  constexpr std::uint64_t kWork = std::uint64_t{1} << 23;
  std::uint64_t a_row = 16 + 2 * model.kept.column.size() + 16 * model.kept.size();
  const bool mapped = model.map.kind != FeatureMap::Kind::kNone;
  if (mapped) a_row += weights_of(model, 0).size();
  const std::uint64_t entries =
      rows.dense ? rows.features : (rows.start.back() - rows.start.front()) / std::max<std::uint64_t>(rows.rows, 1);
  a_row += entries * scores_per_row(model);
  return std::max<std::int64_t>(static_cast<std::int64_t>(kWork / a_row), 1);
}

template <class T>
std::vector<T> scores_of_arrays(const Model& model, const Batch& rows, int threads, const Watch& watch) {
  const std::size_t parts = scores_per_row(model);
  std::vector<T> z(static_cast<std::size_t>(rows.rows) * parts);
  Progress progress;
  progress.pass = 1;
  progress.passes_in_all = 1;
  progress.phase = Phase::kPredicting;
  progress.rows_in_all = rows.rows;
  const std::int64_t step = rows_at_a_time(model, rows);
  for (std::int64_t first = 0; first < rows.rows; first += step) {
    if (*watch.interrupt) throw interrupted_error();
    const std::int64_t count = std::min(step, rows.rows - first);
    score(model, slice_of(rows, first, count),
          std::span(z).subspan(static_cast<std::size_t>(first) * parts, static_cast<std::size_t>(count) * parts),
          threads);
    progress.rows = first + count;
    if (watch.observe) watch.observe(progress);
  }
  return z;
}

/// On the working thread. `scores_per_row(model)` numbers for each row.
template <class T>
std::vector<T> scores_of(const Model& model, Rows& rows, int threads, const Watch& watch) {
  Source& source = rows.source(watch, for_model(model, false));
  if (const Batch* arrays = rows.store().arrays()) return scores_of_arrays<T>(model, *arrays, threads, watch);
  std::vector<T> all;
  const ScoreSink take = [&](const Batch&, std::span<const double> z) { all.insert(all.end(), z.begin(), z.end()); };
  predict(source, model, watch.limits(threads), take, watch.observe);
  return all;
}

}  // namespace linsep::python
