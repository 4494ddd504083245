#include "certify/coefficients/estimate_search.h"

#include <algorithm>
#include <utility>

#include "core/poll.h"

namespace linsep {
namespace {

/// The number of the row that stands for the question's column.
constexpr std::int64_t kQuestionRow = -1;
/// Questions whose directions are tried in one pass.
constexpr std::size_t kAtOnce = 16;
/// What the exact solution of a witness costs: this times the size cubed.
constexpr std::int64_t kWitnessWork = 8;
/// A question is given up after so many passes.
constexpr int kMostRounds = 64;

}  // namespace

EstimateSearch::EstimateSearch(const DirectionSpace& space, std::vector<int> exponent, ExactReader read,
                               TryDirections try_directions)
    : space_(space),
      read_(std::move(read)),
      try_directions_(std::move(try_directions)),
      signs_(space.columns(), 0),
      proven_(space.columns(), false) {
  for (const std::uint32_t column : space.free_columns()) exponent_.push_back(exponent[column]);
}

void EstimateSearch::add_rows(const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> unread;
  for (const std::int64_t row : rows) {
    if (!rests_.contains(row)) unread.push_back(row);
  }
  if (unread.empty()) return;
  for (const ExactRow& z : read_(unread)) rests_.emplace(z.row, space_.rest(z));
}

void EstimateSearch::add_direction(IntegerVector w, bool keep) {
  for (std::size_t column = 0; column < w.size(); ++column) {
    const int sign = sign_of(w[column]);
    const auto seen = static_cast<std::uint8_t>(sign > 0 ? kPlus : (sign < 0 ? kMinus : 0));
    if ((signs_[column] | seen) == signs_[column]) continue;
    keep = true;
    signs_[column] |= seen;
  }
  if (keep) directions_.push_back(std::move(w));
}

bool EstimateSearch::wants(const Question& question) const {
  const std::uint8_t sign = question.sign > 0 ? kPlus : kMinus;
  return !proven_[question.column] && (signs_[question.column] & sign) == 0;
}

std::vector<EstimateSearch::Question> EstimateSearch::questions() const {
  std::vector<Question> all;
  for (std::uint32_t column = 0; column < space_.columns(); ++column) {
    if (space_.fixed(column)) continue;
    for (const int sign : {-1, 1}) {
      Question question;
      question.column = column;
      question.sign = sign;
      if (wants(question)) all.push_back(std::move(question));
    }
  }
  return all;
}

void EstimateSearch::begin(Question& question) {
  RowSpace space;
  space.features = space.mapped = static_cast<std::uint32_t>(space_.size());
  space.origin = true;
  std::vector<std::uint32_t> active(space_.size());
  for (std::uint32_t k = 0; k < active.size(); ++k) active[k] = k;
  const std::uint32_t column = question.column;
  const int sign = question.sign;
  const ExactReader read = [this, column, sign](const std::vector<std::int64_t>& rows) {
    std::vector<ExactRow> exact;
    for (const std::int64_t row : rows) {
      if (row != kQuestionRow) poll(100 * rests_.at(row).column.size());
      exact.push_back(row == kQuestionRow ? space_.weight_at(column, sign, row) : rests_.at(row));
    }
    return exact;
  };
  question.search = std::make_unique<CoreSearch>(space, std::move(active), exponent_, false, read);
  question.search->end_at_witness();
  std::vector<std::int64_t> rows{kQuestionRow};
  for (const auto& [row, rest] : rests_) rows.push_back(row);
  question.search->add_exactly(rows);
  work_ -= static_cast<std::int64_t>(rows.size() * space_.size());
}

/// The next vector to try for a question; nothing where it is closed.
std::optional<IntegerVector> EstimateSearch::ask(Question& question) {
  const auto size = static_cast<std::int64_t>(space_.size());
  const StopFunction stop = [&] {
    work_ -= size * (size + 64);
    ended_ = ended_ || work_ < 0 || (stop_ && stop_());
    return ended_;
  };
  CoreSearch::Next next = question.search->next(stop);
  while (next == CoreSearch::Next::kScan) {
    IntegerVector direction = space_.lift(question.search->candidate().exact);
    if (sign_of(direction[question.column]) == question.sign) return direction;
    question.search->add_violated({kQuestionRow});  // rounding lost it
    next = question.search->next(stop);
  }
  switch (next) {
    case CoreSearch::Next::kWitness: {
      Infinite infinite{question.column, -question.sign, question.search->witness()};
      std::erase_if(infinite.alpha, [](const auto& entry) { return entry.first == kQuestionRow; });
      proven_[question.column] = true;
      work_ -= kWitnessWork * size * size * size;
      infinite_.push_back(std::move(infinite));
      break;
    }
    case CoreSearch::Next::kScan:
    case CoreSearch::Next::kAllAtZero:
    case CoreSearch::Next::kStopped:
      break;
  }
  question.open = false;
  return std::nullopt;
}

void EstimateSearch::finish(Question& question, const std::vector<std::int64_t>& violated, IntegerVector direction) {
  if (violated.empty()) {
    add_direction(std::move(direction), false);
    question.open = false;
    return;
  }
  add_rows(violated);
  question.search->add_violated(violated);
}

void EstimateSearch::answer(std::vector<Question>& group) {
  for (Question& question : group) begin(question);
  for (int round = 0; round < kMostRounds && !ended_; ++round) {
    std::vector<Question*> asked;
    std::vector<IntegerVector> directions;
    for (Question& question : group) {
      question.open = question.open && wants(question);
      if (!question.open || ended_) continue;
      if (auto direction = ask(question)) {
        asked.push_back(&question);
        directions.push_back(std::move(*direction));
      }
    }
    if (asked.empty() || ended_) return;
    const auto violated = try_directions_(directions);
    if (!violated) {
      ended_ = true;
      return;
    }
    for (std::size_t k = 0; k < asked.size(); ++k) finish(*asked[k], (*violated)[k], std::move(directions[k]));
  }
}

void EstimateSearch::run(std::int64_t work, const StopFunction& stop) {
  work_ = work;
  stop_ = stop;
  std::vector<Question> all = questions();
  for (std::size_t next = 0; next < all.size() && !ended_;) {
    std::vector<Question> group;
    for (; next < all.size() && group.size() < kAtOnce; ++next) {
      if (wants(all[next])) group.push_back(std::move(all[next]));
    }
    answer(group);
  }
}

}  // namespace linsep
