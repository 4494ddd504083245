// SVG to PNG, where librsvg is there.
#pragma once

#include <string>

namespace linsep::app {

/// The picture as the bytes of a PNG file, twice as large. librsvg is opened when this is called, so that the program
/// runs without it; throws a usage Error that names `-o x.svg` where it isn't there.
std::string svg_to_png(const std::string& svg);

}  // namespace linsep::app
