// The numbers behind each chart as HTML tables: what is there without JavaScript.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/picture/document.h"

namespace linsep {

/// The class's name as HTML; a dash for −1.
std::string class_name(const Picture& picture, std::int64_t label);

// Each gives "" where the document doesn't have its part.
std::string progress_table(const Picture& picture);
std::string mistakes_table(const Picture& picture);
std::string alpha_table(const Picture& picture);

std::string space_table(const Picture& picture);
std::string distances_table(const Picture& picture);
std::string thresholds_table(const Picture& picture);
std::string calibration_table(const Picture& picture);
std::string weights_table(const Picture& picture);
std::string confusion_table(const Picture& picture);
std::string residuals_table(const Picture& picture);

std::string witness_table(const Picture& picture);
std::string means_table(const Picture& picture);
std::string least_table(const Picture& picture);
std::string packing_list(const Picture& picture);
std::string comparison_table(const Picture& picture);
std::string made_table(const Picture& picture);

}  // namespace linsep
