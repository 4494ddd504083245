// Tables as CSV: from a chunk to a TableBatch, and to a page of encoded rows.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/parse.h"
#include "format/text/format.h"
#include "format/text/pool.h"
#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/encode.h"
#include "table/number_style.h"
#include "table/table_batch.h"

namespace linsep {

/// Throws the Error about an encoded value that the page's type can't hold.
using RefuseValue = std::function<void(std::size_t row, std::uint32_t feature, double value)>;

/// Gives a page that has labels and weights its features: floats or doubles as the map says; dense where there are
/// numbers only. Values that are 0 as floats stay away from sparse rows, as do all zeros; they are counted in
/// `parsed.tiny`, or, where values must be `exact`, refused.
void fill_page(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
               ParsedPage& parsed);
}  // namespace linsep

namespace linsep::csv {

/// One for each thread, used again for each chunk: memory is kept.
class TableSplitter {
 public:
  /// REQUIRES: layout.table. `layout` outlives this object.
  explicit TableSplitter(const Layout& layout);

  /// The rows of a chunk, as views into it and into this object, until the next call. A row some of whose fields don't
  /// fit is one TextError that lists all of them. `keep_decimals`: what is written of numbers is wanted, too.
  const TableBatch& split(const Chunk& chunk, bool keep_decimals = false);
  /// The same without the fast path: the oracle of the tests.
  const TableBatch& split_strictly(const Chunk& chunk);

  // Of the last chunk.
  /// A page with labels, weights, lines and dropped rows, but no features.
  ParsedPage page();
  /// Where each row begins in the chunk.
  const std::vector<const char*>& rows() const { return begin_; }
  /// What the id column says in each row; empty without `keep_decimals`.
  const std::vector<std::string>& ids() const { return ids_; }
  /// The label of each row as written; likewise.
  const std::vector<std::string>& labels() const { return label_; }
  /// Numbers that aren't 0 as written, but 0 or below 2⁻¹⁰²² as doubles; `column`: of those asked for.
  const TinyValues& tiny() const { return tiny_; }

 private:
  struct Cells {
    std::vector<double> number;
    std::vector<std::string_view> text;
    std::vector<std::int64_t> seconds;
    std::vector<std::uint8_t> missing;
    bool holes = false;
  };
  /// A field that doesn't fit.
  struct Fault {
    Field field;
    std::size_t column = 0;
  };

  void begin(const Chunk& chunk);
  void split_rows();
  const char* read_row(const char* at);
  const char* read_plain_number(const char* at, Cells& cells, bool last) const;
  void take(const Field& field, std::size_t column);
  bool take_number(const Field& field, std::size_t column, Cells& cells);
  bool take_date(const Field& field, std::size_t column, Cells& cells);
  void take_text(const Field& field, Cells& cells);
  void keep_written(const Field& field, std::size_t column);
  bool is_missing(std::string_view field) const;
  void end_row();
  TextError refusal() const;
  void borrow();

  const Layout& layout_;
  const TableColumns& table_;
  std::vector<NumberStyle> styles_;  ///< of each column asked for, if it has numbers
  bool numeric_words_ = false;       ///< some word for a hole may be a number
  bool fast_ = true;
  bool keep_ = false;
  std::vector<Cells> cells_;  ///< of each column asked for
  TableBatch batch_;
  std::deque<std::string> unquoted_;  ///< fields whose doubled quotes were made single
  std::vector<Fault> faults_;         ///< of the row at hand
  std::vector<const char*> begin_;
  std::vector<std::string> ids_, label_;
  TinyValues tiny_, tiny_of_row_;

  // Of the chunk at hand.
  Chunk chunk_;
  const char* end_ = nullptr;
  std::uint64_t lines_ = 0;
  std::size_t rows_ = 0;
  struct Storage;
  std::shared_ptr<Storage> storage_;
  std::unique_ptr<RowLabels> labels_;
};

/// Any number of threads may use it at once.
class TableReader {
 public:
  /// `layout` has the columns that the map asks for. `counts` may be null.
  TableReader(std::shared_ptr<const Layout> layout, std::shared_ptr<const TableMap> map,
              std::shared_ptr<TableCounts> counts);
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  /// TextFormat::parse: values are floats or doubles as the map says; dense where there are numbers only.
  ParsedPage parse(const Chunk& chunk);
  /// TextFormat::written: of each row what isn't 0. A number that is taken as it is stands there as its decimal, all
  /// else as a double.
  std::vector<WrittenRow> written(const Chunk& chunk, const std::vector<std::int64_t>& rows);

 private:
  struct Scratch;
  std::shared_ptr<const PreparedTable> prepared();
  std::unique_ptr<Scratch> scratch();

  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<const TableMap> map_;
  std::shared_ptr<TableCounts> counts_;
  std::once_flag once_;
  std::shared_ptr<const PreparedTable> prepared_;  ///< made when the first chunk comes
  Pool<Scratch> scratch_;
};

}  // namespace linsep::csv
