// Numbers as sentences, tables and formulas show them, and weights in the units of a table's columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linsep/model.h"

namespace linsep {

/// A number with at most six figures, and with the minus sign "−".
std::string figure_text(double number);
/// A weight that is known to within ±error (0 if that isn't known), with four figures, or six if all of them are sure.
std::string weight_text(double weight, double error);
/// θ and θ0 per unit of the columns as they are written. Weights count as 0 if they are rounding noise compared with
/// the heaviest.
std::pair<std::vector<double>, double> raw_weights(const Model& model);

}  // namespace linsep
