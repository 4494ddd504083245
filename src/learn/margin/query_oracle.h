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
  KnownRows survey(SurveyedTask& task) const {
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
    const std::size_t n = rows_.size(), sums = query.sums.size(), factors = query.factors();
    std::vector<double> factor(n * factors);
    RowAnswer answer;
    answer.totals.resize(query.totals);
    for (std::size_t i = 0; i < n; ++i) {
      if (!query.rows.holds(i)) continue;
      for (const RowScores& scores : query.scores) scores.score[i] = score(i, scores.weight);
    }
    constexpr std::size_t kTogether = 7;
    for (std::size_t first = 0; query.function && first < n; first += kTogether) {
      query.function({first, std::min(kTogether, n - first), answer.totals, &answer.count,
                      factor.data() + first * factors, factors});
    }
    for (std::size_t s = 0; s < sums; ++s) answer.sums.push_back(columns(query.sums[s], factor, factors, s));
    if (query.hessian != nullptr) add_hessian(query, factor);
    if (query.copy != nullptr) {
      query.copy->add(Packed(rows_).batch(), 0, [&](std::size_t i) { return query.rows.holds(i); });
    }
    return answer;
  }

 private:
  double score(std::size_t i, std::span<const double> weight) const {
    long double z = 0;
    for (std::size_t j = 0; j < weight.size(); ++j) z += static_cast<long double>(rows_.x[i][j]) * weight[j];
    return static_cast<double>(z);
  }

  RowAnswer::Columns columns(const ColumnSum& sum, std::vector<double> factor, std::size_t factors,
                             std::size_t s) const {
    const std::size_t d = rows_.features();
    RowAnswer::Columns columns;
    columns.sum.resize(d);
    columns.squares.resize(sum.squares ? d : 0);
    if (sum.by_sign) {
      std::vector<double> negative = factor;
      for (double& a : negative) a = std::min(a, 0.0);
      for (double& a : factor) a = std::max(a, 0.0);
      columns.negative = this->columns({.bound = sum.bound}, negative, factors, s).sum;
    }
    double length = 0;
    for (std::size_t j = 0; j < d; ++j) {
      long double one = 0, two = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        one += static_cast<long double>(factor[i * factors + s]) * rows_.x[i][j];
        two += static_cast<long double>(factor[i * factors + s]) * rows_.x[i][j] * rows_.x[i][j];
      }
      columns.sum[j] = static_cast<double>(one);
      if (sum.squares) columns.squares[j] = static_cast<double>(two);
      length += columns.sum[j] * columns.sum[j];
    }
    columns.error = wrong_ * std::sqrt(length);
    for (std::size_t j = 0; j < d; ++j) {
      columns.sum[j] += (j % 2 == 0 ? 0.99 : -0.99) * columns.error / std::sqrt(static_cast<double>(d));
    }
    if (sum.by_sign)
      columns.errors.assign(d, 2 * wrong_ * (std::sqrt(length) + std::sqrt(squared_length(columns.negative))));
    return columns;
  }

  void add_hessian(const RowQuery& query, const std::vector<double>& factor) const {
    std::vector<double> greatest(rows_.features());
    const auto weight = [&](std::size_t i) { return factor[i * query.factors() + query.hessian_of]; };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      EXPECT_LE(weight(i), query.hessian_bound);
      for (std::size_t j = 0; j < greatest.size(); ++j) greatest[j] = std::max(greatest[j], std::abs(rows_.x[i][j]));
    }
    query.hessian->begin(greatest, query.hessian_bound, static_cast<std::int64_t>(rows_.size()), query.offset, 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      query.hessian->add(DenseRow<double>{rows_.x[i].data(), greatest.size()}, weight(i), 0);
    }
    query.hessian->finish(*solo());
  }

  const Rows& rows_;
  double wrong_;
};

/// A solver with what it needs, from where the oracle has told it of the rows.
template <class Solver>
struct Asked {
  Asked(const MarginSettings& settings, const QueryOracle& oracle, const Rows& rows)
      : task(settings, nullptr), solver(task) {
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

  SurveyedTask task;
  Solver solver;
  KnownRows known;
  Verdict verdict = Verdict::kContinue;
};

}  // namespace linsep::testing
