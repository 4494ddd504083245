// The files that web/build.mjs bundles for the report's page, defined in the build's bundle.cc.
#pragma once

#include <string_view>

namespace linsep::bundle {

std::string_view script();    ///< empty in a build without node, and then the page has no charts
std::string_view style();     ///< CSS
std::string_view licences();  ///< texts of the licenses of what the script contains

}  // namespace linsep::bundle
