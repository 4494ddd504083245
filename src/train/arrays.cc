// Arrays in, a classifier and its predictions out, on one worker.
#include "linsep/arrays.h"

#include "linsep/error.h"

namespace linsep {

Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, const Observer& observe) {
  return fit(source, spec, base, *solo(), observe);
}

CertifyOutcome certify(Source& source, const CertifyOptions& options, const Observer& observe) {
  return certify(source, options, *solo(), observe);
}

Outcome fit(const Batch& x, std::span<const double> y, const TrainSpec& spec, const TrainOptions& options,
            const Observer& observe) {
  return fit(*label_rows(x, y, learner_info(spec.learner).regression), spec, options, observe);
}

Outcome fit(const Batch& x, std::span<const std::string> y, const TrainSpec& spec, const TrainOptions& options,
            const Observer& observe) {
  if (learner_info(spec.learner).regression) throw usage_error("a regression needs numbers as labels, not words");
  return fit(*label_rows(x, y), spec, options, observe);
}

CertifyOutcome certify(const Batch& x, std::span<const double> y, const CertifyOptions& options,
                       const Observer& observe) {
  return certify(*label_rows(x, y), options, observe);
}

CertifyOutcome certify(const Batch& x, std::span<const std::string> y, const CertifyOptions& options,
                       const Observer& observe) {
  return certify(*label_rows(x, y), options, observe);
}

std::vector<std::string> predict(const Model& model, const Batch& x) {
  if (model.regression) throw usage_error("a regression predicts numbers, which are its scores");
  if (model.form == Model::Form::kLabels) throw usage_error("a model of several label columns has no single class");
  const std::vector<double> z = scores(model, x);
  const std::size_t each = scores_per_row(model);
  const std::vector<std::string> unnamed = {"-1", "1"};
  const std::vector<std::string>& classes = model.schema.classes.empty() ? unnamed : model.schema.classes;
  std::vector<std::string> predicted;
  predicted.reserve(static_cast<std::size_t>(x.rows));
  for (std::size_t i = 0; i < z.size(); i += each) {
    const std::size_t index = model.form == Model::Form::kClasses ? predicted_class(std::span(z).subspan(i, each))
                                                                  : (z[i] >= model.threshold ? 1 : 0);
    predicted.push_back(classes[index]);
  }
  return predicted;
}

std::vector<double> scores(const Model& model, const Batch& x) {
  std::vector<double> z(static_cast<std::size_t>(x.rows) * scores_per_row(model));
  score(model, x, z);
  return z;
}

}  // namespace linsep
