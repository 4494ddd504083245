// The options of a command, declared as tables, parsed, and listed for help. The parser itself stays in the .cc file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linsep::app {

/// The variable that takes an option's value. It keeps its own if the option isn't given. A bool is a flag. If an
/// option is given twice, the last value counts, but a vector takes all. Each time it takes every value that follows,
/// and a positional vector takes every argument that belongs to no option.
using OptionTarget = std::variant<bool*, int*, std::int64_t*, std::size_t*, double*, std::optional<double>*,
                                  std::string*, std::vector<std::string>*>;

struct WholeFromTo {
  std::int64_t low, high;
};
/// Refuses nan.
struct NumberFromTo {
  double low, high;
};
struct OneOf {
  std::string_view words;  ///< separated by spaces
};
/// For a vector. A single value follows the option each time.
struct OneEach {};
using OptionLimits = std::variant<std::monostate, WholeFromTo, NumberFromTo, OneOf, OneEach>;

/// A row of a command's table. Texts are borrowed until CommandOptions::add returns.
struct OptionRow {
  /// A flag ("--json") or a positional argument ("DATA").
  OptionRow(std::string_view spelled, OptionTarget variable, std::string_view sentences)
      : names(spelled), target(variable), help(sentences) {}
  /// An option with a value ("-o,--output"), which help calls `value_name` ("FILE").
  OptionRow(std::string_view spelled, OptionTarget variable, std::string_view value_name, std::string_view sentences,
            OptionLimits allowed = {})
      : names(spelled), target(variable), value(value_name), help(sentences), limits(allowed) {}

  std::string_view names;
  OptionTarget target;
  std::string_view value, help;
  OptionLimits limits;
};

/// An option as help, manual pages and completion show it.
struct DeclaredOption {
  std::vector<std::string> names;  ///< "-o", "--output", or "DATA" for a positional argument
  std::string value;               ///< the value it takes, as in "FILE", or "" for a flag or a positional argument
  std::string help;                ///< sentences, which may have newlines
  std::string group;               ///< the heading it stands under
  bool positional = false;
  bool repeated = false;  ///< takes more than one value
};

struct GivenOption {
  const DeclaredOption* option;
  std::vector<std::string> values;  ///< as typed
};

class CommandOptions {
 public:
  /// Has --help only.
  CommandOptions();
  ~CommandOptions();
  CommandOptions(const CommandOptions&) = delete;
  CommandOptions& operator=(const CommandOptions&) = delete;

  /// Adds options under the heading "Options", or under that of `group`. Targets must outlive `parse`.
  void add(std::initializer_list<OptionRow> rows);
  void add(std::string_view group, std::initializer_list<OptionRow> rows);
  /// Replaces the help of an option that another table declared, and unless `value` is "" the name of its value.
  void describe(std::string_view name, std::string_view help, std::string_view value = "");
  /// In the order of `add`, --help first.
  const std::vector<DeclaredOption>& declared() const { return declared_; }

  /// Writes what was given into the targets. Returns false if help is asked for. Throws a usage Error.
  bool parse(const std::vector<std::string>& arguments);

  // After `parse`:
  bool given(std::string_view name) const;
  /// Each option once, in the order in which they first appear.
  std::vector<GivenOption> all_given() const;
  /// Arguments that belong to no option.
  std::vector<std::string> extras() const;

 private:
  struct Parser;
  void add_row(std::string_view group, const OptionRow& row);
  std::size_t index_of(std::string_view name) const;

  std::vector<DeclaredOption> declared_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace linsep::app
