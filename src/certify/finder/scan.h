// Scan is the finder's third phase if the core has few columns. CoreSearch (core_search.h) proposes weights, a pass
// scans all rows under them, and the worst rows join the working set. It ends when a scan finds every margin positive
// or at zero, when all rows are at zero, or when the caller wants to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certify/conflicts.h"
#include "certify/core_search.h"
#include "certify/finder/row_scan.h"
#include "certify/finder/state.h"
#include "core/bytes.h"
#include "linsep/pass.h"
#include "numeric/worst_rows.h"

namespace linsep {

class Scan final : public Pass {
 public:
  /// REQUIRES: the state's rounds of signs have reached the core.
  explicit Scan(FinderState& state);

  /// The work before the first pass: known witnesses, the sample, the first weights. Collective.
  void start(Comm& comm);
  /// The state between two passes. `resume` replaces `start` and restores it. The first pass then finds the rows of the
  /// working set again, and after it the search continues as before. `resume` throws an input Error. Collective.
  void save(ByteWriter& writer) const;
  void resume(ByteReader& reader, Comm& comm);
  bool finding_again() const { return !found_again_.empty(); }
  /// True if no further pass is wanted.
  bool done() const { return done_; }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  void add_to(Separability& found) const;

 private:
  /// What a scan gave the search.
  struct Step {
    std::vector<std::int64_t> rows;  ///< that joined the working set, in this order
    std::vector<std::uint64_t> hash;
    std::vector<std::int64_t> violated;
    bool floats_saw_none = false;  ///< on the wrong side
  };

  RowSide judge(const ExactRow& z);
  void add_sample();
  void take_step(const Step& step, const std::vector<WorkRow>& rows);
  void find_again(const Batch& batch);
  void take_steps_again(Comm& comm);
  void search(Comm& comm);
  void finish_scan(Comm& comm);
  void share_least(Comm& comm);
  void add_weights(Separability& found) const;
  void add_dependent(Separability& found) const;

  FinderState& state_;
  Comm* comm_ = nullptr;  ///< of the call under way, through which the search reads rows
  CoreSearch search_;
  RowScan rows_;
  WorstRows worst_;
  RowHasher hasher_;
  std::vector<Step> steps_;
  std::vector<WorstRows> found_again_;  ///< of each step. Not empty in the pass after `resume`
  /// The step of each of those rows and its place there.
  std::unordered_map<std::int64_t, std::vector<std::pair<std::size_t, std::size_t>>> wanted_;
  std::vector<std::uint64_t> at_zero_;   ///< rows that were, when `resume` was called
  std::optional<Rational> least_exact_;  ///< of the margins judged exactly, in the scan under way
  bool done_ = false;
  bool proven_ = false;     ///< nothing is open
  bool separates_ = false;  ///< the last weights separate some row
};

}  // namespace linsep
