#include <algorithm>
#include <utility>

#include "format/bytes.h"
#include "format/label_columns.h"
#include "format/load.h"
#include "format/reread.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// Reads the input anew in each pass and keeps one page. Standard input has one pass.
class StreamSource : public Source {
 public:
  StreamSource(std::string path, ReadOptions options, const Stations& stations)
      : path_(std::move(path)),
        options_(std::move(options)),
        stations_(stations),
        input_(open_text(path_, options_, stations_)),
        labels_(options_, input_.format.label_names, true) {
    schema_.feature_names = input_.format.feature_names;
    labels_.describe(schema_);
    features_ = std::max(options_.features, static_cast<std::uint32_t>(schema_.feature_names.size()));
  }

  Shape shape() const override { return {-1, features_, -1}; }
  const Schema& schema() const override { return schema_; }

  void rewind(std::uint64_t) override {
    page_ = {};
    if (!begun_) return;
    if (!input_.regular) throw read_once_error(input_.name);
    begun_ = false;
    input_ = open_text(path_, options_, stations_);
  }

  std::optional<Batch> next() override {
    begun_ = true;
    page_ = {};
    auto read = input_.pages->next();
    if (!read) return std::nullopt;
    try {
      labels_.take(read->parsed);
    } catch (const LabelError& error) {
      throw input_.pages->error_at_row(*read, error.row, error.message);
    }
    labels_.describe(schema_);
    page_ = std::move(read->parsed.page);
    features_ = std::max(features_, page_.batch.features);
    page_.batch.features = features_;
    return page_.batch;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    if (!input_.regular) throw read_once_error(input_.name);
    page_ = {};
    begun_ = true;
    input_ = open_text(path_, options_, stations_);
    return reread_rows(input_, rows);
  }

 private:
  std::string path_;
  ReadOptions options_;
  Stations stations_;
  TextInput input_;
  LabelColumns labels_;
  Schema schema_;
  std::uint32_t features_ = 0;
  Page page_;
  bool begun_ = false;  ///< something has been taken from `input_`
};

}  // namespace

std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options,
                                         const Stations& stations) {
  return std::make_unique<StreamSource>(path, options, stations);
}

std::unique_ptr<Source> open_stream(const std::string& path, const ReadOptions& options) {
  Stations stations;
  stations.largest_block = std::size_t{1} << 20;
  stations.eager = is_standard_input(path);
  return open_stream_with(path, options, stations);
}

}  // namespace linsep
