#include "linsep/table/first_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>
#include <vector>

#include "format/arrow/files.h"
#include "format/csv/csv.h"
#include "format/pages/pages.h"
#include "format/table/finish.h"
#include "format/table/label_counts.h"
#include "format/table/plan.h"
#include "format/text/bytes.h"
#include "format/text/held.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "table/fitter.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

constexpr std::size_t kPadding = 64;  ///< see Chunk

/// That no column needs more than the first rows.
void check_columns(const TablePlan& plan, const TableSpec& spec) {
  std::vector<std::string> exact, weighted;
  for (const PlannedColumn& column : plan.planned) {
    if ((column.kind == Kind::kCategory || column.kind == Kind::kText) && spec.bits == 0) exact.push_back(column.name);
    if (column.kind == Kind::kText && spec.weighting == TableSpec::Weighting::kTfIdf) weighted.push_back(column.name);
  }
  if (!exact.empty()) {
    throw options_error({"bits", "weighting", "table"},
                        fmt::format("rows that are read once can't be listed by value first (column '{}'): say {{}} 20 "
                                    "(with text also {{}} tf), or name a model that has been fitted by {{}}",
                                    fmt::join(exact, "', '")));
  }
  if (!weighted.empty()) {
    throw options_error({"weighting", "table"},
                        fmt::format("the idf of column '{}' is that of all rows, and they are read once: say {{}} tf, "
                                    "or name a model that has been fitted by {{}}",
                                    fmt::join(weighted, "', '")));
  }
}

void count_sample(const Sample& sample, const ReadOptions& options, const TablePlan& plan, TableFitter& fitter,
                  LabelCounts& labels) {
  const TextFormat format = table_format(sample.text, options, plan.table,
                                         [&](const TableBatch& rows, std::uint64_t first_byte, const ParsedPage& page) {
                                           fitter.take(rows, first_byte);
                                           labels.take(page);
                                         });
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

FittedTable fit_first_rows(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec) {
  if (paths.empty() || are_page_files(paths)) return {};
  if (are_arrow_files(paths)) throw usage_error("Parquet and Arrow files can be read again: fit them to all rows");
  if (!is_standard_input(paths[0]) && !can_be_opened_again(paths[0])) {
    throw usage_error(fmt::format("{} can be read only once: give a file, or standard input", paths[0]));
  }
  TableSpec once = spec;
  if (once.scale == Scale::kAuto) once.scale = Scale::kNone;
  if (once.scale != Scale::kNone) {
    throw options_error({"scale"}, "rows that are read once can't be scaled by all of them: leave out {}");
  }
  once.min_count = 1;
  hold_beginning(paths[0]);
  Sample sample;
  read_sample(paths[0], options, sample);
  if (sample.format == ReadOptions::Format::kSvmlight) return {};
  const TablePlan plan = plan_table(sample, options, once);
  FittedTable result;
  if (plan.numbers_only) {
    result.account = plan.account;
    return result;
  }
  check_columns(plan, once);
  TableFitter fitter(once, plan.planned);
  LabelCounts labels;
  count_sample(sample, options, plan, fitter, labels);
  return finish_fit(plan, options, once, fitter, labels, sample.name, *solo());
}

}  // namespace linsep
