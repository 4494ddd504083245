// Finder finds what linear classifiers can achieve on the rows. It runs under the one loop.
//
// Problem: z_i = y_i(φ(x_i), 1). Is there w with z_i·w > 0 for all i (separable)? If not, is there one with all
// z_i·w ≥ 0 and one above 0 (quasi-separable)? If not, the rows overlap.
// Method: Phases, each a Pass that the finder forwards to. survey.h makes one pass, then rounds of peeling until only
// the core is left. Then comes scan.h, or descend.h if the core has many columns.
// Stops: When the answer is proven, or time runs out.
// State: state.h, with three bytes and a hash per row, a few numbers per column, and the working set. What is found
// depends neither on the split into batches or shards nor on the machine.
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

  /// `then` is called once, when the survey has ended. At that point conflicts and scaling are known, and no pass is
  /// under way. Collective.
  void after_survey(std::function<void()> then) { after_survey_ = std::move(then); }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// The state between two passes. Nothing of the first two phases is kept. After `begin` and `load` as many passes are
  /// to be made as `catching_up` asks for, and then the finder is where this one was.
  /// Throws an input Error if the bytes aren't a finder's, or in those passes if they don't fit the rows.
  /// REQUIRES of `save`: not catching up.
  std::string save() const;
  void load(const std::string& bytes);
  bool catching_up() const { return saved_ != Saved::kNothing || passes_ < passes_before_; }

  /// What is known so far, whatever ended the search.
  Separability result() const;
  /// Whether levels and weights of a complete result separate a row of this worker.
  bool separates(const Separability& found, std::int64_t row) const;
  /// Pairs of rows that conflict, not yet checked exactly. Available after the survey.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& conflicts() const { return state_.conflicts; }
  const RowSpace& space() const { return state_.scaling.space; }
  const RowScaling& scaling() const { return state_.scaling; }
  /// Reads rows (ascending) of this worker exactly.
  std::vector<ExactRow> read_own(const std::vector<std::int64_t>& rows) const;
  /// Reads rows (ascending) exactly. Every worker must call it with the same rows.
  std::vector<ExactRow> read_exactly(const std::vector<std::int64_t>& rows, Comm& comm) const;

 private:
  /// The phase of a saved state.
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
  Pass* next_ = nullptr;            ///< of the pass to come, or nullptr if none is wanted
};

}  // namespace linsep
