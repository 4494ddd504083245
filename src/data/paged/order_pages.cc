#include "data/paged/order_pages.h"

#include <utility>

namespace linsep {
namespace {

class PagedRows : public RowsByNumber {
 public:
  explicit PagedRows(PagedSource& inner) : inner_(inner) {}
  std::int64_t first_row() const override { return inner_.first_row(); }
  std::int64_t end_row() const override { return inner_.end_row(); }
  Batch like() const override {
    const PageLayout& layout = inner_.file()->header().layout;
    Batch batch;
    batch.dense = layout.dense;
    batch.is_float = layout.is_float;
    batch.features = layout.stride;
    return batch;
  }
  void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) override {
    inner_.release();
    const PageFile& file = *inner_.file();
    if (!pages_) pages_ = std::make_unique<ResidentPages>(inner_.file(), inner_.pages_in_room(file));
    ResidentPages::Steps steps;
    for (const auto& [begin, end] : ranges) {
      steps.emplace_back();
      for (std::size_t p = file.page_of(begin); p <= file.page_of(end - 1); ++p) {
        steps.back().push_back(static_cast<std::uint32_t>(p));
      }
    }
    pages_->plan(std::move(steps));
  }
  void advance() override { pages_->advance(); }
  const Batch& batch_of(std::int64_t row) override { return pages_->get(inner_.file()->page_of(row)).batch; }

 private:
  PagedSource& inner_;
  std::unique_ptr<ResidentPages> pages_;
};

}  // namespace

std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed) {
  return order_rows(inner, std::make_unique<PagedRows>(inner), order, seed);
}

}  // namespace linsep
