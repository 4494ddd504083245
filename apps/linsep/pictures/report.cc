// linsep report makes one HTML file of rows, models, a run and a proof.
#include <fmt/format.h>

#include <memory>

#include "linsep/error.h"
#include "linsep/picture/page.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "output.h"
#include "pictures/command.h"
#include "pictures/inputs.h"
#include "verb.h"

namespace linsep::app {
namespace {

struct ReportCommand {
  PictureInputs inputs;
  std::string output;
  bool data = false;
  const CommandOptions* given = nullptr;

  void declare(CommandOptions& options) {
    given = &options;
    options.add({
        {"-o,--output", &output, "FILE", "Write the report to this file."},
        {"--data", &data, "Write the report's data as JSON instead of HTML. [to standard output]"},
    });
    inputs.declare(options);
  }

  int run() const {
    if (output.empty() && !data) throw usage_error("-o FILE is missing: where should the report be written?");
    try_outputs({output});
    const Picture picture = inputs.make(command_given(*given, "report"));
    Output file(output);
    file.write(data ? picture_to_json(picture) + "\n" : report_page(picture));
    file.close();
    if (!file.standard()) {
      print_words(fmt::format("{} written to {}.\n", data ? "Document" : "Report", shown_text(output)));
    }
    return kDone;
  }
};

}  // namespace

Verb report_verb() {
  return {"report", "Write a report of rows, models, a run and a proof as one self-contained HTML file.",
          "  linsep report and.svm -m and.json --log run.jsonl --proof proof.json -o report.html\n"
          "      Everything about a run; the inputs decide the sections.\n"
          "  linsep report test.svm -m basic.json -m margin.json -o comparison.html\n"
          "      Two models on the same rows.\n"
          "  linsep report secret.csv -m model.json --no-rows -o report.html\n"
          "      Counts only, nothing about individual rows.\n"
          "  linsep report and.svm -m and.json --data\n"
          "      The report's data as JSON.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<ReportCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
