#include "ordered_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "comm/together.h"
#include "linsep/error.h"

namespace linsep::app {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

OrderedOutput::OrderedOutput(const std::string& path, Comm& comm) : comm_(comm) {
  if (comm.rank() == 0) output_.emplace(path);
}

// The others must hear of a closed pipe before this worker can end: it is told when all have done their rows.
void OrderedOutput::write_first(std::string_view text) {
  if (broken_) return;
  try {
    output_->write(text);
  } catch (const BrokenPipe&) {
    if (comm_.size() == 1) throw;
    broken_ = true;
  }
}

void OrderedOutput::write(std::string_view text) {
  if (output_) return write_first(text);
  if (!kept_) kept_.reset(std::tmpfile());
  if (!kept_ || std::fwrite(text.data(), 1, text.size(), kept_.get()) != text.size()) {
    throw system_error(fmt::format("can't keep predictions in a temporary file: {}", std::strerror(errno)));
  }
}

std::string OrderedOutput::next_block() {
  std::string block(kBlock, '\0');
  block.resize(kept_ ? std::fread(block.data(), 1, block.size(), kept_.get()) : 0);
  return block;
}

void OrderedOutput::close() {
  if (kept_) std::rewind(kept_.get());
  for (int sender = 1; sender < comm_.size(); ++sender) {
    for (;;) {
      // The first worker's word goes along: it sends one if nobody reads any more.
      const std::string mine = comm_.rank() == sender ? next_block() : (broken_ ? "broken" : "");
      const std::vector<std::string> all = gather_text(comm_, mine);
      if (!all[0].empty()) throw BrokenPipe{};
      const std::string& block = all[static_cast<std::size_t>(sender)];
      if (block.empty()) break;
      if (output_) write_first(block);
    }
  }
  if (output_) output_->close();
}

}  // namespace linsep::app
