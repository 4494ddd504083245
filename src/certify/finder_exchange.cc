// What Finder does between two passes: the only part that sees other workers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "certify/finder.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// Pairs of duplicates that are looked at for a witness, for each column.
constexpr std::size_t kPairsPerColumn = 16;
constexpr std::size_t kPairsAtLeast = 1024;
/// Beyond so many columns there is no working set and no exact arithmetic on all of them.
constexpr std::size_t kMostColumns = 2048;
constexpr std::size_t kMostCarriers = 2000;
constexpr std::int64_t kMostDescents = 4096;
/// Rows that join the working set after a scan: two for each column, within these.
constexpr std::size_t kFewestWorst = 256;
constexpr std::size_t kMostWorst = 4096;

std::string_view as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t sum_over(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kSum);
  return value;
}

std::int64_t greatest_over(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}

/// The least of the workers' row numbers; −1 is none.
std::int64_t first_over(Comm& comm, std::int64_t row) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = -greatest_over(comm, row < 0 ? -kNone : -row);
  return first == kNone ? -1 : first;
}

void write_row(ByteWriter& writer, const WrittenRow& row, int sign) {
  writer.number(row.row);
  writer.number<std::int32_t>(sign);
  writer.number<std::uint64_t>(row.values.size());
  for (const WrittenValue& value : row.values) {
    writer.number(value.column);
    writer.text(value.decimal);
    writer.number(value.binary);
  }
}

WrittenRow read_row(ByteReader& reader, int& sign) {
  WrittenRow row;
  row.row = reader.number<std::int64_t>();
  sign = reader.number<std::int32_t>();
  const auto count = reader.number<std::uint64_t>();
  for (std::uint64_t k = 0; k < count; ++k) {
    WrittenValue value;
    value.column = reader.number<std::uint32_t>();
    value.decimal = reader.text();
    value.binary = reader.number<double>();
    row.values.push_back(std::move(value));
  }
  return row;
}

std::vector<std::pair<std::int64_t, Integer>> witness_of_pair(const ExactRow& a, const ExactRow& b) {
  bool opposite = a.column == b.column;
  for (std::size_t k = 0; opposite && k < a.value.size(); ++k) opposite = a.value[k] == -b.value[k];
  if (!opposite) return {};
  IntegerVector weights = {numerator(a.scale) * denominator(b.scale), numerator(b.scale) * denominator(a.scale)};
  reduce_content(weights);
  return {{a.row, weights[0]}, {b.row, weights[1]}};
}

}  // namespace

bool Finder::stopped_by_any(Comm& comm, bool mine) const { return greatest_over(comm, mine ? 1 : 0) > 0; }

std::vector<ExactRow> Finder::read_exactly(const std::vector<std::int64_t>& rows, Comm& comm) const {
  std::vector<std::int64_t> mine;
  for (const std::int64_t row : rows) {
    if (row >= first_row_ && row < first_row_ + static_cast<std::int64_t>(state_.size())) mine.push_back(row);
  }
  std::vector<WrittenRow> written;
  if (!mine.empty()) written = options_.written(mine);
  std::vector<ExactRow> exact;
  if (comm.size() == 1) {
    for (const WrittenRow& row : written) exact.push_back(exact_row(row, sign_of(place_of(row.row)), scaling_.space));
    return exact;
  }
  ByteWriter writer;
  writer.number<std::uint64_t>(written.size());
  for (const WrittenRow& row : written) write_row(writer, row, sign_of(place_of(row.row)));
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(as_text(bytes));
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
      int sign = 1;
      const WrittenRow row = read_row(reader, sign);
      exact.push_back(exact_row(row, sign, scaling_.space));
    }
  }
  std::sort(exact.begin(), exact.end(), [](const ExactRow& a, const ExactRow& b) { return a.row < b.row; });
  return exact;
}

std::vector<std::int64_t> Finder::gather_rows(const std::vector<std::int64_t>& mine, Comm& comm,
                                              std::size_t limit) const {
  std::vector<std::int64_t> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    ByteReader reader(as_text(bytes));
    for (std::size_t k = 0; k < bytes.size() / sizeof(std::int64_t); ++k) all.push_back(reader.number<std::int64_t>());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

// Typical sizes of columns: the mean exponent of what isn't 0. Means of products are sums of means.
void Finder::choose_scales(Comm& comm) {
  comm.all_reduce(std::span(exponent_sum_), Comm::Op::kSum);
  comm.all_reduce(std::span(exponent_count_), Comm::Op::kSum);
  comm.all_reduce(std::span(exponent_greatest_), Comm::Op::kMax);
  std::vector<int> raw(scaling_.space.features, 0);
  scaling_.column_scale.assign(scaling_.space.features, 1.0);
  for (std::size_t j = 0; j < raw.size(); ++j) {
    if (exponent_count_[j] == 0) continue;
    // φ multiplies scaled values, so there they must not exceed 1.
    const double mean = static_cast<double>(exponent_sum_[j]) / static_cast<double>(exponent_count_[j]);
    raw[j] = mapped() ? static_cast<int>(exponent_greatest_[j]) : static_cast<int>(std::floor(mean + 0.5));
    raw[j] = std::clamp(raw[j], -1000, 1000);
    scaling_.column_scale[j] = std::ldexp(1.0, -raw[j]);
  }
  if (mapped()) {
    scaling_.exponent.assign(scaling_.space.columns(), 0);
    for (std::uint32_t j = 0; j < scaling_.space.mapped; ++j) {
      for (const std::uint32_t factor : monomial(scaling_.space.map, scaling_.space.features, j))
        scaling_.exponent[j] += raw[factor];
    }
  } else {
    scaling_.exponent = raw;
    scaling_.exponent.resize(scaling_.space.columns(), 0);
  }
}

void Finder::end_survey(Comm& comm) {
  several_workers_ = comm.size() > 1;
  const std::int64_t width = greatest_over(comm, scaling_.space.features);
  if (static_cast<std::uint32_t>(width) > scaling_.space.features) {
    if (mapped()) throw input_error("the width of the data must be known before a feature map is certified");
    scaling_.space.features = static_cast<std::uint32_t>(width);
    scaling_.space.mapped = scaling_.space.features;
    exponent_sum_.resize(scaling_.space.features, 0);
    exponent_count_.resize(scaling_.space.features, 0);
    exponent_greatest_.resize(scaling_.space.features, std::numeric_limits<std::int64_t>::min());
  }
  rows_ = sum_over(comm, static_cast<std::int64_t>(state_.size()));
  for (std::int64_t& first : first_of_class_) first = first_over(comm, first);
  negatives_ = sum_over(comm, negatives_);
  choose_scales(comm);
  zero_row_ = first_over(comm, zero_row_);

  // Hashes of all workers' rows, by rank; each worker has the same list.
  if (comm.size() == 1) {
    conflicts_ = conflicting_pairs(hash_, side_);
    for (auto& [first, second] : conflicts_) {
      first += first_row_;
      second += first_row_;
    }
  } else {
    ByteWriter writer;
    writer.number(first_row_);
    writer.numbers(hash_);
    writer.numbers(side_);
    std::vector<std::uint64_t> hash;
    std::vector<std::uint8_t> side;
    std::vector<std::int64_t> number;
    for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
      ByteReader reader(as_text(bytes));
      auto row = reader.number<std::int64_t>();
      const auto hashes = reader.numbers<std::uint64_t>();
      const auto sides = reader.numbers<std::uint8_t>();
      hash.insert(hash.end(), hashes.begin(), hashes.end());
      side.insert(side.end(), sides.begin(), sides.end());
      for (std::size_t k = 0; k < hashes.size(); ++k) number.push_back(row++);
    }
    conflicts_ = conflicting_pairs(hash, side);
    for (auto& [first, second] : conflicts_) {
      first = number[static_cast<std::size_t>(first)];
      second = number[static_cast<std::size_t>(second)];
    }
  }
  hash_ = {};
  side_ = {};
  end_peel(comm);
}

void Finder::end_peel(Comm& comm) {
  peeler_.grow(scaling_.space.columns());
  if (!options_.origin) {
    if (live_positive_ > 0) peeler_.see(scaling_.space.mapped, 1);
    if (live_negative_ > 0) peeler_.see(scaling_.space.mapped, -1);
  }
  peeler_.synchronise(comm);
  const std::int64_t live = sum_over(comm, live_positive_ + live_negative_);
  live_positive_ = live_negative_ = 0;
  peeled_total_ = rows_ - live;
  sample_.synchronise(comm);
  if (live == 0) {
    done_ = proven_ = true;
    phase_ = Phase::kDone;
  } else if (peeler_.end_round()) {
    phase_ = Phase::kPeel;
    sample_ = WorstRows(sample_.limit());
  } else {
    begin_search(comm);
  }
}

void Finder::begin_search(Comm& comm) {
  row_exponent_.assign(state_.size(), RowScaling::kNoExponent);
  if (peeler_.active_columns().size() > kMostColumns) {
    begin_descent(comm);
    return;
  }
  phase_ = Phase::kScan;
  search_ = std::make_unique<CoreSearch>(
      scaling_.space, peeler_.active_columns(), scaling_.exponent, mapped(),
      [this](const std::vector<std::int64_t>& rows) { return read_exactly(rows, *comm_); });
  worst_ = WorstRows(std::clamp<std::size_t>(2 * search_->size(), kFewestWorst, kMostWorst));
  if (zero_row_ >= 0) search_->add_zero_row(read_exactly({zero_row_}, comm).front());
  auto pairs = conflicts_;
  pairs.resize(std::min(pairs.size(), kPairsAtLeast + kPairsPerColumn * search_->size()));
  search_->add_conflicts(pairs);
  std::vector<WorkRow> sample = sample_.take();
  if (mapped()) {  // what was sampled is raw
    std::vector<std::int64_t> rows;
    for (const WorkRow& row : sample) rows.push_back(row.row);
    std::sort(rows.begin(), rows.end());
    search_->add_exactly(rows);
  } else {
    search_->add(sample);
  }
  search_on(comm);
}

void Finder::search_on(Comm& comm) {
  const CoreSearch::Next next = search_->next(options_.stop);
  if (stopped_by_any(comm, next == CoreSearch::Next::kStopped)) {
    done_ = true;
  } else if (next == CoreSearch::Next::kAllAtZero) {
    done_ = proven_ = true;
  } else {
    prepare_scan();
  }
}

void Finder::prepare_scan() {
  const Candidate& candidate = search_->candidate();
  scan_ = scaling_.scan_weights(search_->active(), candidate.scaled, candidate.relative_error);
  reset_scan();
}

void Finder::reset_scan() {
  least_ = least_share_ = std::numeric_limits<double>::infinity();
  least_exact_.reset();
  scan_negative_ = scan_positive_ = scan_at_zero_ = 0;
  undecided_.clear();
  violated_.clear();
}

void Finder::begin_descent(Comm& comm) {
  sample_ = WorstRows();
  if (zero_row_ >= 0) {
    const ExactRow z = read_exactly({zero_row_}, comm).front();
    if (z.column.empty()) pair_witness_.emplace_back(z.row, 1);
  }
  for (std::size_t k = 0; k < conflicts_.size() && pair_witness_.empty() && k < kPairsAtLeast; ++k) {
    const auto rows = read_exactly({conflicts_[k].first, conflicts_[k].second}, comm);
    pair_witness_ = witness_of_pair(rows.front(), rows.back());
  }
  if (!pair_witness_.empty()) {
    done_ = true;
    ran_out_ = "there are too many columns to tell quasi-separable from overlapping";
    return;
  }
  descent_ = std::make_unique<MarginDescent>(scaling_, state_.size());
  all_columns_.resize(scaling_.space.columns());
  std::iota(all_columns_.begin(), all_columns_.end(), std::uint32_t{0});
  phase_ = Phase::kDescend;
}

void Finder::end_descent(Comm& comm) {
  if (!descent_->end_pass(comm, rows_)) return;
  phase_ = Phase::kScan;
  descent_scaled_ = descent_->scaled_weights();
  // The weights that are proven with are these doubles.
  std::vector<double> weight = descent_scaled_;
  for (std::size_t j = 0; j < weight.size(); ++j) weight[j] = std::ldexp(weight[j], -scaling_.exponent[j]);
  descent_exact_ = integers_of(weight);
  scan_ = scaling_.scan_weights(all_columns_, descent_scaled_, 0);
  reset_scan();
}

void Finder::end_descent_scan(Comm& comm) {
  const std::int64_t violated = sum_over(comm, static_cast<std::int64_t>(violated_.size()));
  const bool stopped = options_.stop && options_.stop();
  if (not_positive_ == 0 && violated == 0) {
    separated_any_ = done_ = proven_ = true;
  } else if (stopped_by_any(comm, stopped)) {
    done_ = true;
  } else if (descent_->passes() >= kMostDescents) {
    done_ = true;
    ran_out_ = "no separator was found in as many passes as are tried with so many columns";
  } else {
    phase_ = Phase::kDescend;
  }
}

void Finder::end_scan(Comm& comm) {
  scan_negative_ = sum_over(comm, scan_negative_);
  bool stopped = false;
  if (scan_negative_ == 0) {
    judge_open_rows();
    stopped = options_.stop && options_.stop();
  }
  undecided_.clear();
  scan_positive_ = sum_over(comm, scan_positive_);
  share_extremes(comm);
  not_positive_ = scan_negative_ + sum_over(comm, static_cast<std::int64_t>(violated_.size()));
  if (!search_) {
    end_descent_scan(comm);
    return;
  }
  const std::vector<std::int64_t> violated = gather_rows(violated_, comm, worst_.limit());
  if (scan_negative_ == 0 && violated.empty()) {
    separated_any_ = scan_positive_ > 0;
    done_ = proven_ = true;
    return;
  }
  if (stopped_by_any(comm, stopped)) {
    done_ = true;
    return;
  }
  worst_.synchronise(comm);
  const std::size_t added = search_->add(worst_.take());
  if (scan_negative_ == 0 || added == 0) search_->add_violated(violated);
  search_on(comm);
}

// What a margin's bounds rest on, of all workers' rows.
void Finder::share_extremes(Comm& comm) {
  if (comm.size() == 1) return;
  const std::string mine = least_exact_ ? to_text(*least_exact_) : "";
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    if (bytes.empty()) continue;
    Rational margin = rational_of(as_text(bytes));
    if (!least_exact_ || margin < *least_exact_) least_exact_ = std::move(margin);
  }
  std::vector<double> greatest = {-least_, -least_share_, greatest_squared_, static_cast<double>(most_entries_)};
  comm.all_reduce(std::span(greatest), Comm::Op::kMax);
  least_ = -greatest[0];
  least_share_ = -greatest[1];
  greatest_squared_ = greatest[2];
  most_entries_ = static_cast<std::size_t>(greatest[3]);
}

Separability Finder::result() const {
  Separability found;
  found.complete = proven_;
  found.rows = rows_;
  found.negatives = negatives_;
  found.levels = peeler_.levels();
  found.peeled = peeled_total_;
  found.left_at_zero = rows_ - peeled_total_ - (separated_any_ ? scan_positive_ : 0);
  found.ran_out = ran_out_;
  found.any_pair = any_pair();
  if (!search_) {
    add_descent(found);
    return found;
  }
  found.radius = std::sqrt(greatest_squared_) * (1 + 1e-12);
  if (search_->has_witness()) {
    found.witness = search_->witness();
  } else if (!proven_) {
    found.support = search_->support();
  }
  if (!proven_) return found;
  const std::vector<std::uint32_t>& active = search_->active();
  if (separated_any_) {
    const IntegerVector& exact = search_->candidate().exact;
    for (std::size_t k = 0; k < active.size(); ++k) {
      if (exact[k] != 0) found.weights.emplace_back(active[k], exact[k]);
    }
    if (std::isfinite(least_)) found.least_margin = Rational(least_);
    if (least_exact_ && (!std::isfinite(least_) || *least_exact_ < found.least_margin))
      found.least_margin = *least_exact_;
    found.least_margin /= search_->candidate().exact_unit;
  }
  if (!search_->has_witness()) return found;
  found.basis = search_->basis_rows();
  add_dependent(found);
  return found;
}

// A row of each class: no separator's margin is above half of their distance.
std::vector<std::pair<std::int64_t, double>> Finder::any_pair() const {
  std::vector<std::pair<std::int64_t, double>> pair;
  for (const std::int64_t row : first_of_class_) {
    if (row >= 0) pair.emplace_back(row, 1.0);
  }
  std::sort(pair.begin(), pair.end());
  return pair;
}

void Finder::add_descent(Separability& found) const {
  found.witness = pair_witness_;
  if (!descent_) return;
  if (!proven_) {
    if (several_workers_) return;
    for (const auto& [at, weight] : descent_->support(kMostCarriers)) {
      found.support.emplace_back(first_row_ + static_cast<std::int64_t>(at), weight);
    }
    return;
  }
  // Shorter weights that keep half of every margin, where rows weren't judged exactly.
  std::vector<double> scaled = descent_scaled_;
  double kept = 1;
  if (least_share_ > 0 && std::isfinite(least_share_)) {
    scaled = shorten(descent_scaled_, least_share_, most_entries_).scaled;
    kept = 0.49;
  }
  std::vector<double> weight = scaled;
  for (std::size_t j = 0; j < weight.size(); ++j) weight[j] = std::ldexp(scaled[j], -scaling_.exponent[j]);
  double unit = 1;
  const IntegerVector exact = integers_of(weight, &unit);
  for (std::uint32_t j = 0; j < exact.size(); ++j) {
    if (exact[j] != 0) found.weights.emplace_back(j, exact[j]);
  }
  if (least_share_ > 0 && std::isfinite(least_)) found.least_margin = Rational(least_) * kept / Rational(unit);
  found.radius = std::sqrt(greatest_squared_) * (1 + 1e-12);
}

// On the rows at zero: columns without any entry are empty sums, free columns are sums of pivot columns.
void Finder::add_dependent(Separability& found) const {
  const std::vector<std::uint32_t>& active = search_->active();
  const ExactSpan& span = search_->span();
  std::vector<std::int64_t> free_place(active.size(), -1);
  for (std::size_t f = 0; f < span.free_columns().size(); ++f) {
    free_place[span.free_columns()[f]] = static_cast<std::int64_t>(f);
  }
  for (std::uint32_t column = 0; column < scaling_.space.columns(); ++column) {
    const std::int32_t place = search_->places()[column];
    if (place >= 0 && free_place[static_cast<std::size_t>(place)] < 0) continue;
    Separability::Dependent dependent;
    dependent.column = column;
    for (std::size_t p = 0; place >= 0 && p < span.rank(); ++p) {
      const auto f = static_cast<std::size_t>(free_place[static_cast<std::size_t>(place)]);
      const Rational weight = ratio(span.relation().numerator[p][f], span.relation().denominator);
      if (weight != 0) dependent.sum.emplace_back(active[span.pivot_columns()[p]], weight);
    }
    found.dependent.push_back(std::move(dependent));
  }
}

Model Finder::model() const {
  Model model;
  model.learner = "separability";
  model.origin = options_.origin;
  model.features = scaling_.space.features;
  model.map = options_.map;
  model.theta = scan_.weight;
  model.theta.resize(scaling_.space.mapped, 0.0);
  model.offset = scan_.offset;
  return model;
}

std::string Finder::save_state() const {
  ByteWriter writer;
  writer.text("separability");
  return writer.bytes();
}

void Finder::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("separability");
  reader.end();
}

}  // namespace linsep
