// PagedSource: the rows of a page file as a source, one batch per page, with few pages in memory.
#pragma once

#include <memory>
#include <vector>

#include "data/memory_source.h"
#include "data/paged/page_file.h"
#include "data/paged/resident_pages.h"

namespace linsep {

/// Consecutive pages of a file.
struct PageRange {
  std::size_t first = 0, end = 0;

  bool operator==(const PageRange&) const = default;
};
PageRange all_pages(const PageFile& file);
/// The pages of one worker: those that begin in its share of the bytes of all pages. By rank they are all pages.
PageRange share_of_pages(const PageFile& file, int rank, int workers);

class PagedSource : public Source {
 public:
  /// `features` is raised to those of the file. Without a `written` reader, rows as written are made from the
  /// values, as binary; without a `place` reader no row has a place. At first at most kFewPages pages are in memory at
  /// once.
  PagedSource(std::shared_ptr<const PageFile> file, Schema schema, std::uint32_t features, PageRange range,
              WrittenReader written = {}, PlaceReader place = {});

  static constexpr std::size_t kFewPages = 4;

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;
  Place place_of(std::int64_t row) override { return place_ ? place_(row) : Place{}; }

  /// How much memory pages may take, here and in sources that show the rows in another order; there is always room for
  /// one page. Ends the pass.
  void set_room(std::uint64_t bytes);
  std::uint64_t room() const { return room_; }
  /// How many pages of a file that is.
  std::size_t pages_in_room(const PageFile& file) const;

  const std::shared_ptr<const PageFile>& file() const { return file_; }
  /// The number of the first row (a shard's need not be 0) and one past the last.
  std::int64_t first_row() const { return first_row_; }
  std::int64_t end_row() const { return first_row_ + shape_.rows; }
  /// Ends the pass and drops all pages.
  void release();

 private:
  std::shared_ptr<const PageFile> file_;
  PageRange range_;
  Schema schema_;
  Shape shape_;
  std::int64_t first_row_ = 0;
  WrittenReader written_;
  PlaceReader place_;
  std::uint64_t room_;
  std::unique_ptr<ResidentPages> pages_;
  std::size_t at_ = 0;
};

/// Pages of a file in memory (mapped, not copied), as a source whose rows can be reached by number.
std::unique_ptr<MemorySource> map_pages(const std::shared_ptr<const PageFile>& file, Schema schema,
                                        std::uint32_t features, PageRange range, WrittenReader written = {},
                                        PlaceReader place = {});

}  // namespace linsep
