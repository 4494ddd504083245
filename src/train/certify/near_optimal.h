// What both proofs of how good a classifier is need: of a model of linsep's, and of given weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"
#include "linsep/choices.h"
#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/source.h"

namespace linsep {

/// What the objective multiplies the weights of rows by, according to their class.
struct ClassFactors {
  std::vector<Rational> factor = {};  ///< of each class; none: 1
  Rational total = 0;                 ///< what all rows weigh then
};

/// The rows that a proof is about, of which each worker has a shard: of several classes one against the rest, or of
/// several label columns one.
class QuestionRows {
 public:
  /// Of two classes. REQUIRES: `all`, `comm` and `factors` outlive the object.
  QuestionRows(Source& all, Comm& comm) : all_(all), comm_(comm) {}
  QuestionRows(Source& all, Comm& comm, std::size_t part, const ClassFactors& factors);

  /// As rows of two classes, which training and scores are about.
  Source& two() { return made_ ? *made_ : all_; }
  /// As they are written, which proofs are about.
  Source& all() { return all_; }
  /// The same question about other rows.
  QuestionRows of(Source& other) const {
    return made_ ? QuestionRows(other, comm_, part_, *factors_) : QuestionRows(other, comm_);
  }
  Comm& comm() const { return comm_; }
  /// The class that is separated from the others, or the label column; "" of two classes.
  const std::string& positive() const { return name_; }
  /// nullptr if the rows of both sides have a weight each. `two` has them already.
  const ClassFactors* factors() const { return factors_ == nullptr || factors_->factor.empty() ? nullptr : factors_; }

 private:
  Source& all_;
  Comm& comm_;
  const ClassFactors* factors_ = nullptr;
  std::unique_ptr<Source> weighed_, made_;
  std::size_t part_ = 0;
  std::string name_;
};

/// As prove_optimality of a model of two classes. `data`: what is known of the rows as written; without a root it is
/// worked out.
OptimalityProof prove_two_classes(const Model& model, QuestionRows& rows, const DataDigest& data,
                                  const ProofOptions& options, const Observer& observe);
/// Trains for the objective of a proof.
Model train_for(const OptimalityProof& proof, bool origin, double gap, QuestionRows& rows, const ProofOptions& options,
                const Observer& observe);
/// Throws a usage Error unless the model's classes and label columns are those of the data, in the same order.
void require_same_classes(const Model& model, const Schema& data);
/// The classifier of one class against the rest, or of a label column, as a model of its own.
Model classifier_of(const Model& model, std::size_t part);
/// Whether a model has such classifiers.
inline bool has_parts(const Model& model) {
  return model.form == Model::Form::kClasses || model.form == Model::Form::kLabels;
}

/// With all options: a model file may lack some. Throws a usage Error for values that no option takes.
Model complete_model(Model model);
/// Whether a model of the learner margin was trained for all classes together.
bool is_joint(const Model& model);
/// As audit_model of such a model, whose options are complete; with a gap of 1 nothing is trained.
OptimalityProof prove_jointly(const Model& model, Source& data, double gap, const ProofOptions& options,
                              const Observer& observe);
/// As audit_weights for the loss softmax.
OptimalityProof audit_jointly(const GivenWeights& given, Source& data, double gap, const ProofOptions& options,
                              const Observer& observe);

/// Proofs of all classes against the rest, or of all label columns, as one: `prove` makes that of one of them, from
/// what is known of the rows.
template <class Prove>
OptimalityProof proof_of_parts(Source& data, Comm& comm, bool origin, const ClassFactors& factors, const Prove& prove) {
  const Schema& schema = data.schema();
  const std::size_t parts = schema.labels.empty() ? schema.classes.size() : schema.labels.size();
  OptimalityProof proof;
  proof.origin = origin;
  for (std::size_t c = 0; c < parts; ++c) {
    QuestionRows rows(data, comm, c, factors);
    DataDigest about = proof.data;
    about.positive = rows.positive();
    proof.parts.push_back(prove(c, rows, about));
    proof.data = proof.parts.back().data;
  }
  proof.data.positive = "";
  return proof;
}

/// The shortest decimal that gives back the number, as a model file has it. Throws a usage Error unless it is finite.
std::string shortest_decimal(double value);

/// That decimal as an exact number.
Rational decimal_number(double value);
/// Throws a usage Error if there are several.
void require_single_worker(Comm& comm);
/// A decimal as written, or an exact number, as an exact number. Throws a usage Error that says what isn't one.
std::string exact_text(const std::string& text, const char* what);

/// What an objective takes of rows besides their values: y_i times the weight w_i, and the sum of the weights of the
/// negative class and of the positive one, as decimals that give the weights back.
struct WeighedLabels {
  std::vector<double> cost;
  std::array<Rational, 2> total = {};

  /// y_i·w_i times the weight of the class, those of the negative and the positive one.
  std::vector<double> cost_with(const std::array<Rational, 2>& weights) const;
};
/// Those of all workers' rows, on each of them: bounds don't depend on the number of workers. Throws a usage Error
/// unless the rows have two classes.
WeighedLabels weighed_labels(Source& data, Comm& comm);

/// Whether a classifier's negative class is the positive one of the data. Throws a usage Error for other classes.
bool is_turned(const Schema& data, const std::vector<std::string>& classes);

/// The same of several classes.
struct WeighedClasses {
  std::vector<std::uint32_t> own = {};  ///< the class of each row
  std::vector<double> weight = {};      ///< of each row
  std::vector<Rational> total = {};     ///< of each class, as decimals that give the weights back
};
/// Those of all workers' rows. Throws a usage Error unless rows of every class have a weight.
WeighedClasses weighed_classes(Source& data, Comm& comm);

/// The weights of classes by an option like `--class-weight`. `totals`: what the rows of each weigh.
std::vector<Rational> exact_class_weights(std::string_view option, const std::vector<std::string>& classes,
                                          std::span<const Rational> totals);
/// Σ weight·total.
Rational total_of(std::span<const Rational> weights, std::span<const Rational> totals);

/// Those of a model's classifiers, each of which separates one class from the rest. Collective.
ClassFactors class_factors(const Model& model, Source& data, Comm& comm);

/// λ of the objective ½‖θ‖² + C·Σ w·ℓ, divided by C and by what the rows weigh.
inline Rational lambda_of(const Rational& c, const Rational& total) { return Rational(Integer(1)) / (c * total); }

/// The intercept at which the shares of both classes have the same sum, as nearly as doubles tell: that of the model if
/// rows of a class are missing. REQUIRES: the loss is smooth.
double balanced_offset(Loss loss, const Model& model, const WeighedLabels& labels,
                       const std::array<Rational, 2>& weights, Source& data, Comm& comm, const ProofOptions& options);

}  // namespace linsep
