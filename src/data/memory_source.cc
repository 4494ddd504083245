#include "data/memory_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/slice.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::string label_text(const Schema& schema, const Batch& batch, std::size_t i) {
  if (!batch.labelled()) return "";
  const double label = batch.label_of(static_cast<std::int64_t>(i));
  if (!schema.labels.empty()) return schema.combinations[static_cast<std::size_t>(label)];
  if (schema.classes.size() > 2) return schema.classes[static_cast<std::size_t>(label)];
  if (schema.classes.size() == 2) return schema.classes[label > 0 ? 1 : 0];
  return fmt::format("{}", label);
}

double value_at(const Batch& batch, std::size_t k) {
  return batch.is_float ? static_cast<double>(batch.value32[k]) : batch.value64[k];
}

std::uint32_t column_at(const Batch& batch, std::size_t k) {
  std::uint32_t column = 0;
  if (batch.column64.empty()) {
    copy_columns(&batch.column[k], 1, batch.features, &column);
  } else {
    copy_columns(&batch.column64[k], 1, batch.features, &column);
  }
  return column;
}

}  // namespace

WrittenRow written_from_values(const Schema& schema, const Batch& batch, std::size_t i) {
  WrittenRow row;
  row.row = batch.first_row + static_cast<std::int64_t>(i);
  row.label = label_text(schema, batch, i);
  row.weight.binary = batch.weight_of(static_cast<std::int64_t>(i));
  if (batch.dense) {
    row.values.reserve(batch.features);
    for (std::uint32_t j = 0; j < batch.features; ++j) {
      row.values.push_back({j, "", value_at(batch, i * batch.stride + j)});
    }
  } else {
    row.values.reserve(batch.start[i + 1] - batch.start[i]);
    for (std::uint64_t k = batch.start[i]; k < batch.start[i + 1]; ++k) {
      row.values.push_back({column_at(batch, k), "", value_at(batch, k)});
    }
  }
  return row;
}

void check_row_numbers(std::span<const std::int64_t> rows, std::int64_t first, std::int64_t end) {
  for (const std::int64_t row : rows) {
    if (row < first || row >= end) {
      throw usage_error(fmt::format("there is no row {}: the rows go from {} to {}", row + 1, first + 1, end));
    }
  }
}

namespace {

std::int64_t stored_values(const Batch& batch) {
  if (batch.dense) return batch.rows * static_cast<std::int64_t>(batch.features);
  return batch.rows == 0 ? 0 : static_cast<std::int64_t>(batch.start.back() - batch.start.front());
}

}  // namespace

MemorySource::MemorySource(std::vector<Page> pages, Schema schema, std::uint32_t features, WrittenReader written,
                           PlaceReader place)
    : pages_(std::move(pages)), schema_(std::move(schema)), written_(std::move(written)), place_(std::move(place)) {
  std::erase_if(pages_, [](const Page& page) { return page.batch.rows == 0; });
  shape_ = {0, features, 0};
  for (const Page& page : pages_) {
    shape_.rows += page.batch.rows;
    shape_.features = std::max(shape_.features, page.batch.features);
    shape_.nonzeros += stored_values(page.batch);
  }
}

void MemorySource::rewind(std::uint64_t /*pass*/) {
  at_ = 0;
  row_ = 0;
}

std::optional<Batch> MemorySource::next() {
  if (at_ == pages_.size()) return std::nullopt;
  Batch batch = pages_[at_].batch;
  const bool unsteady = pages_[at_].unsteady;
  if (batch.foreign() || unsteady) {
    const std::int64_t count = narrowed_rows(batch, row_);
    const std::int64_t first = row_;
    row_ += count;
    if (row_ == batch.rows) {
      ++at_;
      row_ = 0;
    }
    batch = narrowed_.rows(batch, first, count, unsteady);
  } else {
    ++at_;
    batch.pinned = true;
  }
  // A dense row has exactly its batch's length, so only sparse batches can be widened to the whole source.
  if (!batch.dense) batch.features = shape_.features;
  return batch;
}

std::vector<Page> MemorySource::take_pages() {
  at_ = 0;
  return std::exchange(pages_, {});
}

std::size_t MemorySource::page_of(std::int64_t row) const {
  const auto after = std::upper_bound(pages_.begin(), pages_.end(), row,
                                      [](std::int64_t r, const Page& page) { return r < page.batch.first_row; });
  return static_cast<std::size_t>(after - pages_.begin()) - 1;
}

std::vector<WrittenRow> MemorySource::written(std::span<const std::int64_t> rows) {
  check_row_numbers(rows, first_row(), end_row());
  at_ = pages_.size();
  row_ = 0;
  if (written_) return written_(rows);
  std::vector<WrittenRow> answer;
  answer.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const Batch& batch = pages_[page_of(row)].batch;
    answer.push_back(written_from_values(schema_, batch, static_cast<std::size_t>(row - batch.first_row)));
  }
  return answer;
}

}  // namespace linsep
