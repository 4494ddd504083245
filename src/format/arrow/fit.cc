// fit_table of an Arrow table: planned as CSV is, from the names and the first rows, and counted by all threads.
#include <memory>
#include <utility>

#include "format/arrow/go_through.h"
#include "format/arrow/rows.h"
#include "format/arrow/sample.h"
#include "format/table/finish.h"
#include "format/table/label_counts.h"
#include "format/table/plan.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"
#include "table/fitter.h"

namespace linsep {
namespace {

struct Tally {
  Tally(const TableSpec& spec, const std::vector<PlannedColumn>& columns) : fitter(spec, columns) {}

  TableFitter fitter;
  LabelCounts labels;
};

/// What one thread works with and counts.
struct Desk {
  Desk(const ArrowTable::Batches& batches, const csv::Layout& layout, const TableSpec& spec,
       const std::vector<PlannedColumn>& columns)
      : reader(batches, layout), tally(spec, columns) {}

  arrow::RowReader reader;
  Tally tally;
};

void count_rows(const ArrowTable::Batches& batches, const ReadOptions& options, const TableSpec& spec,
                const TablePlan& plan, Tally& all) {
  const csv::Layout layout = arrow::layout_of(batches, options, plan.table);
  const std::vector<arrow::Slice> slices = arrow::slices_of(batches, arrow::kSliceRows);
  std::vector<std::unique_ptr<Desk>> desks(static_cast<std::size_t>(thread_count(options.threads)));
  arrow::go_through(slices.size(), options, [&](std::size_t slice, std::size_t worker) {
    std::unique_ptr<Desk>& own = desks[worker];
    if (!own) own = std::make_unique<Desk>(batches, layout, spec, plan.planned);
    const TableBatch& rows = own->reader.read(slices[slice]);
    own->tally.fitter.take(rows, static_cast<std::uint64_t>(slices[slice].first_row));
    own->tally.labels.take(own->reader.page());
  });
  for (const std::unique_ptr<Desk>& own : desks) {
    if (!own) continue;
    all.fitter.merge(own->tally.fitter);
    all.labels.merge(own->tally.labels);
  }
}

}  // namespace

FittedTable fit_table(const ArrowTable& table, const ReadOptions& options, const TableSpec& spec,
                      const Observer& observe) {
  const ArrowTable::Batches& batches = *table.batches();
  Sample sample;
  arrow::read_sample(batches, sample);
  ReadOptions named = options;
  named.header = true;
  const TablePlan plan = plan_table(sample, named, spec);
  FittedTable result;
  if (plan.numbers_only) {
    result.account = plan.account;
    result.account.rows = batches.rows;
    result.map.rows = plan.account.looked_at;  // as of CSV
    return result;
  }
  TableSpec resolved = spec;
  if (resolved.scale == Scale::kAuto) resolved.scale = Scale::kNone;
  Tally all(resolved, plan.planned);
  count_rows(batches, named, resolved, plan, all);
  const std::unique_ptr<Comm> alone = solo();
  result = finish_fit(plan, options, spec, all.fitter, all.labels, batches.name, *alone);
  if (observe) {
    Progress progress;
    progress.phase = Phase::kReading;
    progress.rows = batches.rows;
    observe(progress);
  }
  return result;
}

}  // namespace linsep
