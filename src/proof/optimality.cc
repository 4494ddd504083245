// The checker of optimality proofs: two bounds on an objective, in one pass over the rows as written; and the same pass
// to fill in a proof. read_optimality.h reads the proof, objective_sums.h adds up the rows, objective_bounds.h has the
// mathematics.
#include "linsep/optimality.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "core/parallel.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/leaves.h"
#include "proof/data_json.h"
#include "proof/digest.h"
#include "proof/exact_text.h"
#include "proof/joint_optimality.h"
#include "proof/leaves.h"
#include "proof/linear_form.h"
#include "proof/objective_bounds.h"
#include "proof/objective_sums.h"
#include "proof/read_optimality.h"
#include "proof/verify.h"

namespace linsep {
namespace {

constexpr int kDigits = 14;  ///< of a bound that is written

Certificate description(const OptimalityProof& proof) {
  Certificate about;
  about.origin = proof.origin;
  about.data = proof.data;
  return about;
}

/// The sums of rows that one thread has judged, and the first of them that can't be judged.
struct ThreadSums {
  explicit ThreadSums(const ReadOptimality& read) : row(read.columns, true, read.positive > 0 || read.label) {}

  CheckedRow row;
  std::optional<ObjectiveSums> sums = {};  ///< once there is a row
  std::int64_t bad_row = std::numeric_limits<std::int64_t>::max();
  std::optional<Refusal> problem = {};

  void add(const ObjectiveRows& rows, const std::string& leaf) {
    poll(200 + 2 * leaf.size());
    if (!sums) sums = rows.none();
    try {
      need(row.read(leaf), "the rows are of other classes or have features past the last");
      if (row.row() < bad_row) rows.add(row, *sums);
    } catch (const Refusal& refusal) {
      if (row.row() >= bad_row) return;
      bad_row = row.row();
      problem = refusal;
    }
  }
};

/// How rows are gone through: on so many threads, of one worker or of all.
struct RowPass {
  EachLeaf each_leaf;
  int threads = 1;
  Comm* comm = nullptr;
};

/// What is wrong with the first row of all workers that can't be judged: those of a worker come behind those of the
/// workers before it. Collective.
std::optional<Refusal> first_problem(const std::optional<Refusal>& mine, Comm& comm) {
  for (const std::string& problem : gathered(comm, mine ? mine->what() : "")) {
    if (!problem.empty()) return Refusal(problem);
  }
  return {};
}

ObjectiveBounds bounds_of(const OptimalityProof& proof, const RowPass& pass, bool follow) {
  if (is_joint(proof)) {
    if (pass.comm != nullptr) throw usage_error("a proof about softmax is checked by a single worker so far");
    return joint_bounds(proof, pass.each_leaf, pass.threads);
  }
  const ReadOptimality read = read_optimality(proof);
  const ObjectiveRows rows(read, follow);
  std::vector<ThreadSums> of_thread(static_cast<std::size_t>(thread_count(pass.threads)), ThreadSums(read));
  pass.each_leaf([&](const std::string& leaf, std::size_t thread) { of_thread[thread].add(rows, leaf); });
  // Only now: if the digest turns out to be another one, that is the better reason.
  const ThreadSums& worst = *std::ranges::min_element(of_thread, {}, &ThreadSums::bad_row);
  const auto problem = pass.comm == nullptr ? worst.problem : first_problem(worst.problem, *pass.comm);
  if (problem) throw Refusal(*problem);
  ObjectiveSums sums = rows.none();
  for (const ThreadSums& each : of_thread) {
    if (each.sums) add(sums, *each.sums);
  }
  if (pass.comm != nullptr) sums = sums_of_all(sums, *pass.comm);
  return bounds_of(read, rows, sums, follow);
}

/// Leaves of proofs about models have the rows' weights.
ProofOptions with_weights(ProofOptions options) {
  options.weights = true;
  return options;
}

/// The bounds of a proof that is being made. If all shares must be multiplied by a t < 1, they are made anew with t in
/// the witness: h(t·a) is more than t·h(a).
ObjectiveBounds bounds_to_seal(OptimalityProof& proof, const RowPass& pass) {
  proof.witness.scale = 0;
  const ObjectiveBounds bounds = bounds_of(proof, pass, false);
  const bool from_scores = proof.witness.offset || !proof.witness.offsets.empty();
  if (!from_scores || sign_of(bounds.shorter) <= 0 || bounds.shorter >= Rational(Integer(1))) return bounds;
  const Rational scaled = times_power_of_two(bounds.shorter, kShareBits);
  proof.witness.scale =
      static_cast<std::uint64_t>(approximate(Rational(floor_quotient(numerator(scaled), denominator(scaled)))));
  if (proof.witness.scale == 0) return bounds;
  return bounds_of(proof, pass, false);
}

/// A decimal of 14 digits at least (at most) the value, and a little more (less): other checkers round otherwise.
std::string rounded_text(const Rational& value, bool up) {
  if (sign_of(value) == 0) return "0";
  std::int64_t places = kDigits - 1 - std::ilogb(approximate(value)) * 301 / 1000;
  places = std::clamp<std::int64_t>(places, 0, 400);
  const Integer tens = power_of(10, static_cast<std::uint64_t>(places));
  const Rational scaled = value * Rational(tens);
  const Integer whole = up ? Integer(ceiling_quotient(numerator(scaled), denominator(scaled)) + 1)
                           : Integer(floor_quotient(numerator(scaled), denominator(scaled)) - 1);
  if (sign_of(whole) <= 0) return "0";
  std::string digits = to_text(whole);
  if (places == 0) return digits;
  if (digits.size() <= static_cast<std::size_t>(places))
    digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
  return digits;
}

/// What follows about the best possible classifier.
void add_following(const OptimalityProof& proof, ObjectiveBounds bounds, OptimalityCheck& result) {
  result.certain_labels = bounds.certain_labels;
  result.zeros = std::move(bounds.zeros);
  result.proven.push_back("the best possible classifier's label is certain for " +
                          std::to_string(result.certain_labels) + " of " + std::to_string(proof.data.rows) + " rows");
  if (proof.objective.l1_ratio == "0") return;
  result.proven.push_back(std::to_string(result.zeros.size()) + " of " + std::to_string(proof.data.features) +
                          " weights are 0 in every optimum");
}

OptimalityCheck checked(const OptimalityProof& proof, const RowPass& pass) {
  OptimalityCheck result;
  try {
    const Rational at_most = read_number(proof.at_most, "a bound"), at_least = read_number(proof.at_least, "a bound");
    ObjectiveBounds bounds = bounds_of(proof, pass, true);
    need(bounds.above <= at_most, "the model's objective may be higher than claimed");
    result.proven.push_back("the model's objective on these rows is at most " + proof.at_most);
    need(at_least <= bounds.below, "some classifier's objective may be lower than claimed");
    result.proven.push_back("no linear classifier's objective on these rows is below " + proof.at_least);
    if (proof.reference) {
      const Rational lower_by = read_number(proof.reference->lower_by, "a bound");
      need(sign_of(lower_by) >= 0, "the difference to the reference is below 0");
      if (sign_of(lower_by) > 0) {
        need(lower_by <= bounds.lower_by, "the reference's objective may be nearer to the model's than claimed");
        result.proven.push_back("some classifier's objective is lower by at least " + proof.reference->lower_by);
      }
    }
    if (!is_joint(proof)) add_following(proof, std::move(bounds), result);
    result.valid = true;
    result.reason = "the model is near the best possible one";
  } catch (const Refusal& refusal) {
    result.reason = refusal.what();
  }
  return result;
}

}  // namespace

double proven_gap(const OptimalityProof& proof) {
  if (!proof.parts.empty()) return proven_gap(worst_part(proof));
  const auto above = parse_exact(proof.at_most), below = parse_exact(proof.at_least);
  if (!above || !below) throw input_error("a bound is not an exact number");
  if (sign_of(*above) <= 0) return 0;
  return std::nextafter(approximate((*above - *below) / *above), std::numeric_limits<double>::infinity());
}

const OptimalityProof& worst_part(const OptimalityProof& proof) {
  return proof.parts.empty() ? proof : *std::ranges::max_element(proof.parts, {}, &proven_gap);
}

AboveBest above_best(const OptimalityProof& proof) {
  if (!proof.parts.empty()) return above_best(worst_part(proof));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto above = parse_exact(proof.at_most), below = parse_exact(proof.at_least);
  const auto by = parse_exact(proof.reference ? proof.reference->lower_by : "0");
  if (!above || !below || !by) throw input_error("a bound is not an exact number");
  AboveBest share = {0, kInfinity};
  // F ≤ `above` and the best possible objective ≤ F − `by`, so F is at least by/(F − by) above it.
  if (sign_of(*by) > 0 && *by < *above) {
    share.at_least = std::max(0.0, std::nextafter(approximate(*by / (*above - *by)), 0.0));
  }
  if (sign_of(*below) > 0) share.at_most = std::nextafter(approximate((*above - *below) / *below), kInfinity);
  return share;
}

namespace {

/// 2G/(λ(1 − ρ)): the square of how far a classifier can be from a best possible one if its objective is at most G
/// above. Nothing if the bounds contradict each other or nothing follows.
std::optional<Rational> squared_distance(const OptimalityProof& proof, const Rational& apart) {
  const Rational bend = read_number(proof.objective.lambda, "lambda") *
                        (Rational(Integer(1)) - read_number(proof.objective.l1_ratio, "the share of the L1 penalty"));
  if (sign_of(bend) <= 0 || sign_of(apart) < 0) return {};
  return Rational(Rational(Integer(2)) * apart / bend);
}

}  // namespace

double weights_within(const OptimalityProof& proof) try {
  if (!proof.parts.empty()) return std::ranges::max(proof.parts | std::views::transform(&weights_within));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto squared =
      squared_distance(proof, read_number(proof.at_most, "a bound") - read_number(proof.at_least, "a bound"));
  if (!squared) return kInfinity;
  double root = std::sqrt(approximate(*squared));
  while (std::isfinite(root) && Rational(root) * Rational(root) < *squared) root = std::nextafter(root, kInfinity);
  return root;
} catch (const Refusal& refusal) {
  throw input_error(refusal.what());
}

std::vector<int> certain_signs(const OptimalityProof& proof) try {
  std::vector<int> signs;
  for (const OptimalityProof& part : proof.parts) std::ranges::copy(certain_signs(part), std::back_inserter(signs));
  if (!proof.parts.empty()) return signs;
  const std::uint32_t block = is_joint(proof) ? joint_columns(proof).block : proof.data.features + 1;
  signs.resize(is_joint(proof) ? proof.data.features * proof.data.classes.size() : proof.data.features, 0);
  // The reference is nearer to the best possible one than the model, if its objective is lower.
  const bool by_reference = proof.reference && sign_of(read_number(proof.reference->lower_by, "a bound")) > 0;
  const ExactWeights& near = by_reference ? proof.reference->weights : proof.model;
  const auto squared = squared_distance(proof, apart_of(proof));
  if (!squared) return signs;
  for (const ColumnWeight& entry : near) {
    const std::uint32_t part = entry.column / block, column = entry.column % block;
    if (column == proof.data.features) continue;  // the intercept
    const Rational weight = read_number(entry.weight, "a weight");
    if (weight * weight > *squared) signs.at(std::size_t{part} * proof.data.features + column) = sign_of(weight);
  }
  return signs;
} catch (const Refusal& refusal) {
  throw input_error(refusal.what());
}

namespace {

void seal(OptimalityProof& proof, Source& data, Comm* comm, const ProofOptions& given, const Observer& observe) {
  const ProofOptions options = with_weights(given);
  const std::uint32_t features = proof.data.features;
  const auto check_features = [&](const DataDigest& digest) {
    if (digest.features == features) return;
    throw usage_error("the model has " + std::to_string(features) + " features, and these rows have " +
                      std::to_string(digest.features) + ": give the rows that it was trained on");
  };
  EachLeaf each_leaf;
  DataDigest digest = proof.data;
  if (proof.data.root.empty()) {
    const std::string positive = proof.data.positive;
    std::int64_t rows = count_rows(data);
    if (comm != nullptr) comm->all_reduce(std::span(&rows, 1), Comm::Op::kSum);
    proof.data = described_data(data.schema(), rows, features);
    if (!part_names(proof.data).empty()) proof.data.positive = positive;
    each_leaf = [&, positive](const LeafJudge& judge) {
      digest = digest_rows(data, comm, options, observe, judge);
      if (!part_names(digest).empty()) digest.positive = positive;
      check_features(digest);
    };
  } else {
    each_leaf = [&](const LeafJudge& judge) { check_rows(description(proof), data, comm, options, observe, judge); };
  }
  try {
    const ObjectiveBounds bounds = bounds_to_seal(proof, {each_leaf, options.threads, comm});
    proof.data = digest;
    proof.at_most = rounded_text(bounds.above, true);
    proof.at_least = rounded_text(bounds.below, false);
    if (proof.reference) {
      // Other checkers round otherwise: by 10⁻¹³ of the objective, which may be more than that of a small difference.
      proof.reference->lower_by = rounded_text(bounds.lower_by - bounds.above / Rational(power_of(10, 12)), false);
    }
  } catch (const Refusal& refusal) {
    throw usage_error(refusal.what());
  }
}

/// A proof with parts is valid if each of them is, and if there is one for each class or label column of the same rows.
OptimalityCheck check_parts(const OptimalityProof& proof,
                            const std::function<OptimalityCheck(const OptimalityProof& part)>& check) {
  OptimalityCheck result;
  const std::vector<std::string> names = part_names(proof.data);
  const bool labels = !proof.data.labels.empty();
  for (std::size_t c = 0; c < proof.parts.size(); ++c) {
    const OptimalityProof& part = proof.parts[c];
    DataDigest expected = proof.data;
    expected.positive = c < names.size() ? names[c] : "";
    if (names.size() != proof.parts.size() || part.data != expected || part.origin != proof.origin) {
      result.reason = labels ? "there isn't a part for each label column" : "there isn't a part for each class";
      return result;
    }
    const OptimalityCheck& found = result.parts.emplace_back(check(part));
    const std::string of_part =
        labels ? "of the label " + part.data.positive + ": " : "of " + part.data.positive + " against the rest: ";
    if (!found.valid) {
      result.reason = of_part + found.reason;
      return result;
    }
    for (const std::string& fact : found.proven) result.proven.push_back(of_part + fact);
  }
  result.valid = true;
  result.reason = "each classifier is near the best possible one";
  return result;
}

OptimalityCheck verify(const OptimalityProof& proof, Source& data, Comm* comm, const ProofOptions& given,
                       const Observer& observe) {
  const ProofOptions options = with_weights(given);
  if (!proof.parts.empty()) {
    return check_parts(proof, [&](const OptimalityProof& part) { return verify(part, data, comm, options, observe); });
  }
  const Certificate about = description(proof);
  const auto each_leaf = [&](const LeafJudge& judge) { check_rows(about, data, comm, options, observe, judge); };
  return checked(proof, {each_leaf, options.threads, comm});
}

/// nullptr of a single worker.
Comm* several(Comm& comm) { return comm.size() == 1 ? nullptr : &comm; }

}  // namespace

void seal_optimality(OptimalityProof& proof, Source& data, const ProofOptions& options, const Observer& observe) {
  seal(proof, data, nullptr, options, observe);
}

void seal_optimality(OptimalityProof& proof, Source& data, Comm& comm, const ProofOptions& options,
                     const Observer& observe) {
  seal(proof, data, several(comm), options, observe);
}

OptimalityCheck verify_optimality(const OptimalityProof& proof, Source& data, const ProofOptions& options,
                                  const Observer& observe) {
  return verify(proof, data, nullptr, options, observe);
}

OptimalityCheck verify_optimality(const OptimalityProof& proof, Source& data, Comm& comm, const ProofOptions& options,
                                  const Observer& observe) {
  return verify(proof, data, several(comm), options, observe);
}

OptimalityCheck verify_leaves(const OptimalityProof& proof, std::string_view leaves, const ProofOptions& options) {
  if (!proof.parts.empty()) {
    return check_parts(proof, [&](const OptimalityProof& part) { return verify_leaves(part, leaves, options); });
  }
  const Certificate about = description(proof);
  const auto each_leaf = [&](const LeafJudge& judge) {
    Deadline interrupt([&] { return options.interrupted(); });
    const auto visit = [&](const std::string& leaf) { judge(leaf, 0); };
    if (!interrupt.run([&] { check_leaf_text(about, leaves, visit, true); })) throw interrupted_error();
  };
  return checked(proof, {each_leaf});
}

}  // namespace linsep
