#include "certify/finder/row_scan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "linsep/comm.h"
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

namespace {

constexpr std::size_t kJudgedAtOnce = 8192;

}  // namespace

RowScan::RowScan(FinderState& state, Judge judge)
    : state_(state), judge_(std::move(judge)), exponent_(state.rows.size(), RowScaling::kNoExponent) {}

void RowScan::begin(ScanWeights weights) {
  weights_ = std::move(weights);
  least_ = std::numeric_limits<double>::infinity();
  negative_ = positive_ = 0;
  open_.clear();
  violated_.clear();
}

void RowScan::judge(const ExactRow& z) {
  switch (judge_(z)) {
    case RowSide::kPositive:
      ++positive_;
      return;
    case RowSide::kAtZero:
      state_.rows.set_at_zero(state_.rows.index_of(z.row));
      return;
    case RowSide::kViolated:
      violated_.push_back(z.row);
      return;
  }
}

void RowScan::judge_open_rows() {
  for (std::size_t from = 0; from < open_.size() && violated_.size() < kMostViolated; from += kJudgedAtOnce) {
    const std::size_t count = std::min(kJudgedAtOnce, open_.size() - from);
    for (const WrittenRow& written : state_.options.written(std::span(open_).subspan(from, count))) {
      judge(exact_row(written, state_.rows.sign_of(written.row), state_.scaling.space));
    }
  }
}

void RowScan::synchronise(Comm& comm) {
  negative_ = all_reduce_sum(comm, negative_);
  if (negative_ == 0) judge_open_rows();
  open_.clear();
  positive_ = all_reduce_sum(comm, positive_);
  std::array<double, 2> extremes = {-least_, static_cast<double>(most_entries_)};
  comm.all_reduce(std::span<double>(extremes), Comm::Op::kMax);
  least_ = -extremes[0];
  most_entries_ = static_cast<std::size_t>(extremes[1]);
  largest_.synchronise(comm);
  not_positive_ = negative_ + all_reduce_sum(comm, static_cast<std::int64_t>(violated_.size()));
}

void RowScan::add_radius(Separability& found) const {
  found.largest = largest_.rows(state_.scaling);
  found.radius_squared = largest_.squared_at_most(state_.scaling);
}

}  // namespace linsep
