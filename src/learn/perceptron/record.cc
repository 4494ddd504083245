#include "learn/perceptron/record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/exact_all_reduce.h"

namespace linsep {

void MistakeCount::begin(const Shape& shape) {
  *this = {};
  row_limit_ = shape.rows >= 0 ? shape.rows : kStreamRows;
  if (shape.rows > 0) by_row_.resize(static_cast<std::size_t>(shape.rows));
}

void MistakeCount::drop_rows() {
  row_limit_ = 0;
  by_row_ = {};
}

void MistakeCount::visit(const Batch& batch) {
  if (row_limit_ == 0 || !batch.row_number.empty()) return;
  const std::int64_t end = batch.first_row + batch.rows;
  if (end > row_limit_) {
    drop_rows();
  } else if (end > static_cast<std::int64_t>(by_row_.size())) {
    by_row_.resize(static_cast<std::size_t>(end));
  }
}

void MistakeCount::add(std::int64_t row) {
  ++in_pass_;
  if (row >= row_limit_) return drop_rows();
  const auto i = static_cast<std::size_t>(row);
  if (i >= by_row_.size()) by_row_.resize(i + 1);
  ++by_row_[i];
}

void MistakeCount::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  in_pass_ = all_reduce_sum(comm, in_pass_);
  drop_rows();
}

std::int64_t MistakeCount::end_pass() {
  const std::int64_t ended = in_pass_;
  in_all_ += ended;
  in_pass_ = 0;
  return ended;
}

void MistakeCount::report(TrainingStats& stats) const {
  stats.mistakes = in_all_ + in_pass_;
  stats.mistakes_by_row.assign(by_row_.begin(), by_row_.end());
}

void MistakeCount::save(ByteWriter& writer) const {
  writer.number(in_all_);
  writer.number(in_pass_);
  writer.number(row_limit_);
  writer.numbers(by_row_);
}

void MistakeCount::load(ByteReader& reader) {
  in_all_ = reader.count();
  in_pass_ = reader.count();
  const std::int64_t limit = reader.count();
  require_state(limit == 0 || limit == row_limit_);  // counts by row may have been dropped
  row_limit_ = limit;
  const std::size_t rows = by_row_.size();
  by_row_ = reader.numbers<std::uint32_t>();
  require_state(limit == 0 ? by_row_.empty()
                           : by_row_.size() >= rows && by_row_.size() <= static_cast<std::size_t>(limit));
}

void Trace::record(TraceStep step) {
  numbers_ += step.theta.size() + step.coefficient.size() + 1;
  if (numbers_ <= kMostNumbers) steps_.push_back(std::move(step));
}

void Trace::save(ByteWriter& writer, bool dual) const {
  writer.number<std::uint64_t>(numbers_);
  writer.number<std::uint64_t>(steps_.size());
  for (const TraceStep& step : steps_) {
    writer.number(step.pass);
    writer.number(step.row);
    writer.numbers(step.theta);
    writer.number(step.offset);
    if (dual) writer.numbers(step.coefficient);
  }
}

void Trace::load(ByteReader& reader, std::size_t features, bool dual) {
  numbers_ = static_cast<std::size_t>(reader.count());
  steps_.clear();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    TraceStep step;
    step.pass = reader.count();
    step.row = reader.count();
    step.theta = reader.numbers<double>(features);
    step.offset = reader.finite();
    if (dual) {
      step.coefficient = reader.numbers<double>();
      require_state(std::ranges::all_of(step.coefficient, [](double x) { return std::isfinite(x); }));
    }
    steps_.push_back(std::move(step));
  }
}

void Visits::begin(const std::vector<double>& theta, double offset, std::int64_t pass) {
  record_ = {};
  numbers_ = 0;
  pass_ = pass;
  before_pass_ = 0;
  if (!on()) return;
  record_.start = theta;
  record_.start_offset = offset;
}

void Visits::record(RowVisit visit) {
  visit.visit = ++record_.visits;
  visit.pass = pass_;
  if (record_.visits > most_ && !record_.mistakes_only) {
    record_.mistakes_only = true;
    std::erase_if(record_.at, [](const RowVisit& kept) { return !kept.mistake; });
    numbers_ = 0;
    for (const RowVisit& kept : record_.at) numbers_ += kept.theta.size() + 1;
  }
  if (record_.cut || (record_.mistakes_only && !visit.mistake)) return;
  numbers_ += visit.theta.size() + 1;
  if (numbers_ > kMostNumbers) {
    record_.cut = true;
  } else {
    record_.at.push_back(std::move(visit));
  }
}

void Visits::end_pass() {
  ++pass_;
  before_pass_ = record_.visits;
}

void Visits::undo_pass() {
  record_.visits = before_pass_;
  std::erase_if(record_.at, [this](const RowVisit& visit) { return visit.visit > before_pass_; });
}

}  // namespace linsep
