// The oracle itself, on sets whose verdict is plain.
#include "train/certify/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace linsep {

std::vector<std::vector<Rational>> z_of(const SmallSet& set, bool origin) {
  std::vector<std::vector<Rational>> z(set.rows());
  for (std::size_t i = 0; i < set.rows(); ++i) {
    for (std::size_t j = 0; j < set.features; ++j) z[i].push_back(set.label[i] * set.value(i, j));
    if (!origin) z[i].push_back(set.label[i]);
  }
  if (set.features == 0 && origin) {
    for (auto& row : z) row.push_back(0);
  }
  return z;
}

Truth truth_of(const SmallSet& set, bool origin) { return truth_of(z_of(set, origin)); }

Rational SmallSet::value(std::size_t i, std::size_t j) const {
  if (binary) return Rational(number[i][j]);
  std::string digits = text[i][j];
  std::int64_t exponent = 0;
  if (const auto e = digits.find('e'); e != std::string::npos) {
    exponent = std::atoll(digits.c_str() + e + 1);
    digits.resize(e);
  }
  if (const auto point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const Rational value(integer_of(digits));
  const Integer power = power_of(10, static_cast<std::uint64_t>(std::abs(exponent)));
  return exponent < 0 ? Rational(value / power) : Rational(value * power);
}

SmallSource::SmallSource(const SmallSet& set, std::int64_t rows_at_once, bool dense, std::int64_t first,
                         std::int64_t end)
    : set_(set),
      at_once_(rows_at_once),
      first_(first),
      end_(end < 0 ? static_cast<std::int64_t>(set.rows()) : end),
      dense_(dense) {
  schema_.classes = {"-1", "1"};
}

Shape SmallSource::shape() const { return {end_ - first_, set_.features, -1}; }

void SmallSource::rewind(std::uint64_t /*pass*/) { at_ = first_; }

std::optional<Batch> SmallSource::next() {
  const std::int64_t end = std::min(at_ + at_once_, end_);
  if (at_ == end) return std::nullopt;
  start_.assign(1, 0);
  column_.clear();
  value_.clear();
  label_.clear();
  Batch batch;
  batch.first_row = at_;
  batch.rows = end - at_;
  for (; at_ < end; ++at_) {
    const auto i = static_cast<std::size_t>(at_);
    for (std::uint32_t j = 0; j < set_.features; ++j) {
      const double v = set_.binary ? set_.number[i][j] : std::strtod(set_.text[i][j].c_str(), nullptr);
      if (v == 0 && !dense_) continue;
      column_.push_back(j);
      value_.push_back(v);
    }
    start_.push_back(value_.size());
    label_.push_back(set_.label[i]);
  }
  batch.features = set_.features;
  batch.is_float = false;
  batch.dense = dense_;
  batch.value64 = value_;
  batch.label = label_;
  if (dense_) {
    batch.stride = set_.features;
  } else {
    batch.start = start_;
    batch.column = column_;
  }
  return batch;
}

std::vector<WrittenRow> SmallSource::written(std::span<const std::int64_t> rows) {
  std::vector<WrittenRow> answer;
  for (const std::int64_t row : rows) {
    WrittenRow written;
    written.row = row;
    const auto i = static_cast<std::size_t>(row);
    written.label = set_.label[i] > 0 ? "1" : "-1";
    for (std::uint32_t j = 0; j < set_.features; ++j) {
      if (set_.binary) {
        written.values.push_back({j, "", set_.number[i][j]});
      } else {
        written.values.push_back({j, set_.text[i][j], 0});
      }
    }
    answer.push_back(std::move(written));
  }
  return answer;
}

namespace {

SmallSet set_of(std::vector<std::vector<std::string>> text, std::vector<int> label) {
  SmallSet set;
  set.features = static_cast<std::uint32_t>(text.front().size());
  set.text = std::move(text);
  set.label = std::move(label);
  return set;
}

TEST(Oracle, KnowsTheLogicalFunctions) {
  const std::vector<std::vector<std::string>> corners = {{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}};
  EXPECT_EQ(truth_of(set_of(corners, {-1, -1, -1, 1}), false).claim, Claim::kSeparable);
  EXPECT_EQ(truth_of(set_of(corners, {-1, 1, 1, -1}), false).claim, Claim::kOverlapping);
  EXPECT_EQ(truth_of(set_of(corners, {-1, 1, 1, -1}), false).at_zero, 4);
}

TEST(Oracle, KnowsTheThirdVerdict) {
  // On a line, with − at 0, both at 1 and + at 2.
  const Truth truth = truth_of(set_of({{"0"}, {"1"}, {"1"}, {"2"}}, {-1, -1, 1, 1}), false);
  EXPECT_EQ(truth.claim, Claim::kQuasiSeparable);
  EXPECT_EQ(truth.at_zero, 2);
}

TEST(Oracle, TakesDecimalsAsWritten) {
  // 0.1 + 0.2 = 0.3 in decimals, not in doubles.
  const Truth truth = truth_of(set_of({{"0.3", "1"}, {"0.1", "1"}, {"0.2", "0"}, {"1e-1", "-1"}}, {-1, 1, 1, 1}), true);
  EXPECT_NE(truth.claim, Claim::kSeparable);
}

}  // namespace
}  // namespace linsep
