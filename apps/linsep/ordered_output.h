// OrderedOutput: one output of what all workers write, in the order of their ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "linsep/comm.h"
#include "linsep/tools/file.h"
#include "output.h"

namespace linsep::app {

/// The first worker writes at once. Every other keeps what it writes in a temporary file of its own; `close` sends it
/// to the first, one worker after another and a block at a time.
class OrderedOutput {
 public:
  OrderedOutput(const std::string& path, Comm& comm);

  /// Throws a system Error where there is no room.
  void write(std::string_view text);
  /// A collective call. Throws BrokenPipe on every worker where nobody reads any more.
  void close();

 private:
  void write_first(std::string_view text);
  std::string next_block();

  Comm& comm_;
  std::optional<Output> output_;  ///< of the first worker
  bool broken_ = false;           ///< nobody reads any more
  std::optional<StreamedFile> kept_;
  std::uint64_t sent_ = 0;
};

}  // namespace linsep::app
