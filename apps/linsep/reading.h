// The options for reading a data file, the same for every verb that reads one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "options/command_options.h"
#include "report/run.h"

namespace linsep::app {

struct InputOptions {
  std::vector<std::string> paths;  ///< files whose rows follow one another, or "-" alone
  std::string format, classes, labels, delimiter, ignore, memory, missing_label;
  bool header = false, no_header = false;
  ReadOptions options;  ///< options that need no translation are bound here

  bool standard_input() const { return paths.size() == 1 && paths[0] == "-"; }
  /// "a.svm", "a.svm and 2 more files" or "standard input", for reports.
  std::string name() const;
  /// DATA as a suggested command shows it, which is the files, or "DATA" if there are many or it is a stream.
  std::string argument() const;

  /// Declares DATA and the reading options. With `trains`, also those that give labels a meaning, which a model
  /// resolves.
  void declare(CommandOptions& command, bool trains);

  /// In bytes, or 0 if --memory isn't given.
  std::uint64_t memory_limit() const;
  /// This program's clock and interrupt, a limit of `seconds` (0 for none), and the threads and memory asked for.
  RunLimits limits(double seconds) const;
  /// The options as read.h wants them. Throws a usage Error, or an input Error if there is no such file.
  ReadOptions complete() const;
  /// The same for rows to be scored by `model`, with its classes and its features (by name, if they have names).
  ReadOptions complete_for(const Model& model) const;
};

/// A model from a file, which `memory` bytes (0 for no limit) are enough to read. Throws a usage Error if they aren't.
Model load_model_within(const std::string& path, std::uint64_t memory);
/// The same for rows. Two classes without a name, in a model trained on arrays, are called -1 and 1.
Model model_for_rows(const std::string& path, std::uint64_t memory);

/// Columns of all workers' data that a model has no weight for. These are features beyond the model's own and, in CSV
/// with names, columns that nobody named. The one column that may hold the label isn't counted. A collective call,
/// after all rows were read.
UnknownColumns unknown_columns(const Source& source, const Model& model, const InputOptions& reading, Comm& comm);

/// Warns of values that were too small for their type, once the rows have been read (`tiny_sentence`). A collective
/// call.
void warn_of_tiny_values(Source& source);

/// If rows come from a terminal, prints on standard error that the program waits for them.
void tell_if_waiting(const InputOptions& reading);

/// A word in the form that a shell takes.
std::string quoted(const std::string& word);

/// Reads bytes such as "500M" and "2G". K, M, G and T are powers of 1024. Throws a usage Error.
std::uint64_t parse_size(const std::string& text);

/// Splits at commas. "" has no words.
std::vector<std::string> split_words(const std::string& text);

}  // namespace linsep::app
