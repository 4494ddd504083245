#include "certify/finder/finder.h"

#include <algorithm>

#include "certify/finder/row_exchange.h"
#include "linsep/comm.h"

namespace linsep {

Finder::Finder(FinderOptions options) : survey_(state_), peel_(state_) { state_.options = std::move(options); }

void Finder::begin(const Shape& shape) {
  shape_ = shape;
  phase_ = &survey_;
  phase_->begin(shape);
}

void Finder::visit(const Batch& batch) { phase_->visit(batch); }

void Finder::synchronise(Comm& comm) {
  phase_->synchronise(comm);
  next_ = phase_;
  if (phase_ == &survey_) next_ = after_signs(survey_.next(), comm);
  if (phase_ == &peel_) next_ = after_signs(peel_.next(), comm);
}

Pass* Finder::after_signs(SignRound::Next next, Comm& comm) {
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
  return columns > state_.options.most_columns ? started(descend_, comm) : started(scan_, comm);
}

template <class Phase>
Pass* Finder::started(std::optional<Phase>& phase, Comm& comm) {
  phase.emplace(state_);
  phase->begin(shape_);
  phase->start(comm);
  return phase->done() ? nullptr : &*phase;
}

Verdict Finder::end_pass(Progress& progress) {
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
  found.levels = state_.signs.levels();
  found.peeled = state_.row_count - state_.signs.live();
  found.left_at_zero = state_.signs.live();
  // No separator's margin is above half of the distance of a row of each class.
  for (const std::int64_t row : state_.first_of_class) {
    if (row >= 0) found.any_pair.emplace_back(row, 1.0);
  }
  std::sort(found.any_pair.begin(), found.any_pair.end());
  if (scan_) scan_->add_to(found);
  if (descend_) descend_->add_to(found);
  return found;
}

}  // namespace linsep
