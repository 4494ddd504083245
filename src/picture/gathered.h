// Gathered: what passes over the rows leave behind, shared by all parts of a picture.
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

/// A direction in the space of raw features; the place of a row is their product less that of the mean row. Empty: 0.
struct Direction {
  std::vector<double> weight;
  double middle = 0;
};

/// What makes a place in the plane of a row.
struct PlaneChoice {
  std::string kind;                          ///< of Picture::Plane; "": there is nothing to draw
  std::uint32_t x_column = 0, y_column = 0;  ///< "features", "feature"
  std::string x_name, y_name;
  Direction x, y;                          ///< "components"; of "boundary" y alone, across θ where there is no map
  bool whole = false;                      ///< "features", "feature": the rows have no others
  std::array<double, 2> x_range, y_range;  ///< of the rows, or of a sample of them; both NaN where there are none
};

/// Rows as one model judges them.
struct ModelRows {
  std::int64_t mistakes = 0, not_finite = 0;
  std::int64_t disagreements = 0;  ///< predictions other than the first model's
  /// Of two classes: the least y·z, its row, and the least above 0. NaN without such a row.
  double least_margin = std::numeric_limits<double>::quiet_NaN();
  double least_right = std::numeric_limits<double>::quiet_NaN();
  std::int64_t least_row = -1;
};

struct Gathered {
  std::string no_proof;    ///< why a proof that was given isn't shown, in a sentence; "": it is, or there is none
  std::int64_t rows = -1;  ///< −1: no data
  bool labelled = false;
  std::uint32_t features = 0;            ///< raw
  Schema schema;                         ///< of the data; without data the first model's
  std::string task;                      ///< as in Picture::About
  std::vector<std::int64_t> class_rows;  ///< of label columns: rows that are positive in each
  std::vector<ModelRows> models;         ///< as many as input.models; empty without labelled data
  std::optional<Evaluation> evaluation;  ///< the first model's, with ranking
  double norm = 0;                       ///< ‖θ‖ of the first model; 0 where it has no θ
  bool has_margin = false;               ///< z = ±1 of the first model mean something: hinge losses, the hard margin
  PlaneChoice plane;
  std::vector<std::int64_t> drawn;                       ///< rows by their hash, at most PictureSpec::rows
  std::vector<PlanePoint> negative_hull, positive_hull;  ///< where `plane.whole`
};

/// Whether a model gives one score whose sign, or side of a threshold, is the class.
inline bool is_two_class(const Model& model) {
  return !model.regression && model.form != Model::Form::kClasses && model.form != Model::Form::kLabels;
}

/// ‖θ‖, of a dual form in the space of its kernel; 0 where there is none: voted, several scores.
double norm_of(const Model& model);
/// Whether the planes z = ±1 mean something: it was made for a hinge loss or the hard margin.
bool has_margin_planes(const Model& model);

}  // namespace linsep
