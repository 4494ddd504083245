#include "numeric/fixed_point.h"

#include <algorithm>

#include "kernel/dense_kernels.h"
#include "linsep/error.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

constexpr int kBits = 61;
constexpr double kBlockShare = 0x1p-11;  // kMostUnits of 2^kBits
static_assert(kMostUnits == kBlockShare * 0x1p61);
constexpr int kMostExponent = 900;  // beyond it products of units would leave the range of a double

/// The least k with x ≤ 2^k, within reason.
int exponent_above(double x) {
  if (!(x > 0)) return -kMostExponent;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  if (mantissa == 0.5) --exponent;
  return std::clamp(exponent, -kMostExponent, kMostExponent);
}

/// Of a column; more can be added to it without an overflow.
constexpr std::int64_t kMostValues = std::int64_t{1} << 53;

}  // namespace

void ColumnSurvey::clear(std::size_t features) {
  greatest.assign(features, 0);
  values.assign(features, 0);
  extent = {};
}

void ColumnSurvey::widen(std::size_t features) {
  if (features <= greatest.size()) return;
  greatest.resize(features);
  values.resize(features);
}

namespace {

/// The same as row by row, in loops that compilers make vectors of.
template <class V, class Count>
void survey_block(const DenseBlock<V>& block, std::vector<V>& most, std::vector<Count>& count, ColumnSurvey& survey) {
  most.assign(block.columns, 0);
  count.assign(block.columns, 0);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const DenseRow<V> row = block.row(i);
    survey.extent.include(squared_norm(row), row.size);
    const V* value = row.value;
    V* greatest = most.data();
    Count* values = count.data();
    for (std::size_t j = 0; j < block.columns; ++j) greatest[j] = std::max(greatest[j], std::abs(value[j]));
    for (std::size_t j = 0; j < block.columns; ++j) values[j] += static_cast<Count>(value[j] != 0);
  }
  for (std::size_t j = 0; j < block.columns; ++j) {
    survey.greatest[j] = std::max(survey.greatest[j], static_cast<double>(most[j]));
    survey.values[j] += count[j];
  }
}

}  // namespace

void ColumnSurvey::add(const Batch& batch) {
  if (batch.dense) {
    std::vector<float> most32;
    std::vector<double> most64;
    std::vector<std::int32_t> count32;
    std::vector<std::int64_t> count64;
    for_each_block(batch, [&](const auto& block, std::size_t) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(block)>, DenseBlock<float>>) {
        survey_block(block, most32, count32, *this);
      } else {
        survey_block(block, most64, count64, *this);
      }
    });
    return;
  }
  for_each_row(batch, [&](const auto& row, std::int64_t) {
    extent.include(squared_norm(row), row.size);
    for_each_entry(row, [&](std::uint32_t j, double x) {
      greatest[j] = std::max(greatest[j], std::abs(x));
      values[j] += x != 0 ? 1 : 0;
    });
  });
}

void ColumnSurvey::add(const ColumnSurvey& other) {
  for (std::size_t j = 0; j < greatest.size(); ++j) {
    greatest[j] = std::max(greatest[j], other.greatest[j]);
    values[j] += other.values[j];
  }
  extent.include(other.extent);
}

void ColumnSurvey::synchronise(Comm& comm) {
  greatest.push_back(extent.longest);
  greatest.push_back(extent.most_values);
  comm.all_reduce(std::span(greatest), Comm::Op::kMax);
  comm.all_reduce(std::span(values), Comm::Op::kSum);
  extent.most_values = greatest.back();
  greatest.pop_back();
  extent.longest = greatest.back();
  greatest.pop_back();
  if (!std::isfinite(extent.longest)) throw input_error("the rows' values are too large, or not numbers");
}

// By the rows' length, or column by column, which is less where columns are of different sizes.
double ColumnSurvey::farthest_score(std::span<const double> theta) const {
  double by_column = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) by_column += greatest[j] * std::abs(theta[j]);
  return 1.01 * std::min(by_column, std::sqrt(squared_length(theta)) * extent.longest);
}

void ColumnSurvey::require_sound() const {
  require_state(std::ranges::all_of(greatest, [](double x) { return x >= 0; }) &&
                    std::ranges::all_of(values, [](std::int64_t n) { return n >= 0 && n <= kMostValues; }),
                "a column's size is below 0 or beyond what rows can have");
}

namespace {

/// By how many binary digits columns' sums and their largest values, both together, may differ so that one unit suits
/// all: 36 digits are left of the sum of a column whose values are small, and 11 of its squares', which only a
/// preconditioner uses. A sum is also small if few rows have the column, but then so is its error.
constexpr int kMostSpread = 50;

struct ExponentRange {
  int least = kMostExponent, most = -kMostExponent;

  void include(int exponent) {
    least = std::min(least, exponent);
    most = std::max(most, exponent);
  }
};

}  // namespace

void FixedColumns::set(const ColumnSurvey& survey, double costs, double cost, ColumnUnits units) {
  scale_.resize(survey.greatest.size());
  column_scale_.resize(scale_.size());
  // All rows come to 2^61 units at most, a block's to that times the share of its costs.
  const double blocks = costs / (kMostBlockRows * cost);
  block_share_ =
      blocks > 1 ? std::min(1.0, std::ldexp(kBlockShare, std::ilogb(std::min(blocks, 0x1p20)))) : kBlockShare;
  const auto sum_exponent = [&](std::size_t j) {
    const double most =
        units == ColumnUnits::kBlocks ? costs : std::min(costs, static_cast<double>(survey.values[j]) * cost);
    return exponent_above(most * 1.01 * survey.greatest[j]);
  };
  ExponentRange sums, values;
  for (std::size_t j = 0; j < scale_.size(); ++j) {
    if (survey.values[j] == 0) continue;
    sums.include(sum_exponent(j));
    values.include(exponent_above(survey.greatest[j]));
  }
  shared_ = units == ColumnUnits::kShared && sums.least <= sums.most &&
            sums.most - sums.least + values.most - values.least <= kMostSpread;
  double squares = 0;
  for (std::size_t j = 0; j < scale_.size(); ++j) {
    const int bound = shared_ ? sums.most : sum_exponent(j);
    const int value = shared_ ? values.most : exponent_above(survey.greatest[j]);
    scale_[j] = {std::ldexp(1.0, -bound), std::ldexp(1.0, -value)};
    column_scale_[j] = scale_[j].column;
    const double error = static_cast<double>(survey.values[j]) * std::ldexp(1.0, bound);
    squares += error * error;
  }
  error_ = 1.01 * std::sqrt(squares);
}

double FixedColumns::step(double factor) { return std::ldexp(1.0, kBits - exponent_above(factor)); }

}  // namespace linsep
