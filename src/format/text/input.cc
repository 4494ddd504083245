#include "format/text/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "format/csv/csv.h"
#include "format/svmlight/svmlight.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/tools/shown_text.h"
#include "os/available.h"
#include "os/resident.h"

namespace linsep {
namespace {

using Format = ReadOptions::Format;

/// A row is held as a whole. Its text in a buffer and as it grows, its page and the page as it is written take this
/// many times the text.
constexpr std::uint64_t kTimesRow = 6;
/// Rows up to this length need not be asked about.
constexpr std::size_t kLongRow = std::size_t{4} << 20;

/// Throws where a row of at least `bytes` bytes of text can't be held. `line`: from 0, see TextError.
void require_room_for_row(std::size_t bytes, std::uint64_t memory, std::uint64_t line) {
  if (bytes < kLongRow) return;
  const std::string row = fmt::format("a row of more than {}", size_words(bytes));
  if (memory > 0) {
    const std::uint64_t need = resident_bytes() + kTimesRow * bytes;
    if (need <= memory) return;
    throw TextError{
        line, 0, fmt::format("{} doesn't fit into the {} that {{}} allows", row, size_words(memory)), {"memory"}};
  }
  const MemoryLeft left = memory_left();
  if (bytes <= left.bytes) return;  // which it takes once more as its buffer grows
  throw TextError{line, 0, fmt::format("{} doesn't fit into memory: {}", row, memory_words(left))};
}

/// Whether a line tells something about the format: it isn't blank and no comment.
bool is_telling(std::string_view line) {
  const std::size_t visible = line.find_first_not_of(" \t\r");
  return visible != std::string_view::npos && line[visible] != '#';
}

/// The beginning of the input: `stations.head_bytes`, or more if the first line is longer, or less, at least up to the
/// first telling line's end, if the input is eager. Each byte is looked at once, however long a line is. An interrupt
/// is thrown at once, other failures come behind what was read. `memory`: see ReadOptions; `name`: of the input.
std::string read_head(const ReadBytes& read, const Stations& stations, std::uint64_t memory, const std::string& name,
                      std::exception_ptr& failure) {
  std::string head;
  bool has_line = false;
  std::size_t line = 0;  // where the one that was read last begins
  try {
    for (;;) {
      const std::size_t size = head.size();
      head.resize(size + stations.head_bytes);
      const std::size_t got = read(std::span(head).subspan(size));
      head.resize(size + got);
      for (std::size_t end = head.find('\n', size); end != std::string::npos && !has_line;
           end = head.find('\n', line)) {
        has_line = is_telling(std::string_view(head).substr(line, end - line));
        line = end + 1;
      }
      if (got == 0 || (stations.eager && has_line) || (line > 0 && head.size() >= stations.head_bytes)) return head;
      if (line == 0) require_room_for_row(head.size(), memory, 0);
    }
  } catch (const TextError& error) {
    throw Error(Error::Kind::kInput, Place{name, 1, 0}, error.options, shown_text(error.message));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::kInterrupted) throw;
    failure = std::current_exception();
  } catch (...) {
    failure = std::current_exception();
  }
  return head;
}

TextFormat make_format(const std::string& head, const ReadOptions& options, const std::string& name,
                       const Stations& stations) {
  try {
    if (options.format == Format::kSvmlight) return svmlight_format(head, options, stations.largest_block);
    return stations.csv ? stations.csv(head, options) : csv_format(head, options);
  } catch (const TextError& error) {
    throw Error(Error::Kind::kInput, Place{name, error.line + 1, error.column}, error.options,
                shown_text(error.message));
  }
}

std::string_view without(std::string_view name, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

bool is_entry(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  if (token.find(',', colon) != std::string_view::npos) return false;
  const std::string_view index = token.substr(0, colon);
  return index == "qid" || std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Format guess_by_line(std::string_view line) {
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t size = std::min(rest.find_first_of(" \t"), rest.size());
    if (is_entry(rest.substr(0, size))) return Format::kSvmlight;
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  if (line.find(',') != std::string_view::npos) return Format::kCsv;
  return line.find('\t') != std::string_view::npos ? Format::kTsv : Format::kSvmlight;
}

/// What the chunker is given: bytes that were read already, and the bytes behind them.
struct Beginning {
  std::string head;
  std::uint64_t first_byte = 0;
  ReadBytes read;
};

Beginning behind_header(const TextInput& input, const std::string& head, const ReadBytes& read) {
  const auto header = static_cast<std::size_t>(std::min<std::uint64_t>(input.format.header_bytes, head.size()));
  return {head.substr(header), header, read};
}

Beginning beginning_of(const std::string& path, const TextInput& input, const TextRange& range) {
  const std::uint64_t header = input.format.header_bytes;
  const ReadBytes nothing = [](std::span<char>) { return std::size_t{0}; };
  if (range.empty()) return {"", header, nothing};
  const std::uint64_t first = line_beginning(path, range.first_byte, header);
  const std::uint64_t end =
      range.end_byte >= input.stamp.bytes ? TextRange::kEndOfFile : line_beginning(path, range.end_byte, header);
  if (first >= end) return {"", first, nothing};
  return {"", first, limited(open_bytes_at(path, first).read, end - first)};
}

}  // namespace

Format guess_format(std::string_view path, std::string_view first_bytes) {
  std::string lower(path);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string_view name = without(lower, {".gz", ".zst", ".zstd"});
  const auto ends = [&](std::initializer_list<std::string_view> endings) { return without(name, endings) != name; };
  if (ends({".csv"})) return Format::kCsv;
  if (ends({".tsv", ".tab"})) return Format::kTsv;
  if (ends({".svm", ".svmlight", ".libsvm"})) return Format::kSvmlight;
  if (first_bytes.starts_with("\xef\xbb\xbf")) first_bytes.remove_prefix(3);
  while (!first_bytes.empty()) {
    const std::size_t size = std::min(first_bytes.find('\n'), first_bytes.size());
    const std::string_view line = first_bytes.substr(0, size);
    if (is_telling(line)) return guess_by_line(line.substr(line.find_first_not_of(" \t\r")));
    first_bytes.remove_prefix(std::min(size + 1, first_bytes.size()));
  }
  return Format::kSvmlight;
}

TextInput open_text(const std::string& path, const ReadOptions& options, const Stations& stations,
                    const TextRange& range) {
  ByteInput bytes = open_bytes(path, options.interrupt);
  std::exception_ptr failure;
  const std::string head = read_head(bytes.read, stations, options.memory, bytes.name, failure);

  ReadOptions resolved = options;
  if (resolved.format == Format::kAuto) resolved.format = guess_format(path, head);
  TextInput input;
  input.format = make_format(head, resolved, bytes.name, stations);
  input.name = bytes.name;
  input.kind = resolved.format;
  input.empty = head.empty() && !failure;
  input.regular = bytes.regular;
  input.compressed = bytes.compressed;
  input.stamp = bytes.stamp;

  Beginning beginning = range.whole() ? behind_header(input, head, bytes.read) : beginning_of(path, input, range);
  if (failure) {
    beginning.read = [failure](std::span<char>) -> std::size_t { std::rethrow_exception(failure); };
  }
  input.first_byte = beginning.first_byte;
  if (input.first_byte > input.format.header_bytes) {
    input.lines_before = [path, byte = input.first_byte] { return lines_before(path, byte); };
  } else if (input.format.header_lines > 0) {
    input.lines_before = [lines = input.format.header_lines] { return lines; };
  }
  const auto long_row = [memory = options.memory](std::size_t size) { require_room_for_row(size, memory, 0); };
  Chunker chunker(std::move(beginning.read), input.format.whole_rows, std::move(beginning.head), beginning.first_byte,
                  stations.chunk_bytes, stations.eager, long_row);
  input.pages = std::make_unique<PagePipeline>(std::move(chunker), input.format, options.threads, bytes.name,
                                               bytes.stop, input.lines_before);
  return input;
}

}  // namespace linsep
