// PieceReader: files, or parts of files, one behind another, as if they were one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/shards/file_layout.h"
#include "format/text/input.h"
#include "linsep/read.h"

namespace linsep {

/// The rows of a file that begin in a range of its bytes.
struct Piece {
  std::string path;
  TextRange range;
  bool operator==(const Piece&) const = default;
};

/// For messages about all of them: the first file's name, and how many there are more.
std::string files_name(std::span<const std::string> paths);

class PieceReader {
 public:
  /// Opens the first piece that tells a layout. REQUIRES: at least one piece. Throws as open_text does.
  PieceReader(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations);

  /// Of the first file that has one. Every other file has the same, or reading throws an input Error.
  const FileLayout& layout() const { return layout_; }

  /// As PagePipeline's; rows are numbered through. `piece` tells where the page came from.
  std::optional<ReadPage> next();
  std::size_t piece() const { return at_; }
  /// Rows left out by now because they have no label.
  std::int64_t dropped() const;
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const;

  /// Opens every piece, for what is known of them. REQUIRES: `next` isn't called.
  void open_all();

  /// Every piece opened by now, without its pages where they are all delivered.
  const std::vector<TextInput>& inputs() const { return inputs_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  void open(std::size_t piece);

  std::vector<Piece> pieces_;
  ReadOptions options_;
  Stations stations_;
  std::vector<TextInput> inputs_;
  FileLayout layout_;
  std::size_t at_ = 0;
  std::int64_t rows_before_ = 0;  ///< of the pieces before `at_`
  std::int64_t rows_ = 0;         ///< delivered
  std::int64_t dropped_before_ = 0;
};

}  // namespace linsep
