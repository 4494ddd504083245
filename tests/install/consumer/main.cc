// A program of someone else's: three rows of its own arrays, a perceptron through the origin.
#include <linsep/linsep.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<float> values = {-1, -1, 1, 0, -1, 1.5F};
  const std::vector<double> labels = {1, -1, 1};
  linsep::Batch batch;
  batch.rows = 3;
  batch.features = 2;
  batch.dense = true;
  batch.stride = 2;
  batch.value32 = values;
  batch.label = labels;

  const auto source = linsep::view(batch, {.classes = {"-1", "1"}, .feature_names = {}});
  const auto comm = linsep::solo();
  linsep::TrainSpec spec;
  spec.options = {{"origin", true}};
  const linsep::Outcome outcome = linsep::fit(*source, spec, {}, *comm);
  std::printf("%s after %lld mistakes: theta = (%g, %g)\n", linsep::stop_reason_name(outcome.reason).data(),
              static_cast<long long>(outcome.stats.mistakes), outcome.model.theta[0], outcome.model.theta[1]);
}
