// The content of a picture's single drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linsep/picture/document.h"

namespace linsep {

enum class Chart {
  kNone,       ///< sentences alone
  kSpace,      ///< the data space
  kDistances,  ///< rows by distance from the boundary
  kProgress,   ///< objective and gap by pass
  kMistakes,   ///< mistakes a pass
};
Chart chart_of(const Picture& picture);

/// The headline with the chart's finding. Never empty.
std::string finding_of(const Picture& picture, Chart chart);
/// The input, as in "and.svm" or "and.svm · 4 rows × 2 features".
std::string given_words(const Picture& picture, bool size);
/// The notes that must stand below it, about how rows were drawn or binned, and what isn't shown. `with_rows` means
/// that rows are above distances.
std::vector<std::string> notes_of(const Picture& picture, Chart chart, bool with_rows);

/// Whether the rows have two classes, so that colors and shapes mean them.
bool has_two_classes(const Picture& picture);
/// A class's name and rows, by its index, as in "1 (100)".
std::string class_words(const Picture& picture, std::size_t index);
/// Whether several classifiers are drawn over the same rows.
bool compares(const Picture& picture);
const Picture::Path* path_of(const Picture& picture, std::string_view kind);

}  // namespace linsep
