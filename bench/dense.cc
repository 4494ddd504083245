// linsep_dense ROWS COLUMNS OUTPUTS: processor seconds of the kernels for dense blocks, for bench/dense.py.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "core/random.h"
#include "kernel/dense_kernels.h"
#include "numeric/dense_sums.h"

int main(int count, char** word) {
  using namespace linsep;
  if (count != 4) return 1;
  const auto number = [&](int k) { return static_cast<std::size_t>(std::strtoul(word[k], nullptr, 10)); };
  const std::size_t rows = number(1), columns = number(2), outputs = number(3), stride = padded_outputs(outputs);
  Random random(1);
  std::vector<float> x(rows * columns);
  for (float& value : x) value = static_cast<float>(random.normal());
  std::vector<double> weights(columns * outputs), scores(rows * stride, 0.001), sums(columns * stride), scratch;
  for (double& weight : weights) weight = shortened(random.normal());  // as directions of a search are
  for (double& sum : sums) sum = grid_anchor(0x1p-20);
  Batch batch;
  batch.rows = static_cast<std::int64_t>(rows);
  batch.features = static_cast<std::uint32_t>(columns);
  batch.dense = true;
  batch.stride = columns;
  batch.value32 = x;
  const auto seconds = [](std::clock_t from) { return static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC; };
  const std::clock_t first = std::clock();
  PackedWeights packed;
  packed.set(weights.data(), columns, outputs, outputs, 1);
  for_each_block(batch, [&](const auto& block, std::size_t at) {
    block_scores(block, packed, scores.data() + at * stride, stride, scratch);
  });
  std::printf("scores %.6f\n", seconds(first));
  const std::clock_t second = std::clock();
  for_each_block(batch, [&](const auto& block, std::size_t at) {
    add_rows(block, Power::kOne, scores.data() + at * stride, stride, outputs, sums.data(), stride);
  });
  std::printf("sums %.6f\n", seconds(second));
  return sums[0] == scores[0] ? 2 : 0;  // both are used
}
