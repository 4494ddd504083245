// Picture is what the report, the playground and `linsep plot` draw, as a plain value and as JSON
// (docs/reference/formats/picture.md).
//
// Code that draws it computes nothing. Every number, path, ratio and sentence that is shown stands here. In JSON, keys
// are the names below. A vector of records that is marked *columns* is an object of arrays of one length. A part
// without content, an empty text and an unset optional are left out. Numbers have 6 significant digits, or 17 if they
// decide something (θ, θ0, thresholds, y·z near 0). Rows count from 1 in JSON and in texts, from 0 here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/tools/statement.h"

namespace linsep {

/// The tasks that `Picture::About::task` names.
inline constexpr std::string_view kTwoClasses = "two-classes", kSeveralClasses = "several-classes",
                                  kLabelColumns = "label-columns", kRegression = "regression", kOneClass = "one-class";

/// A point of the drawn plane.
struct PlanePoint {
  double x = 0, y = 0;

  bool operator==(const PlanePoint&) const = default;
};

struct Picture {
  /// What was given. No time, host or folder, so the same input is the same document.
  struct About {
    std::string title;
    std::vector<std::string> kinds;  ///< of "run", "model", "data", "comparison", "proof"
    std::string task;                ///< "two-classes", "several-classes", "label-columns", "regression", "one-class"
    std::int64_t rows = -1;          ///< −1 if no data were given
    std::uint32_t features = 0;      ///< raw
    std::uint32_t mapped_features = 0;
    std::vector<std::string> classes;  ///< as written. With two classes, negative and then positive
    std::vector<std::int64_t> class_rows;
    std::string map;  ///< "none", "products", …
    bool origin = false;
    std::vector<std::string> files;        ///< names without folders
    std::string version;                   ///< of the program
    std::int64_t not_finite = 0;           ///< rows whose score isn't a finite number
    std::vector<std::string> class_names;  ///< of `classes`, escaped and cut at 60 characters, to be shown
  };

  /// A headline or caption. `section` is one of "summary", "progress", "mistakes", "rows", "space", "distances",
  /// "threshold", "calibration", "weights", "proof", "least", "comparison", "confusion", "residuals", "coefficients",
  /// "made".
  /// `role` is "headline" (at most one per section), "caption", "note" (sampling, why a chart is missing) or "meaning".
  struct Sentence {
    std::string section, role, text;
  };

  /// One axis of the data space.
  struct Axis {
    std::string name;
    double low = 0, high = 1;  ///< what is shown. Rows and paths lie within
    std::vector<double> ticks;
  };

  /// Rows in the plane. *columns* of `at`.
  struct Points {
    std::int64_t total = 0, shown = 0;
    std::string how;  ///< "all", "drawn" (by a hash of the row number with `seed`), "binned" (see cells)
    std::uint64_t seed = 1;
    struct At {
      std::int64_t row = 0;
      double x = 0, y = 0;
      std::int64_t label = 0;  ///< index into About::classes, or −1 without one
      double margin = 0;       ///< y·z under the first model, or NaN (left out) without a model
      /// By the first model "right", "wrong" or "support". Without one "row".
      std::string role;
      std::string id;             ///< what the row is called, if it has a name
      std::int64_t together = 1;  ///< rows at this very point with this class, which are one mark
    };
    std::vector<At> at;
  };

  /// Which plane it is. "features" has two raw features as x and y. "feature" has one feature, and y is 0. "boundary"
  /// has the signed distance from the first model's boundary as x, and the first principal component of the rest as y.
  /// "components" is for no model, and has the first two principal components.
  struct Plane {
    std::string kind;
    Axis x, y;
    std::uint32_t x_column = 0, y_column = 0;  ///< "features", "feature"
    bool equal_scales = true;
  };

  /// Rows counted by 40 × 30 cells of the plane. Edges ascend. Row-major from the lowest y.
  struct Cells {
    std::vector<double> x, y;                      ///< 41 and 31 edges
    std::vector<std::int64_t> negative, positive;  ///< x.size() − 1 times y.size() − 1
  };

  /// A path in the plane, clipped to the axes. `kind`: "boundary" (z = 0), "margin-positive" (z = 1), "margin-negative"
  /// (z = −1), "hull-negative", "hull-positive" (closed), "feasible" (closed), "theta" (an arrow from first to last).
  struct Path {
    std::string kind;
    std::int64_t model = -1;  ///< index into `models`, or −1 if of no model
    bool closed = false;
    std::vector<PlanePoint> points;
  };

  /// The half-spaces of the first model, as closed polygons to be tinted.
  struct HalfSpaces {
    std::vector<PlanePoint> negative, positive;
  };

  /// The proven parts, in the words of `certify`.
  struct Proof {
    std::string verdict;  ///< "separable", "quasi-separable", "overlapping", "undecided"
    struct Witness {
      std::int64_t row = 0;
      std::string id;
      std::int64_t label = 0;
      std::string alpha;  ///< exact
      double share = 0;   ///< of its class's α
      std::optional<double> x, y;
      std::string text;  ///< the row's values as written, shortened
    };
    std::vector<Witness> witness;  ///< *columns*, at most 200, whereas `witness_rows` counts all
    std::int64_t witness_rows = 0;
    std::optional<PlanePoint> common_point;
    std::optional<double> margin, margin_upper_bound, radius, mistake_bound;
    std::string separator;  ///< "z = 2·x1 + 2·x2 − 3"
    /// Coefficients that go to infinity in a logistic regression, by name and sign. *columns*
    struct Infinite {
      std::string name;
      int sign = 1;
    };
    std::vector<Infinite> infinite;
    std::optional<std::int64_t> mistakes_at_least, mistakes_at_most;
    std::vector<std::vector<std::int64_t>> packing;  ///< disjoint sets of rows, each not separable, at most 200
    /// If overlapping in more than two features, the columns in which the witness's class means could differ most. The
    /// 12 largest values. *columns*
    struct Mean {
      std::string name;
      double negative = 0, positive = 0;
    };
    std::vector<Mean> means;
    Statement statement;                    ///< which classifiers and classes it is about
    std::optional<std::int64_t> separated;  ///< if quasi-separable, rows that can be separated, not `at_zero`
    std::optional<std::int64_t> at_zero;
    std::string stopped_because;  ///< if undecided, what ran out
  };

  /// A run's passes. *columns* of `passes`. A column that no pass has is left out.
  struct History {
    std::string learner, solver, reason;
    std::int64_t passes_made = 0;
    std::optional<double> gap_asked, seconds;
    struct Pass {
      std::int64_t pass = 0;
      double seconds = 0;
      std::optional<std::int64_t> mistakes, mistakes_so_far;
      std::optional<double> objective, lower_bound, gap, residual;
    };
    std::vector<Pass> passes;  ///< at most 2,000, always with the first, the last, and each best and worst
    std::int64_t group = 1;    ///< mistakes are drawn as sums over this many passes
    std::vector<Pass> bars;    ///< `mistakes` of each group of passes, at most 200. *columns*
    std::vector<double> seconds_ticks;
    bool claimed = false;    ///< from a log, which anybody can write. *not in the document*
    bool other_run = false;  ///< by the model's file its run ended otherwise. *likewise*
  };

  /// The perceptron's bound on mistakes from θ = 0, R and γ of (x, 1) (or of x, through the origin).
  struct Bound {
    double radius = 0, margin = 0;
    double mistakes = 0;        ///< (R/γ)²
    std::string mistakes_text;  ///< as `certify` writes it: "51"
  };

  /// One visit of a row per record, in order. *columns*, `theta` as one flat array of `features` numbers per visit.
  struct Events {
    std::uint32_t features = 0;  ///< of φ
    bool mistakes_only = false;  ///< more than 5,000 visits, so only those with a mistake
    std::int64_t visits = 0;     ///< made in all
    struct Visit {
      std::int64_t visit = 0, pass = 0, row = 0;
      double before = 0, after = 0;  ///< y·z
      bool mistake = false;
      double offset = 0, norm = 0;  ///< after the visit. The norm counts the intercept unless through the origin
    };
    std::vector<Visit> at;
    std::vector<double> theta;
  };

  /// Mistakes by row. *columns*, the 60 largest. `rest` in words ("and 1,204 rows with 1 to 3").
  struct Alpha {
    struct Row {
      std::int64_t row = 0;
      std::string id;
      std::int64_t label = 0, alpha = 0;
    };
    std::vector<Row> rows;
    std::string rest;
  };

  /// The heaviest weights of a model, at most 40. *columns*
  struct Weights {
    struct One {
      std::uint32_t column = 0;
      std::string name;  ///< cut at 60 characters
      double weight = 0;
      std::string text;  ///< to the digits that are known
    };
    std::vector<One> heaviest;
    std::int64_t rest = 0;  ///< how many weights aren't among them and aren't 0
    double rest_share = 0;  ///< of ‖θ‖²
    double norm = 0, offset = 0;
  };

  /// Rows by signed distance z/‖θ‖ from the boundary, at most 60 bins of one round width, 0 an edge. *columns*
  struct DistanceBins {
    struct Bin {
      double low = 0, high = 0;
      std::int64_t negative = 0, positive = 0;
    };
    std::vector<Bin> bins;
    std::optional<double> margin;  ///< 1/‖θ‖, if z = ±1 means something
    double norm = 0;
  };

  /// The effects of thresholds of z, descending, at most 512. *columns*. The first is above all scores, the last below.
  struct Thresholds {
    struct At {
      double threshold = 0, distance = 0;  ///< z, and z/‖θ‖
      std::int64_t tp = 0, fp = 0, tn = 0, fn = 0;
      double precision = 0, recall = 0, false_positive_rate = 0, error = 0;
      std::string text;  ///< "z ≥ 0.25: 97 of 100 found, 2 false alarms"
    };
    std::vector<At> at;
    std::size_t chosen = 0;  ///< index of the model's own threshold
    double area_under_curve = 0, average_precision = 0, prevalence = 0;
    std::string area_text, precision_text;  ///< with bounds if they aren't exact
  };

  /// Ten bins of probability with rows, mean predicted, observed, and Wilson's 95 % interval. *columns*
  struct CalibrationBins {
    struct Bin {
      double from = 0, to = 0;
      std::int64_t rows = 0;
      double predicted = 0, observed = 0, low = 0, high = 0;
    };
    std::vector<Bin> bins;
    double log_loss = 0, brier = 0;
  };

  /// Several classes. The rows of class a predicted as b stand at a·k + b, for the classes in `classes` (at most 30,
  /// then the most confused).
  struct Confusion {
    std::vector<std::string> classes;
    std::vector<std::int64_t> counts;
    std::int64_t left_out = 0;  ///< classes that aren't shown
  };

  /// Regression. Residuals y − z in bins of one round width, and up to 2,000 rows of (z, y). *columns* both
  struct Residuals {
    struct Bin {
      double low = 0, high = 0;
      std::int64_t rows = 0;
    };
    std::vector<Bin> bins;
    struct At {
      std::int64_t row = 0;
      double predicted = 0, label = 0;
    };
    std::vector<At> at;
    double root_mean_square = 0;
    double low = 0, high = 1;  ///< of both axes
  };

  /// A logistic regression, with its table as text and its odds ratios for a logarithmic axis.
  struct Coefficients {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;  ///< as long as the header, with a coefficient's name first
    /// Without the intercept and coefficients that aren't determined. *columns*
    struct Ratio {
      std::string name;                     ///< cut at 60 characters
      double ratio = 1, low = 1, high = 1;  ///< may be 0 or infinite (null in JSON)
      std::string text;                     ///< the ratio
    };
    std::vector<Ratio> ratios;
    double low = 0.1, high = 10;  ///< of the axis, which includes all finite ends
    std::vector<double> ticks;
  };

  /// One classifier of a comparison, or the only one. Records, not columns.
  struct Classifier {
    std::string name;                  ///< the file's name without folder and ending
    std::string learner, description;  ///< "perceptron", "perceptron, averaged"
    std::string formula;               ///< "z = 3·x1 + 2·x2 − 4", cut after 6 terms
    std::optional<std::int64_t> mistakes;
    std::optional<double> error, margin;  ///< share of rows wrong, and smallest y·z/‖θ‖
    double norm = 0, offset = 0;
    std::optional<double> seconds;
    std::optional<std::int64_t> disagreements;  ///< with the first, rows
    std::optional<PlanePoint> label_at;         ///< the end of its line, for its name
  };

  /// How it was made, a record per line of the last section. *columns*
  struct ProvenanceEntry {
    std::string name, value;
  };

  /// A file that the page offers for download. *not in the document*.
  struct File {
    std::string name, text;
  };

  About about;
  std::vector<File> files;
  std::vector<Sentence> sentences;
  std::optional<Plane> plane;
  std::optional<Points> points;
  std::optional<Cells> cells;
  std::vector<Path> paths;
  std::optional<HalfSpaces> half_spaces;
  std::optional<Proof> proof;
  std::optional<History> history;
  std::optional<Bound> bound;
  std::optional<Events> events;
  std::optional<Alpha> alpha;
  std::optional<Weights> weights;
  std::optional<DistanceBins> distances;
  std::optional<Thresholds> thresholds;
  std::optional<CalibrationBins> calibration;
  std::optional<Confusion> confusion;
  std::optional<Residuals> residuals;
  std::optional<Coefficients> coefficients;
  std::vector<Classifier> models;
  std::vector<ProvenanceEntry> made;
};

/// The document as JSON: "format": "linsep-picture", "version": 1, then the parts in the order above, without blanks.
std::string picture_to_json(const Picture& picture);

}  // namespace linsep
