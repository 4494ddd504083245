#include "linsep/picture/make.h"

#include "linsep/error.h"
#include "picture/parts.h"

namespace linsep {

Picture make_picture(const PictureInput& input, const PictureSpec& spec, const Observer& observe) {
  const bool run = input.run != nullptr || input.trained != nullptr;
  const bool proof = input.proof != nullptr || input.certified != nullptr;
  if (input.data == nullptr && input.models.empty() && !run && !proof) {
    throw usage_error("there is nothing to draw: give rows, a model, a run log or a proof");
  }
  const Gathered gathered = gather(input, spec, observe);
  Picture picture;
  for (const auto part :
       {add_about, add_run, add_proof, add_rows, add_models, add_paths, add_weights, add_distances, add_thresholds,
        add_calibration, add_confusion, add_residuals, add_comparison, add_made, add_sentences}) {
    if (spec.limits.interrupted()) throw interrupted_error();
    part(picture, input, spec, gathered);
  }
  return picture;
}

}  // namespace linsep
