#include "linsep/model.h"
#include "os/atomic_file.h"

namespace linsep {
namespace {

/// Up to this many numbers a model is written for people to read.
constexpr std::size_t kJsonNumbers = 100'000;

}  // namespace

void save_model(const Model& model, const std::string& path) {
  const std::size_t numbers = model.theta.size() + model.kept.value.size() + model.kept.size();
  const bool as_json = numbers <= kJsonNumbers || path.ends_with(".json");
  write_file_atomically(path, as_json ? model_to_json(model) : model_to_binary(model));
}

Model load_model(const std::string& path) { return model_from_bytes(read_whole_file(path), path); }

}  // namespace linsep
