#include "train/select/held_out.h"

#include <cmath>

#include "core/bytes.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

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
      if (!(margin_of(survey, score, part, row) > 0)) ++mistakes;
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

std::int64_t count_mistakes(const RowSurvey& survey, std::span<const double> score, Comm& comm) {
  std::int64_t mistakes = 0;
  for (std::size_t row = 0; row < survey.rows(); ++row) {
    if (mistakes_of(survey, score, row) > 0) ++mistakes;
  }
  return all_reduce_sum(comm, mistakes);
}

HeldOut summarise_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes, Comm& comm) {
  const auto count = static_cast<std::size_t>(folds);
  const std::int64_t trials_a_row = survey.combinations.empty() ? 1 : static_cast<std::int64_t>(survey.parts);
  std::vector<FoldSums> sums(count);
  std::vector<std::int64_t> counts(2 * count);  // by fold: trials, mistakes
  for (std::size_t row = 0; row < survey.rows(); ++row) {
    counts[2 * fold[row]] += trials_a_row;
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
    rows[row] = {score[part * survey.rows() + row], survey.positive(part, row) ? 1.0 : -1.0, survey.weight_of(row)};
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
