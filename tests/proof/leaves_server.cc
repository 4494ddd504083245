// The program's reader of text for tests/proof: one question a line on standard input, {"path": …, options}. An answer
// is its length in bytes, a newline, and the lines of the leaves file; or a length of -1, a newline, and why in one
// line.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/leaves.h"

namespace {

using Json = nlohmann::json;

linsep::ReadOptions options_of(const Json& question) {
  linsep::ReadOptions options;
  options.format = linsep::format_named(question.value("format", "auto"));
  options.double_values = true;
  options.many_classes = true;
  options.exact_values = true;
  options.threads = 1;
  options.label = question.value("label", "");
  options.id = question.value("id", "");
  options.weight = question.value("weight", "");
  options.positive = question.value("positive", "");
  const std::string delimiter = question.value("delimiter", "");
  options.delimiter = delimiter.empty() ? '\0' : delimiter.front();
  options.ignore = question.value("ignore", std::vector<std::string>());
  options.classes = question.value("classes", std::vector<std::string>());
  options.drop_missing_labels = question.value("missing_label", "") == "drop";
  if (question.contains("header")) options.header = question.at("header").get<bool>();
  return options;
}

std::string leaves_of(const Json& question) {
  std::string lines;
  const auto source = linsep::load(question.at("path").get<std::string>(), options_of(question));
  linsep::ProofOptions options;
  options.threads = 1;
  linsep::write_leaves(*source, [&](std::string_view line) { (lines += line) += '\n'; }, options);
  return lines;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const std::string lines = leaves_of(Json::parse(line));
      std::cout << lines.size() << '\n' << lines << std::flush;
    } catch (const linsep::Error& error) {
      std::string why = error.what();
      std::replace(why.begin(), why.end(), '\n', ' ');
      std::cout << -1 << '\n' << why << std::endl;
    }
  }
}
