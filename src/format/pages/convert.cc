#include "format/pages/convert.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "data/paged/page_writer.h"
#include "format/arrow/files.h"
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

}  // namespace

StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe) {
  Stations stations;
  stations.largest_block = kSmallBlock;
  PieceReader reader(pieces, options, stations);
  // What makes no sense is said before hours of reading, not behind them.
  const LabelColumns sense(options, reader.layout().label_names, LabelScope::kAll);
  PageOrigin origin;
  origin.reading = options;
  origin.reading.interrupt = nullptr;
  origin.reading.table = reader.layout().table;
  origin.reading.counts = nullptr;

  Progress progress;
  progress.phase = Phase::kPaging;
  auto read = reader.next();
  PageLayout nothing;
  nothing.is_float = !options.double_values;
  nothing.labelled = false;
  PageWriter writer(std::move(file), read ? layout_of(read->parsed.page.batch, options) : nothing);
  std::vector<std::int64_t> first_row(pieces.size(), -1);
  for (; read; read = reader.next()) {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
    ParsedPage& parsed = read->parsed;
    const Batch& batch = parsed.page.batch;
    if (first_row[reader.piece()] < 0) {
      writer.end_text();
      first_row[reader.piece()] = batch.first_row;
    }
    if (options.labelled) origin.labels.take(parsed, batch.first_row);
    if (parsed.tiny.row >= 0 && origin.tiny.row < 0) {
      origin.tiny = {batch.first_row + parsed.tiny.row, parsed.tiny.column};
    }
    writer.add(parsed.page, !parsed.label_words.empty());
    progress.rows += batch.rows;
    if (observe) observe(progress);
  }
  const FileLayout& layout = reader.layout();
  origin.texts = texts_of(reader, std::move(first_row), progress.rows, pages);
  origin.format = layout.kind;
  origin.feature_names = layout.feature_names;
  origin.label_names = layout.label_names;
  origin.read = layout.reading;
  origin.dropped = reader.dropped();
  return writer.finish(layout.named_features(), origin_bytes(origin));
}

Conversion convert(std::span<const std::string> paths, const std::string& output, const ReadOptions& asked,
                   const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  for (const std::string& path : paths) {
    if (is_page_file_at(path)) throw usage_error(path + " is a page file already");
  }
  if (are_arrow_files(paths))
    throw usage_error("Parquet and Arrow files can't be made page files; train on them as they are");
  const std::vector<Piece> pieces = share_files(paths, options, {}, *solo());
  StreamedFile file = write_pages(pieces, options, StreamedFile::beside(output), output, observe);
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
