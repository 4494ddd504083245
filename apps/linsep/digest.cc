// linsep digest prints the root of a data set, which a proof about it names.
#include <fmt/format.h>

#include <memory>

#include "keep_proof.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/purpose.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/run.h"
#include "tables/table_choice.h"
#include "verb.h"

namespace linsep::app {
namespace {

Json digest_json(const DataDigest& digest, std::int64_t dropped) {
  Json object = {{"root", digest.root}, {"rows", digest.rows}, {"features", digest.features}};
  if (digest.classes.empty()) {
    object["negative"] = digest.negative;
    object["positive"] = digest.positive;
  } else {
    object["classes"] = digest.classes;
  }
  if (digest.reading.format == "csv") {
    object["label"] = digest.reading.label;
    object["left_out"] = digest.reading.left_out;
  }
  object["dropped"] = dropped;
  return object;
}

struct DigestCommand {
  InputOptions reading;
  TableChoice columns;
  std::string salt;
  bool json = false;

  void declare(CommandOptions& options) {
    reading.declare(options, true);
    options.add({
        {"--salt", &salt, "FILE", "The secret that salts the rows (`certify --salt`)."},
        {"--json", &json, "Print one JSON object instead of the root alone."},
    });
    columns.declare(options);
  }

  int run() const {
    if (reading.standard_input()) throw usage_error("digest needs a file, because it reads the rows more than once");
    ProofOptions proof{reading.limits(0)};
    proof.secret = salt_secret(salt, false);
    ReadOptions options = read_options_for_proof(reading.complete());
    catch_interrupt();
    options.interrupt = &interrupt_flag();
    columns.take(reading, columns.spec(true), options, true);
    ProgressBar bar("reading");
    const auto observe = [&](const Progress& progress) { bar.observe(progress); };
    const std::unique_ptr<Source> source = load(reading.paths, options, *solo(), observe);
    const DataDigest digest = digest_rows(*source, proof, observe);
    bar.wipe();
    if (json) {
      print_json(digest_json(digest, source->schema().dropped));
    } else {
      tell(dropped_sentence(source->schema().dropped));
      print(digest.root + "\n");
    }
    return kDone;
  }
};

}  // namespace

Verb digest_verb() {
  return {"digest", "Print the root of a data set: the 64 digits that identify it in a proof.",
          "  linsep digest data.csv --label type\n"
          "      Covers every value, label and name, and which columns were left out.\n"
          "  linsep digest mail.csv\n"
          "      The root of a table covers its rows as `certify` encodes them; use --table MODEL where certify has -m "
          "MODEL.\n"
          "  linsep verify proof.json --root $(linsep digest data.csv --label type)\n"
          "      Checks that a proof is about these data, without handing over the data.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<DigestCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
