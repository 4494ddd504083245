#include "linsep/tools/other_reading.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "linsep/error.h"
#include "linsep/table/map.h"
#include "proof/data_json.h"

namespace linsep {
namespace {

std::string quoted_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k) text += (k == 0 ? "'" : ", '") + names[k] + "'";
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

std::vector<std::string> without(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  std::ranges::copy_if(names, std::back_inserter(rest),
                       [&](const std::string& name) { return std::ranges::find(others, name) == others.end(); });
  return rest;
}

/// How the certificate's rows were read differently from the data set's, or "" if they weren't.
std::string reading_difference(const Reading& said, const Reading& own) {
  const auto format = [](const Reading& reading) { return reading.format.empty() ? "arrays" : reading.format; };
  if (said.format != own.format) return "as " + format(said) + ", not " + format(own);
  if (said.label != own.label) return "the label is column '" + said.label + "', not '" + own.label + "'";
  if (const auto left = without(said.left_out, own.left_out); !left.empty()) {
    return "it leaves out the column" + std::string(left.size() == 1 ? " " : "s ") + quoted_names(left);
  }
  if (const auto used = without(own.left_out, said.left_out); !used.empty()) {
    return "it uses the column" + std::string(used.size() == 1 ? " " : "s ") + quoted_names(used);
  }
  if (said.drop_missing_labels != own.drop_missing_labels) {
    return said.drop_missing_labels ? "rows without a label were left out" : "rows without a label weren't left out";
  }
  return said == own ? "" : "with another delimiter or header";
}

/// Which columns are encoded differently, if the certificate has its table in full.
std::string table_difference(const std::string& said, const Schema& schema) {
  TableMap theirs, ours;
  try {
    if (schema.table && !schema.table->empty()) ours = table_from_json(table_to_json(*schema.table), "");
    if (!said.empty() && !said.starts_with("sha256:")) theirs = table_from_json(said, "");
  } catch (const Error&) {
    return "";
  }
  std::vector<std::string> names;
  for (const Encoder& encoder : theirs.encoders) {
    const bool alike = std::ranges::find(ours.encoders, encoder) != ours.encoders.end();
    if (!alike && std::ranges::find(names, encoder.column) == names.end()) names.push_back(encoder.column);
  }
  return names.empty() ? "" : ": " + quoted_names(names);
}

}  // namespace

std::string other_reading(const Certificate& certificate, const Schema& schema) {
  const DataDigest& said = certificate.data;
  const std::vector<std::string>& classes = schema.classes;
  if (said.classes.empty() && classes.size() == 2 && said.negative == classes[1] && said.positive == classes[0]) {
    return "its positive class is '" + said.positive + "', not '" + classes[1] + "'";
  }
  if (certificate.version < 2) return "";
  if (!schema.reading.format.empty()) {  // else the rows come from no text
    const std::string difference = reading_difference(said.reading, schema.reading);
    if (!difference.empty()) return "its rows were read in another way: " + difference;
  }
  if (table_text(schema) == said.table) return "";
  return "its columns were encoded in another way" + table_difference(said.table, schema) +
         " (--table MODEL encodes them as in training)";
}

bool arrays_for_text(const Certificate& certificate, const Schema& schema) {
  return certificate.version >= 2 && certificate.data.reading.format.empty() && !schema.reading.format.empty();
}

}  // namespace linsep
