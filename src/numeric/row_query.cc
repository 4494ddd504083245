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

}  // namespace

bool RowEngine::suits_blocks(const ColumnSurvey& columns, double costs) {
  constexpr std::size_t kLeastFeatures = 32;
  return columns.greatest.size() >= kLeastFeatures && linsep::suits_blocks(columns, costs);
}

void RowEngine::begin(RowQuery query) {
  query_ = std::move(query);
  begun_ = true;
  const double pairs = query_.hessian != nullptr ? static_cast<double>(query_.hessian->columns()) / 64 : 0;
  blocks_.begin(static_cast<std::int64_t>(known_.rows), known_.threads, 1 + pairs);
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
    width_ += sum.width();
  }
  const std::size_t features = known_.fixed != nullptr ? known_.fixed->features() : 0, sums = query_.sums.size();
  for (Slot& slot : slot_) {
    slot.units.assign(width_ * features, 0);
    slot.totals.assign(query_.totals, {});
    slot.count = 0;
    slot.factor.resize(std::max(kTogether, kDenseBlockRows) * query_.factors());
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
    query_.hessian->begin(known_.columns->greatest, query_.hessian_bound, known_.all_rows, query_.offset, slot_.size());
  }
  if (query_.sample != nullptr) query_.sample->begin_sample(features, known_.all_rows, slot_.size());
}

void RowEngine::add(const Batch& batch) {
  if (query_.copy != nullptr) {
    return query_.copy->add(batch, index_of(batch), [&](std::size_t i) { return query_.rows.holds(i); });
  }
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
  const std::size_t first = index_of(batch), factors = query_.factors();
  Slot& own = slot_[slot];
  for (std::int64_t done = 0; done < batch.rows; done += kTogether) {
    const Batch rows = slice(batch, done, std::min<std::int64_t>(kTogether, batch.rows - done));
    const std::size_t begin = first + static_cast<std::size_t>(done);
    if (!query_.scores.empty()) {
      for_each_row(rows, [&](const auto& row, std::int64_t i) { score(row, begin + static_cast<std::size_t>(i)); });
    }
    call(begin, static_cast<std::size_t>(rows.rows), own, own.factor.data(), factors);
    if (query_.hessian != nullptr) {
      const double* factor = own.factor.data() + query_.hessian_of;
      for_each_row(rows, [&](const auto& row, std::int64_t i) {
        query_.hessian->add(row, factor[static_cast<std::size_t>(i) * factors], slot);
      });
    }
    if (!query_.sums.empty()) add_rows(rows, own);
  }
}

template <class V>
void RowEngine::process_block(const DenseBlock<V>& block, std::size_t first, std::size_t slot) {
  Slot& own = slot_[slot];
  const std::size_t sums = query_.sums.size(), factors = query_.factors();
  for (std::size_t r = 0; r < block.rows; ++r) score(block.row(r), first + r);
  call(first, block.rows, own, own.factor.data(), factors);
  if (query_.hessian != nullptr) {
    const double* factor = own.factor.data() + query_.hessian_of;
    for (std::size_t r = 0; r < block.rows; ++r) query_.hessian->add(block.row(r), factor[r * factors], slot);
  }
  for (std::size_t s = 0; s < sums; ++s) {
    const double* factor = own.factor.data() + s;
    std::int64_t* units = own.units.data() + place_[s];
    own.dense_sum[s].add(block, factor, factors, units, width_);
    if (own.dense_square[s].begun()) own.dense_square[s].add(block, factor, factors, units + 1, width_);
  }
  poll(block.rows * block.columns);
}

/// A few rows times their factors. The loops over entries are compiled for the sums that solvers ask for most; `Sums`
/// of 0 is for any.
void RowEngine::add_rows(const Batch& rows, Slot& slot) const {
  const std::vector<ColumnSum>& sums = query_.sums;
  const bool by_sign = std::ranges::any_of(sums, &ColumnSum::by_sign);
  if (by_sign && width_ == 2) return add_rows_by_sign(rows, slot);
  if (by_sign) return add_rows<0, false>(rows, slot);
  if (sums.size() == 1) return sums[0].squares ? add_rows<1, true>(rows, slot) : add_rows<1, false>(rows, slot);
  if (sums.size() == 2 && !sums[0].squares) {
    return sums[1].squares ? add_rows<2, true>(rows, slot) : add_rows<2, false>(rows, slot);
  }
  add_rows<0, false>(rows, slot);
}

/// `Squares`: those of the last sum too.
template <std::size_t Sums, bool Squares>
void RowEngine::add_rows(const Batch& rows, Slot& slot) const {
  const FixedColumns& fixed = *known_.fixed;
  const std::size_t sums = query_.sums.size(), factors = query_.factors();
  std::int64_t* units = slot.units.data();
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double* factor = slot.factor.data() + static_cast<std::size_t>(i) * factors;
    if (std::all_of(factor, factor + (Sums > 0 ? Sums : sums), [](double a) { return a == 0; })) return;
    if constexpr (Sums == 0) {
      for (std::size_t s = 0; s < sums; ++s) {
        if (factor[s] == 0) continue;
        const double scaled = factor[s] * step_[s];
        const ColumnSum& sum = query_.sums[s];
        const std::size_t place = place_[s] + (sum.by_sign && scaled < 0 ? 1 : 0);
        const std::size_t square_place = place_[s] + (sum.by_sign ? 2 : 1);
        for_each_entry(row, [&](std::uint32_t j, double x) {
          const FixedColumns::Scale& scale = fixed.scale(j);
          const double term = scaled * (x * scale.column);
          add_units(units[width_ * j + place], whole_units(term));
          if (sum.squares) add_units(units[width_ * j + square_place], whole_units(term * (x * scale.square)));
        });
      }
    } else if constexpr (Sums == 1 && !Squares) {
      fixed.add(factor[0] * step_[0], row, units);
    } else {
      std::array<double, Sums> scaled;
      for (std::size_t s = 0; s < Sums; ++s) scaled[s] = factor[s] * step_[s];
      for_each_entry(row, [&](std::uint32_t j, double x) {
        std::int64_t* to = units + (Sums + (Squares ? 1 : 0)) * j;
        const FixedColumns::Scale& scale = fixed.scale(j);
        const double column = x * scale.column;
        for (std::size_t s = 0; s + 1 < Sums; ++s) add_units(to[s], whole_units(scaled[s] * column));
        const double term = scaled[Sums - 1] * column;
        add_units(to[Sums - 1], whole_units(term));
        if constexpr (Squares) add_units(to[Sums], whole_units(term * (x * scale.square)));
      });
    }
  });
}

/// The same for one sum by sign.
void RowEngine::add_rows_by_sign(const Batch& rows, Slot& slot) const {
  const std::size_t factors = query_.factors();
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double factor = slot.factor[static_cast<std::size_t>(i) * factors];
    if (factor != 0) known_.fixed->add<2>(factor * step_[0], row, slot.units.data() + (factor < 0 ? 1 : 0));
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
  for (std::size_t s = 0; s < query_.sums.size(); ++s) answer.sums.push_back(columns_of(s));
  return answer;
}

RowAnswer::Columns RowEngine::columns_of(std::size_t sum) const {
  const FixedColumns& fixed = *known_.fixed;
  const ColumnSum& asked = query_.sums[sum];
  const double step = step_[sum];
  const auto values = [&](std::size_t place, bool square) {
    std::vector<double> all(fixed.features());
    for (std::size_t j = 0; j < all.size(); ++j) {
      const std::int64_t units = slot_.front().units[width_ * j + place_[sum] + place];
      all[j] = square ? fixed.square_value(j, units, step) : fixed.value(j, units, step);
    }
    return all;
  };
  RowAnswer::Columns columns;
  columns.sum = values(0, false);
  columns.error = fixed.error(step);
  if (asked.by_sign) {
    columns.negative = values(1, false);
    columns.errors.resize(fixed.features());
    for (std::size_t j = 0; j < fixed.features(); ++j) columns.errors[j] = fixed.error(j, *known_.columns, step);
  }
  if (asked.squares) columns.squares = values(asked.width() - 1, true);
  return columns;
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
