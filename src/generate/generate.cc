// The generators by name: their option tables, and how options become a recipe.
#include "linsep/tools/generate.h"

#include <algorithm>
#include <utility>

#include "core/random.h"
#include "generate/recipes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr double kMostRows = 1e15;
constexpr double kMostColumns = 4294967295.0;

OptionSpec rows_option(std::int64_t fallback) {
  return in_group("size", integer_option("rows", fallback, 0, kMostRows, "How many rows."));
}
OptionSpec features_option(std::int64_t fallback) {
  return in_group("size", integer_option("features", fallback, 1, kMostColumns, "How many features."));
}
OptionSpec nonzeros_option(std::int64_t fallback) {
  return in_group("size", integer_option("nonzeros", fallback, 1, 1e6, "Nonzeros per row."));
}
OptionSpec cards_option() {
  return in_group("size", integer_option("cards", 100000, 1, 1e7, "How many different cards there are."));
}
OptionSpec words_option() {
  return in_group("size", integer_option("words", 0, 0, 1e6, "Words per row in a text column; 0 for no such column."));
}
OptionSpec margin_option() {
  return in_group("labels",
                  number_option("margin", 0.1, 0, 1e6, "The smallest distance of a row from the hidden boundary."));
}
OptionSpec seed_option() {
  return in_group("numerics",
                  integer_option("seed", 1, 0, 9e18, "The seed. Each row depends only on it and on its row number."));
}

void add_flip_options(OptionTable& table) {
  const OptionTable flips = grouped(
      "labels", {number_option("flip", 0.05, 0, 1, "The chance that a row's label is flipped."),
                 integer_option("flips", -1, -1, kMostRows,
                                "Flip the labels of exactly this many rows, spread evenly; -1: by chance."),
                 numbers_option("flip-rows", "Flip the labels of exactly these rows, such as 17,203 (from 1).")});
  table.insert(table.end(), flips.begin(), flips.end());
}

std::vector<GeneratorInfo> all_generators() {
  std::vector<GeneratorInfo> all{
      {"not", "The truth table of NOT: 2 rows, 1 feature.", {}},
      {"and", "The truth table of AND: 4 rows, 2 features.", {}},
      {"or", "The truth table of OR: 4 rows, 2 features.", {}},
      {"xor", "The truth table of XOR: 4 rows that no line separates.", {}},
      {"translations", "Two patterns on a ring of 16 points in all positions: 32 rows that no plane separates.", {}},
      {"comparison", "100 positive and 50 negative points in the plane, to compare classifiers.", {seed_option()}},
      {"separable",
       "Dense, nearly normal rows that a hidden classifier separates with a given margin.",
       {rows_option(1000), features_option(10), margin_option(), seed_option()}},
      {"noisy",
       "The rows of separable with some labels flipped.",
       {rows_option(1000), features_option(10), margin_option(), seed_option()}},
      {"sparse",
       "Sparse rows with Zipf columns, labelled by a hidden classifier, some labels flipped.",
       {rows_option(400000), features_option(47236), nonzeros_option(82), seed_option()}},
      {"classes",
       "Sparse rows of several classes 1, 2, …, by a hidden classifier for each, some labels wrong.",
       {rows_option(20000), features_option(2000), nonzeros_option(30),
        in_group("size", integer_option("classes", 5, 2, 1e6, "How many classes.")), seed_option()}},
      {"messages", "Short messages as CSV, one in six of them spam.", {rows_option(3000), seed_option()}},
      {"patients",
       "Patients as CSV: numbers with missing values, categories, a date; some have the disease.",
       {rows_option(2000), seed_option()}},
      {"table",
       "Payments as CSV: amount, time, country, merchant, card; about one in a hundred is fraud.",
       {rows_option(100000), cards_option(), words_option(), seed_option()}},
  };
  for (GeneratorInfo& info : all) {
    if (info.name == "noisy" || info.name == "sparse" || info.name == "classes") add_flip_options(info.table);
  }
  return all;
}

FlipRule flip_rule(const Options& given, const Options& options, std::int64_t rows) {
  FlipRule rule{.chance = get_number(options, "flip"), .flips = get_integer(options, "flips")};
  if (given.contains("flip") + given.contains("flips") + given.contains("flip-rows") > 1) {
    throw options_error({"flip", "flips", "flip-rows"}, "use only one of {}, {} and {}");
  }
  if (rule.flips > rows) throw option_error("flips", "{} asks for more rows than there are");
  for (const double number : get_numbers(options, "flip-rows")) {
    const auto row = static_cast<std::int64_t>(number);
    if (static_cast<double>(row) != number || row < 1 || row > rows) {
      throw option_error("flip-rows", "{} takes row numbers from 1 to " + std::to_string(rows));
    }
    rule.listed.push_back(row - 1);
  }
  std::sort(rule.listed.begin(), rule.listed.end());
  return rule;
}

Recipe make_plain(std::string_view name, const Options& options) {
  if (name == "translations") return make_translations();
  if (options.empty()) return make_truth_table(name);
  const auto seed = static_cast<std::uint64_t>(get_integer(options, "seed"));
  if (name == "comparison") return make_comparison(seed);
  const std::int64_t rows = get_integer(options, "rows");
  if (name == "messages") return make_messages(rows, seed);
  if (name == "patients") return make_patients(rows, seed);
  if (name == "table") {
    return make_table(rows, static_cast<std::uint32_t>(get_integer(options, "cards")),
                      static_cast<std::uint32_t>(get_integer(options, "words")), seed);
  }
  const auto features = static_cast<std::uint32_t>(get_integer(options, "features"));
  if (name != "sparse" && name != "classes") return make_separable(rows, features, get_number(options, "margin"), seed);
  const std::int64_t nonzeros = get_integer(options, "nonzeros");
  if (nonzeros > features) throw options_error({"nonzeros", "features"}, "{} is greater than {}");
  const int classes = name == "classes" ? static_cast<int>(get_integer(options, "classes")) : 0;
  return make_sparse(rows, features, static_cast<std::uint32_t>(nonzeros), classes, seed);
}

}  // namespace

std::span<const GeneratorInfo> generators() {
  static const std::vector<GeneratorInfo> all = all_generators();
  return all;
}

const GeneratorInfo& generator_info(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GeneratorInfo& info : generators()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string near = nearest_word(name, names);
  throw usage_error("there is no data set called '" + std::string(name) + "'" +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Recipe make_recipe(std::string_view name, const Options& given) {
  const GeneratorInfo& info = generator_info(name);
  const Options options = complete_options(info.table, given);
  Recipe recipe = make_plain(name, options);
  if (!options.contains("flip")) return recipe;
  const FlipRule rule = flip_rule(given, options, recipe.rows);
  recipe = flip_labels(std::move(recipe), rule, static_cast<std::uint64_t>(get_integer(options, "seed")));
  return options.contains("classes") ? next_class(std::move(recipe), static_cast<int>(get_integer(options, "classes")))
                                     : recipe;
}

}  // namespace linsep
