// The parts of a picture, one function each. They are called in this order; each fills what it names and nothing else.
#pragma once

#include <span>

#include "linsep/picture/make.h"
#include "linsep/progress.h"
#include "picture/gathered.h"

namespace linsep {

/// Two passes over the rows: the survey (classes, models, sample, ranges), and `evaluate` with the first model.
Gathered gather(const PictureInput& input, const PictureSpec& spec, const Observer& observe);

void add_about(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `history`, `bound`, `events`, `alpha`.
void add_run(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `proof`, without x and y of its witness: `add_rows` fills them in, and shows these rows in any case. The common
/// point is given by the raw columns `gathered.plane.x_column` and `y_column` where `gathered.plane.kind` is "features"
/// (or "feature": y is 0), else not at all.
void add_proof(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `plane`, `points`, `cells`, and x and y of `proof.witness`: the third pass.
void add_rows(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `models` with all but `description` and `formula`.
void add_models(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// `paths`, `half_spaces`, and `label_at` of the models.
void add_paths(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `description` and `formula` of the models, and what compares them.
void add_comparison(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
void add_made(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
/// Last, since sentences speak of all the others.
void add_sentences(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);

/// `passes`, `bars`, `group`, `passes_made` and `seconds_ticks` of a history. Of more than 2,000 passes the first and
/// the last are kept, and of each run of consecutive passes the best and the worst in everything that is measured.
Picture::History history_of(std::span<const Progress> passes);

}  // namespace linsep
