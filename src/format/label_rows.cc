// Arrays and labels as a source, in which labels mean the same as in a file.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/keyed_map.h"
#include "data/memory_source.h"
#include "format/labels/labels.h"
#include "linsep/arrays.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

void check_features(std::size_t features) {
  if (features > std::numeric_limits<std::uint32_t>::max()) {
    throw usage_error(fmt::format("rows have at most {} features", std::numeric_limits<std::uint32_t>::max()));
  }
}

template <class V>
Batch dense_batch(std::span<const V> values, std::size_t features) {
  check_features(features);
  if (features == 0 || values.size() % features != 0) {
    throw usage_error(fmt::format("{} values don't make whole rows of {} features", values.size(), features));
  }
  Batch batch;
  batch.rows = static_cast<std::int64_t>(values.size() / features);
  batch.features = static_cast<std::uint32_t>(features);
  batch.dense = true;
  batch.stride = features;
  return batch;
}

Batch sparse_batch(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column, std::size_t features) {
  check_features(features);
  if (start.empty()) throw usage_error("there must be one more offset than rows");
  Batch batch;
  batch.rows = static_cast<std::int64_t>(start.size()) - 1;
  batch.features = static_cast<std::uint32_t>(features);
  batch.start = start;
  batch.column = column;
  return batch;
}

/// Labels in the form of a file's page, before their classes are known.
struct Labels {
  std::vector<double> value;
  std::vector<std::string> words;
};

Labels numbered_words(std::span<const std::string> y) {
  Labels labels;
  KeyedMap<std::string_view, std::size_t> index;
  for (const std::string& word : y) {
    const auto [at, added] = index.try_emplace(word, labels.words.size());
    if (added) labels.words.push_back(word);
    labels.value.push_back(static_cast<double>(at->second));
  }
  return labels;
}

std::unique_ptr<Source> labelled_source(const Batch& x, Labels labels, bool regression) {
  if (static_cast<std::int64_t>(labels.value.size()) != x.rows) {
    throw usage_error(fmt::format("there are {} rows and {} labels", x.rows, labels.value.size()));
  }
  const auto storage = std::make_shared<std::vector<double>>(std::move(labels.value));
  ParsedPage parsed;
  parsed.page.batch = x;
  parsed.page.batch.label = *storage;
  parsed.page.label = *storage;
  parsed.page.storage = storage;
  parsed.page.borrowed = true;
  parsed.label_words = std::move(labels.words);
  ReadOptions options;
  options.regression = regression;
  options.many_classes = true;
  LabelResolver resolver(options, LabelScope::kAll);
  try {
    resolver.take(parsed);
  } catch (const LabelError& error) {
    throw input_error(fmt::format("row {}: {}", error.row + 1, shown_text(error.message)));
  }
  std::vector<Page> pages;
  pages.push_back(std::move(parsed.page));
  resolver.finish(pages, x.rows, "these rows");
  Schema schema{.classes = resolver.classes(), .feature_names = {}};
  check_rows(pages.front().batch, schema);
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), x.features);
}

}  // namespace

Batch dense_rows(std::span<const double> values, std::size_t features) {
  Batch batch = dense_batch(values, features);
  batch.is_float = false;
  batch.value64 = values;
  return batch;
}

Batch dense_rows(std::span<const float> values, std::size_t features) {
  Batch batch = dense_batch(values, features);
  batch.value32 = values;
  return batch;
}

Batch sparse_rows(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column,
                  std::span<const double> value, std::size_t features) {
  Batch batch = sparse_batch(start, column, features);
  batch.is_float = false;
  batch.value64 = value;
  return batch;
}

Batch sparse_rows(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column,
                  std::span<const float> value, std::size_t features) {
  Batch batch = sparse_batch(start, column, features);
  batch.value32 = value;
  return batch;
}

std::unique_ptr<Source> label_rows(const Batch& x, std::span<const double> y, bool regression) {
  return labelled_source(x, {{y.begin(), y.end()}, {}}, regression);
}

std::unique_ptr<Source> label_rows(const Batch& x, std::span<const std::string> y) {
  return labelled_source(x, numbered_words(y), false);
}

}  // namespace linsep
