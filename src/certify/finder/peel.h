// Peel: the finder's second phase, a round of sign peeling (sign_peeling.h) per pass, until only the core is left.
#pragma once

#include <cstdint>

#include "certify/finder/state.h"
#include "linsep/pass.h"

namespace linsep {

class Peel final : public Pass {
 public:
  explicit Peel(FinderState& state) : state_(state) {}

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  /// Converges when nothing is left to peel.
  Verdict end_pass(Progress& progress) override;

  /// After synchronise: what the round leaves.
  SignRound::Next next() const { return next_; }

 private:
  template <class Row>
  void look_at(const Row& x, std::int64_t number);

  FinderState& state_;
  SignRound::Next next_ = SignRound::Next::kPeel;
};

}  // namespace linsep
