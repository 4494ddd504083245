// linsep verify: checks a proof that `linsep certify` wrote, exactly.
#include <fmt/format.h>

#include <memory>

#include "keep_proof.h"
#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/shown_text.h"
#include "output.h"
#include "reading.h"
#include "report/bar.h"
#include "report/certify.h"
#include "report/words.h"
#include "tables/proof_table.h"
#include "verb.h"

namespace linsep::app {
namespace {

std::string subject(const Certificate& certificate) {
  const DataDigest& data = certificate.data;
  std::string text = fmt::format("{} × {}", counted(data.rows, "row"), counted(data.features, "feature"));
  if (data.classes.empty()) {
    text += fmt::format(", classes {} and {} (positive)", shown_text(data.negative), shown_text(data.positive));
  } else if (data.positive.empty()) {
    text += fmt::format(", {} classes", data.classes.size());
  } else {
    text += fmt::format(", class {} against the other {}", shown_text(data.positive), data.classes.size() - 1);
  }
  if (certificate.map.kind != FeatureMap::Kind::kNone) {
    text += fmt::format(", through the map {}", map_text(certificate.map));
  }
  return text + (certificate.origin ? ", for classifiers through the origin" : "");
}

std::string verify_words(const std::string& path, const Certificate& certificate, const CheckResult& result,
                         const std::string& data) {
  const std::string proof = shown_text(path);
  const std::string reason = shown_text(result.reason);
  std::string text;
  if (result.valid) {
    text = fmt::format("{}: valid. {}: {}.\n", proof, subject(certificate), reason);
  } else if (result.needs_data) {
    text = fmt::format("{}: not proven yet: {}.\nGive the rows too: `linsep verify {} DATA`.\n", proof, reason, proof);
  } else {
    text = fmt::format("{}: not valid: {}.\n", proof, reason);
  }
  if (!result.valid && !result.needs_data) return text;
  if (!result.proven.empty()) text += "Checked exactly:\n";
  for (const std::string& fact : result.proven) text += fmt::format("  {}\n", shown_text(fact));
  if (!result.valid) return text;
  text += fmt::format("That holds for any data with the root {}", shown_text(certificate.data.root));
  if (data.empty()) {
    text += fmt::format(".\nThe proof carries the rows it needs. That the root is a file's: `linsep verify {} DATA`.\n",
                        proof);
  } else {
    text += fmt::format(", which is that of {}.\n", shown_text(data));
  }
  return text;
}

struct VerifyCommand {
  Reading reading;
  std::string proof, root, salt, table;
  bool json = false;

  void declare(CLI::App& app) {
    app.add_option("PROOF", proof, "A proof that `linsep certify -o` wrote.");
    reading.declare(app, true);
    app.get_option("DATA")->description("The file it is about, read as it was by `linsep certify`; some need none.");
    app.add_option("--root", root,
                   "The root that the data must have, as `linsep digest` prints it: 64 hexadecimal digits.")
        ->type_name("HEX");
    app.add_option("--salt", salt, "The secret that salted the rows (`certify --salt`); with DATA.")->type_name("FILE");
    app.add_option("--table", table, "The model or table that encoded the rows, where the proof has only its hash.")
        ->type_name("MODEL");
    app.add_flag("--json", json, "Print one JSON object instead of words.");
  }

  CheckResult check(const Certificate& certificate, Source* source) const {
    if (source == nullptr) return verify_certificate(certificate, nullptr);
    ProofOptions options{reading.limits(0)};
    options.secret = salt_secret(salt, false);
    ProgressBar bar("checking");
    return verify_certificate(certificate, source, options, [&](const Progress& progress) { bar.observe(progress); });
  }

  int run() const {
    if (proof.empty()) throw usage_error("PROOF is missing: which proof should be checked?");
    if (reading.standard_input())
      throw usage_error("a proof is about a file that can be read again: standard input can't");
    if (!root.empty() && !is_hash(root))
      throw usage_error("--root takes 64 hexadecimal digits, as `linsep digest` prints them");
    if (!salt.empty() && reading.paths.empty()) throw usage_error("--salt goes with DATA");
    const Certificate certificate = load_certificate(proof);
    std::unique_ptr<Source> source;
    if (!reading.paths.empty()) {
      ReadOptions options = reading.complete();
      options.double_values = true;
      options.exact_values = true;
      options.drop_missing_labels = options.drop_missing_labels || certificate.data.reading.drop_missing_labels;
      options.many_classes = !certificate.data.classes.empty();
      take_proof_table(certificate.data, proof, table, options);
      ProgressBar bar("reading");
      source = load(reading.paths, options, *solo(), [&](const Progress& progress) { bar.observe(progress); });
    }
    CheckResult result = check(certificate, source.get());
    if (!root.empty() && root != certificate.data.root) {
      result = {false, false, "its root is " + certificate.data.root + ", not the one that was given", {}};
    }
    if (json) {
      print_json(verify_json(certificate, result, reading.name()));
    } else {
      print(verify_words(proof, certificate, result, reading.name()));
    }
    return result.valid ? kDone : kCheckFailed;
  }
};

}  // namespace

Verb verify_verb() {
  return {"verify", "Check a proof that `linsep certify` wrote, exactly.",
          "  linsep verify proof.json\n"
          "      A proof that rows can't be separated often carries all it needs.\n"
          "  linsep verify proof.json data.csv --label type\n"
          "      Against the data; ends with 0 where the proof is valid, else with 1.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto command = std::make_shared<VerifyCommand>();
            command->declare(app);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
