#include "linsep/picture/make.h"

#include <utility>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "picture/parts.h"
#include "picture/report_chart.h"

namespace linsep {
namespace {

/// Why a proof isn't shown, or "" if it holds for the rows, or holds by itself and there are none.
std::string why_no_proof(const PictureInput& input, const PictureSpec& spec, const Observer& observe) {
  const CheckResult check = input.checked != nullptr
                                ? *input.checked
                                : verify_certificate(*input.proof, input.data, ProofOptions{spec.limits}, observe);
  if (check.valid) return "";
  const std::string reason = shown_text(check.reason);
  if (input.data != nullptr) return "The proof doesn't match these rows: " + reason + ".";
  if (check.needs_data) return "The proof can't be checked without its rows.";
  return "The proof doesn't hold: " + reason + ".";
}

}  // namespace

Picture make_picture(const PictureInput& given, const PictureSpec& spec, const Observer& observe) {
  PictureInput input = given;
  const bool run = input.run != nullptr || input.trained != nullptr;
  const bool proof = input.proof != nullptr || input.certified != nullptr;
  if (input.data == nullptr && input.models.empty() && !run && !proof) {
    throw usage_error("there is nothing to draw: give rows, a model, a run log or a proof");
  }
  std::string no_proof;
  if (input.proof != nullptr) no_proof = why_no_proof(input, spec, observe);
  if (!no_proof.empty()) input.proof = nullptr;
  Gathered gathered = gather(input, spec, observe);
  gathered.no_proof = std::move(no_proof);
  Picture picture;
  const auto add = [&](auto* part) {
    if (spec.limits.interrupted()) throw interrupted_error();
    part(picture, input, spec, gathered);
  };
  for (auto* part : {add_about, add_run, add_proof, add_rows, add_models, add_paths}) add(part);
  for (const ReportChart* chart : kCharts) add(chart->add);
  for (auto* part : {add_comparison, add_made, add_sentences}) add(part);
  return picture;
}

}  // namespace linsep
