// Options of the command line that come from option tables of learners and generators.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/options.h"
#include "options/command_options.h"

namespace linsep::app {

/// The options of several tables on one command line. An option may stand in more than one table, with another default
/// in each. Its value is read by the table of the owner that is chosen.
class TableOptions {
 public:
  struct Owner {
    std::string_view name;
    const OptionTable* table;
  };

  /// `noun` is what owners are called in messages and help, such as "learner". `group` is the heading of all options in
  /// help, or "" to group them by who has them.
  TableOptions(std::string noun, std::vector<Owner> owners, std::string group = "")
      : noun_(std::move(noun)), owners_(std::move(owners)), group_(std::move(group)) {}

  /// Adds every option of every table but those in `leave_out`, grouped by their owners.
  void declare(CommandOptions& options, const std::set<std::string_view>& leave_out = {});

  /// The given value of an option, which is then no longer among the chosen.
  std::optional<std::string> take(std::string_view name);

  /// The names of the options that were given, without those taken.
  std::vector<std::string> given() const;

  /// The given options, read by `owner`'s table. Throws a usage Error for an option that it doesn't have, with the
  /// owners that do.
  Options chosen(std::string_view owner) const;

  /// The owners whose tables have the option, as in "perceptron and dual".
  std::string who_has(std::string_view name) const;

 private:
  struct Given {
    std::string text;
    bool flag = false;
    bool taken = false;
  };
  std::vector<Owner> having(std::string_view name) const;
  bool was_given(std::string_view name) const;
  void declare_one(CommandOptions& options, const OptionSpec& spec);

  std::string noun_;
  std::vector<Owner> owners_;
  std::string group_;
  std::map<std::string, Given, std::less<>> given_;
  const CommandOptions* command_ = nullptr;  ///< in which they were declared
};

}  // namespace linsep::app
