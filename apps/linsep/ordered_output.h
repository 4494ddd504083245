// OrderedOutput is one output of what all workers write, in the order of their ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "linsep/comm.h"
#include "linsep/tools/arrow_writer.h"
#include "linsep/tools/file.h"
#include "output.h"

namespace linsep::app {

/// The first worker writes at once. Every other worker keeps its text in a temporary file of its own. `close` sends it
/// to the first, one worker after another and a block at a time. With `parquet`, what is written is a stream of Arrow,
/// and the output is that as Parquet.
class OrderedOutput {
 public:
  OrderedOutput(const std::string& path, Comm& comm, bool parquet = false);
  OrderedOutput(const OrderedOutput&) = delete;
  OrderedOutput& operator=(const OrderedOutput&) = delete;

  /// Throws a system Error if there is no room.
  void write(std::string_view text);
  /// A collective call. Throws BrokenPipe on every worker once nobody reads.
  void close();

 private:
  void write_first(std::string_view text);
  std::string next_block();

  Comm& comm_;
  std::optional<Output> output_;  ///< of the first worker
  std::optional<ParquetWriter> parquet_;
  bool broken_ = false;  ///< nobody reads the output
  std::optional<StreamedFile> spilled_;
  std::uint64_t sent_ = 0;
};

}  // namespace linsep::app
