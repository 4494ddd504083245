// Which sections a report has, in which order, and the HTML that stands in each without JavaScript.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linsep/picture/document.h"

namespace linsep {

struct ReportSection {
  std::string_view id;    ///< as in Picture::Sentence
  std::string_view name;  ///< in the contents
  bool chart = true;      ///< has a place for one
  std::string shown;      ///< HTML that is always seen
  std::string numbers;    ///< HTML that opens on demand
};

std::vector<ReportSection> report_sections(const Picture& picture);

std::string report_title(const Picture& picture);
/// Title, verdict, what was given and the summary's sentences.
std::string summary_html(const Picture& picture);

/// The first sentence of that section and role as HTML, or "".
std::string said(const Picture& picture, std::string_view section, std::string_view role);
/// All of them, each a <p> of the class.
std::string paragraphs(const Picture& picture, std::string_view section, std::string_view role,
                       std::string_view css_class);

}  // namespace linsep
