// make_picture turns rows, models, a run's log and a proof into the document that is drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/picture/document.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// A run from its log (docs/reference/formats/run-log.md), or one that has just happened.
struct RunRecord {
  std::string learner = {}, solver = {}, reason = {};  ///< the reason is in the words of `stop_reason_name`
  std::string command = {};                            ///< as given, or "" if not known
  std::vector<Progress> passes = {};                   ///< ends of passes
  std::vector<std::int64_t> mistakes_by_row = {};      ///< empty if not known
  std::optional<double> gap_asked = {};
  double seconds = 0;
};
/// Throws an input Error `NAME:LINE: …` for text that is no run log.
RunRecord read_run_log(std::string_view text, const std::string& name_for_errors);

struct NamedModel {
  std::string name = {};  ///< its name in the picture, which is the file's name without folder and ending
  const Model* model = nullptr;
  std::optional<double> seconds = {};
};

struct PictureSpec {
  std::string title = {};      ///< "" for one made from what is given
  std::string x = {}, y = {};  ///< names or numbers of two features, or "" for a choice
  std::int64_t rows = 2000;    ///< points shown at most
  bool no_rows = false;        ///< aggregates only: no points, no witness rows, no ids, no mistakes by row
  std::uint64_t seed = 1;      ///< of the draw
  double aspect = 1;           ///< width/height of the data space as it will be drawn. Its scales are equal then
  std::vector<std::string> files = {};  ///< names without folders
  std::vector<Picture::ProvenanceEntry> made = {};
  std::string version = {};
  bool certify = true;  ///< without a proof, decide separability of small sets (at most 2,000 rows, 50 columns)
  RunLimits limits = {};
};

/// The subject of the picture. Any member may be null or empty, but not all.
struct PictureInput {
  /// Raw rows (without the map), labeled. At most three passes are made over them, and one more for a proof.
  Source* data = nullptr;
  std::vector<NamedModel> models = {};  ///< the first is shown in detail
  const RunRecord* run = nullptr;
  const Certificate* proof = nullptr;  ///< shown if it holds for `data`. Otherwise the picture only notes that
  /// The result of `verify_certificate` for `proof` and the rows as written, if the caller has it. If nullptr, `data`
  /// are these rows, and the proof is checked here. Without data it is checked by itself.
  const CheckResult* checked = nullptr;
  /// A proof of how good the first model is, which the caller has checked on the rows as written.
  const OptimalityProof* bounds = nullptr;
  const CertifyOutcome* certified = nullptr;  ///< instead of `proof`, if it was just found, with more detail
  const Outcome* trained = nullptr;           ///< if it was just trained: history, mistakes by row, visits
};
/// Throws an input Error if a model doesn't fit the data.
Picture make_picture(const PictureInput& input, const PictureSpec& spec, const Observer& observe = {});

/// R and γ of rows (x, 1), or of x through the origin, and (R/γ)², which bounds a perceptron's mistakes from θ = 0.
/// Worked out by the hard margin through the origin on (x, 1). Nothing if the rows aren't separable or that can't be
/// decided within the limits.
std::optional<Picture::Bound> perceptron_bound(Source& source, bool origin, const FeatureMap& map = {},
                                               const RunLimits& limits = {});

}  // namespace linsep
