// The learner "margin": maximum margin and its relatives, to a certified gap.
//
// Objective: weighted mean of the loss + (λ/2)‖θ‖², the offset not penalised. With "C" instead of "lambda",
// λ = 1/(C·n), where n is the rows' total weight (their number, when none has a weight).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "learn/margin/lambda_learner.h"
#include "learn/margin/losses.h"
#include "linsep/learner.h"
#include "linsep/options.h"
#include "linsep/source.h"

namespace linsep {

OptionTable margin_options();

/// The loss that complete options ask for.
Loss margin_loss(const Options& options);

/// Whether the options ask for the hard margin (learn/hard_margin.h). Throws a usage Error where they ask for a loss or
/// weights as well, which it doesn't know.
bool is_hard_margin(const Options& options);

/// What runs it. Threads (0: one a core) never change the result. Where there is more than one worker, solvers are
/// chosen that run on any number of them, with the same result.
struct MarginRun {
  MarginRun(int of_threads = 0, int of_workers = 1) : threads(of_threads), workers(of_workers) {}
  int threads;
  int workers;
};

/// Takes complete options. `start` (may be nullptr): begin from its theta and offset. The source should be what
/// `margin_source` says.
std::unique_ptr<Learner> make_margin(const Options& options, const Model* start, const MarginRun& run = {});
/// The same learner, for a path of λ.
std::unique_ptr<LambdaLearner> make_lambda_margin(const Options& options, const Model* start,
                                                  const MarginRun& run = {});

/// Which solver `make_margin` will begin with for data of this shape ("dual", "interior", "newton" or "planes"), and
/// why, in words that complete "…, because ". Throws a usage Error where the solver asked for doesn't fit the loss.
struct MarginChoice {
  std::string solver;
  std::string because;
  /// The solver to go over to when coordinate descent turns out to converge too slowly, or "".
  std::string otherwise = "";
  /// How many passes of coordinate descent are worth the whole of the other solver.
  double worth_passes = 0;
};
MarginChoice choose_margin_solver(const Options& options, const Shape& shape, int workers = 1);

/// The source that training should go through: `source` in random order where the solver wants that (the solver dual
/// and the hard margin of many columns; the rows are copied then, unless they are somebody else's arrays), or nullptr
/// where `source` itself serves. Throws a usage Error for a stream. REQUIRES: `source` outlives the result. With `take`
/// the rows of a memory source are taken instead of copied (permute_and_take_rows), so `source` has none afterwards.
std::unique_ptr<Source> margin_source(Source& source, const Options& options, bool take = false,
                                      const MarginRun& run = {});

}  // namespace linsep
