#include "certify/finder/scan.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certify/finder/row_scan.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

/// How many pairs of conflicting rows are searched for a witness, per column and at least.
constexpr std::size_t kPairsPerColumn = 16;
constexpr std::size_t kPairsAtLeast = 1024;
/// How many rows join the working set after a scan: two per column, within these limits.
constexpr std::size_t kFewestWorst = 256;
constexpr std::size_t kMostWorst = 4096;

/// Reads a rational that to_text wrote.
Rational parse_ratio(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return Rational(integer_of(text));
  return ratio(integer_of(text.substr(0, slash)), integer_of(text.substr(slash + 1)));
}

}  // namespace

Scan::Scan(FinderState& state)
    : state_(state),
      search_(state.scaling.space, state.signs.active_columns(), state.scaling.exponent, state.scaling.mapped(),
              [this](const std::vector<std::int64_t>& rows) { return read_exactly(state_, rows, *comm_); }),
      rows_(state, [this](const ExactRow& z) { return judge(z); }),
      worst_(std::clamp<std::size_t>(2 * search_.size(), kFewestWorst, kMostWorst)) {}

void Scan::start(Comm& comm) {
  comm_ = &comm;
  if (state_.zero_row >= 0) search_.add_zero_row(read_exactly(state_, {state_.zero_row}, comm).front());
  auto pairs = state_.conflicts;
  pairs.resize(std::min(pairs.size(), kPairsAtLeast + kPairsPerColumn * search_.size()));
  search_.add_conflicts(pairs);
  add_sample();
  search(comm);
  comm_ = nullptr;
}

void Scan::add_sample() {
  const std::vector<WorkRow> sample = state_.signs.take_sample();
  if (!state_.scaling.mapped()) {
    search_.add(sample);
    return;
  }
  std::vector<std::int64_t> rows;  // what was sampled is raw
  for (const WorkRow& row : sample) rows.push_back(row.row);
  std::sort(rows.begin(), rows.end());
  search_.add_exactly(rows);
}

/// Finds the next weights to scan with, or ends.
void Scan::search(Comm& comm) {
  const CoreSearch::Next next = search_.next(state_.options.deadline);
  if (all_reduce_any(comm, next == CoreSearch::Next::kStopped)) {
    done_ = true;
  } else if (next == CoreSearch::Next::kAllAtZero) {
    done_ = proven_ = true;
  } else {
    const Candidate& candidate = search_.candidate();
    rows_.begin(state_.scaling.scan_weights(search_.active(), candidate.scaled, candidate.relative_error));
    least_exact_.reset();
  }
}

void Scan::begin(const Shape& /*shape*/) {}

void Scan::visit(const Batch& batch) {
  if (!found_again_.empty()) return find_again(batch);
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::int64_t number = batch.number_of(i);
    rows_.look_at(x, number, [&](const auto& z, int sign, double score, double share) {
      if (share >= search_.candidate().threshold || !worst_.wants(share)) return;
      const std::uint64_t hash = hasher_(x) + (sign > 0 ? 1 : 0);
      if (!search_.knows(number, hash)) {
        worst_.offer(share, hash, number, sign, z);
      } else if (score < 0) {
        rows_.add_violated(number);
      }
    });
  });
}

RowSide Scan::judge(const ExactRow& z) {
  const RowSide side = search_.side(z);
  if (side == RowSide::kPositive && !search_.has_witness()) {
    Rational margin = search_.exact_score(z) * search_.candidate().exact_unit / z.scale;
    if (!least_exact_ || margin < *least_exact_) least_exact_ = std::move(margin);
  }
  return side;
}

void Scan::synchronise(Comm& comm) {
  comm_ = &comm;
  if (found_again_.empty()) {
    finish_scan(comm);
  } else {
    take_steps_again(comm);
  }
  comm_ = nullptr;
}

void Scan::finish_scan(Comm& comm) {
  rows_.synchronise(comm);
  share_least(comm);
  const bool wants_to_stop = rows_.negative() == 0 && state_.options.deadline.expired();
  const std::vector<std::int64_t> violated = gather_rows(rows_.violated(), comm, worst_.limit());
  if (rows_.negative() == 0 && violated.empty()) {
    separates_ = rows_.positive() > 0;
    done_ = proven_ = true;
    return;
  }
  if (all_reduce_any(comm, wants_to_stop)) {
    done_ = true;
    return;
  }
  worst_.synchronise(comm);
  const std::vector<WorkRow> rows = worst_.take();
  Step& step = steps_.emplace_back();
  for (const WorkRow& row : rows) {
    step.rows.push_back(row.row);
    step.hash.push_back(row.hash);
  }
  step.violated = violated;
  step.floats_saw_none = rows_.negative() == 0;
  take_step(step, rows);
  search(comm);
}

void Scan::take_step(const Step& step, const std::vector<WorkRow>& rows) {
  const std::size_t added = search_.add(rows);
  if (step.floats_saw_none || added == 0) search_.add_violated(step.violated);
}

void Scan::save(ByteWriter& writer) const {
  writer.numbers(state_.rows.at_zero());
  writer.number<std::uint64_t>(steps_.size());
  for (const Step& step : steps_) {
    writer.numbers(step.rows);
    writer.numbers(step.hash);
    writer.numbers(step.violated);
    writer.number(static_cast<std::uint8_t>(step.floats_saw_none));
  }
}

void Scan::resume(ByteReader& reader, Comm& comm) {
  rethrow_on_all(comm, [&] {
    at_zero_ = reader.numbers<std::uint64_t>();
    require_state(std::ranges::all_of(at_zero_, [&](std::uint64_t index) { return index < state_.rows.size(); }));
    for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
      Step& step = steps_.emplace_back();
      step.rows = reader.numbers<std::int64_t>();
      step.hash = reader.numbers<std::uint64_t>();
      step.violated = reader.numbers<std::int64_t>();
      step.floats_saw_none = reader.number<std::uint8_t>() != 0;
      const auto there = [&](std::int64_t row) { return row >= 0 && row < state_.row_count; };
      require_state(step.rows.size() == step.hash.size() && std::ranges::all_of(step.rows, there));
      require_state(std::ranges::all_of(step.violated, there) && std::ranges::is_sorted(step.violated));
    }
  });
  if (all_reduce_max(comm, std::int64_t{steps_.empty() ? 0 : 1}) == 0) return start(comm);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    found_again_.emplace_back(std::max<std::size_t>(1, steps_[s].rows.size()));
    for (std::size_t k = 0; k < steps_[s].rows.size(); ++k) wanted_[steps_[s].rows[k]].emplace_back(s, k);
  }
}

void Scan::find_again(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::int64_t number = batch.number_of(i);
    const auto wanted = wanted_.find(number);
    if (wanted == wanted_.end()) return;
    const int sign = state_.rows.sign_of(number);
    state_.scaling.show(x, [&](const auto& z) {
      for (const auto& [s, place] : wanted->second) {
        found_again_[s].offer(static_cast<double>(place), steps_[s].hash[place], number, sign, z);
      }
    });
  });
}

void Scan::take_steps_again(Comm& comm) {
  start(comm);
  comm_ = &comm;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    found_again_[s].synchronise(comm);
    const std::vector<WorkRow> rows = found_again_[s].take();
    require_state(!done_ && rows.size() == steps_[s].rows.size());
    take_step(steps_[s], rows);
    search(comm);
  }
  for (const std::uint64_t index : at_zero_) state_.rows.set_at_zero(static_cast<std::size_t>(index));
  found_again_.clear();
  wanted_.clear();
}

void Scan::share_least(Comm& comm) {
  if (comm.size() == 1) return;
  const std::string mine = least_exact_ ? to_text(*least_exact_) : "";
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    if (bytes.empty()) continue;
    Rational margin = parse_ratio(as_text(bytes));
    if (!least_exact_ || margin < *least_exact_) least_exact_ = std::move(margin);
  }
}

Verdict Scan::end_pass(Progress& progress) {
  progress.mistakes = rows_.not_positive();
  return done_ ? Verdict::kConverged : Verdict::kContinue;
}

void Scan::add_to(Separability& found) const {
  found.complete = proven_;
  rows_.add_radius(found);
  if (search_.has_witness()) {
    found.witness = search_.witness();
  } else if (!proven_) {
    found.support = search_.support();
  }
  if (!proven_) return;
  if (separates_) add_weights(found);
  if (!search_.has_witness()) return;
  found.basis = search_.basis_rows();
  add_dependent(found);
}

void Scan::add_weights(Separability& found) const {
  found.left_at_zero -= rows_.positive();
  const std::vector<std::uint32_t>& active = search_.active();
  const Candidate& candidate = search_.candidate();
  for (std::size_t k = 0; k < active.size(); ++k) {
    if (candidate.exact[k] != 0) found.weights.emplace_back(active[k], candidate.exact[k]);
  }
  if (std::isfinite(rows_.least())) found.least_margin = rational_of_double(rows_.least());
  if (least_exact_ && (!std::isfinite(rows_.least()) || *least_exact_ < found.least_margin)) {
    found.least_margin = *least_exact_;
  }
  found.least_margin /= candidate.exact_unit;
}

// On the rows at zero, columns without any entry are empty sums, and free columns are sums of pivot columns.
void Scan::add_dependent(Separability& found) const {
  const std::vector<std::uint32_t>& active = search_.active();
  const ExactSpan& span = search_.span();
  std::vector<std::int64_t> free_index(active.size(), -1);
  for (std::size_t f = 0; f < span.free_columns().size(); ++f) {
    free_index[span.free_columns()[f]] = static_cast<std::int64_t>(f);
  }
  for (std::uint32_t column = 0; column < state_.scaling.space.columns(); ++column) {
    const std::int32_t index = search_.places()[column];
    if (index >= 0 && free_index[static_cast<std::size_t>(index)] < 0) continue;
    Separability::Dependent dependent;
    dependent.column = column;
    for (std::size_t p = 0; index >= 0 && p < span.rank(); ++p) {
      const auto f = static_cast<std::size_t>(free_index[static_cast<std::size_t>(index)]);
      const Rational weight = ratio(span.relation().numerator[p][f], span.relation().denominator);
      if (weight != 0) dependent.sum.emplace_back(active[span.pivot_columns()[p]], weight);
    }
    found.dependent.push_back(std::move(dependent));
  }
}

}  // namespace linsep
