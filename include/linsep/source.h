// Source is where rows come from. Memory is one, and a file, a shard and a decorated source are others.
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

/// The facts that a learner needs before the first row. A stream doesn't know its size, so `rows` is −1 and `features`
/// is a lower bound. The `features` of its batches show how far the columns reach so far.
struct Shape {
  std::int64_t rows = -1;
  std::uint32_t features = 0;
  std::int64_t nonzeros = -1;
};

/// How a text was read, as far as it decides what the rows are. A certificate's root binds it. Empty for rows that come
/// from no text.
struct Reading {
  std::string format = {};                 ///< "svmlight" or "csv", or "" if there was no text
  std::string delimiter = {};              ///< csv: one character
  bool header = false;                     ///< csv: whether the first line named the columns
  std::string label = {};                  ///< csv: the label's column, by name or, without a header, by number from 1
  std::vector<std::string> left_out = {};  ///< csv: the columns that are neither feature nor label, likewise
  bool drop_missing_labels = false;        ///< rows without a label were left out

  bool operator==(const Reading&) const = default;
};

/// Values that aren't 0 as written but are 0 as read, because they are too small for a 32-bit number. With 64-bit
/// numbers, values below 2⁻¹⁰²², which lose digits too.
struct TinyValues {
  std::int64_t count = 0;    ///< 0 with a first one means not known
  std::int64_t row = -1;     ///< of the first, or −1 if there is none
  std::uint32_t column = 0;  ///< of the first
  Place place = {};          ///< of the first, if rows are read only once. See also Source::place_of

  void add(std::int64_t in_row, std::uint32_t in_column) { join({1, in_row, in_column}, 0); }
  /// The values of later rows, numbered from `first_row`.
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

/// The words for the numbers: names of the labels and the columns.
struct Schema {
  /// {negative, positive} as written, or empty in a regression. With more than two, a row's label is an index in this
  /// list. With label columns, negative and positive of the first, of the second, …
  std::vector<std::string> classes = {};
  std::vector<std::string> feature_names = {};  ///< if empty, features go by their number, from 1
  /// Names of the label columns, if rows have several labels of two classes each. Otherwise empty. With sets of labels
  /// the negative class (the row hasn't this label) is named "".
  std::vector<std::string> labels = {};
  /// With label columns, and in a source only. A row's label is an index in this list. In "01-", the second of three
  /// columns holds its positive class, the first its negative one, and the row has no label in the third and is no part
  /// of its training. Grows with the batches of a stream.
  std::vector<std::string> combinations = {};
  Reading reading = {};      ///< in a source only
  std::int64_t dropped = 0;  ///< in a source only, rows left out because they have no label
  /// In a source only, how rows were encoded. If set, `feature_names` is empty, see `encoded_name`.
  std::shared_ptr<const TableMap> table = {};
  TinyValues tiny = {};  ///< in a source only, those of the rows read by now

  bool operator==(const Schema&) const = default;
};

/// One value exactly as the input has it, either a decimal as written or, if the input was binary, that float's value.
struct WrittenValue {
  std::uint32_t column = 0;
  std::string decimal = {};  ///< empty if the input was binary and `binary` is the value
  double binary = 0;
};

/// One row exactly as the input has it. A dense row lists every column, a sparse row those it wrote.
struct WrittenRow {
  std::int64_t row = 0;    ///< from 0
  std::string label = {};  ///< as written
  std::string id = {};     ///< from the id column, if there is one
  std::vector<WrittenValue> values = {};
  WrittenValue weight = {0, "", 1};  ///< its column means nothing
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

  /// Begins pass number `pass` (from 0). A source with a fixed order ignores the number. One that shuffles derives its
  /// order from it, so a pass can be repeated. Throws Error if the input can be read only once.
  virtual void rewind(std::uint64_t pass) = 0;

  /// The next rows of the pass, valid until the next call of `next` or `rewind`. Nothing at the end of the pass.
  virtual std::optional<Batch> next() = 0;

  /// The given rows (ascending numbers, from 0) as they were written. May read the input again and ends the pass.
  /// Throws Error if the input can't be read twice.
  virtual std::vector<WrittenRow> written(std::span<const std::int64_t> rows) = 0;

  /// The place in the input at which a row (from 0) begins, for messages. Has no file if that isn't known. May read the
  /// input again and ends the pass.
  virtual Place place_of(std::int64_t /*row*/) { return {}; }
};

}  // namespace linsep
