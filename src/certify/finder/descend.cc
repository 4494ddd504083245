#include "certify/finder/descend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "certify/core_search.h"
#include "certify/finder/row_scan.h"
#include "core/bytes.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

/// A scan costs a pass, so it is made only if hardly a row slipped, and now and then.
constexpr std::int64_t kFewSlips = 2000;  ///< one row in this many
constexpr std::int64_t kNowAndThen = 16;

}  // namespace

MarginDescent::MarginDescent(const RowScaling& scaling, std::size_t rows)
    : scaling_(scaling),
      weight_(scaling.space.mapped, 0.0),
      scale_square_(scaling.space.mapped, 1.0),
      alpha_(rows, 0.0),
      square_(rows, 0.0F) {
  if (!scaling.mapped()) {
    for (std::size_t j = 0; j < scale_square_.size(); ++j) scale_square_[j] = std::ldexp(1.0, -2 * scaling.exponent[j]);
  }
  if (!scaling.space.origin) offset_square_ = std::ldexp(1.0, -2 * scaling.exponent[scaling.space.mapped]);
}

bool MarginDescent::end_pass(Comm& comm, std::int64_t rows) {
  slips_ = all_reduce_sum(comm, slips_);
  if (comm.size() > 1) mix(comm, weight_, offset_);
  ++passes_;
  const bool few = slips_ <= rows / kFewSlips;
  slips_ = 0;
  return few || passes_ % kNowAndThen == 0;
}

std::vector<double> MarginDescent::scaled_weights() const {
  std::vector<double> scaled = weight_;
  if (!scaling_.mapped()) {
    for (std::size_t j = 0; j < scaled.size(); ++j) scaled[j] = std::ldexp(scaled[j], scaling_.exponent[j]);
  }
  if (!scaling_.space.origin) scaled.push_back(std::ldexp(offset_, scaling_.exponent[scaling_.space.mapped]));
  return scaled;
}

void MarginDescent::save(ByteWriter& writer) const {
  writer.number(passes_);
  writer.number(offset_);
  writer.numbers(weight_);
  writer.numbers(alpha_);
  writer.numbers(square_);
}

void MarginDescent::load(ByteReader& reader) {
  const auto passes = reader.number<std::int64_t>();
  const auto offset = reader.number<double>();
  auto weight = reader.numbers<double>();
  auto alpha = reader.numbers<double>();
  auto square = reader.numbers<float>();
  const auto finite = [](double x) { return std::isfinite(x); };
  require_state(passes >= 0 && std::isfinite(offset) && weight.size() == weight_.size());
  require_state(alpha.size() == alpha_.size() && square.size() == square_.size());
  require_state(std::ranges::all_of(weight, finite));
  require_state(std::ranges::all_of(alpha, [](double a) { return a >= 0 && std::isfinite(a); }));
  require_state(std::ranges::all_of(square, [](float s) { return s >= 0; }));
  passes_ = passes;
  offset_ = offset;
  weight_ = std::move(weight);
  alpha_ = std::move(alpha);
  square_ = std::move(square);
  slips_ = 0;
}

std::vector<std::pair<std::size_t, double>> MarginDescent::support(std::size_t limit) const {
  std::vector<std::pair<std::size_t, double>> support;
  for (std::size_t i = 0; i < alpha_.size(); ++i) {
    if (alpha_[i] > 0) support.emplace_back(i, alpha_[i]);
  }
  if (support.size() > limit) {
    std::nth_element(
        support.begin(), support.begin() + static_cast<std::ptrdiff_t>(limit), support.end(),
        [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    support.resize(limit);
  }
  std::sort(support.begin(), support.end());
  return support;
}

ShortWeights shorten(const std::vector<double>& scaled, double share, std::size_t entries) {
  ShortWeights result;
  int exponent = 0;
  // A unit u changes a score by at most u/2·√entries·norm.
  std::frexp(share / (1.01 * std::sqrt(static_cast<double>(entries + 1))), &exponent);
  result.unit = std::ldexp(1.0, exponent - 1);
  for (const double w : scaled) {
    const double multiple = w / result.unit;
    result.scaled.push_back(std::fabs(multiple) < 0x1p52 ? std::nearbyint(multiple) * result.unit : w);
  }
  return result;
}

SparseFinish::SparseFinish(FinderState& state) : state_(state) { rows_.columns = state.scaling.space.columns(); }

void SparseFinish::give_up() {
  too_many_ = true;
  rows_ = {};
}

// By rank, so in the order of the rows, on every worker.
void SparseFinish::gather(Comm& comm) {
  if (comm.size() == 1) return;
  ByteWriter writer;
  writer.numbers(std::vector<std::uint64_t>(rows_.begin.begin(), rows_.begin.end()));
  writer.numbers(rows_.column);
  writer.numbers(rows_.value);
  writer.numbers(rows_.number);
  writer.numbers(rows_.norm);
  UnitRows all;
  all.columns = rows_.columns;
  rows_ = {};
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(as_text(bytes));
    const std::size_t before = all.entries();
    const auto begin = reader.numbers<std::uint64_t>();
    for (std::size_t k = 1; k < begin.size(); ++k) all.begin.push_back(before + begin[k]);
    append(all.column, reader.numbers<std::uint32_t>());
    append(all.value, reader.numbers<double>());
    append(all.number, reader.numbers<std::int64_t>());
    append(all.norm, reader.numbers<double>());
  }
  rows_ = std::move(all);
}

void SparseFinish::finish(bool known, Comm& comm) {
  const auto entries = all_reduce_sum(comm, static_cast<std::int64_t>(rows_.entries()));
  if (all_reduce_any(comm, too_many_) || entries > static_cast<std::int64_t>(kMostEntries)) {
    obstacle_ = "there are too many rows with too many columns for exact arithmetic";
    give_up();
    return;
  }
  gather(comm);
  if (!known) {
    const SupportSearch search = find_supports(rows_, state_.options.deadline);
    stopped_ = all_reduce_any(comm, search.stopped);
    for (const Support& support : search.found) {
      if (stopped_ || make_exact(support, comm)) break;
    }
    for (const Support& support : search.found) {
      if (stopped_ || !witness_.empty() || search_exactly(support, comm)) break;
    }
    known = !witness_.empty();
  }
  if (known && basis_.empty() && !stopped_) look_for_span(comm);
  rows_ = {};
}

// True if it became a witness that is better than the previous one.
bool SparseFinish::make_exact(const Support& support, Comm& comm) {
  SparseWitness found = sparse_witness(read_exactly(state_, support.row, comm), support, state_.options.deadline);
  stopped_ = all_reduce_any(comm, found.end == SparseWitness::End::kStopped);
  if (found.end == SparseWitness::End::kTooLong) obstacle_ = "the weights of a witness would have too many digits";
  if (stopped_ || found.end != SparseWitness::End::kFound) return false;
  const bool spans = found.basis.size() == state_.signs.active_columns().size();
  if (spans) basis_ = std::move(found.basis);
  if (spans || witness_.empty()) witness_ = std::move(found.witness);
  return true;
}

// True if there is a witness among the rows that use only columns of the support.
bool SparseFinish::search_exactly(const Support& support, Comm& comm) {
  if (support.columns > kMostExactColumns) return false;
  std::vector<bool> used(rows_.columns, false);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!std::binary_search(support.row.begin(), support.row.end(), rows_.number[i])) continue;
    for (const std::uint32_t j : rows_.columns_of(i)) used[j] = true;
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto columns = rows_.columns_of(i);
    if (std::all_of(columns.begin(), columns.end(), [&](std::uint32_t j) { return used[j]; })) {
      numbers.push_back(rows_.number[i]);
    }
  }
  if (numbers.size() > kMostExactRows) return false;
  std::vector<std::uint32_t> active;
  for (std::uint32_t j = 0; j < rows_.columns; ++j) {
    if (used[j]) active.push_back(j);
  }
  const std::vector<ExactRow> rows = read_exactly(state_, numbers, comm);
  CoreSearch search(state_.scaling.space, std::move(active), state_.scaling.exponent, state_.scaling.mapped(),
                    [&](const std::vector<std::int64_t>& wanted) {
                      std::vector<ExactRow> read;
                      for (const ExactRow& z : rows) {
                        if (std::binary_search(wanted.begin(), wanted.end(), z.row)) read.push_back(z);
                      }
                      return read;
                    });
  search.end_at_witness();
  search.add_exactly(numbers);
  bool expired = false;
  while (!search.has_witness()) {
    expired = search.next(state_.options.deadline) == CoreSearch::Next::kStopped;
    if (expired || search.has_witness()) break;
    std::vector<std::int64_t> violated;
    for (const ExactRow& z : rows) {
      if (search.side(z) == RowSide::kViolated) violated.push_back(z.row);
    }
    if (violated.empty()) break;  // they are separable
    search.add_violated(violated);
  }
  stopped_ = all_reduce_any(comm, expired);
  if (stopped_ || !search.has_witness()) return false;
  witness_ = search.witness();
  if (search.rank() == state_.signs.active_columns().size()) basis_ = search.basis_rows();
  return true;
}

// Rows without a column can't span rows that have it.
void SparseFinish::look_for_span(Comm& comm) {
  const std::size_t columns = state_.signs.active_columns().size();
  if (!wants_span(columns)) return;
  const SupportSearch search = support_of_all(rows_, state_.options.deadline);
  stopped_ = all_reduce_any(comm, search.stopped);
  if (stopped_ || search.found.empty() || search.found.front().columns < columns) return;
  make_exact(search.found.front(), comm);
}

namespace {

constexpr std::size_t kMostPairs = 1024;
constexpr std::size_t kMostSupport = 2000;
constexpr std::int64_t kMostDescents = 4096;
/// A witness is searched for after this many passes. By then descent has ended on most separable sets.
constexpr std::int64_t kDescentsBeforeWitness = 24;
/// With fewer than two rows per column almost every labeling of rows in general position is separable (Cover 1965). A
/// witness would have about as many rows as there are columns.
constexpr std::int64_t kDescentsOfFewRows = 400;

}  // namespace

Descend::Descend(FinderState& state)
    : state_(state),
      rows_(state, [this](const ExactRow& z) { return judge(z); }),
      columns_(state.scaling.space.columns()) {
  std::iota(columns_.begin(), columns_.end(), std::uint32_t{0});
}

void Descend::start(Comm& comm) {
  several_workers_ = comm.size() > 1;
  state_.signs.take_sample();  // descent begins with nothing
  if (state_.zero_row >= 0) {
    const ExactRow z = read_exactly(state_, {state_.zero_row}, comm).front();
    if (z.column.empty()) witness_.emplace_back(z.row, 1);
  }
  const auto& pairs = state_.conflicts;
  for (std::size_t k = 0; k < pairs.size() && witness_.empty() && k < kMostPairs; ++k) {
    const auto rows = read_exactly(state_, {pairs[k].first, pairs[k].second}, comm);
    witness_ = witness_of_pair(rows.front(), rows.back());
  }
  if (witness_.empty()) {
    descent_.emplace(state_.scaling, state_.rows.size());
  } else if (SparseFinish::wants_span(state_.signs.active_columns().size())) {
    begin_gathering();
  } else {
    end_with_witness();
  }
}

void Descend::begin_gathering() {
  finish_.emplace(state_);
  doing_ = Doing::kGathering;
}

void Descend::end_with_witness() {
  done_ = true;
  proven_ = !basis_.empty();
  if (!proven_) ran_out_ = "there are too many columns to tell quasi-separable from overlapping";
}

void Descend::begin(const Shape& /*shape*/) {}

void Descend::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::int64_t number = batch.number_of(i);
    if (doing_ == Doing::kScan) {
      rows_.look_at(x, number, [&](const auto& /*z*/, int /*sign*/, double /*score*/, double share) {
        least_share_ = std::min(least_share_, share);
      });
      return;
    }
    const std::size_t index = state_.rows.index_of(number);
    if (!state_.rows.live(index)) return;
    const int sign = state_.rows.sign(index);
    state_.scaling.show(x, [&](const auto& z) {
      if (doing_ == Doing::kGathering) {
        finish_->take(z, number, sign);
      } else {
        descent_->step(z, index, sign);
      }
    });
  });
}

RowSide Descend::judge(const ExactRow& z) {
  if (exact_dot(z, exact_) <= 0) return RowSide::kViolated;
  least_share_ = 0;
  return RowSide::kPositive;
}

void Descend::synchronise(Comm& comm) {
  switch (doing_) {
    case Doing::kDescent:
      return end_descent(comm);
    case Doing::kScan:
      return end_scan(comm);
    case Doing::kGathering:
      return end_gathering(comm);
  }
}

void Descend::end_descent(Comm& comm) {
  const bool worth_a_scan = descent_->end_pass(comm, state_.row_count);
  const bool few_rows = state_.signs.live() < 2 * static_cast<std::int64_t>(state_.signs.active_columns().size());
  const std::int64_t patience = few_rows ? kDescentsOfFewRows : kDescentsBeforeWitness;
  if (!worth_a_scan && !finish_ && descent_->passes() >= patience) begin_gathering();
  if (worth_a_scan) begin_scan();
}

void Descend::begin_scan() {
  doing_ = Doing::kScan;
  scaled_ = descent_->scaled_weights();
  exact_ = unscaled(scaled_, nullptr);  // the weights that are proven with are these doubles
  rows_.begin(state_.scaling.scan_weights(columns_, scaled_, 0));
  least_share_ = std::numeric_limits<double>::infinity();
}

void Descend::end_scan(Comm& comm) {
  rows_.synchronise(comm);
  least_share_ = -all_reduce_max(comm, -least_share_);
  doing_ = Doing::kDescent;
  scanned_ = true;
  if (rows_.not_positive() == 0) {
    done_ = proven_ = true;
  } else if (all_reduce_any(comm, state_.options.deadline.expired())) {
    done_ = true;
  } else if (descent_->passes() >= kMostDescents) {
    done_ = true;
    ran_out_ = "no separator was found within the passes allowed for this many columns";
    if (finish_ && !finish_->obstacle().empty()) ran_out_ += ", and " + finish_->obstacle();
  }
}

void Descend::end_gathering(Comm& comm) {
  doing_ = Doing::kDescent;
  finish_->finish(!witness_.empty(), comm);
  if (!finish_->witness().empty()) {
    witness_ = finish_->witness();
    basis_ = finish_->basis();
  }
  done_ = finish_->stopped();
  if (!witness_.empty()) end_with_witness();
}

void Descend::save(ByteWriter& writer) const {
  writer.number(static_cast<std::uint8_t>(descent_.has_value()));
  if (!descent_) return;  // a witness was at hand at once, and rows are gathered for its span
  writer.number(static_cast<std::uint8_t>(doing_));
  writer.number(static_cast<std::uint8_t>(finish_.has_value()));
  writer.text(finish_ ? finish_->obstacle() : "");
  descent_->save(writer);
}

void Descend::resume(ByteReader& reader, Comm& comm) {
  start(comm);
  rethrow_on_all(comm, [&] {
    require_state((reader.number<std::uint8_t>() != 0) == descent_.has_value());
    if (!descent_) return;
    const auto doing = reader.number<std::uint8_t>();
    require_state(doing <= static_cast<std::uint8_t>(Doing::kGathering));
    const bool finished = reader.number<std::uint8_t>() != 0;
    std::string obstacle = reader.text();
    descent_->load(reader);
    doing_ = static_cast<Doing>(doing);
    if (finished) finish_.emplace(state_).set_obstacle(std::move(obstacle));
    if (doing_ == Doing::kScan) begin_scan();
    if (doing_ == Doing::kGathering) begin_gathering();
  });
}

Verdict Descend::end_pass(Progress& progress) {
  if (scanned_) progress.mistakes = rows_.not_positive();
  return done_ ? Verdict::kConverged : Verdict::kContinue;
}

IntegerVector Descend::unscaled(std::vector<double> scaled, double* unit) const {
  for (std::size_t j = 0; j < scaled.size(); ++j) scaled[j] = std::ldexp(scaled[j], -state_.scaling.exponent[j]);
  return integers_of(scaled, unit);
}

void Descend::add_to(Separability& found) const {
  found.complete = proven_;
  found.ran_out = ran_out_;
  found.witness = witness_;
  if (!basis_.empty()) {
    add_span(found);
  } else if (proven_) {
    add_weights(found);
  } else if (descent_ && !several_workers_) {
    for (const auto& [index, weight] : descent_->support(kMostSupport)) {
      found.support.emplace_back(state_.rows.first() + static_cast<std::int64_t>(index), weight);
    }
  }
}

// The basis has full rank in the active columns. The others are 0 on all live rows.
void Descend::add_span(Separability& found) const {
  found.basis = basis_;
  const std::vector<std::uint32_t> active = state_.signs.active_columns();
  for (const std::uint32_t column : columns_) {
    if (!std::binary_search(active.begin(), active.end(), column)) found.dependent.push_back({column, {}});
  }
}

// Shorter weights that keep half of every margin, if rows weren't judged exactly.
void Descend::add_weights(Separability& found) const {
  found.left_at_zero -= rows_.positive();
  std::vector<double> scaled = scaled_;
  double kept = 1;
  if (least_share_ > 0 && std::isfinite(least_share_)) {
    scaled = shorten(scaled_, least_share_, rows_.most_entries()).scaled;
    kept = 0.49;
  }
  double unit = 1;
  const IntegerVector exact = unscaled(std::move(scaled), &unit);
  for (std::uint32_t j = 0; j < exact.size(); ++j) {
    if (exact[j] != 0) found.weights.emplace_back(j, exact[j]);
  }
  if (least_share_ > 0 && std::isfinite(rows_.least())) {
    found.least_margin = rational_of_double(rows_.least()) * rational_of_double(kept) / rational_of_double(unit);
  }
  rows_.add_radius(found);
}

}  // namespace linsep
