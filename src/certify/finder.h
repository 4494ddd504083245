// Finder: what every linear classifier could do on the rows, found under the one loop.
//
// Problem: z_i = y_i(φ(x_i), 1). Is there w with z_i·w > 0 for all i (separable); if not, one with all z_i·w ≥ 0 and
// one above 0 (quasi-separable); if not, the rows overlap. Method, a pass each: (1) a survey: signs, sizes and hashes
// of rows; (2) sign peeling (peel.h), a round a pass, until only the core is left; conflicting duplicates
// (duplicates.h) are witnesses at once; (3) scans: CoreSearch (separability_core.h) proposes weights, a pass computes
// every row's margin with a bound on its rounding and reading error, and the worst rows join the working set. A scan in
// which every margin is certainly positive is the proof. Rows that the bound leaves open are judged exactly, as
// written. Stops: proven, or `stop` said so. State: two bytes and a hash a row, a few numbers a column, the working
// set. The answer depends neither on the split into batches or shards nor on the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/conflicts.h"
#include "certify/core_search.h"
#include "certify/descent.h"
#include "certify/exact/rows.h"
#include "certify/row_scaling.h"
#include "certify/sign_peeling.h"
#include "linsep/learner.h"
#include "numeric/worst_rows.h"

namespace linsep {

struct FinderOptions {
  bool origin = false;
  FeatureMap map;
  /// Rows of this worker as they were written.
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
  /// The source was binary: a batch's values are the exact values.
  bool binary = false;
  StopFunction stop;  ///< asked now and then within long work; may be empty
};

/// What was found. A plain value.
struct Separability {
  bool complete = false;  ///< nothing is open: separable, or no w separates more rows than levels and weights do
  std::int64_t rows = 0;
  std::int64_t negatives = 0;     ///< rows with label −1
  std::int64_t peeled = 0;        ///< rows settled by signs
  std::int64_t left_at_zero = 0;  ///< rows that levels and weights leave at zero
  std::string ran_out;            ///< not complete: what ran out, where it wasn't time or the caller's patience
  std::vector<SignPeeler::Level> levels;
  /// Weights that separate all rows that are neither peeled nor at zero; empty when there is no such row, or none was
  /// found. By column, ascending, integers.
  std::vector<std::pair<std::uint32_t, Integer>> weights;
  /// A lower bound on the least margin z_i·w of `weights` (not divided by a norm). 0 without.
  Rational least_margin = 0;
  double radius = 0;  ///< max ‖φ(x_i)‖, rounded up; 0 before the first scan; infinite beyond the range of doubles
  std::vector<std::pair<std::int64_t, Integer>> witness;
  std::vector<std::int64_t> basis;  ///< rows of the witness, independent, that span all rows at zero; when complete
  /// Columns that on the rows at zero are sums of the columns not listed; when complete.
  struct Dependent {
    std::uint32_t column = 0;
    std::vector<std::pair<std::uint32_t, Rational>> sum;
  };
  std::vector<Dependent> dependent;
  /// Undecided: rows and weights that carry the least norm reached.
  std::vector<std::pair<std::int64_t, double>> support;
  std::vector<std::pair<std::int64_t, double>> any_pair;  ///< the first row of each class: they bound every margin
};

class Finder final : public Learner {
 public:
  explicit Finder(FinderOptions options);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override;
  /// A resumed run begins anew and comes to the same answer.
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

  Separability result() const;
  /// Pairs of rows that conflict, not yet checked exactly; after the survey.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& conflicts() const { return conflicts_; }
  const RowSpace& space() const { return scaling_.space; }
  const RowScaling& scaling() const { return scaling_; }
  /// Rows (ascending) exactly; every worker must call it with the same rows.
  std::vector<ExactRow> read_exactly(const std::vector<std::int64_t>& rows, Comm& comm) const;

 private:
  enum class Phase { kSurvey, kPeel, kDescend, kScan, kDone };
  enum RowBit : std::uint8_t { kLive = 1, kPositive = 2, kAtZero = 4 };

  template <class Row>
  void survey_row(const Row& x, std::int64_t number, double label);
  template <class Row>
  void peel_row(const Row& x, std::int64_t number);
  template <class Row>
  void scan_row(const Row& x, std::int64_t number);
  template <class Row>
  void descend_row(const Row& x, std::int64_t number);
  template <class Row>
  void see_signs(const Row& x, int sign);
  template <class Row>
  void sample_row(const Row& x, std::int64_t number);
  template <class Row>
  void measure_row(const Row& z, std::size_t at);
  template <class Row>
  void judge_row(const Row& x, std::int64_t number);
  std::size_t place_of(std::int64_t number) const;
  int sign_of(std::size_t at) const { return (state_[at] & kPositive) != 0 ? 1 : -1; }

  void end_survey(Comm& comm);
  void end_peel(Comm& comm);
  void begin_search(Comm& comm);
  void begin_descent(Comm& comm);
  void end_descent(Comm& comm);
  void end_descent_scan(Comm& comm);
  void add_descent(Separability& found) const;
  void end_scan(Comm& comm);
  void search_on(Comm& comm);
  void prepare_scan();
  void reset_scan();
  void share_extremes(Comm& comm);
  std::vector<std::pair<std::int64_t, double>> any_pair() const;
  void count_judged(const ExactRow& z);
  void judge_open_rows();
  void add_dependent(Separability& found) const;
  bool stopped_by_any(Comm& comm, bool mine) const;
  std::vector<std::int64_t> gather_rows(const std::vector<std::int64_t>& mine, Comm& comm, std::size_t limit) const;
  void choose_scales(Comm& comm);
  bool mapped() const { return options_.map.kind != FeatureMap::Kind::kNone; }

  FinderOptions options_;
  Phase phase_ = Phase::kSurvey;
  RowScaling scaling_;
  Shape shape_;

  // One entry for each row of this worker.
  std::int64_t first_row_ = 0;
  std::vector<std::uint8_t> state_;
  std::vector<std::int16_t> row_exponent_;
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint8_t> side_;

  // One entry for each raw column.
  std::vector<std::int64_t> exponent_sum_, exponent_count_, exponent_greatest_;

  SignPeeler peeler_;
  RowHasher hasher_;
  std::int64_t live_positive_ = 0, live_negative_ = 0;
  std::int64_t peeled_total_ = 0, negatives_ = 0, rows_ = 0;  ///< of all workers, once the survey has ended
  bool several_workers_ = false;
  std::string ran_out_;
  std::int64_t first_of_class_[2] = {-1, -1};
  std::int64_t zero_row_ = -1;  ///< the first row of zeros, through the origin
  std::vector<std::pair<std::int64_t, std::int64_t>> conflicts_;
  WorstRows sample_;

  std::unique_ptr<CoreSearch> search_;      ///< few columns: a working set and exact arithmetic
  std::unique_ptr<MarginDescent> descent_;  ///< many columns
  std::vector<std::uint32_t> all_columns_;  ///< of z, for the descent
  std::vector<double> descent_scaled_;
  IntegerVector descent_exact_;
  double least_share_ = 0;
  std::size_t most_entries_ = 0;
  std::vector<std::pair<std::int64_t, Integer>> pair_witness_;
  Comm* comm_ = nullptr;  ///< within synchronise
  bool done_ = false, proven_ = false, separated_any_ = false, scanned_ = false;

  // Of the scan under way.
  WorstRows worst_;
  ScanWeights scan_;
  double least_ = 0;
  std::optional<Rational> least_exact_;
  double greatest_squared_ = 0;
  std::int64_t not_positive_ = 0, scan_negative_ = 0, scan_positive_ = 0, scan_at_zero_ = 0;
  std::vector<std::int64_t> undecided_, violated_;
};

}  // namespace linsep
