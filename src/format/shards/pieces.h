// PieceReader reads files, or parts of files, one after another as if they were one. Also what they must have in
// common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "format/labels/columns.h"
#include "format/shards/input.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/tools/fields.h"

namespace linsep {

class ByteReader;
class ByteWriter;

struct FileLayout {
  std::string name;    ///< the file's, for messages
  bool known = false;  ///< false: the file has no row that shows it
  ReadOptions::Format kind = ReadOptions::Format::kAuto;
  std::uint32_t columns = 0;               ///< TextFormat's
  std::vector<std::string> feature_names;  ///< also TextFormat's
  std::vector<std::string> label_names;
  Reading reading;
  std::shared_ptr<const TableMap> table;  ///< TextFormat's. Workers don't exchange it

  /// The number of features known before the first row: those that have names, or that a map makes.
  std::uint32_t named_features() const { return table ? columns : static_cast<std::uint32_t>(feature_names.size()); }
};

FileLayout layout_of(const TextInput& input);

/// Throws an input Error about `other` if it can't continue after `first`. Files without rows always can.
void require_same_layout(const FileLayout& first, const FileLayout& other);

void write_layout(ByteWriter& writer, const FileLayout& layout);
FileLayout read_layout(ByteReader& reader);

/// The rows of a file that begin in a range of its bytes.
struct Piece {
  std::string path;
  TextRange range;
  bool operator==(const Piece&) const = default;
};

/// For messages about all of them: the first file's name, and the number of further ones.
std::string files_name(std::span<const std::string> paths);

/// PageStream returns the pages of text or Arrow files in order, once. Every use of rows (a source in memory, one that
/// reads on each pass, a page file) is built on it.
class PageStream {
 public:
  PageStream() = default;
  PageStream(const PageStream&) = delete;
  PageStream& operator=(const PageStream&) = delete;
  virtual ~PageStream() = default;

  virtual const FileLayout& layout() const = 0;
  /// The next page that has rows, numbered from 0, or nothing at the end. Labels aren't resolved. Throws Error.
  virtual std::optional<ReadPage> next() = 0;
  /// The index among several files of the one that the latest page came from.
  virtual std::size_t piece() const { return 0; }
  /// Rows left out so far because they have no label.
  virtual std::int64_t dropped() const = 0;
  /// Throws a usage Error if the input can be read only once.
  virtual void require_again() const {}

  // About the latest page from `next`.
  /// Makes an Error about its row `row` (from 0).
  virtual Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const = 0;
  /// The place where the row begins. Empty if files have no lines.
  virtual Place place_of(const ReadPage& /*page*/, std::int64_t /*row*/) const { return {}; }
  /// For columns given by name or by number from 1: their names, the types of their contents, and their fields row by
  /// row, in CSV's form. Throws a usage Error.
  virtual std::vector<std::string> names(std::span<const std::string> columns) const = 0;
  virtual std::vector<FieldType> types(std::span<const std::string> columns) const = 0;
  virtual std::vector<std::string> fields(std::span<const std::string> columns) const = 0;
};

/// Takes the labels of a page that `stream` has just returned. Throws an Error about the first that can't be accepted.
void take_labels(const PageStream& stream, ReadPage& page, LabelColumns& labels);

/// What a layout implies for all rows: names of features, the map, how they were read.
Schema schema_of(const FileLayout& layout);

/// Thrown for an input that can be read only once.
Error read_once_error(const std::string& name);

class PieceReader : public PageStream {
 public:
  /// Opens the first piece that shows a layout. REQUIRES: at least one piece. Throws like open_text.
  PieceReader(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations);

  /// The layout of the first file that has one. Every other file has the same, or reading throws an input Error.
  const FileLayout& layout() const override { return layout_; }

  /// Like PagePipeline's, with rows numbered across files.
  std::optional<ReadPage> next() override;
  std::size_t piece() const override { return at_; }
  std::int64_t dropped() const override;
  void require_again() const override;
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const override;
  Place place_of(const ReadPage& page, std::int64_t row) const override;
  std::vector<std::string> names(std::span<const std::string> columns) const override;
  std::vector<FieldType> types(std::span<const std::string> columns) const override;
  std::vector<std::string> fields(std::span<const std::string> columns) const override;

  /// Opens every piece, to learn what is known of them. REQUIRES: `next` isn't called.
  void open_all();

  /// Every piece opened so far. If all its pages were returned, it no longer has them.
  const std::vector<TextInput>& inputs() const { return inputs_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  void open(std::size_t piece);
  const TextFormat& format_with_columns() const;

  std::vector<Piece> pieces_;
  ReadOptions options_;
  Stations stations_;
  std::vector<TextInput> inputs_;
  FileLayout layout_;
  std::size_t at_ = 0;
  std::int64_t rows_before_ = 0;  ///< of the pieces before `at_`
  std::int64_t rows_ = 0;         ///< returned so far
  std::int64_t dropped_before_ = 0;
  Chunk last_;  ///< the text of the latest page
};

inline void write_words(ByteWriter& writer, const std::vector<std::string>& words) {
  writer.number<std::uint64_t>(words.size());
  for (const std::string& word : words) writer.text(word);
}

inline std::vector<std::string> read_words(ByteReader& reader) {
  std::vector<std::string> words;
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) words.push_back(reader.text());
  return words;
}

inline void write_reading(ByteWriter& writer, const Reading& reading) {
  writer.text(reading.format);
  writer.text(reading.delimiter);
  writer.number<std::uint8_t>(reading.header ? 1 : 0);
  writer.text(reading.label);
  write_words(writer, reading.left_out);
}

inline Reading read_reading(ByteReader& reader) {
  Reading reading;
  reading.format = reader.text();
  reading.delimiter = reader.text();
  reading.header = reader.number<std::uint8_t>() != 0;
  reading.label = reader.text();
  reading.left_out = read_words(reader);
  return reading;
}

}  // namespace linsep
