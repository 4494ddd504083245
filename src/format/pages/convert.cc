#include "format/pages/convert.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "data/paged/page_writer.h"
#include "format/arrow/files.h"
#include "format/arrow/page_stream.h"
#include "format/labels/columns.h"
#include "format/labels/missing.h"
#include "format/load.h"
#include "format/pages/origin.h"
#include "format/pages/pages.h"
#include "format/shards/share_files.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::size_t kSmallBlock = std::size_t{1} << 20;

PageLayout layout_of(const Batch& batch, const ReadOptions& options) {
  PageLayout layout;
  layout.dense = batch.dense;
  layout.is_float = batch.is_float;
  layout.labelled = options.labelled;
  layout.weighted = !batch.weight.empty();
  if (batch.dense) layout.stride = batch.features;
  return layout;
}

/// The texts of a page file once they are all read. `first_row`: that of each that has rows, else −1.
std::vector<PageText> texts_of(const PieceReader& reader, std::vector<std::int64_t> first_row, std::int64_t rows,
                               const std::string& pages) {
  std::vector<PageText> texts(first_row.size());
  for (std::size_t k = texts.size(); k-- > 0;) {
    const TextInput& input = reader.inputs()[k];
    PageText& text = texts[k];
    if (first_row[k] >= 0) rows = first_row[k];
    text.first_row = rows;
    text.range = reader.pieces()[k].range;
    if (!input.regular) continue;
    text.path = recorded_path(reader.pieces()[k].path, pages);
    text.stamp = input.stamp;
    text.compressed = input.compressed;
  }
  texts.front().first_row = 0;
  return texts;
}

/// Pages on their way into a file, with what is to be known of where they came from.
class PagesMade {
 public:
  PagesMade(StreamedFile file, const ReadOptions& options, std::shared_ptr<const TableMap> table)
      : file_(std::move(file)), options_(options) {
    origin.reading = options;
    origin.reading.interrupt = nullptr;
    origin.reading.table = std::move(table);
    origin.reading.counts = nullptr;
    progress_.phase = Phase::kPaging;
  }

  void end_text() {
    if (writer_) writer_->end_text();
  }
  void take(ParsedPage& parsed, const Observer& observe) {
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
    const Batch& batch = parsed.page.batch;
    if (!writer_) writer_.emplace(std::move(file_), layout_of(batch, options_));
    if (options_.labelled) origin.labels.take(parsed, batch.first_row);
    if (parsed.tiny.row >= 0 && origin.tiny.row < 0) {
      origin.tiny = {batch.first_row + parsed.tiny.row, parsed.tiny.column};
    }
    writer_->add(parsed.page, !parsed.label_words.empty());
    progress_.rows += batch.rows;
    if (observe) observe(progress_);
  }
  std::int64_t rows() const { return progress_.rows; }
  StreamedFile finish(std::uint32_t features) {
    PageLayout nothing;
    nothing.is_float = !options_.double_values;
    nothing.labelled = false;
    if (!writer_) writer_.emplace(std::move(file_), nothing);
    return writer_->finish(features, origin_bytes(origin));
  }

  PageOrigin origin;

 private:
  StreamedFile file_;
  const ReadOptions& options_;
  Progress progress_;
  std::optional<PageWriter> writer_;  ///< once the first page has come, which says how pages are laid out
};

/// Of Parquet and Arrow files, from which rows can't be read again one by one.
StreamedFile write_arrow_pages(std::span<const std::string> paths, const ReadOptions& options, StreamedFile file,
                               const Observer& observe) {
  arrow::PageStream stream(open_arrow_intake(paths), options);
  const arrow::PageRules& rules = stream.rules();
  const LabelColumns sense(options, rules.layout.columns.labels, LabelScope::kAll);
  PagesMade made(std::move(file), options, rules.map);
  while (arrow::ReadSlice* read = stream.next()) made.take(read->parsed, observe);
  made.origin.texts.resize(1);
  made.origin.format = ReadOptions::Format::kCsv;
  if (!rules.map) made.origin.feature_names = rules.layout.columns.feature_names();
  made.origin.label_names = rules.layout.columns.labels;
  made.origin.dropped = stream.dropped();
  return made.finish(rules.features());
}

}  // namespace

StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe) {
  Stations stations;
  stations.largest_block = kSmallBlock;
  PieceReader reader(pieces, options, stations);
  // What makes no sense is said before hours of reading, not behind them.
  const LabelColumns sense(options, reader.layout().label_names, LabelScope::kAll);
  PagesMade made(std::move(file), options, reader.layout().table);
  std::vector<std::int64_t> first_row(pieces.size(), -1);
  while (auto read = reader.next()) {
    if (first_row[reader.piece()] < 0) {
      made.end_text();
      first_row[reader.piece()] = read->parsed.page.batch.first_row;
    }
    made.take(read->parsed, observe);
  }
  const FileLayout& layout = reader.layout();
  made.origin.texts = texts_of(reader, std::move(first_row), made.rows(), pages);
  made.origin.format = layout.kind;
  made.origin.feature_names = layout.feature_names;
  made.origin.label_names = layout.label_names;
  made.origin.read = layout.reading;
  made.origin.dropped = reader.dropped();
  return made.finish(layout.named_features());
}

Conversion convert(std::span<const std::string> paths, const std::string& output, const ReadOptions& asked,
                   const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  for (const std::string& path : paths) {
    if (is_page_file_at(path)) throw usage_error(path + " is a page file already");
  }
  StreamedFile file = are_arrow_files(paths) ? write_arrow_pages(paths, options, StreamedFile::beside(output), observe)
                                             : write_pages(share_files(paths, options, {}, *solo()), options,
                                                           StreamedFile::beside(output), output, observe);
  const PageFile made(file.duplicate(), output);
  if (made.header().shape.rows == 0 && options.labelled) throw no_rows_error(files_name(paths), options);
  file.commit();
  return {made.header().shape, made.entries().size(), made.bytes()};
}

Conversion convert(const std::string& path, const std::string& output, const ReadOptions& options,
                   const Observer& observe) {
  return convert(std::span(&path, 1), output, options, observe);
}

}  // namespace linsep
