// Page files keep rows on disk as they lie in memory, cut into pages that are checked and mapped one by one.
// The format is described in docs/reference/formats/pages.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/keyed_map.h"
#include "data/memory_source.h"
#include "linsep/source.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {

inline constexpr std::string_view kPageMagic = "linsep pages\r\n\x1a\n";
/// The version of page files, and that of files kept by `--cache`, whose origin describes its text in more detail.
inline constexpr std::uint32_t kPageVersion = 3, kCacheVersion = 4;
/// Pages begin at multiples of this.
inline constexpr std::uint64_t kPageUnit = 4096;

/// How rows are laid out, the same in all pages of a file.
struct PageLayout {
  bool dense = false;
  bool is_float = true;
  bool labelled = true;
  bool weighted = false;
  bool numbered = false;     ///< rows carry their number because they aren't in the order of the source
  std::uint32_t stride = 0;  ///< the number of features (dense only)

  bool operator==(const PageLayout&) const = default;
};

/// One page as the index knows it.
struct PageEntry {
  std::uint64_t place = 0, bytes = 0;  ///< offset and size in the file, in whole units
  std::uint64_t first_row = 0, rows = 0, values = 0;
  std::uint64_t first_byte = 0, text_bytes = 0;  ///< of the text it came from
  std::uint64_t first_line = 0, lines = 0;
  std::uint64_t checksum = 0;  ///< XXH3 of the page's bytes
  std::uint32_t features = 0;  ///< every column of the page is below
  std::uint32_t words = 0;     ///< 1 if labels are indices into the list of label words, 0 if they are numbers as
                               ///< written
};

struct PageHeader {
  Shape shape;
  PageLayout layout;
  std::string origin;  ///< the source of the file, in the words of its maker (format/pages/origin.h)
  std::uint32_t version = kPageVersion;
};

/// The header and index of a page file. Throws an input Error without a place if the bytes end too early, are too many
/// or hold an impossible number. Never takes more memory than a few times the bytes.
struct PageIndex {
  PageHeader header;
  std::vector<PageEntry> entries;
};
PageIndex parse_index(std::string_view bytes);

/// Offsets of the arrays in a page with this many rows and values.
struct PageArrays {
  std::uint64_t start = 0, column = 0, value = 0, label = 0, weight = 0, number = 0, bytes = 0;

  PageArrays(const PageLayout& layout, std::uint64_t rows, std::uint64_t values);
};

/// What the labels of a file mean. A page holds them as written, and classes are resolved when it is read.
struct LabelMeaning {
  enum class Kind {
    kAsStored,  ///< a finite number
    kZero,      ///< 0, whatever is stored
    kKnown,     ///< as stored. `number` and `word` have every label, otherwise the page is refused
    kMapped,    ///< whatever `number` or `word` makes of it. A label that they don't have is refused
  };
  Kind kind = Kind::kAsStored;
  KeyedMap<double, double> number;  ///< of a label that is a number
  std::vector<double> word;         ///< of a label that is an index of a word
};

/// A page file, open for reading. Header and index are checked at once, and a page when it is first mapped
/// (page_file.cc lists what must hold). They are untrusted even if the checksums are right.
///
/// The file may be replaced by another under its name at any time, but must not itself change while it is open. What
/// was checked isn't checked again, and if the file has become shorter, a page that was mapped before raises SIGBUS.
/// The library installs no handler for that. A program should install one that ends it with a message.
class PageFile {
 public:
  /// Throws a system Error if it can't be opened. Throws an input Error if it isn't a page file, is of another version,
  /// cut off or damaged.
  static std::shared_ptr<PageFile> open(const std::string& path);
  /// Several files as one. The pages of each follow those of the one before, and rows are numbered from `first_row`.
  /// Each part determines its own labels. REQUIRES: at least one part; all that have rows have one layout.
  static std::shared_ptr<PageFile> join(std::vector<std::shared_ptr<const PageFile>> parts, std::string name,
                                        std::int64_t first_row);
  explicit PageFile(OpenFile file);
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  const PageHeader& header() const { return header_; }
  const std::vector<PageEntry>& entries() const { return entries_; }
  const std::string& name() const { return name_; }
  FileStatus status() const { return file_->status(); }    ///< not of a joined file
  std::uint64_t largest_page() const { return largest_; }  ///< in bytes
  std::uint64_t bytes() const { return bytes_; }

  /// Only while no page is mapped, and not for a joined file.
  void set_labels(LabelMeaning meaning);

  /// Page number `index`. Its memory stays valid as long as `storage` is kept. Thread safe. If `whole`, all of the page
  /// will be used, so it is read at once. Throws an input Error for a page that is damaged or doesn't fit together, a
  /// system Error if the file has become shorter.
  Page map(std::size_t index, bool whole = true) const;
  /// Maps and checks every page once, on at most `threads` threads (0: one per core). Each thread holds one page at a
  /// time. Throws as `map` does.
  void check_pages(int threads) const;
  /// Asks the system to read a page from the disk in the background.
  void will_need(std::size_t index) const;
  /// The page that holds a row. REQUIRES: the row exists.
  std::size_t page_of(std::int64_t row) const;

 private:
  PageFile() = default;

  void read_header();
  void check_page(std::size_t index, const Page& page, const void* bytes) const;
  std::string place_of(std::size_t index) const;
  double meaning_of(double stored, std::size_t index) const;
  std::vector<double> settled_labels(std::size_t index, std::span<const double> stored) const;
  void settle_labels(std::size_t index, Batch& batch, std::vector<double>& settled) const;

  /// The part of a joined file that has a page, and which of the part's pages it is.
  struct PlaceInParts {
    const PageFile& part;
    std::size_t index;
  };
  PlaceInParts in_parts(std::size_t index) const;
  Page map_own(std::size_t index, bool whole) const;

  std::optional<OpenFile> file_;
  std::vector<std::shared_ptr<const PageFile>> parts_;  ///< of a joined file, which has no file of its own
  std::vector<std::size_t> first_page_;                 ///< of each part
  std::string name_;
  std::uint64_t bytes_ = 0;
  std::uint64_t largest_ = 0;
  PageHeader header_;
  std::vector<PageEntry> entries_;
  LabelMeaning meaning_;
  mutable std::vector<std::atomic<bool>> checked_;
  mutable std::vector<std::atomic<bool>> labels_known_;  ///< kKnown: whether all labels of the page are known to be
                                                         ///< valid
};

/// Whether bytes begin as a page file does.
bool is_page_file(std::string_view first_bytes);

/// The checksum of page files: XXH3, 64 bits, seed 0.
std::uint64_t page_checksum(std::string_view bytes);

/// An ordinary page's size. Rows that are added in one call are never split, so a page may be larger.
inline constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 20;

/// Writes a page file with one page in memory at a time.
class PageWriter {
 public:
  /// A page ends once it has `page_bytes`. If `page_rows` isn't 0, it ends with exactly that many rows instead.
  PageWriter(StreamedFile file, const PageLayout& layout, std::uint64_t page_bytes = kPageBytes,
             std::uint64_t page_rows = 0);

  /// Appends rows. `from` names the text that they came from. If `words`, their labels are indices of words.
  /// REQUIRES: the layout is that of the file; without `page_rows`, the rows of a piece of text come in one call.
  void add(const Page& from, bool words);
  /// What is added next comes from another text. No page has rows of both.
  void end_text() { end_page(); }
  /// Appends one row of a batch. Only if pages have a fixed number of rows.
  void add_row(const Batch& batch, std::size_t i);

  /// Ends the last page, writes header and index, and returns the file, which is still to be committed. `features` is
  /// raised to the widest row.
  StreamedFile finish(std::uint32_t features, const std::string& origin, std::uint32_t version = kPageVersion);

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
