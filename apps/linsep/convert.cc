// linsep convert turns texts into a page file.
#include <fmt/format.h>

#include <memory>

#include "clock.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/words.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

struct ConvertCommand {
  InputOptions reading;
  TableChoice columns;
  std::string output;
  bool json = false, quiet = false;

  void declare(CommandOptions& options) {
    options.add({{"-o,--output", &output, "FILE", "The page file to write."}});
    columns.declare(options);
    reading.declare(options, true);
    options.add("Reports", {{"--json", &json, "Print one JSON object instead of words."},
                            {"--quiet", &quiet, "Print nothing but errors."}});
  }

  int run() const {
    if (output.empty()) throw usage_error("-o FILE is missing: where should the pages be written?");
    try_outputs({output});
    ReadOptions options = reading.complete();
    if (options.cache) throw usage_error("--cache is for the other commands: convert writes to -o FILE");
    options.many_classes = true;
    if (workers().size() > 1) {
      throw usage_error("convert needs a single worker; with several, --cache writes the pages of each");
    }
    catch_interrupt();
    const double began = now();
    options.interrupt = &interrupt_flag();
    TableSpec spec = columns.spec();
    if (spec.scale == Scale::kAuto) spec.scale = Scale::kNone;
    columns.take(reading, spec, options, quiet || json);
    ProgressBar bar("converting");
    const Conversion made =
        convert(reading.paths, output, options, [&](const Progress& progress) { bar.observe(progress); });
    bar.wipe();
    const double seconds = now() - began;
    if (json) {
      print_json({{"rows", made.shape.rows},
                  {"features", made.shape.features},
                  {"nonzeros", made.shape.nonzeros},
                  {"pages", made.pages},
                  {"bytes", made.bytes},
                  {"seconds", seconds},
                  {"output", output}});
    } else if (!quiet) {
      print_words(fmt::format("{}: {} × {} in {}, {} bytes.\n", shown_text(output), counted(made.shape.rows, "row"),
                              counted(made.shape.features, "feature"),
                              counted(static_cast<std::int64_t>(made.pages), "page"), with_commas(made.bytes)));
    }
    return kDone;
  }
};

}  // namespace

Verb convert_verb() {
  return {"convert", "Write rows as a page file, which needs no parsing and may be larger than memory.",
          "  linsep convert big.svm -o big.lsp\n"
          "      Every command takes big.lsp in place of big.svm.\n"
          "  linsep convert monday.svm.gz tuesday.svm -o both.lsp\n"
          "      The rows of both files, one after the other.\n"
          "  linsep convert big.csv --label type --double -o big.lsp\n"
          "      Values as 64-bit numbers, which certify needs.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<ConvertCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
