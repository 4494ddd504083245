#include "format/table/finish.h"

#include <vector>

#include "linsep/error.h"

namespace linsep {
namespace {

void complete_account(const TablePlan& plan, const std::vector<FittedColumn>& fitted,
                      const std::vector<FittedCross>& crosses, const std::string& labels, const TableMap& map,
                      TableAccount& account) {
  account = plan.account;
  account.rows = map.rows;
  account.features = encoder_starts(map).back();
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    ColumnAccount& column = account.columns[plan.place[k]];
    column.detail = fitted[k].detail;
    if (fitted[k].left_out.empty()) continue;
    column.purpose = "left out";
    column.reason = fitted[k].left_out;
  }
  for (ColumnAccount& column : account.columns) {
    if (column.purpose == "label") column.detail = labels;
  }
  for (const FittedCross& cross : crosses) account.columns.push_back({cross.name, "cross", "", cross.detail});
}

}  // namespace

FittedTable finish_fit(const TablePlan& plan, const ReadOptions& options, const TableSpec& spec, TableFitter& fitter,
                       const LabelCounts& label_counts, const std::string& name, Comm& comm) {
  FittedTable result;
  result.map.single = !options.double_values;
  result.map.header = plan.table->header;
  result.map.decimal = plan.table->decimal;
  result.map.missing_words = spec.missing_words;
  std::vector<FittedColumn> fitted;
  fitter.finish(comm, result.map, fitted);
  const std::string labels = label_counts.text(options, comm);
  complete_account(plan, fitted, fitter.crosses(), labels, result.map, result.account);
  if (result.map.empty()) {
    throw Error(Place{name, 0, 0}, "no column is left for features: each was left out or is the label");
  }
  return result;
}

}  // namespace linsep
