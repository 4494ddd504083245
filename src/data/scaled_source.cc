#include "data/scaled_source.h"

#include <cmath>
#include <utility>

#include "data/wrapped_source.h"

namespace linsep {
namespace {

class ScaledSource : public WrappedSource {
 public:
  ScaledSource(Source& inner, std::vector<int> exponent) : WrappedSource(inner), exponent_(std::move(exponent)) {}

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    const std::size_t size = batch->is_float ? batch->value32.size() : batch->value64.size();
    value_.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t column = batch->dense ? k % batch->stride : batch->column[k];
      const double value = batch->is_float ? static_cast<double>(batch->value32[k]) : batch->value64[k];
      value_[k] = column < exponent_.size() ? std::ldexp(value, -exponent_[column]) : value;
    }
    batch->is_float = false;
    batch->pinned = false;
    batch->value32 = {};
    batch->value64 = value_;
    return batch;
  }

 private:
  std::vector<int> exponent_;
  std::vector<double> value_;
};

}  // namespace

std::unique_ptr<Source> scale_columns(Source& inner, std::vector<int> exponent) {
  return std::make_unique<ScaledSource>(inner, std::move(exponent));
}

}  // namespace linsep
