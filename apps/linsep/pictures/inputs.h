// The inputs of `report` and `plot`, which are rows, models, a run's log and a proof. They are read, and made into a
// picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linsep/certify.h"
#include "linsep/picture/document.h"
#include "linsep/picture/make.h"
#include "options/command_options.h"
#include "reading.h"
#include "tables/table_choice.h"

namespace linsep::app {

struct PictureInputs {
  InputOptions reading;
  TableChoice columns;
  std::vector<std::string> models;  ///< paths
  std::string log, proof, salt, title, x, y;
  std::int64_t rows = 2000;
  bool no_rows = false;
  double aspect = 1;  ///< of the data space as it will be drawn

  /// Declares DATA and how to read it, -m, --log, --proof, --salt, --title, --x, --y, --rows and --no-rows.
  void declare(CommandOptions& options);
  /// Reads what was given and makes the picture, with a progress bar. Throws a usage Error if nothing was given, and an
  /// input Error for files that can't be read or don't go together. After Ctrl-C throws an Error of kind kInterrupted
  /// (`catch_interrupt` is called here). `command` appears in the last section.
  Picture make(const std::string& command) const;
};

/// "and.svm" of "data/and.svm".
std::string file_name(const std::string& path);
/// "and" of "data/and.json".
std::string stem_of(const std::string& path);

/// Whether any linear classifier separates the rows, with the map and the origin of `model` if there is one. Only for
/// few rows (at most 2,000 rows and 50 columns), which are read again as written. Nothing for more rows, for a stream,
/// and for labels that aren't two classes. `shape` and `schema` are those of the rows as read by `options`.
std::optional<CertifyOutcome> certify_few(const InputOptions& reading, ReadOptions options, const Source& rows,
                                          const Model* model);

/// A run that has just ended, for `train --report`.
struct TrainedRun {
  const Outcome& outcome;
  Source& rows;                 ///< the training rows, in the order of the file
  const InputOptions& reading;  ///< and how they were read
  const ReadOptions& options;
  std::string command;  ///< as given
  std::string model;    ///< what it is called
  double seconds = 0;   ///< of training
};
Picture picture_of(const TrainedRun& run);

}  // namespace linsep::app
