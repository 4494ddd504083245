// Reading data sets from files, standard input and arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

struct ReadOptions {
  enum class Format { kAuto, kSvmlight, kCsv, kTsv };
  Format format = Format::kAuto;     ///< kAuto: by the name's ending (before .gz, .zst), else by the first line
  bool double_values = false;        ///< keep values as double instead of float
  int threads = 0;                   ///< parsing threads; 0: as many as there are cores. Never changes the result
  std::uint32_t features = 0;        ///< at least so many features (a model's, for prediction)
  bool regression = false;           ///< labels are numbers to be predicted, not classes
  bool labelled = true;              ///< false: labels, where there are any, are read past; rows without one are fine
  bool many_classes = false;         ///< more than two classes are welcome, see Schema; else a third is an Error
  std::vector<std::string> classes;  ///< {negative, positive} as written; empty: found in the data
  bool label_sets = false;  ///< a label such as 1,3,7 is a set; every label in it is a label column, see Schema
  std::string positive;     ///< which class is positive; empty: the greater number or later word

  // CSV and TSV only.
  std::optional<bool> header;       ///< unset: the first line is a header if one of its feature fields isn't a number
  char delimiter = 0;               ///< 0: ',' for CSV, tab for TSV
  std::string label;                ///< name or number (from 1) of the label's column; empty: the last
  std::vector<std::string> labels;  ///< several label columns, of two classes each; then `label` is not asked for
  std::string id;                   ///< a column that names rows and is no feature
  std::string weight;               ///< a column with row weights
  std::vector<std::string> ignore;  ///< columns to leave out
  /// A model's feature names. Not empty, and there is a header: these columns are the features, wherever they stand,
  /// and a column without another purpose is passed over.
  std::vector<std::string> feature_names;
};

/// Reads everything into memory, one page a chunk. "-" is standard input. gzip and zstd are recognised by content.
/// Throws Error with file, line and column.
std::unique_ptr<Source> load(const std::string& path, const ReadOptions& options, const Observer& observe = {});

/// A source that reads the file anew in each pass, in bounded memory. Standard input can be gone through once.
/// Labels other than {−1,+1} or {0,1} need `classes`; so do several label columns.
std::unique_ptr<Source> open_stream(const std::string& path, const ReadOptions& options);

/// Arrays owned by someone else as a source, without a copy. `batch` must outlive the source.
std::unique_ptr<Source> view(const Batch& batch, Schema schema);

}  // namespace linsep
