// What each classifier is called, and its formula.
#include <fmt/format.h>

#include "linsep/learner_info.h"
#include "picture/parts.h"
#include "picture/told/formula.h"
#include "picture/told/options.h"

namespace linsep {

void add_comparison(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/,
                    const Gathered& /*gathered*/) {
  for (std::size_t k = 0; k < picture.models.size() && k < input.models.size(); ++k) {
    const Model& model = *input.models[k].model;
    const std::string options = options_not_default(model);
    picture.models[k].description = model.learner + (options.empty() ? "" : ", " + options);
    picture.models[k].formula = formula_text(model);
  }
}

}  // namespace linsep
