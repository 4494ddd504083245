// Finder: what every linear classifier could do on the rows, found under the one loop.
//
// Problem: z_i = y_i(φ(x_i), 1). Is there w with z_i·w > 0 for all i (separable); if not, one with all z_i·w ≥ 0 and
// one above 0 (quasi-separable); if not, the rows overlap. Method: phases, each a Pass that the finder forwards to:
// survey.h: one pass, then rounds of peeling until only the core is left; then scan.h, or descend.h where the core has
// many columns. Stops: proven, or out of time. State: state.h; three bytes and a hash per row, a few numbers per
// column, the working set. What is found depends neither on the split into batches or shards nor on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certify/finder/descend.h"
#include "certify/finder/scan.h"
#include "certify/finder/state.h"
#include "certify/finder/survey.h"
#include "linsep/pass.h"

namespace linsep {

class Finder final : public Pass {
 public:
  explicit Finder(FinderOptions options);

  /// `then` is called once, when the survey has ended: conflicts and scaling are known, and no pass is under way.
  /// Collective.
  void after_survey(std::function<void()> then) { after_survey_ = std::move(then); }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// What passes have made of it, between two of them. Of the first two phases nothing is kept: after `begin` and
  /// `load` as many passes are to be made as `catching_up` asks for, and then the finder is where this one was.
  /// Throws an input Error where the bytes aren't a finder's, and in those passes where they don't fit the rows.
  /// REQUIRES of `save`: not catching up.
  std::string save() const;
  void load(const std::string& bytes);
  bool catching_up() const { return saved_ != Saved::kNothing || passes_ < passes_before_; }

  /// Whatever ended it: what is known by then.
  Separability result() const;
  /// Whether levels and weights of a complete result separate a row of this worker.
  bool separates(const Separability& found, std::int64_t row) const;
  /// Pairs of rows that conflict, not yet checked exactly; after the survey.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& conflicts() const { return state_.conflicts; }
  const RowSpace& space() const { return state_.scaling.space; }
  const RowScaling& scaling() const { return state_.scaling; }
  /// Rows (ascending) of this worker exactly.
  std::vector<ExactRow> read_own(const std::vector<std::int64_t>& rows) const;
  /// Rows (ascending) exactly; every worker must call it with the same rows.
  std::vector<ExactRow> read_exactly(const std::vector<std::int64_t>& rows, Comm& comm) const;

 private:
  /// The phase that a saved state is of.
  enum class Saved : std::uint8_t { kNothing, kScan, kDescend };

  Pass* after_signs(SignRound::Next next, Comm& comm);
  template <class Phase>
  Pass* started(std::optional<Phase>& phase, Saved kind, Comm& comm);

  FinderState state_;
  std::function<void()> after_survey_;
  Shape shape_;
  Survey survey_;
  Peel peel_;
  bool all_peeled_ = false;
  std::size_t levels_counted_ = 0;  ///< levels whose rows were counted, and the rows that they leave
  std::optional<std::int64_t> rows_left_;
  std::optional<Scan> scan_;
  std::optional<Descend> descend_;
  Saved saved_ = Saved::kNothing;  ///< the phase that is still to be resumed
  std::string saved_state_;
  std::int64_t passes_ = 0,
               passes_before_ = 0;  ///< made here, and by a finder that saved its state in the first phases
  Pass* phase_ = nullptr;           ///< of the pass under way
  Pass* next_ = nullptr;            ///< of the pass to come; nullptr: none is wanted
};

}  // namespace linsep
