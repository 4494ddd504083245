// PageOrigin: what a page file made from texts knows of them: which files, in what state, read how, and the labels they
// had. So one page file serves every question about classes, and rows can be read again as they were written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/paged/page_file.h"
#include "format/text/input.h"
#include "format/text/range.h"
#include "linsep/read.h"

namespace linsep {

/// The different labels of a file in the order in which they are met, by name.
class LabelTable {
 public:
  struct Label {
    std::string name;
    std::int64_t first_row = 0;  ///< that has it
  };

  /// Takes the labels of the next page. Words become indices in `labels`; numbers stay.
  void take(ParsedPage& parsed, std::int64_t first_row);

  std::vector<Label> labels;
  bool has_words = false;     ///< some label is no number
  bool more_numbers = false;  ///< there were more numbers than there can be classes; the list isn't complete

 private:
  std::size_t place_of(const std::string& name, std::int64_t row);

  std::unordered_map<std::string, std::size_t> place_;
  std::unordered_map<double, bool> known_;
};

/// That pages hold labels of the table and no others, where the table has all; else that they are finite.
LabelMeaning known_labels(const LabelTable& table);

/// A text, or the rows that begin in a range of it, that pages were made of.
struct PageText {
  std::string path;  ///< seen from the page file's folder where that is possible; "": can't be read again
  FileStamp stamp;   ///< device and inode aren't kept
  bool compressed = false;
  TextRange range;
  std::int64_t first_row = 0;  ///< in the page file
};

struct PageOrigin {
  std::vector<PageText> texts;  ///< at least one, in the order of their rows; no page has rows of two
  ReadOptions reading;  ///< what decides on rows and values; the meaning of labels is resolved when pages are read
  ReadOptions::Format format = ReadOptions::Format::kAuto;  ///< as it turned out
  std::vector<std::string> feature_names, label_names;
  LabelTable labels;
  TinyValue tiny;            ///< of all rows
  std::int64_t dropped = 0;  ///< rows of the texts that were left out because they have no label
  Reading read;              ///< how the texts were read, for Schema
};

std::string origin_bytes(const PageOrigin& origin);
/// Throws an input Error: the bytes are untrusted. `name` is the page file's.
PageOrigin parse_origin(const std::string& bytes, const std::string& name);

/// Whether what it says of rows, features, labels and values is true of the pages.
bool fits_pages(const PageOrigin& origin, const PageFile& file);

/// Device and inode don't count: a page file may move with its text.
bool same_state(const FileStamp& a, const FileStamp& b);

/// Whether these are the same map, or none both times.
bool same_table(const std::shared_ptr<const TableMap>& a, const std::shared_ptr<const TableMap>& b);

/// Whether pages read by `have` are those that `want` asks for.
bool same_rows(const ReadOptions& have, const ReadOptions& want);

/// The path of a text as recorded in a page file at `pages`, and back.
std::string recorded_path(const std::string& text, const std::string& pages);
std::string resolved_path(const std::string& recorded, const std::string& pages);

}  // namespace linsep
