#include "picture/draw/scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/shown_text.h"
#include "picture/draw/words.h"
#include "report/words.h"

namespace linsep {
namespace {

std::string sentence_of(const Picture& picture, std::string_view section, std::string_view role) {
  for (const Picture::Sentence& sentence : picture.sentences) {
    if (sentence.section == section && sentence.role == role) return sentence.text;
  }
  return {};
}

std::vector<std::string_view> sections_of(const Picture& picture, Chart chart) {
  switch (chart) {
    case Chart::kSpace:
      if (compares(picture)) return {"comparison", "space", "proof", "summary"};
      if (!picture.models.empty()) return {"distances", "space", "proof", "summary"};
      return {"proof", "space", "summary"};
    case Chart::kDistances:
      return {"distances", "space", "summary"};
    case Chart::kProgress:
      return {"progress", "summary"};
    case Chart::kMistakes:
      return {"mistakes", "summary"};
    case Chart::kNone:
      break;
  }
  return {"summary", "proof", "residuals", "confusion", "weights", "made"};
}

}  // namespace

Chart chart_of(const Picture& picture) {
  const bool rows = (picture.points && !picture.points->at.empty()) || picture.cells;
  const bool plane = picture.plane.has_value() && rows;
  if (picture.distances && !picture.distances->bins.empty() && (!plane || picture.plane->kind == "boundary")) {
    return Chart::kDistances;
  }
  if (plane) return Chart::kSpace;
  if (picture.history) {
    const auto& passes = picture.history->passes;
    if (std::any_of(passes.begin(), passes.end(), [](const auto& pass) { return pass.objective.has_value(); })) {
      return Chart::kProgress;
    }
    if (!picture.history->bars.empty()) return Chart::kMistakes;
  }
  return Chart::kNone;
}

std::string finding_of(const Picture& picture, Chart chart) {
  std::string finding;
  for (const std::string_view section : sections_of(picture, chart)) {
    if (finding.empty()) finding = sentence_of(picture, section, "headline");
  }
  if (!finding.empty()) return finding;
  const std::string given = given_words(picture, true);
  return given.empty() ? "linsep" : given;
}

std::string given_words(const Picture& picture, bool size) {
  std::string words = shown_text(picture.about.title);
  if (size && picture.about.rows >= 0) {
    words += fmt::format("{}{} rows × {} features", words.empty() ? "" : " · ", with_commas(picture.about.rows),
                         with_commas(picture.about.features));
  }
  return words;
}

std::vector<std::string> notes_of(const Picture& picture, Chart chart, bool with_rows) {
  const std::string_view section = chart == Chart::kSpace       ? "space"
                                   : chart == Chart::kDistances ? "distances"
                                   : chart == Chart::kProgress  ? "progress"
                                   : chart == Chart::kMistakes  ? "mistakes"
                                                                : "summary";
  std::vector<std::string> notes;
  for (const Picture::Sentence& sentence : picture.sentences) {
    // The distances stand below the rows, which may be drawn or binned.
    const bool rows = chart == Chart::kDistances && with_rows && sentence.section == "space";
    if (sentence.role == "note" && (sentence.section == section || rows)) notes.push_back(sentence.text);
  }
  return notes;
}

bool has_two_classes(const Picture& picture) { return picture.about.classes.size() == 2; }

std::string class_words(const Picture& picture, std::size_t index) {
  const Picture::About& about = picture.about;
  const std::string name = index < about.class_names.size() ? about.class_names[index] : about.classes[index];
  const std::string shown = cut_to(shown_text(name), 24);
  if (index >= about.class_rows.size()) return shown;
  return fmt::format("{} ({})", shown, with_commas(about.class_rows[index]));
}

bool compares(const Picture& picture) { return picture.models.size() > 1; }

const Picture::Path* path_of(const Picture& picture, std::string_view kind) {
  for (const Picture::Path& path : picture.paths) {
    if (path.kind == kind) return &path;
  }
  return nullptr;
}

}  // namespace linsep
