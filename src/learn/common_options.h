// Rows of option tables that several learners share, so that they are worded only once, and weights of classes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linsep/learner_info.h"
#include "linsep/options.h"

namespace linsep {

OptionSpec passes_option(std::int64_t fallback);
OptionSpec order_option();
/// The order that `order_option` asks for, in the form that a LearnerEntry gives.
VisitOrder order_asked(const Options& options, const SolverChoice& choice);
OptionSpec seed_option();
OptionSpec origin_option();
/// Whether row weights multiply corrections.
OptionSpec weighted_option();
/// A number above 0.
OptionSpec positive_option(std::string_view name, double fallback, std::string_view help);

/// Throws a usage Error if one of these options isn't at its default, because they have no meaning together with what
/// else is asked for. `because` is a sentence in which "{}" stands for the option.
void refuse_options(const Options& options, const OptionTable& table, std::initializer_list<const char*> names,
                    std::string_view because);

/// The value of the option "class-weight", which is "balanced", or lists classes by name as "a=2,b=0.5". A row's weight
/// is multiplied by that of its own class. A class that isn't named has weight 1.
struct ClassWeightRule {
  bool balanced = false;
  std::vector<std::pair<std::string, double>> named;
};

/// Throws a usage Error for anything but "balanced" and NAME=WEIGHT,… with each name once and weights above 0.
ClassWeightRule parse_class_weights(std::string_view text);

/// One weight for each class. If balanced, it is W/(k·W_c), where W_c is the weight of the rows of class c, W that of
/// all rows, and k how many classes have rows. A class without rows has weight 1. `class_totals` has the W_c and
/// matters only if balanced. Throws a usage Error for a name that is no class, which lists the classes that exist.
std::vector<double> weights_of_classes(const ClassWeightRule& rule, const std::vector<std::string>& classes,
                                       std::span<const double> class_totals);

}  // namespace linsep
