// Two models on the same rows: what is counted and drawn, and the intervals that follow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/compare.h"
#include "linsep/train.h"
#include "numeric/paired_counts.h"
#include "train/evaluate/bootstrap.h"

namespace linsep {

/// Rows with their labels and scores, as one model has them.
struct LabeledScores {
  const Model& model;
  const Schema& schema;
  std::span<const double> labels, z;
};

/// Rows on which just one of two models is wrong, in three meanings of the word.
struct PairedMistakes {
  Discordant mistake;  ///< a tie with a wrong class counts, too
  Discordant wrong;    ///< another class is predicted
  Discordant missed;   ///< two classes: a positive row isn't predicted as such

  void add(const LabeledScores& first, const LabeledScores& second);
  void all_reduce(Comm& comm);
};

/// Throws an input Error that says why two models can't be compared, if they can't.
void check_comparable(const Model& model, const Model& against);
/// The number of this worker's first row, given how many it has. A collective call.
std::int64_t first_row_of(Comm& comm, std::int64_t rows);
/// The comparison of mistakes alone.
Comparison compare_mistakes(const PairedMistakes& mistakes, const Evaluation& model, const Evaluation& against);

/// Collects the bootstrap of all metrics, and makes the comparison.
class PairedDraws {
 public:
  PairedDraws(const Model& model, const Evaluation& own, const Model& against, const Evaluation& other,
              const EvaluateRequest& request, std::int64_t first_row);
  /// Whether there is a metric that needs it.
  bool needed() const { return needed_; }
  void add(const LabeledScores& model, const LabeledScores& against, int threads);
  void all_reduce(Comm& comm) { bootstrap_.all_reduce(comm); }
  Comparison comparison(const PairedMistakes& mistakes) const;

 private:
  /// Figures of one replicate that metrics are made of.
  struct Sample;
  Sample sample(std::size_t replicate) const;
  void add_bootstrapped(std::vector<MetricComparison>& metrics) const;

  const Model& model_;
  const Model& against_;
  const Evaluation& own_;
  const Evaluation& other_;
  double false_negative_, false_positive_;
  bool two_classes_, ranked_, likely_, needed_;
  std::array<std::vector<double>, 2> edges_;
  std::array<double, 2> scale_ = {1, 1};  ///< of the amounts in fixed point
  PairedBootstrap bootstrap_;
  std::vector<PairedRow> rows_;
};

/// Numbers before words, each in ascending order.
struct ValueOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};
Error too_many_groups();

}  // namespace linsep
