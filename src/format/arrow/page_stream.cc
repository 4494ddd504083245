#include "format/arrow/page_stream.h"

#include <iterator>
#include <utility>

#include "format/arrow/go_through.h"
#include "format/arrow/value.h"

namespace linsep::arrow {

PageStream::PageStream(std::unique_ptr<Intake> intake, const ReadOptions& options) : intake_(std::move(intake)) {
  intake_->describe(batches_);
  rules_.emplace(batches_, options);
  desks_.emplace(*rules_, options);
}

ReadSlice* PageStream::next() {
  for (;;) {
    if (begun_) waiting_.pop_front();
    begun_ = !waiting_.empty();
    if (begun_) {
      ReadSlice& read = waiting_.front();
      dropped_ += read.parsed.dropped;
      Batch& batch = read.parsed.page.batch;
      if (batch.rows == 0) continue;
      batch.first_row = rows_;
      rows_ += batch.rows;
      return &read;
    }
    batches_.first_row = batches_.rows;
    batches_.release();
    if (!intake_->next(batches_)) return nullptr;
    std::vector<ReadSlice> read = desks_->read(slices_of(batches_, kSliceRows));
    waiting_.assign(std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
  }
}

std::size_t PageStream::column_named(const std::string& column) const {
  return csv::column_named(rules_->layout.columns, column, "keep");
}

std::vector<std::string> PageStream::fields(std::span<const std::size_t> columns) const {
  std::vector<std::string> all;
  if (!begun_) return all;
  const ReadSlice& read = waiting_.front();
  for (std::int64_t k = 0; k < read.parsed.page.batch.rows; ++k) {
    const std::int64_t row = read.slice.child_row(read.slice_row(k));
    for (const std::size_t c : columns) {
      const Cell cell = cell_at(batches_.columns[c], *read.slice.array->children[c], row);
      all.push_back(cell.null ? std::string() : written_of(cell));
    }
  }
  return all;
}

}  // namespace linsep::arrow
