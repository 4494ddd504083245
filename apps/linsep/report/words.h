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
/// "z = 3·x1 + 2·x2 − 4": the score of a linear model of few features.
std::string score_formula(const Model& model);
/// What score number `part` of a model of several is about: a class, or a label column.
const std::string& part_name(const Model& model, std::size_t part);
/// Names as a terminal may show them (`shown_text`).
Schema shown_names(Schema schema);
/// How many columns a text takes on a terminal: its UTF-8 characters.
std::size_t text_width(std::string_view text);

}  // namespace linsep::app
