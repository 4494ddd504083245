// Data sets made from a name, options and a seed alone: the texts' examples and random sets of any size.
//
// Row i depends on the options, the seed and i alone, so rows can be made in any order, on any thread, and a longer set
// begins with the shorter one. Only additions, multiplications, divisions and square roots are used, so the bytes are
// the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/options.h"

namespace linsep {

/// One kind of data set, with its name, a description, and the options it takes.
struct GeneratorInfo {
  std::string_view name;
  std::string_view help;  ///< one sentence
  OptionTable table;
};

/// Every generator, in the order in which the manual lists them.
std::span<const GeneratorInfo> generators();
/// Throws a usage Error that names the nearest generator.
const GeneratorInfo& generator_info(std::string_view name);

/// A row of exact decimals. Entry k stands in column `column[k]` (from 0, ascending) and is units[k]·10^−places, with
/// `places` known to whoever holds the row.
struct DecimalRow {
  int label = 1;  ///< −1 or +1
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> units;
};

/// A data set as a function of the row number.
struct Recipe {
  std::int64_t rows = 0;
  std::uint32_t features = 0;
  std::uint32_t entries = 0;  ///< the most entries a row has
  int places = 0;             ///< of every value
  /// Fills `row` with row i (from 0). Thread safe.
  std::function<void(std::int64_t i, DecimalRow& row)> make = {};
  /// For a table with several kinds of columns instead of decimals: its first line, and a function that appends row i
  /// (from 0) as a line of CSV, thread safe. `make` is empty then, and `features` counts columns.
  std::string header = {};
  std::function<void(std::int64_t i, std::string& out)> append = {};
  /// The classifier behind the labels, before any was flipped. Empty if there is none (or it is never stored).
  std::vector<double> theta = {};
  double offset = 0;
};

/// The recipe of a set. Throws a usage Error for options that are out of range or don't fit each other.
Recipe make_recipe(std::string_view name, const Options& given);

enum class TextKind { kSvmlight, kCsv };

/// Makes all rows on `threads` threads (0 for one per core) and hands their text to `sink` in order, in pieces of about
/// 256 kB. Only a few pieces exist at a time. The text doesn't depend on `threads`. What `sink` throws is thrown here.
/// Throws a usage Error for a table as svmlight.
void write_recipe(const Recipe& recipe, TextKind kind, int threads, const std::function<void(std::string_view)>& sink);

}  // namespace linsep
