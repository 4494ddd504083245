// How it was made: what was given, with which options, and how it ended.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "linsep/map.h"
#include "picture/parts.h"
#include "picture/told/options.h"
#include "picture/told/sentences.h"
#include "picture/words.h"

namespace linsep {
namespace {

void add(Picture& picture, const std::string& name, const std::string& value) {
  if (!value.empty()) picture.made.push_back({name, value});
}

void add_model(Picture& picture, const NamedModel& named, bool several) {
  const Model& model = *named.model;
  const std::string of = several ? fmt::format(" ({})", short_name(named.name)) : "";
  add(picture, "Learner" + of, model.learner);
  const std::string options = options_not_default(model);
  add(picture, "Options" + of, options.empty() ? "all at their defaults" : options);
  if (model.map.kind != FeatureMap::Kind::kNone) add(picture, "Map" + of, map_text(model.map));
}

void add_proof_lines(Picture& picture, const Certificate& proof) {
  if (!proof.data.root.empty()) add(picture, "Data digest", "sha256 " + proof.data.root);
  if (proof.map.kind != FeatureMap::Kind::kNone) add(picture, "Map of the proof", map_text(proof.map));
}

}  // namespace

void add_made(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& /*gathered*/) {
  const std::vector<Picture::Made> checked = std::exchange(picture.made, {});  // what `add_proof` knows
  if (input.run != nullptr) add(picture, "Training", input.run->command);
  for (const Picture::Made& line : spec.made) add(picture, line.name, line.value);
  for (const NamedModel& model : input.models) add_model(picture, model, input.models.size() > 1);
  if (picture.history) {
    add(picture, "Passes", count_text(picture.history->passes_made));
    add(picture, "Stopped because", reason_text(*picture.history));
    add(picture, "Solver", picture.history->solver);
  }
  if (input.proof != nullptr) add_proof_lines(picture, *input.proof);
  picture.made.insert(picture.made.end(), checked.begin(), checked.end());
  if (input.proof == nullptr && picture.proof) {
    add(picture, "Verdict", "found and proven when this was made; `linsep certify -o` keeps such a proof");
  }
  if (picture.points && picture.points->how != "all") add(picture, "Seed of the draw", std::to_string(spec.seed));
  add(picture, "Program", spec.version.empty() ? "" : "linsep " + spec.version);
}

}  // namespace linsep
