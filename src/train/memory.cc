#include "train/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/bytes.h"
#include "core/words.h"
#include "data/decorators.h"
#include "learn/learners.h"
#include "linsep/error.h"
#include "linsep/source.h"
#include "os/memory.h"
#include "train/row_order.h"

namespace linsep {
namespace {

// The widest column of rows and its place, for messages.

struct WidestColumn {
  std::uint64_t column = 0;  ///< from 1, or 0 if no row names its columns
  std::int64_t row = -1;     ///< the first that has it, from 0
  Place place = {};          ///< of that row
};

/// The widest column of one batch, without a place. Rows of dense batches don't name their columns.
WidestColumn widest_of(const Batch& batch) {
  WidestColumn widest;
  if (batch.dense) return widest;
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const std::uint64_t begin = batch.start[static_cast<std::size_t>(i)];
    const std::uint64_t end = batch.start[static_cast<std::size_t>(i) + 1];
    if (begin == end) continue;
    const std::uint64_t last = std::uint64_t{batch.column[end - 1]} + 1;  // columns ascend
    if (last > widest.column) widest = {last, batch.number_of(i)};
  }
  return widest;
}

/// The widest column of all rows. Goes through them once, and ends the pass. Finds nothing if they can't be read again.
WidestColumn widest_of(Source& source) {
  if (source.shape().rows < 0) return {};
  WidestColumn widest;
  try {
    source.rewind(0);
    while (const auto batch = source.next()) {
      const WidestColumn here = widest_of(*batch);
      if (here.column > widest.column) widest = here;
    }
    if (widest.column > 0) widest.place = source.place_of(widest.row);
  } catch (const Error&) {  // the refusal is what matters, not why its place isn't known
  }
  return widest;
}

/// Allocation overhead, stacks of threads, text being read again, reports.
constexpr std::uint64_t kSlack = std::uint64_t{12} << 20;
/// Few columns are handled in dense matrices of at most this order.
constexpr std::uint64_t kFewColumns = 2000;
constexpr std::uint64_t kOpenColumns = 20000;

/// Squares of columns are beyond 64 bits.
std::uint64_t bytes_of(double bytes) { return static_cast<std::uint64_t>(std::min(bytes, 9e18)); }

/// Why a worker can't have what it needs.
struct MemoryRefusal {
  std::uint64_t need = 0, columns = 0;
  bool by_columns = false;               ///< without them it would fit
  std::uint64_t memory = 0, enough = 0;  ///< the limit that was given (0 if none), and one that would do
  std::string left;                      ///< what the system has left, if no limit was given
  std::vector<SmallerChoice> smaller;    ///< what would fit into that
  WidestColumn widest;
};

std::string refusal_bytes(const MemoryRefusal& refusal) {
  ByteWriter writer;
  for (const std::uint64_t number : {refusal.need, refusal.columns, refusal.memory, refusal.enough,
                                     refusal.widest.column, refusal.widest.place.line}) {
    writer.number(number);
  }
  writer.number(refusal.widest.row);
  writer.text(refusal.left);
  writer.text(refusal.widest.place.file);
  writer.number(static_cast<std::uint64_t>(refusal.smaller.size()));
  for (const SmallerChoice& choice : refusal.smaller) {
    writer.text(choice.option);
    writer.text(choice.value);
    writer.number(choice.bytes);
  }
  return writer.bytes();
}

MemoryRefusal refusal_of(const std::string& bytes) {
  ByteReader reader(bytes);
  MemoryRefusal refusal;
  for (std::uint64_t* number : {&refusal.need, &refusal.columns, &refusal.memory, &refusal.enough,
                                &refusal.widest.column, &refusal.widest.place.line}) {
    *number = reader.number<std::uint64_t>();
  }
  refusal.widest.row = reader.number<std::int64_t>();
  refusal.left = reader.text();
  refusal.widest.place.file = reader.text();
  refusal.smaller.resize(reader.number<std::uint64_t>());
  for (SmallerChoice& choice : refusal.smaller) {
    choice.option = reader.text();
    choice.value = reader.text();
    choice.bytes = reader.number<std::uint64_t>();
  }
  return refusal;
}

/// "data.svm:17: column 200,000,000 is the widest: 200,000,001 columns need 3.1G of memory besides the rows, and …"
Error refusal_error(const MemoryRefusal& refusal) {
  const WidestColumn& widest = refusal.widest;
  std::string sentence;
  if (widest.column > 0) {
    if (widest.place.line == 0)
      sentence += fmt::format("row {}: ", with_commas(static_cast<std::uint64_t>(widest.row) + 1));
    sentence += fmt::format("column {} is the widest: ", with_commas(widest.column));
  }
  const std::string what =
      widest.column > 0 ? fmt::format("{} columns need", with_commas(refusal.columns)) : "this run needs";
  // If there is no widest column, the program itself may be what doesn't fit.
  const bool whole = refusal.memory > 0 && widest.column == 0;
  sentence += fmt::format("{} {} of memory {}, and ", what, size_words(whole ? refusal.enough : refusal.need),
                          whole ? "in all" : "besides the rows");
  const bool mapped = refusal.columns > widest.column + 1;
  const char* columns = mapped ? "use a map with fewer columns" : "number the columns without gaps";
  const Place place = widest.column > 0 ? widest.place : Place{};
  if (refusal.memory > 0) {
    sentence += fmt::format("{{}} allows {}{}: ", size_words(refusal.memory), whole ? "" : " for all");
    if (widest.column > 0) sentence += fmt::format("{}, or ", columns);
    sentence += fmt::format("give {{}} {}", size_words(refusal.enough));
    return {Error::Kind::kUsage, place, {"memory", "memory"}, std::move(sentence)};
  }
  sentence += refusal.left + ": ";
  if (widest.column > 0) return {Error::Kind::kSystem, place, {}, sentence + columns};
  std::vector<std::string> options, fitting;
  for (const SmallerChoice& choice : refusal.smaller) {
    options.push_back(choice.option);
    fitting.push_back(fmt::format("{{}} {} needs {}", choice.value, size_words(choice.bytes)));
  }
  if (!fitting.empty()) sentence += listed(fitting, fitting.size()) + "; or ";
  sentence += "train on fewer rows or columns, or on a machine with more memory";
  return {Error::Kind::kSystem, place, std::move(options), std::move(sentence)};
}

/// What prevents this worker from running, if anything. Leaves out the widest column.
std::optional<MemoryRefusal> refusal_for(const MemoryNeed& need, std::uint64_t least_pages, std::uint64_t memory,
                                         const SmallerChoices& smaller = {}) {
  MemoryRefusal refusal;
  refusal.need = need.most;
  refusal.columns = need.columns;
  refusal.by_columns = true;
  refusal.memory = memory;
  if (memory > 0) {
    const std::uint64_t taken = resident_bytes() + kSlack + need.most;
    if (taken + least_pages <= memory) return std::nullopt;
    refusal.enough = taken + 2 * least_pages + kSlack;
    refusal.by_columns = taken - need.by_columns + least_pages <= memory;
    return refusal;
  }
  constexpr std::uint64_t kNeverTooMuch = std::uint64_t{64} << 20;
  const std::uint64_t counted = need.planned ? std::max(need.least, need.most) : need.least;
  if (counted <= kNeverTooMuch) return std::nullopt;  // the system need not be asked
  const MemoryLeft left = memory_left();
  if (counted <= left.bytes) return std::nullopt;
  refusal.by_columns = need.least > left.bytes;
  refusal.need = refusal.by_columns ? need.least : counted;
  refusal.left = memory_words(left);
  if (smaller && !refusal.by_columns) refusal.smaller = smaller(left.bytes);
  return refusal;
}

/// Checks again whenever the columns of a stream reach further.
class WidthWatch final : public WrappedSource {
 public:
  WidthWatch(Source& inner, const TrainPlan& plan, const TrainOptions& options)
      : WrappedSource(inner), plan_(plan), options_(options), features_(inner.shape().features) {}

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (batch && batch->features > features_) {
      // While arrays grow, both the old and the new ones are in memory.
      MemoryNeed need = training_need(plan_, {0, batch->features, -1}, options_);
      const MemoryNeed old = training_need(plan_, {0, features_, -1}, options_);
      need.most += old.most;
      need.by_columns += old.by_columns;
      if (auto refusal = refusal_for(need, 0, options_.memory)) {
        if (refusal->by_columns) {
          refusal->widest = widest_of(*batch);
          if (refusal->widest.column > 0) refusal->widest.place = inner().place_of(refusal->widest.row);
        }
        throw refusal_error(*refusal);
      }
      features_ = batch->features;
    }
    return batch;
  }

 private:
  const TrainPlan& plan_;
  TrainOptions options_;
  std::uint32_t features_;  ///< of the last check
};

}  // namespace

MemoryNeed memory_need(const MemoryRates& rates, const Shape& shape, std::size_t parts) {
  const auto rows = static_cast<double>(std::max<std::int64_t>(shape.rows, 0));
  const double columns = static_cast<double>(shape.features) + 1;
  const double several = std::max<double>(static_cast<double>(parts), 1);
  const double by_columns =
      static_cast<double>(rates.column) * columns + static_cast<double>(rates.square) * columns * columns;
  MemoryNeed need;
  need.columns = shape.features;
  need.by_columns = bytes_of(several * by_columns);
  need.most =
      bytes_of(several * (static_cast<double>(rates.row) * rows + by_columns) + static_cast<double>(rates.more));
  need.least = bytes_of(several * static_cast<double>(rates.least_column) * columns);
  return need;
}

MemoryNeed times(const MemoryNeed& need, std::uint64_t count) {
  const auto by = [count](std::uint64_t bytes) {
    return bytes_of(static_cast<double>(bytes) * static_cast<double>(count));
  };
  return {by(need.most), need.least, by(need.by_columns), need.columns, need.planned};
}

MemoryNeed training_need(const TrainPlan& plan, const Shape& shape, const TrainOptions& options) {
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  const int threads = plan.parts > 0 && !plan.joint ? 1 : options.threads;  // each part has one
  return memory_need(entry.memory(plan.options, shape, threads, plan.choice), shape, plan.parts);
}

MemoryNeed planned_need(const TrainPlan& plan, const TrainOptions& options, std::uint64_t copies) {
  MemoryNeed need = times(training_need(plan, plan.mapped, options), copies);
  need.planned = true;
  return need;
}

namespace {

/// The plan with another value of an option. Nothing if the learner can't do that.
std::optional<TrainPlan> with_option(TrainPlan plan, const std::string& option, const std::string& value) {
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  plan.options[option] = value;
  try {
    if (entry.refuse != nullptr) entry.refuse(plan.options, {plan.parts, plan.joint, false, plan.workers});
    if (entry.joint != nullptr && entry.joint(plan.options) != plan.joint) return std::nullopt;
    if (entry.choose != nullptr) plan.choice = entry.choose(plan.options, plan.mapped, plan.workers);
  } catch (const Error&) {
    return std::nullopt;
  }
  return plan;
}

}  // namespace

SmallerChoices smaller_choices(const TrainPlan& plan, const TrainOptions& options, std::uint64_t copies) {
  return [&plan, &options, copies](std::uint64_t bytes) {
    std::vector<SmallerChoice> fitting;
    for (const char* name : {"solver", "loss"}) {
      const OptionSpec* option = find_option(plan.learner->table, name);
      if (option == nullptr || !fitting.empty()) continue;
      for (const std::string_view value : option->choices) {
        if (OptionValue(std::string(value)) == plan.options.at(name)) continue;
        const auto other = with_option(plan, name, std::string(value));
        if (!other) continue;
        const std::uint64_t need = planned_need(*other, options, copies).most;
        if (need <= bytes) fitting.push_back({name, std::string(value), need});
      }
    }
    return fitting;
  };
}

// The survey keeps ten bytes per row and up to four to look for conflicting duplicates, with some room for those that
// it finds. Later passes keep three, and with many columns a multiplier and a norm. With few columns there is a working
// set, which has no more rows than the data. Bounding mistakes keeps the rows that are beyond the boundary, and pools
// of others.
MemoryNeed certify_need(const Shape& shape, bool mistakes) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.rows, 0));
  const std::uint64_t columns = std::uint64_t{shape.features} + 1;
  MemoryRates rates{.row = mistakes ? 56ULL : 24ULL, .column = 8 * 24, .least_column = 56};
  if (columns <= kFewColumns) rates.more = 8 * 40 * columns * (shape.rows < 0 ? columns : std::min(columns, rows + 2));
  MemoryNeed need = memory_need(rates, shape, 0);
  need.by_columns += rates.more;
  return need;
}

// The span of a witness and the estimates of coefficients have entries for every column. Estimates that are left open
// (few at a time) have steps of the search with long numbers. Then all of it is a text that is read and checked again.
MemoryNeed proof_need(const Shape& shape) {
  const MemoryRates rates{.column = 1300, .more = 8000 * std::min(std::uint64_t{shape.features} + 1, kOpenColumns)};
  MemoryNeed need = memory_need(rates, shape, 0);
  need.by_columns += rates.more;
  return need;
}

void share_memory(Source& source, const MemoryNeed& need, std::uint64_t memory, Comm& comm,
                  const SmallerChoices& smaller) {
  const std::uint64_t least = least_page_room(source);
  std::optional<MemoryRefusal> mine = refusal_for(need, least, memory, smaller);
  if (all_reduce_any(comm, mine.has_value())) {
    const bool why = all_reduce_any(comm, mine && mine->by_columns);
    const WidestColumn widest = why ? widest_of(source) : WidestColumn{};
    if (mine) mine->widest = widest;
    MemoryRefusal alone;
    alone.widest = widest;
    // The first worker that is refused reports it, with the widest column of all workers.
    std::optional<MemoryRefusal> first;
    WidestColumn found;
    for (const std::string& bytes : gather_text(comm, refusal_bytes(mine ? *mine : alone))) {
      const MemoryRefusal theirs = refusal_of(bytes);
      if (!first && theirs.need > 0) first = theirs;
      if (theirs.widest.column > found.column) found = theirs.widest;
    }
    first->widest = found;
    throw refusal_error(*first);
  }
  if (least == 0 || memory == 0) return;
  const std::uint64_t taken = resident_bytes() + kSlack + need.most;
  set_page_room(source, taken + least < memory ? memory - taken : least);
}

std::unique_ptr<Source> watch_width(Source& source, const TrainPlan& plan, const TrainOptions& options) {
  if (source.shape().rows >= 0) return nullptr;
  return std::make_unique<WidthWatch>(source, plan, options);
}

}  // namespace linsep
