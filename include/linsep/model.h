// Model is what training leaves behind. It is a plain value with data only, and the same model is the same file.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/batch.h"
#include "linsep/limits.h"
#include "linsep/map.h"
#include "linsep/options.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/stop_reason.h"
#include "linsep/table/map.h"

namespace linsep {

/// A kernel function K(x, x′) of the dual form.
struct Kernel {
  enum class Kind { kLinear, kPolynomial, kGaussian };
  Kind kind = Kind::kLinear;
  int degree = 2;  ///< kPolynomial: (x·x′ + constant)^degree
  double constant = 1;
  double gamma = 1;  ///< kGaussian: exp(−gamma·‖x − x′‖²)

  bool operator==(const Kernel&) const = default;
};

/// Rows kept inside a model, sparse, in the order in which a perceptron made mistakes on them or by row number.
struct KeptRows {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  std::size_t size() const { return start.size() - 1; }
  SparseRow<double> row(std::size_t i) const {
    return {column.data() + start[i], value.data() + start[i], start[i + 1] - start[i]};
  }
  bool operator==(const KeptRows&) const = default;
};

/// How scores become probabilities.
struct Calibration {
  enum class Kind {
    kNone,      ///< scores are not probabilities
    kSigmoid,   ///< P(positive) = 1/(1 + e^−(slope·z + offset))
    kIsotonic,  ///< straight lines between the knots (score, probability), constant outside
    kSoftmax,   ///< of several classes: P(c) = e^z_c / Σ e^z
  };
  Kind kind = Kind::kNone;
  double slope = 1, offset = 0;     ///< kSigmoid
  std::vector<double> score;        ///< kIsotonic: ascending
  std::vector<double> probability;  ///< kIsotonic: one for each score, never falling, within 0 … 1

  bool operator==(const Calibration&) const = default;
};

/// The probability of the positive class at score z. REQUIRES: calibration.kind is not kNone.
double positive_probability(const Calibration& calibration, double z);
/// −log of the probability of class y (−1 or +1) at score z. Never infinite, because a probability counts as at least
/// 2⁻¹⁰²².
double log_loss(const Calibration& calibration, double z, double y);

/// How the run that made a model went, by that run's own account. A file can be edited, and nothing here is checked
/// when it is read. `linsep verify` checks a model on its rows.
struct TrainingRecord {
  std::optional<StopReason> stopped = {};  ///< not set if not known, as for a model that was put together by hand
  std::optional<double> objective = {};    ///< with several classifiers their sum
  std::optional<double> bound = {};        ///< no classifier's objective is lower, as computed in training
  std::optional<double> gap = {};          ///< (objective − bound)/objective, with several classifiers the largest
  std::string root = {};                   ///< of the training rows, as in proofs, or "" if none was computed

  bool operator==(const TrainingRecord&) const = default;
};

/// A linear classifier z = θ·φ(x) + θ0, its dual form, or its voted form.
struct Model {
  enum class Form {
    kLinear,   ///< z = theta·φ(x) + offset
    kDual,     ///< z = Σ_i coefficient[i]·K(kept row i, φ(x)) + offset
    kVoted,    ///< z = Σ_k votes[k]·sign(z_k), z_0 by theta and offset, z_k = z_{k−1} + coefficient[k−1]·(x_k·φ(x) + 1)
    kClasses,  ///< a score for each class, z_c = theta_c·φ(x) + offsets[c]. The largest wins, the first of equals
    kLabels,   ///< likewise a score for each label column, each positive or negative by itself
  };

  std::string learner;  ///< the name of the learner that made it
  Options options;      ///< and its options, complete
  Form form = Form::kLinear;
  bool origin = false;         ///< the classifier was asked to go through the origin (offset 0)
  bool regression = false;     ///< z itself is the prediction
  Schema schema;               ///< classes, names of the raw features and of label columns. No combinations
  std::uint32_t features = 0;  ///< raw features, or of a table the encoded ones
  TableMap table;              ///< from a table's columns to features, or empty if columns are features
  FeatureMap map;
  std::vector<double> theta;  ///< over mapped features, empty in dual form. kClasses and kLabels: theta_0, theta_1, …
  double offset = 0;
  std::vector<double> offsets;      ///< with kClasses and kLabels one for each score, and `offset` is 0
  Kernel kernel;                    ///< kDual
  KeptRows kept;                    ///< kDual: rows with a coefficient. kVoted: the row of each mistake in order
  std::vector<double> coefficient;  ///< kDual: α_i·y_i. kVoted: η·y of each mistake
  std::vector<double> votes;        ///< kVoted: rows survived by z_0, z_1, …, one more than mistakes
  Calibration calibration;          ///< from scores to probabilities
  /// With kClasses and kLabels one for each score, never kSoftmax, or none. Classes' probabilities are divided by their
  /// sum.
  std::vector<Calibration> calibrations;
  /// With a strongly convex objective and a certified gap, a bound on the distance ‖θ − θ*‖ to the optimum's θ. It
  /// holds for the θ of each score. 0 if not known.
  double weight_error = 0;
  /// With an L1 part in the penalty and a certified gap, the weights that are 0 here and needn't be at the optimum, as
  /// ascending indices into `theta`. Every other 0 is proven. If not set, no zero is proven.
  std::optional<std::vector<std::uint64_t>> open_zeros;
  /// The score from which on a row is predicted as positive, or NaN for never. Two classes only.
  double threshold = 0;
  TrainingRecord training;

  bool operator==(const Model&) const = default;
};

/// The number of scores of a row, which is one, or one for each class or label column.
inline std::size_t scores_per_row(const Model& model) {
  const bool several = model.form == Model::Form::kClasses || model.form == Model::Form::kLabels;
  return several ? model.offsets.size() : 1;
}

/// θ of score number `part`. REQUIRES: part < scores_per_row(model).
inline std::span<const double> weights_of(const Model& model, std::size_t part) {
  const std::size_t size = model.theta.size() / scores_per_row(model);
  return std::span(model.theta).subspan(part * size, size);
}

/// The scores z of a batch of raw rows, in order. Several scores of one row stand together. Columns beyond
/// `model.features` weigh nothing. `threads` (0 for one per core) changes no bit. REQUIRES: out.size() ==
/// batch.rows·scores_per_row(model).
void score(const Model& model, const Batch& batch, std::span<double> out, int threads = 1);
/// The same scores rounded to float.
void score(const Model& model, const Batch& batch, std::span<float> out, int threads = 1);

/// Receives the scores of a batch, with `z` in the order of `score`.
using ScoreSink = std::function<void(const Batch& batch, std::span<const double> z)>;
/// Scores a pass over the source, batch by batch. Returns the number of rows. Throws an Error of kind kInterrupted when
/// `limits.interrupt` is set. Time limits are ignored.
std::int64_t predict(Source& source, const Model& model, const RunLimits& limits, const ScoreSink& take,
                     const Observer& observe = {});

/// Whether the model's scores can be turned into probabilities.
bool has_probabilities(const Model& model);
/// The probabilities of rows whose scores are `z`. With two classes or label columns, one of the positive class for
/// each score. With several classes, one of each class, and they sum to 1 over a row. For a model without a
/// calibration, throws a usage Error with advice. REQUIRES: out.size() == z.size(), whole rows.
void probabilities(const Model& model, std::span<const double> z, std::span<double> out);

/// +1 if z ≥ 0, else −1.
inline int predicted_sign(double z) { return z >= 0 ? 1 : -1; }

/// The index of the largest score, the first of equals. REQUIRES: a score.
std::size_t predicted_class(std::span<const double> z);

/// Writes the model, as JSON if it is small or the path ends in .json, otherwise as a JSON header and raw arrays
/// (docs/reference/formats/model.md). The file appears whole or not at all. Throws a system Error.
void save_model(const Model& model, const std::string& path);

/// Reads either form. Throws an input Error that explains what is wrong with the file.
Model load_model(const std::string& path);

/// Whether a file claims to be a model, whatever else is wrong with it.
bool is_model_bytes(std::string_view bytes);

/// The two forms of the file as bytes.
std::string model_to_json(const Model& model);
std::string model_to_binary(const Model& model);
Model model_from_bytes(std::string_view bytes, const std::string& name_for_errors);

/// The name of feature j (mapped, from 0), which is "x1", a column's name, or a product of such.
std::string feature_name(const Model& model, std::uint32_t j);

}  // namespace linsep
