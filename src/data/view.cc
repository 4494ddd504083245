// Serves arrays owned by someone else as a source, without a copy, and checks them. Unless the batch is pinned, its
// owner may change the columns of sparse rows meanwhile. So they are copied a few rows at a time and held below
// `features`, and nothing beyond the arrays is ever read. Row starts and labels must stay as they are.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "core/parallel.h"
#include "core/slice.h"
#include "data/memory_source.h"
#include "data/raw_source.h"
#include "linsep/batch.h"
#include "linsep/error.h"
#include "linsep/half.h"
#include "linsep/read.h"
#include "linsep/source.h"

namespace linsep {
namespace {

constexpr std::int64_t kChunkRows = 4096;

void require(bool holds, std::string_view what) {
  if (!holds) throw usage_error(fmt::format("these arrays don't form a batch of rows: {}", what));
}

/// What is wrong with a row, to follow "row 17", or "" if nothing is.
using Fault = std::string;

std::string number_words(double value) {
  if (std::isnan(value)) return "NaN";
  return std::isinf(value) ? (value > 0 ? "infinity" : "-infinity") : fmt::format("{}", value);
}

bool is_index(double label, std::size_t count) {
  return label >= 0 && label < static_cast<double>(count) && label == std::floor(label);
}

Fault label_fault(const Schema& schema, double label) {
  const auto fault = [&](std::string_view what) { return fmt::format(": the label {} {}", number_words(label), what); };
  if (!schema.labels.empty()) {
    return is_index(label, schema.combinations.size()) ? "" : fault("isn't the index of a combination of labels");
  }
  if (schema.classes.size() > 2)
    return is_index(label, schema.classes.size()) ? "" : fault("isn't the index of a class");
  if (!schema.classes.empty()) return label == 1 || label == -1 ? "" : fault("is neither -1 nor 1");
  return std::isfinite(label) ? "" : fault("is not a finite number");
}

Fault label_and_weight_fault(const Batch& batch, const Schema& schema, std::int64_t i) {
  const double label = batch.labelled() ? batch.label_of(i) : 1;
  const bool usual = (label == 1 || label == -1) && schema.classes.size() == 2 && schema.labels.empty();
  if (batch.labelled() && !usual) {
    Fault fault = label_fault(schema, label);
    if (!fault.empty()) return fault;
  }
  const double weight = batch.weight_of(i);
  if (std::isfinite(weight) && weight >= 0) return "";
  return fmt::format(": the weight {} isn't a finite number of at least 0", number_words(weight));
}

template <class V>
Fault value_fault(const V* value, std::uint64_t size) {
  for (std::uint64_t k = 0; k < size; ++k) {
    if (!std::isfinite(value[k])) {
      return fmt::format(", column {}: {} is not a finite number", k + 1, number_words(value[k]));
    }
  }
  return "";
}

/// The first entry at which columns stop ascending strictly, reach `features`, or have a value that isn't finite.
template <class C, class V>
Fault entry_fault(const C* column, const V* value, std::uint64_t size, std::uint32_t features) {
  for (std::uint64_t k = 0; k < size; ++k) {
    const auto at = static_cast<std::int64_t>(column[k]);
    if (at < 0 || at >= static_cast<std::int64_t>(features)) {
      return fmt::format(", column {}: there are {} features", at + 1, features);
    }
    if (k > 0 && column[k - 1] >= column[k]) {
      return fmt::format(", column {}: it comes after column {}", at + 1, static_cast<std::int64_t>(column[k - 1]) + 1);
    }
    if (!std::isfinite(value[k])) {
      return fmt::format(", column {}: {} is not a finite number", at + 1, number_words(value[k]));
    }
  }
  return "";
}

template <class V>
bool is_finite_row(const V* value, std::uint64_t size) {
  using Bits = std::conditional_t<sizeof(V) == sizeof(float), std::uint32_t, std::uint64_t>;
  constexpr auto kExponent = std::bit_cast<Bits>(std::numeric_limits<V>::infinity());
  Bits bad = 0;
  for (std::uint64_t k = 0; k < size; ++k) bad |= Bits{(std::bit_cast<Bits>(value[k]) & kExponent) == kExponent};
  return bad == 0;
}

/// Whether columns ascend strictly from 0 or more. There is no branch in the loop, as nearly all do.
bool ascends(const std::uint32_t* column, std::uint64_t size) {
  std::uint32_t bad = 0;
  for (std::uint64_t k = 1; k < size; ++k) bad |= std::uint32_t{column[k - 1] >= column[k]};
  return bad == 0;
}

bool ascends(const std::int64_t* column, std::uint64_t size) {
  std::uint64_t signs = size == 0 ? 0 : static_cast<std::uint64_t>(column[0]);
  for (std::uint64_t k = 1; k < size; ++k) {
    const auto last = static_cast<std::uint64_t>(column[k - 1]), at = static_cast<std::uint64_t>(column[k]);
    signs |= at | (at - last - 1);  // of numbers from 0 on, negative if they don't ascend
  }
  return signs >> 63 == 0;
}

/// Whether nothing is wrong with a sparse row's entries. If something is, `entry_fault` names it.
template <class C, class V>
bool is_sound(const C* column, const V* value, std::uint64_t size, std::uint32_t features) {
  if (size == 0) return true;
  return ascends(column, size) && static_cast<std::uint64_t>(column[size - 1]) < features && is_finite_row(value, size);
}

template <class V>
Fault values_fault(const Batch& batch, std::span<const V> value, std::int64_t i) {
  const auto row = static_cast<std::size_t>(i);
  if (batch.dense) {
    const V* from = value.data() + row * batch.stride;
    return is_finite_row(from, batch.features) ? "" : value_fault(from, batch.features);
  }
  const std::uint64_t begin = batch.start[row], end = batch.start[row + 1];
  if (begin > end || end > batch.start.back()) return ": its offsets don't ascend";
  const auto fault = [&](const auto* column) -> Fault {
    const std::uint64_t size = end - begin;
    if (is_sound(column + begin, value.data() + begin, size, batch.features)) return "";
    return entry_fault(column + begin, value.data() + begin, size, batch.features);
  };
  return batch.column64.empty() ? fault(batch.column.data()) : fault(batch.column64.data());
}

Fault row_fault(const Batch& batch, const Schema& schema, std::int64_t i) {
  Fault fault = batch.is_float ? values_fault(batch, batch.value32, i) : values_fault(batch, batch.value64, i);
  return fault.empty() ? label_and_weight_fault(batch, schema, i) : fault;
}

[[noreturn]] void refuse(const Batch& batch, std::int64_t i, const Fault& fault) {
  throw input_error(fmt::format("row {}{}", batch.number_of(i) + 1, fault));
}

void require_labels(const Batch& batch, const Schema& schema) {
  if (batch.rows > 0 && !batch.labelled() && !schema.classes.empty()) {
    throw input_error("the rows have no labels, but the schema names classes");
  }
}

/// Throws a usage Error if the sizes of labels and weights, and a dense row's stride, don't fit the rows.
void check_sizes_but_values(const Batch& batch) {
  require(batch.rows >= 0, "the number of rows is negative");
  const auto rows = static_cast<std::uint64_t>(batch.rows);
  require(batch.label.empty() || batch.label8.empty(), "labels are given twice");
  require(batch.label.empty() || batch.label.size() == rows, "labels and rows differ in number");
  require(batch.label8.empty() || batch.label8.size() == rows, "labels and rows differ in number");
  require(batch.weight.empty() || batch.weight.size() == rows, "weights and rows differ in number");
  if (!batch.dense) return;
  require(batch.column64.empty(), "dense rows have no columns");
  require(batch.stride >= batch.features, "the stride is shorter than a row");
}

/// Throws a usage Error if the arrays' sizes don't fit each other. Checks only what doesn't need a pass over them.
void check_sizes(const Batch& batch) {
  check_sizes_but_values(batch);
  const auto rows = static_cast<std::uint64_t>(batch.rows);
  const std::uint64_t values = batch.is_float ? batch.value32.size() : batch.value64.size();
  if (batch.dense) {
    require(rows == 0 || values >= (rows - 1) * batch.stride + batch.features, "there are too few values for the rows");
  } else {
    require(batch.column.empty() || batch.column64.empty(), "columns are given twice");
    require(batch.start.size() == rows + 1, "there must be one more offset than rows");
    require(batch.start.front() <= batch.start.back(), "the offsets descend");
    require(batch.start.back() <= values, "the offsets reach past the values");
    require(batch.start.back() <= std::max(batch.column.size(), batch.column64.size()),
            "the offsets reach past the columns");
  }
}

/// Throws an input Error for the first row whose label isn't possible under the schema or whose weight isn't a finite
/// number of at least 0. Also throws one if labels are missing though the schema names classes. REQUIRES: check_sizes
/// passed.
void check_labels_and_weights(const Batch& batch, const Schema& schema) {
  require_labels(batch, schema);
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const Fault fault = label_and_weight_fault(batch, schema, i);
    if (!fault.empty()) refuse(batch, i, fault);
  }
}

}  // namespace

void check_rows(const Batch& batch, const Schema& schema, int threads) {
  check_sizes(batch);
  require_labels(batch, schema);
  const auto chunks = static_cast<std::size_t>((batch.rows + kChunkRows - 1) / kChunkRows);
  std::vector<std::int64_t> first_bad(chunks, -1);
  const std::size_t row_nanoseconds =
      20 + values_in(batch) / std::max<std::size_t>(static_cast<std::size_t>(batch.rows), 1);
  parallel_for(chunks, thread_count(threads), pass_nanoseconds(batch.rows, values_in(batch)),
               [&](std::size_t chunk, std::size_t) {
                 const std::int64_t begin = static_cast<std::int64_t>(chunk) * kChunkRows;
                 for (std::int64_t i = begin; i < std::min(begin + kChunkRows, batch.rows); ++i) {
                   poll(row_nanoseconds);
                   if (row_fault(batch, schema, i).empty()) continue;
                   first_bad[chunk] = i;
                   return;
                 }
               });
  const auto bad = std::ranges::find_if(first_bad, [](std::int64_t i) { return i >= 0; });
  if (bad != first_bad.end()) refuse(batch, *bad, row_fault(batch, schema, *bad));
}

std::unique_ptr<Source> view(const Batch& batch, Schema schema) {
  check_sizes(batch);
  if (!batch.row_number.empty())
    throw usage_error("these arrays don't form a batch of rows: a view numbers its rows itself");
  check_labels_and_weights(batch, schema);
  std::vector<Page> pages(1);
  pages.front().batch = batch;
  pages.front().borrowed = true;
  pages.front().unsteady = !batch.dense && !batch.pinned;
  if (batch.dense && !batch.label8.empty()) {  // with labels of its own it stays one batch, which threads share
    const auto label = std::make_shared<std::vector<double>>(batch.label8.begin(), batch.label8.end());
    pages.front().batch.label8 = {};
    pages.front().batch.label = *label;
    pages.front().storage = label;
  }
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), batch.features);
}

std::unique_ptr<Source> view_values(const Batch& batch, const void* values, ValueType type, Schema schema, bool check,
                                    int threads) {
  Batch rows = batch;
  rows.is_float = type != ValueType::kFloat64;
  rows.pinned = false;
  require(rows.dense && rows.row_number.empty(), "values of these types are those of dense rows in their order");
  check_sizes_but_values(rows);
  check_labels_and_weights(rows, schema);
  std::vector<RawPage> pages(1);
  pages.front().page.batch = rows;
  pages.front().values = values;
  pages.front().type = type;
  auto source = std::make_unique<RawSource>(std::move(pages), std::move(schema), rows.features, threads);
  if (check) {
    while (const auto part = source->next()) check_rows(*part, source->schema(), threads);
    source->rewind(0);
  }
  return source;
}

}  // namespace linsep
