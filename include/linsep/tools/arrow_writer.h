// Tables written in Arrow's IPC format, which needs no library, and as Parquet, which needs the module for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/tools/fields.h"

namespace linsep {

/// A column of a table that is written, with values of text, double, 64-bit integer or bool.
struct ArrowField {
  std::string name = {};
  FieldType type = FieldType::kText;
};

/// Some rows of a column, in the member that fits the type of its field.
struct ArrowColumn {
  std::vector<double> number = {};
  std::vector<std::string> text = {};
  std::vector<std::uint64_t> integer = {};  ///< the bits of an integer of either sign, or 0 or 1 for a bool
  std::vector<bool> null = {};              ///< of each row, or empty if none is null
};

/// The beginning and the end of a stream of Arrow. Batches come between them.
std::string arrow_stream_begin(std::span<const ArrowField> fields);
std::string arrow_stream_end();

/// Some rows. Bytes of text that aren't UTF-8 become U+FFFD. Throws an input Error for more than 2 GiB of text in one
/// column. REQUIRES: all columns have as many rows.
std::string arrow_batch(std::span<const ArrowField> fields, std::span<const ArrowColumn> columns);

/// An Arrow file (also known as Feather 2). The same batches come between its begin and its end. The end lists them, by
/// the sizes of what `arrow_batch` returned.
std::string arrow_file_begin(std::span<const ArrowField> fields);
std::string arrow_file_end(std::span<const ArrowField> fields, std::span<const std::uint64_t> batches);

/// Turns a stream of Arrow into a Parquet file as it comes, in row groups of at most 2^18 rows, compressed with Snappy
/// if Arrow C++ has it.
class ParquetWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// The file's bytes go to `sink`, in order. Throws a system Error if the module isn't installed.
  explicit ParquetWriter(Sink sink);
  ParquetWriter(ParquetWriter&&) noexcept;
  ParquetWriter& operator=(ParquetWriter&&) noexcept;
  ~ParquetWriter();

  /// The next bytes of the stream, in pieces of any size. Throws what `sink` throws, and system Errors.
  void write(std::string_view stream);
  /// Writes what is left. Call it after the stream's end, because without it the file isn't valid.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace linsep
