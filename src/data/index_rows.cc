// The order of data/permute.h over rows that stay where they are.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/hash_order.h"
#include "data/group_order.h"
#include "data/permute.h"

namespace linsep {
namespace {

std::vector<std::int64_t> numbers_by_hash(std::int64_t first_row, std::int64_t rows, std::uint64_t seed) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(rows));
  std::iota(numbers.begin(), numbers.end(), first_row);
  sort_by_hash(seed, numbers);
  return numbers;
}

class IndexedSource : public Source {
 public:
  IndexedSource(MemorySource& inner, std::uint64_t seed)
      : inner_(inner),
        shape_(inner.shape()),
        number_(numbers_by_hash(inner.first_row(), shape_.rows, seed)),
        order_(number_.size(), seed) {}

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override {
    order_.rewind(pass);
    at_ = end_ = 0;
  }

  std::optional<Batch> next() override {
    if (at_ == end_) {
      if (order_.at_end()) return std::nullopt;
      at_ = order_.next() * kGroupRows;
      end_ = std::min(at_ + kGroupRows, number_.size());
    }
    const std::size_t position = at_++;
    const std::int64_t row = number_[position];
    const std::vector<Page>& pages = inner_.pages();
    const Batch& page = pages[pages.size() == 1 ? 0 : inner_.page_of(row)].batch;
    const auto i = static_cast<std::size_t>(row - page.first_row);
    if (page.foreign()) return placed(narrowed_.rows(page, static_cast<std::int64_t>(i), 1), position);
    Batch batch = page;
    batch.rows = 1;
    batch.pinned = true;
    if (page.dense) {
      if (page.is_float) {
        batch.value32 = page.value32.subspan(i * page.stride, page.features);
      } else {
        batch.value64 = page.value64.subspan(i * page.stride, page.features);
      }
    } else {
      batch.start = page.start.subspan(i, 2);
    }
    if (!page.label.empty()) batch.label = page.label.subspan(i, 1);
    if (!page.weight.empty()) batch.weight = page.weight.subspan(i, 1);
    return placed(batch, position);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    order_.end();
    at_ = end_ = 0;
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  Batch placed(Batch row, std::size_t position) const {
    row.first_row = static_cast<std::int64_t>(position);
    row.row_number = std::span(&number_[position], 1);
    return row;
  }

  MemorySource& inner_;
  Shape shape_;
  std::vector<std::int64_t> number_;  // of the row at each position
  GroupOrder order_;
  std::size_t at_ = 0, end_ = 0;  // positions of the present group
  Narrowed narrowed_;
};

}  // namespace

std::unique_ptr<Source> index_rows(MemorySource& inner, std::uint64_t seed) {
  return std::make_unique<IndexedSource>(inner, seed);
}

}  // namespace linsep
