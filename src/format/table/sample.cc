#include "format/table/sample.h"

#include <algorithm>
#include <span>

#include "format/csv/csv.h"
#include "format/csv/delimiter.h"
#include "format/text/bytes.h"
#include "format/text/input.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// Reads until `bytes` are there; true at the end of the input.
bool read_up_to(const ReadBytes& read, std::size_t bytes, std::string& text) {
  while (text.size() < bytes) {
    const std::size_t size = text.size();
    text.resize(bytes);
    const std::size_t got = read(std::span(text).subspan(size));
    text.resize(size + got);
    if (got == 0) return true;
  }
  return false;
}

/// Appends the row at `at` and moves behind it; false where it isn't like the first.
bool read_row(Sample& sample, std::string_view text, const char*& at) {
  const char* end = text.data() + text.size();
  std::vector<std::string_view> fields;
  try {
    for (bool ends = false; !ends;) {
      const csv::Field field = csv::read_field(sample.syntax, text, at);
      fields.push_back(field.doubled ? std::string_view(sample.unquoted.emplace_back(csv::field_text(field)))
                                     : field.text);
      ends = field.end == end || *field.end == '\n';
      at = field.end == end ? end : field.end + 1;
    }
  } catch (const TextError&) {
    return false;
  }
  if (sample.first.empty()) {
    sample.columns.resize(fields.size());
    sample.first = std::move(fields);
    return true;
  }
  if (fields.size() != sample.first.size()) return false;
  for (std::size_t c = 0; c < fields.size(); ++c) sample.columns[c].push_back(fields[c]);
  return true;
}

}  // namespace

void read_sample(const std::string& path, const ReadOptions& options, Sample& sample) {
  const ByteInput input = open_bytes(path, options.interrupt);
  sample.name = input.name;
  bool ended = read_up_to(input.read, kSampleBytes, sample.text);
  ReadOptions resolved = options;
  if (resolved.format == ReadOptions::Format::kAuto) resolved.format = guess_format(path, sample.text);
  sample.format = resolved.format;
  if (sample.format == ReadOptions::Format::kSvmlight) return;
  try {
    csv::refuse_wide_text(sample.text);
  } catch (const TextError& error) {
    throw Error(Place{sample.name, error.line + 1, error.column}, error.message);
  }
  sample.syntax.delimiter = delimiter_of(sample.text, resolved);
  const std::size_t mark = byte_order_mark(sample.text);
  const auto whole = [&] { return csv::whole_rows(sample.syntax, std::string_view(sample.text).substr(mark)); };
  while (!ended && whole() == 0) ended = read_up_to(input.read, 2 * sample.text.size(), sample.text);
  if (!ended) sample.text.resize(mark + whole());
  sample.whole = ended;
  const std::string_view text = std::string_view(sample.text).substr(mark);
  const char* end = text.data() + text.size();
  for (const char* at = csv::skip_empty_lines(sample.syntax, text, text.data());
       at != end && read_row(sample, text, at);) {
    at = csv::skip_empty_lines(sample.syntax, text, at);
  }
}

}  // namespace linsep
