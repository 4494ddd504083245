#include "format/shards/input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/deadline.h"
#include "core/parallel.h"
#include "format/csv/csv.h"
#include "format/svmlight/svmlight.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/tools/shown_text.h"
#include "os/memory.h"

namespace linsep {

std::uint64_t line_of_row(const TextFormat& format, const Chunk& chunk, std::int64_t row) {
  // Finds the longest run of whole rows with at most `row` rows by bisection. The row begins after it. Rows that are
  // known to belong to the run aren't parsed again.
  std::uint64_t line = 0;
  std::size_t begin = 0;  // of the rows that aren't known to
  std::size_t low = 0;
  std::size_t high = chunk.text.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t whole = format.whole_rows(chunk.text.substr(begin, middle - begin));
    if (whole == 0) {
      low = middle;
      continue;
    }
    const Page page = format.parse({chunk.text.substr(begin, whole), chunk.first_byte + begin}).page;
    if (page.batch.rows > row) {
      high = middle;
    } else {
      low = middle;
      begin += whole;
      row -= page.batch.rows;
      line += page.lines;
    }
  }
  return line;
}

PagePipeline::PagePipeline(Chunker chunker, TextFormat format, int threads, std::string name,
                           std::shared_ptr<std::atomic<bool>> stop, const std::atomic<bool>* interrupt,
                           LinesBefore before)
    : chunker_(std::move(chunker)),
      format_(std::move(format)),
      threads_(thread_count(threads)),
      name_(std::move(name)),
      stop_(std::move(stop)),
      interrupt_(interrupt),
      before_(std::move(before)),
      ring_(threads_ == 1 ? 1 : static_cast<std::size_t>(2 * threads_ + 1)) {}

PagePipeline::~PagePipeline() {
  if (workers_.empty()) return;
  stop_->store(true);
  {
    const std::scoped_lock lock(mutex_);  // no worker is between checking `stop_` and waiting
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

/// Returns false if there is no further chunk, or if reading failed.
bool PagePipeline::read(Slot& slot) {
  slot.failure = nullptr;
  slot.end = false;
  try {
    slot.end = !interruptible(interrupt_, [&] { return chunker_.next(slot.buffer); });
  } catch (...) {
    slot.failure = std::current_exception();
  }
  return !slot.end && !slot.failure;
}

void PagePipeline::parse(Slot& slot) {
  try {
    slot.parsed = interruptible(interrupt_, [&] { return format_.parse(slot.buffer.chunk()); });
  } catch (...) {
    slot.failure = std::current_exception();
  }
}

void PagePipeline::work() {
  for (;;) {
    Slot* slot = nullptr;
    bool more = false;
    {
      const std::scoped_lock reading(reading_);
      if (ended_) return;
      slot = &ring_[taken_ % ring_.size()];
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return taken_ - freed_ < ring_.size() || stop_->load(); });
      }
      if (stop_->load()) return;
      more = read(*slot);
      ended_ = !more;
      ++taken_;
    }
    if (more) parse(*slot);
    {
      const std::scoped_lock lock(mutex_);
      slot->ready = true;
    }
    changed_.notify_all();
    if (!more) return;
  }
}

void PagePipeline::start_threads() {
  taken_ = freed_ = delivered_;
  for (int i = 0; i < threads_; ++i) workers_.emplace_back([this] { work(); });
}

/// The slot of chunk number `delivered_`, read and parsed.
PagePipeline::Slot& PagePipeline::wait_for_next() {
  Slot& slot = ring_[delivered_ % ring_.size()];
  if (threads_ == 1 || delivered_ == 0) {
    if (read(slot)) parse(slot);
    return slot;
  }
  if (workers_.empty()) start_threads();
  std::unique_lock lock(mutex_);
  freed_ = delivered_;  // the caller is done with the previous chunk
  changed_.notify_all();
  changed_.wait(lock, [&] { return slot.ready; });
  slot.ready = false;
  return slot;
}

ReadPage PagePipeline::deliver(Slot& slot) {
  Page& page = slot.parsed.page;
  page.first_byte = slot.buffer.first_byte;
  page.bytes = slot.buffer.size;
  page.first_line = line_;
  page.batch.first_row = rows_;
  line_ += page.lines;
  rows_ += page.batch.rows;
  dropped_ += slot.parsed.dropped;
  ++delivered_;
  return {std::exchange(slot.parsed, {}), slot.buffer.chunk()};
}

std::optional<ReadPage> PagePipeline::next() {
  while (!done_) {
    Slot& slot = wait_for_next();
    done_ = slot.end || slot.failure;
    if (slot.end) break;
    try {
      if (slot.failure) std::rethrow_exception(slot.failure);
    } catch (const TextError& error) {
      throw Error(Error::Kind::kInput, Place{name_, (before_ ? before_() : 0) + line_ + error.line, error.column},
                  error.options, shown_text(error.message));
    }
    ReadPage page = deliver(slot);
    if (page.parsed.page.batch.rows > 0) return page;
  }
  return std::nullopt;
}

Error PagePipeline::error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const {
  const std::uint64_t line = page.parsed.page.first_line + line_of_row(format_, page.chunk, row);
  return {Place{name_, (before_ ? before_() : 0) + line, 0}, shown_text(message)};
}

namespace {

using Format = ReadOptions::Format;

/// Whether a token is an svmlight entry such as 17:0.5.
bool is_entry(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  if (token.find(',', colon) != std::string_view::npos) return false;
  const std::string_view index = token.substr(0, colon);
  return index == "qid" || std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_entry(std::string_view line) {
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t size = std::min(rest.find_first_of(" \t"), rest.size());
    if (is_entry(rest.substr(0, size))) return true;
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return false;
}

TextFormat open_svmlight(std::string_view first_bytes, const ReadOptions& options, const Stations& stations) {
  return svmlight_format(first_bytes, options, stations.largest_block);
}

TextFormat open_csv(std::string_view first_bytes, const ReadOptions& options, const Stations& stations) {
  return stations.csv ? stations.csv(first_bytes, options) : csv_format(first_bytes, options);
}

/// In the order of ReadOptions::Format. A line that looks like none of them is taken for the first.
constexpr FormatFacts kFormats[] = {
    {Format::kSvmlight, "svmlight", "svmlight", {".svm", ".svmlight", ".libsvm"}, false, has_entry, open_svmlight},
    {Format::kCsv,
     "csv",
     "CSV",
     {".csv"},
     true,
     [](std::string_view line) { return line.find_first_of(",;|") != std::string_view::npos; },
     open_csv},
    {Format::kTsv,
     "tsv",
     "TSV",
     {".tsv", ".tab"},
     true,
     [](std::string_view line) { return line.find('\t') != std::string_view::npos; },
     open_csv},
};
constexpr FormatFacts kUnknown = {Format::kAuto, "auto", "", {}, true};

Format guess_by_line(std::string_view line) {
  for (const FormatFacts& facts : kFormats) {
    if (facts.looks_like(line)) return facts.format;
  }
  return kFormats[0].format;
}

/// A row is held as a whole. This is how many times the text's size it takes: its text in a buffer and as that grows,
/// its page, and the page as it is written.
constexpr std::uint64_t kTimesRow = 6;
/// Rows up to this length need no check.
constexpr std::size_t kLongRow = std::size_t{4} << 20;

/// Throws if a row of at least `bytes` bytes of text can't be held. `line` counts from 0, as in TextError.
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
  if (bytes <= left.bytes) return;  // its buffer takes this once more as it grows
  throw TextError{line, 0, fmt::format("{} doesn't fit into memory: {}", row, memory_words(left))};
}

/// Whether a line is a clue to the format, that is, neither blank nor a comment.
bool is_telling(std::string_view line) {
  const std::size_t visible = line.find_first_not_of(" \t\r");
  return visible != std::string_view::npos && line[visible] != '#';
}

/// The beginning of the input: `stations.head_bytes`, or more if the first line is longer. If the input is eager, it
/// may be less, but at least reaches the end of the first line that is a clue. Each byte is looked at once, however
/// long a line is. An interrupt is thrown at once, and other failures come after what was read. `memory` is as in
/// ReadOptions. `name` is the input's.
std::string read_head(const ReadBytes& read, const Stations& stations, std::uint64_t memory, const std::string& name,
                      std::exception_ptr& failure) {
  std::string head;
  bool has_line = false;
  std::size_t line = 0;  // where the latest line begins
  std::size_t size = 0;  // how much was read. There may be room for more after it
  try {
    for (;;) {
      size = head.size();
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
  head.resize(size);
  return head;
}

TextFormat make_format(const std::string& head, const ReadOptions& options, const std::string& name,
                       const Stations& stations) {
  try {
    return facts_of(options.format).open(head, options, stations);
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

/// The input of the chunker: bytes that were already read, and the bytes after them.
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

const FormatFacts& facts_of(Format format) {
  return format == Format::kAuto ? kUnknown : kFormats[static_cast<std::size_t>(format) - 1];
}

Format last_format() { return std::end(kFormats)[-1].format; }

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatFacts& facts : kFormats) names.emplace_back(facts.option);
  return names;
}

Format format_named(const std::string& name) {
  if (name == kUnknown.option) return Format::kAuto;
  for (const FormatFacts& facts : kFormats) {
    if (name == facts.option) return facts.format;
  }
  throw option_error("format", fmt::format("{{}} takes {} or auto, not '{}'", fmt::join(format_names(), ", "), name));
}

Format guess_format(std::string_view path, std::string_view first_bytes) {
  std::string lower(path);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string_view name = without(lower, {".gz", ".zst", ".zstd"});
  for (const FormatFacts& facts : kFormats) {
    for (const std::string_view ending : facts.endings) {
      if (!ending.empty() && name.ends_with(ending)) return facts.format;
    }
  }
  if (first_bytes.starts_with("\xef\xbb\xbf")) first_bytes.remove_prefix(3);
  while (!first_bytes.empty()) {
    const std::size_t size = std::min(first_bytes.find('\n'), first_bytes.size());
    const std::string_view line = first_bytes.substr(0, size);
    if (is_telling(line)) return guess_by_line(line.substr(line.find_first_not_of(" \t\r")));
    first_bytes.remove_prefix(std::min(size + 1, first_bytes.size()));
  }
  return kFormats[0].format;
}

TextInput open_text(const std::string& path, const ReadOptions& options, const Stations& stations,
                    const TextRange& range) {
  ByteInput bytes = open_bytes(path, options.interrupt);
  std::exception_ptr failure;
  const std::string head = read_head(bytes.read, stations, options.memory, bytes.name, failure);

  ReadOptions resolved = options;
  if (resolved.format == Format::kAuto) resolved.format = guess_format(path, head);
  TextInput input;
  try {
    input.format = make_format(head, resolved, bytes.name, stations);
  } catch (const Error&) {
    // Input that is cut off or damaged looks wrong in other ways too.
    if (failure) std::rethrow_exception(failure);
    throw;
  }
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
                                               bytes.stop, options.interrupt, input.lines_before);
  return input;
}

}  // namespace linsep
