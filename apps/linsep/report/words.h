// Numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "linsep/model.h"

namespace linsep::app {

/// "1,234,567".
std::string thousands(std::int64_t number);
/// "1 row", "1,000 rows".
std::string counted(std::int64_t number, std::string_view noun);
/// "0.05 s", "12 s", "3 min 20 s", "2 h 5 min", "3 days".
std::string duration(double seconds);
/// "1.2M", "340k", "87": a rate to two or three figures.
std::string short_number(double number);
/// A number with at most six figures; a minus sign as such.
std::string figure(double number);
/// A weight that is known to within ±error (0: it isn't said), to the digits that are: "0.31"; with a "~" before one
/// digit where not even that is sure.
std::string weight_words(double weight, double error);
/// What a model's weight_error means for its weights, the heaviest of which is `heaviest`, and how to learn more of
/// them: a sentence or two, or "".
std::string precision_words(const Model& model, double heaviest);
/// "certified gap 0.001"; "no bound is known yet" of one that says nothing: every objective is at least 0.
std::string gap_words(double gap);
/// Whether a gap says that the least objective possible is above 0, in the figures shown.
bool is_bound(double gap);
/// "z = 3·x1 + 2·x2 − 4": the score of a linear model of few features.
std::string score_formula(const Model& model);
/// Whether numbers of a table are scaled.
bool is_scaled(const TableMap& map);
/// What score number `part` of a model of several is about: a class, or a label column.
const std::string& part_name(const Model& model, std::size_t part);
/// Names as a terminal may show them (`shown_text`).
Schema shown_names(Schema schema);
/// How many columns a text takes on a terminal: its UTF-8 characters.
std::size_t text_width(std::string_view text);

}  // namespace linsep::app
