// linsep finds the verb, parses its options, runs it, and turns errors into messages and exit codes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string>

#include "advised_error.h"
#include "help.h"
#include "linsep/error.h"
#include "linsep/options.h"
#include "linsep/tools/shown_text.h"
#include "linsep/tools/simd.h"
#include "options/command_options.h"
#include "os/process.h"
#include "os/terminal.h"
#include "output.h"
#include "report/json.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

/// The error for an unknown word of the command line.
Error unknown(std::string_view what, std::string_view word, const std::vector<std::string_view>& known) {
  const std::string near = nearest_word(word, known);
  return usage_error(
      fmt::format("unknown {} {}{}", what, word, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

const Verb& find_verb(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  throw unknown("command", name, names);
}

void refuse_extras(const CommandOptions& options) {
  const std::vector<std::string> extras = options.extras();
  if (extras.empty()) return;
  for (const std::string& word : extras) {
    if (word.size() < 2 || word.front() != '-') continue;
    std::vector<std::string_view> names;
    for (const DeclaredOption& option : options.declared()) {
      std::ranges::copy_if(option.names, std::back_inserter(names),
                           [](const std::string& name) { return name.starts_with("--"); });
    }
    throw unknown("option", word.substr(0, word.find('=')), names);
  }
  throw usage_error("unexpected argument " + extras.front());
}

int run_verb(const Verb& verb, const std::vector<std::string>& arguments) {
  CommandOptions options;
  const std::function<int()> run = verb.declare(options);
  if (!options.parse(arguments)) {
    print(help_page(verb, options));
    return kDone;
  }
  if (verb.foreign && !options.extras().empty()) {
    if (const auto translated = verb.foreign(arguments)) throw usage_error(*translated);
  }
  refuse_extras(options);
  return run();
}

// Which version of the kernels to use, for tests and comparisons. All give the same bits.
void choose_kernel() {
  const char* name = std::getenv("LINSEP_KERNEL");
  if (name == nullptr || *name == 0 || use_kernel_version(name)) return;
  throw usage_error(fmt::format("LINSEP_KERNEL={}: this machine has {}", name, fmt::join(kernel_versions(), ", ")));
}

int run(const std::vector<std::string>& arguments) {
  take_command_line(arguments);
  choose_kernel();
  if (arguments.empty()) {
    print(first_help(), stderr);
    return kUsage;
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || (first == "help" && arguments.size() == 1)) {
    print(first_help());
    return kDone;
  }
  if (first == "--version") {
    print("linsep " LINSEP_VERSION "\n");
    return kDone;
  }
  if (first == "help") return run_verb(find_verb(arguments[1]), {"--help"});
  if (first.front() == '-') throw unknown("option", first, {"--help", "--version"});
  return run_verb(find_verb(first), {arguments.begin() + 1, arguments.end()});
}

int exit_code(const std::exception& failure) {
  const auto* error = dynamic_cast<const Error*>(&failure);
  if (error == nullptr) return kSystemFailure;
  if (dynamic_cast<const UnfinishedError*>(error) != nullptr) return kUnfinished;
  if (error->kind() == Error::Kind::kInterrupted) return interrupted_code(was_terminated());
  if (error->kind() == Error::Kind::kUsage) return kUsage;
  if (error->kind() == Error::Kind::kBug) return kBugFound;
  return error->kind() == Error::Kind::kInput ? kBadInput : kSystemFailure;
}

std::string message_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return "out of memory";
  const auto* error = dynamic_cast<const Error*>(&failure);
  return error != nullptr ? error->spelled("--", "") : failure.what();
}

/// Whether a program reads the output, even if the command line has a mistake.
bool wants_json(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, "--json") != arguments.end();
}

std::string_view kind_word(int code) {
  if (code == kUsage) return "usage";
  if (code == kBadInput) return "input";
  if (code == kUnfinished) return "unfinished";
  return code == kBugFound ? "bug" : "system";
}

/// Under --json, {"error": …} in one line.
std::string error_line(const std::exception& failure) {
  Json said;
  said["kind"] = kind_word(exit_code(failure));
  said["exit_code"] = exit_code(failure);
  said["message"] = cut_to_screen(message_of(failure));
  if (const auto* error = dynamic_cast<const Error*>(&failure)) {
    const Place& place = error->place();
    if (!place.file.empty()) said["file"] = place.file;
    if (place.line > 0) said["line"] = place.line;
    if (place.column > 0) said["column"] = place.column;
    for (const std::string& option : error->options()) said["options"].push_back("--" + option);
  }
  if (const auto* advised = dynamic_cast<const AdvisedError*>(&failure)) said["advice"] = advised->advice();
  return json_line(Json{{"error", said}});
}

/// Never throws, and standard error may be full or closed.
void tell(const std::exception& failure, const std::vector<std::string>& arguments) {
  const auto* error = dynamic_cast<const Error*>(&failure);
  if (error != nullptr && error->kind() == Error::Kind::kInterrupted) return;
  try {
    if (wants_json(arguments)) {
      write_all(StandardStream::kError, error_line(failure));
      return;
    }
    std::string text = shown_text(message_of(failure));
    if (const auto* advised = dynamic_cast<const AdvisedError*>(&failure)) text += "\n  " + advised->advice();
    if (exit_code(failure) == kUsage) text += "\n" + std::string(help_hint(arguments));
    while (text.ends_with('\n')) text.pop_back();
    notice(text);
  } catch (...) {
    notice("out of memory");
  }
}

int guarded(const std::vector<std::string>& arguments) {
  const auto work = [&]() -> int {
    try {
      const int code = run(arguments);
      return code == kDone && interrupt_flag().load(std::memory_order_relaxed) ? interrupted_code(was_terminated())
                                                                               : code;
    } catch (const BrokenPipe&) {
      return kDone;  // the reader of our output has seen enough
    }
  };
  return run_among_workers(work, exit_code, [&](const std::exception& failure) { tell(failure, arguments); });
}

}  // namespace
}  // namespace linsep::app

int main(int argc, char** argv) {
  linsep::keep_standard_streams();
  linsep::ignore_broken_pipes();  // writing to a closed pipe is then an error, which ends the run quietly
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  linsep::catch_lost_pages(
      linsep::app::wants_json(arguments)
          ? "{\"error\":{\"kind\":\"system\",\"exit_code\":4,"
            "\"message\":\"a page file became shorter, or its disk failed, while it was in use\"}}\n"
          : "linsep: a page file became shorter, or its disk failed, while it was in use\n",
      linsep::app::kSystemFailure);
  return linsep::app::guarded(arguments);
}
