#include "numeric/row_query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/deadline.h"
#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::size_t kTogether = 64;  // rows that aren't in blocks: so many at a time
constexpr std::size_t kUnitsInCache = std::size_t{1} << 17;  // 1 MB; more of them are fetched before they are needed
constexpr std::int64_t kRowsAhead = 2;

}  // namespace

bool RowEngine::suits_blocks(const ColumnSurvey& columns, double costs) {
  constexpr std::size_t kLeastFeatures = 32;
  return columns.greatest.size() >= kLeastFeatures && linsep::suits_blocks(columns, costs);
}

void RowEngine::begin(RowQuery query) {
  query_ = std::move(query);
  begun_ = true;
  blocks_.begin(static_cast<std::int64_t>(known_.rows), known_.threads);
  slot_.resize(blocks_.slots());
  zero_.clear();
  for (const RowScores& scores : query_.scores) {
    zero_.push_back(std::ranges::all_of(scores.weight, [](double x) { return x == 0; }));
  }
  step_.clear();
  place_.clear();
  width_ = 0;
  for (const ColumnSum& sum : query_.sums) {
    step_.push_back(known_.blocks ? known_.fixed->block_step(sum.bound) : FixedColumns::step(sum.bound));
    place_.push_back(width_);
    width_ += sum.squares ? 2 : 1;
  }
  const std::size_t features = known_.fixed != nullptr ? known_.fixed->features() : 0, sums = query_.sums.size();
  for (Slot& slot : slot_) {
    slot.units.assign(width_ * features, 0);
    slot.totals.assign(query_.totals, {});
    slot.count = 0;
    slot.factor.resize(std::max(kTogether, kDenseBlockRows) * sums);
    slot.dense_sum.resize(known_.blocks ? sums : 0);
    slot.dense_square.resize(known_.blocks ? sums : 0);
    for (std::size_t s = 0; s < slot.dense_sum.size(); ++s) {
      slot.dense_sum[s].begin(*known_.fixed, step_[s], 1);
      slot.dense_square[s].clear();
      if (query_.sums[s].squares) slot.dense_square[s].begin(*known_.fixed, step_[s], 1, Power::kTwo);
    }
    if (query_.survey != nullptr) slot.survey.clear(query_.survey->greatest.size());
  }
  if (query_.hessian != nullptr) {
    query_.hessian->begin(known_.columns->greatest, query_.sums[query_.hessian_of].bound * known_.greatest_cost,
                          known_.all_rows, query_.offset, slot_.size());
  }
  if (query_.sample != nullptr) query_.sample->begin_sample(features, known_.all_rows, slot_.size());
}

void RowEngine::add(const Batch& batch) {
  blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); });
}

void RowEngine::process(const Batch& batch, std::size_t slot) {
  if (query_.survey != nullptr) return slot_[slot].survey.add(batch);
  if (query_.sample != nullptr && batch.dense) query_.sample->sample(batch, slot);
  if (!known_.blocks || !batch.dense || query_.sums.empty()) return process_rows(batch, slot);
  const std::size_t first = index_of(batch);
  for_each_block(batch, [&](const auto& block, std::size_t at) { process_block(block, first + at, slot); });
}

template <class Row>
void RowEngine::score(const Row& row, std::size_t i) {
  if (!query_.rows.holds(i)) return;
  for (std::size_t k = 0; k < query_.scores.size(); ++k) {
    const RowScores& scores = query_.scores[k];
    scores.score[i] = zero_[k] ? 0 : dot(row, scores.weight.data());
  }
}

void RowEngine::call(std::size_t first, std::size_t rows, Slot& slot, double* factor, std::size_t stride) {
  if (query_.function) query_.function({first, rows, slot.totals, &slot.count, factor, stride});
}

void RowEngine::process_rows(const Batch& batch, std::size_t slot) {
  const std::size_t first = index_of(batch), sums = query_.sums.size();
  Slot& own = slot_[slot];
  for (std::int64_t done = 0; done < batch.rows; done += kTogether) {
    const Batch rows = slice(batch, done, std::min<std::int64_t>(kTogether, batch.rows - done));
    const std::size_t begin = first + static_cast<std::size_t>(done);
    for_each_row(rows, [&](const auto& row, std::int64_t i) { score(row, begin + static_cast<std::size_t>(i)); });
    call(begin, static_cast<std::size_t>(rows.rows), own, own.factor.data(), sums);
    if (query_.hessian != nullptr) {
      const double* factor = own.factor.data() + query_.hessian_of;
      for_each_row(rows, [&](const auto& row, std::int64_t i) {
        query_.hessian->add(row, factor[static_cast<std::size_t>(i) * sums], slot);
      });
    }
    if (sums > 0) add_rows(rows, own);
  }
}

template <class V>
void RowEngine::process_block(const DenseBlock<V>& block, std::size_t first, std::size_t slot) {
  Slot& own = slot_[slot];
  const std::size_t sums = query_.sums.size();
  for (std::size_t r = 0; r < block.rows; ++r) score(block.row(r), first + r);
  call(first, block.rows, own, own.factor.data(), sums);
  if (query_.hessian != nullptr) {
    const double* factor = own.factor.data() + query_.hessian_of;
    for (std::size_t r = 0; r < block.rows; ++r) query_.hessian->add(block.row(r), factor[r * sums], slot);
  }
  for (std::size_t s = 0; s < sums; ++s) {
    const double* factor = own.factor.data() + s;
    std::int64_t* units = own.units.data() + place_[s];
    own.dense_sum[s].add(block, factor, sums, units, width_);
    if (own.dense_square[s].begun()) own.dense_square[s].add(block, factor, sums, units + 1, width_);
  }
  poll(block.rows * block.columns);
}

/// A few rows times their factors. The loops over entries are compiled for the sums that solvers ask for most; `Sums`
/// of 0 is for any.
void RowEngine::add_rows(const Batch& rows, Slot& slot) const {
  if (known_.fixed->shared()) {
    add_rows(rows, slot, [scale = known_.fixed->scale(0)](std::uint32_t) { return scale; });
  } else {
    add_rows(rows, slot, [fixed = known_.fixed](std::uint32_t j) { return fixed->scale(j); });
  }
}

template <class ScaleOf>
void RowEngine::add_rows(const Batch& rows, Slot& slot, ScaleOf scale_of) const {
  const std::vector<ColumnSum>& sums = query_.sums;
  const bool squares = sums.back().squares;
  if (sums.size() == 1) {
    return squares ? add_rows<1, true>(rows, slot, scale_of) : add_rows<1, false>(rows, slot, scale_of);
  }
  if (sums.size() == 2 && !sums[0].squares) {
    return squares ? add_rows<2, true>(rows, slot, scale_of) : add_rows<2, false>(rows, slot, scale_of);
  }
  add_rows<0, false>(rows, slot, scale_of);
}

/// Asks for the sums that a sparse row is going to be added to.
void RowEngine::prefetch(const Batch& rows, std::int64_t i, const std::int64_t* units) const {
  const auto row = static_cast<std::size_t>(i);
  for (std::uint64_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    __builtin_prefetch(units + width_ * rows.column[k], 1);
  }
}

/// `Squares`: those of the last sum too.
template <std::size_t Sums, bool Squares, class ScaleOf>
void RowEngine::add_rows(const Batch& rows, Slot& slot, ScaleOf scale_of) const {
  const std::size_t sums = query_.sums.size();
  std::int64_t* units = slot.units.data();
  const bool prefetches = !rows.dense && slot.units.size() >= kUnitsInCache;
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    if (prefetches && i + kRowsAhead < rows.rows) prefetch(rows, i + kRowsAhead, units);
    const double* factor = slot.factor.data() + static_cast<std::size_t>(i) * sums;
    if (std::all_of(factor, factor + (Sums > 0 ? Sums : sums), [](double a) { return a == 0; })) return;
    if constexpr (Sums == 0) {
      for (std::size_t s = 0; s < sums; ++s) {
        const double scaled = factor[s] * step_[s];
        const bool squares = query_.sums[s].squares;
        for_each_entry(row, [&](std::uint32_t j, double x) {
          const FixedColumns::Scale scale = scale_of(j);
          const double term = scaled * (x * scale.column);
          add_units(units[width_ * j + place_[s]], whole_units(term));
          if (squares) add_units(units[width_ * j + place_[s] + 1], whole_units(term * (x * scale.square)));
        });
      }
    } else if constexpr (Sums == 1 && !Squares) {
      known_.fixed->add(factor[0] * step_[0], row, units);
    } else {
      std::array<double, Sums> scaled;
      for (std::size_t s = 0; s < Sums; ++s) scaled[s] = factor[s] * step_[s];
      for_each_entry(row, [&](std::uint32_t j, double x) {
        std::int64_t* to = units + (Sums + (Squares ? 1 : 0)) * j;
        const FixedColumns::Scale scale = scale_of(j);
        const double column = x * scale.column;
        for (std::size_t s = 0; s + 1 < Sums; ++s) add_units(to[s], whole_units(scaled[s] * column));
        const double term = scaled[Sums - 1] * column;
        add_units(to[Sums - 1], whole_units(term));
        if constexpr (Squares) add_units(to[Sums], whole_units(term * (x * scale.square)));
      });
    }
  });
}

void RowEngine::flush(Slot& slot) const {
  for (std::size_t s = 0; s < slot.dense_sum.size(); ++s) {
    std::int64_t* units = slot.units.data() + place_[s];
    slot.dense_sum[s].flush(units, width_);
    if (slot.dense_square[s].begun()) slot.dense_square[s].flush(units + 1, width_);
  }
}

RowAnswer RowEngine::end(Comm& comm) {
  blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
  begun_ = false;
  RowAnswer answer;
  answer.totals.resize(query_.totals);
  std::vector<std::int64_t>& units = slot_.front().units;
  for (Slot& slot : slot_) {
    flush(slot);
    if (&slot != &slot_.front()) {  // one that joined for a shared pass has none
      for (std::size_t k = 0; k < slot.units.size(); ++k) add_units(units[k], slot.units[k]);
    }
    for (std::size_t t = 0; t < query_.totals; ++t) answer.totals[t].add(slot.totals[t]);
    answer.count += slot.count;
    if (query_.survey != nullptr) query_.survey->add(std::exchange(slot.survey, {}));
  }
  if (query_.sample != nullptr) query_.sample->end_sample(comm, query_.offset, known_.threads);
  if (width_ > 0) comm.all_reduce(std::span(units), Comm::Op::kSum);
  if (query_.totals > 0) {
    std::vector<ExactSum*> each;
    for (ExactSum& total : answer.totals) each.push_back(&total);
    exact_all_reduce(comm, each);
  }
  if (query_.hessian != nullptr) query_.hessian->finish(comm);
  for (std::size_t s = 0; s < query_.sums.size(); ++s) {
    const FixedColumns& fixed = *known_.fixed;
    RowAnswer::Columns& columns = answer.sums.emplace_back();
    columns.error = fixed.error(step_[s]);
    columns.sum.resize(fixed.features());
    for (std::size_t j = 0; j < fixed.features(); ++j) {
      columns.sum[j] = fixed.value(j, units[width_ * j + place_[s]], step_[s]);
    }
    if (!query_.sums[s].squares) continue;
    columns.squares.resize(fixed.features());
    for (std::size_t j = 0; j < fixed.features(); ++j) {
      columns.squares[j] = fixed.square_value(j, units[width_ * j + place_[s] + 1], step_[s]);
    }
  }
  return answer;
}

bool RowEngine::shareable() const {
  const bool squares = std::ranges::any_of(query_.sums, &ColumnSum::squares);
  return known_.blocks && query_.scores.size() == 1 && !query_.sums.empty() && !squares && query_.hessian == nullptr &&
         query_.sample == nullptr;
}

void RowEngine::share(std::size_t slots) {
  if (slot_.size() < slots) slot_.resize(slots);
  for (Slot& slot : slot_) slot.totals.resize(query_.totals);
}

void RowEngine::take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot,
                            const double* score, std::size_t score_stride, double* factor, std::size_t factor_stride) {
  const std::size_t begin = index_of(batch) + first;
  for (std::size_t r = 0; r < rows; ++r) query_.scores[0].score[begin + r] = score[r * score_stride];
  call(begin, rows, slot_[slot], factor, factor_stride);
}

void RowEngine::take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) {
  std::int64_t* to = slot_.front().units.data() + place_[sum];
  for (std::size_t j = 0; j < known_.fixed->features(); ++j) add_units(to[width_ * j], units[j * stride]);
}

}  // namespace linsep
