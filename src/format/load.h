// Loading with other stations than `load` uses, for tests and benchmarks. Also the check that rows read into memory
// will fit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/shards/pieces.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/table/fit.h"
#include "os/memory.h"

namespace linsep {

struct Sample;

/// If there is a map, it decides the type of values.
ReadOptions with_values_of_table(ReadOptions options);

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe = {});
std::unique_ptr<Source> load_with(std::span<const std::string> paths, const ReadOptions& options,
                                  const Stations& stations, Comm& comm, const Observer& observe = {});
std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options, const Stations& stations);
std::unique_ptr<Source> open_stream_with(std::span<const std::string> paths, const ReadOptions& options,
                                         const Stations& stations, Comm& comm);

/// `fit_table` with the given stations.
FittedTable fit_table_with(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                           const Stations& stations, Comm& comm, const Observer& observe = {});

/// Reads the first rows of a table of text. Throws like `load`.
void read_sample(const std::string& path, const ReadOptions& options, Sample& sample);

/// How many bytes of text these pieces have. Nothing if that isn't known, as for standard input and compressed files.
std::optional<std::uint64_t> text_bytes(const std::vector<Piece>& pieces);

/// Refuses rows that can't be held, before the system ends the process. It goes by the memory of the rows so far and by
/// how much text is to come, as soon as that can be judged, and whenever nearly nothing is left. The rest of the text
/// is estimated to take less than the text so far, so nothing that fits is refused.
class MemoryGuard {
 public:
  using Left = std::function<MemoryLeft()>;

  /// `text` is as from text_bytes. `name` is that of all files, for messages. The system is asked each time that `look`
  /// more bytes are held.
  MemoryGuard(
      std::optional<std::uint64_t> text, std::string name, Left left = [] { return memory_left(); },
      std::uint64_t look = std::uint64_t{32} << 20);

  /// Counts a page that was read. Throws a system Error with advice.
  void take(const Page& page);

 private:
  std::optional<std::uint64_t> text_;
  std::string name_;
  Left left_;
  std::uint64_t look_;
  std::uint64_t read_ = 0, held_ = 0, looked_ = 0;
};

}  // namespace linsep
