#include "options/table_options.h"

#include <fmt/format.h>

#include "linsep/error.h"
#include "report/words.h"

namespace linsep::app {
namespace {

std::string dashed(std::string_view name) { return fmt::format("--{}", name); }

std::string_view value_name(const OptionSpec& spec) {
  switch (spec.kind) {
    case OptionSpec::Kind::kInteger:
      return "N";
    case OptionSpec::Kind::kNumber:
      return "X";
    case OptionSpec::Kind::kNumbers:
      return "X,X,…";
    case OptionSpec::Kind::kChoice:
      return "WORD";
    default:
      return "TEXT";
  }
}

// The option's sentence with its choices and default, and defaults by owner if they differ.
std::string description(const OptionSpec& spec, const std::vector<TableOptions::Owner>& having) {
  std::string text(spec.help);
  if (spec.kind == OptionSpec::Kind::kFlag) return text;
  if (!spec.choices.empty()) text += fmt::format(" One of {}.", listed(spec.choices, spec.choices.size(), 0, "or"));
  std::string defaults = option_text(spec.fallback);
  for (const TableOptions::Owner& owner : having) {
    const std::string other = option_text(find_option(*owner.table, spec.name)->fallback);
    if (other != option_text(spec.fallback)) defaults += fmt::format("; {}: {}", owner.name, other);
  }
  return defaults.empty() ? text : fmt::format("{} [{}]", text, defaults);
}

}  // namespace

std::vector<TableOptions::Owner> TableOptions::having(std::string_view name) const {
  std::vector<Owner> found;
  for (const Owner& owner : owners_) {
    if (find_option(*owner.table, name) != nullptr) found.push_back(owner);
  }
  return found;
}

std::string TableOptions::who_has(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Owner& owner : having(name)) names.push_back(owner.name);
  return listed(names, names.size());
}

void TableOptions::declare(CommandOptions& options, const std::set<std::string_view>& leave_out) {
  command_ = &options;
  // Options that many have come first. Help shows groups in this order.
  for (std::size_t count = owners_.size(); count > 0; --count) {
    for (const Owner& owner : owners_) {
      for (const OptionSpec& spec : *owner.table) {
        const bool due = having(spec.name).size() == count && !given_.contains(spec.name);
        if (due && !leave_out.contains(spec.name)) declare_one(options, spec);
      }
    }
  }
}

void TableOptions::declare_one(CommandOptions& options, const OptionSpec& spec) {
  Given& given = given_[std::string(spec.name)];
  const std::string name = dashed(spec.name);
  const std::vector<Owner> those = having(spec.name);
  const std::string help = description(spec, those);
  const std::string group = !group_.empty()                  ? group_
                            : those.size() == owners_.size() ? fmt::format("Options of every {}", noun_)
                                                             : fmt::format("Options of {}", who_has(spec.name));
  if (spec.kind == OptionSpec::Kind::kFlag) {
    options.add(group, {{name, &given.flag, help}});
  } else {
    options.add(group, {{name, &given.text, value_name(spec), help}});
  }
}

bool TableOptions::was_given(std::string_view name) const { return command_->given(dashed(name)); }

std::optional<std::string> TableOptions::take(std::string_view name) {
  const auto at = given_.find(name);
  if (at == given_.end() || !was_given(name)) return std::nullopt;
  at->second.taken = true;
  return at->second.text;
}

std::vector<std::string> TableOptions::given() const {
  std::vector<std::string> names;
  for (const auto& [name, given] : given_) {
    if (was_given(name) && !given.taken) names.push_back(name);
  }
  return names;
}

Options TableOptions::chosen(std::string_view owner) const {
  const OptionTable* table = nullptr;
  for (const Owner& one : owners_) {
    if (one.name == owner) table = one.table;
  }
  Options options;
  for (const auto& [name, given] : given_) {
    if (!was_given(name) || given.taken) continue;
    const OptionSpec* spec = find_option(*table, name);
    if (spec == nullptr) {
      throw usage_error(
          fmt::format("the {} {} has no option --{}; it belongs to {}", noun_, owner, name, who_has(name)));
    }
    options[name] = spec->kind == OptionSpec::Kind::kFlag ? OptionValue(given.flag) : parse_option(*spec, given.text);
  }
  return options;
}

}  // namespace linsep::app
