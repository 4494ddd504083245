// RowExtent: how long rows get, which rounding bounds rest on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace linsep {

/// What the rounding bound needs to know of the data: the longest row by norm and by stored values.
struct RowExtent {
  double longest = 0;      ///< max ‖x_i‖
  double most_values = 0;  ///< max number of stored values

  void include(double squared_norm, std::size_t values) {
    longest = std::max(longest, std::sqrt(squared_norm));
    most_values = std::max(most_values, static_cast<double>(values));
  }
  void include(const RowExtent& other) {
    longest = std::max(longest, other.longest);
    most_values = std::max(most_values, other.most_values);
  }
};

}  // namespace linsep
