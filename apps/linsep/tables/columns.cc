// linsep columns shows what train would make of a table's columns.
#include <fmt/format.h>

#include <memory>

#include "linsep/error.h"
#include "linsep/table/fit.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/table.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

struct ColumnsCommand {
  InputOptions reading;
  TableChoice table;
  bool json = false;

  void declare(CommandOptions& options) {
    table.declare(options);
    reading.declare(options, true);
    options.add("Reports", {{"--json", &json, "Print one JSON object, which --columns accepts."}});
  }

  int run() const {
    if (!table.model.empty()) throw usage_error("columns shows what it infers from DATA: leave out --table");
    ReadOptions options = reading.complete();
    options.many_classes = true;
    TableSpec spec = table.spec();
    // The same as margin, so that a table of numbers is described too.
    if (spec.scale == Scale::kAuto) spec.scale = Scale::kDeviation;
    catch_interrupt();
    options.interrupt = &interrupt_flag();
    tell_if_waiting(reading);
    ProgressBar bar("looking");
    const FittedTable fitted =
        fit_table(reading.paths, options, spec, workers(), [&](const Progress& progress) { bar.observe(progress); });
    bar.wipe();
    if (fitted.account.columns.empty()) {
      throw Error(Place{reading.name(), 0, 0}, "isn't a table: its features have numbers instead of columns");
    }
    if (json) {
      print_json(account_json(fitted.account));
    } else {
      print_words(account_text(fitted.account));
    }
    return kDone;
  }
};

}  // namespace

Verb columns_verb() {
  return {
      "columns", "Show how linsep reads each column of a table, without training.",
      "  linsep columns mail.csv\n"
      "      Numbers, categories, text, dates, the label, and what is left out and why.\n"
      "  linsep columns cards.csv --json > cards.json && linsep train cards.csv --columns cards.json -o cards.model\n"
      "      The columns as a file to edit; training then follows it.\n",
      [](CommandOptions& options) -> std::function<int()> {
        auto command = std::make_shared<ColumnsCommand>();
        command->declare(options);
        return [command] { return command->run(); };
      }};
}

}  // namespace linsep::app
