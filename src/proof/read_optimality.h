// An optimality proof with its numbers read and its shape checked: all that can be said of it without its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exact/number.h"
#include "linsep/optimality.h"
#include "proof/columns.h"
#include "proof/verify.h"

namespace linsep {

struct ExactClassifier {
  Vector weights;  ///< without the intercept, by ascending column, none of them 0
  Rational offset;
};

/// Weights of classes as whole numbers, `unit` of which make 1.
struct WholeClassWeights {
  std::vector<Integer> each = {};
  Integer unit = 1;
};

struct ReadOptimality {
  const OptimalityProof& file;
  Columns columns = {};
  Rational lambda = {}, weight[2] = {};   ///< weights: negative, positive
  WholeClassWeights class_weights = {};   ///< of one class against the rest, if they aren't those of the two sides
  std::uint32_t positive = 0;             ///< the number of that class, from 1; 0 of two classes
  std::optional<std::size_t> label = {};  ///< of several label columns, the place of the one that is asked about
  Rational offset_penalty = {}, l1_ratio = {}, witness_offset = {};
  ExactClassifier model = {};
  std::optional<ExactClassifier> reference = {};
  std::vector<std::size_t> between_before = {};  ///< how many shares are '*' before row 0, kShareRows, 2·kShareRows, …

  static constexpr std::size_t kShareRows = 64;

  /// (1 − ρ)/2
  Rational squares_share() const { return (Rational(Integer(1)) - l1_ratio) / Rational(Integer(2)); }
};

/// Throws a Refusal that names what the number is.
Rational read_number(const std::string& text, const char* what);

/// Throws a Refusal unless there is a weight above 0 for each class.
WholeClassWeights read_class_weights(const OptimalityProof& proof);

/// REQUIRES: `proof` outlives what is returned. Throws a Refusal.
ReadOptimality read_optimality(const OptimalityProof& proof);

/// The share of a row of a witness that lists them, in units of 2⁻⁴⁰. REQUIRES: row < proof.data.rows.
std::int64_t listed_share(const ReadOptimality& read, std::size_t row);

/// at_most − lower_by − at_least: what the best possible objective is above the dual solution's bound, at most.
Rational apart_of(const OptimalityProof& proof);

}  // namespace linsep
