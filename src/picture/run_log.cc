// A run's log (docs/reference/formats/run-log.md), with a line of JSON for each pass.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json.h"
#include "linsep/error.h"
#include "linsep/picture/make.h"

namespace linsep {
namespace {

using nlohmann::json;

class LogReader {
 public:
  explicit LogReader(const std::string& name) : place_{name, 0, 0} {}

  Progress read(std::string_view line) {
    ++place_.line;
    object_ = strict_json_object(line);
    if (!object_.is_object() || !object_.contains("pass")) {
      refuse(
          "isn't a line of a run log: expected a JSON object with `pass`, `rows` and `seconds`, as `linsep train "
          "--log` writes it");
    }
    Progress pass;
    pass.pass = whole("pass").value_or(0);
    if (pass.pass <= last_) refuse(fmt::format("pass {} comes after pass {}: passes must ascend", pass.pass, last_));
    last_ = pass.pass;
    pass.rows = whole("rows").value_or(0);
    pass.seconds = number("seconds").value_or(0);
    pass.mistakes = whole("mistakes");
    pass.objective = number("objective");
    pass.gap = number("gap");
    pass.residual = number("residual");
    pass.pass_ended = true;
    return pass;
  }
  [[noreturn]] void refuse(const std::string& reason) const { throw Error(place_, reason); }

 private:
  /// A missing field, and one that is null (a number that wasn't finite), are nothing.
  const json* field(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  std::optional<std::int64_t> whole(const char* name) const {
    const json* value = field(name);
    if (value == nullptr) return std::nullopt;
    constexpr double kMost = 9e15;
    if (!value->is_number() || value->get<double>() < 0 || value->get<double>() > kMost ||
        value->get<double>() != std::floor(value->get<double>())) {
      refuse(fmt::format("`{}` should be a whole number, not {}", name, shortened(*value)));
    }
    return static_cast<std::int64_t>(value->get<double>());
  }
  std::optional<double> number(const char* name) const {
    const json* value = field(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || !std::isfinite(value->get<double>())) {
      refuse(fmt::format("`{}` should be a number, not {}", name, shortened(*value)));
    }
    return value->get<double>();
  }
  static std::string shortened(const json& value) {
    constexpr std::size_t kMost = 40;
    const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    return text.size() <= kMost ? text : fmt::format("{}…", std::string_view(text).substr(0, kMost));
  }

  Place place_;
  json object_;
  std::int64_t last_ = 0;
};

}  // namespace

RunRecord read_run_log(std::string_view text, const std::string& name_for_errors) {
  RunRecord run;
  LogReader reader(name_for_errors);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    run.passes.push_back(reader.read(line));
  }
  if (run.passes.empty()) throw Error(Place{name_for_errors, 0, 0}, "is empty: a run log has a line for each pass");
  run.seconds = run.passes.back().seconds;
  return run;
}

}  // namespace linsep
