// RowQuery: one question to all rows, and its answer. Solvers ask; RowEngine alone knows how rows are stored, in which
// batches they come, on how many threads and workers, and in which units sums by column are kept.
//
// A question has three parts, each of which may be missing: scores of rows with some vectors; what a function makes of
// a few rows' scores, namely a factor for each sum and terms of totals; and sums over rows of factors times the row,
// by column. Or it asks for a copy of the rows by columns.
//
// The answer has the same bits however rows are stored in batches and spread over threads and workers: scores are those
// of `dot` (kernel/kernel.h), sums by column are in fixed point (fixed_point.h), Hessians in whole numbers
// (hessian_sums.h), totals exact (core/exact_sum.h). Rows go through a pass a few at a time: their scores, the
// function, then their sums, while they are in a cache. Dense rows of many columns go by blocks
// (kernel/dense_kernels.h). Rows that come in panels are summed as precisely as doubles are (panel_sums.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/exact_sum.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/column_store.h"
#include "numeric/dense_sums.h"
#include "numeric/fixed_point.h"
#include "numeric/gram.h"
#include "numeric/hessian_sums.h"
#include "numeric/panel_sums.h"
#include "numeric/row_blocks.h"
#include "numeric/share_hessian.h"

namespace linsep {

/// Scores of rows with a vector, or with one for each of several outputs, put where they are kept.
struct RowScores {
  std::span<const double> weight;  ///< of column j and output c at j·outputs + c
  std::span<double> score;         ///< by row of this worker and output. Empty: only the function gets them
  std::size_t outputs = 1;
};

/// out[c] = Σ_j x_j·weight[j·outputs + c], value by value.
template <class Row>
void output_scores(const Row& row, const double* weight, std::size_t outputs, double* __restrict out) {
  for (std::size_t c = 0; c < outputs; ++c) out[c] = 0;
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const double* of_column = weight + j * outputs;
    for (std::size_t c = 0; c < outputs; ++c) out[c] += x * of_column[c];
  });
}

/// Some rows whose scores are known. Rows are numbered from 0 on this worker.
struct ScoredRows {
  std::size_t first = 0, rows = 0;
  std::span<ExactSum> total;      ///< to add to
  std::int64_t* count = nullptr;  ///< to add to
  /// To be written: factor[r·stride + s] is by what row first + r is multiplied in sum s. If sums have several outputs,
  /// factors of sum s begin at place[s] instead.
  double* factor = nullptr;
  std::size_t stride = 0;
  const std::size_t* place = nullptr;
  /// Scores that aren't kept, output c of row first + r at r·score_stride + c. May be written to.
  double* score = nullptr;
  std::size_t score_stride = 0;
  const Batch* panel = nullptr;  ///< the rows, if they come in panels
  std::size_t slot = 0;          ///< of panels: those of a slot come from one thread at a time
};

/// Σ a_i·x_ij over rows i, by column j, with a_i the rows' factors. With several outputs each has a factor of its own,
/// and sums lie as weights do.
struct ColumnSum {
  double bound = 1;      ///< |a_i| ≤ c_i·bound, c_i being what KnownRows calls the row's cost
  bool squares = false;  ///< Σ a_i·x_ij² as well
  std::size_t outputs = 1;
  bool columns = true;  ///< false: nothing but Σ a_i, and no squares
  bool ones = false;    ///< Σ a_i as well, like that of a column of ones
  /// Rows with factors above 0 and those below 0 are summed apart, like two outputs. REQUIRES: one output, no rows in
  /// blocks, neither squares nor ones.
  bool by_sign = false;
  bool errors = false;  ///< Bounds of the errors by column as well. REQUIRES: no rows in blocks.

  std::size_t widths() const { return by_sign ? 2 : outputs; }
};

/// Which rows a question is about. Scores of others mean nothing afterwards.
struct RowSubset {
  enum class Of : std::uint8_t { kAll, kNonzero, kZero };
  Of of = Of::kAll;
  std::span<const double> number = {};  ///< by row: those where it is 0, or those where it isn't

  bool holds(std::size_t i) const {
    if (of == Of::kAll) return true;
    return (number[i] == 0) == (of == Of::kZero);
  }
};

struct RowQuery {
  /// REQUIRES: one that has several outputs or isn't kept is the only one.
  std::vector<RowScores> scores = {};
  RowSubset rows = {};
  /// Called for a few rows at a time, from several threads. REQUIRES: factors of rows outside of the subset are 0.
  std::function<void(const ScoredRows& rows)> function = {};
  std::vector<ColumnSum> sums = {};
  /// Of sums for a direction, which need fewer digits: units are 2^10 times as large (not in blocks, whose units are
  /// large anyway), so that several outputs are rounded at once. REQUIRES: no squares.
  bool coarse = false;
  std::size_t totals = 0;
  /// Σ a_i·x_i·x_iᵀ, a_i being the factors of sum `hessian_of`, or if that is their number, factors behind those of all
  /// sums; they are between 0 and `hessian_bound`. It is finished in the answer.
  HessianSums* hessian = nullptr;
  std::size_t hessian_of = 0;
  double hessian_bound = 0;
  /// Of rows in panels: Σ a_i·x_i·x_iᵀ, a_i ≥ 0 being the factors of these outputs of the last sum.
  std::vector<std::size_t> matrices = {};
  /// Finished in the answer, too. Its rows' factors are those behind all sums, and `hessian_bound` bounds its
  /// curvature. REQUIRES: nothing else is asked for.
  ShareHessian* shares = nullptr;
  bool offset = false;  ///< Hessians have an offset; the sample's columns are centred
  /// Draws its sample from these rows on the way.
  GramPreconditioner* sample = nullptr;
  /// Looks at the columns: what is found is added, for this worker's rows.
  ColumnSurvey* survey = nullptr;
  /// Takes a copy of this worker's rows in the subset. Nothing else is asked for then.
  ColumnStore* copy = nullptr;
};

struct RowAnswer {
  struct Columns {
    std::vector<double> sum, squares;  ///< by column and output
    std::vector<double> ones = {};     ///< by output
    double error = 0;  ///< bounds the length of the vector of errors that cutting off makes in an output's `sum`
    std::vector<double> errors = {};  ///< by column: bounds the error of each output; by sign of both together
  };
  std::vector<Columns> sums = {};     ///< over all workers' rows
  std::vector<ExactSum> totals = {};  ///< likewise
  std::vector<SymmetricMatrix> matrices = {};
  std::int64_t count = 0;  ///< over this worker's rows
};

/// What is known of the rows before a question: nothing but how many there are in a pass that surveys them.
struct KnownRows {
  std::size_t rows = 0;  ///< of this worker
  std::int64_t first_row = 0;
  int threads = 1;
  std::int64_t all_rows = 0;  ///< of all workers
  const ColumnSurvey* columns = nullptr;
  const FixedColumns* fixed = nullptr;  ///< units, set for the rows' costs c_i ≥ 0
  bool blocks = false;                  ///< all rows are dense and go by blocks, for which the units are
  const FixedColumns* ones = nullptr;   ///< likewise of a column of ones, for sums that ask for it
  /// Not 0: rows come in panels and have so many columns, dense doubles. A batch holds whole panels, the last of which
  /// may be short. Scores aren't kept, no units are needed, and one sum at most has columns, the first.
  std::size_t panel_columns = 0;
};

class RowEngine {
 public:
  /// Whether dense rows should go by blocks.
  static bool suits_blocks(const ColumnSurvey& columns, double costs);

  void set(const KnownRows& known) { known_ = known; }
  const KnownRows& known() const { return known_; }

  /// Begins a pass. REQUIRES: what the query refers to lives until the pass has ended.
  void begin(RowQuery query);
  bool begun() const { return begun_; }
  const RowQuery& query() const { return query_; }
  void add(const Batch& batch);
  /// Ends the pass: all rows have been added. Polls.
  RowAnswer end(Comm& comm);
  /// Gives the pass up.
  void drop() { begun_ = false; }

  // A pass that many share (learn/wide_pass.h). Somebody else makes the scores and the sums.

  /// REQUIRES: begun, with rows in blocks.
  bool shareable() const;
  void share(std::size_t slots);
  /// What the factors of a sum are multiplied by to get units.
  double step(std::size_t sum) const { return step_[sum]; }
  void take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot, const double* score,
                   std::size_t score_stride, double* factor, std::size_t factor_stride);
  void take_units(std::size_t sum, const std::int64_t* units, std::size_t stride);

 private:
  /// What one thread adds up.
  struct Slot {
    std::vector<std::int64_t> units;  // by column: those of each sum, then of squares; behind them those of ones
    std::vector<DenseSums> dense_sum, dense_square;  // by sum; of blocks
    std::vector<ExactSum> totals;
    std::int64_t count = 0;
    std::vector<double> factor, score, scaled, scratch;
    PanelSums panels;
    ColumnSurvey survey;
  };

  std::size_t index_of(const Batch& batch) const { return place_of(batch, known_.first_row, known_.rows); }
  std::size_t outputs_of_scores() const { return query_.scores.empty() ? 0 : query_.scores[0].outputs; }
  bool in_panels() const { return known_.panel_columns > 0; }
  void begin_panels();
  void add_panels(const Batch& batch);
  void process_panel(const Batch& panel, std::size_t slot);
  void end_panels(RowAnswer& answer, Comm& comm);
  void process(const Batch& batch, std::size_t slot);
  void process_rows(const Batch& batch, std::size_t slot);
  template <class V>
  void process_block(const DenseBlock<V>& block, std::size_t first, std::size_t slot);
  void lay_out();
  template <class Row>
  void score(const Row& row, std::size_t i, std::size_t at, Slot& slot);
  template <class V>
  void score_block(const DenseBlock<V>& block, std::size_t first, Slot& slot);
  void call(std::size_t first, std::size_t rows, Slot& slot, double* factor, std::size_t stride,
            std::size_t score_stride);
  void add_ones(const double* factor, Slot& slot) const;
  void add_rows(const Batch& rows, Slot& slot) const;
  template <class ScaleOf>
  void add_any(const Batch& rows, Slot& slot, ScaleOf scale_of) const;
  template <std::size_t Sums, bool Squares, class ScaleOf>
  void add_rows(const Batch& rows, Slot& slot, ScaleOf scale_of) const;
  void add_by_sign(const Batch& rows, Slot& slot) const;
  void add_hessian(const Batch& rows, std::size_t slot);
  RowAnswer::Columns columns_of(std::size_t sum) const;
  void flush(Slot& slot) const;

  KnownRows known_;
  RowQuery query_;
  bool begun_ = false;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  std::vector<bool> zero_;    // by vector: all its weights are 0, and so are scores
  PackedWeights packed_;      // of several outputs, for blocks
  std::size_t outputs_ = 1;   // the most of any scores or sum
  std::vector<double> step_;  // by sum
  // By sum: where its factors stand in a row's; its units, and those of its squares, in a column's; those of ones.
  std::vector<std::size_t> factor_place_, place_, square_place_, ones_place_;
  std::size_t stride_ = 0;              // factors of a row
  std::size_t linear_ = 0, width_ = 0;  // units of a column: of sums, of these and squares
  std::size_t ones_ = 0;                // units of ones
};

}  // namespace linsep
