#include "numeric/row_query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/deadline.h"
#include "core/parallel.h"
#include "core/slice.h"
#include "kernel/kernel.h"
#include "kernel/units.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::size_t kTogether = 128;  // rows that aren't in blocks: so many at a time
constexpr std::size_t kMostRows = std::max(kTogether, kDenseBlockRows);
constexpr double kCoarse = 0x1p-10;  // of a step: sums are below 2^51 then

/// Calls f with what knows the scale of a column.
template <class F>
void with_scales(const FixedColumns& fixed, F&& f) {
  if (fixed.shared()) return f([scale = fixed.scale(0)](std::uint32_t) { return scale; });
  f([&fixed](std::uint32_t j) { return fixed.scale(j); });
}

}  // namespace

bool RowEngine::suits_blocks(const ColumnSurvey& columns, double costs) {
  constexpr std::size_t kLeastFeatures = 32;
  return columns.greatest.size() >= kLeastFeatures && linsep::suits_blocks(columns, costs);
}

void RowEngine::begin(RowQuery query) {
  query_ = std::move(query);
  begun_ = true;
  zero_.clear();
  outputs_ = 1;
  for (const RowScores& scores : query_.scores) {
    zero_.push_back(std::ranges::all_of(scores.weight, [](double x) { return x == 0; }));
    outputs_ = std::max(outputs_, scores.outputs);
  }
  lay_out();
  if (in_panels()) return begin_panels();
  double pairs = query_.hessian != nullptr ? static_cast<double>(query_.hessian->columns()) : 0;
  if (query_.shares != nullptr) pairs = static_cast<double>(query_.shares->pairs());
  blocks_.begin(static_cast<std::int64_t>(known_.rows), known_.threads, static_cast<double>(outputs_) + pairs / 64);
  slot_.resize(blocks_.slots());
  const std::size_t features = known_.fixed != nullptr ? known_.fixed->features() : 0, sums = query_.sums.size();
  const std::size_t scored = outputs_of_scores();
  const bool pack = known_.blocks && scored > 1;
  if (pack) packed_.set(query_.scores[0].weight.data(), features, scored, scored, 1);
  for (Slot& slot : slot_) {
    slot.units.assign(width_ * features + ones_, 0);
    slot.totals.assign(query_.totals, {});
    slot.count = 0;
    slot.factor.assign(kMostRows * stride_, 0);
    slot.scaled.resize(width_);
    const bool unkept = scored > 0 && query_.scores[0].score.empty();
    slot.score.resize(pack || unkept ? kMostRows * padded_outputs(scored) : 0);
    slot.dense_sum.resize(known_.blocks ? sums : 0);
    slot.dense_square.resize(known_.blocks ? sums : 0);
    for (std::size_t s = 0; s < slot.dense_sum.size(); ++s) {
      const ColumnSum& sum = query_.sums[s];
      slot.dense_sum[s].clear();
      slot.dense_square[s].clear();
      if (sum.columns) slot.dense_sum[s].begin(*known_.fixed, step_[s], sum.outputs);
      if (sum.squares) slot.dense_square[s].begin(*known_.fixed, step_[s], sum.outputs, Power::kTwo);
    }
    if (query_.survey != nullptr) slot.survey.clear(query_.survey->greatest.size());
  }
  if (query_.hessian != nullptr) {
    query_.hessian->begin(known_.columns->greatest, query_.hessian_bound, known_.all_rows, query_.offset, slot_.size());
  }
  if (query_.shares != nullptr) {
    query_.shares->begin(known_.columns->greatest, query_.hessian_bound, query_.offset, slot_.size());
  }
  if (query_.sample != nullptr) query_.sample->begin_sample(features, known_.all_rows, slot_.size());
}

/// Where factors and units stand.
void RowEngine::lay_out() {
  step_.clear();
  for (auto* place : {&factor_place_, &place_, &square_place_, &ones_place_}) place->clear();
  stride_ = linear_ = ones_ = 0;
  for (const ColumnSum& sum : query_.sums) {
    const double fine = query_.coarse ? kCoarse * FixedColumns::step(sum.bound) : FixedColumns::step(sum.bound);
    step_.push_back(known_.blocks ? known_.fixed->block_step(sum.bound) : fine);
    factor_place_.push_back(stride_);
    place_.push_back(linear_);
    ones_place_.push_back(ones_);
    if (in_panels()) {
      stride_ += PanelSums::stride(sum.outputs);
    } else {
      stride_ += sum.outputs == 1 ? 1 : padded_outputs(sum.outputs);
    }
    linear_ += sum.columns ? sum.widths() : 0;
    ones_ += sum.ones ? sum.outputs : 0;
    outputs_ = std::max(outputs_, sum.outputs);
  }
  factor_place_.push_back(stride_);
  if (query_.hessian != nullptr && query_.hessian_of == query_.sums.size()) ++stride_;
  if (query_.shares != nullptr) stride_ += query_.shares->factors();
  width_ = linear_;
  for (const ColumnSum& sum : query_.sums) {
    square_place_.push_back(width_);
    width_ += sum.squares ? sum.outputs : 0;
  }
}

void RowEngine::add(const Batch& batch) {
  if (query_.copy != nullptr) {
    return query_.copy->add(batch, index_of(batch), [&](std::size_t i) { return query_.rows.holds(i); });
  }
  if (in_panels()) return add_panels(batch);
  blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); });
}

void RowEngine::begin_panels() {
  const std::size_t scored = outputs_of_scores();
  const auto weight = scored > 0 ? query_.scores.front().weight : std::span<const double>();
  const bool columns = !query_.sums.empty() && query_.sums.front().columns;
  slot_.resize(static_cast<std::size_t>(std::max(known_.threads, 1)));
  for (Slot& slot : slot_) {
    slot.panels.begin(known_.panel_columns, weight, scored, columns ? query_.sums.front().outputs : 0,
                      query_.matrices.size());
    slot.totals.assign(query_.totals, {});
    slot.count = 0;
    slot.factor.assign(PanelSums::kRows * stride_, 0);
    slot.score.assign(PanelSums::kRows * PanelSums::stride(scored), 0);
  }
}

void RowEngine::add_panels(const Batch& batch) {
  constexpr std::int64_t kRows = PanelSums::kRows;
  constexpr double kNanoseconds = 50;  // of a value
  const double work = kNanoseconds * static_cast<double>(batch.rows) * static_cast<double>(known_.panel_columns);
  const auto panels = static_cast<std::size_t>((batch.rows + kRows - 1) / kRows);
  parallel_for(panels, known_.threads, work, [&](std::size_t at, std::size_t slot) {
    const std::int64_t first = kRows * static_cast<std::int64_t>(at);
    process_panel(slice(batch, first, std::min(kRows, batch.rows - first)), slot);
  });
}

void RowEngine::process_panel(const Batch& panel, std::size_t slot) {
  Slot& own = slot_[slot];
  const std::size_t rows = static_cast<std::size_t>(panel.rows), scored = outputs_of_scores();
  if (scored > 0) own.panels.score(panel, own.score.data());
  double* factor = own.factor.data();
  if (query_.function) {
    query_.function({index_of(panel), rows, own.totals, &own.count, factor, stride_, factor_place_.data(),
                     own.score.data(), PanelSums::stride(scored), &panel, slot});
  }
  own.panels.add(panel, factor, stride_);
  for (std::size_t k = 0; k < query_.matrices.size(); ++k) {
    own.panels.add_matrix(k, panel, factor + factor_place_[query_.sums.size() - 1] + query_.matrices[k], stride_);
  }
  poll(rows * known_.panel_columns * outputs_);
}

void RowEngine::end_panels(RowAnswer& answer, Comm& comm) {
  PanelSums& panels = slot_.front().panels;
  for (std::size_t slot = 1; slot < slot_.size(); ++slot) panels.add(slot_[slot].panels);
  panels.synchronise(comm);
  answer.sums.push_back({.sum = panels.columns(), .squares = {}});
  for (std::size_t k = 0; k < query_.matrices.size(); ++k) answer.matrices.push_back(panels.matrix(k));
}

void RowEngine::process(const Batch& batch, std::size_t slot) {
  if (query_.survey != nullptr) return slot_[slot].survey.add(batch);
  if (query_.sample != nullptr && batch.dense) query_.sample->sample(batch, slot);
  const bool scored = !query_.scores.empty() && query_.scores[0].outputs > 1;
  if (!known_.blocks || !batch.dense || (query_.sums.empty() && !scored)) return process_rows(batch, slot);
  const std::size_t first = index_of(batch);
  for_each_block(batch, [&](const auto& block, std::size_t at) { process_block(block, first + at, slot); });
}

/// Row i of all, and row `at` of those that go together.
template <class Row>
void RowEngine::score(const Row& row, std::size_t i, std::size_t at, Slot& slot) {
  if (!query_.rows.holds(i)) return;
  for (std::size_t k = 0; k < query_.scores.size(); ++k) {
    const RowScores& scores = query_.scores[k];
    double* to =
        scores.score.empty() ? slot.score.data() + at * scores.outputs : scores.score.data() + i * scores.outputs;
    if (zero_[k]) {
      std::fill_n(to, scores.outputs, 0.0);
    } else if (scores.outputs > 1) {
      output_scores(row, scores.weight.data(), scores.outputs, to);
    } else {
      *to = dot(row, scores.weight.data());
    }
  }
}

template <class V>
void RowEngine::score_block(const DenseBlock<V>& block, std::size_t first, Slot& slot) {
  const RowScores& scores = query_.scores[0];
  const std::size_t stride = padded_outputs(scores.outputs);
  block_scores(block, packed_, slot.score.data(), stride, slot.scratch);
  if (scores.score.empty()) return;
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (!query_.rows.holds(first + r)) continue;
    std::copy_n(slot.score.data() + r * stride, scores.outputs, scores.score.data() + (first + r) * scores.outputs);
  }
}

void RowEngine::call(std::size_t first, std::size_t rows, Slot& slot, double* factor, std::size_t stride,
                     std::size_t score_stride) {
  if (!query_.function) return;
  query_.function(
      {first, rows, slot.totals, &slot.count, factor, stride, factor_place_.data(), slot.score.data(), score_stride});
  for (std::size_t r = 0; r < rows && ones_ > 0; ++r) add_ones(factor + r * stride, slot);
}

void RowEngine::add_ones(const double* factor, Slot& slot) const {
  std::int64_t* units = slot.units.data() + width_ * known_.fixed->features();
  for (std::size_t s = 0; s < query_.sums.size(); ++s) {
    if (!query_.sums[s].ones) continue;
    const double one = step_[s] * known_.ones->scale(0).column, *from = factor + factor_place_[s];
    const std::size_t outputs = query_.sums[s].outputs;
    std::int64_t* to = units + ones_place_[s];
    if (query_.coarse) {
      for (std::size_t c = 0; c < outputs; ++c) add_units(to[c], nearest_units(from[c] * one));
    } else {
      for (std::size_t c = 0; c < outputs; ++c) add_units(to[c], whole_units(from[c] * one));
    }
  }
}

void RowEngine::process_rows(const Batch& batch, std::size_t slot) {
  const std::size_t first = index_of(batch), scored = outputs_of_scores();
  Slot& own = slot_[slot];
  for (std::int64_t done = 0; done < batch.rows; done += kTogether) {
    const Batch rows = slice(batch, done, std::min<std::int64_t>(kTogether, batch.rows - done));
    const std::size_t begin = first + static_cast<std::size_t>(done);
    for_each_row(rows, [&](const auto& row, std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      score(row, begin + at, at, own);
    });
    call(begin, static_cast<std::size_t>(rows.rows), own, own.factor.data(), stride_, scored);
    add_hessian(rows, slot);
    if (width_ > 0) add_rows(rows, own);
    poll(values_in(rows) * outputs_);
  }
}

void RowEngine::add_hessian(const Batch& rows, std::size_t slot) {
  const double* factors = slot_[slot].factor.data();
  if (query_.hessian != nullptr) {
    const double* factor = factors + factor_place_[query_.hessian_of];
    for_each_row(rows, [&](const auto& row, std::int64_t i) {
      query_.hessian->add(row, factor[static_cast<std::size_t>(i) * stride_], slot);
    });
  }
  if (query_.shares == nullptr) return;
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    query_.shares->add(row, factors + static_cast<std::size_t>(i) * stride_, slot);
  });
}

template <class V>
void RowEngine::process_block(const DenseBlock<V>& block, std::size_t first, std::size_t slot) {
  Slot& own = slot_[slot];
  const std::size_t scored = outputs_of_scores();
  if (scored > 1) {
    score_block(block, first, own);
  } else {
    for (std::size_t r = 0; r < block.rows; ++r) score(block.row(r), first + r, r, own);
  }
  call(first, block.rows, own, own.factor.data(), stride_, scored > 1 ? padded_outputs(scored) : 1);
  if (query_.hessian != nullptr) {
    const double* factor = own.factor.data() + factor_place_[query_.hessian_of];
    for (std::size_t r = 0; r < block.rows; ++r) query_.hessian->add(block.row(r), factor[r * stride_], slot);
  }
  for (std::size_t s = 0; s < query_.sums.size(); ++s) {
    const double* factor = own.factor.data() + factor_place_[s];
    std::int64_t* units = own.units.data();
    if (own.dense_sum[s].begun()) own.dense_sum[s].add(block, factor, stride_, units + place_[s], width_);
    if (own.dense_square[s].begun()) own.dense_square[s].add(block, factor, stride_, units + square_place_[s], width_);
  }
  poll(block.rows * block.columns * outputs_);
}

/// A few rows times their factors. The loops over entries are compiled for the sums that solvers ask for most.
void RowEngine::add_rows(const Batch& rows, Slot& slot) const {
  const std::vector<ColumnSum>& sums = query_.sums;
  const bool squares = sums.back().squares;
  const bool by_sign = std::ranges::any_of(sums, &ColumnSum::by_sign);
  if (by_sign && sums.size() == 1) return add_by_sign(rows, slot);
  const bool few = !by_sign && outputs_ == 1 && ones_ == 0 && !query_.coarse;
  if (few && known_.fixed->shared() &&
      (sums.size() == 1 ? !squares : sums.size() == 2 && squares && !sums[0].squares)) {
    const FixedColumns::Scale scale = known_.fixed->scale(0);
    const UnitFactors by{slot.factor.data(), stride_, step_.front(), step_.back(), scale.column, scale.square};
    return squares ? add_in_units_with_squares(rows, by, slot.units.data()) : add_in_units(rows, by, slot.units.data());
  }
  with_scales(*known_.fixed, [&](auto scale_of) {
    if (few && sums.size() == 1) {
      squares ? add_rows<1, true>(rows, slot, scale_of) : add_rows<1, false>(rows, slot, scale_of);
    } else if (few && sums.size() == 2 && !sums[0].squares) {
      squares ? add_rows<2, true>(rows, slot, scale_of) : add_rows<2, false>(rows, slot, scale_of);
    } else {
      add_any(rows, slot, scale_of);
    }
  });
}

/// Of any sums and outputs: what a row's factors make of each of a column's units.
template <class ScaleOf>
void RowEngine::add_any(const Batch& rows, Slot& slot, ScaleOf scale_of) const {
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    // Copies, which units that are written can't be taken for.
    const std::size_t linear = linear_, width = width_;
    const double* factor = slot.factor.data() + static_cast<std::size_t>(i) * stride_;
    if (std::all_of(factor, factor + stride_, [](double a) { return a == 0; })) return;
    double* scaled = slot.scaled.data();
    for (std::size_t s = 0; s < query_.sums.size(); ++s) {
      const ColumnSum& sum = query_.sums[s];
      if (!sum.columns) continue;
      const double step = step_[s], *from = factor + factor_place_[s];
      double *first = scaled + place_[s], *second = scaled + square_place_[s];
      if (sum.by_sign) {
        const double term = *from * step;
        first[0] = std::max(term, 0.0);
        first[1] = std::min(term, 0.0);
        if (sum.squares) second[0] = term;
        continue;
      }
      for (std::size_t c = 0; c < sum.outputs; ++c) first[c] = from[c] * step;
      for (std::size_t c = 0; c < sum.outputs && sum.squares; ++c) second[c] = first[c];
    }
    std::int64_t* units = slot.units.data();
    if (query_.coarse) {
      for_each_entry(row, [&](std::uint32_t j, double x) {
        const double once = x * scale_of(j).column;
        std::int64_t* to = units + width * j;
        for (std::size_t k = 0; k < width; ++k) add_units(to[k], nearest_units(scaled[k] * once));
      });
      return;
    }
    for_each_entry(row, [&](std::uint32_t j, double x) {
      const FixedColumns::Scale scale = scale_of(j);
      const double once = x * scale.column, twice = once * (x * scale.square);
      std::int64_t* to = units + width * j;
      for (std::size_t k = 0; k < linear; ++k) add_units(to[k], whole_units(scaled[k] * once));
      for (std::size_t k = linear; k < width; ++k) add_units(to[k], whole_units(scaled[k] * twice));
    });
  });
}

void RowEngine::add_by_sign(const Batch& rows, Slot& slot) const {
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double factor = slot.factor[static_cast<std::size_t>(i) * stride_];
    if (factor != 0) known_.fixed->add<2>(factor * step_[0], row, slot.units.data() + (factor < 0 ? 1 : 0));
  });
}

/// `Squares`: those of the last sum too.
template <std::size_t Sums, bool Squares, class ScaleOf>
void RowEngine::add_rows(const Batch& rows, Slot& slot, ScaleOf scale_of) const {
  std::int64_t* units = slot.units.data();
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double* factor = slot.factor.data() + static_cast<std::size_t>(i) * Sums;
    if (std::all_of(factor, factor + Sums, [](double a) { return a == 0; })) return;
    if constexpr (Sums == 1 && !Squares) return known_.fixed->add(factor[0] * step_[0], row, units);
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
  });
}

void RowEngine::flush(Slot& slot) const {
  for (std::size_t s = 0; s < slot.dense_sum.size(); ++s) {
    std::int64_t* units = slot.units.data();
    if (slot.dense_sum[s].begun()) slot.dense_sum[s].flush(units + place_[s], width_);
    if (slot.dense_square[s].begun()) slot.dense_square[s].flush(units + square_place_[s], width_);
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
  if (!query_.sums.empty() && !in_panels()) comm.all_reduce(std::span(units), Comm::Op::kSum);
  if (query_.totals > 0) {
    std::vector<ExactSum*> each;
    for (ExactSum& total : answer.totals) each.push_back(&total);
    exact_all_reduce(comm, each);
  }
  if (query_.hessian != nullptr) query_.hessian->finish(comm);
  if (query_.shares != nullptr) query_.shares->finish(comm);
  if (in_panels()) {
    if (!query_.sums.empty()) end_panels(answer, comm);
    return answer;
  }
  for (std::size_t s = 0; s < query_.sums.size(); ++s) answer.sums.push_back(columns_of(s));
  return answer;
}

RowAnswer::Columns RowEngine::columns_of(std::size_t sum) const {
  const FixedColumns& fixed = *known_.fixed;
  const ColumnSum& asked = query_.sums[sum];
  const std::size_t features = fixed.features(), widths = asked.columns ? asked.widths() : 0;
  const std::size_t squares = asked.squares ? asked.outputs : 0;
  const std::int64_t* units = slot_.front().units.data();
  const double step = step_[sum];
  RowAnswer::Columns columns;
  columns.error = fixed.error(step);
  columns.sum.resize(features * widths);
  columns.squares.resize(features * squares);
  const std::int64_t *own = units + place_[sum], *square = units + square_place_[sum];
  double *to = columns.sum.data(), *to_square = columns.squares.data();
  const double inverse_step = 1 / step;  // a power of two, as scales are: products are what quotients would be
  with_scales(fixed, [&](auto scale_of) {
    for (std::size_t j = 0; j < features; ++j, own += width_, square += width_) {
      const FixedColumns::Scale scale = scale_of(static_cast<std::uint32_t>(j));
      const double unit = 1 / scale.column, value = 1 / scale.square;
      for (std::size_t c = 0; c < widths; ++c) *to++ = static_cast<double>(own[c]) * unit * inverse_step;
      for (std::size_t c = 0; c < squares; ++c) {
        *to_square++ = static_cast<double>(square[c]) * unit * inverse_step * value;
      }
    }
  });
  for (std::size_t j = 0; j < features && asked.errors; ++j) {
    columns.errors.push_back(fixed.error(j, *known_.columns, step));
  }
  const std::int64_t* ones = units + width_ * features + ones_place_[sum];
  for (std::size_t c = 0; c < asked.outputs && asked.ones; ++c) {
    columns.ones.push_back(known_.ones->value(0, ones[c], step));
  }
  return columns;
}

bool RowEngine::shareable() const {
  const bool squares = std::ranges::any_of(query_.sums, &ColumnSum::squares);
  return known_.blocks && query_.scores.size() == 1 && outputs_ == 1 && linear_ > 0 && !squares && ones_ == 0 &&
         query_.hessian == nullptr && query_.sample == nullptr;
}

void RowEngine::share(std::size_t slots) {
  if (slot_.size() < slots) slot_.resize(slots);
  for (Slot& slot : slot_) slot.totals.resize(query_.totals);
}

void RowEngine::take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot,
                            const double* score, std::size_t score_stride, double* factor, std::size_t factor_stride) {
  const std::size_t begin = index_of(batch) + first;
  for (std::size_t r = 0; r < rows; ++r) query_.scores[0].score[begin + r] = score[r * score_stride];
  call(begin, rows, slot_[slot], factor, factor_stride, score_stride);
}

void RowEngine::take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) {
  std::int64_t* to = slot_.front().units.data() + place_[sum];
  for (std::size_t j = 0; j < known_.fixed->features(); ++j) add_units(to[width_ * j], units[j * stride]);
}

}  // namespace linsep
