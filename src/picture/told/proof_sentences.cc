// Verdict, witness and the least number of mistakes, in sentences.
#include <fmt/format.h>

#include <algorithm>

#include "picture/told/sentences.h"
#include "picture/words.h"

namespace linsep {
namespace {

using Proof = Picture::Proof;

std::string through_origin(const Told& told) { return told.picture.proof->origin ? " through the origin" : ""; }

/// "x1 and x2", "x1, x2, x3 and 4 more".
std::string infinite_names(const Proof& proof) {
  constexpr std::size_t kMost = 5;
  std::string text;
  const std::size_t shown = std::min(kMost, proof.infinite.size());
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) text += k + 1 == shown && shown == proof.infinite.size() ? " and " : ", ";
    text += proof.infinite[k].name;
  }
  if (shown < proof.infinite.size()) text += fmt::format(" and {} more", proof.infinite.size() - shown);
  return text;
}

std::string goes(const Proof& proof) { return proof.infinite.size() == 1 ? "goes" : "go"; }

std::string quasi_text(const Told& told) {
  const Proof& proof = *told.picture.proof;
  const std::string features = proof.infinite.empty() ? ""
                                                      : fmt::format(": {} {} to infinity in a logistic regression",
                                                                    infinite_names(proof), goes(proof));
  if (!proof.separated) return "Some rows can be separated, the others never.";
  return fmt::format("{} can be separated, the other {} never{}.", counted_text(*proof.separated, "row"),
                     count_text(proof.at_zero.value_or(0)), features);
}

std::string undecided_text(const Told& told) {
  const Proof& proof = *told.picture.proof;
  const std::string why = proof.stopped_because.empty() ? "" : ": " + proof.stopped_because;
  if (proof.witness_rows > 0) {
    return fmt::format("Not separable, as {} prove; whether some rows can be separated wasn't decided{}.",
                       counted_text(proof.witness_rows, "row"), why);
  }
  if (proof.margin_upper_bound) {
    return fmt::format("Not decided{}; no separator has a margin above {}.", why,
                       figure_text(*proof.margin_upper_bound));
  }
  return fmt::format("Not decided{}.", why);
}

/// Twice the margin, in words that say whether it is known.
std::string apart_text(const Proof& proof) {
  if (!proof.margin) return "";
  const std::string least = figure_text(2 * *proof.margin);
  const bool known = proof.margin_upper_bound && figure_text(2 * *proof.margin_upper_bound) == least;
  return fmt::format("the classes are {}{} apart", known ? "" : "at least ", least);
}

void tell_meaning(const Told& told) {
  const Proof& proof = *told.picture.proof;
  if (!proof.infinite.empty() && proof.verdict == "separable") {
    told.meaning("proof",
                 fmt::format("A logistic regression without a penalty has no finite estimate: the better it fits "
                             "these rows, the larger its coefficients. {} {} to infinity.",
                             infinite_names(proof), goes(proof)));
  } else if (!proof.infinite.empty()) {
    told.meaning("proof",
                 "A logistic regression without a penalty has no finite estimate of these coefficients; a "
                 "program that prints one stopped on the way.");
  } else if (proof.verdict == "overlapping") {
    told.meaning("proof", "A logistic regression has finite coefficients on these rows.");
  }
}

void tell_witness(const Told& told) {
  const Proof& proof = *told.picture.proof;
  if (proof.witness_rows == 0) return;
  if (!through_origin(told).empty()) {
    told.caption("proof",
                 "With these weights y·x of the rows sums to 0. A classifier that is right on all of them would "
                 "give that sum a score above 0, but its score is 0.");
  } else {
    told.caption("proof",
                 "The weighted mean of either class is the same point (◆): wherever a boundary runs, one of these "
                 "rows is on it or beyond.");
  }
  if (told.spec.no_rows) {
    told.note("proof", "The rows themselves are left out.");
  } else if (static_cast<std::int64_t>(proof.witness.size()) < proof.witness_rows && !proof.witness.empty()) {
    told.note("proof", fmt::format("The {} heaviest of {} are listed; the proof has them all.",
                                   count_text(static_cast<std::int64_t>(proof.witness.size())),
                                   counted_text(proof.witness_rows, "row")));
  }
}

void tell_least(const Told& told) {
  const Proof& proof = *told.picture.proof;
  if (!proof.mistakes_at_least || proof.verdict == "separable") return;
  const std::string least = counted_text(*proof.mistakes_at_least, "mistake");
  if (proof.mistakes_at_most == proof.mistakes_at_least) {
    told.headline("least", fmt::format("Every linear classifier makes at least {}, and one makes no more.", least));
  } else if (proof.mistakes_at_most) {
    told.headline("least", fmt::format("Every linear classifier makes at least {}; the best one found makes {}.", least,
                                       count_text(*proof.mistakes_at_most)));
  } else {
    told.headline("least", fmt::format("Every linear classifier makes at least {}.", least));
  }
  told.caption("least", "Solid: mistakes that no classifier can avoid. Hatched: not known.");
  if (!proof.packing.empty()) {
    told.note("least",
              "Every classifier is wrong on at least one row of each of these sets: look here first for wrong "
              "labels.");
  } else if (!told.spec.no_rows) {
    told.note("least", "`linsep certify --mistakes` proves how many more.");
  }
}

}  // namespace

std::string verdict_text(const Told& told) {
  if (!told.picture.proof) return "";
  const Proof& proof = *told.picture.proof;
  if (proof.verdict == "separable") {
    const std::string apart = apart_text(proof);
    return fmt::format("A linear classifier{} makes no mistake{}.", through_origin(told),
                       apart.empty() ? "" : "; " + apart);
  }
  if (proof.verdict == "overlapping") {
    return fmt::format("No linear classifier{} separates these rows: {} of them prove it.", through_origin(told),
                       count_text(proof.witness_rows));
  }
  return proof.verdict == "quasi-separable" ? quasi_text(told) : undecided_text(told);
}

void tell_proof(const Told& told) {
  if (!told.picture.proof) return;
  told.headline("proof", verdict_text(told));
  tell_meaning(told);
  tell_witness(told);
  tell_least(told);
}

}  // namespace linsep
