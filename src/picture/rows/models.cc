#include <cmath>

#include "picture/parts.h"

namespace linsep {

void add_models(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  for (std::size_t m = 0; m < input.models.size(); ++m) {
    const Model& model = *input.models[m].model;
    Picture::Classifier& one = picture.models.emplace_back();
    one.name = short_name(input.models[m].name);
    one.learner = model.learner;
    one.norm = m == 0 ? gathered.norm : norm_of(model);
    one.offset = model.offset;
    one.seconds = input.models[m].seconds;
    if (gathered.models.empty() || model.regression) continue;
    const ModelRows& rows = gathered.models[m];
    one.mistakes = rows.mistakes;
    if (gathered.rows > 0) one.error = static_cast<double>(rows.mistakes) / static_cast<double>(gathered.rows);
    if (one.norm > 0 && std::isfinite(rows.least_margin)) one.margin = rows.least_margin / one.norm;
    if (input.models.size() > 1) one.disagreements = rows.disagreements;
  }
}

}  // namespace linsep
