// PagedSource: the rows of a page file as a source, a page a batch, with few pages in memory.
#pragma once

#include <memory>
#include <vector>

#include "data/memory_source.h"
#include "data/page_file.h"
#include "data/resident_pages.h"

namespace linsep {

class PagedSource : public Source {
 public:
  /// `features` is raised to those of the file. Without a `written` reader, rows are answered from the values
  /// themselves, as binary. At first at most kFewPages pages are in memory at once.
  PagedSource(std::shared_ptr<const PageFile> file, Schema schema, std::uint32_t features, WrittenReader written = {});

  static constexpr std::size_t kFewPages = 4;

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;

  /// How much memory pages may take, here and in sources that show the rows in another order; there is always room for
  /// one page. Ends the pass.
  void set_room(std::uint64_t bytes);
  std::uint64_t room() const { return room_; }
  /// How many pages of a file that is.
  std::size_t pages_in_room(const PageFile& file) const;

  const std::shared_ptr<const PageFile>& file() const { return file_; }
  /// Ends the pass and drops all pages.
  void release();

 private:
  std::shared_ptr<const PageFile> file_;
  Schema schema_;
  Shape shape_;
  WrittenReader written_;
  std::uint64_t room_;
  std::unique_ptr<ResidentPages> pages_;
  std::size_t at_ = 0;
};

/// All pages of a file in memory (mapped, not copied), as a source whose rows can be reached by number.
std::unique_ptr<MemorySource> map_all_pages(const std::shared_ptr<const PageFile>& file, Schema schema,
                                            std::uint32_t features, WrittenReader written = {});

}  // namespace linsep
