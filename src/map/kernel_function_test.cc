#include "map/kernel_function.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/elementary.h"

namespace linsep {
namespace {

struct Row {
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  SparseRow<double> view() const { return {column.data(), value.data(), column.size()}; }
};

/// Every row over four columns with values of {absent, −1, 0, 2}.
std::vector<std::pair<std::vector<double>, Row>> small_rows() {
  std::vector<std::pair<std::vector<double>, Row>> rows;
  for (unsigned code = 0; code < 256; ++code) {
    std::vector<double> dense(4, 0.0);
    Row row;
    for (std::uint32_t c = 0; c < 4; ++c) {
      const unsigned digit = (code >> (2 * c)) & 3U;
      if (digit == 0) continue;
      dense[c] = digit == 1 ? -1 : digit == 2 ? 0 : 2;
      row.column.push_back(c);
      row.value.push_back(dense[c]);
    }
    rows.emplace_back(dense, row);
  }
  return rows;
}

TEST(KernelValue, AgreesWithDenseFormulasOnAllSmallRows) {
  const Kernel linear{Kernel::Kind::kLinear, 2, 1, 1};
  const Kernel cubic{Kernel::Kind::kPolynomial, 3, 0.5, 1};
  const Kernel gaussian{Kernel::Kind::kGaussian, 2, 1, 0.25};
  const auto rows = small_rows();
  for (const auto& [a, sparse_a] : rows) {
    for (const auto& [b, sparse_b] : rows) {
      double dot = 0;
      double distance = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        dot += a[c] * b[c];
        distance += (a[c] - b[c]) * (a[c] - b[c]);
      }
      ASSERT_EQ(kernel_value(linear, sparse_a.view(), sparse_b.view()), dot);
      ASSERT_EQ(kernel_value(cubic, sparse_a.view(), sparse_b.view()), (dot + 0.5) * (dot + 0.5) * (dot + 0.5));
      ASSERT_EQ(kernel_value(gaussian, sparse_a.view(), sparse_b.view()), elementary::exp(-0.25 * distance));
    }
  }
}

TEST(KernelValue, OfDegreeZeroIsOne) {
  const Row row{{0}, {3}};
  EXPECT_EQ(kernel_value({Kernel::Kind::kPolynomial, 0, 1, 1}, row.view(), row.view()), 1);
}

TEST(KernelValue, KeepsTheDistanceOfNearRowsFarFromTheOrigin) {
  // With ‖a‖² + ‖b‖² − 2a·b this distance would come out as 0.
  const Row a{{0}, {1e9}};
  const Row b{{0}, {1e9 + 0.5}};
  EXPECT_EQ(kernel_value({Kernel::Kind::kGaussian, 2, 1, 1}, a.view(), b.view()), elementary::exp(-0.25));
}

}  // namespace
}  // namespace linsep
