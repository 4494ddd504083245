#include "data/rows_of_all.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/bytes.h"
#include "linsep/read.h"

namespace linsep {
namespace {

void write_row(ByteWriter& writer, const WrittenRow& row) {
  writer.number(row.row);
  writer.text(row.label);
  writer.text(row.id);
  writer.number<std::uint64_t>(row.values.size());
  for (const WrittenValue& value : row.values) {
    writer.number(value.column);
    writer.text(value.decimal);
    writer.number(value.binary);
  }
}

WrittenRow read_row(ByteReader& reader) {
  WrittenRow row;
  row.row = reader.number<std::int64_t>();
  row.label = reader.text();
  row.id = reader.text();
  row.values.resize(reader.number<std::uint64_t>());
  for (WrittenValue& value : row.values) {
    value.column = reader.number<std::uint32_t>();
    value.decimal = reader.text();
    value.binary = reader.number<double>();
  }
  return row;
}

}  // namespace

RowsOfAll::RowsOfAll(Source& shard, Comm& comm) : shard_(shard), comm_(comm), shape_(shard.shape()) {
  if (comm.size() > 1) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(comm.size()), 0);
    rows[static_cast<std::size_t>(comm.rank())] = shape_.rows;
    comm.all_reduce(std::span(rows), Comm::Op::kSum);
    first_row_ = std::accumulate(rows.begin(), rows.begin() + comm.rank(), std::int64_t{0});
    end_row_ = first_row_ + shape_.rows;
    shape_.rows = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
    comm.all_reduce(std::span(&shape_.nonzeros, 1), Comm::Op::kSum);
  } else {
    end_row_ = shape_.rows;
  }
}

std::vector<WrittenRow> RowsOfAll::written(std::span<const std::int64_t> rows) {
  if (comm_.size() == 1) return shard_.written(rows);
  const auto begin = std::ranges::lower_bound(rows, first_row_);
  const auto end = std::lower_bound(begin, rows.end(), end_row_);
  ByteWriter writer;
  if (begin != end) {
    for (const WrittenRow& row : shard_.written(
             rows.subspan(static_cast<std::size_t>(begin - rows.begin()), static_cast<std::size_t>(end - begin)))) {
      write_row(writer, row);
    }
  }
  std::vector<WrittenRow> all;
  for (const auto& bytes : comm_.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    while (!reader.at_end()) all.push_back(read_row(reader));
  }
  return all;
}

std::unique_ptr<Source> rows_of_all(Source& shard, Comm& comm) { return std::make_unique<RowsOfAll>(shard, comm); }

}  // namespace linsep
