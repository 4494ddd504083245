// Numbers and names as people read them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.h"  // IWYU pragma: export
#include "linsep/model.h"
#include "linsep/tools/number_words.h"  // IWYU pragma: export

namespace linsep {
/// "0.05 s", "12 s", "3 min 20 s", "2 h 5 min", "3 days".
std::string duration(double seconds);
/// A rate to two or three figures, such as "1.2M", "340k" or "87".
std::string short_number(double number);
/// What follows a claim from a model's file that nobody has checked, because a file can be edited.
inline constexpr std::string_view kClaimed = ", as claimed by the run that trained it";
/// How far the weights of a model's file, the heaviest of which is `heaviest`, may be from the optimum's, and if that
/// is much, how to get closer. A sentence, or "".
std::string precision_words(const Model& model, double heaviest);
/// How many weights of a model with an L1 penalty are 0, and how many of those are 0 in every optimal model. A
/// sentence, or "". `claimed` means that the model is from a file.
std::string zeros_words(const Model& model, bool claimed);
/// How training ended and how far from the best possible, by the account of a model's file. A sentence, or "".
std::string training_words(const TrainingRecord& training);
/// How many of the weights are 0 in every optimal model, according to the model. REQUIRES: model.open_zeros.
std::int64_t proven_zeros(const Model& model);
/// "z = 3·x1 + 2·x2 − 4", term by term.
class Formula {
 public:
  /// A factor of 0 adds nothing. `name` is "" for the constant.
  void add(double factor, const std::string& name);
  void add_dots() { text_ += " + …"; }
  std::string text() const { return first_ ? "z = 0" : text_; }

 private:
  std::string text_ = "z =";
  bool first_ = true;
};
/// The score of a linear model in the columns as they are written, or with more than `most` terms the first ones and
/// "…".
std::string score_formula(const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max());
/// Whether numbers of a table are scaled.
bool is_scaled(const TableMap& map);
/// The class or label column of score number `part`, in a model with several scores.
const std::string& part_name(const Model& model, std::size_t part);
/// Names as a terminal may show them (`shown_text`).
Schema shown_names(Schema schema);
/// The text, with blanks to the right (left) of it that fill `width` columns of a terminal.
std::string padded(const std::string& text, std::size_t width);
std::string padded_left(const std::string& text, std::size_t width);
/// Cells in columns, each row of the table a line that begins with two blanks.
std::string aligned(const std::vector<std::vector<std::string>>& cells);
/// "0.3 s", "under 0.01 s".
std::string time_words(double seconds);
/// Six figures of a number, never above (below) it, so a bound stays one when it is rounded.
std::string figure_at_most(double number);
std::string figure_at_least(double number);
/// The same for an exact number of a certificate, above 0, or for its square root, as in "0.353553" or "1e-523".
std::string exact_figure(const std::string& exact, bool at_least);
std::string root_figure(const std::string& exact, bool at_least);
/// A text from outside as it is shown, escaped by `shown_text` and cut to at most 60 characters with "…".
std::string short_text(std::string_view text);
/// How many columns a text takes on a terminal, which are its UTF-8 characters.
std::size_t text_width(std::string_view text);

}  // namespace linsep
