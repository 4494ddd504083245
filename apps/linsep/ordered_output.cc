#include "ordered_output.h"

#include <algorithm>
#include <vector>

#include "linsep/comm.h"

namespace linsep::app {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

OrderedOutput::OrderedOutput(const std::string& path, Comm& comm, bool parquet) : comm_(comm) {
  if (comm.rank() != 0) return;
  output_.emplace(path);
  if (parquet) parquet_.emplace([this](std::string_view bytes) { output_->write(bytes); });
}

// The others must learn of a closed pipe before this worker can end, so it is reported when all have done their rows.
void OrderedOutput::write_first(std::string_view text) {
  if (broken_) return;
  try {
    if (parquet_) {
      parquet_->write(text);
    } else {
      output_->write(text);
    }
  } catch (const BrokenPipe&) {
    if (comm_.size() == 1) throw;
    broken_ = true;
  }
}

void OrderedOutput::write(std::string_view text) {
  if (output_) return write_first(text);
  if (!spilled_) spilled_.emplace(StreamedFile::nameless());
  spilled_->append(text);
}

std::string OrderedOutput::next_block() {
  if (!spilled_) return "";
  std::string block(std::min<std::uint64_t>(kBlock, spilled_->size() - sent_), '\0');
  spilled_->read_at(sent_, block);
  sent_ += block.size();
  return block;
}

void OrderedOutput::close() {
  for (int sender = 1; sender < comm_.size(); ++sender) {
    for (;;) {
      // The first worker's message goes along. It sends one once nobody reads.
      const std::string mine = comm_.rank() == sender ? next_block() : (broken_ ? "broken" : "");
      const std::vector<std::string> all = gather_text(comm_, mine);
      if (!all[0].empty()) throw BrokenPipe{};
      const std::string& block = all[static_cast<std::size_t>(sender)];
      if (block.empty()) break;
      if (output_) write_first(block);
    }
  }
  if (parquet_) parquet_->close();
  if (output_) output_->close();
}

}  // namespace linsep::app
