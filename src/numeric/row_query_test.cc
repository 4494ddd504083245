// Answers to questions about rows: near those of plain loops, and the same bits however the rows come.
#include "numeric/row_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.h"
#include "core/slice.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

/// Rows of unequal columns, many values 0, one column of zeros; a number for each row, some 0; two vectors.
struct Table {
  std::size_t rows = 0, columns = 0;
  std::vector<double> value, number, label, first, second;

  double at(std::size_t i, std::size_t j) const { return value[i * columns + j]; }
};

Table draw(std::size_t rows, std::size_t columns) {
  Random random(45, columns);
  Table all{rows, columns, {}, {}, std::vector<double>(rows, 1), {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double size = std::ldexp(1.0, static_cast<int>(j % 9) - 4);
      const bool zero = j == 3 || random.below(3) == 0;
      all.value.push_back(zero ? 0 : static_cast<float>(random.normal() * size));
    }
    all.number.push_back(random.below(4) == 0 ? 0 : random.uniform());
  }
  for (std::size_t j = 0; j < columns; ++j) {
    all.first.push_back(random.normal());
    all.second.push_back(random.normal());
  }
  return all;
}

struct Layout {
  bool dense = true, is_float = false;
};

/// The arrays of a table's rows `begin` … `end` − 1, and a batch that views them.
class Stored {
 public:
  Stored(const Table& table, Layout layout, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < table.columns; ++j) {
        if (!layout.dense && table.at(i, j) == 0) continue;
        column_.push_back(static_cast<std::uint32_t>(j));
        value64_.push_back(table.at(i, j));
        value32_.push_back(static_cast<float>(table.at(i, j)));
      }
      start_.push_back(column_.size());
    }
    batch_.rows = static_cast<std::int64_t>(end - begin);
    batch_.features = static_cast<std::uint32_t>(table.columns);
    batch_.dense = layout.dense;
    batch_.is_float = layout.is_float;
    batch_.stride = layout.dense ? table.columns : 0;
    if (!layout.dense) {
      batch_.start = start_;
      batch_.column = column_;
    }
    if (layout.is_float) {
      batch_.value32 = value32_;
    } else {
      batch_.value64 = value64_;
    }
  }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;
  const Batch& batch() const { return batch_; }

 private:
  std::vector<std::uint64_t> start_{0};
  std::vector<std::uint32_t> column_;
  std::vector<float> value32_;
  std::vector<double> value64_;
  Batch batch_;
};

/// How the rows come to one worker.
struct Way {
  Layout layout = {};
  std::int64_t batch = 100000;
  bool pinned = false;
  int threads = 1;
  ColumnUnits units = ColumnUnits::kOwn;
};

constexpr std::array<ColumnUnits, 3> kUnits = {ColumnUnits::kOwn, ColumnUnits::kShared, ColumnUnits::kBlocks};

/// Sums by kind: which have squares.
const std::vector<std::vector<bool>> kKinds = {{false}, {true}, {false, false}, {false, true}, {true, false, true}};

/// What factor row i has in sum s, given its scores.
double factor_of(double first, double second, double number, std::size_t s) {
  return number * (s == 0 ? std::tanh(first) : (s == 1 ? number : std::tanh(second)));
}

struct Answered {
  RowAnswer answer;
  std::vector<double> first, second, solution;
};

void expect_same(const Answered& a, const Answered& b) {
  ASSERT_EQ(a.answer.sums.size(), b.answer.sums.size());
  for (std::size_t s = 0; s < a.answer.sums.size(); ++s) {
    EXPECT_EQ(a.answer.sums[s].sum, b.answer.sums[s].sum) << s;
    EXPECT_EQ(a.answer.sums[s].squares, b.answer.sums[s].squares) << s;
    EXPECT_EQ(a.answer.sums[s].ones, b.answer.sums[s].ones) << s;
  }
  for (std::size_t t = 0; t < a.answer.totals.size(); ++t) {
    EXPECT_EQ(a.answer.totals[t].value(), b.answer.totals[t].value()) << t;
  }
  EXPECT_EQ(a.solution, b.solution);
}

/// Rows `begin` … `end` − 1 of a table as those of one worker, surveyed, to be asked.
class Surveyed {
 public:
  Surveyed(const Table& table, const Way& way, Comm& comm, std::size_t begin, std::size_t end)
      : stored_(table, way.layout, begin, end), way_(way), comm_(comm) {
    KnownRows known{.rows = end - begin, .threads = way.threads, .all_rows = static_cast<std::int64_t>(table.rows)};
    survey_.clear(table.columns);
    engine_.set(known);
    RowQuery first;
    first.survey = &survey_;
    pass(first);
    survey_.synchronise(comm);
    const auto costs = static_cast<double>(table.rows);
    fixed_.set(survey_, costs, 1, way.units);
    EXPECT_EQ(fixed_.shared(), way.units == ColumnUnits::kShared);
    ColumnSurvey one;
    one.clear(1);
    one.greatest[0] = 1;
    one.values[0] = known.all_rows;
    ones_.set(one, costs, 1);
    known.columns = &survey_;
    known.fixed = &fixed_;
    known.ones = &ones_;
    known.blocks = way.units == ColumnUnits::kBlocks;
    engine_.set(known);
  }
  Surveyed(const Surveyed&) = delete;
  Surveyed& operator=(const Surveyed&) = delete;

  RowAnswer pass(const RowQuery& query) {
    engine_.begin(query);
    for (std::int64_t at = 0; at < stored_.batch().rows; at += way_.batch) {
      Batch batch = slice(stored_.batch(), at, std::min(way_.batch, stored_.batch().rows - at));
      batch.pinned = way_.pinned;
      engine_.add(batch);
    }
    return engine_.end(comm_);
  }

 private:
  const Stored stored_;
  const Way way_;
  Comm& comm_;
  RowEngine engine_;
  ColumnSurvey survey_;
  FixedColumns fixed_, ones_;
};

/// Asks one question about the rows whose number isn't 0.
Answered ask(const Table& table, const std::vector<bool>& squares, const Way& way, Comm& comm, std::size_t begin,
             std::size_t end) {
  const std::size_t rows = end - begin, columns = table.columns;
  Surveyed surveyed(table, way, comm, begin, end);
  Answered found{{}, std::vector<double>(rows), std::vector<double>(rows), std::vector<double>(columns, 1)};
  const std::span<const double> number = std::span(table.number).subspan(begin, rows);
  HessianSums hessian;
  RowQuery query;
  query.scores = {{table.first, found.first}, {table.second, found.second}};
  query.rows = {RowSubset::Of::kNonzero, number};
  query.function = [&](const ScoredRows& some) {
    for (std::size_t r = 0; r < some.rows; ++r) {
      const std::size_t i = some.first + r;
      if (number[i] != 0) some.total[0].add(found.first[i]);
      some.total[1].add(number[i]);
      *some.count += number[i] == 0 ? 1 : 0;
      for (std::size_t s = 0; s < squares.size(); ++s) {
        some.factor[r * some.stride + s] = factor_of(found.first[i], found.second[i], number[i], s);
      }
    }
  };
  for (const bool square : squares) query.sums.push_back({1, square});
  query.totals = 2;
  query.offset = true;
  query.hessian_of = 1;
  query.hessian_bound = 1;
  if (squares.size() > 1 && HessianSums::pays(columns)) query.hessian = &hessian;
  found.answer = surveyed.pass(query);
  if (query.hessian == nullptr) return found;
  hessian.factor();
  hessian.solve(found.solution);
  return found;
}

Answered ask(const Table& table, const std::vector<bool>& squares, const Way& way = {}) {
  return ask(table, squares, way, *solo(), 0, table.rows);
}

TEST(RowQuery, AnswersAreNearThoseOfPlainLoops) {
  const Table table = draw(700, 40);
  for (const ColumnUnits units : kUnits) {
    const double near = units == ColumnUnits::kBlocks ? 1e-6 : 1e-9;  // units of blocks are coarser
    for (const std::vector<bool>& squares : kKinds) {
      Way way;
      way.units = units;
      const Answered found = ask(table, squares, way);
      std::vector<std::vector<long double>> sum(squares.size(), std::vector<long double>(table.columns)), square = sum;
      long double total = 0;
      std::int64_t without = 0;
      for (std::size_t i = 0; i < table.rows; ++i) {
        const std::span<const double> row = std::span(table.value).subspan(i * table.columns, table.columns);
        const double z = dot(DenseRow<double>{row.data(), row.size()}, table.first.data());
        const double u = dot(DenseRow<double>{row.data(), row.size()}, table.second.data());
        if (table.number[i] == 0) {
          ++without;
          EXPECT_EQ(found.first[i], 0) << "a row that wasn't asked for";
          continue;
        }
        EXPECT_EQ(found.first[i], z);
        EXPECT_EQ(found.second[i], u);
        total += z;
        for (std::size_t s = 0; s < squares.size(); ++s) {
          const long double factor = factor_of(z, u, table.number[i], s);
          for (std::size_t j = 0; j < table.columns; ++j) {
            sum[s][j] += factor * row[j];
            square[s][j] += factor * row[j] * row[j];
          }
        }
      }
      EXPECT_EQ(found.answer.count, without);
      EXPECT_NEAR(found.answer.totals[0].value(), static_cast<double>(total), 1e-12 * static_cast<double>(table.rows));
      for (std::size_t s = 0; s < squares.size(); ++s) {
        const RowAnswer::Columns& columns = found.answer.sums[s];
        EXPECT_EQ(columns.squares.size(), squares[s] ? table.columns : 0);
        long double wrong = 0;
        for (std::size_t j = 0; j < table.columns; ++j) {
          const long double difference = columns.sum[j] - sum[s][j];
          wrong += difference * difference;
          if (!squares[s]) continue;
          const auto expected = static_cast<double>(square[s][j]);
          EXPECT_NEAR(columns.squares[j], expected, near * (1 + std::abs(expected))) << j;
        }
        // Besides cutting off, terms round: three multiplications of each.
        EXPECT_LE(std::sqrt(wrong), columns.error + 1e-12L) << s;
        EXPECT_LT(columns.error, near);
        EXPECT_EQ(columns.sum[3], 0) << "a column of zeros";
      }
    }
  }
}

TEST(RowQuery, DenseRowsAreTheSameBitsInAnyBatches) {
  const Table table = draw(3000, 40);
  for (const std::vector<bool>& squares : kKinds) {
    for (const ColumnUnits units : kUnits) {
      const Answered whole = ask(table, squares, {.units = units});
      for (const std::int64_t batch : {1, 70, 1111}) {
        for (const int threads : {1, 3}) {
          for (const bool pinned : {false, true}) {
            for (const bool is_float : {false, true}) {
              expect_same(ask(table, squares, {{true, is_float}, batch, pinned, threads, units}), whole);
            }
          }
        }
      }
    }
  }
}

TEST(RowQuery, SparseRowsAreTheSameBitsInAnyBatches) {
  const Table table = draw(3000, 200);
  for (const std::vector<bool>& squares : kKinds) {
    for (const ColumnUnits units : {ColumnUnits::kOwn, ColumnUnits::kShared}) {
      const Answered whole = ask(table, squares, {.layout = {false, true}, .units = units});
      for (const int threads : {1, 3}) {
        for (const std::int64_t batch : {33, 1500}) {
          for (const bool is_float : {false, true}) {
            expect_same(ask(table, squares, {{false, is_float}, batch, threads == 3, threads, units}), whole);
          }
        }
      }
    }
  }
}

TEST(RowQuery, WorkersDontChangeABit) {
  const Table table = draw(2000, 40);
  for (const std::vector<bool>& squares : kKinds) {
    for (const ColumnUnits units : kUnits) {
      const Way way{.layout = {true, true}, .batch = 100000, .pinned = false, .threads = 1, .units = units};
      const Answered whole = ask(table, squares, way);
      run_threads(4, [&](Comm& comm) {
        constexpr std::array<std::size_t, 5> kBegin = {0, 0, 300, 1100, 2000};  // the first worker has no rows
        const auto rank = static_cast<std::size_t>(comm.rank());
        expect_same(ask(table, squares, way, comm, kBegin[rank], kBegin[rank + 1]), whole);
      });
    }
  }
}

constexpr std::size_t kOutputs = 5;

/// The same about several outputs: weights that differ by output, a sum with squares and ones, and one of ones alone;
/// or, with `coarse`, a single sum of scores that aren't kept.
Answered ask_outputs(const Table& table, bool coarse, const Way& way, Comm& comm, std::size_t begin, std::size_t end) {
  const std::size_t rows = end - begin;
  Surveyed surveyed(table, way, comm, begin, end);
  std::vector<double> weight;
  for (std::size_t j = 0; j < table.columns; ++j) {
    for (std::size_t c = 0; c < kOutputs; ++c)
      weight.push_back(table.first[j] + static_cast<double>(c) * table.second[j]);
  }
  Answered found;
  found.first.resize(coarse ? 0 : rows * kOutputs);
  const std::span<const double> number = std::span(table.number).subspan(begin, rows);
  RowQuery query;
  query.scores = {{weight, found.first, kOutputs}};
  query.rows = {RowSubset::Of::kNonzero, number};
  query.coarse = coarse;
  query.sums = {{.bound = 1, .squares = !coarse, .outputs = kOutputs, .ones = true}};
  if (!coarse) query.sums.push_back({.bound = 1, .outputs = kOutputs, .columns = false, .ones = true});
  query.function = [&](const ScoredRows& some) {
    for (std::size_t r = 0; r < some.rows; ++r) {
      const std::size_t i = some.first + r;
      const double* score = coarse ? some.score + r * some.score_stride : found.first.data() + i * kOutputs;
      for (std::size_t s = 0; s < query.sums.size(); ++s) {
        double* factor = some.factor + r * some.stride + some.place[s];
        for (std::size_t c = 0; c < kOutputs; ++c) {
          factor[c] = number[i] == 0 ? 0 : number[i] * (s == 0 ? std::tanh(score[c]) : 0.5);
        }
      }
    }
  };
  found.answer = surveyed.pass(query);
  return found;
}

Answered ask_outputs(const Table& table, bool coarse, const Way& way = {}) {
  return ask_outputs(table, coarse, way, *solo(), 0, table.rows);
}

TEST(RowQuery, AnswersOfSeveralOutputsAreNearThoseOfPlainLoops) {
  const Table table = draw(700, 40);
  for (const ColumnUnits units : kUnits) {
    for (const bool coarse : {false, true}) {
      Way way;
      way.units = units;
      const Answered found = ask_outputs(table, coarse, way);
      const double near = units == ColumnUnits::kBlocks || coarse ? 1e-6 : 1e-9;
      std::vector<long double> sum(table.columns * kOutputs), square = sum, ones(kOutputs);
      long double halves = 0;
      for (std::size_t i = 0; i < table.rows; ++i) {
        for (std::size_t c = 0; c < kOutputs; ++c) {
          long double z = 0;
          for (std::size_t j = 0; j < table.columns && table.number[i] != 0; ++j) {
            z += table.at(i, j) * (table.first[j] + static_cast<double>(c) * table.second[j]);
          }
          if (!coarse) {
            EXPECT_NEAR(found.first[i * kOutputs + c], static_cast<double>(z), 1e-10);
          }
          const long double factor = table.number[i] * std::tanh(z);
          ones[c] += factor;
          for (std::size_t j = 0; j < table.columns; ++j) {
            sum[j * kOutputs + c] += factor * table.at(i, j);
            square[j * kOutputs + c] += factor * table.at(i, j) * table.at(i, j);
          }
        }
        halves += table.number[i] / 2;
      }
      const RowAnswer::Columns& columns = found.answer.sums[0];
      ASSERT_EQ(columns.sum.size(), sum.size());
      ASSERT_EQ(columns.squares.size(), coarse ? 0 : square.size());
      for (std::size_t c = 0; c < kOutputs; ++c) {
        long double wrong = 0;
        for (std::size_t j = 0; j < table.columns; ++j) {
          const std::size_t at = j * kOutputs + c;
          wrong += (columns.sum[at] - sum[at]) * (columns.sum[at] - sum[at]);
          if (coarse) continue;
          EXPECT_NEAR(columns.squares[at], static_cast<double>(square[at]), near * (1 + std::abs(columns.squares[at])));
        }
        EXPECT_LE(std::sqrt(wrong), columns.error + 1e-10L) << c;
        EXPECT_NEAR(columns.ones[c], static_cast<double>(ones[c]), near);
        if (coarse) continue;
        EXPECT_NEAR(found.answer.sums[1].ones[c], static_cast<double>(halves), near);
      }
      EXPECT_LT(columns.error, near);
      EXPECT_GT(columns.error, 0);
    }
  }
}

TEST(RowQuery, AnswersOfSeveralOutputsAreTheSameBitsHoweverRowsCome) {
  const Table table = draw(2000, 40);
  for (const bool coarse : {false, true}) {
    for (const Way way :
         {Way{}, Way{.units = ColumnUnits::kBlocks}, Way{.layout = {false, true}, .units = ColumnUnits::kShared}}) {
      const Answered whole = ask_outputs(table, coarse, way);
      for (const std::int64_t batch : {1, 70, 1111}) {
        for (const bool pinned : {false, true}) {
          const Answered parts = ask_outputs(table, coarse, {way.layout, batch, pinned, 3, way.units});
          expect_same(parts, whole);
          EXPECT_EQ(parts.first, whole.first);
        }
      }
      run_threads(3, [&](Comm& comm) {
        constexpr std::array<std::size_t, 4> kBegin = {0, 0, 900, 2000};
        const auto rank = static_cast<std::size_t>(comm.rank());
        expect_same(ask_outputs(table, coarse, way, comm, kBegin[rank], kBegin[rank + 1]), whole);
      });
    }
  }
}

/// Sums by sign are those of two questions with the other rows' factors 0; with a sum of squares beside them or not.
TEST(RowQuery, SumsBySignAreThoseOfRowsApart) {
  const Table table = draw(700, 40);
  for (const bool dense : {false, true}) {
    const Stored stored(table, {dense, false}, 0, table.rows);
    KnownRows known{.rows = table.rows, .threads = 2, .all_rows = static_cast<std::int64_t>(table.rows)};
    ColumnSurvey survey;
    survey.clear(table.columns);
    survey.add(stored.batch());
    FixedColumns fixed;
    fixed.set(survey, static_cast<double>(table.rows), 1);
    known.columns = &survey;
    known.fixed = &fixed;
    RowEngine engine;
    engine.set(known);
    const auto ask_for = [&](const std::vector<ColumnSum>& sums, double least, double most) {
      RowQuery query;
      query.sums = sums;
      query.function = [&](const ScoredRows& rows) {
        for (std::size_t r = 0; r < rows.rows; ++r) {
          double* factor = rows.factor + r * rows.stride;
          factor[0] = std::clamp(table.number[rows.first + r] - 0.25, least, most);
          for (std::size_t s = 1; s < rows.stride; ++s) factor[s] = 1;
        }
      };
      engine.begin(query);
      engine.add(stored.batch());
      return engine.end(*solo());
    };
    const RowAnswer positive = ask_for({{}, {.squares = true}}, 0, 1), negative = ask_for({{}}, -1, 0);
    for (const std::vector<ColumnSum>& sums : {std::vector<ColumnSum>{{.by_sign = true, .errors = true}},
                                               {{.by_sign = true, .errors = true}, {.squares = true}}}) {
      const RowAnswer both = ask_for(sums, -1, 1);
      for (std::size_t j = 0; j < table.columns; ++j) {
        EXPECT_EQ(both.sums[0].sum[2 * j], positive.sums[0].sum[j]);
        EXPECT_EQ(both.sums[0].sum[2 * j + 1], negative.sums[0].sum[j]);
        EXPECT_EQ(both.sums[0].errors[j], fixed.error(j, survey, FixedColumns::step(1)));
      }
      if (sums.size() == 1) continue;
      EXPECT_EQ(both.sums[1].sum, positive.sums[1].sum);
      EXPECT_EQ(both.sums[1].squares, positive.sums[1].squares);
    }
  }
}

TEST(RowQuery, CopiesTheRowsOfTheSubsetByColumns) {
  const Table table = draw(300, 12);
  const Stored stored(table, {false, true}, 0, table.rows);
  ColumnSurvey survey;
  survey.clear(table.columns);
  survey.add(stored.batch());
  RowEngine engine;
  engine.set({.rows = table.rows, .threads = 3});
  ColumnStore store;
  store.begin(survey.values);
  RowQuery query;
  query.copy = &store;
  query.rows = {RowSubset::Of::kNonzero, table.number};
  engine.begin(query);
  for (std::int64_t at = 0; at < 300; at += 100) engine.add(slice(stored.batch(), at, 100));
  engine.end(*solo());
  for (std::size_t j = 0; j < table.columns; ++j) {
    std::vector<double> expected, found;
    for (std::size_t i = 0; i < table.rows; ++i) {
      if (table.number[i] != 0 && table.at(i, j) != 0) expected.push_back(table.at(i, j));
    }
    for_each_entry(store.column(j), [&](std::uint32_t i, double x) {
      EXPECT_EQ(x, table.at(i, j));
      found.push_back(x);
    });
    EXPECT_EQ(found, expected) << j;
  }
}

TEST(RowQuery, ColumnsOfUnlikeSizesKeepTheirOwnUnits) {
  for (const double size : {1.0, 0x1p-9, 0x1p-24, 0x1p-27, 0x1p-40}) {
    ColumnSurvey survey;
    survey.greatest = {1, size, 0};
    survey.values = {1000, 1000, 0};
    FixedColumns fixed;
    fixed.set(survey, 1000, 1, ColumnUnits::kShared);
    EXPECT_EQ(fixed.shared(), size >= 0x1p-24) << size;
  }
  ColumnSurvey rare;  // one value in a column, 2^30 in the other
  rare.greatest = {1, 1};
  rare.values = {1, std::int64_t{1} << 30};
  FixedColumns fixed;
  fixed.set(rare, 0x1p30, 1, ColumnUnits::kShared);
  EXPECT_TRUE(fixed.shared());
  rare.greatest[0] = 0x1p-12;
  fixed.set(rare, 0x1p30, 1, ColumnUnits::kShared);
  EXPECT_FALSE(fixed.shared());
}

TEST(RowQuery, RowsThatWereNotAnnouncedAreRefused) {
  const Table table = draw(10, 4);
  const Stored stored(table, {}, 0, 10);
  RowEngine engine;
  std::vector<double> score(8);
  engine.set({.rows = 8});
  RowQuery query;
  query.scores = {{table.first, score}};
  engine.begin(query);
  EXPECT_THROW(engine.add(stored.batch()), Error);
}

}  // namespace
}  // namespace linsep
