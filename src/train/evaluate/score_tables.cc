#include "train/evaluate/score_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/parallel.h"
#include "linsep/error.h"
#include "os/available.h"
#include "os/resident.h"

namespace linsep {
namespace {

constexpr std::size_t kPlaces = std::size_t{1} << 22, kFewest = std::size_t{1} << 10;

std::size_t capacity_of_each(std::size_t parts) {
  return std::clamp(kPlaces / std::max<std::size_t>(parts, 1), kFewest, ScoreTable::kCapacity);
}

}  // namespace

ScoreTables::ScoreTables(std::size_t parts) : tables_(parts, ScoreTable(capacity_of_each(parts))) {}

void ScoreTables::require_room(std::size_t rows, const RunLimits& limits) const {
  std::uint64_t more = 0;
  for (const ScoreTable& table : tables_) more += table.room_for(rows);
  if (more < (std::uint64_t{1} << 20)) return;
  const MemoryLeft left = limits.memory > 0 ? MemoryLeft{} : memory_left();
  if (limits.memory > 0 ? resident_bytes() + more <= limits.memory : more <= left.bytes) return;
  const std::string sentence =
      fmt::format("the area under the curve counts rows by score, for which {} of memory more would be needed, and ",
                  size_words(more));
  if (limits.memory > 0) {
    throw options_error({"memory", "no-auc"},
                        fmt::format("{}{{}} allows {}: {{}} leaves it out", sentence, size_words(limits.memory)));
  }
  throw option_error("no-auc", fmt::format("{}{}: {{}} leaves it out", sentence, memory_words(left)));
}

void ScoreTables::add(std::span<const double> z, const std::function<bool(std::size_t, std::size_t)>& positive,
                      bool whole_rows, const RunLimits& limits) {
  const std::size_t parts = tables_.size(), rows = z.size() / parts;
  require_room(rows, limits);
  std::vector<bool> left_out(whole_rows ? rows : 0);
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    left_out[i] = !std::ranges::all_of(z.subspan(i * parts, parts), [](double one) { return std::isfinite(one); });
  }
  parallel_for(parts, parts == 1 ? 1 : thread_count(limits.threads), [&](std::size_t k, std::size_t) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double score = z[i * parts + k];
      if (whole_rows ? !left_out[i] : std::isfinite(score)) tables_[k].add(score, positive(i, k));
    }
  });
}

void ScoreTables::all_reduce(Comm& comm) {
  for (ScoreTable& table : tables_) table.all_reduce(comm);
}

std::vector<ScoreCounts> ScoreTables::counts() {
  std::vector<ScoreCounts> all;
  for (ScoreTable& table : tables_) {
    all.push_back(table.counts());
    table = ScoreTable();
  }
  return all;
}

}  // namespace linsep
