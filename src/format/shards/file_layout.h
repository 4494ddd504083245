// FileLayout: what the files of one data set must have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "format/text/input.h"
#include "linsep/read.h"

namespace linsep {

class ByteReader;
class ByteWriter;

struct FileLayout {
  std::string name;    ///< the file's, for messages
  bool known = false;  ///< false: the file has no row to tell it by
  ReadOptions::Format kind = ReadOptions::Format::kAuto;
  std::uint32_t columns = 0;               ///< TextFormat's
  std::vector<std::string> feature_names;  ///< likewise
  std::vector<std::string> label_names;
  Reading reading;
  std::shared_ptr<const TableMap> table;  ///< TextFormat's; workers don't tell it each other

  /// How many features there are before the first row: those that have names, or that a map makes.
  std::uint32_t named_features() const { return table ? columns : static_cast<std::uint32_t>(feature_names.size()); }
};

FileLayout layout_of(const TextInput& input);

/// Throws an input Error about `other` where it can't continue where `first` ends. Files without rows always can.
void require_same_layout(const FileLayout& first, const FileLayout& other);

void write_layout(ByteWriter& writer, const FileLayout& layout);
FileLayout read_layout(ByteReader& reader);

}  // namespace linsep
