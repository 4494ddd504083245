// view: arrays owned by someone else as a source, without a copy.
#include <utility>

#include "data/check_rows.h"
#include "data/memory_source.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {

std::unique_ptr<Source> view(const Batch& batch, Schema schema) {
  check_sizes(batch);
  if (!batch.row_number.empty()) throw usage_error("these arrays are no batch of rows: a view numbers its rows itself");
  check_labels_and_weights(batch, schema);
  std::vector<Page> pages(1);
  pages.front().batch = batch;
  pages.front().borrowed = true;
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), batch.features);
}

}  // namespace linsep
