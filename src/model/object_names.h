// Names of enumerators in model files.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "linsep/model.h"

namespace linsep {

inline constexpr std::array<std::pair<Model::Form, std::string_view>, 5> kFormNames{{{Model::Form::kLinear, "linear"},
                                                                                     {Model::Form::kDual, "dual"},
                                                                                     {Model::Form::kVoted, "voted"},
                                                                                     {Model::Form::kClasses, "classes"},
                                                                                     {Model::Form::kLabels, "labels"}}};

/// The forms that keep rows, and those with several scores per row.
constexpr bool keeps_rows(Model::Form form) { return form == Model::Form::kDual || form == Model::Form::kVoted; }
constexpr bool has_parts(Model::Form form) { return form == Model::Form::kClasses || form == Model::Form::kLabels; }

inline constexpr std::array<std::pair<Kernel::Kind, std::string_view>, 3> kKernelNames{
    {{Kernel::Kind::kLinear, "linear"},
     {Kernel::Kind::kPolynomial, "polynomial"},
     {Kernel::Kind::kGaussian, "gaussian"}}};

inline constexpr std::array<std::pair<Calibration::Kind, std::string_view>, 4> kCalibrationNames{
    {{Calibration::Kind::kNone, "none"},
     {Calibration::Kind::kSigmoid, "sigmoid"},
     {Calibration::Kind::kIsotonic, "isotonic"},
     {Calibration::Kind::kSoftmax, "softmax"}}};

}  // namespace linsep
