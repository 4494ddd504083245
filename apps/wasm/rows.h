// The rows of later calls, and what was trained on them last.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linsep/certify.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep::wasm {

/// Rows as they were typed. Like the command line, each call reads them again, as floats to train and as doubles to
/// prove.
struct Rows {
  std::string text;  ///< svmlight, every feature of every row
  std::int64_t count = 0;
  std::uint32_t features = 0;
  bool regression = false;
};

/// Their name in messages and commands.
inline constexpr const char* kRowsName = "data.svm";

/// Throws a usage Error if there are none yet.
const Rows& rows();
void set_rows(Rows rows);

/// With `exact`, doubles, for proofs. Otherwise floats.
std::unique_ptr<Source> read_rows(bool exact);

/// Rows as doubles, one after another, and labels −1 or +1 (the targets in a regression).
struct PlainRows {
  std::vector<double> x;
  std::vector<double> y;
  std::uint32_t features = 0;

  bool regression = false;

  double at(std::size_t row, std::uint32_t column) const { return x[row * features + column]; }
  /// What is drawn upwards over one feature, which is the target of a regression, otherwise nothing.
  double height(std::size_t row) const { return regression ? y[row] : 0; }
};
const PlainRows& plain_rows();

/// The same rows as floats, for scores.
Source& scored_rows();

/// What was trained last on these rows. Nothing after new rows.
struct Trained {
  TrainSpec spec;
  Outcome outcome;
};
std::optional<Trained>& trained();
/// What was proven of these rows last, without its proof. Nothing after new rows.
std::optional<CertifyOutcome>& certified();

}  // namespace linsep::wasm
