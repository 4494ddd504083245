// Scan: the finder's third phase where the core has few columns: CoreSearch (core_search.h) proposes weights, a pass
// scans all rows under them, and the worst rows join the working set. Ends when a scan finds every margin positive or
// at zero, when all rows are at zero, or when the caller wants to stop.
#pragma once

#include <cstdint>
#include <optional>

#include "certify/conflicts.h"
#include "certify/core_search.h"
#include "certify/finder/row_scan.h"
#include "certify/finder/separability.h"
#include "certify/finder/state.h"
#include "linsep/pass.h"
#include "numeric/worst_rows.h"

namespace linsep {

class Scan final : public Pass {
 public:
  /// REQUIRES: the state's rounds of signs have come to the core.
  explicit Scan(FinderState& state);

  /// What comes before the first pass: known witnesses, the sample, the first weights. Collective.
  void start(Comm& comm);
  /// No further pass is wanted.
  bool done() const { return done_; }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  void add_to(Separability& found) const;

 private:
  RowSide judge(const ExactRow& z);
  void add_sample();
  void search(Comm& comm);
  void finish_scan(Comm& comm);
  void share_least(Comm& comm);
  void add_weights(Separability& found) const;
  void add_dependent(Separability& found) const;

  FinderState& state_;
  Comm* comm_ = nullptr;  ///< of the call under way: what the search reads rows through
  CoreSearch search_;
  RowScan rows_;
  WorstRows worst_;
  RowHasher hasher_;
  std::optional<Rational> least_exact_;  ///< of the margins judged exactly, in the scan under way
  bool done_ = false;
  bool proven_ = false;     ///< nothing is open
  bool separates_ = false;  ///< the last weights separate some row
};

}  // namespace linsep
