#include "format/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "bytes/bytes.h"
#include "core/deadline.h"
#include "data/memory_source.h"
#include "data/paged/page_file.h"
#include "format/arrays/arrays.h"
#include "format/arrow/files.h"
#include "format/arrow/pages.h"
#include "format/labels/columns.h"
#include "format/labels/labels.h"
#include "format/pages/pages.h"
#include "format/pages/reread.h"
#include "format/shards/share_files.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/table/arrow.h"
#include "linsep/table/map.h"
#include "linsep/tools/array_path.h"
#include "linsep/tools/fields.h"
#include "os/file.h"
#include "os/memory.h"

namespace linsep {
namespace {

/// With less memory than this, nothing runs for long.
constexpr std::uint64_t kNearlyNothing = std::uint64_t{48} << 20;
/// The rows to come take at least this share of what the text so far has taken.
constexpr double kLeastShare = 0.8;

/// With less memory than this, little can be done.
constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;

/// A round limit of memory, below what this process can have.
std::uint64_t memory_that_fits(const MemoryLeft& left) {
  constexpr std::uint64_t kRound = std::uint64_t{16} << 20;
  const std::uint64_t all = std::min(left.bytes, std::uint64_t{1} << 62) + resident_bytes();
  return std::min(all / 4 * 3 / kRound * kRound, std::uint64_t{1} << 30);
}

std::uint64_t bytes_of(const Page& page) {
  const Batch& batch = page.batch;
  return batch.start.size_bytes() + batch.column.size_bytes() + batch.value32.size_bytes() +
         batch.value64.size_bytes() + batch.label.size_bytes() + batch.weight.size_bytes();
}

}  // namespace

std::optional<std::uint64_t> text_bytes(const std::vector<Piece>& pieces) {
  std::uint64_t all = 0;
  for (const Piece& piece : pieces) {
    if (is_standard_input(piece.path) || !can_be_opened_again(piece.path)) return std::nullopt;
    const ByteInput input = open_bytes(piece.path);
    if (!input.regular || input.compressed) return std::nullopt;
    all += piece.range.bytes_of(input.stamp.bytes);
  }
  return all;
}

MemoryGuard::MemoryGuard(std::optional<std::uint64_t> text, std::string name, Left left, std::uint64_t look)
    : text_(text), name_(std::move(name)), left_(std::move(left)), look_(look) {}

void MemoryGuard::take(const Page& page) {
  read_ += page.bytes;
  held_ += bytes_of(page);
  if (held_ - looked_ < look_) return;
  looked_ = held_;
  const MemoryLeft left = left_();
  double to_come = 0;
  if (text_ && *text_ > read_) {
    to_come = static_cast<double>(held_) * (static_cast<double>(*text_ - read_) / static_cast<double>(read_));
  }
  const bool too_much = kLeastShare * to_come > static_cast<double>(left.bytes);
  if (!too_much && left.bytes >= kNearlyNothing) return;
  const std::string need =
      to_come > 0 ? fmt::format("its rows need about {} more memory", size_words(static_cast<std::uint64_t>(to_come)))
                  : fmt::format("its rows have taken {} of memory so far", size_words(held_));
  const std::string sentence = fmt::format("{}, but {}: ", need, memory_words(left));
  const std::string others =
      "`linsep convert` writes a page file for all runs; `linsep train --online` reads the rows only once";
  const std::uint64_t fits = memory_that_fits(left);
  if (fits < kLeastMemory) throw Error(Error::Kind::kSystem, Place{name_, 0, 0}, {}, sentence + others);
  throw Error(Error::Kind::kSystem, Place{name_, 0, 0}, {"memory"},
              fmt::format("{}{{}} {}, for instance, keeps rows on disk; {}", sentence, size_words(fits), others));
}

namespace {

std::unique_ptr<Source> load_shard(const std::vector<Piece>& pieces, std::span<const std::string> paths,
                                   const ReadOptions& options, const Stations& stations, Comm& comm,
                                   const Observer& observe) {
  std::optional<PieceReader> reader;
  std::optional<LabelColumns> labels;
  std::vector<Page> pages;
  auto places = std::make_shared<PagePlaces>();
  const std::string name = files_name(paths);
  std::uint32_t features = options.features;
  TinyValues tiny;
  rethrow_on_all(comm, [&] {
    try {
      reader.emplace(pieces, options, stations);
      labels.emplace(options, reader->layout().label_names, comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
      features = std::max(features, reader->layout().named_features());
      MemoryGuard guard(text_bytes(pieces), name);
      Progress progress;
      progress.phase = Phase::kReading;
      while (auto read = reader->next()) {
        poll_now();
        take_labels(*reader, *read, *labels);
        tiny.join(read->parsed.tiny, read->parsed.page.batch.first_row);
        Page& page = pages.emplace_back(std::move(read->parsed.page));
        places->add(page, reader->piece());
        guard.take(page);
        features = std::max(features, page.batch.features);
        progress.rows += page.batch.rows;
        if (observe) observe(progress);
      }
    } catch (const std::bad_alloc&) {
      throw system_error(fmt::format("{}: there isn't enough memory to hold it", paths[0]));
    }
  });
  const ShardTotals all = finish_pages(
      *labels, pages, features, options, name, comm,
      [&](std::int64_t row, const std::string& message) { return places->error_at_row(*reader, row, message); });
  places->complete(*reader, all.rows_before);
  Schema schema = schema_of(reader->layout());
  schema.dropped = reader->dropped();
  schema.tiny.join(tiny, all.rows_before);
  labels->describe(schema);
  return std::make_unique<MemorySource>(
      std::move(pages), std::move(schema), all.features,
      [places](std::span<const std::int64_t> rows) { return places->written(rows); },
      [places](std::int64_t row) { return places->place_of(row); });
}

/// Opens the input again in each pass and keeps one page. Standard input allows one pass.
class StreamSource : public Source {
 public:
  using Open = std::function<std::unique_ptr<PageStream>()>;

  /// `written` returns rows exactly as written, for an input that can be read again.
  StreamSource(Open open, const ReadOptions& options, WrittenReader written)
      : open_(std::move(open)),
        interrupt_(options.interrupt),
        written_(std::move(written)),
        stream_(open_()),
        labels_(options, stream_->layout().label_names, LabelScope::kStream),
        schema_(schema_of(stream_->layout())),
        features_(std::max(options.features, stream_->layout().named_features())) {
    labels_.describe(schema_);
  }

  Shape shape() const override { return {-1, features_, -1}; }
  const Schema& schema() const override { return schema_; }
  /// The stream, whose fields are those of the latest rows handed out.
  const PageStream& stream() const { return *stream_; }

  void rewind(std::uint64_t) override {
    last_ = {};
    if (!begun_) return;
    stream_->require_again();
    begun_ = first_pass_ = false;
    stream_ = open_();
  }

  std::optional<Batch> next() override {
    return interruptible(interrupt_, [&] { return next_page(); });
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    stream_->require_again();
    last_ = {};
    return interruptible(interrupt_, [&] { return written_(rows); });
  }

  /// For the latest rows handed out. Others are gone.
  Place place_of(std::int64_t row) override {
    const Batch& batch = last_.parsed.page.batch;
    const std::int64_t place = row - batch.first_row;
    return place < 0 || place >= batch.rows ? Place{} : stream_->place_of(last_, place);
  }

 private:
  std::optional<Batch> next_page() {
    begun_ = true;
    last_ = {};
    auto read = stream_->next();
    schema_.dropped = stream_->dropped();
    if (!read) return std::nullopt;
    take_labels(*stream_, *read, labels_);
    labels_.describe(schema_);
    last_ = *std::move(read);
    Batch& batch = last_.parsed.page.batch;
    if (const TinyValues& tiny = last_.parsed.tiny; first_pass_ && tiny.row >= 0) {
      if (schema_.tiny.row < 0) schema_.tiny.place = stream_->place_of(last_, tiny.row);
      schema_.tiny.join(tiny, batch.first_row);
    }
    features_ = std::max(features_, batch.features);
    batch.features = features_;
    return batch;
  }

  Open open_;
  const std::atomic<bool>* interrupt_;
  WrittenReader written_;
  std::unique_ptr<PageStream> stream_;
  LabelColumns labels_;
  Schema schema_;
  std::uint32_t features_ = 0;
  ReadPage last_;
  bool begun_ = false;  ///< something has been taken from `stream_`
  bool first_pass_ = true;
};

/// Counts by reading, because the files' streams don't provide the count.
std::int64_t count_arrow_rows(std::span<const std::string> paths, std::uint64_t memory) {
  const std::unique_ptr<arrow::Intake> intake = open_arrow_intake(paths, memory);
  ArrowTable::Batches batches;
  intake->describe(batches);
  while (intake->next(batches)) batches.release();
  return batches.rows;
}

/// Several workers go through the files once in advance, to divide the rows among them.
std::unique_ptr<Source> stream_arrow_files(std::span<const std::string> given, const ReadOptions& options, Comm& comm) {
  std::unique_ptr<Source> source;
  rethrow_on_all(comm, [&] {
    arrow::RowRange range;
    if (comm.size() > 1) range = arrow::own_rows(count_arrow_rows(given, options.memory), comm);
    const std::vector<std::string> paths(given.begin(), given.end());
    // Exact values come from a table in memory, because they are rarely requested and only for few rows.
    const auto written = [paths, options, range](std::span<const std::int64_t> rows) {
      if (range.begin > 0) {
        throw usage_error("several workers can't share a stream with exact values: load it");
      }
      return load(open_arrow_files(paths, options.memory), options)->written(rows);
    };
    const auto open = [paths, options, range] { return open_arrow_pages(paths, options, range); };
    source = std::make_unique<StreamSource>(open, options, written);
  });
  return source;
}

const PageStream& stream_of(const Source& source) {
  if (const auto* found = dynamic_cast<const StreamSource*>(&source)) return found->stream();
  throw usage_error(
      "only CSV, TSV, Parquet and Arrow files have columns to keep: page files, also those of a cache, hold only "
      "numbers");
}

}  // namespace

ReadOptions with_values_of_table(ReadOptions options) {
  if (options.table && !options.table->empty()) options.double_values = !options.table->single;
  return options;
}

namespace {

std::unique_ptr<Source> load_any(std::span<const std::string> given, const ReadOptions& options,
                                 const Stations& stations, Comm& comm, const Observer& observe) {
  if (are_array_files(given)) return load_array_files(given, options, comm, observe);
  if (are_arrow_files(given)) return load_arrow_files(given, options, comm, observe);
  const std::vector<std::string> paths = text_files(given);
  if (are_page_files(paths)) return open_pages(paths, options, comm);
  const std::vector<Piece> pieces = share_files(paths, options, stations, comm);
  if (want_pages(pieces, options, comm)) return load_by_pages(pieces, options, files_name(paths), comm, observe);
  return load_shard(pieces, paths, options, stations, comm, observe);
}

}  // namespace

std::unique_ptr<Source> load_with(std::span<const std::string> given, const ReadOptions& asked,
                                  const Stations& stations, Comm& comm, const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  return interruptible(options.interrupt, [&] { return load_any(given, options, stations, comm, observe); });
}

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe) {
  return load_with(std::span(&path, 1), options, stations, *solo(), observe);
}

std::unique_ptr<Source> load(const std::string& path, const ReadOptions& options, const Observer& observe) {
  return load_with(path, options, Stations{}, observe);
}

std::unique_ptr<Source> load(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                             const Observer& observe) {
  return load_with(paths, options, Stations{}, comm, observe);
}

Conversion convert(std::span<const std::string> paths, const std::string& output, const ReadOptions& asked,
                   const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  for (const std::string& path : paths) {
    if (is_same_file(path, output)) throw usage_error(output + " would overwrite the rows it is made from");
    if (is_page_file_at(path)) throw usage_error(path + " is already a page file");
    if (is_array_path(path)) throw usage_error(path + " is mapped into memory, which needs no page file");
  }
  const bool arrow_files = are_arrow_files(paths);  // rows can't be read again from these one by one
  StreamedFile file = interruptible(options.interrupt, [&] {
    return arrow_files
               ? write_pages(*open_arrow_pages(paths, options), options, StreamedFile::beside(output), {}, observe)
               : write_pages(share_files(text_files(paths), options, {}, *solo()), options,
                             StreamedFile::beside(output), output, observe);
  });
  const PageFile made(OpenFile::again(file, output));
  if (made.header().shape.rows == 0 && options.labelled) throw no_rows_error(files_name(paths), options);
  file.commit();
  return {made.header().shape, made.entries().size(), made.bytes()};
}

Conversion convert(const std::string& path, const std::string& output, const ReadOptions& options,
                   const Observer& observe) {
  return convert(std::span(&path, 1), output, options, observe);
}

std::vector<std::string> field_names(Source& source, std::span<const std::string> columns) {
  return stream_of(source).names(columns);
}

std::vector<FieldType> field_types(Source& source, std::span<const std::string> columns) {
  return stream_of(source).types(columns);
}

std::vector<std::string> fields_of_batch(Source& source, std::span<const std::string> columns) {
  return stream_of(source).fields(columns);
}

namespace {

std::unique_ptr<Source> open_any_stream(std::span<const std::string> given, const ReadOptions& options,
                                        const Stations& stations, Comm& comm) {
  if (are_array_files(given)) return load_array_files(given, options, comm, {});  // mapped, so never all in memory
  if (are_arrow_files(given)) return stream_arrow_files(given, options, comm);
  const std::vector<std::string> paths = text_files(given);
  ReadOptions few = options;  // a stream never has all rows in memory, so text need not be converted for that
  few.memory = options.memory > 0 ? options.memory : std::uint64_t{1} << 30;
  if (are_page_files(paths)) return open_pages(paths, few, comm);
  std::vector<Piece> pieces = share_files(paths, options, stations, comm);
  if (options.cache && !is_standard_input(paths[0])) return load_by_pages(pieces, few, files_name(paths), comm, {});
  std::unique_ptr<Source> source;
  const auto open = [pieces = std::move(pieces), options, stations] {
    return std::make_unique<PieceReader>(pieces, options, stations);
  };
  const auto written = [open](std::span<const std::int64_t> rows) { return reread_rows(*open(), rows); };
  rethrow_on_all(comm, [&] { source = std::make_unique<StreamSource>(open, options, written); });
  return source;
}

}  // namespace

std::unique_ptr<Source> open_stream_with(std::span<const std::string> given, const ReadOptions& asked,
                                         const Stations& stations, Comm& comm) {
  const ReadOptions options = with_values_of_table(asked);
  return interruptible(options.interrupt, [&] { return open_any_stream(given, options, stations, comm); });
}

std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options,
                                         const Stations& stations) {
  return open_stream_with(std::span(&path, 1), options, stations, *solo());
}

std::unique_ptr<Source> open_stream(const std::string& path, const ReadOptions& options) {
  return open_stream(std::span(&path, 1), options, *solo());
}

std::unique_ptr<Source> open_stream(std::span<const std::string> paths, const ReadOptions& options, Comm& comm) {
  Stations stations;
  stations.largest_block = std::size_t{1} << 20;
  stations.eager = !paths.empty() && is_standard_input(paths[0]);
  return open_stream_with(paths, options, stations, comm);
}

}  // namespace linsep
