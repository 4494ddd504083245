// Weights of classes: "balanced", or by name "a=2,b=0.5". A row's weight is multiplied by that of its own class.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linsep {

/// What the option "class-weight" says. A class that isn't named has weight 1.
struct ClassWeightRule {
  bool balanced = false;
  std::vector<std::pair<std::string, double>> named;
};

/// Throws a usage Error for anything but "balanced" and NAME=WEIGHT,… with each name once and weights above 0.
ClassWeightRule parse_class_weights(std::string_view text);

/// One weight for each class. Balanced: W/(k·W_c), where W_c is what the rows of class c weigh, W what all do and k how
/// many classes have rows; a class without rows has weight 1. `class_totals` are the W_c; they matter where balanced.
/// Throws a usage Error for a name that is no class, with the classes there are.
std::vector<double> weights_of_classes(const ClassWeightRule& rule, const std::vector<std::string>& classes,
                                       std::span<const double> class_totals);

}  // namespace linsep
