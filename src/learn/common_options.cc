#include "learn/common_options.h"

#include <limits>
#include <string>

#include "linsep/error.h"

namespace linsep {

OptionSpec passes_option(std::int64_t fallback) {
  return in_group("stopping", integer_option("passes", fallback, 1, 1e15, "At most this many passes over the rows."));
}

OptionSpec order_option() {
  return in_group("numerics",
                  choice_option("order", "given", {"given", "shuffled", "drawn"},
                                "Rows as given, shuffled anew in each pass, or drawn at random with replacement."));
}

VisitOrder order_asked(const Options& options, const SolverChoice& /*choice*/) {
  for (const VisitOrder order : {VisitOrder::kShuffled, VisitOrder::kDrawn}) {
    if (get_text(options, "order") == visit_order_name(order)) return order;
  }
  return VisitOrder::kGiven;
}

OptionSpec seed_option() {
  return in_group(
      "numerics",
      integer_option("seed", 1, 0, 9e15, "The seed of a shuffled or drawn order; the same seed gives the same bits."));
}

OptionSpec origin_option() {
  return in_group("objective", flag_option("origin", "Keep the offset at 0: the boundary goes through the origin."));
}

OptionSpec weighted_option() {
  OptionSpec spec =
      in_group("objective", flag_option("weighted",
                                        "Multiply a correction by the row's weight; without it weights other than 0 "
                                        "play no part."));
  spec.details =
      "A row of weight 0 is left out in any case. A row of weight w corrects w times as far as one of weight 1, which "
      "is not the same as w copies of it: copies would be corrected one after the other, each seeing the last.";
  return spec;
}

OptionSpec positive_option(std::string_view name, double fallback, std::string_view help) {
  OptionSpec spec = number_option(name, fallback, 0, std::numeric_limits<double>::infinity(), help);
  spec.above_low = true;
  return spec;
}

void refuse_options(const Options& options, const OptionTable& table, std::initializer_list<const char*> names,
                    std::string_view because) {
  for (const char* name : names) {
    if (options.find(name)->second != find_option(table, name)->fallback)
      throw option_error(name, std::string(because));
  }
}

}  // namespace linsep
