#include "train/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.h"
#include "data/paged/paged_source.h"
#include "learn/margin/margin.h"
#include "linsep/error.h"
#include "os/resident.h"

namespace linsep {
namespace {

/// What allocation wastes, stacks of threads, text being read again, reports.
constexpr std::uint64_t kSlack = std::uint64_t{12} << 20;
/// Few columns are worked with in dense matrices of this order at most.
constexpr std::uint64_t kFewColumns = 2000;

/// Bytes a row and a column of each learner, from the arrays that it has, plus a matrix of all pairs of columns where
/// there is one.
struct Rates {
  std::uint64_t row = 0, column = 0, square = 0;
};

Rates margin_rates(const Options& options, const Shape& shape, std::uint64_t threads, int workers) {
  if (is_hard_margin(options)) return {64, 8 * (12 + 2 * threads), shape.features <= kFewColumns ? 8 * 40ULL : 0};
  const MarginChoice choice = choose_margin_solver(options, shape, workers);
  const std::string_view solver = choice.solver, otherwise = choice.otherwise;
  Rates rates{52, 8 * (12 + 2 * threads), 0};  // dual
  if (solver == "newton" || otherwise == "newton")
    rates = {std::max<std::uint64_t>(rates.row, 48), 8 * (20 + 4 * threads), 0};
  if (solver == "planes") rates = {48, 8 * (160 + 2 * threads), 0};
  if (solver == "interior" || otherwise == "interior") rates = {88, 8 * (20 + 4 * threads), 8 * (threads + 2)};
  return rates;
}

}  // namespace

std::uint64_t learner_bytes(const LearnerInfo& info, const Options& options, const Shape& shape, std::size_t parts,
                            const MarginRun& run) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.rows, 0));
  const auto values = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.nonzeros, 0));
  const std::uint64_t columns = shape.features + 1, several = std::max<std::uint64_t>(parts, 1);
  Rates rates{32, 8 * 8, 0};  // perceptron: mistakes by row, θ and a few like it
  std::uint64_t more = 0;
  if (info.name == "dual") {
    rates.row = 80;
    more = 2 * 12 * values + static_cast<std::uint64_t>(get_number(options, "gram-cache") * 1e6);
  } else if (info.name == "regression") {
    rates.row = 0;
  } else if (info.name == "basic") {
    rates = {0, 8 * 16, 0};
  } else if (info.name == "least-squares") {
    const std::string& matrix = get_text(options, "matrix");
    const bool full = matrix == "full" || (matrix == "auto" && columns <= kFewColumns + 1);
    rates = {0, 8 * 32, full ? 3 * 8ULL : 0};
  } else if (info.name == "margin") {
    rates = margin_rates(options, shape, static_cast<std::uint64_t>(parts > 0 ? 1 : thread_count(run.threads)),
                         run.workers);
  }
  return several * (rates.row * rows + rates.column * columns + rates.square * columns * columns) + more;
}

// The survey keeps ten bytes a row and up to four to look for conflicting duplicates, with some room for those that it
// finds; later passes three, and of many columns a multiplier and a norm. Of few columns there is a working set.
std::uint64_t certify_bytes(const Shape& shape) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.rows, 0));
  const std::uint64_t columns = shape.features + 1;
  const std::uint64_t set = columns <= kFewColumns ? 8 * 40 * columns * columns : 0;
  return 24 * rows + 8 * 24 * columns + set;
}

void share_memory(Source& source, std::uint64_t need, std::uint64_t memory) {
  auto* pages = dynamic_cast<PagedSource*>(&source);
  if (memory == 0 || pages == nullptr) return;
  const std::uint64_t least = PagedSource::kFewPages * pages->file()->largest_page();
  const std::uint64_t taken = resident_bytes() + kSlack + need;
  if (taken + least > memory) {
    throw option_error("memory",
                       fmt::format("besides its rows this run needs {} of memory, and may use {}: give {{}} {}",
                                   size_words(need), size_words(memory), size_words(taken + 2 * least)));
  }
  pages->set_room(memory - taken);
}

}  // namespace linsep
