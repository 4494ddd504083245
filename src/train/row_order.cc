#include "train/row_order.h"

#include "data/order_source.h"
#include "data/permute.h"
#include "data/raw_source.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::unique_ptr<Source> permuted(Source& source, const RowOrderOptions& options) {
  if (auto* raw = dynamic_cast<RawSource*>(&source)) return index_rows(*raw, options.seed);
  auto* memory = dynamic_cast<MemorySource*>(&source);
  if (memory == nullptr) throw usage_error("coordinate descent needs the data in memory or in pages, not a stream");
  if (memory->borrowed() && !options.copy) return index_rows(*memory, options.seed);
  return options.take && !memory->borrowed() ? permute_and_take_rows(*memory, options.seed, options.threads)
                                             : permute_rows(*memory, options.seed, options.threads);
}

}  // namespace

std::unique_ptr<Source> rows_in_order(Source& source, VisitOrder order, const RowOrderOptions& options) {
  if (order == VisitOrder::kGiven) return nullptr;
  if (auto pages = pages_in_order(source, order, options.seed)) return pages;
  if (order == VisitOrder::kPermuted) return permuted(source, options);
  const RowOrder wanted = order == VisitOrder::kShuffled ? RowOrder::kShuffled : RowOrder::kDrawn;
  if (auto* memory = dynamic_cast<MemorySource*>(&source)) return order_rows(*memory, wanted, options.seed);
  if (auto* raw = dynamic_cast<RawSource*>(&source)) return order_rows(*raw, wanted, options.seed);
  throw option_error("order", "a stream keeps its rows in the given order: leave out {}");
}

}  // namespace linsep
