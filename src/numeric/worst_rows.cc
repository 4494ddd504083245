#include "numeric/worst_rows.h"

#include <iterator>
#include <span>
#include <string_view>

#include "core/bytes.h"

namespace linsep {

WorkRow* WorstRows::place_for(double score, std::uint64_t hash, std::int64_t number) {
  const auto [at, is_new] = row_.try_emplace({score, hash});
  if (!is_new) return number < at->second.row ? &at->second : nullptr;
  if (row_.size() > limit_) {
    const auto last = std::prev(row_.end());
    const bool itself = last == at;
    row_.erase(last);
    if (itself) return nullptr;
  }
  return &at->second;
}

void WorstRows::absorb(WorstRows& other) {
  for (auto& [key, row] : other.row_) {
    if (WorkRow* kept = place_for(key.first, key.second, row.row)) *kept = std::move(row);
  }
  other.row_.clear();
}

void WorstRows::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  ByteWriter writer;
  writer.number<std::uint64_t>(row_.size());
  for (const auto& [key, row] : row_) {
    writer.number(key.first);
    writer.number(row.hash);
    writer.number(row.row);
    writer.number<std::int32_t>(row.sign);
    writer.numbers(row.column);
    writer.numbers(row.value);
  }
  const auto gathered = comm.all_gather(std::as_bytes(std::span(writer.bytes())));
  row_.clear();
  for (const auto& bytes : gathered) {
    ByteReader reader(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    const auto count = reader.number<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto score = reader.number<double>();
      WorkRow row;
      row.hash = reader.number<std::uint64_t>();
      row.row = reader.number<std::int64_t>();
      row.sign = reader.number<std::int32_t>();
      row.column = reader.numbers<std::uint32_t>();
      row.value = reader.numbers<double>();
      if (WorkRow* kept = place_for(score, row.hash, row.row)) *kept = std::move(row);
    }
  }
}

std::vector<WorkRow> WorstRows::take() {
  std::vector<WorkRow> rows;
  rows.reserve(row_.size());
  for (auto& [key, row] : row_) rows.push_back(std::move(row));
  row_.clear();
  return rows;
}

}  // namespace linsep
