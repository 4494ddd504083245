// MissingLabels: which labels say that there is none, and what becomes of their rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {

/// Whether a word stands for something missing: nothing, NA, N/A, NaN, null or ?, in any letter case.
bool looks_missing(std::string_view word);

class MissingLabels {
 public:
  /// No label is missing.
  MissingLabels() = default;
  /// Those that look missing and aren't named as a class by the options; none where labels aren't wanted.
  explicit MissingLabels(const ReadOptions& options);

  bool is_missing(std::string_view word) const { return looked_for_ && looks_missing(word) && !is_named(word); }
  /// Whether rows without a label are left out; else they are refused.
  bool drop() const { return drop_; }
  /// The words that look missing and are classes, ascending.
  const std::vector<std::string>& named() const { return named_; }

 private:
  bool is_named(std::string_view word) const;

  bool looked_for_ = false;
  bool drop_ = false;
  std::vector<std::string> named_;
};

/// Why a row is refused; "{}" stands for the option kMissingLabelOption.
std::string missing_label_message(std::string_view word);
inline constexpr const char* kMissingLabelOption = "missing-label";

/// For files without a row to learn from.
Error no_rows_error(const std::string& name, const ReadOptions& options);

}  // namespace linsep
