#include "train/select/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/bytes.h"
#include "core/random.h"
#include "linsep/error.h"

namespace linsep {
namespace {

struct HashedRow {
  std::uint64_t hash = 0;
  std::int64_t number = 0;
  std::uint32_t label = 0;
};

bool before(const HashedRow& a, const HashedRow& b) { return std::tie(a.hash, a.number) < std::tie(b.hash, b.number); }

/// The hashed rows of all workers, in order. Each gives its own in order.
std::vector<HashedRow> gather(std::span<const HashedRow> mine, Comm& comm) {
  if (comm.size() == 1) return {mine.begin(), mine.end()};
  ByteWriter writer;
  for (const HashedRow& row : mine) {
    writer.number(row.hash);
    writer.number(row.number);
    writer.number(row.label);
  }
  std::vector<HashedRow> all;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    for (ByteReader reader(bytes); !reader.at_end();) {
      HashedRow& row = all.emplace_back();
      row.hash = reader.number<std::uint64_t>();
      row.number = reader.number<std::int64_t>();
      row.label = reader.number<std::uint32_t>();
    }
  }
  std::sort(all.begin(), all.end(), before);
  return all;
}

std::vector<HashedRow> hashed_rows(std::span<const std::uint32_t> label, std::int64_t first_row, std::uint64_t seed) {
  constexpr std::uint64_t kFolds = 0x666f6c6473;  // another order than that in which the rows are visited
  const std::uint64_t key = keyed_hash(seed, kFolds);
  std::vector<HashedRow> rows;
  rows.reserve(label.size());
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::int64_t number = first_row + static_cast<std::int64_t>(i);
    rows.push_back({keyed_hash(key, static_cast<std::uint64_t>(number)), number, label[i]});
  }
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}

}  // namespace

std::vector<std::uint16_t> deal_folds(std::span<const std::uint32_t> label, std::int64_t first_row, std::int64_t count,
                                      std::uint64_t seed, Comm& comm) {
  constexpr std::uint64_t kAtATime = std::uint64_t{1} << 20;  // rows that a worker holds of all others'
  const std::int64_t rows_in_all = all_reduce_sum(comm, static_cast<std::int64_t>(label.size()));
  if (rows_in_all < count) {
    throw usage_error(fmt::format("{} folds need as many rows at least, and there are {}", count, rows_in_all));
  }
  const std::uint32_t greatest = label.empty() ? 0 : *std::max_element(label.begin(), label.end());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(all_reduce_max(comm, std::int64_t{greatest})) + 1);
  for (const std::uint32_t one : label) ++sizes[one];
  comm.all_reduce(std::span(sizes), Comm::Op::kSum);
  std::vector<std::int64_t> dealt(sizes.size());  // a label's rows follow those of the labels before it
  for (std::size_t k = 1; k < sizes.size(); ++k) dealt[k] = dealt[k - 1] + sizes[k - 1];

  const std::vector<HashedRow> mine = hashed_rows(label, first_row, seed);
  std::vector<std::uint16_t> fold(label.size());
  const int bits = comm.size() == 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(rows_in_all) / kAtATime);
  auto begin = mine.begin();
  for (std::uint64_t slice = 0; slice < std::uint64_t{1} << bits; ++slice) {
    const auto end = std::find_if(begin, mine.end(),
                                  [&](const HashedRow& row) { return bits > 0 && row.hash >> (64 - bits) > slice; });
    for (const HashedRow& row : gather(std::span(begin, end), comm)) {
      const std::int64_t place = dealt[row.label]++ % count;
      const std::int64_t at = row.number - first_row;
      if (at >= 0 && at < static_cast<std::int64_t>(fold.size())) {
        fold[static_cast<std::size_t>(at)] = static_cast<std::uint16_t>(place);
      }
    }
    begin = end;
  }
  return fold;
}

std::int64_t count_folds(std::span<const std::int32_t> fold, std::int64_t rows) {
  constexpr std::int32_t kMost = 1000;
  if (static_cast<std::int64_t>(fold.size()) != rows) {
    throw usage_error(fmt::format("there are {} rows, and folds are given for {}", rows, fold.size()));
  }
  std::vector<std::int64_t> size;
  for (const std::int32_t number : fold) {
    if (number < 0 || number >= kMost) {
      throw usage_error(
          fmt::format("a fold's number is 0 … {}, not {}: every row is held out by one of them", kMost - 1, number));
    }
    if (static_cast<std::size_t>(number) >= size.size()) size.resize(static_cast<std::size_t>(number) + 1);
    ++size[static_cast<std::size_t>(number)];
  }
  if (size.size() < 2) throw usage_error("two folds are needed at least");
  const auto empty = std::ranges::find(size, 0);
  if (empty != size.end()) throw usage_error(fmt::format("fold {} holds out no row", empty - size.begin()));
  return static_cast<std::int64_t>(size.size());
}

}  // namespace linsep
