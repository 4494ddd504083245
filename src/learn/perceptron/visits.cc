#include "learn/perceptron/visits.h"

#include <utility>

namespace linsep {

void Visits::begin(const std::vector<double>& theta, double offset, std::int64_t pass) {
  made_ = {};
  numbers_ = 0;
  pass_ = pass;
  before_pass_ = 0;
  if (!on()) return;
  made_.start = theta;
  made_.start_offset = offset;
}

void Visits::record(RowVisit visit) {
  visit.visit = ++made_.visits;
  visit.pass = pass_;
  if (made_.visits > most_ && !made_.mistakes_only) {
    made_.mistakes_only = true;
    std::erase_if(made_.at, [](const RowVisit& kept) { return !kept.mistake; });
    numbers_ = 0;
    for (const RowVisit& kept : made_.at) numbers_ += kept.theta.size() + 1;
  }
  if (made_.cut || (made_.mistakes_only && !visit.mistake)) return;
  numbers_ += visit.theta.size() + 1;
  if (numbers_ > kMostNumbers) {
    made_.cut = true;
  } else {
    made_.at.push_back(std::move(visit));
  }
}

void Visits::end_pass() {
  ++pass_;
  before_pass_ = made_.visits;
}

void Visits::undo_pass() {
  made_.visits = before_pass_;
  std::erase_if(made_.at, [this](const RowVisit& visit) { return visit.visit > before_pass_; });
}

}  // namespace linsep
