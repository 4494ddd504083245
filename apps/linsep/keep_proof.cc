#include "keep_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "linsep/error.h"
#include "linsep/tools/bundle.h"
#include "os/file.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr std::size_t kDigits = 64;

std::string new_secret() {
  std::array<unsigned char, kDigits / 2> bytes{};
  fill_randomly(bytes.data(), bytes.size());
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

void keep_proof(Certificate& certificate, Source& data, const std::string& path, const InputOptions& reading,
                const std::string& secret) {
  ProgressBar bar("sealing the proof");
  // An interrupt ended what came before, but the proof of what was found by then is still wanted.
  ProofOptions options;
  options.secret = secret;
  const auto observe = [&](const Progress& progress) { bar.observe(progress); };
  seal_certificate(certificate, data, workers(), options, observe);
  if (!is_bundle(path)) {
    if (first_worker()) save_certificate(certificate, path);
    return;
  }
  write_bundle(certificate, data, path, reading, options, observe);
}

void write_bundle(const std::variant<Certificate, OptimalityProof>& proof, Source& data, const std::string& path,
                  const InputOptions& reading, const ProofOptions& options, const Observer& observe) {
  BundleNotes notes;
  notes.data = std::filesystem::path(reading.name()).filename().string();
  notes.files = reading.paths;
  const std::string bytes = make_bundle(proof, data, notes, options, observe);
  Output file(path);
  file.write(bytes);
  file.close();
}

std::string check_command(const std::string& proof, const InputOptions& reading, const std::string& classes,
                          const std::string& table, const std::string& salt) {
  if (is_bundle(proof)) return fmt::format("unpack {} and open its README.html", quoted(proof));
  std::string text = fmt::format("linsep verify {} {}", quoted(proof), reading.argument());
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", name, quoted(value));
  };
  add("--format", reading.format);
  add("--label", reading.options.label);
  add("--labels", reading.labels);
  if (reading.options.label_sets) text += " --label-sets";
  const bool said = !reading.classes.empty() || !reading.options.positive.empty();
  add("--classes", said ? reading.classes : classes);
  add("--positive", reading.options.positive);
  add("--missing-label", reading.missing_label);
  add("--weight", reading.options.weight);
  add("--id", reading.options.id);
  add("--ignore", reading.ignore);
  add("--delimiter", reading.delimiter);
  add("--salt", salt);
  text += table;
  if (reading.header) text += " --header";
  if (reading.no_header) text += " --no-header";
  return text;
}

std::string unusual_classes(const Model& model) {
  const std::vector<std::string>& classes = model.schema.classes;
  if (!model.schema.labels.empty()) return "";
  return std::ranges::is_sorted(classes) ? "" : fmt::format("{}", fmt::join(classes, ","));
}

bool is_bundle(const std::string& path) { return path.ends_with(".zip"); }

void check_bundle(const std::string& path, const std::string& salt) {
  if (!is_bundle(path)) return;
  if (!salt.empty()) throw usage_error("a bundle shows every row, but --salt hides them: use only one of the two");
  if (workers().size() > 1) throw usage_error(fmt::format("a bundle needs a single worker, not {}", workers().size()));
}

bool is_hash(const std::string& text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == kDigits && std::ranges::all_of(text, is_digit);
}

std::string salt_secret(const std::string& path, bool make) {
  if (path.empty()) return {};
  if (make && first_worker() && !std::filesystem::exists(path)) write_new_private_file(path, new_secret() + "\n");
  if (make) all_reduce_any(workers(), false);  // nobody reads it before it exists
  std::ifstream file(path);
  std::string text;
  if (!std::getline(file, text)) throw system_error(fmt::format("{}: can't be read", path));
  if (text.ends_with('\r')) text.pop_back();
  if (!is_hash(text))
    throw Error(Place{path, 0, 0}, "expected a salt of 64 hexadecimal digits, as `certify --salt` writes it");
  return text;
}

}  // namespace linsep::app
