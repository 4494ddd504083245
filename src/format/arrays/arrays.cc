#include "format/arrays/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/deadline.h"
#include "core/keyed_map.h"
#include "core/slice.h"
#include "data/memory_source.h"
#include "data/raw_source.h"
#include "format/arrays/array_file.h"
#include "format/labels/columns.h"
#include "format/labels/labels.h"
#include "format/shards/pieces.h"
#include "linsep/error.h"
#include "linsep/half.h"
#include "linsep/tools/array_path.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

std::string shape_words(const ArrayBytes& array) {
  std::string words;
  for (const std::uint64_t length : array.shape) words += (words.empty() ? "" : " × ") + fmt::format("{}", length);
  return words.empty() ? "a single number" : words;
}

Error array_error(const ArrayFile& file, const std::string& message) { return {Place{file.name, 0, 0}, message}; }

/// Owns what a page points to.
struct MappedArrays {
  std::shared_ptr<const void> mapping;
  std::vector<double> label;
};

/// The rows of one file without labels.
RawPage rows_of(const ArrayFile& file) {
  const ArrayBytes& array = file.array;
  if (array.shape.size() != 2) {
    throw array_error(file, fmt::format("rows are an array of two dimensions, but this one is {}", shape_words(array)));
  }
  if (array.type > ElementType::kFloat64) {
    throw array_error(file, fmt::format("rows of dtype {} aren't supported: save X.astype(np.float32), for instance",
                                        shown_text(array.dtype)));
  }
  if (array.shape[1] > std::numeric_limits<std::uint32_t>::max() ||
      array.shape[0] > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw array_error(file, fmt::format("its shape is too large: {}", shape_words(array)));
  }
  if (array.shape[1] == 0)
    throw array_error(file, fmt::format("its rows have no columns: it is {}", shape_words(array)));
  RawPage rows;
  Batch& batch = rows.page.batch;
  batch.rows = static_cast<std::int64_t>(array.shape[0]);
  batch.features = static_cast<std::uint32_t>(array.shape[1]);
  batch.dense = true;
  batch.stride = batch.features;
  batch.is_float = array.type != ElementType::kFloat64;
  rows.page.borrowed = true;
  rows.values = array.bytes.data();
  rows.type = static_cast<ValueType>(array.type);  // the first of ElementType are those of ValueType
  return rows;
}

/// Rows first … first + count − 1 of rows without labels.
RawPage part_of(const RawPage& rows, std::int64_t first, std::int64_t count) {
  RawPage part = rows;
  part.page.batch = slice(rows.page.batch, first, count);
  part.values = static_cast<const char*>(rows.values) +
                static_cast<std::uint64_t>(first) * rows.page.batch.stride * size_of(rows.type);
  return part;
}

/// Whether kernels can use the values in place.
bool as_they_are(const RawPage& rows) {
  const bool known = rows.type == ValueType::kFloat32 || rows.type == ValueType::kFloat64;
  return known && reinterpret_cast<std::uintptr_t>(rows.values) % size_of(rows.type) == 0;
}

/// REQUIRES: as_they_are(rows).
void set_values(const RawPage& rows, Batch& batch) {
  const std::uint64_t values = static_cast<std::uint64_t>(batch.rows) * batch.features;
  if (rows.type == ValueType::kFloat32) {
    batch.value32 = {static_cast<const float*>(rows.values), values};
  } else {
    batch.value64 = {static_cast<const double*>(rows.values), values};
  }
}

void check_finite(const ArrayFile& file, const RawPage& rows, std::int64_t first_row, int threads) {
  Batch batch = rows.page.batch;
  batch.first_row = first_row;
  try {
    if (as_they_are(rows)) {
      set_values(rows, batch);
      check_rows(batch, {}, threads);
    } else {
      view_values(batch, rows.values, rows.type, {}, true, threads);
    }
  } catch (const Error& error) {
    throw array_error(file, error.what());
  }
}

/// Refuses options for things that tables have and arrays don't.
void refuse_table_options(const ReadOptions& options) {
  const auto refuse = [](bool given, const char* name) {
    if (given) throw option_error(name, "{} is for tables, whose columns have names: arrays hold rows alone");
  };
  refuse(!options.weight.empty(), "weight");
  refuse(!options.id.empty(), "id");
  refuse(!options.ignore.empty(), "ignore");
  refuse(options.drop_missing_labels, kMissingLabelOption);
}

/// The path of the label file that the options name.
std::string label_path(const ReadOptions& options, const std::string& rows) {
  if (!options.label.empty()) return options.label;
  if (options.labels.size() == 1 && is_array_path(options.labels[0])) return options.labels[0];
  throw Error(Error::Kind::kUsage, Place{rows, 0, 0}, {"label"},
              "arrays of rows have no labels: name a file that has them, as in {} y.npy");
}

/// The labels of all rows, with the same number for each row.
struct LabelFile {
  ArrayFile file;
  std::uint64_t width = 1;
};

LabelFile open_labels(const std::string& path, std::int64_t rows) {
  if (!is_array_path(path)) {
    throw Error(Place{path, 0, 0}, "labels of arrays stand in an .npy, .npz or .safetensors file");
  }
  LabelFile labels{open_array(path), 1};
  const ArrayBytes& array = labels.file.array;
  const bool matrix = array.shape.size() == 2;
  if ((array.shape.size() != 1 && !matrix) || array.shape[0] != static_cast<std::uint64_t>(rows)) {
    throw array_error(labels.file, fmt::format("there are {} rows, but these labels are {}", rows, shape_words(array)));
  }
  if (matrix) labels.width = array.shape[1];
  if (labels.width == 0 || labels.width > kMostClasses) {
    throw array_error(labels.file,
                      fmt::format("these labels are {}: they need 1 to {} columns", shape_words(array), kMostClasses));
  }
  return labels;
}

double label_at(const LabelFile& labels, std::int64_t row, std::uint64_t column) {
  return labels.file.array.value(static_cast<std::uint64_t>(row) * labels.width + column);
}

/// Several labels per row, in the form of a source's schema.
struct Labelings {
  std::vector<std::string> names, classes, combinations;
  std::vector<std::uint32_t> place;  ///< each row's index among the combinations
};

/// The meaning of a label as a letter of a combination. If `signs`, −1 and +1 are the classes, and 0 stands for no
/// label. Else 0 and 1 are the classes.
char letter_of(double label, bool signs) {
  if (label == 1) return '1';
  if (label == 0) return signs ? '-' : '0';
  return signs && label == -1 ? '0' : '\0';
}

/// Reads the labels of all rows even if this worker has only some of them, so that all workers number combinations
/// alike.
class LabelingsReader {
 public:
  LabelingsReader(const LabelFile& labels, const ReadOptions& options)
      : labels_(labels), options_(options), rows_(static_cast<std::int64_t>(labels.file.array.shape[0])) {
    if (!options.positive.empty())
      throw usage_error("of several label columns none has the positive class: leave it out");
    if (options.label_sets) throw usage_error("several label columns hold no sets of labels");
  }

  Labelings read() const {
    const bool signs = !options_.classes.empty() ? options_.classes[0] == "-1" : has_signs();
    Labelings all;
    const bool named = options_.labels.size() == labels_.width && !is_array_path(options_.labels[0]);
    for (std::uint64_t k = 0; k < labels_.width; ++k) {
      all.names.push_back(named ? options_.labels[k] : fmt::format("{}", k + 1));
      all.classes.emplace_back(signs ? "-1" : "0");
      all.classes.emplace_back("1");
    }
    if (!options_.classes.empty() && options_.classes != all.classes) {
      throw array_error(labels_.file, fmt::format("the model has {} labelings, not {}, or its classes aren't numbers",
                                                  options_.classes.size() / 2, labels_.width));
    }
    read_rows(signs, all);
    if (options_.classes.empty()) require_both_classes(all);
    return all;
  }

 private:
  bool has_signs() const {
    for (std::int64_t row = 0; row < rows_; ++row) {
      poll(5 * labels_.width);
      for (std::uint64_t k = 0; k < labels_.width; ++k) {
        if (label_at(labels_, row, k) == -1) return true;
      }
    }
    return false;
  }

  void read_rows(bool signs, Labelings& all) const {
    KeyedMap<std::string, std::uint32_t> known;
    std::string letters(labels_.width, '0');
    all.place.reserve(static_cast<std::size_t>(rows_));
    for (std::int64_t row = 0; row < rows_; ++row) {
      poll(50 + 5 * labels_.width);
      for (std::uint64_t k = 0; k < labels_.width; ++k) {
        const double label = label_at(labels_, row, k);
        letters[k] = letter_of(label, signs);
        if (letters[k] != '\0') continue;
        const char* expected = signs ? "−1, 1 or 0 for no label" : "0 or 1, or else −1, 1 and 0 for no label";
        throw array_error(labels_.file, fmt::format("row {}, column {}: the label is {}, but several columns of labels "
                                                    "hold {}",
                                                    row + 1, k + 1, label, expected));
      }
      const auto [at, added] = known.try_emplace(letters, static_cast<std::uint32_t>(all.combinations.size()));
      if (added) all.combinations.push_back(letters);
      all.place.push_back(at->second);
    }
  }

  void require_both_classes(const Labelings& all) const {
    for (std::uint64_t k = 0; k < labels_.width; ++k) {
      for (const char letter : {'0', '1'}) {
        if (std::ranges::any_of(all.combinations, [&](const std::string& one) { return one[k] == letter; })) continue;
        throw array_error(labels_.file, fmt::format("column {}: no row has the label {}", k + 1,
                                                    all.classes[2 * k + (letter == '1' ? 1 : 0)]));
      }
    }
  }

  const LabelFile& labels_;
  const ReadOptions& options_;
  std::int64_t rows_;
};

/// The rows of all files, divided among the workers.
class ArrayLoad {
 public:
  ArrayLoad(std::span<const std::string> paths, const ReadOptions& options, const Comm& comm) : options_(options) {
    refuse_table_options(options);
    for (const std::string& path : paths) {
      files_.push_back(open_array(path));
      whole_.push_back(rows_of(files_.back()));
      const Batch &first = whole_.front().page.batch, &batch = whole_.back().page.batch;
      if (batch.features != first.features || batch.is_float != first.is_float) {
        throw array_error(files_.back(), fmt::format("it has {} columns of {}, but {} has {} of {}", batch.features,
                                                     shown_text(files_.back().array.dtype), paths[0], first.features,
                                                     shown_text(files_.front().array.dtype)));
      }
      rows_ += batch.rows;
    }
    const auto cut = [&](int rank) {
      return rank * (rows_ / comm.size()) + std::min<std::int64_t>(rank, rows_ % comm.size());
    };
    begin_ = cut(comm.rank());
    end_ = cut(comm.rank() + 1);
    if (!options.labelled) return;
    labels_.emplace(open_labels(label_path(options, paths[0]), rows_));
    if (labels_->width > 1) labelings_.emplace(LabelingsReader(*labels_, options).read());
  }

  std::uint32_t features() const { return whole_.front().page.batch.features; }

  /// Checks the values of this worker's rows and takes their labels, through `labels` if a row has one label. The pages
  /// of the result have no values.
  std::vector<Page> read(LabelColumns& labels, const Observer& observe) {
    std::vector<Page> pages;
    Progress progress;
    progress.phase = Phase::kReading;
    std::int64_t before = 0;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const std::int64_t first = std::max(begin_, before), end = std::min(end_, before + whole_[f].page.batch.rows);
      if (first < end) {
        own_.push_back(part_of(whole_[f], first - before, end - first));
        check_finite(files_[f], own_.back(), first - before, options_.threads);
        const auto held = std::make_shared<MappedArrays>();
        held->mapping = files_[f].mapping;
        ParsedPage parsed;
        parsed.page = own_.back().page;
        parsed.page.storage = held;
        parsed.page.batch.first_row = first - begin_;
        if (labels_) take_labels(labels, first, parsed, held->label);
        progress.rows += parsed.page.batch.rows;
        pages.push_back(std::move(parsed.page));
        if (observe) observe(progress);
      }
      before += whole_[f].page.batch.rows;
    }
    return pages;
  }

  /// Adds the values to pages whose labels are resolved.
  std::unique_ptr<Source> source(std::vector<Page> pages, Schema schema, std::uint32_t features) {
    if (labelings_) {
      schema.labels = std::move(labelings_->names);
      schema.classes = std::move(labelings_->classes);
      schema.combinations = std::move(labelings_->combinations);
    }
    if (std::ranges::all_of(own_, as_they_are)) {
      for (std::size_t p = 0; p < pages.size(); ++p) set_values(own_[p], pages[p].batch);
      return std::make_unique<MemorySource>(std::move(pages), std::move(schema), features);
    }
    std::vector<RawPage> raw = own_;
    for (std::size_t p = 0; p < pages.size(); ++p) raw[p].page = std::move(pages[p]);
    return std::make_unique<RawSource>(std::move(raw), std::move(schema), features, options_.threads);
  }

  Error error_at(std::int64_t row, const std::string& message) const {
    return array_error(labels_->file, fmt::format("row {}: {}", row + 1, shown_text(message)));
  }
  std::int64_t begin() const { return begin_; }
  /// Whether a row has one label, with a meaning that LabelColumns resolves.
  bool single_labels() const { return labels_ && !labelings_; }

 private:
  void take_labels(LabelColumns& labels, std::int64_t first, ParsedPage& parsed, std::vector<double>& to) const {
    to.resize(static_cast<std::size_t>(parsed.page.batch.rows));
    PageLabels taken(to.data());
    for (std::size_t i = 0; i < to.size(); ++i) {
      poll(10);
      const std::int64_t row = first + static_cast<std::int64_t>(i);
      const double label = labelings_ ? labelings_->place[static_cast<std::size_t>(row)] : label_at(*labels_, row, 0);
      if (!std::isfinite(label)) throw error_at(row, fmt::format("the label {} is not a finite number", label));
      if (std::fabs(label) < kFirstSkipped || options_.regression) {
        taken.add_number(label);
      } else {
        taken.add_number(label, labels_->file.array.written(static_cast<std::uint64_t>(row)));
      }
    }
    parsed.label_words = std::move(taken.words());
    parsed.page.batch.label = to;
    if (labelings_) return;
    parsed.page.label = to;
    try {
      labels.take(parsed);
    } catch (const LabelError& error) {
      throw error_at(first + error.row, error.message);
    }
  }

  const ReadOptions& options_;
  std::vector<ArrayFile> files_;
  std::vector<RawPage> whole_;  // of each file
  std::vector<RawPage> own_;    // of this worker
  std::optional<LabelFile> labels_;
  std::optional<Labelings> labelings_;  // if a row has several labels
  std::int64_t rows_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace

bool are_array_files(std::span<const std::string> paths) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(paths, is_array_path));
  if (count != 0 && count != paths.size()) {
    throw usage_error("files of arrays can't be mixed with others: give files of one kind");
  }
  return count != 0;
}

std::unique_ptr<Source> load_array_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe) {
  std::optional<ArrayLoad> load;
  std::optional<LabelColumns> labels;
  std::vector<Page> pages;
  rethrow_on_all(comm, [&] {
    load.emplace(paths, options, comm);
    ReadOptions single = options;
    single.labelled = load->single_labels();
    labels.emplace(single, std::vector<std::string>(), comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
    pages = load->read(*labels, observe);
  });
  const ShardTotals all = finish_pages(
      *labels, pages, std::max(load->features(), options.features), options, files_name(paths), comm,
      [&](std::int64_t row, const std::string& message) { return load->error_at(load->begin() + row, message); });
  Schema schema;
  labels->describe(schema);
  return load->source(std::move(pages), std::move(schema), all.features);
}

}  // namespace linsep
