// make_picture: from rows, models, a run's log and a proof to the document that is drawn.
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

/// A run as its log tells it (docs/reference/formats/run-log.md), or as it has just happened.
struct RunRecord {
  std::string learner = {}, solver = {}, reason = {};  ///< reason: in the words of `stop_reason_name`
  std::string command = {};                            ///< as given; "" where not known
  std::vector<Progress> passes = {};                   ///< ends of passes
  std::vector<std::int64_t> mistakes_by_row = {};      ///< empty where not known
  std::optional<double> gap_asked = {};
  double seconds = 0;
};
/// Throws an input Error `NAME:LINE: …` for text that is no run log.
RunRecord read_run_log(std::string_view text, const std::string& name_for_errors);

struct NamedModel {
  std::string name = {};  ///< what it is called in the picture: the file's name without folder and ending
  const Model* model = nullptr;
  std::optional<double> seconds = {};
};

struct PictureSpec {
  std::string title = {};      ///< "": made from what is given
  std::string x = {}, y = {};  ///< names or numbers of two features; "": chosen
  std::int64_t rows = 2000;    ///< points shown at most
  bool no_rows = false;        ///< aggregates only: no points, no witness rows, no ids, no mistakes by row
  std::uint64_t seed = 1;      ///< of the draw
  double aspect = 1;           ///< width/height of the data space as it will be drawn; its scales are equal then
  std::vector<std::string> files = {};  ///< names without folders
  std::vector<Picture::ProvenanceEntry> made = {};
  std::string version = {};
  bool certify = true;  ///< without a proof: decide separability of small sets (at most 2,000 rows, 50 columns)
  RunLimits limits = {};
};

/// What is drawn. Any of them may be null or empty, not all.
struct PictureInput {
  /// Raw rows (without the map), labelled; at most three passes are made over them, and one more for a proof.
  Source* data = nullptr;
  std::vector<NamedModel> models = {};  ///< the first is the one that is shown in detail
  const RunRecord* run = nullptr;
  const Certificate* proof = nullptr;  ///< shown where it holds for `data`; else the picture says only that it doesn't
  /// What `verify_certificate` found of `proof` and the rows as written, for whoever has them; nullptr: `data` are
  /// these rows, and it is checked here. Without data: by itself.
  const CheckResult* checked = nullptr;
  /// A proof of how good the first model is, which the caller has checked on the rows as written.
  const OptimalityProof* bounds = nullptr;
  const CertifyOutcome* certified = nullptr;  ///< instead of `proof`, where it was just found: knows more
  const Outcome* trained = nullptr;           ///< where it was just trained: history, mistakes by row, visits
};
/// Throws an input Error where a model doesn't fit the data.
Picture make_picture(const PictureInput& input, const PictureSpec& spec, const Observer& observe = {});

/// R and γ of rows (x, 1), or of x through the origin, and (R/γ)²: what bounds a perceptron's mistakes from θ = 0.
/// Worked out by the hard margin through the origin on (x, 1); nothing where the rows aren't separable or that can't be
/// decided within the limits.
std::optional<Picture::Bound> perceptron_bound(Source& source, bool origin, const FeatureMap& map = {},
                                               const RunLimits& limits = {});

}  // namespace linsep
