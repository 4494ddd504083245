// Survey: the finder's first phase, one pass: labels, width, typical sizes of columns, hashes of rows, and a first
// round of signs.
//
// Leaves in the state: the rows, the scaling, the pairs that may conflict, the first row of each class. A hash and a
// byte per row, three numbers per raw column; given back at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "certify/conflicts.h"
#include "certify/finder/state.h"
#include "linsep/pass.h"

namespace linsep {

class Survey final : public Pass {
 public:
  explicit Survey(FinderState& state) : state_(state) {}

  void begin(const Shape& shape) override;
  /// Throws an input Error where a label is neither −1 nor +1.
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// After synchronise: what the first round of signs leaves.
  SignRound::Next next() const { return next_; }

 private:
  template <class Row>
  void look_at(const Row& x, std::int64_t number, double label);
  template <class Row>
  void hash(const Row& x, std::int64_t number, int sign);
  template <class Row>
  void measure(const Row& x);
  /// Rows have more features than was said before. Throws an input Error under a feature map.
  void widen(std::uint32_t features);
  void set_columns(std::uint32_t features);
  void choose_scales(Comm& comm);
  void find_conflicts(Comm& comm);

  FinderState& state_;
  RowHasher hasher_;
  // Per row of this worker.
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint8_t> side_;
  // Per raw column, of its values' binary exponents.
  std::vector<std::int64_t> exponent_sum_, exponent_count_, exponent_greatest_;
  SignRound::Next next_ = SignRound::Next::kPeel;
};

// Peel: the finder's second phase, a round of sign peeling (sign_peeling.h) per pass, until only the core is left.

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
