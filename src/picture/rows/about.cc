#include "linsep/map.h"
#include "picture/parts.h"

namespace linsep {
namespace {

std::string title_of(const PictureInput& input, const PictureSpec& spec) {
  if (!spec.title.empty()) return spec.title;
  std::vector<std::string> names = spec.files;
  for (const NamedModel& model : input.models) {
    if (spec.files.empty() && !model.name.empty()) names.push_back(model.name);
  }
  if (names.empty()) return "linsep";
  std::string title = short_name(names[0]);
  if (names.size() == 2) title += ", " + short_name(names[1]);
  if (names.size() > 2) title += " and " + std::to_string(names.size() - 1) + " others";
  return title;
}

std::vector<std::string> kinds_of(const PictureInput& input) {
  std::vector<std::string> kinds;
  if (input.run != nullptr || input.trained != nullptr) kinds.emplace_back("run");
  if (!input.models.empty()) kinds.emplace_back("model");
  if (input.data != nullptr) kinds.emplace_back("data");
  if (input.models.size() > 1) kinds.emplace_back("comparison");
  if (input.proof != nullptr || input.certified != nullptr) kinds.emplace_back("proof");
  return kinds;
}

}  // namespace

void add_about(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  Picture::About& about = picture.about;
  about.title = title_of(input, spec);
  about.kinds = kinds_of(input);
  about.task = gathered.task;
  about.rows = gathered.rows;
  about.features = gathered.features;
  const Model* model = input.models.empty() ? nullptr : input.models.front().model;
  const FeatureMap map = model != nullptr ? model->map : FeatureMap{};
  about.mapped_features = mapped_features(map, model != nullptr ? model->features : gathered.features);
  about.classes = gathered.schema.labels.empty() ? gathered.schema.classes : gathered.schema.labels;
  about.class_rows = gathered.class_rows;
  about.map = map_text(map);
  about.origin = model != nullptr && model->origin;
  about.files = spec.files;
  about.version = spec.version;
  if (!gathered.models.empty()) about.not_finite = gathered.models.front().not_finite;
  for (const std::string& name : about.classes) about.class_names.push_back(short_name(name));
}

}  // namespace linsep
