// Headlines, captions and notes, put into a picture by section. They only put results into words.
#pragma once

#include <string>

#include "picture/gathered.h"

namespace linsep {

/// Writes sentences into `picture`. The other members are what they are about.
struct Sentences {
  Picture& picture;
  const PictureInput& input;
  const PictureSpec& spec;
  const Gathered& gathered;

  void headline(const std::string& section, const std::string& text) const { say(section, "headline", text); }
  void caption(const std::string& section, const std::string& text) const { say(section, "caption", text); }
  void note(const std::string& section, const std::string& text) const { say(section, "note", text); }
  void meaning(const std::string& section, const std::string& text) const { say(section, "meaning", text); }
  /// The model that is shown in detail, or nullptr for none.
  const Model* model() const;

 private:
  void say(const std::string& section, const std::string& role, const std::string& text) const {
    if (!text.empty()) picture.sentences.push_back({section, role, text});
  }
};

bool theta_is_zero(const Sentences& writer);
/// Whether all rows have the same label.
bool one_class(const Sentences& writer);
/// Whether rows have one score and a class.
bool are_two_classes(const Sentences& writer);
/// "2 of 40 rows are wrong; the closest correct row is 0.1 from the boundary."
std::string wrong_text(const Sentences& writer);

}  // namespace linsep
