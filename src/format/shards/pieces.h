// PieceReader: files, or parts of files, one behind another, as if they were one; and what they must have in common.
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
  bool known = false;  ///< false: the file has no row to tell it by
  ReadOptions::Format kind = ReadOptions::Format::kAuto;
  std::uint32_t columns = 0;               ///< TextFormat's
  std::vector<std::string> feature_names;  ///< likewise
  std::vector<std::string> label_names;
  Reading reading;
  std::shared_ptr<const TableMap> table;  ///< TextFormat's; workers don't tell it each other

  /// How many features there are before the first row: those that have names, or that a map makes.
  std::uint32_t named_features() const { return table ? columns : static_cast<std::uint32_t>(feature_names.size()); }
};

FileLayout layout_of(const TextInput& input);

/// Throws an input Error about `other` where it can't continue where `first` ends. Files without rows always can.
void require_same_layout(const FileLayout& first, const FileLayout& other);

void write_layout(ByteWriter& writer, const FileLayout& layout);
FileLayout read_layout(ByteReader& reader);

/// The rows of a file that begin in a range of its bytes.
struct Piece {
  std::string path;
  TextRange range;
  bool operator==(const Piece&) const = default;
};

/// For messages about all of them: the first file's name, and how many there are more.
std::string files_name(std::span<const std::string> paths);

/// PageStream: the pages of text or Arrow files in order, once. Whatever becomes of rows (a source in memory, one that
/// reads on each pass, a page file) is made of it.
class PageStream {
 public:
  PageStream() = default;
  PageStream(const PageStream&) = delete;
  PageStream& operator=(const PageStream&) = delete;
  virtual ~PageStream() = default;

  virtual const FileLayout& layout() const = 0;
  /// The next page that has rows, numbered from 0; nothing at the end. Labels aren't resolved. Throws Error.
  virtual std::optional<ReadPage> next() = 0;
  /// Which of several files the last page came from.
  virtual std::size_t piece() const { return 0; }
  /// Rows left out by now because they have no label.
  virtual std::int64_t dropped() const = 0;
  /// Throws a usage Error where the input can be read only once.
  virtual void require_again() const {}

  // Of the page that `next` delivered last.
  /// An Error about its row `row` (from 0).
  virtual Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const = 0;
  /// Where the row begins; nothing where files have no lines.
  virtual Place place_of(const ReadPage& /*page*/, std::int64_t /*row*/) const { return {}; }
  /// What columns given by name or number from 1 are called and hold, and their fields row by row, as CSV has them.
  /// Throws a usage Error.
  virtual std::vector<std::string> names(std::span<const std::string> columns) const = 0;
  virtual std::vector<FieldType> types(std::span<const std::string> columns) const = 0;
  virtual std::vector<std::string> fields(std::span<const std::string> columns) const = 0;
};

/// Takes the labels of a page that `stream` has just delivered. Throws an Error about the first that can't be taken.
void take_labels(const PageStream& stream, ReadPage& page, LabelColumns& labels);

/// What a layout tells of all rows: names of features, the map, how they were read.
Schema schema_of(const FileLayout& layout);

/// Thrown for an input that can be read only once.
Error read_once_error(const std::string& name);

class PieceReader : public PageStream {
 public:
  /// Opens the first piece that tells a layout. REQUIRES: at least one piece. Throws as open_text does.
  PieceReader(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations);

  /// Of the first file that has one. Every other file has the same, or reading throws an input Error.
  const FileLayout& layout() const override { return layout_; }

  /// As PagePipeline's; rows are numbered through.
  std::optional<ReadPage> next() override;
  std::size_t piece() const override { return at_; }
  std::int64_t dropped() const override;
  void require_again() const override;
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const override;
  Place place_of(const ReadPage& page, std::int64_t row) const override;
  std::vector<std::string> names(std::span<const std::string> columns) const override;
  std::vector<FieldType> types(std::span<const std::string> columns) const override;
  std::vector<std::string> fields(std::span<const std::string> columns) const override;

  /// Opens every piece, for what is known of them. REQUIRES: `next` isn't called.
  void open_all();

  /// Every piece opened by now, without its pages where they are all delivered.
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
  std::int64_t rows_ = 0;         ///< delivered
  std::int64_t dropped_before_ = 0;
  Chunk last_;  ///< the text of the page delivered last
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
