#include "linsep/picture/document.h"

#include "picture/json/writer.h"

namespace linsep {
namespace {

void write_sentences(PictureWriter& out, const Picture& picture) {
  if (picture.sentences.empty()) return;
  out.key("sentences");
  out.open('[');
  for (const Picture::Sentence& sentence : picture.sentences) {
    out.open('{');
    out.field("section", sentence.section);
    out.field("role", sentence.role);
    out.field("text", sentence.text);
    out.close('}');
  }
  out.close(']');
}

void write_made(PictureWriter& out, const Picture& picture) {
  if (picture.made.empty()) return;
  out.key("made");
  out.open('{');
  out.column("name", picture.made, &Picture::Made::name);
  out.column("value", picture.made, &Picture::Made::value);
  out.close('}');
}

}  // namespace

void write_about(PictureWriter& out, const Picture& picture) {
  const Picture::About& about = picture.about;
  out.key("about");
  out.open('{');
  out.field("title", about.title);
  out.field("kinds", about.kinds);
  out.field("task", about.task);
  if (about.rows >= 0) out.field("rows", about.rows);
  out.field("features", about.features);
  out.field("mapped_features", about.mapped_features);
  out.field("classes", about.classes);
  out.field("class_rows", about.class_rows);
  out.field("map", about.map);
  out.field("origin", about.origin);
  out.field("files", about.files);
  out.field("version", about.version);
  out.field("not_finite", about.not_finite);
  out.field("class_names", about.class_names);
  out.close('}');
}

void write_models(PictureWriter& out, const Picture& picture, const PlaneDigits& digits) {
  if (picture.models.empty()) return;
  out.key("models");
  out.open('[');
  for (const Picture::Classifier& model : picture.models) {
    out.open('{');
    out.field("name", model.name);
    out.field("learner", model.learner);
    out.field("description", model.description);
    out.field("formula", model.formula);
    out.field("mistakes", model.mistakes);
    out.field("error", model.error);
    out.field("margin", model.margin);
    out.field("norm", model.norm);
    out.field("offset", model.offset, kAllDigits);
    out.field("seconds", model.seconds);
    out.field("disagreements", model.disagreements);
    write_point(out, "label_at", model.label_at, digits);
    out.close('}');
  }
  out.close(']');
}

std::string picture_to_json(const Picture& picture) {
  PictureWriter out;
  const PlaneDigits digits = plane_digits(picture);
  out.open('{');
  out.field("format", std::string("linsep-picture"));
  out.field("version", 1);
  write_about(out, picture);
  write_sentences(out, picture);
  write_plane(out, picture);
  write_proof(out, picture, digits);
  write_run(out, picture);
  write_counts(out, picture);
  write_models(out, picture, digits);
  write_made(out, picture);
  out.close('}');
  return out.take();
}

}  // namespace linsep
