// Models and certificates in files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/tools/bundle.h"
#include "os/file.h"
#include "os/memory.h"

namespace linsep {
namespace {

/// A model with at most this many numbers is written for people to read.
constexpr std::size_t kJsonNumbers = 100'000;

/// Refuses a model that certainly won't fit. The bytes of a file and the model made of them are in memory together.
void require_room(const std::string& path) {
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
  std::error_code unknown;
  const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
  if (unknown || bytes < kSmall) return;
  const MemoryLeft left = memory_left();
  if (bytes <= left.bytes / 2) return;
  throw Error(Error::Kind::kSystem, Place{path, 0, 0}, {},
              fmt::format("reading this model needs more than {} of memory, but {}", size_words(2 * bytes),
                          memory_words(left)));
}

}  // namespace

void save_model(const Model& model, const std::string& path) {
  const std::size_t encoded = model.table.empty() ? 0 : model.features;
  const std::size_t numbers = std::max(model.theta.size() + model.kept.value.size() + model.kept.size(), encoded);
  const bool as_json = numbers <= kJsonNumbers || path.ends_with(".json");
  write_file_atomically(path, as_json ? model_to_json(model) : model_to_binary(model));
}

Model load_model(const std::string& path) {
  require_room(path);
  return model_from_bytes(read_whole_file(path), path);
}

void save_certificate(const Certificate& certificate, const std::string& path) {
  write_file_atomically(path, certificate_to_json(certificate));
}

void save_optimality(const OptimalityProof& proof, const std::string& path) {
  write_file_atomically(path, optimality_to_json(proof));
}

std::variant<Certificate, OptimalityProof> load_proof(const std::string& path) {
  return proof_from_json(read_whole_file(path), path);
}

Certificate load_certificate(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  if (!is_bundle_text(bytes)) return certificate_from_json(bytes, path);
  Bundle bundle = read_bundle(bytes, path);
  if (auto* certificate = std::get_if<Certificate>(&bundle.proof)) return std::move(*certificate);
  throw Error(Place{path, 0, 0}, "its proof is about a model, not about all classifiers");
}

}  // namespace linsep
