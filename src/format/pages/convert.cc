#include "format/pages/convert.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "data/paged/page_writer.h"
#include "format/labels/columns.h"
#include "format/pages/origin.h"
#include "format/pages/pages.h"
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

}  // namespace

StreamedFile write_pages(const std::string& path, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe) {
  Stations stations;
  stations.largest_block = kSmallBlock;
  TextInput input = open_text(path, options, stations);
  // What makes no sense is said before hours of reading, not behind them.
  const LabelColumns sense(options, input.format.label_names, LabelScope::kAll);
  PageOrigin origin;
  if (input.regular) {
    origin.text = recorded_path(path, pages);
    origin.stamp = input.stamp;
    origin.compressed = input.compressed;
  }
  origin.reading = options;
  origin.reading.interrupt = nullptr;
  origin.format = input.kind;
  origin.feature_names = input.format.feature_names;
  origin.label_names = input.format.label_names;
  origin.read = input.format.reading;

  auto features = static_cast<std::uint32_t>(input.format.feature_names.size());
  Progress progress;
  progress.phase = Phase::kReading;
  auto read = input.pages->next();
  if (!read && options.labelled) throw Error(Place{input.name, 0, 0}, "there are no rows");
  PageLayout nothing;
  nothing.is_float = !options.double_values;
  nothing.labelled = false;
  PageWriter writer(std::move(file), read ? layout_of(read->parsed.page.batch, options) : nothing);
  for (; read; read = input.pages->next()) {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
    ParsedPage& parsed = read->parsed;
    const Batch& batch = parsed.page.batch;
    if (options.labelled) origin.labels.take(parsed, batch.first_row);
    if (parsed.tiny.row >= 0 && origin.tiny.row < 0) {
      origin.tiny = {batch.first_row + parsed.tiny.row, parsed.tiny.column};
    }
    writer.add(parsed.page, !parsed.label_words.empty());
    progress.rows += batch.rows;
    if (observe) observe(progress);
  }
  return writer.finish(features, origin_bytes(origin));
}

Conversion convert(const std::string& path, const std::string& output, const ReadOptions& options,
                   const Observer& observe) {
  if (is_page_file_at(path)) throw usage_error(path + " is a page file already");
  StreamedFile file = write_pages(path, options, StreamedFile::beside(output), output, observe);
  file.commit();
  const PageFile made(file.duplicate(), output);
  return {made.header().shape, made.entries().size(), made.bytes()};
}

}  // namespace linsep
