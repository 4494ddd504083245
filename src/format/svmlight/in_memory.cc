// load_text makes a source of svmlight text that is already in memory.
#include <algorithm>
#include <memory>
#include <utility>

#include "data/memory_source.h"
#include "format/labels/labels.h"
#include "format/svmlight/page.h"
#include "format/svmlight/strict.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using svmlight::Rules;

struct Text {
  std::string text, name;
  Rules rules;
};

/// Calls `take(begin, end, line)` for every line that is a row, in order, until it returns false. Lines count from 0.
template <class Take>
void for_each_row_line(const Text& held, Take&& take) {
  const char* p = held.text.data();
  const char* end = p + held.text.size();
  for (std::uint64_t line = 0; p < end; ++line) {
    const char* line_end = std::find(p, end, '\n');
    if (svmlight::is_row(p, line_end, held.rules) && !take(p, line_end, line)) return;
    p = line_end == end ? end : line_end + 1;
  }
}

std::vector<WrittenRow> written_rows(const Text& held, std::span<const std::int64_t> rows) {
  std::vector<WrittenRow> answer;
  std::int64_t row = 0;
  for_each_row_line(held, [&](const char* begin, const char* end, std::uint64_t line) {
    if (answer.size() < rows.size() && row == rows[answer.size()]) {
      answer.push_back(svmlight::written_line<double>(begin, end, line, held.rules));
      answer.back().row = row;
    }
    ++row;
    return answer.size() < rows.size();
  });
  return answer;
}

Place place_in(const Text& held, std::int64_t row) {
  Place place{held.name, 0, 0};
  for_each_row_line(held, [&](const char* /*begin*/, const char* /*end*/, std::uint64_t line) {
    place.line = line + 1;
    return row-- > 0;
  });
  return place;
}

ParsedPage parse(const Text& held, bool double_values) {
  svmlight::ParserScratch scratch(std::size_t{1} << 16);
  const Chunk chunk{held.text, 0};
  try {
    return double_values ? svmlight::parse_scalar<double>(chunk, held.rules, scratch)
                         : svmlight::parse_scalar<float>(chunk, held.rules, scratch);
  } catch (const TextError& error) {
    throw Error(Error::Kind::kInput, Place{held.name, error.line + 1, error.column}, error.options, error.message);
  }
}

}  // namespace

std::unique_ptr<Source> load_text(std::string text, const std::string& name, const ReadOptions& options) {
  const Rules rules{.labelled = options.labelled,
                    .regression = options.regression,
                    .exact = options.exact_values,
                    .missing = MissingLabels(options)};
  auto held = std::make_shared<const Text>(Text{std::move(text), name, rules});
  ParsedPage parsed = parse(*held, options.double_values);
  LabelResolver labels(options, LabelScope::kAll);
  try {
    labels.take(parsed);
  } catch (const LabelError& error) {
    throw Error(place_in(*held, error.row), error.message);
  }
  const std::int64_t rows = parsed.page.batch.rows;
  if (rows == 0 && options.labelled) throw no_rows_error(name, options);
  labels.finish(std::span(&parsed.page, 1), rows, name);
  Schema schema;
  schema.classes = labels.classes();
  schema.reading.format = "svmlight";
  schema.reading.drop_missing_labels = options.labelled && options.drop_missing_labels;
  schema.dropped = parsed.dropped;
  schema.tiny = parsed.tiny;
  std::vector<Page> pages;
  if (rows > 0) pages.push_back(std::move(parsed.page));
  return std::make_unique<MemorySource>(
      std::move(pages), std::move(schema), options.features,
      [held](std::span<const std::int64_t> wanted) { return written_rows(*held, wanted); },
      [held](std::int64_t row) { return place_in(*held, row); });
}

}  // namespace linsep
