// Rows of option tables that several learners share, worded once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "linsep/learner_info.h"
#include "linsep/options.h"

namespace linsep {

OptionSpec passes_option(std::int64_t fallback);
OptionSpec order_option();
/// The order that `order_option` asks for, as a LearnerEntry gives it.
VisitOrder order_asked(const Options& options, const SolverChoice& choice);
OptionSpec seed_option();
OptionSpec origin_option();
/// Whether row weights multiply corrections.
OptionSpec weighted_option();
/// A number above 0.
OptionSpec positive_option(std::string_view name, double fallback, std::string_view help);

/// Throws a usage Error where one of these options isn't at its default: they have no meaning beside what else is
/// asked for. `because` is a sentence whose "{}" stands for the option.
void refuse_options(const Options& options, const OptionTable& table, std::initializer_list<const char*> names,
                    std::string_view because);

}  // namespace linsep
