// Loading with the stations set up otherwise than `load` does it, for tests and benchmarks; and whether rows that are
// read into memory will fit.
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

/// With a map, the map decides on the type of values.
ReadOptions with_values_of_table(ReadOptions options);

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe = {});
std::unique_ptr<Source> load_with(std::span<const std::string> paths, const ReadOptions& options,
                                  const Stations& stations, Comm& comm, const Observer& observe = {});
std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options, const Stations& stations);
std::unique_ptr<Source> open_stream_with(std::span<const std::string> paths, const ReadOptions& options,
                                         const Stations& stations, Comm& comm);

/// `fit_table` likewise.
FittedTable fit_table_with(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                           const Stations& stations, Comm& comm, const Observer& observe = {});

/// The first rows of a table of text. Throws as `load` does.
void read_sample(const std::string& path, const ReadOptions& options, Sample& sample);

/// The bytes of text in these pieces; nothing where that isn't known: standard input, compressed files.
std::optional<std::uint64_t> text_bytes(const std::vector<Piece>& pieces);

/// Refuses rows that can't be held, before the system ends the process: by what the rows so far take and how much text
/// is to come, as soon as that can be told, and whenever nearly nothing is left. The text to come is estimated to take
/// less than that so far, so that nothing that fits is refused.
class MemoryGuard {
 public:
  using Left = std::function<MemoryLeft()>;

  /// `text`: see text_bytes. `name`: of all files, for messages. The system is asked each time that `look` bytes more
  /// are held.
  MemoryGuard(
      std::optional<std::uint64_t> text, std::string name, Left left = [] { return memory_left(); },
      std::uint64_t look = std::uint64_t{32} << 20);

  /// A page that was read. Throws a system Error that says what helps.
  void take(const Page& page);

 private:
  std::optional<std::uint64_t> text_;
  std::string name_;
  Left left_;
  std::uint64_t look_;
  std::uint64_t read_ = 0, held_ = 0, looked_ = 0;
};

}  // namespace linsep
