// Descend: the finder's third phase where the core has too many columns for a working set with exact arithmetic: passes
// of coordinate descent (descent.h), and a scan under its weights when they deserve one. Where it goes on for long, a
// witness is looked for once (sparse_finish.h). Ends when a scan finds every margin positive, when a witness is at
// hand, or when passes or the caller's patience run out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "certify/descent.h"
#include "certify/exact/witness.h"
#include "certify/finder/row_scan.h"
#include "certify/finder/separability.h"
#include "certify/finder/sparse_finish.h"
#include "certify/finder/state.h"
#include "core/bytes.h"
#include "linsep/pass.h"

namespace linsep {

class Descend final : public Pass {
 public:
  /// REQUIRES: the state's rounds of signs have come to the core.
  explicit Descend(FinderState& state);

  /// What comes before the first pass: whether single rows or pairs are a witness. Collective.
  void start(Comm& comm);
  /// What passes have made of it; and in place of `start`, as it was then. `resume` throws an input Error. Collective.
  void save(ByteWriter& writer) const;
  void resume(ByteReader& reader, Comm& comm);
  /// No further pass is wanted.
  bool done() const { return done_; }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  void add_to(Separability& found) const;

 private:
  RowSide judge(const ExactRow& z);
  void end_descent(Comm& comm);
  void end_scan(Comm& comm);
  void begin_gathering();
  void begin_scan();
  void end_gathering(Comm& comm);
  void end_with_witness();
  void add_weights(Separability& found) const;
  void add_span(Separability& found) const;
  IntegerVector unscaled(std::vector<double> scaled, double* unit) const;

  FinderState& state_;
  std::optional<MarginDescent> descent_;
  RowScan rows_;
  std::vector<std::uint32_t> columns_;  ///< of z, all
  std::vector<double> scaled_;          ///< the weights of the last scan, for scaled columns
  IntegerVector exact_;                 ///< the same, unscaled, up to a positive scale
  double least_share_ = 0;              ///< of the last scan: a row's margin per size is at least this; 0: not known
  std::optional<SparseFinish> finish_;
  Witness witness_;
  std::vector<std::int64_t> basis_;  ///< rows of the witness that span all live rows; or none
  std::string ran_out_;
  bool several_workers_ = false;
  enum class Doing : std::uint8_t { kDescent, kScan, kGathering } doing_ = Doing::kDescent;
  bool scanned_ = false, done_ = false, proven_ = false;
};

}  // namespace linsep
