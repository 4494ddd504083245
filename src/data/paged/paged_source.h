// PagedSource serves the rows of a page file as a source, one batch per page, with few pages in memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parallel.h"
#include "data/memory_source.h"
#include "data/paged/page_file.h"

namespace linsep {

// ResidentPages keeps at most a given number of a file's pages in memory, read ahead by a thread.
//
// The user gives the steps of a pass beforehand. In each step it asks for the pages of that step in any order, as often
// as it likes. Pages of the present step stay. Those of the next steps are mapped ahead as far as there is room, and
// the system is asked to read some more from the disk. Those behind are dropped. A step of more pages than may be in
// memory works as well. Then the least recently used page makes room, and nothing is read ahead.

class ResidentPages {
 public:
  using Steps = std::vector<std::vector<std::uint32_t>>;

  /// REQUIRES: most > 0.
  ResidentPages(std::shared_ptr<const PageFile> file, std::size_t most);
  ResidentPages(const ResidentPages&) = delete;
  ResidentPages& operator=(const ResidentPages&) = delete;
  ~ResidentPages();

  /// Starts over, before the first step. Each of `steps` names a page at most once.
  void plan(Steps steps);
  /// Moves on to the next step. REQUIRES: there is a next step.
  void advance();
  /// A page of the present step. It is valid until the next call of `get`, `advance` or `plan`. If the step's pages fit
  /// into memory together, it is valid until the next `advance` or `plan`. Throws Error for a page that is damaged.
  const Page& get(std::size_t page);

  /// Drops everything. A plan must follow.
  void clear();
  std::size_t most() const { return most_; }

 private:
  struct Resident {
    Page page;
    std::exception_ptr failure;
    std::uint64_t used = 0;  // number of the call of `get` that used it last
    bool ready = false;      // mapped, or failed
  };

  bool can_go_ahead() const;
  Resident mapped_page(std::size_t page, bool whole) const;
  bool make_room();
  void drop_behind();
  void work();
  std::vector<std::uint32_t> to_be_asked_for();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::thread reader_;

  std::shared_ptr<const PageFile> file_;
  std::size_t most_;
  Steps steps_;
  std::size_t step_ = 0;        // the next step. The present one is step_ − 1
  std::size_t ahead_step_ = 0;  // what the thread will map next
  std::size_t ahead_at_ = 0;
  std::size_t asked_step_ = 0;  // what the system will be asked for next
  std::size_t asked_at_ = 0;
  std::size_t asked_ahead_ = 0;  // pages asked for that the thread hasn't read yet
  std::uint64_t plans_ = 0, calls_ = 0;
  std::map<std::uint32_t, Resident> resident_;
};

/// Consecutive pages of a file.
struct PageRange {
  std::size_t first = 0, end = 0;

  bool operator==(const PageRange&) const = default;
};
PageRange all_pages(const PageFile& file);
/// The pages of one worker, which are those that begin in its share of the bytes of all pages. Taken by rank, the
/// shares make up all pages.
PageRange share_of_pages(const PageFile& file, int rank, int workers);

class PagedSource : public Source {
 public:
  /// `features` is raised to those of the file. Without a `written` reader, rows as written are made from the values,
  /// as for binary input. Without a `place` reader, no row has a place. At first at most kFewPages pages are in memory
  /// at once.
  PagedSource(std::shared_ptr<const PageFile> file, Schema schema, std::uint32_t features, PageRange range,
              WrittenReader written = {}, PlaceReader place = {});

  static constexpr std::size_t kFewPages = 4;

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;
  Place place_of(std::int64_t row) override { return place_ ? place_(row) : Place{}; }

  /// Sets how much memory pages may take, here and in sources that show the rows in another order. There is always room
  /// for one page. Ends the pass.
  void set_room(std::uint64_t bytes);
  std::uint64_t room() const { return room_; }
  /// How many pages of a file fit in that memory.
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
