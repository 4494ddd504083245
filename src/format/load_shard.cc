#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>

#include "core/deadline.h"
#include "data/memory_source.h"
#include "data/paged/page_file.h"
#include "data/paged/paged_source.h"
#include "format/arrow/batches.h"
#include "format/arrow/pages.h"
#include "format/labels/columns.h"
#include "format/load.h"
#include "format/pages/pages.h"
#include "format/shards/pieces.h"
#include "linsep/error.h"
#include "linsep/tools/shards.h"
#include "linsep/tools/shown_text.h"
#include "os/memory.h"

namespace linsep {
namespace {

template <class T>
std::span<const T> copied(std::span<const T> from, std::vector<T>& to) {
  to.assign(from.begin(), from.end());
  return to;
}

/// A page's own memory.
struct Storage {
  std::vector<std::uint64_t> start;
  std::vector<std::uint32_t> column;
  std::vector<float> value32;
  std::vector<double> value64, label, weight;
};

std::string worker_rows(const Comm& comm) {
  return comm.size() == 1 ? "the rows" : fmt::format("the rows of worker {}", comm.rank());
}

Error row_error(const std::string& name, std::int64_t row, const std::string& message) {
  return {Place{name, 0, 0}, fmt::format("row {}: {}", row + 1, shown_text(message))};
}

/// The rows of one worker, as pages.
class ArrivingPages : public PageStream {
 public:
  ArrivingPages(const NextRows& next, const ReadOptions& options, const std::string& name)
      : next_(next), options_(options) {
    layout_.name = name;
    layout_.known = true;
    layout_.feature_names = options.feature_names;
  }

  const FileLayout& layout() const override { return layout_; }
  std::optional<ReadPage> next() override {
    for (;;) {
      poll_now();
      std::optional<ArrivingRows> arrived = next_();
      if (!arrived) return std::nullopt;
      if (arrived->rows.rows > 0) return page_of(*arrived);
    }
  }
  std::int64_t dropped() const override { return 0; }
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const override {
    return row_error(layout_.name, page.parsed.page.batch.first_row + row, message);
  }
  std::vector<std::string> names(std::span<const std::string>) const override { return {}; }
  std::vector<FieldType> types(std::span<const std::string>) const override { return {}; }
  std::vector<std::string> fields(std::span<const std::string>) const override { return {}; }

  std::vector<std::string>& ids() { return ids_; }

 private:
  ReadPage page_of(ArrivingRows& arrived) {
    Batch batch = arrived.rows;
    batch.first_row = rows_;
    require_alike(batch);
    check(batch);
    ids_.insert(ids_.end(), std::make_move_iterator(arrived.ids.begin()), std::make_move_iterator(arrived.ids.end()));
    rows_ += batch.rows;

    const auto storage = std::make_shared<Storage>();
    batch.start = copied(batch.start, storage->start);
    if (batch.column64.empty()) {
      batch.column = copied(batch.column, storage->column);
    } else {
      storage->column.assign(batch.column64.begin(), batch.column64.end());
      batch.column = storage->column;
      batch.column64 = {};
    }
    batch.value32 = copied(batch.value32, storage->value32);
    batch.value64 = copied(batch.value64, storage->value64);
    batch.label = copied(batch.label, storage->label);
    batch.weight = copied(batch.weight, storage->weight);
    batch.pinned = true;
    ReadPage page;
    page.parsed.page.batch = batch;
    page.parsed.page.label = storage->label;
    page.parsed.page.storage = storage;
    page.parsed.label_words = std::move(arrived.label_words);
    return page;
  }

  /// Rows count from 1 over all that arrived here.
  void check(const Batch& batch) const {
    Batch values = batch;
    values.label = {};
    try {
      check_rows(values, {}, options_.threads);
    } catch (const Error& error) {
      throw Error(Place{layout_.name, 0, 0}, error.what());
    }
    if (!options_.labelled) return;
    for (std::size_t i = 0; i < batch.label.size(); ++i) {
      if (!std::isfinite(batch.label[i])) {
        throw row_error(layout_.name, batch.first_row + static_cast<std::int64_t>(i), "this row has no label");
      }
    }
  }

  void require_alike(const Batch& batch) const {
    const auto refuse = [&](const std::string& what) { throw Error(Place{layout_.name, 0, 0}, what); };
    if (batch.is_float == options_.double_values) refuse("values are of different types");
    if (batch.dense && batch.stride != batch.features) refuse("dense rows have gaps between them");
    if (options_.features > 0 && batch.features != options_.features) {
      refuse(fmt::format("row {} has {} features, and the rows before it {}", batch.first_row + 1, batch.features,
                         options_.features));
    }
    if (options_.labelled && batch.label.size() != static_cast<std::size_t>(batch.rows)) {
      refuse("there isn't one label for each row");
    }
  }

  const NextRows& next_;
  const ReadOptions& options_;
  FileLayout layout_;
  std::int64_t rows_ = 0;
  std::vector<std::string> ids_;
};

/// Returns pages that were already read, and then those to come.
class ResumedPages : public PageStream {
 public:
  ResumedPages(std::vector<ReadPage> read, PageStream& rest)
      : read_(std::make_move_iterator(read.begin()), std::make_move_iterator(read.end())), rest_(rest) {}

  const FileLayout& layout() const override { return rest_.layout(); }
  std::optional<ReadPage> next() override {
    if (read_.empty()) return rest_.next();
    ReadPage first = std::move(read_.front());
    read_.pop_front();
    return first;
  }
  std::int64_t dropped() const override { return rest_.dropped(); }
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const override {
    return rest_.error_at_row(page, row, message);
  }
  std::vector<std::string> names(std::span<const std::string> columns) const override { return rest_.names(columns); }
  std::vector<FieldType> types(std::span<const std::string> columns) const override { return rest_.types(columns); }
  std::vector<std::string> fields(std::span<const std::string> columns) const override { return rest_.fields(columns); }

 private:
  std::deque<ReadPage> read_;
  PageStream& rest_;
};

/// A source whose rows have names.
template <class Rows>
class NamedRows : public Rows {
 public:
  template <class... Arguments>
  explicit NamedRows(std::vector<std::string> ids, Arguments&&... arguments)
      : Rows(std::forward<Arguments>(arguments)...), ids_(std::move(ids)), first_(this->first_row()) {}

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    std::vector<WrittenRow> all = Rows::written(rows);
    if (ids_.empty()) return all;
    for (WrittenRow& row : all) row.id = ids_[static_cast<std::size_t>(row.row - first_)];
    return all;
  }

 private:
  std::vector<std::string> ids_;
  std::int64_t first_;
};

std::uint64_t bytes_of(const Batch& batch) {
  return batch.start.size_bytes() + batch.column.size_bytes() + batch.value32.size_bytes() +
         batch.value64.size_bytes() + batch.label.size_bytes() + batch.weight.size_bytes();
}

std::unique_ptr<Source> in_memory(std::vector<ReadPage> read, const PageStream& stream, std::vector<std::string> ids,
                                  const ReadOptions& options, Comm& comm) {
  const std::string& name = stream.layout().name;
  LabelColumns labels(options, {}, comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
  std::vector<Page> pages;
  auto features = std::max(options.features, stream.layout().named_features());
  rethrow_on_all(comm, [&] {
    for (ReadPage& page : read) {
      take_labels(stream, page, labels);
      features = std::max(features, page.parsed.page.batch.features);
      pages.push_back(std::move(page.parsed.page));
    }
  });
  const ShardTotals all =
      finish_pages(labels, pages, features, options, name, comm,
                   [&](std::int64_t row, const std::string& message) { return row_error(name, row, message); });
  Schema schema = schema_of(stream.layout());
  labels.describe(schema);
  return std::make_unique<NamedRows<MemorySource>>(std::move(ids), std::move(pages), std::move(schema), all.features);
}

std::unique_ptr<Source> in_pages(std::vector<ReadPage> read, PageStream& stream, std::vector<std::string>& ids,
                                 const ReadOptions& options, const std::string& folder, Comm& comm,
                                 const Observer& observe) {
  const std::string& name = stream.layout().name;
  std::vector<PagePart> parts;
  rethrow_on_all(comm, [&] {
    ResumedPages pages(std::move(read), stream);
    const StreamedFile file = write_pages(pages, options, StreamedFile::nameless(folder), {}, observe);
    parts.push_back(part_of(std::make_shared<PageFile>(OpenFile::again(file, name)), ""));
  });
  PageSet set = resolve_parts(std::move(parts), options, name, comm);
  const auto file = PageFile::join({set.parts.front().file}, name, set.rows_before);
  return std::make_unique<NamedRows<PagedSource>>(std::move(ids), file, std::move(set.schema), set.features,
                                                  all_pages(*file));
}

/// `ids` are filled while the stream is read.
std::unique_ptr<Source> load_pages(PageStream& stream, std::vector<std::string>& ids, const ReadOptions& options,
                                   const std::string& folder, Comm& comm, const Observer& observe) {
  if (options.memory > 0) give_freed_memory_back();
  const std::uint64_t most = options.memory - std::min(options.memory, resident_bytes());
  std::vector<ReadPage> read;
  bool too_many = false;
  rethrow_on_all(comm, [&] {
    Progress progress;
    progress.phase = Phase::kReading;
    std::uint64_t bytes = 0;
    while (auto page = stream.next()) {
      const Batch& batch = page->parsed.page.batch;
      bytes += bytes_of(batch);
      progress.rows += batch.rows;
      read.push_back(*std::move(page));
      if (observe) observe(progress);
      too_many = options.memory > 0 && bytes > most / 2;
      if (too_many) return;
    }
  });
  // All workers do it in the same way, since a run's plan must be the same everywhere.
  if (all_reduce_any(comm, too_many)) return in_pages(std::move(read), stream, ids, options, folder, comm, observe);
  return in_memory(std::move(read), stream, std::move(ids), options, comm);
}

}  // namespace

std::unique_ptr<Source> load_shard(const NextRows& next, const ReadOptions& options, const std::string& folder,
                                   Comm& comm, const Observer& observe) {
  ArrivingPages stream(next, options, worker_rows(comm));
  return interruptible(options.interrupt,
                       [&] { return load_pages(stream, stream.ids(), options, folder, comm, observe); });
}

std::unique_ptr<Source> load_shard(ArrowArrayStream* own, const ReadOptions& asked, const std::string& folder,
                                   Comm& comm, const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  std::optional<arrow::PageStream> stream;
  rethrow_on_all(comm, [&] { stream.emplace(std::make_unique<arrow::Intake>(own, worker_rows(comm)), options); });
  std::vector<std::string> no_ids;
  return interruptible(options.interrupt, [&] { return load_pages(*stream, no_ids, options, folder, comm, observe); });
}

}  // namespace linsep
