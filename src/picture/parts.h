// The parts of a picture, one function each. They are called in this order. Each fills the parts that it names and
// nothing else.
#pragma once

#include <span>

#include "linsep/picture/make.h"
#include "linsep/progress.h"
#include "picture/gathered.h"

namespace linsep {

/// Two passes over the rows. The first is the survey (classes, models, sample, ranges), the second `evaluate` with the
/// first model.
Gathered gather(const PictureInput& input, const PictureSpec& spec, const Observer& observe);

void add_about(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `history`, `bound`, `events`, `alpha`.
void add_run(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `proof`, without x and y of its witness, which `add_rows` fills in, showing these rows in any case. The common point
/// is given by the raw columns `gathered.plane.x_column` and `y_column` if `gathered.plane.kind` is "features" (with
/// "feature", y is 0), otherwise not at all.
void add_proof(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `plane`, `points`, `cells`, and x and y of `proof.witness`. This is the third pass.
void add_rows(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `models` with all but `description` and `formula`.
void add_models(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `paths`, `half_spaces`, and `label_at` of the models.
void add_paths(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `description` and `formula` of the models, and what compares them.
void add_comparison(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
void add_made(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// Comes last, because sentences are about all the others.
void add_sentences(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `passes`, `bars`, `group`, `passes_made` and `seconds_ticks` of a history. If there are more than 2,000 passes, it
/// keeps the first and the last, and from each run of consecutive passes the best and the worst in everything that is
/// measured.
Picture::History history_of(std::span<const Progress> passes);

}  // namespace linsep
