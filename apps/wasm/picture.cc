// picture and report make the picture document of the rows and what was trained on them last.
#include <utility>

#include "call.h"
#include "linsep/picture/make.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

Picture picture_now(const Json& request) {
  const std::unique_ptr<Source> source = read_rows(true);
  PictureSpec spec;
  spec.title = text_of(request, "title", "");
  spec.rows = static_cast<std::int64_t>(number_of(request, "rows", static_cast<double>(spec.rows)));
  spec.files = {kRowsName};
  spec.version = LINSEP_VERSION;
  PictureInput input;
  input.data = source.get();
  if (trained()) {
    const Outcome& outcome = trained()->outcome;
    input.models.push_back({outcome.model.learner, &outcome.model, std::nullopt});
    input.trained = &outcome;
  }
  return make_picture(input, spec);
}

}  // namespace

LINSEP_EXPORT(picture) std::int32_t picture(const char* text, std::uint32_t size) {
  return answer_with([&] { return Json{{"picture", picture_to_json(picture_now(parsed(text, size)))}}; });
}

/// The page's script is larger than this module, so it isn't in it.
LINSEP_EXPORT(report) std::int32_t report(const char* /*text*/, std::uint32_t /*size*/) {
  return answer_with([] { return Json{{"html", ""}}; });
}

}  // namespace linsep::wasm
