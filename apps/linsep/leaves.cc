// linsep leaves writes a data set as the checkers of a proof see it.
#include "linsep/tools/leaves.h"

#include <memory>
#include <string>
#include <variant>

#include "keep_proof.h"
#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "linsep/read.h"
#include "linsep/tools/purpose.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "tables/proof_table.h"
#include "verb.h"

namespace linsep::app {
namespace {

struct LeavesCommand {
  InputOptions reading;
  std::string output, salt, proof_path, table;
  bool row_weights = false;

  void declare(CommandOptions& options) {
    options.add({
        {"-o,--output", &output, "FILE", "Write to this file. [standard output]"},
        {"--salt", &salt, "FILE", "The secret that salts the rows (`certify --salt`)."},
        {"--proof", &proof_path, "PROOF", "Read and encode the rows as this proof says."},
        {"--row-weights", &row_weights,
         "Write the weights of the rows too, as checkers of a proof about a model see them. [as --proof says]"},
        {"--table", &table, "MODEL", "The model or table that encoded the rows, if the proof has only its hash."},
    });
    reading.declare(options, true);
  }

  std::unique_ptr<Source> open_rows(ProofOptions& proof) const {
    ReadOptions options = read_options_for_proof(reading.complete());
    if (!row_weights && (!options.labels.empty() || options.label_sets)) {
      throw usage_error(
          "leaves of several labels are those of proofs about models, which have weights too: add --row-weights");
    }
    options.interrupt = &interrupt_flag();
    proof.weights = row_weights;
    if (!proof_path.empty()) {
      const auto any = load_proof(proof_path);
      const auto* const of_model = std::get_if<OptimalityProof>(&any);
      proof.weights = row_weights || of_model != nullptr;
      const DataDigest& data = of_model != nullptr ? of_model->data : std::get<Certificate>(any).data;
      options = options_as_encoded(data, proof_path, table, std::move(options));
    }
    ProgressBar bar("reading");
    return load(reading.paths, options, *solo(), [&](const Progress& progress) { bar.observe(progress); });
  }

  int run() const {
    if (reading.standard_input()) throw usage_error("leaves needs a file, because it reads the rows more than once");
    if (!table.empty() && proof_path.empty())
      throw usage_error("--table needs --proof, which says how the rows were encoded");
    catch_interrupt();
    ProofOptions proof{reading.limits(0), false, {}};
    proof.secret = salt_secret(salt, false);
    Output file(output);
    const std::unique_ptr<Source> source = open_rows(proof);
    ProgressBar bar("writing leaves");
    const auto write = [&](std::string_view line) {
      file.write(line);
      file.write("\n");
    };
    write_leaves(*source, write, proof, [&](const Progress& progress) { bar.observe(progress); });
    bar.wipe();
    file.close();
    return kDone;
  }
};

}  // namespace

Verb leaves_verb() {
  return {"leaves", "Write the rows as the checkers of a proof see them: one canonical line per row.",
          "  linsep leaves data.csv --label type | checker/verify_certificate.py proof.json -\n"
          "      A proof checked by the script, without trust in linsep's own checker.\n"
          "  linsep leaves data.svm -o leaves.txt\n"
          "      checker/read_rows.py data.svm writes the same lines, without linsep.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<LeavesCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
