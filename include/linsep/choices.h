// Choices that several learners share.
#pragma once

namespace linsep {

/// The order in which a pass visits the rows.
enum class RowOrder {
  kGiven,     ///< in their given order
  kShuffled,  ///< each row once, in a new order in each pass
  kDrawn,     ///< drawn at random with replacement, as many as there are rows
};
/// The cost of a row's margin m: max(0, 1 − m), its square, or log(1 + e^−m). kSoftmax takes all classes together and
/// costs log Σ e^z_c less the score of the row's own class.
enum class Loss { kHinge, kSquaredHinge, kLogistic, kSoftmax };
/// The cost of weights: ½‖θ‖², ‖θ‖₁, or a mix ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖².
enum class PenaltyKind { kL2, kL1, kElasticNet };

}  // namespace linsep
