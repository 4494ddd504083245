#include "learn/perceptron/mistake_count.h"

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

}  // namespace linsep
