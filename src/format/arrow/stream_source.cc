#include "format/arrow/stream_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "format/arrow/files.h"
#include "format/arrow/page_stream.h"
#include "format/labels/columns.h"
#include "format/raw_fields.h"
#include "linsep/table/arrow.h"

namespace linsep {
namespace {

/// Opens the files anew in each pass.
class ArrowStreamSource : public Source, public RawFields {
 public:
  ArrowStreamSource(std::span<const std::string> paths, ReadOptions options)
      : paths_(paths.begin(), paths.end()),
        options_(std::move(options)),
        stream_(open()),
        labels_(options_, stream_->rules().layout.columns.labels, LabelScope::kStream) {
    stream_->rules().describe(schema_);
    labels_.describe(schema_);
    features_ = std::max(options_.features, stream_->rules().features());
  }

  Shape shape() const override { return {-1, features_, -1}; }
  const Schema& schema() const override { return schema_; }

  void rewind(std::uint64_t) override {
    if (!begun_) return;
    begun_ = false;
    stream_ = open();
  }

  std::optional<Batch> next() override {
    begun_ = true;
    arrow::ReadSlice* read = stream_->next();
    schema_.dropped = stream_->dropped();
    if (read == nullptr) return std::nullopt;
    take_labels(*read, labels_, stream_->name());
    labels_.describe(schema_);
    Batch batch = read->parsed.page.batch;
    batch.features = features_;
    return batch;
  }

  /// By way of a table in memory: exact values are asked for rarely, and of few rows.
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    return load(open_arrow_files(paths_, *solo()), options_)->written(rows);
  }

  std::vector<std::string> names(std::span<const std::string> columns) override {
    std::vector<std::string> all;
    for (const std::size_t place : places_of(columns)) all.push_back(stream_->column_name(place));
    return all;
  }

  std::vector<std::string> fields(std::span<const std::string> columns) override {
    return stream_->fields(places_of(columns));
  }

 private:
  std::unique_ptr<arrow::PageStream> open() const {
    return std::make_unique<arrow::PageStream>(open_arrow_intake(paths_), options_);
  }
  std::vector<std::size_t> places_of(std::span<const std::string> columns) const {
    std::vector<std::size_t> places;
    for (const std::string& column : columns) places.push_back(stream_->column_named(column));
    return places;
  }

  std::vector<std::string> paths_;
  ReadOptions options_;
  std::unique_ptr<arrow::PageStream> stream_;
  LabelColumns labels_;
  Schema schema_;
  std::uint32_t features_ = 0;
  bool begun_ = false;  ///< something has been taken from `stream_`
};

}  // namespace

std::unique_ptr<Source> stream_arrow_files(std::span<const std::string> paths, const ReadOptions& options,
                                           const Comm& comm) {
  refuse_several_workers(comm);
  return std::make_unique<ArrowStreamSource>(paths, options);
}

}  // namespace linsep
