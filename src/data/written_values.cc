#include "data/written_values.h"

#include <fmt/format.h>

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
  return batch.column64.empty() ? batch.column[k] : static_cast<std::uint32_t>(batch.column64[k]);
}

}  // namespace

WrittenRow written_from_values(const Schema& schema, const Batch& batch, std::size_t i) {
  WrittenRow row;
  row.row = batch.first_row + static_cast<std::int64_t>(i);
  row.label = label_text(schema, batch, i);
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

}  // namespace linsep
