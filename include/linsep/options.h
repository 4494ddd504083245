// Option tables, one per learner, drive the command line, the Python keywords, the model file and the manual.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linsep {

/// The types of an option's value.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// One row of a learner's option table.
struct OptionSpec {
  enum class Kind { kFlag, kInteger, kNumber, kChoice, kText, kNumbers };
  std::string_view name = {};  ///< as on the command line without the dashes, e.g. "rate"
  Kind kind = Kind::kFlag;
  OptionValue fallback = {};                              ///< the default, in the alternative that fits `kind`
  std::vector<std::string_view> choices = {};             ///< kChoice only
  double low = 0;                                         ///< kInteger, kNumber: the smallest value allowed
  double high = std::numeric_limits<double>::infinity();  ///< and the largest
  bool above_low = false;                                 ///< `low` itself is not allowed
  std::string_view help = {};                             ///< one sentence
  std::string_view group = {};    ///< for documentation: "objective", "stopping", "numerics", …, or "" if not grouped
  std::string_view details = {};  ///< for documentation, what `help` has no room for. May be empty
};

using OptionTable = std::vector<OptionSpec>;

/// Chosen values by name. They are written into the model, so a model records how it was made.
using Options = std::map<std::string, OptionValue, std::less<>>;

/// Rows of a table, in the form in which tables are written.
OptionSpec flag_option(std::string_view name, std::string_view help);
OptionSpec integer_option(std::string_view name, std::int64_t fallback, double low, double high, std::string_view help);
OptionSpec number_option(std::string_view name, double fallback, double low, double high, std::string_view help);
OptionSpec choice_option(std::string_view name, std::string_view fallback, std::vector<std::string_view> choices,
                         std::string_view help);
OptionSpec text_option(std::string_view name, std::string_view fallback, std::string_view help);
OptionSpec numbers_option(std::string_view name, std::string_view help);

/// The rows with their group set.
OptionTable grouped(std::string_view group, OptionTable rows);
OptionSpec in_group(std::string_view group, OptionSpec row);

/// Reads one value from text by its spec's kind and range. Throws a usage Error that names the option, the given text
/// and what is allowed.
OptionValue parse_option(const OptionSpec& spec, std::string_view text);

/// All options of the table, the given ones checked and the others at their defaults. Throws a usage Error for a name
/// that isn't in the table (with the nearest one that is) or a value of the wrong kind or range.
Options complete_options(const OptionTable& table, const Options& given);

/// The table's row of that name, or nullptr.
const OptionSpec* find_option(const OptionTable& table, std::string_view name);

/// The value as text that `parse_option` would read back.
std::string option_text(const OptionValue& value);

/// Typed access. REQUIRES: `name` is present and holds that type (complete_options ensures it).
bool get_flag(const Options& options, std::string_view name);
std::int64_t get_integer(const Options& options, std::string_view name);
double get_number(const Options& options, std::string_view name);
const std::string& get_text(const Options& options, std::string_view name);
const std::vector<double>& get_numbers(const Options& options, std::string_view name);

/// The candidate nearest to `word` by edit distance, or "" when none is near.
std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace linsep
