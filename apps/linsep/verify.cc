// linsep verify: checks a proof that `linsep certify` wrote, exactly.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <variant>

#include "keep_proof.h"
#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/other_reading.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "model_proof.h"
#include "options/command_options.h"
#include "os/file.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/proof.h"
#include "report/run.h"
#include "report/words.h"
#include "tables/proof_table.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

std::string subject(const Certificate& certificate) {
  const DataDigest& data = certificate.data;
  std::string text = fmt::format("{} × {}", counted(data.rows, "row"), counted(data.features, "feature"));
  if (data.classes.empty()) {
    text += fmt::format(", classes {} and {} (positive{})", shown_text(data.negative), shown_text(data.positive),
                        certificate.version > 1 ? "" : "; names not bound: a file of version 1");
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

/// What a check found, and what it was checked with.
struct Checked {
  CheckResult result;
  bool other_reading = false;  ///< not accepted because the rows were read or encoded otherwise
  bool of_arrays = false;      ///< the proof is about arrays in memory, and the rows are text
  std::string data;            ///< the name of the rows; "": none were given
  bool as_encoded = false;
  std::int64_t dropped = 0;  ///< rows without a label
  std::vector<ProofColumn> columns;
};

/// What to do about rows that were read or encoded otherwise.
std::string advice(const std::string& proof, const Checked& checked) {
  if (checked.of_arrays) {
    return fmt::format(
        "The proof is about arrays in memory, whose numbers are binary; those of a text are decimals. Check it in "
        "Python "
        "with the arrays, linsep.verify('{}', X, y), or certify the file: `linsep certify {}`.",
        proof, shown_text(checked.data));
  }
  const std::string options = "Use the options that the proof was made with";
  if (checked.as_encoded) return options + ".";
  return options + ", or add --as-encoded to check its claim about the rows as encoded below.";
}

std::string verdict_words(const std::string& proof, const Certificate& certificate, const Checked& checked) {
  const CheckResult& result = checked.result;
  const std::string reason = shown_text(result.reason);
  if (result.valid) return fmt::format("{}: valid. {}: {}.\n", proof, subject(certificate), reason);
  if (result.needs_data) {
    return fmt::format("{}: not proven yet: {}.\nCheck it against the rows: `linsep verify {} DATA`.\n", proof, reason,
                       proof);
  }
  if (!checked.other_reading) return fmt::format("{}: not valid: {}.\n", proof, reason);
  return fmt::format("{}: not accepted for {}: {}.\n{}\n", proof, shown_text(checked.data), reason,
                     advice(proof, checked));
}

std::string verify_words(const std::string& path, const Certificate& certificate, const Checked& checked) {
  const CheckResult& result = checked.result;
  const std::string proof = shown_text(path);
  std::string text = verdict_words(proof, certificate, checked);
  if (result.valid || result.needs_data || checked.other_reading)
    text += columns_words(certificate.data, checked.columns);
  if (!result.valid && !result.needs_data) return text;
  text += dropped_sentence(checked.dropped);
  if (!result.proven.empty()) text += "Checked exactly:\n";
  for (const std::string& fact : result.proven) text += fmt::format("  {}\n", shown_text(fact));
  if (!result.valid) return text;
  text += fmt::format("That holds for any data with the root {}", shown_text(certificate.data.root));
  if (checked.data.empty()) {
    return text + fmt::format(
                      ".\nThe proof contains the rows it needs. To check that the root is that of your file: `linsep "
                      "verify {} DATA`.\n",
                      proof);
  }
  return text + fmt::format(", the root of {}{}.\n", shown_text(checked.data),
                            checked.as_encoded ? ", read and encoded as the proof says (--as-encoded)" : "");
}

Json checked_json(const Certificate& certificate, const Checked& checked) {
  Json object = verify_json(certificate, checked.result, checked.data);
  const linsep::Reading& reading = certificate.data.reading;
  object["label"] = reading.label.empty() ? Json(nullptr) : Json(reading.label);
  object["columns"] = columns_json(checked.columns);
  object["left_out"] = reading.left_out;
  object["other_reading"] = checked.other_reading;
  object["as_encoded"] = checked.as_encoded;
  object["dropped"] = checked.dropped;
  object["names_bound"] = certificate.version > 1;
  return object;
}

struct VerifyCommand {
  InputOptions reading;
  TableChoice columns;
  std::string proof, root, salt;
  bool as_encoded = false, json = false;

  void declare(CommandOptions& options) {
    options.add(
        {{"PROOF", &proof,
          "A proof that `linsep certify -o` wrote, a bundle that has one, or a model that `linsep train -o` wrote."}});
    reading.declare(options, true);
    options.describe("DATA",
                     "The file that it is about, with the options that `linsep certify` had. Some proofs need none.");
    options.add({
        {"--root", &root, "HEX",
         "The root that the data must have: 64 hexadecimal digits, as `linsep digest` prints them."},
        {"--salt", &salt, "FILE", "The secret that salts the rows (`certify --salt`); needs DATA."},
        {"--as-encoded", &as_encoded,
         "Accept whatever label, columns and encoding the proof names. [only those given here]"},
        {"--json", &json, "Print one JSON object instead of words."},
    });
    columns.declare(options);
  }

  CheckResult check(const Certificate& certificate, const std::optional<Bundle>& bundle, Source* source) const {
    ProofOptions options{reading.limits(0)};
    if (source == nullptr) {
      return bundle ? verify_bundle(*bundle, options) : verify_certificate(certificate, nullptr, options);
    }
    options.secret = salt_secret(salt, false);
    ProgressBar bar("checking");
    return verify_certificate(certificate, source, options, [&](const Progress& progress) { bar.observe(progress); });
  }

  std::unique_ptr<Source> open_rows(const DataDigest& said, Comm& comm) const {
    ReadOptions options = read_options_for_proof(reading.complete());
    if (as_encoded) {
      if (!columns.options.given().empty() || !columns.columns.empty()) {
        throw usage_error("--as-encoded takes the encoding from the proof: leave out the table options");
      }
      options = options_as_encoded(said, proof, columns.model, std::move(options));
    } else {
      columns.take(reading, columns.spec(true), options, true);
    }
    ProgressBar bar("reading");
    return load(reading.paths, options, comm, [&](const Progress& progress) { bar.observe(progress); });
  }

  int check_model_file(const Model& model) const {
    if (reading.paths.empty()) {
      throw usage_error(fmt::format("a model is checked against its rows: linsep verify {} DATA", proof));
    }
    if (!salt.empty() || as_encoded || columns.given()) {
      throw usage_error(
          "a model's file says how its rows are encoded: leave out --salt, --as-encoded and table options");
    }
    require_provable(model);
    const std::unique_ptr<Source> source = rows_of(model, reading);
    return verify_model(model, *source, {reading.name(), proof, "", "", json, false, ProofOptions{reading.limits(0)}});
  }

  int check_model(const OptimalityProof& about_model, const std::optional<Bundle>& bundle) const {
    if (reading.paths.empty() && !bundle) {
      throw usage_error(fmt::format("a proof about a model is checked against its rows: linsep verify {} DATA", proof));
    }
    if (!root.empty() && root != about_model.data.root) {
      throw usage_error(fmt::format("its root is {}, not the one that was given", about_model.data.root));
    }
    ModelProofTask task{reading.name(), "", proof, "", json, false, ProofOptions{reading.limits(0)}};
    if (reading.paths.empty()) {
      if (!about_model.data.table.empty() && !as_encoded) {
        throw usage_error("its rows are encoded by a table of its own: add --as-encoded to accept that encoding");
      }
      task.data = rows_in(*bundle);
      return verify_model_proof(about_model, task,
                                [&](const Observer&) { return verify_bundle(*bundle, task.options); });
    }
    const std::unique_ptr<Source> source = open_rows(about_model.data, workers());
    task.options.secret = salt_secret(salt, false);
    return verify_model_proof(about_model, task, [&](const Observer& observe) {
      return verify_optimality(about_model, *source, workers(), task.options, observe);
    });
  }

  static std::string rows_in(const Bundle& bundle) {
    return fmt::format("{} in the bundle", bundle.rows_name.empty() ? "leaves.txt" : bundle.rows_name);
  }

  int run() const {
    if (proof.empty()) throw usage_error("PROOF is missing: which proof should be checked?");
    if (reading.standard_input()) throw usage_error("verify needs a file, because it reads the rows more than once");
    if (!root.empty() && !is_hash(root))
      throw usage_error("--root takes 64 hexadecimal digits, as `linsep digest` prints them");
    const auto needs_data = [] { return usage_error("--salt, --as-encoded and table options need DATA"); };
    if (reading.paths.empty() && (!salt.empty() || columns.given())) throw needs_data();
    const std::string bytes = read_whole_file(proof);
    std::optional<Bundle> bundle;
    if (is_bundle_text(bytes)) bundle = read_bundle(bytes, proof, reading.memory_limit());
    if (reading.paths.empty() && as_encoded && !bundle) throw needs_data();
    if (is_model_bytes(bytes)) {
      if (!root.empty()) throw usage_error("--root is for proofs: a model is checked against its rows");
      return check_model_file(model_from_bytes(bytes, proof));
    }
    const auto loaded = bundle ? bundle->proof : proof_from_json(bytes, proof);
    if (const auto* about_model = std::get_if<OptimalityProof>(&loaded)) return check_model(*about_model, bundle);
    const Certificate& certificate = std::get<Certificate>(loaded);
    const std::unique_ptr<Source> source = reading.paths.empty() ? nullptr : open_rows(certificate.data, *solo());
    Checked checked{check(certificate, bundle, source.get()), false, false, reading.name(), as_encoded, 0, {}};
    if (source) {
      checked.dropped = source->schema().dropped;
      checked.other_reading = !checked.result.valid && !other_reading(certificate, source->schema()).empty();
      checked.of_arrays = arrays_for_text(certificate, source->schema());
    } else if (bundle) {
      checked.data = rows_in(*bundle);
      if (checked.result.valid && !certificate.data.table.empty() && !as_encoded) {
        checked.result = {false, false, "its rows are encoded by a table of its own", {}};
        checked.other_reading = true;
      }
    }
    checked.columns = proof_columns(certificate.data, source ? source->schema().table.get() : nullptr);
    if (!root.empty() && root != certificate.data.root) {
      checked.result = {false, false, "its root is " + certificate.data.root + ", not the one that was given", {}};
      checked.other_reading = false;
    }
    if (json) {
      print_json(checked_json(certificate, checked));
    } else {
      print(verify_words(proof, certificate, checked));
    }
    return checked.result.valid ? kDone : kCheckFailed;
  }
};

}  // namespace

Verb verify_verb() {
  return {"verify", "Check a proof, or a trained model, in exact arithmetic.",
          "  linsep verify proof.json\n"
          "      A proof that rows can't be separated often contains all it needs.\n"
          "  linsep verify appendix.zip\n"
          "      Checks a bundle against the rows in it. Nothing in it is unpacked or run.\n"
          "  linsep verify proof.json data.csv --label type\n"
          "      Checks it against the data. Exits with 0 if the proof is valid, with 1 otherwise.\n"
          "  linsep verify model.json data.csv\n"
          "      Checks what a model's file says of its objective against the rows that it was trained on.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<VerifyCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
