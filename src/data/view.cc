// view: arrays owned by someone else as a source, without a copy.
#include <fmt/format.h>

#include <utility>

#include "data/memory_source.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

void require(bool holds, std::string_view what) {
  if (!holds) throw usage_error(fmt::format("these arrays are no batch of rows: {}", what));
}

/// What can be checked without going through the arrays.
void check_sizes(const Batch& batch) {
  require(batch.rows >= 0, "the number of rows is negative");
  const auto rows = static_cast<std::uint64_t>(batch.rows);
  require(batch.label.empty() || batch.label.size() == rows, "labels and rows differ in number");
  require(batch.weight.empty() || batch.weight.size() == rows, "weights and rows differ in number");
  require(batch.row_number.empty(), "a view numbers its rows itself");
  const std::uint64_t values = batch.is_float ? batch.value32.size() : batch.value64.size();
  if (batch.dense) {
    require(batch.stride >= batch.features, "the stride is less than a row");
    require(rows == 0 || values >= (rows - 1) * batch.stride + batch.features, "there are fewer values than rows need");
  } else {
    require(batch.start.size() == rows + 1, "the offsets must be one more than the rows");
    require(batch.start.front() <= batch.start.back(), "the offsets descend");
    require(batch.start.back() <= values, "the offsets reach past the values");
    require(batch.start.back() <= batch.column.size(), "the offsets reach past the columns");
  }
}

}  // namespace

std::unique_ptr<Source> view(const Batch& batch, Schema schema) {
  check_sizes(batch);
  std::vector<Page> pages(1);
  pages.front().batch = batch;
  pages.front().borrowed = true;
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), batch.features);
}

}  // namespace linsep
