#include "train/select/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/binned_sums.h"
#include "core/bytes.h"
#include "core/random.h"
#include "kernel/kernel.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"
#include "train/fit_many.h"

namespace linsep {
namespace {

struct HashedRow {
  std::uint64_t hash = 0;
  std::int64_t number = 0;
  std::uint32_t label = 0;
};

bool before(const HashedRow& a, const HashedRow& b) { return std::tie(a.hash, a.number) < std::tie(b.hash, b.number); }

/// The hashed rows of all workers, in order. Each gives its own in order.
std::vector<HashedRow> gather(std::span<const HashedRow> mine, Comm& comm) {
  if (comm.size() == 1) return {mine.begin(), mine.end()};
  ByteWriter writer;
  for (const HashedRow& row : mine) {
    writer.number(row.hash);
    writer.number(row.number);
    writer.number(row.label);
  }
  std::vector<HashedRow> all;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    for (ByteReader reader(bytes); !reader.at_end();) {
      HashedRow& row = all.emplace_back();
      row.hash = reader.number<std::uint64_t>();
      row.number = reader.number<std::int64_t>();
      row.label = reader.number<std::uint32_t>();
    }
  }
  std::sort(all.begin(), all.end(), before);
  return all;
}

std::vector<HashedRow> hashed_rows(std::span<const std::uint32_t> label, std::int64_t first_row, std::uint64_t seed) {
  constexpr std::uint64_t kFolds = 0x666f6c6473;  // another order than that in which the rows are visited
  const std::uint64_t key = keyed_hash(seed, kFolds);
  std::vector<HashedRow> rows;
  rows.reserve(label.size());
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::int64_t number = first_row + static_cast<std::int64_t>(i);
    rows.push_back({keyed_hash(key, static_cast<std::uint64_t>(number)), number, label[i]});
  }
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}

}  // namespace

std::vector<std::uint16_t> deal_folds(std::span<const std::uint32_t> label, std::int64_t first_row, std::int64_t count,
                                      std::uint64_t seed, Comm& comm) {
  constexpr std::uint64_t kAtATime = std::uint64_t{1} << 20;  // rows that a worker holds of all others'
  const std::int64_t rows_in_all = all_reduce_sum(comm, static_cast<std::int64_t>(label.size()));
  if (rows_in_all < count) {
    throw usage_error(fmt::format("{} folds need at least as many rows, but there are {}", count, rows_in_all));
  }
  const std::uint32_t greatest = label.empty() ? 0 : *std::max_element(label.begin(), label.end());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(all_reduce_max(comm, std::int64_t{greatest})) + 1);
  for (const std::uint32_t one : label) ++sizes[one];
  comm.all_reduce(std::span(sizes), Comm::Op::kSum);
  std::vector<std::int64_t> dealt(sizes.size());  // a label's rows follow those of the labels before it
  for (std::size_t k = 1; k < sizes.size(); ++k) dealt[k] = dealt[k - 1] + sizes[k - 1];

  const std::vector<HashedRow> mine = hashed_rows(label, first_row, seed);
  std::vector<std::uint16_t> fold(label.size());
  const int bits = comm.size() == 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(rows_in_all) / kAtATime);
  auto begin = mine.begin();
  for (std::uint64_t slice = 0; slice < std::uint64_t{1} << bits; ++slice) {
    const auto end = std::find_if(begin, mine.end(),
                                  [&](const HashedRow& row) { return bits > 0 && row.hash >> (64 - bits) > slice; });
    for (const HashedRow& row : gather(std::span(begin, end), comm)) {
      const std::int64_t place = dealt[row.label]++ % count;
      const std::int64_t at = row.number - first_row;
      if (at >= 0 && at < static_cast<std::int64_t>(fold.size())) {
        fold[static_cast<std::size_t>(at)] = static_cast<std::uint16_t>(place);
      }
    }
    begin = end;
  }
  return fold;
}

std::int64_t count_folds(std::span<const std::int32_t> fold, std::int64_t rows) {
  constexpr std::int32_t kMost = 1000;
  if (static_cast<std::int64_t>(fold.size()) != rows) {
    throw usage_error(fmt::format("there are {} rows, but folds for {}", rows, fold.size()));
  }
  std::vector<std::int64_t> size;
  for (const std::int32_t number : fold) {
    if (number < 0 || number >= kMost) {
      throw usage_error(fmt::format("fold numbers go from 0 to {}, not {}: each row is held out in exactly one fold",
                                    kMost - 1, number));
    }
    if (static_cast<std::size_t>(number) >= size.size()) size.resize(static_cast<std::size_t>(number) + 1);
    ++size[static_cast<std::size_t>(number)];
  }
  if (size.size() < 2) throw usage_error("at least two folds are needed");
  const auto empty = std::ranges::find(size, 0);
  if (empty != size.end()) throw usage_error(fmt::format("fold {} holds out no row", empty - size.begin()));
  return static_cast<std::int64_t>(size.size());
}

namespace {

struct Squares {
  ExactSum square;
  BinnedSums column;  // sums; empty: from the origin
};

std::uint32_t label_index(double y, const RowSurvey& survey, std::size_t indices, std::int64_t number) {
  if (survey.parts == 1) {
    if (y == 1 || y == -1) return y > 0 ? 1 : 0;
    throw input_error(fmt::format("row {}: the label must be −1 or +1, not {}", number + 1, y));
  }
  const auto index = static_cast<std::uint32_t>(y >= 0 && y < static_cast<double>(indices) ? y : 0);
  if (static_cast<double>(index) == y) return index;
  throw input_error(fmt::format("row {}: the label must be the index of a class, not {}", number + 1, y));
}

void survey_shard(Source& rows, const SurveyOptions& options, RowSurvey& survey, Squares& sums) {
  const auto count = static_cast<std::size_t>(rows.shape().rows);
  const Schema& schema = rows.schema();
  const std::size_t indices = schema.labels.empty() ? schema.classes.size() : schema.combinations.size();
  survey.label.resize(count);
  bool first = true;
  rows.rewind(0);
  while (const auto batch = rows.next()) {
    if (first) survey.first_row = batch->number_of(0);
    first = false;
    if (!batch->weight.empty() && survey.weight.empty()) survey.weight.assign(count, 1);
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const auto at = static_cast<std::size_t>(batch->number_of(i) - survey.first_row);
      survey.label[at] = label_index(batch->label[static_cast<std::size_t>(i)], survey, indices, batch->number_of(i));
      if (!survey.weight.empty()) survey.weight[at] = batch->weight_of(i);
      if (!options.square) return;
      sums.square.add(squared_norm(row));
      if (sums.column.size() == 0) return;
      for_each_entry(row, [&](std::uint32_t column, double value) { sums.column.add(column, value); });
    });
  }
}

/// The standard error of the mean of some values; 0 for fewer than two.
double spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  if (count < 2) return 0;
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  for (const double x : values) squares += (x - sum / count) * (x - sum / count);
  return std::sqrt(squares / (count - 1) / count);
}

/// y·z of a row by classifier number `part`.
double margin_of(const RowSurvey& survey, std::span<const double> score, std::size_t part, std::size_t row) {
  const double z = score[part * survey.rows() + row];
  return survey.positive(part, row) ? z : -z;
}

/// Label columns: in how many the row is wrong; else 1 where it is.
std::int64_t mistakes_of(const RowSurvey& survey, std::span<const double> score, std::size_t row) {
  std::int64_t mistakes = 0;
  if (survey.parts == 1 || !survey.combinations.empty()) {
    for (std::size_t part = 0; part < survey.parts; ++part) {
      if (survey.labelled(part, row) && !(margin_of(survey, score, part, row) > 0)) ++mistakes;
    }
    return mistakes;
  }
  const double own = score[survey.label[row] * survey.rows() + row];
  for (std::size_t part = 0; part < survey.parts; ++part) {
    if (part != survey.label[row] && !(own > score[part * survey.rows() + row])) return 1;
  }
  return 0;
}

struct FoldSums {
  ExactSum weight, loss;
};

}  // namespace

RowSurvey survey_rows(Source& rows, const SurveyOptions& options, Comm& comm) {
  RowSurvey survey;
  survey.parts = std::max<std::size_t>(part_count(rows.schema()), 1);
  survey.combinations = rows.schema().labels.empty() ? std::vector<std::string>() : rows.schema().combinations;
  Squares sums;
  if (options.square && !options.origin) sums.column.resize(rows.shape().features);
  rethrow_on_all(comm, [&] { survey_shard(rows, options, survey, sums); });
  survey.rows_in_all = all_reduce_sum(comm, static_cast<std::int64_t>(survey.rows()));
  if (!options.square) return survey;
  const std::array<ExactSum*, 1> square = {&sums.square};
  exact_all_reduce(comm, square);
  exact_all_reduce(comm, sums.column);
  double centre = 0;
  const auto n = static_cast<double>(std::max<std::int64_t>(survey.rows_in_all, 1));
  for (std::size_t k = 0; k < sums.column.size(); ++k) {
    const double mean = sums.column.value(k) / n;
    centre += mean * mean;
  }
  survey.square = std::max(0.0, sums.square.value() / n - centre);
  return survey;
}

double greatest_lambda(Source& rows, const RowSurvey& survey, const ClassWeights& classes,
                       const ObjectiveKind& objective, Comm& comm) {
  // v = Σ α_i·y_i·x_i at θ = 0, where α_i depends on the class alone.
  struct Part {
    std::array<double, 2> slope = {};  // of rows that are positive, of the others
    BinnedSums v;
  };
  std::vector<Part> parts(survey.parts);
  double weight = 0;
  for (std::size_t part = 0; part < survey.parts; ++part) {
    const auto by_side =
        exact_all_reduce_sums<2>(comm, survey.rows(), 1, [&](std::size_t i, std::array<ExactSum, 2>& sum) {
          sum[survey.positive(part, i) ? 0 : 1].add(survey.weight_in(part, i, classes));
        });
    weight = by_side[0] + by_side[1];
    const bool both = by_side[0] > 0 && by_side[1] > 0;
    if (!both && !objective.origin) continue;
    const double offset = objective.origin ? 0 : best_constant(objective.loss, by_side[0], by_side[1]);
    parts[part].slope = {loss_at(objective.loss, offset).slope / weight,
                         -loss_at(objective.loss, -offset).slope / weight};
    if (facts_of(objective.loss).smooth || objective.origin) continue;
    // At the bend of the heavier class's loss any slope between does: the one that balances the classes.
    const double least = std::min(by_side[0], by_side[1]);
    parts[part].slope = {least / by_side[0] / weight, -least / by_side[1] / weight};
  }
  for (Part& part : parts) part.v.resize(rows.shape().features);
  rethrow_on_all(comm, [&] {
    rows.rewind(0);
    while (const auto batch = rows.next()) {
      for_each_row(*batch, [&](const auto& row, std::int64_t at) {
        const auto i = static_cast<std::size_t>(batch->number_of(at) - survey.first_row);
        for (std::size_t part = 0; part < parts.size(); ++part) {
          const double a = survey.weight_in(part, i, classes) * parts[part].slope[survey.positive(part, i) ? 0 : 1];
          if (a != 0) for_each_entry(row, [&](std::uint32_t j, double x) { parts[part].v.add(j, a * x); });
        }
      });
    }
  });
  double greatest = 0;
  for (Part& part : parts) {
    exact_all_reduce(comm, part.v);
    for (std::size_t j = 0; j < part.v.size(); ++j) greatest = std::max(greatest, std::abs(part.v.value(j)));
  }
  // The least λ is this one but for rounding: a hair more keeps every weight at 0.
  return greatest / objective.penalty.l1_ratio * (1 + 1e-12);
}

double total_weight(const RowSurvey& survey, const ClassWeights& classes, Comm& comm) {
  // Of more than two classes every classifier's rows weigh the same.
  const std::size_t parts = survey.combinations.empty() ? 1 : survey.parts;
  double total = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto sides = exact_all_reduce_sums<2>(comm, survey.rows(), 1, [&](std::size_t row, auto& sums) {
      sums[survey.positive(part, row) ? 0 : 1].add(survey.weight_in(part, row, classes));
    });
    total += sides[0] + sides[1];
  }
  return total / static_cast<double>(parts);
}

std::int64_t count_mistakes(const RowSurvey& survey, std::span<const double> score, Comm& comm) {
  std::int64_t mistakes = 0;
  for (std::size_t row = 0; row < survey.rows(); ++row) {
    if (mistakes_of(survey, score, row) > 0) ++mistakes;
  }
  return all_reduce_sum(comm, mistakes);
}

HeldOut summarize_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes, Comm& comm) {
  const auto count = static_cast<std::size_t>(folds);
  const std::size_t trials_a_row = survey.combinations.empty() ? 1 : survey.parts;
  std::vector<FoldSums> sums(count);
  std::vector<std::int64_t> counts(2 * count);  // by fold: trials, mistakes
  for (std::size_t row = 0; row < survey.rows(); ++row) {
    for (std::size_t trial = 0; trial < trials_a_row; ++trial) counts[2 * fold[row]] += survey.labelled(trial, row);
    counts[2 * fold[row] + 1] += mistakes_of(survey, score, row);
    for (std::size_t part = 0; part < survey.parts; ++part) {
      const double weight = survey.weight_in(part, row, classes);
      sums[fold[row]].weight.add(weight);
      sums[fold[row]].loss.add(weight * loss_value(loss, margin_of(survey, score, part, row)));
    }
  }
  comm.all_reduce(std::span(counts), Comm::Op::kSum);
  FoldSums all;
  std::vector<double> errors, losses;
  double trials = 0, mistakes = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::array<ExactSum*, 2> both = {&sums[k].weight, &sums[k].loss};
    exact_all_reduce(comm, both);
    all.weight.add(sums[k].weight);
    all.loss.add(sums[k].loss);
    const auto tried = static_cast<double>(counts[2 * k]), wrong = static_cast<double>(counts[2 * k + 1]);
    trials += tried;
    mistakes += wrong;
    if (tried > 0) errors.push_back(wrong / tried);
    if (sums[k].weight.value() > 0) losses.push_back(sums[k].loss.value() / sums[k].weight.value());
  }
  const double weight = all.weight.value();
  return {mistakes / trials, spread_of(errors), weight > 0 ? all.loss.value() / weight : 0, spread_of(losses)};
}

std::vector<ScoredRow> scored_rows(const RowSurvey& survey, std::span<const double> score, std::size_t part,
                                   Comm& comm) {
  std::vector<ScoredRow> rows(survey.rows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = {score[part * survey.rows() + row], survey.positive(part, row) ? 1.0 : -1.0,
                 survey.labelled(part, row) ? survey.weight_of(row) : 0};
  }
  if (comm.size() == 1) return rows;
  ByteWriter writer;
  for (const ScoredRow& row : rows) {
    for (const double x : {row.score, row.label, row.weight}) writer.number(x);
  }
  rows.clear();
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    for (ByteReader reader(bytes); !reader.at_end();) {
      ScoredRow& row = rows.emplace_back();
      for (double* x : {&row.score, &row.label, &row.weight}) *x = reader.number<double>();
    }
  }
  return rows;
}

}  // namespace linsep
