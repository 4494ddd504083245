// Survey is the finder's first phase. In one pass it collects labels, width, typical sizes of columns, hashes of rows,
// and a first round of signs.
//
// It leaves the rows, the scaling, the pairs that may conflict and the first row of each class in the state. It takes a
// hash and a byte per row and three numbers per raw column, which are given back at the end.
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
  /// Throws an input Error if a label is neither −1 nor +1.
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// After synchronise: the outcome of the first round of signs.
  SignRound::Next next() const { return next_; }

 private:
  template <class Row>
  void look_at(const Row& x, std::int64_t number, double label);
  template <class Row>
  void hash(const Row& x, std::int64_t number, int sign);
  template <class Row>
  void measure(const Row& x);
  /// Call this if rows have more features than announced before. Throws an input Error under a feature map.
  void widen(std::uint32_t features);
  void set_columns(std::uint32_t features);
  void choose_scales(Comm& comm);
  void find_conflicts(Comm& comm);

  FinderState& state_;
  RowHasher hasher_;
  // For each row of this worker.
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint8_t> side_;
  // For each raw column, over its values' binary exponents.
  std::vector<std::int64_t> exponent_sum_, exponent_count_, exponent_greatest_;
  SignRound::Next next_ = SignRound::Next::kPeel;
};

// Peel is the finder's second phase. It makes a round of sign peeling (sign_peeling.h) per pass, until only the core is
// left.

class Peel final : public Pass {
 public:
  explicit Peel(FinderState& state) : state_(state) {}

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  /// Converges when nothing is left to peel.
  Verdict end_pass(Progress& progress) override;

  /// After synchronise: the outcome of the round.
  SignRound::Next next() const { return next_; }

 private:
  template <class Row>
  void look_at(const Row& x, std::int64_t number);

  FinderState& state_;
  SignRound::Next next_ = SignRound::Next::kPeel;
};

}  // namespace linsep
