// Bounds as people read them: a bound stays one when it is rounded, however small or great it is.
#pragma once

#include <string>

namespace linsep::app {

/// Six figures of a number, never above (below) it.
std::string figure_at_most(double number);
std::string figure_at_least(double number);

/// The same of an exact number of a certificate, above 0, or of its square root: "0.353553", "1e-523".
std::string exact_figure(const std::string& exact, bool at_least);
std::string root_figure(const std::string& exact, bool at_least);

}  // namespace linsep::app
