// PageWriter: makes a page file, in memory for one page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/paged/page_file.h"
#include "linsep/tools/file.h"

namespace linsep {

/// An ordinary page's size. What is added at once is never cut, so a page may be larger.
inline constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 20;

class PageWriter {
 public:
  /// A page ends when it has `page_bytes`, or, where `page_rows` isn't 0, with exactly that many rows.
  PageWriter(StreamedFile file, const PageLayout& layout, std::uint64_t page_bytes = kPageBytes,
             std::uint64_t page_rows = 0);

  /// Appends rows. `from` says which text they came from; `words`: their labels are indices of words.
  /// REQUIRES: the layout is that of the file; without `page_rows`, rows of a piece of text come at once.
  void add(const Page& from, bool words);
  /// What is added next comes from another text: no page has rows of both.
  void end_text() { end_page(); }
  /// Appends one row of a batch, where pages have a fixed number of rows.
  void add_row(const Batch& batch, std::size_t i);

  /// Ends the last page, writes header and index, and gives the file back, to be committed. `features` is raised to
  /// the widest row.
  StreamedFile finish(std::uint32_t features, const std::string& origin);

  std::uint64_t rows() const { return rows_in_all_; }

 private:
  void add_rows(const Batch& batch, std::size_t first, std::size_t count);
  std::uint64_t buffered_bytes() const;
  void end_page();

  StreamedFile file_;
  PageLayout layout_;
  std::uint64_t page_bytes_, page_rows_;
  PageEntry page_;  // the one being filled
  std::vector<std::uint64_t> start_{0};
  std::vector<std::uint32_t> column_;
  std::vector<float> value32_;
  std::vector<double> value64_;
  std::vector<double> label_, weight_;
  std::vector<std::int64_t> number_;
  std::string bytes_;
  std::vector<PageEntry> entries_;
  std::uint64_t rows_in_all_ = 0, values_in_all_ = 0;
  std::uint32_t features_ = 0;
};

}  // namespace linsep
