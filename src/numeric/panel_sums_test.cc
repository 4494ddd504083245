// Sums of rows in panels, asked for by a RowQuery: near those of plain loops, and the same bits in any order of panels.
#include "numeric/panel_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "core/slice.h"
#include "numeric/row_query.h"

namespace linsep {
namespace {

/// Dense rows, and weights for some scores.
struct Drawn {
  std::size_t rows, columns, outputs;
  std::vector<double> value, weight;

  Drawn(std::size_t some_rows, std::size_t some_columns, std::size_t some_outputs)
      : rows(some_rows), columns(some_columns), outputs(some_outputs) {
    Random random(11, 100 * columns + outputs);
    for (std::size_t k = 0; k < rows * columns; ++k) value.push_back(random.normal());
    for (std::size_t k = 0; k < columns * outputs; ++k) weight.push_back(random.normal());
  }

  Batch batch() const {
    Batch all;
    all.rows = static_cast<std::int64_t>(rows);
    all.features = static_cast<std::uint32_t>(columns);
    all.dense = true;
    all.is_float = false;
    all.stride = columns;
    all.value64 = value;
    return all;
  }

  /// Rows times tanh of their scores, and a matrix of the squares of these for every other score; each batch has
  /// `together` panels.
  RowAnswer ask(int threads, std::size_t together, bool backwards) const {
    KnownRows known{.rows = rows, .threads = threads, .all_rows = static_cast<std::int64_t>(rows)};
    known.panel_columns = columns;
    RowEngine engine;
    engine.set(known);
    RowQuery query;
    query.scores = {{weight, {}, outputs}};
    query.sums = {{.outputs = outputs}, {.outputs = outputs, .columns = false}};
    for (std::size_t c = 0; c < outputs; c += 2) query.matrices.push_back(c);
    query.totals = outputs;
    query.function = [&](const ScoredRows& some) {
      for (std::size_t r = 0; r < some.rows; ++r) {
        double* factor = some.factor + r * some.stride;
        for (std::size_t c = 0; c < outputs; ++c) {
          const double score = some.score[r * some.score_stride + c];
          some.total[c].add(score);
          factor[some.place[0] + c] = std::tanh(score);
          factor[some.place[1] + c] = std::tanh(score) * std::tanh(score);
        }
      }
    };
    engine.begin(query);
    const std::int64_t size = static_cast<std::int64_t>(together * PanelSums::kRows), all = batch().rows;
    const std::int64_t batches = (all + size - 1) / size;
    for (std::int64_t b = 0; b < batches; ++b) {
      const std::int64_t first = size * (backwards ? batches - 1 - b : b);
      engine.add(slice(batch(), first, std::min(size, all - first)));
    }
    return engine.end(*solo());
  }
};

TEST(PanelSums, AreThoseOfPlainLoops) {
  for (const std::size_t columns : {1U, 3U, 17U}) {
    for (const std::size_t outputs : {1U, 3U, 4U, 21U}) {
      const Drawn drawn(600, columns, outputs);
      const RowAnswer answer = drawn.ask(2, 2, false);
      ASSERT_EQ(answer.matrices.size(), (outputs + 1) / 2);
      for (std::size_t c = 0; c < outputs; ++c) {
        std::vector<double> sum(columns, 0), matrix(columns * columns, 0);
        double total = 0;
        for (std::size_t i = 0; i < drawn.rows; ++i) {
          const double* x = drawn.value.data() + i * columns;
          double score = 0;
          for (std::size_t j = 0; j < columns; ++j) score += x[j] * drawn.weight[j * outputs + c];
          total += score;
          const double factor = std::tanh(score);
          for (std::size_t j = 0; j < columns; ++j) {
            sum[j] += factor * x[j];
            for (std::size_t l = j; l < columns; ++l) matrix[j * columns + l] += factor * factor * x[j] * x[l];
          }
        }
        EXPECT_NEAR(answer.totals[c].value(), total, 1e-10);
        for (std::size_t j = 0; j < columns; ++j) {
          EXPECT_NEAR(answer.sums[0].sum[j * outputs + c], sum[j], 1e-11);
          for (std::size_t l = j; l < columns && c % 2 == 0; ++l) {
            const SymmetricMatrix& found = answer.matrices[c / 2];
            EXPECT_NEAR(found.entries()[j * found.stride() + l], matrix[j * columns + l], 1e-11);
          }
        }
      }
    }
  }
}

TEST(PanelSums, DependOnNoOrderOfPanels) {
  const Drawn drawn(2000, 5, 6);
  const RowAnswer forwards = drawn.ask(1, 8, false);
  for (const int threads : {1, 3}) {
    for (const std::size_t together : {1U, 3U}) {
      const RowAnswer backwards = drawn.ask(threads, together, true);
      EXPECT_EQ(backwards.sums[0].sum, forwards.sums[0].sum);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(backwards.matrices[k].entries(), forwards.matrices[k].entries());
    }
  }
}

/// Whole numbers of 22 bits wouldn't tell this matrix from a singular one.
TEST(PanelSums, KeepTheDigitsOfNearlyDependentColumns) {
  Drawn drawn(512, 2, 1);
  for (std::size_t i = 0; i < drawn.rows; ++i) {
    drawn.value[2 * i] = 1;
    drawn.value[2 * i + 1] = 1 + (i % 2 == 0 ? 1e-5 : -1e-5);
  }
  drawn.weight = {1, 0};
  const SymmetricMatrix matrix = drawn.ask(1, 2, false).matrices.front();
  const double* entry = matrix.entries().data();
  const double rest = entry[matrix.stride() + 1] - entry[1] * entry[1] / entry[0];
  EXPECT_NEAR(rest / (512 * std::tanh(1) * std::tanh(1) * 1e-10), 1, 1e-3);
}

}  // namespace
}  // namespace linsep
