#include <algorithm>
#include <cstddef>
#include <span>

#include "core/bytes.h"
#include "table/fit/column_counts.h"

namespace linsep {
namespace {

void add_integers(TableFitter::Counts& counts, Comm& comm) {
  std::vector<std::int64_t> all = {counts.rows};
  for (const ColumnCounts& column : counts.columns) all.push_back(column.missing);
  comm.all_reduce(std::span(all), Comm::Op::kSum);
  counts.rows = all[0];
  for (std::size_t k = 0; k < counts.columns.size(); ++k) counts.columns[k].missing = all[k + 1];
}

void add_ranges(TableFitter::Counts& counts, Comm& comm) {
  std::vector<double> all;
  for (const ColumnCounts& column : counts.columns) {
    all.insert(all.end(), {-column.least, column.greatest, -column.earliest, column.latest});
  }
  if (all.empty()) return;
  comm.all_reduce(std::span(all), Comm::Op::kMax);
  for (std::size_t k = 0; k < counts.columns.size(); ++k) {
    ColumnCounts& column = counts.columns[k];
    column.least = -all[4 * k];
    column.greatest = all[4 * k + 1];
    column.earliest = -all[4 * k + 2];
    column.latest = all[4 * k + 3];
  }
}

void add_sums(BinnedSums& sums, Comm& comm) {
  if (sums.size() == 0) return;
  std::vector<std::int64_t> bases = sums.bases();
  comm.all_reduce(std::span(bases), Comm::Op::kMax);
  sums.raise_to(bases);
  std::vector<std::int64_t> bins = sums.bins();
  comm.all_reduce(std::span(bins), Comm::Op::kSum);
  sums.set(bases, bins);
}

void add_values(TableFitter::Counts& counts, Comm& comm) {
  ByteWriter writer;
  for (const ColumnCounts& column : counts.columns) {
    writer.number<std::uint8_t>(column.one.any ? 1 : 0);
    writer.number<std::uint8_t>(column.one.varies ? 1 : 0);
    writer.text(column.one.value);
  }
  const auto all = comm.all_gather(std::as_bytes(std::span(writer.bytes())));
  for (ColumnCounts& column : counts.columns) column.one = {};
  for (const auto& bytes : all) {
    ByteReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (ColumnCounts& column : counts.columns) {
      OneValue theirs;
      theirs.any = reader.flag();
      theirs.varies = reader.flag();
      theirs.value = reader.text();
      column.one.merge(theirs);
    }
  }
}

}  // namespace

void add_workers(TableFitter::Counts& counts, Comm& comm) {
  if (comm.size() == 1) return;
  add_integers(counts, comm);
  add_ranges(counts, comm);
  add_sums(counts.sums, comm);
  add_values(counts, comm);
}

}  // namespace linsep
