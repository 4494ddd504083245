#include "data/weighted_source.h"

#include <utility>

#include "data/wrapped_source.h"

namespace linsep {
namespace {

class WeightedSource final : public WrappedSource {
 public:
  WeightedSource(Source& inner, std::vector<double> by_class) : WrappedSource(inner), by_class_(std::move(by_class)) {}

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    weight_.resize(static_cast<std::size_t>(batch->rows));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      weight_[i] = batch->weight_of(row) * by_class_[static_cast<std::size_t>(batch->label_of(row))];
    }
    batch->weight = weight_;
    batch->pinned = false;
    return batch;
  }

 private:
  std::vector<double> by_class_;
  std::vector<double> weight_;  ///< of the batch at hand
};

}  // namespace

std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class) {
  return std::make_unique<WeightedSource>(inner, std::move(by_class));
}

}  // namespace linsep
