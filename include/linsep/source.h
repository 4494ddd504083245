// Source: where rows come from. Memory is one, a file, a shard and a decorated source are others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/error.h"

namespace linsep {

struct TableMap;

/// What a learner must know before the first row. A stream doesn't know its size: `rows` is −1 and `features` is a
/// lower bound; its batches say how far the columns reach so far.
struct Shape {
  std::int64_t rows = -1;
  std::uint32_t features = 0;
  std::int64_t nonzeros = -1;
};

/// How a text was read, as far as it decides what the rows are; a certificate's root binds it. Rows that come from no
/// text have none of it.
struct Reading {
  std::string format = {};                 ///< "svmlight" or "csv"; "" where there was no text
  std::string delimiter = {};              ///< csv: one character
  bool header = false;                     ///< csv: the first line named the columns
  std::string label = {};                  ///< csv: the label's column, by name or, without a header, by number from 1
  std::vector<std::string> left_out = {};  ///< csv: the columns that are neither feature nor label, likewise
  bool drop_missing_labels = false;        ///< rows without a label were left out

  bool operator==(const Reading&) const = default;
};

/// Values that aren't 0 as written, but 0 as read: too small for a 32-bit number, or, of 64-bit numbers, below 2⁻¹⁰²²,
/// where digits are lost too.
struct TinyValues {
  std::int64_t count = 0;    ///< 0 with a first one: not known
  std::int64_t row = -1;     ///< of the first; −1: there is none
  std::uint32_t column = 0;  ///< of the first
  Place place = {};          ///< of the first, where rows are read only once; see also Source::place_of

  void add(std::int64_t in_row, std::uint32_t in_column) { join({1, in_row, in_column}, 0); }
  /// Those of later rows, numbered from `first_row`.
  void join(const TinyValues& later, std::int64_t first_row) {
    if (later.row < 0) return;
    if (row < 0) {
      row = first_row + later.row;
      column = later.column;
    }
    count += later.count;
  }
  bool operator==(const TinyValues&) const = default;
};

/// The words behind the numbers: what the labels and the columns are called.
struct Schema {
  /// {negative, positive} as written; empty in a regression. More than two: a row's label is an index in this list.
  /// With label columns: negative and positive of the first, of the second, …
  std::vector<std::string> classes = {};
  std::vector<std::string> feature_names = {};  ///< empty: features are called by their number, from 1
  /// Names of the label columns where rows have several labels of two classes each; else empty. Of sets of labels the
  /// negative class (the row hasn't this label) is named "".
  std::vector<std::string> labels = {};
  /// Label columns, in a source only: a row's label is an index in this list, where "01-" says that the second of
  /// three columns holds its positive class, the first its negative one, and that the row has no label in the third, of
  /// whose training it is no part. Grows with the batches of a stream.
  std::vector<std::string> combinations = {};
  Reading reading = {};      ///< in a source only
  std::int64_t dropped = 0;  ///< in a source only: rows left out because they have no label
  /// In a source only: what rows were encoded by; `feature_names` is empty then, see `encoded_name`.
  std::shared_ptr<const TableMap> table = {};
  TinyValues tiny = {};  ///< in a source only: of the rows read by now

  bool operator==(const Schema&) const = default;
};

/// One value exactly as the input has it: a decimal as written, or, where the input was binary, that float's value.
struct WrittenValue {
  std::uint32_t column = 0;
  std::string decimal = {};  ///< empty: the input was binary and `binary` is the value
  double binary = 0;
};

/// One row exactly as the input has it. A dense row lists every column, a sparse row what it wrote.
struct WrittenRow {
  std::int64_t row = 0;    ///< from 0
  std::string label = {};  ///< as written
  std::string id = {};     ///< from the id column, if there is one
  std::vector<WrittenValue> values = {};
};

/// A sequence of batches that can be gone through again and again. Decorators wrap one source in another.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual Shape shape() const = 0;
  virtual const Schema& schema() const = 0;

  /// Begins pass number `pass` (from 0). A source whose order is fixed ignores the number; one that shuffles derives
  /// its order from it, so a pass can be repeated. Throws Error where the input can be read only once.
  virtual void rewind(std::uint64_t pass) = 0;

  /// The next rows of the pass, valid until the next call of `next` or `rewind`; nothing at its end.
  virtual std::optional<Batch> next() = 0;

  /// The given rows (ascending numbers, from 0) as they were written. May read the input again and ends the pass.
  /// Throws Error where the input can't be read twice.
  virtual std::vector<WrittenRow> written(std::span<const std::int64_t> rows) = 0;

  /// Where a row (from 0) begins in what it was read from, for messages; without a file where that isn't known. May
  /// read the input again and ends the pass.
  virtual Place place_of(std::int64_t /*row*/) { return {}; }
};

}  // namespace linsep
