// Gathered holds what passes over the rows leave behind, shared by all parts of a picture.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "linsep/picture/document.h"
#include "linsep/picture/make.h"
#include "linsep/train.h"

namespace linsep {

/// A direction in the space of raw features. The place of a row is their product less that of the mean row. If empty,
/// 0.
struct Direction {
  std::vector<double> weight;
  double middle = 0;
};

/// How a row gets its place in the plane.
struct PlaneChoice {
  std::string kind;                          ///< of Picture::Plane, or "" if there is nothing to draw
  std::uint32_t x_column = 0, y_column = 0;  ///< "features", "feature"
  std::string x_name, y_name;
  Direction x, y;                          ///< "components", or of "boundary" y alone, across θ if there is no map
  bool whole = false;                      ///< "features", "feature": the rows have no others
  std::array<double, 2> x_range, y_range;  ///< of the rows, or of a sample of them. Both NaN if there are none
};

/// Rows as one model judges them.
struct ModelRows {
  std::int64_t mistakes = 0, not_finite = 0;
  std::int64_t disagreements = 0;  ///< predictions other than the first model's
  /// With two classes, the smallest y·z, its row, and the smallest above 0. NaN without such a row.
  double least_margin = std::numeric_limits<double>::quiet_NaN();
  double least_right = std::numeric_limits<double>::quiet_NaN();
  std::int64_t least_row = -1;
};

struct Gathered {
  std::string no_proof;    ///< why a proof that was given isn't shown, in a sentence. "" if it is, or there is none
  std::int64_t rows = -1;  ///< −1 without data
  bool labelled = false;
  std::uint32_t features = 0;            ///< raw
  Schema schema;                         ///< of the data, or without data the first model's
  std::string task;                      ///< as in Picture::About
  std::vector<std::int64_t> class_rows;  ///< with label columns, rows that are positive in each
  std::vector<ModelRows> models;         ///< as many as input.models, or empty without labeled data
  std::optional<Evaluation> evaluation;  ///< the first model's, with ranking
  double norm = 0;                       ///< ‖θ‖ of the first model, or 0 if it has no θ
  bool has_margin = false;               ///< z = ±1 of the first model mean something: hinge losses, the hard margin
  PlaneChoice plane;
  std::vector<std::int64_t> drawn;                       ///< rows by their hash, at most PictureSpec::rows
  std::vector<PlanePoint> negative_hull, positive_hull;  ///< if `plane.whole`
};

/// Whether a model gives one score whose sign, or side of a threshold, is the class.
inline bool is_two_class(const Model& model) {
  return !model.regression && model.form != Model::Form::kClasses && model.form != Model::Form::kLabels;
}

/// ‖θ‖, for a dual form in the space of its kernel. 0 if there is none, as for voted forms and several scores.
double norm_of(const Model& model);
/// Whether the planes z = ±1 mean something, because the model was made for a hinge loss or the hard margin.
bool has_margin_planes(const Model& model);

}  // namespace linsep
