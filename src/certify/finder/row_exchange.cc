#include "certify/finder/row_exchange.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

void write_row(ByteWriter& writer, const WrittenRow& row, int sign) {
  writer.number(row.row);
  writer.number<std::int32_t>(sign);
  writer.number<std::uint64_t>(row.values.size());
  for (const WrittenValue& value : row.values) {
    writer.number(value.column);
    writer.text(value.decimal);
    writer.number(value.binary);
  }
}

WrittenRow read_row(ByteReader& reader, int& sign) {
  WrittenRow row;
  row.row = reader.number<std::int64_t>();
  sign = reader.number<std::int32_t>();
  const auto count = reader.number<std::uint64_t>();
  for (std::uint64_t k = 0; k < count; ++k) {
    WrittenValue value;
    value.column = reader.number<std::uint32_t>();
    value.decimal = reader.text();
    value.binary = reader.number<double>();
    row.values.push_back(std::move(value));
  }
  return row;
}

}  // namespace

std::vector<ExactRow> read_exactly(const FinderState& state, const std::vector<std::int64_t>& rows, Comm& comm) {
  std::vector<std::int64_t> mine;
  for (const std::int64_t row : rows) {
    if (state.rows.has(row)) mine.push_back(row);
  }
  std::vector<WrittenRow> written;
  if (!mine.empty()) written = state.options.written(mine);
  const RowSpace& space = state.scaling.space;
  std::vector<ExactRow> exact;
  if (comm.size() == 1) {
    for (const WrittenRow& row : written) exact.push_back(exact_row(row, state.rows.sign_of(row.row), space));
    return exact;
  }
  ByteWriter writer;
  writer.number<std::uint64_t>(written.size());
  for (const WrittenRow& row : written) write_row(writer, row, state.rows.sign_of(row.row));
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(as_text(bytes));
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
      int sign = 1;
      const WrittenRow row = read_row(reader, sign);
      exact.push_back(exact_row(row, sign, space));
    }
  }
  std::sort(exact.begin(), exact.end(), [](const ExactRow& a, const ExactRow& b) { return a.row < b.row; });
  return exact;
}

std::int64_t first_of_all(std::int64_t row, Comm& comm) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = -all_reduce_max(comm, row < 0 ? -kNone : -row);
  return first == kNone ? -1 : first;
}

std::vector<std::int64_t> gather_rows(const std::vector<std::int64_t>& mine, Comm& comm, std::size_t limit) {
  std::vector<std::int64_t> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    ByteReader reader(as_text(bytes));
    for (std::size_t k = 0; k < bytes.size() / sizeof(std::int64_t); ++k) all.push_back(reader.number<std::int64_t>());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace linsep
