// PageStream: the pages of an Arrow stream, a batch at a time.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/arrow/intake.h"
#include "format/arrow/pages.h"

namespace linsep::arrow {

/// Holds one batch of the stream and the pages of its rows. Pages are numbered by their rows; labels aren't resolved.
class PageStream {
 public:
  PageStream(std::unique_ptr<Intake> intake, const ReadOptions& options);

  const std::string& name() const { return batches_.name; }
  const PageRules& rules() const { return *rules_; }
  /// Pages with rows, valid until the next call; null at the end.
  ReadSlice* next();
  std::int64_t dropped() const { return dropped_; }

  /// The place of a column given by name or number from 1. Throws a usage Error.
  std::size_t column_named(const std::string& column) const;
  const std::string& column_name(std::size_t column) const { return batches_.names[column]; }
  /// Of the page that `next` returned last: the fields of these columns as CSV would have them, row by row.
  std::vector<std::string> fields(std::span<const std::size_t> columns) const;

 private:
  std::unique_ptr<Intake> intake_;
  ArrowTable::Batches batches_;
  std::optional<PageRules> rules_;
  std::optional<Desks> desks_;
  std::deque<ReadSlice> waiting_;  ///< the first is the one handed out last
  std::int64_t rows_ = 0, dropped_ = 0;
  bool begun_ = false;  ///< the first of `waiting_` was handed out
};

}  // namespace linsep::arrow
