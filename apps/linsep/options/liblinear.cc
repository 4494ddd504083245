#include "options/liblinear.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "os/file.h"
#include "reading.h"

namespace linsep::app {
namespace {

/// The training problem of -s N, in our options. If there is no exact counterpart yet, `instead` introduces what comes
/// near.
struct SolverType {
  std::string_view number, options, instead;
};
constexpr std::string_view kRegression = "there is no support vector regression; the closest is ";
constexpr std::array kTypes = {
    SolverType{"0", "--loss logistic", ""},
    SolverType{"1", "--loss squared-hinge", ""},
    SolverType{"2", "--loss squared-hinge", ""},
    SolverType{"3", "--loss hinge", ""},
    SolverType{"4", "--loss softmax", "Crammer and Singer's loss isn't supported; the closest joint loss is "},
    SolverType{"5", "--penalty l1 --loss squared-hinge", ""},
    SolverType{"6", "--penalty l1 --loss logistic", ""},
    SolverType{"7", "--loss logistic", ""},
    SolverType{"11", "--learner regression", kRegression},
    SolverType{"12", "--learner regression", kRegression},
    SolverType{"13", "--learner regression", kRegression},
};

struct Translation {
  std::vector<std::string> given, options, notes;
  std::vector<std::string> files, weights;
  bool offset = false, mixed = false;  ///< mixed: linsep's own options stand next to them
};

void translate_type(const std::string& number, Translation& found) {
  for (const SolverType& type : kTypes) {
    if (type.number != number) continue;
    found.options.emplace_back(type.options);
    if (!type.instead.empty()) found.notes.push_back(fmt::format("{}{}", type.instead, type.options));
    return;
  }
  found.notes.push_back(fmt::format("-s {} has no equivalent", number));
}

/// One option of LIBLINEAR's with its value. Returns false if `letter` isn't one of its options.
bool translate_option(char letter, const std::string& rest, const std::string& value, Translation& found) {
  switch (letter) {
    case 's':
      translate_type(value, found);
      return true;
    case 'c':
      found.options.push_back("--C " + value);
      return true;
    case 'B':
      found.offset = !value.starts_with('-');
      return true;
    case 'e':
      found.notes.push_back("instead of -e, use --gap: how far from the optimum the objective may be (0.001)");
      return true;
    case 'w':
      found.weights.push_back(fmt::format("{}={}", rest, value));
      return true;
    case 'v':
      found.options.push_back("--cv " + value);
      return true;
    case 'p':
      return true;
    default:
      return false;
  }
}

/// Options without a value.
bool translate_flag(const std::string& word, Translation& found) {
  if (word == "-C") found.options.emplace_back("--cv 5");
  if (word == "-q") found.options.emplace_back("--quiet");
  return word == "-C" || word == "-q" || word == "-R";
}

/// All of them, as linsep's, or "" if none has a counterpart.
std::string translated_options(const Translation& found) {
  std::vector<std::string> all = found.options;
  if (!found.weights.empty()) all.push_back(fmt::format("--class-weight {}", fmt::join(found.weights, ",")));
  return fmt::format("{}", fmt::join(all, " "));
}

/// REQUIRES: some option was found.
std::string sentence(const Translation& found) {
  std::string text =
      fmt::format("{} {} LIBLINEAR's", fmt::join(found.given, " "), found.given.size() == 1 ? "is" : "are");
  const std::string options = translated_options(found);
  if (found.mixed) {
    if (!options.empty()) text += ". Here it is: " + options;
    if (found.offset) text += "; there is an intercept unless you use --origin";
  } else {
    text += fmt::format(". In linsep: linsep train {}{}{}{} -o {}",
                        found.files.empty() ? "DATA" : quoted(found.files.front()), options.empty() ? "" : " ", options,
                        found.offset ? "" : " --origin", found.files.size() < 2 ? "MODEL" : quoted(found.files[1]));
    if (!found.offset) text += " (without --origin there is an intercept, which isn't penalized)";
  }
  for (const std::string& note : found.notes) text += "; " + note;
  return text;
}

}  // namespace

std::optional<std::string> translate_liblinear(const std::vector<std::string>& arguments) {
  Translation found;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& word = arguments[k];
    if (word.starts_with("--")) {
      if (word.size() > 2) found.mixed = true;
      continue;
    }
    if (word.size() < 2 || word.front() != '-') {
      found.files.push_back(word);
      continue;
    }
    const bool has_value = k + 1 < arguments.size();
    if (translate_flag(word, found)) {
      found.given.push_back(word);
    } else if (has_value && (word.size() == 2 || word[1] == 'w') &&
               translate_option(word[1], word.substr(2), arguments[k + 1], found)) {
      found.given.push_back(word + " " + arguments[++k]);
    } else if (word == "-o" && has_value) {
      ++k;
    } else {
      return std::nullopt;
    }
  }
  if (found.given.empty()) return std::nullopt;
  return sentence(found);
}

std::optional<std::string> translate_liblinear_files(const std::vector<std::string>& files) {
  if (files.size() != 2 || files[1] == "-" || reading_error(files[0]) != 0) return std::nullopt;
  const auto ending = [&](std::size_t file) { return std::filesystem::path(files[file]).extension(); };
  const bool missing = !file_status(files[1]) && ending(0) != ending(1);
  if (!missing && ending(1) != ".model") return std::nullopt;
  return fmt::format(
      "{1} isn't a file of rows. To write the model there: linsep train {0} -o {1}; with LIBLINEAR's defaults: linsep "
      "train {0} --loss squared-hinge --origin -o {1}",
      quoted(files[0]), quoted(files[1]));
}

}  // namespace linsep::app
