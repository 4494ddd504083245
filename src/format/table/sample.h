// Sample: the first rows of a table, from which is told what its columns are.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/fields.h"
#include "linsep/read.h"
#include "table/fitter.h"

namespace linsep {

/// As many bytes as are looked at.
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

/// The whole rows within the first kSampleBytes bytes; one row at least, where there is one. What is in it depends on
/// the bytes alone. A row that can't be read, or has another number of fields than the first, ends it: reading tells.
struct Sample {
  Sample() = default;
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  std::string name;                                         ///< of the input, for messages
  ReadOptions::Format format = ReadOptions::Format::kAuto;  ///< as it turned out; svmlight: there is nothing else here
  std::string text;
  csv::Syntax syntax;
  std::vector<std::string_view> first;                 ///< the fields of the first row
  std::vector<std::vector<std::string_view>> columns;  ///< the fields below it, column by column
  bool whole = false;                                  ///< these are all rows that the input has
  std::vector<std::optional<PlannedColumn>> typed;     ///< what an input that has types says of each column; or empty
  std::deque<std::string> unquoted;                    ///< what some of the fields are views of

  std::int64_t rows_below() const { return columns.empty() ? 0 : static_cast<std::int64_t>(columns[0].size()); }
};

/// Fills `sample`. Throws as `load` does.
void read_sample(const std::string& path, const ReadOptions& options, Sample& sample);

}  // namespace linsep
