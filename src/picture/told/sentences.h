// Headlines, captions and notes of a picture, by subject. All take what has been worked out and work out nothing.
#pragma once

#include <string>

#include "linsep/picture/document.h"
#include "linsep/picture/make.h"
#include "picture/gathered.h"

namespace linsep {

/// What sentences speak of.
struct Told {
  Picture& picture;
  const PictureInput& input;
  const PictureSpec& spec;
  const Gathered& gathered;

  void headline(const std::string& section, const std::string& text) const { say(section, "headline", text); }
  void caption(const std::string& section, const std::string& text) const { say(section, "caption", text); }
  void note(const std::string& section, const std::string& text) const { say(section, "note", text); }
  void meaning(const std::string& section, const std::string& text) const { say(section, "meaning", text); }
  /// The model that is shown in detail; nullptr: none.
  const Model* model() const;

 private:
  void say(const std::string& section, const std::string& role, const std::string& text) const {
    if (!text.empty()) picture.sentences.push_back({section, role, text});
  }
};

/// Sections progress, mistakes, rows.
void tell_run(const Told& told);
/// Sections proof, least.
void tell_proof(const Told& told);
/// Sections space, comparison.
void tell_space(const Told& told);
/// Sections distances, threshold, calibration, weights, confusion, residuals.
void tell_model(const Told& told);

/// "Perceptron" of "perceptron": as a sentence begins. "The run" where it isn't known.
std::string learner_words(const std::string& learner);
/// "1 pass", "1,000 passes".
std::string passes_text(std::int64_t passes);
/// The sentences about a verdict and a run that the summary begins with; "" where there are none.
std::string verdict_text(const Told& told);
std::string mistakes_text(const Told& told);
std::string run_text(const Told& told);
/// Why a run ended, as far as it is known: "a pass made no mistake".
std::string reason_text(const Picture::History& history);
std::string wrong_text(const Told& told);
std::string comparison_text(const Told& told);

}  // namespace linsep
