// The only file that sees CLI11, whose headers take seconds to compile.
#include "options/command_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <system_error>
#include <type_traits>
#include <utility>

#include "linsep/error.h"

namespace linsep::app {
namespace {

constexpr std::string_view kOptions = "Options";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// CLI::Range lets nan pass.
CLI::Validator number_from_to(const NumberFromTo& range) {
  const auto check = [range](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && number >= range.low && number <= range.high
               ? std::string()
               : fmt::format("takes a number from {} to {}, not '{}'", range.low, range.high, text);
  };
  return {check, "", "number"};
}

bool is_positional(const OptionRow& row) { return !row.names.starts_with('-'); }

bool takes_many(const OptionRow& row) { return std::holds_alternative<std::vector<std::string>*>(row.target); }

template <class Value>
CLI::Option* add_to(CLI::App& app, const OptionRow& row, Value& value) {
  const std::string names(row.names);
  if constexpr (std::is_same_v<Value, bool>) {
    return app.add_flag(names, value);
  } else {
    CLI::Option* option = app.add_option(names, value);
    if constexpr (std::is_integral_v<Value>) {
      if (const auto* range = std::get_if<WholeFromTo>(&row.limits)) {
        option->check(CLI::Range(static_cast<Value>(range->low), static_cast<Value>(range->high)));
      }
    }
    return option;
  }
}

// CLI11's complaint in our words. Its messages begin with the option's name.
Error parse_failure(const CLI::ParseError& error) {
  const std::string_view message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return usage_error(std::string(message));
  return usage_error(fmt::format("{} needs a value", message.substr(0, message.find(':'))));
}

}  // namespace

struct CommandOptions::Parser {
  CLI::App app;
  std::vector<CLI::Option*> options;  ///< in the order of declared_
};

CommandOptions::CommandOptions() : parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.allow_extras();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  parser_->options.push_back(app.set_help_flag("-h,--help"));
  declared_.push_back({{"-h", "--help"}, "", "Show this help.", std::string(kOptions)});
}

CommandOptions::~CommandOptions() = default;

void CommandOptions::add(std::initializer_list<OptionRow> rows) { add(kOptions, rows); }

void CommandOptions::add(std::string_view group, std::initializer_list<OptionRow> rows) {
  for (const OptionRow& row : rows) add_row(group, row);
}

void CommandOptions::add_row(std::string_view group, const OptionRow& row) {
  CLI::Option* option = std::visit([&](auto* value) { return add_to(parser_->app, row, *value); }, row.target);
  if (const auto* range = std::get_if<NumberFromTo>(&row.limits)) option->check(number_from_to(*range));
  if (const auto* one = std::get_if<OneOf>(&row.limits)) option->check(CLI::IsMember(split(one->words, ' ')));
  if (std::holds_alternative<OneEach>(row.limits)) option->allow_extra_args(false);
  parser_->options.push_back(option);
  declared_.push_back({split(row.names, ','), std::string(row.value), std::string(row.help), std::string(group),
                       is_positional(row), takes_many(row)});
}

std::size_t CommandOptions::index_of(std::string_view name) const {
  const auto found = std::ranges::find_if(declared_, [&](const DeclaredOption& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  if (found == declared_.end()) throw bug_error(fmt::format("no option {} was declared", name));
  return static_cast<std::size_t>(found - declared_.begin());
}

void CommandOptions::describe(std::string_view name, std::string_view help, std::string_view value) {
  DeclaredOption& option = declared_[index_of(name)];
  option.help = help;
  if (!value.empty()) option.value = value;
}

bool CommandOptions::parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> from_the_back(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
  try {
    parser_->app.parse(std::move(from_the_back));
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& error) {
    throw parse_failure(error);
  }
  return true;
}

bool CommandOptions::given(std::string_view name) const { return parser_->options[index_of(name)]->count() > 0; }

std::vector<GivenOption> CommandOptions::all_given() const {
  std::vector<GivenOption> all;
  for (const CLI::Option* parsed : parser_->app.parse_order()) {
    const auto found = std::ranges::find(parser_->options, parsed);
    const DeclaredOption* option = &declared_[static_cast<std::size_t>(found - parser_->options.begin())];
    const bool seen = std::ranges::any_of(all, [&](const GivenOption& one) { return one.option == option; });
    if (!seen) all.push_back({option, parsed->results()});
  }
  return all;
}

std::vector<std::string> CommandOptions::extras() const { return parser_->app.remaining(); }

}  // namespace linsep::app
