#include <algorithm>
#include <utility>

#include "format/arrow/files.h"
#include "format/arrow/stream_source.h"
#include "format/labels/columns.h"
#include "format/load.h"
#include "format/pages/pages.h"
#include "format/pages/reread.h"
#include "format/raw_fields.h"
#include "format/shards/share_files.h"
#include "format/text/bytes.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// Reads the pieces anew in each pass and keeps one page. Standard input has one pass.
class StreamSource : public Source, public RawFields {
 public:
  StreamSource(std::vector<Piece> pieces, ReadOptions options, const Stations& stations)
      : pieces_(std::move(pieces)),
        options_(std::move(options)),
        stations_(stations),
        reader_(open()),
        labels_(options_, reader_->layout().label_names, LabelScope::kStream) {
    schema_.feature_names = reader_->layout().feature_names;
    schema_.reading = reader_->layout().reading;
    schema_.reading.drop_missing_labels = options_.labelled && options_.drop_missing_labels;
    labels_.describe(schema_);
    schema_.table = reader_->layout().table;
    features_ = std::max(options_.features, reader_->layout().named_features());
  }

  Shape shape() const override { return {-1, features_, -1}; }
  const Schema& schema() const override { return schema_; }

  void rewind(std::uint64_t) override {
    page_ = {};
    if (!begun_) return;
    require_again();
    begun_ = false;
    reader_ = open();
  }

  std::optional<Batch> next() override {
    begun_ = true;
    page_ = {};
    auto read = reader_->next();
    schema_.dropped = reader_->dropped();
    if (!read) return std::nullopt;
    try {
      labels_.take(read->parsed);
    } catch (const LabelError& error) {
      throw reader_->error_at_row(*read, error.row, error.message);
    }
    labels_.describe(schema_);
    page_ = std::move(read->parsed.page);
    chunk_ = read->chunk;
    features_ = std::max(features_, page_.batch.features);
    page_.batch.features = features_;
    return page_.batch;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    require_again();
    page_ = {};
    begun_ = true;
    reader_ = open();
    return reread_rows(*reader_, rows);
  }

  /// Of the rows handed out last: others are gone.
  Place place_of(std::int64_t row) override {
    const std::int64_t place = row - page_.batch.first_row;
    if (place < 0 || place >= page_.batch.rows) return {};
    ReadPage read;
    read.parsed.page.first_line = page_.first_line;
    read.chunk = chunk_;
    return reader_->error_at_row(read, place, "").place();
  }

  std::vector<std::string> names(std::span<const std::string> columns) override {
    std::vector<std::string> all;
    for (const auto& [place, name] : places_of(columns)) all.push_back(name);
    return all;
  }

  std::vector<std::string> fields(std::span<const std::string> columns) override {
    std::vector<std::size_t> places;
    for (const auto& [place, name] : places_of(columns)) places.push_back(place);
    return text_format().fields(chunk_, places);
  }

 private:
  const TextFormat& text_format() const {
    const TextFormat& format = reader_->inputs()[std::min(reader_->piece(), reader_->inputs().size() - 1)].format;
    if (!format.fields) throw usage_error("rows of svmlight have no columns that could be kept");
    return format;
  }
  std::vector<std::pair<std::size_t, std::string>> places_of(std::span<const std::string> columns) const {
    std::vector<std::pair<std::size_t, std::string>> all;
    for (const std::string& column : columns) all.push_back(text_format().column_named(column));
    return all;
  }

  std::unique_ptr<PieceReader> open() const { return std::make_unique<PieceReader>(pieces_, options_, stations_); }
  void require_again() const {
    for (const TextInput& input : reader_->inputs()) {
      if (!input.regular) throw read_once_error(input.name);
    }
  }

  std::vector<Piece> pieces_;
  ReadOptions options_;
  Stations stations_;
  std::unique_ptr<PieceReader> reader_;
  LabelColumns labels_;
  Schema schema_;
  std::uint32_t features_ = 0;
  Page page_;
  Chunk chunk_;         ///< its text
  bool begun_ = false;  ///< something has been taken from `reader_`
};

}  // namespace

std::unique_ptr<Source> open_stream_with(std::span<const std::string> paths, const ReadOptions& asked,
                                         const Stations& stations, Comm& comm) {
  const ReadOptions options = with_values_of_table(asked);
  ReadOptions few = options;  // a stream never has all rows in memory, and text need not be converted for that
  few.memory = options.memory > 0 ? options.memory : std::uint64_t{1} << 30;
  if (are_page_files(paths)) return open_pages(paths, few, comm);
  if (are_arrow_files(paths)) return stream_arrow_files(paths, options, comm);
  std::vector<Piece> pieces = share_files(paths, options, stations, comm);
  if (options.cache && !is_standard_input(paths[0])) return load_by_pages(pieces, few, files_name(paths), comm, {});
  std::unique_ptr<Source> source;
  rethrow_on_all(comm, [&] { source = std::make_unique<StreamSource>(std::move(pieces), options, stations); });
  return source;
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
