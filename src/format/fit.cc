// fit_table and fit_first_rows for files. The first rows are looked at, and then all rows, or only these, are counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bytes/bytes.h"
#include "core/deadline.h"
#include "core/keyed_map.h"
#include "format/arrays/arrays.h"
#include "format/arrow/files.h"
#include "format/csv/columns.h"
#include "format/csv/csv.h"
#include "format/csv/fields.h"
#include "format/csv/misfits.h"
#include "format/load.h"
#include "format/pages/pages.h"
#include "format/shards/share_files.h"
#include "format/table/plan.h"
#include "format/table/tally.h"
#include "linsep/error.h"
#include "linsep/table/first_rows.h"
#include "linsep/table/fit.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

/// Reads until `bytes` bytes are there. Returns true at the end of the input.
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

/// Appends the row at `at` and moves past it. Returns false if it isn't like the first.
bool read_row(Sample& sample, std::string_view text, const char*& at) {
  std::vector<std::string_view> fields;
  try {
    csv::for_each_field(sample.syntax, text, at, [&](const csv::Field& field) {
      fields.push_back(field.doubled ? std::string_view(sample.unquoted.emplace_back(csv::field_text(field)))
                                     : field.text);
    });
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
  sample.has_columns = facts_of(resolved.format).has_columns;
  if (!sample.has_columns) return;
  try {
    csv::refuse_wide_text(sample.text);
  } catch (const TextError& error) {
    throw Error(Place{sample.name, error.line + 1, error.column}, error.message);
  }
  sample.syntax.delimiter = delimiter_of(sample.text, resolved);
  const std::size_t mark = byte_order_mark(sample.text);
  const auto whole = [&] { return csv::whole_rows(sample.syntax, std::string_view(sample.text).substr(mark)); };
  // A row below the first is also needed, because a header of many columns may be longer than the sample.
  const auto has_two_rows = [&] {
    const std::string_view rows = std::string_view(sample.text).substr(mark, whole());
    const std::size_t first = rows.find('\n');
    return first != std::string_view::npos && rows.find('\n', first + 1) != std::string_view::npos;
  };
  while (!ended && !has_two_rows()) ended = read_up_to(input.read, 2 * sample.text.size(), sample.text);
  if (!ended) sample.text.resize(mark + whole());
  sample.whole = ended;
  const std::string_view text = std::string_view(sample.text).substr(mark);
  const char* end = text.data() + text.size();
  for (const char* at = csv::skip_empty_lines(sample.syntax, text, text.data());
       at != end && read_row(sample, text, at);) {
    at = csv::skip_empty_lines(sample.syntax, text, at);
  }
}

namespace {

/// See TableFitter::take.
constexpr int kPlaceBits = 48;

/// Goes through the rows of this worker.
void count_rows(const std::vector<Piece>& pieces, std::span<const std::string> paths, const ReadOptions& options,
                const TablePlan& plan, const Stations& base, const CountRows& take, const Observer& observe) {
  Progress progress;
  progress.phase = Phase::kReading;
  const int file_bits = std::bit_width(paths.size());
  for (const Piece& piece : pieces) {
    const auto file = static_cast<std::uint64_t>(std::ranges::find(paths, piece.path) - paths.begin());
    const std::uint64_t first = file << (kPlaceBits - file_bits);
    const std::uint64_t most = (std::uint64_t{1} << (kPlaceBits - file_bits)) - 1;
    Stations stations = base;
    stations.csv = [&, first, most](std::string_view head, const ReadOptions& reading) {
      return table_format(head, reading, plan.table,
                          [&take, first, most](const TableBatch& rows, std::uint64_t byte, const ParsedPage& page) {
                            take(rows, first + std::min(byte, most), page);
                          });
    };
    PieceReader reader({piece}, options, stations);
    while (const auto read = reader.next()) {
      poll_now();
      progress.rows += read->parsed.page.batch.rows;
      if (observe) observe(progress);
    }
  }
}

/// Checks that a file has no column that the first one lacks, which would be silently left out. Throws TextError.
void require_no_more_columns(const Sample& first, const TablePlan& plan, std::string_view head,
                             const ReadOptions& options, const TableSpec& spec) {
  if (!plan.columns.header || spec.only) return;
  Sample file;
  file.syntax = first.syntax;
  head.remove_prefix(byte_order_mark(head));
  const char* at = csv::skip_empty_lines(file.syntax, head, head.data());
  if (at == head.data() + head.size() || !read_row(file, head, at)) return;
  std::vector<std::string> repeated;
  const std::vector<std::string> fields(file.first.begin(), file.first.end());
  const KeyedSet<std::string> known(plan.columns.names.begin(), plan.columns.names.end());
  for (const std::string& name : csv::unique_names(fields, repeated)) {
    if (known.contains(name) || std::ranges::find(options.ignore, name) != options.ignore.end()) continue;
    throw TextError{
        0, 0,
        csv::without_braces(fmt::format("has a column '{}', but {} has none: give all files the same columns",
                                        shown_text(name), shown_text(first.name)))};
  }
}

/// Goes through all files with all threads and workers.
FittedTable fit_files(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                      const Sample& sample, TablePlan& plan, const Stations& stations, Comm& comm,
                      const Observer& observe) {
  Stations looking = stations;
  looking.csv = [&](std::string_view head, const ReadOptions& reading) {
    TextFormat format =
        table_format(head, reading, plan.table, [](const TableBatch&, std::uint64_t, const ParsedPage&) {});
    require_no_more_columns(sample, plan, head, options, spec);
    return format;
  };
  const std::vector<Piece> pieces = share_files(paths, options, looking, comm);
  return fit_planned(plan, options, spec, plan.whole && paths.size() == 1, files_name(paths), comm,
                     [&](const CountRows& take) { count_rows(pieces, paths, options, plan, stations, take, observe); });
}

using Kind = ColumnKind;

constexpr std::size_t kPadding = 64;  ///< see Chunk

/// Checks that no column needs more than the first rows.
void check_columns(const TablePlan& plan, const TableSpec& spec) {
  std::vector<std::string> exact, weighted;
  for (const PlannedColumn& column : plan.planned) {
    if ((column.kind == Kind::kCategory || column.kind == Kind::kText) && spec.bits == 0) exact.push_back(column.name);
    if (column.kind == Kind::kText && spec.weighting == TableSpec::Weighting::kTfIdf) weighted.push_back(column.name);
  }
  if (!exact.empty()) {
    throw options_error({"bits", "weighting", "table"},
                        fmt::format("column '{}' needs a list of its values first, but these rows are read only once: "
                                    "use {{}} 20 (for text also {{}} tf), or name a fitted model with {{}}",
                                    fmt::join(exact, "', '")));
  }
  if (!weighted.empty()) {
    throw options_error({"weighting", "table"}, fmt::format("the idf of column '{}' needs all rows, but these are read "
                                                            "only once: use {{}} tf, or name a fitted model with {{}}",
                                                            fmt::join(weighted, "', '")));
  }
}

void count_sample(const Sample& sample, const ReadOptions& options, const TablePlan& plan, const CountRows& take) {
  const TextFormat format = table_format(sample.text, options, plan.table, take);
  const std::string padded = std::string(kPadding, '\n') + sample.text + std::string(kPadding, '\n');
  const std::size_t header = format.header_bytes;
  Chunk chunk;
  chunk.text = std::string_view(padded).substr(kPadding + header, sample.text.size() - header);
  chunk.first_byte = header;
  try {
    format.parse(chunk);
  } catch (const TextError& error) {
    throw Error(Error::Kind::kInput, Place{sample.name, format.header_lines + error.line + 1, error.column},
                error.options, shown_text(error.message));
  }
}

}  // namespace

namespace {

FittedTable fit_any_table(std::span<const std::string> given, const ReadOptions& options, const TableSpec& spec,
                          const Stations& stations, Comm& comm, const Observer& observe) {
  // Every worker fits all of Parquet and Arrow files, since these aren't cut into ranges of bytes.
  if (are_array_files(given)) return {};
  if (are_arrow_files(given)) return fit_arrow_files(given, options, spec, observe);
  const std::vector<std::string> paths = text_files(given);
  if (paths.empty() || are_page_files(paths)) return {};
  Sample sample;
  TablePlan plan;
  rethrow_on_all(comm, [&] {
    if (comm.size() == 1) {
      for (const std::string& path : paths) hold_input(path, options);
    }
    read_sample(paths[0], options, sample);
    if (sample.has_columns) plan = plan_table(sample, options, spec);
  });
  FittedTable result;
  if (!sample.has_columns) {
    result.account.file = sample.name;
  } else if (plan.numbers_only) {
    result.account = plan.account;
    result.map.rows = plan.account.looked_at;  // for messages about what follows them
    if (sample.whole && paths.size() == 1) result.account.rows = plan.account.looked_at;
  } else {
    result = fit_files(paths, options, spec, sample, plan, stations, comm, observe);
  }
  for (const std::string& path : paths) release_input(path);
  return result;
}

}  // namespace

FittedTable fit_table_with(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                           const Stations& stations, Comm& comm, const Observer& observe) {
  return interruptible(options.interrupt, [&] { return fit_any_table(paths, options, spec, stations, comm, observe); });
}

FittedTable fit_table(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec, Comm& comm,
                      const Observer& observe) {
  return fit_table_with(paths, options, spec, {}, comm, observe);
}

FittedTable fit_first_rows(std::span<const std::string> given, const ReadOptions& options, const TableSpec& spec) {
  if (are_array_files(given)) return {};
  if (are_arrow_files(given)) throw usage_error("Parquet and Arrow files can be read again: fit them to all rows");
  const std::vector<std::string> paths = text_files(given);
  if (paths.empty() || are_page_files(paths)) return {};
  if (!is_standard_input(paths[0]) && !can_be_opened_again(paths[0])) {
    throw usage_error(fmt::format("{} can be read only once: give a file, or standard input", paths[0]));
  }
  TableSpec once = spec;
  if (once.scale == Scale::kAuto) once.scale = Scale::kNone;
  if (once.scale != Scale::kNone) {
    throw options_error({"scale"}, "scaling needs all rows, but these are read only once: leave out {}");
  }
  once.min_count = 1;
  hold_beginning(paths[0]);
  Sample sample;
  interruptible(options.interrupt, [&] { read_sample(paths[0], options, sample); });
  if (!sample.has_columns) return {};
  TablePlan plan = plan_table(sample, options, once);
  FittedTable result;
  if (plan.numbers_only) {
    result.account = plan.account;
    return result;
  }
  check_columns(plan, once);
  return fit_planned(plan, options, once, true, sample.name, *solo(),
                     [&](const CountRows& take) { count_sample(sample, options, plan, take); });
}

}  // namespace linsep
