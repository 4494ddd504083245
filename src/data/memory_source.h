// MemorySource holds pages in memory and serves them as a source, one batch per page. Rows can be reached by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/slice.h"
#include "linsep/batch.h"
#include "linsep/source.h"

namespace linsep {

/// Rows that own their memory, as a reader makes them: one page per chunk of text.
struct Page {
  Batch batch;                    ///< views into `storage`. first_row counts within the whole source
  std::shared_ptr<void> storage;  ///< keeps what `batch` points to, unless it is borrowed
  bool borrowed = false;          ///< the values are somebody else's arrays
  bool unsteady = false;          ///< columns may change, so they are copied before they are used
  std::span<double> label;        ///< the same labels as `batch.label`, writable because classes are resolved after
                                  ///< reading
  std::uint64_t first_byte = 0;   ///< where the page's text begins in the (decompressed) input
  std::uint64_t bytes = 0;        ///< and how long it is
  std::uint64_t first_line = 1;   ///< the number of its first line, counting only lines read from the input
  std::uint64_t lines = 0;
};

/// Reads rows as they were written. A file reader hands it to the memory source that it fills.
using WrittenReader = std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)>;
/// Where a row begins in its file, for messages.
using PlaceReader = std::function<Place(std::int64_t row)>;

class MemorySource : public Source {
 public:
  /// REQUIRES: pages in row order, without gaps, all of one layout and value type. `features` is raised to the widest
  /// page. Without a `written` reader, rows as written are made from the values, as for binary input. Without a `place`
  /// reader, no row has a place.
  MemorySource(std::vector<Page> pages, Schema schema, std::uint32_t features, WrittenReader written = {},
               PlaceReader place = {});

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;
  Place place_of(std::int64_t row) override { return place_ ? place_(row) : Place{}; }

  const std::vector<Page>& pages() const { return pages_; }
  /// The rows are somebody else's arrays. They are copied only with permission (TrainSpec::copy_rows), and never taken.
  bool borrowed() const { return !pages_.empty() && pages_.front().borrowed; }
  /// Gives the pages away. From then on the source has no rows to hand out. It keeps only its shape, its schema and, if
  /// it was given a reader for them, the rows as they were written.
  std::vector<Page> take_pages();
  /// The number of the first row (a shard's need not be 0) and one past the last.
  std::int64_t first_row() const { return pages_.empty() ? 0 : pages_.front().batch.first_row; }
  std::int64_t end_row() const { return first_row() + shape_.rows; }
  /// Index of the page that holds a row, by binary search. REQUIRES: first_row() ≤ row < end_row().
  std::size_t page_of(std::int64_t row) const;

 private:
  std::vector<Page> pages_;
  Schema schema_;
  Shape shape_;
  WrittenReader written_;
  PlaceReader place_;
  std::size_t at_ = 0;
  std::int64_t row_ = 0;  ///< within the page, of foreign arrays
  BatchConverter narrowed_;
};

/// A row of binary input as it was written, made from the values themselves.
WrittenRow written_from_values(const Schema& schema, const Batch& batch, std::size_t i);

/// Throws a usage Error for a row that isn't between `first` and `end` − 1.
void check_row_numbers(std::span<const std::int64_t> rows, std::int64_t first, std::int64_t end);

}  // namespace linsep
