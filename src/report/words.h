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
/// "1.2M", "340k", "87": a rate to two or three figures.
std::string short_number(double number);
/// What follows a statement of a model's file that nobody has checked: a file can be edited.
inline constexpr std::string_view kClaimed = ", as claimed by the run that trained it";
/// How far the weights of a model's file, the heaviest of which is `heaviest`, may be from the optimum's, and if that
/// is much, how to get closer: a sentence, or "".
std::string precision_words(const Model& model, double heaviest);
/// How many weights of a model with an L1 penalty are 0, and how many of those are 0 in every optimal model: a
/// sentence, or "". `claimed`: the model is from a file.
std::string zeros_words(const Model& model, bool claimed);
/// How training ended and how far from the best possible, by the account of a model's file: a sentence, or "".
std::string training_words(const TrainingRecord& training);
/// How many of the weights are 0 in every optimal model, as the model says. REQUIRES: model.open_zeros.
std::int64_t proven_zeros(const Model& model);
/// "z = 3·x1 + 2·x2 − 4", term by term.
class Formula {
 public:
  /// A factor of 0 adds nothing; `name` is "" of the constant.
  void add(double factor, const std::string& name);
  void add_dots() { text_ += " + …"; }
  std::string text() const { return first_ ? "z = 0" : text_; }

 private:
  std::string text_ = "z =";
  bool first_ = true;
};
/// The score of a linear model in the columns as they are written; of more than `most` terms the first ones and "…".
std::string score_formula(const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max());
/// Whether numbers of a table are scaled.
bool is_scaled(const TableMap& map);
/// What score number `part` of a model of several is about: a class, or a label column.
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
/// Six figures of a number, never above (below) it: a bound stays one when it is rounded.
std::string figure_at_most(double number);
std::string figure_at_least(double number);
/// The same of an exact number of a certificate, above 0, or of its square root: "0.353553", "1e-523".
std::string exact_figure(const std::string& exact, bool at_least);
std::string root_figure(const std::string& exact, bool at_least);
/// A text from outside as it is shown: escaped by `shown_text`, at most 60 characters, cut with "…".
std::string short_text(std::string_view text);
/// How many columns a text takes on a terminal: its UTF-8 characters.
std::size_t text_width(std::string_view text);

}  // namespace linsep
