#include "format/shards/piece_reader.h"

#include <fmt/format.h>

#include <utility>

#include "format/text/bytes.h"
#include "linsep/error.h"

namespace linsep {

PieceReader::PieceReader(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations)
    : pieces_(std::move(pieces)), options_(options), stations_(stations) {
  for (std::size_t k = 0; k < pieces_.size() && !layout_.known; ++k) open(k);
}

void PieceReader::open(std::size_t piece) {
  if (piece < inputs_.size()) return;
  inputs_.push_back(open_text(pieces_[piece].path, options_, stations_, pieces_[piece].range));
  FileLayout layout = layout_of(inputs_.back());
  require_same_layout(layout_, layout);
  if (!layout_.known) layout_ = std::move(layout);
}

void PieceReader::open_all() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    open(k);
    inputs_[k].pages.reset();
  }
}

std::optional<ReadPage> PieceReader::next() {
  while (at_ < pieces_.size()) {
    open(at_);
    if (auto read = inputs_[at_].pages->next()) {
      read->parsed.page.batch.first_row += rows_before_;
      rows_ += read->parsed.page.batch.rows;
      return read;
    }
    if (at_ + 1 == pieces_.size()) break;
    dropped_before_ += inputs_[at_].pages->dropped();
    inputs_[at_].pages.reset();
    rows_before_ = rows_;
    ++at_;
  }
  return std::nullopt;
}

std::int64_t PieceReader::dropped() const {
  return dropped_before_ + (at_ < inputs_.size() && inputs_[at_].pages ? inputs_[at_].pages->dropped() : 0);
}

Error PieceReader::error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const {
  return inputs_[at_].pages->error_at_row(page, row, message);
}

std::string files_name(std::span<const std::string> paths) {
  const std::string first = is_standard_input(paths[0]) ? "standard input" : paths[0];
  const std::size_t more = paths.size() - 1;
  return more == 0 ? first : fmt::format("{} and {} more file{}", first, more, more == 1 ? "" : "s");
}

}  // namespace linsep
