#include "format/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "data/memory_source.h"
#include "format/label_columns.h"
#include "format/reread.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::unique_ptr<Source> load_text(TextInput& input, const std::string& path, const ReadOptions& options,
                                  const Observer& observe) {
  LabelColumns labels(options, input.format.label_names, false);
  std::vector<Page> pages;
  std::uint32_t features = std::max(options.features, static_cast<std::uint32_t>(input.format.feature_names.size()));
  Progress progress;
  while (auto read = input.pages->next()) {
    try {
      labels.take(read->parsed);
    } catch (const LabelError& error) {
      throw input.pages->error_at_row(*read, error.row, error.message);
    }
    Page& page = pages.emplace_back(std::move(read->parsed.page));
    features = std::max(features, page.batch.features);
    progress.rows += page.batch.rows;
    if (observe) observe(progress);
  }
  if (pages.empty() && options.labelled) throw Error(Place{input.name, 0, 0}, "there are no rows");
  labels.finish(pages, input.name);
  WrittenReader written = reread_pages(path, input, pages);
  Schema schema{{}, input.format.feature_names};
  labels.describe(schema);
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), features, std::move(written));
}

}  // namespace

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe) {
  try {
    TextInput input = open_text(path, options, stations);
    return load_text(input, path, options, observe);
  } catch (const std::bad_alloc&) {
    throw system_error(fmt::format("{}: memory doesn't suffice to hold it", path));
  }
}

std::unique_ptr<Source> load(const std::string& path, const ReadOptions& options, const Observer& observe) {
  return load_with(path, options, Stations{}, observe);
}

}  // namespace linsep
