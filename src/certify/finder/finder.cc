#include "certify/finder/finder.h"

#include <algorithm>

#include "certify/finder/row_scan.h"
#include "core/deadline.h"
#include "linsep/comm.h"
#include "numeric/saved_rows.h"

namespace linsep {

Finder::Finder(FinderOptions options) : survey_(state_), peel_(state_) { state_.options = std::move(options); }

void Finder::begin(const Shape& shape) {
  shape_ = shape;
  phase_ = &survey_;
  phase_->begin(shape);
}

void Finder::visit(const Batch& batch) {
  state_.options.polled.run([&] { phase_->visit(batch); });
}

void Finder::synchronise(Comm& comm) {
  state_.options.polled.run([&] {
    phase_->synchronise(comm);
    next_ = phase_;
    if (phase_ == &survey_ && after_survey_) after_survey_();
    if (phase_ == &survey_) next_ = after_signs(survey_.next(), comm);
    if (phase_ == &peel_) next_ = after_signs(peel_.next(), comm);
  });
}

Pass* Finder::after_signs(SignRound::Next next, Comm& comm) {
  // The rows that a level separates are counted in the round after it.
  levels_counted_ = state_.signs.levels().size() - (next == SignRound::Next::kPeel ? 1 : 0);
  rows_left_ = state_.signs.live();
  switch (next) {
    case SignRound::Next::kNothing:
      all_peeled_ = true;
      return nullptr;
    case SignRound::Next::kPeel:
      peel_.begin(shape_);
      return &peel_;
    case SignRound::Next::kCore:
      break;
  }
  const std::size_t columns = state_.signs.active_columns().size();
  if (columns > state_.options.most_columns) return started(descend_, Saved::kDescend, comm);
  return started(scan_, Saved::kScan, comm);
}

template <class Phase>
Pass* Finder::started(std::optional<Phase>& phase, Saved kind, Comm& comm) {
  phase.emplace(state_);
  phase->begin(shape_);
  if (saved_ == Saved::kNothing) {
    phase->start(comm);
  } else {
    require_state(saved_ == kind);
    ByteReader reader(saved_state_);
    phase->resume(reader, comm);
    reader.end();
  }
  return phase->done() ? nullptr : &*phase;
}

std::string Finder::save() const {
  ByteWriter state;
  if (scan_) scan_->save(state);
  if (descend_) descend_->save(state);
  const Saved later = descend_ ? Saved::kDescend : Saved::kNothing;
  ByteWriter writer;
  writer.text("finder 1");
  writer.number(static_cast<std::uint8_t>(scan_ ? Saved::kScan : later));
  writer.number(passes_);
  writer.text(state.bytes());
  return writer.take();
}

void Finder::load(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("finder 1");
  const auto kind = reader.number<std::uint8_t>();
  const auto passes = reader.number<std::int64_t>();
  saved_state_ = reader.text();
  reader.end();
  require_state(passes >= 0 && kind <= static_cast<std::uint8_t>(Saved::kDescend));
  saved_ = static_cast<Saved>(kind);
  if (saved_ == Saved::kNothing) passes_before_ = passes;
}

Verdict Finder::end_pass(Progress& progress) {
  ++passes_;
  if (state_.options.polled.cut_off()) return Verdict::kConverged;
  if (descend_ || (scan_ && !scan_->finding_again())) saved_ = Saved::kNothing;
  const Verdict verdict = phase_->end_pass(progress);
  if (verdict == Verdict::kConverged && next_ == phase_) next_ = nullptr;
  phase_ = next_;
  return phase_ != nullptr ? Verdict::kContinue : Verdict::kConverged;
}

std::vector<ExactRow> Finder::read_exactly(const std::vector<std::int64_t>& rows, Comm& comm) const {
  return linsep::read_exactly(state_, rows, comm);
}

bool Finder::separates(const Separability& found, std::int64_t row) const {
  const std::size_t index = state_.rows.index_of(row);
  return !state_.rows.live(index) || (!found.weights.empty() && state_.rows.undecided(index));
}

std::vector<ExactRow> Finder::read_own(const std::vector<std::int64_t>& rows) const {
  return linsep::read_exactly(state_, rows, *solo());
}

Separability Finder::result() const {
  Separability found;
  found.complete = all_peeled_;
  found.rows = state_.row_count;
  const auto& levels = state_.signs.levels();
  found.levels.assign(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(levels_counted_));
  found.left_at_zero = rows_left_.value_or(found.rows);
  found.peeled = found.rows - found.left_at_zero;
  // No separator's margin is above half the distance between a row of each class.
  for (const std::int64_t row : state_.first_of_class) {
    if (row >= 0) found.any_pair.emplace_back(row, 1.0);
  }
  std::sort(found.any_pair.begin(), found.any_pair.end());
  if (scan_) scan_->add_to(found);
  if (descend_) descend_->add_to(found);
  return found;
}

}  // namespace linsep
