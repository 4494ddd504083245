#include "data/map_source.h"

#include <fmt/format.h>

#include <vector>

#include "data/nonzeros.h"
#include "data/row_cursor.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// A mapped batch ends with the row that brings it to this many entries, so that it stays in cache.
constexpr std::size_t kBatchEntries = 32768;

class MapSource : public Source {
 public:
  MapSource(Source& inner, const FeatureMap& map)
      : inner_(inner),
        raw_(inner),
        map_(map),
        features_(inner.shape().features),
        mapped_(mapped_features(map, features_)) {}

  Shape shape() const override {
    Shape shape = inner_.shape();
    shape.features = mapped_;
    shape.nonzeros = -1;
    return shape;
  }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override { raw_.rewind(pass); }

  std::optional<Batch> next() override {
    if (!raw_.fill()) return std::nullopt;
    const std::int64_t first = raw_.at();
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    while (raw_.has_row() && column_.size() < kBatchEntries) {
      take_row(static_cast<std::size_t>(raw_.take()));
      start_.push_back(column_.size());
    }
    return mapped_batch(first);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    raw_.drop();
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  void take_row(std::size_t i) {
    take_nonzeros(raw_.batch(), i, raw_column_, raw_value_);
    // The numbers of mapped features depend on how many raw ones there are, so a stream can't widen them later.
    if (!raw_column_.empty() && raw_column_.back() >= features_) {
      throw input_error(fmt::format("row {} has feature {}, but the map was made for {} features",
                                    raw_.batch().number_of(static_cast<std::int64_t>(i)) + 1,
                                    static_cast<std::uint64_t>(raw_column_.back()) + 1, features_));
    }
    apply_map(map_, features_, {raw_column_.data(), raw_value_.data(), raw_column_.size()}, column_, value_);
  }

  /// The rows from `first` to the next of the raw batch, as they lie mapped in the buffers.
  Batch mapped_batch(std::int64_t first) const {
    const auto from = static_cast<std::size_t>(first);
    const auto count = static_cast<std::size_t>(raw_.at() - first);
    Batch b;
    b.first_row = raw_.batch().first_row + first;
    b.rows = raw_.at() - first;
    b.features = mapped_;
    b.is_float = false;
    b.start = start_;
    b.column = column_;
    b.value64 = value_;
    if (!raw_.batch().label.empty()) b.label = raw_.batch().label.subspan(from, count);
    if (!raw_.batch().weight.empty()) b.weight = raw_.batch().weight.subspan(from, count);
    if (!raw_.batch().row_number.empty()) b.row_number = raw_.batch().row_number.subspan(from, count);
    return b;
  }

  Source& inner_;
  RowCursor raw_;
  FeatureMap map_;
  std::uint32_t features_;  // raw
  std::uint32_t mapped_;
  std::vector<std::uint32_t> raw_column_;
  std::vector<double> raw_value_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_;
};

}  // namespace

std::unique_ptr<Source> map_rows(Source& inner, const FeatureMap& map) {
  return std::make_unique<MapSource>(inner, map);
}

}  // namespace linsep
