// report_page makes one HTML file of a picture, which needs nothing else.
#pragma once

#include <string>

#include "linsep/picture/document.h"

namespace linsep {

/// HTML with style, script and document inside. A content security policy allows no other script to run and nothing to
/// be loaded. Sentences and tables are visible without JavaScript too. The same picture is the same bytes.
std::string report_page(const Picture& picture);

}  // namespace linsep
