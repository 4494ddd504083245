// For tests of solvers that ask: an oracle that answers questions about a table's rows by plain loops in long double.
// It shares neither batches, threads nor units with RowEngine, and it can be wrong by as much as it says.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "learn/margin/task.h"
#include "learn/testing.h"
#include "numeric/row_query.h"

namespace linsep::testing {

class QueryOracle {
 public:
  /// Each vector of sums is wrong by `wrong` times its length.
  explicit QueryOracle(const Rows& rows, double wrong = 0) : rows_(rows), wrong_(wrong) {}

  /// What a solver may know of the rows. `task` has begun; its first pass is over afterwards.
  template <class Task>
  KnownRows survey(Task& task) const {
    const Packed packed(rows_);
    task.visit_labels(packed.batch());
    task.own_survey().add(packed.batch());
    task.end_survey(*solo());
    KnownRows known;
    known.rows = rows_.size();
    known.all_rows = static_cast<std::int64_t>(rows_.size());
    return known;
  }

  RowAnswer answer(const RowQuery& query) const {
    const std::size_t n = rows_.size();
    std::size_t stride = 0;
    std::vector<std::size_t> place;
    for (const ColumnSum& sum : query.sums) {
      place.push_back(stride);
      stride += sum.outputs;
    }
    place.push_back(stride);
    if (query.hessian != nullptr && query.hessian_of == query.sums.size()) ++stride;
    if (query.shares != nullptr) stride += query.shares->factors();
    std::vector<double> factor(n * stride), unkept;
    RowAnswer answer;
    answer.totals.resize(query.totals);
    const std::size_t outputs = query.scores.empty() ? 0 : query.scores[0].outputs;
    if (outputs > 0 && query.scores[0].score.empty()) unkept.resize(n * outputs);
    for (std::size_t i = 0; i < n; ++i) {
      if (!query.rows.holds(i)) continue;
      for (const RowScores& scores : query.scores) {
        const std::span<double> to = scores.score.empty() ? std::span(unkept) : scores.score;
        for (std::size_t c = 0; c < scores.outputs; ++c) to[i * scores.outputs + c] = score(i, scores, c);
      }
    }
    constexpr std::size_t kTogether = 7;
    for (std::size_t first = 0; query.function && first < n; first += kTogether) {
      query.function({first, std::min(kTogether, n - first), answer.totals, &answer.count,
                      factor.data() + first * stride, stride, place.data(),
                      unkept.empty() ? nullptr : unkept.data() + first * outputs, outputs});
    }
    for (std::size_t s = 0; s < query.sums.size(); ++s) {
      answer.sums.push_back(columns(query.sums[s], factor.data() + place[s], stride));
    }
    if (query.hessian != nullptr) add_hessian(query, factor.data() + place[query.hessian_of], stride);
    if (query.shares != nullptr) add_shares(query, factor.data(), stride);
    if (query.copy != nullptr) {
      query.copy->add(Packed(rows_).batch(), 0, [&](std::size_t i) { return query.rows.holds(i); });
    }
    return answer;
  }

 private:
  double score(std::size_t i, const RowScores& scores, std::size_t c) const {
    long double z = 0;
    for (std::size_t j = 0; j < rows_.features(); ++j) {
      z += static_cast<long double>(rows_.x[i][j]) * scores.weight[j * scores.outputs + c];
    }
    return static_cast<double>(z);
  }

  RowAnswer::Columns columns(const ColumnSum& sum, const double* factor, std::size_t stride) const {
    const std::size_t d = rows_.features(), outputs = sum.outputs;
    if (sum.by_sign) return columns_by_sign(factor, stride);
    RowAnswer::Columns columns;
    columns.sum.resize(sum.columns ? d * outputs : 0);
    columns.squares.resize(sum.squares ? d * outputs : 0);
    for (std::size_t c = 0; c < outputs; ++c) {
      double length = 0;
      long double ones = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) ones += factor[i * stride + c];
      if (sum.ones) columns.ones.push_back(static_cast<double>(ones));
      for (std::size_t j = 0; j < d && sum.columns; ++j) {
        long double one = 0, two = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          one += static_cast<long double>(factor[i * stride + c]) * rows_.x[i][j];
          two += static_cast<long double>(factor[i * stride + c]) * rows_.x[i][j] * rows_.x[i][j];
        }
        columns.sum[j * outputs + c] = static_cast<double>(one);
        if (sum.squares) columns.squares[j * outputs + c] = static_cast<double>(two);
        length += static_cast<double>(one * one);
      }
      columns.error = std::max(columns.error, wrong_ * std::sqrt(length));
    }
    for (std::size_t at = 0; at < columns.sum.size(); ++at) {
      columns.sum[at] += (at % 2 == 0 ? 0.99 : -0.99) * columns.error / std::sqrt(static_cast<double>(d));
    }
    if (sum.errors) columns.errors.assign(d, columns.error);
    return columns;
  }

  RowAnswer::Columns columns_by_sign(const double* factor, std::size_t stride) const {
    std::vector<double> apart;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      apart.push_back(std::max(factor[i * stride], 0.0));
      apart.push_back(std::min(factor[i * stride], 0.0));
    }
    RowAnswer::Columns both = columns({.outputs = 2}, apart.data(), 2);
    both.errors.assign(rows_.features(), 2 * both.error);
    return both;
  }

  std::vector<double> greatest() const {
    std::vector<double> most(rows_.features());
    for (const std::vector<double>& x : rows_.x) {
      for (std::size_t j = 0; j < most.size(); ++j) most[j] = std::max(most[j], std::abs(x[j]));
    }
    return most;
  }
  DenseRow<double> row(std::size_t i) const { return {rows_.x[i].data(), rows_.features()}; }

  void add_hessian(const RowQuery& query, const double* weight, std::size_t stride) const {
    query.hessian->begin(greatest(), query.hessian_bound, static_cast<std::int64_t>(rows_.size()), query.offset, 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      EXPECT_LE(weight[i * stride], query.hessian_bound);
      query.hessian->add(row(i), weight[i * stride], 0);
    }
    query.hessian->finish(*solo());
  }

  void add_shares(const RowQuery& query, const double* factor, std::size_t stride) const {
    long double curvature = 0;
    query.shares->begin(greatest(), query.hessian_bound, query.offset, 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double* share = factor + i * stride;
      double most = 0, all = 0;
      for (std::size_t c = 0; c + 1 < stride; ++c) {
        most = std::max(most, share[c] * (1 - share[c]));
        all += share[c];
      }
      const bool counts = share[stride - 1] > 0;
      EXPECT_NEAR(counts ? all : 1, 1, 1e-12);
      curvature += share[stride - 1] * most;
      query.shares->add(row(i), share, 0);
    }
    EXPECT_LE(curvature, query.hessian_bound * (1 + 1e-12L));
    query.shares->finish(*solo());
  }

  const Rows& rows_;
  double wrong_;
};

/// A solver with what it needs, from where the oracle has told it of the rows.
template <class Solver, class Task = SurveyedTask>
struct Asked {
  /// `facts`: what the task is made of, besides.
  template <class... Facts>
  Asked(const MarginSettings& settings, const QueryOracle& oracle, const Rows& rows, const Facts&... facts)
      : task(settings, facts...), solver(task) {
    task.begin({static_cast<std::int64_t>(rows.size()), static_cast<std::uint32_t>(rows.features()), -1});
    solver.begin();
    known = oracle.survey(task);
    solver.start(known, *solo());
  }
  /// The number of questions until it ends, and with which verdict.
  int ask(const QueryOracle& oracle, int most) {
    verdict = Verdict::kContinue;
    for (int questions = 1; questions <= most; ++questions) {
      verdict = solver.take(oracle.answer(solver.next()), *solo());
      if (verdict != Verdict::kContinue) return questions;
    }
    return most + 1;
  }
  /// Goes on from another's saved fields.
  void load_from(const Asked& other) {
    ByteWriter writer;
    other.task.save(writer);
    write_fields(writer, other.solver);
    ByteReader reader(writer.bytes());
    task.load(reader);
    read_fields(reader, solver);
    reader.end();
    solver.resume(known);
  }

  Task task;
  Solver solver;
  KnownRows known;
  Verdict verdict = Verdict::kContinue;
};

}  // namespace linsep::testing
