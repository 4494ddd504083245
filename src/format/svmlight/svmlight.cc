#include "format/svmlight/svmlight.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "format/svmlight/page.h"
#include "format/svmlight/strict.h"
#include "format/text/pool.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using svmlight::ParserScratch;
using svmlight::Rules;

template <class V>
using Parse = ParsedPage (*)(const Chunk&, const Rules&, ParserScratch&);

struct Version {
  std::string_view name;
  bool (*runs_here)();
  Parse<float> parse_float;
  Parse<double> parse_double;
};

constexpr Version kVersions[] = {
    {"avx512", svmlight::has_avx512, svmlight::parse_avx512<float>, svmlight::parse_avx512<double>},
    {"avx2", svmlight::has_avx2, svmlight::parse_avx2<float>, svmlight::parse_avx2<double>},
    {"scalar", [] { return true; }, svmlight::parse_scalar<float>, svmlight::parse_scalar<double>},
};

std::atomic<const Version*> chosen_version = nullptr;

const Version& version_to_use() {
  if (const Version* chosen = chosen_version.load()) return *chosen;
  for (const Version& version : kVersions) {
    if (version.runs_here()) return version;
  }
  return kVersions[2];
}

std::size_t whole_rows(std::string_view text) { return text.rfind('\n') + 1; }  // npos + 1 is 0

template <class V>
std::vector<WrittenRow> written(const Chunk& chunk, const std::vector<std::int64_t>& rows, const Rules& rules) {
  std::vector<WrittenRow> answer;
  std::string_view rest = chunk.text;
  std::int64_t row = 0;
  for (std::uint64_t line = 0; !rest.empty() && answer.size() < rows.size(); ++line) {
    const std::size_t size = std::min(rest.find('\n'), rest.size());
    const char* const begin = rest.data();
    rest.remove_prefix(std::min(size + 1, rest.size()));
    if (!svmlight::is_row(begin, begin + size, rules)) continue;
    if (row == rows[answer.size()]) {
      answer.push_back(svmlight::written_line<V>(begin, begin + size, line, rules));
      answer.back().row = row;
    }
    ++row;
  }
  return answer;
}

template <class V>
TextFormat make_format(Parse<V> parse, const Rules& rules, std::size_t largest_block) {
  TextFormat format;
  format.whole_rows = whole_rows;
  format.parse = [parse, rules, largest_block, pool = std::make_shared<Pool<ParserScratch>>()](const Chunk& chunk) {
    auto scratch = pool->take();
    if (!scratch) scratch = std::make_unique<ParserScratch>(largest_block);
    ParsedPage page = parse(chunk, rules, *scratch);
    pool->give(std::move(scratch));
    return page;
  };
  format.written = [rules](const Chunk& chunk, const std::vector<std::int64_t>& rows) {
    return written<V>(chunk, rows, rules);
  };
  return format;
}

/// Refuses options that only CSV has. Without any text yet, nothing can be refused.
void refuse_csv_options(std::string_view first_bytes, const ReadOptions& options) {
  if (first_bytes.empty()) return;
  const auto refuse = [](const char* name) {
    throw option_error(name, "{} is for CSV and TSV, but these rows are svmlight: leave it out");
  };
  if (!options.label.empty()) refuse("label");
  if (!options.id.empty()) refuse("id");
  if (!options.weight.empty()) refuse("weight");
  if (!options.ignore.empty()) refuse("ignore");
  if (options.delimiter != 0) refuse("delimiter");
  if (options.header) refuse(*options.header ? "header" : "no-header");
}

}  // namespace

TextFormat svmlight_format(std::string_view first_bytes, const ReadOptions& options, std::size_t largest_block) {
  if (options.labelled && !options.labels.empty()) throw usage_error("several label columns need CSV or TSV");
  refuse_csv_options(first_bytes, options);
  const Rules rules{.labelled = options.labelled,
                    .regression = options.regression,
                    .exact = options.exact_values,
                    .missing = MissingLabels(options)};
  const Version& version = version_to_use();
  TextFormat format = options.double_values ? make_format<double>(version.parse_double, rules, largest_block)
                                            : make_format<float>(version.parse_float, rules, largest_block);
  format.reading.format = "svmlight";
  if (first_bytes.starts_with("\xef\xbb\xbf")) format.header_bytes = 3;
  return format;
}

std::vector<std::string_view> svmlight_versions() {
  std::vector<std::string_view> names;
  for (const Version& version : kVersions) {
    if (version.runs_here()) names.push_back(version.name);
  }
  return names;
}

void use_svmlight_version(std::string_view name) {
  if (name.empty()) {
    chosen_version = nullptr;
    return;
  }
  for (const Version& version : kVersions) {
    if (version.name != name || !version.runs_here()) continue;
    chosen_version = &version;
    return;
  }
  throw usage_error(fmt::format("this processor can't run the svmlight version '{}'", name));
}

}  // namespace linsep
