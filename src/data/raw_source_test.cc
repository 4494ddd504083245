#include "data/raw_source.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "core/parallel.h"
#include "data/order_source.h"
#include "data/permute.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

/// By the definition of IEEE 754's binary16.
double float16_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double size = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent == 31) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  return bits >> 15 != 0 ? -size : size;
}

TEST(RawSource, ABfloat16IsTheUpperHalfOfAFloat) {
  for (const float value : {0.0F, -0.0F, 1.0F, -1.5F, 0x1p-133F, 0x1.fep127F, std::numeric_limits<float>::infinity()}) {
    const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
    float decoded = 0;
    decode(&bits, ValueType::kBfloat16, 0, 1, &decoded);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(decoded), std::bit_cast<std::uint32_t>(value));
  }
}

/// The float16 that a number is. REQUIRES: there is one.
std::uint16_t float16_of(double value) {
  static const std::map<double, std::uint16_t> known = [] {
    std::map<double, std::uint16_t> all;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const double found = float16_value(static_cast<std::uint16_t>(bits));
      if (!std::isnan(found)) all.emplace(found, static_cast<std::uint16_t>(bits));
    }
    return all;
  }();
  return known.at(value);
}

/// The same dense rows as floats, and as bytes of another type at an odd address, with a gap between rows.
class Twice {
 public:
  Twice(std::int64_t rows, std::uint32_t features, ValueType type) : type_(type) {
    for (std::int64_t k = 0; k < rows * features; ++k) value_.push_back(static_cast<float>((k * 37) % 101 - 50) / 8);
    for (std::int64_t i = 0; i < rows; ++i) label_.push_back(i % 3 == 0 ? 1 : -1);
    const std::uint64_t stride = features + 3;
    bytes_.assign(1 + static_cast<std::size_t>(rows) * stride * size_of(type), '\x7f');
    for (std::size_t k = 0; k < value_.size(); ++k) {
      const std::size_t at = k / features * stride + k % features;
      put(value_[k], bytes_.data() + 1 + at * size_of(type));
    }
    batch_.rows = rows;
    batch_.features = features;
    batch_.dense = true;
    batch_.stride = features;
    batch_.label8 = label_;
    raw_ = batch_;
    raw_.stride = stride;
    batch_.value32 = value_;
  }

  std::unique_ptr<Source> ours() const { return view(batch_, schema_); }
  std::unique_ptr<Source> raw(int threads = 1) const {
    return view_values(raw_, bytes_.data() + 1, type_, schema_, true, threads);
  }
  void set(std::size_t row, std::size_t column, float value) {
    put(value, bytes_.data() + 1 + (row * raw_.stride + column) * size_of(type_));
  }

 private:
  // The values are multiples of 1/8 below 8. All types hold them.
  void put(float value, char* to) const {
    if (type_ == ValueType::kFloat64) {
      const double wide = value;
      std::memcpy(to, &wide, sizeof wide);
    } else if (type_ == ValueType::kFloat32) {
      std::memcpy(to, &value, sizeof value);
    } else if (type_ == ValueType::kBfloat16) {
      const auto half = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
      std::memcpy(to, &half, sizeof half);
    } else {
      const auto half = float16_of(value);
      std::memcpy(to, &half, sizeof half);
    }
  }

  ValueType type_;
  Schema schema_{{"no", "yes"}, {}};
  std::vector<float> value_;
  std::vector<std::int8_t> label_;
  std::vector<char> bytes_;
  Batch batch_, raw_;
};

constexpr ValueType kTypes[] = {ValueType::kFloat16, ValueType::kBfloat16, ValueType::kFloat32, ValueType::kFloat64};

TEST(RawSource, RowsAreThoseOfFloatsInEveryOrder) {
  for (const ValueType type : kTypes) {
    const Twice twice(300, 7, type);
    const auto ours = twice.ours(), raw = twice.raw();
    EXPECT_EQ(raw->shape().nonzeros, ours->shape().nonzeros);
    EXPECT_EQ(rows_of_pass(*raw, 0), rows_of_pass(*ours, 0));
    auto& memory = dynamic_cast<MemorySource&>(*ours);
    auto& decoded = dynamic_cast<RawSource&>(*raw);
    for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
      EXPECT_EQ(rows_of_pass(*order_rows(decoded, order, 5), 1), rows_of_pass(*order_rows(memory, order, 5), 1));
    }
    EXPECT_EQ(rows_of_pass(*index_rows(decoded, 5), 1), rows_of_pass(*permute_rows(memory, 5), 1));
  }
}

TEST(RawSource, ThreadsShareTheDecodingAndChangeNoValue) {
  const Twice twice(1501, 700, ValueType::kBfloat16);
  const std::uint64_t before = threads_started();
  const auto expected = rows_of_pass(*twice.ours(), 0);
  for (const int threads : {1, 2, 5}) EXPECT_EQ(rows_of_pass(*twice.raw(threads), 0), expected) << threads;
  EXPECT_GT(threads_started(), before);
}

TEST(RawSource, RowsAsWrittenAreTheSameNumbers) {
  for (const ValueType type : kTypes) {
    const Twice twice(20, 3, type);
    const std::vector<std::int64_t> asked{0, 7, 19};
    const auto ours = twice.ours()->written(asked), raw = twice.raw()->written(asked);
    ASSERT_EQ(raw.size(), ours.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      EXPECT_EQ(raw[i].label, ours[i].label);
      ASSERT_EQ(raw[i].values.size(), ours[i].values.size());
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(raw[i].values[j].binary, ours[i].values[j].binary);
    }
  }
}

TEST(RawSource, AreHandedOutAFewRowsAtATime) {
  const Twice twice(40, 100'000, ValueType::kBfloat16);
  const auto source = twice.raw();
  std::int64_t rows = 0;
  source->rewind(0);
  while (const auto batch = source->next()) {
    EXPECT_LE(batch->rows * batch->features, std::int64_t{1} << 20);
    EXPECT_EQ(batch->first_row, rows);
    rows += batch->rows;
  }
  EXPECT_EQ(rows, 40);
}

TEST(RawSource, AValueThatIsNotFiniteIsRefusedByRowAndColumn) {
  for (const ValueType type : kTypes) {
    Twice twice(9000, 2, type);  // several batches
    twice.set(8999, 1, std::numeric_limits<float>::infinity());
    try {
      twice.raw();
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("row 9000, column 2: infinity is not a finite number"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace linsep
