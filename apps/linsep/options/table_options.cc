#include "options/table_options.h"

#include <fmt/format.h>

#include "linsep/error.h"

namespace linsep::app {
namespace {

std::string value_name(const OptionSpec& spec) {
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

// The option's sentence with its choices and default; defaults by owner where they differ.
std::string description(const OptionSpec& spec, const std::vector<TableOptions::Owner>& having) {
  std::string text(spec.help);
  if (spec.kind == OptionSpec::Kind::kFlag) return text;
  if (!spec.choices.empty()) text += fmt::format(" One of {}.", listed(spec.choices, "or"));
  std::string defaults = option_text(spec.fallback);
  for (const TableOptions::Owner& owner : having) {
    const std::string other = option_text(find_option(*owner.table, spec.name)->fallback);
    if (other != option_text(spec.fallback)) defaults += fmt::format("; {}: {}", owner.name, other);
  }
  return defaults.empty() ? text : fmt::format("{} [{}]", text, defaults);
}

}  // namespace

std::string listed(const std::vector<std::string_view>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

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
  return listed(names);
}

void TableOptions::declare(CLI::App& app, const std::set<std::string_view>& leave_out) {
  // Options that many have come first; help shows groups in this order.
  for (std::size_t count = owners_.size(); count > 0; --count) {
    for (const Owner& owner : owners_) {
      for (const OptionSpec& spec : *owner.table) {
        const bool due = having(spec.name).size() == count && !given_.contains(spec.name);
        if (due && !leave_out.contains(spec.name)) declare_one(app, spec);
      }
    }
  }
}

void TableOptions::declare_one(CLI::App& app, const OptionSpec& spec) {
  Given& given = given_[std::string(spec.name)];
  const std::string name = fmt::format("--{}", spec.name);
  const std::vector<Owner> those = having(spec.name);
  if (spec.kind == OptionSpec::Kind::kFlag) {
    given.option = app.add_flag(name, given.flag, description(spec, those));
  } else {
    given.option = app.add_option(name, given.text, description(spec, those))->type_name(value_name(spec));
  }
  if (!group_.empty()) {
    given.option->group(group_);
    return;
  }
  given.option->group(those.size() == owners_.size() ? fmt::format("Options of every {}", noun_)
                                                     : fmt::format("Options of {}", who_has(spec.name)));
}

std::optional<std::string> TableOptions::take(std::string_view name) {
  const auto at = given_.find(name);
  if (at == given_.end() || at->second.option->count() == 0) return std::nullopt;
  at->second.taken = true;
  return at->second.text;
}

std::vector<std::string> TableOptions::given() const {
  std::vector<std::string> names;
  for (const auto& [name, given] : given_) {
    if (given.option->count() > 0 && !given.taken) names.push_back(name);
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
    if (given.option->count() == 0 || given.taken) continue;
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
