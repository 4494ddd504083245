#include "data/weighted_source.h"

#include <utility>

namespace linsep {
namespace {

class WeightedSource final : public Source {
 public:
  WeightedSource(Source& inner, std::vector<double> by_class) : inner_(inner), by_class_(std::move(by_class)) {}

  Shape shape() const override { return inner_.shape(); }
  const Schema& schema() const override { return inner_.schema(); }
  void rewind(std::uint64_t pass) override { inner_.rewind(pass); }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override { return inner_.written(rows); }

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner_.next();
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
  Source& inner_;
  std::vector<double> by_class_;
  std::vector<double> weight_;  ///< of the batch at hand
};

}  // namespace

std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class) {
  return std::make_unique<WeightedSource>(inner, std::move(by_class));
}

}  // namespace linsep
