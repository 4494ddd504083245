#include "linsep/picture/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "picture/html.h"
#include "picture/page/bundle.h"
#include "picture/page/sections.h"
#include "proof/sha256.h"

namespace linsep {
namespace {

std::string base64(const Hash& hash) { return base64_text({reinterpret_cast<const char*>(hash.data()), hash.size()}); }

/// Nothing is loaded, and no style or script runs but those of this build.
std::string policy() {
  std::string out = "default-src 'none'; base-uri 'none'; form-action 'none'";
  out += fmt::format("; style-src 'sha256-{}'", base64(sha256("", bundle::style())));
  if (!bundle::script().empty()) out += fmt::format("; script-src 'sha256-{}'", base64(sha256("", bundle::script())));
  return out;
}

/// '<' would be able to end the element that the document stands in.
std::string inside_script(std::string_view json) {
  std::string out;
  out.reserve(json.size() + 16);
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string head(const Picture& picture) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="linsep {}">
<title>{} – linsep report</title>
<style>{}</style>
</head>
)",
                     policy(), html_text(picture.about.version), html_text(report_title(picture)), bundle::style());
}

/// If a number is only in a table, its reader should learn that there could be a chart.
std::string about_charts() {
  if (bundle::script().empty()) {
    return "<p class=\"note\">This linsep was built without Node.js, so the page has text and tables but no "
           "charts.</p>\n";
  }
  return "<noscript><p class=\"note\">Charts need JavaScript; every number is in the tables.</p></noscript>\n";
}

std::string contents(const std::vector<ReportSection>& sections) {
  std::string out = R"(<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ol>
<li><a href="#summary">In one sentence</a></li>
)";
  for (const ReportSection& section : sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.name);
  }
  return out + "</ol></details></nav>\n";
}

/// Whether a headline stands above already, by itself or among the sentences of another.
bool stands_in(const std::vector<std::string>& above, const std::string& headline) {
  return std::ranges::any_of(above, [&](const std::string& one) {
    return (". " + one + " ").find(". " + headline + " ") != std::string::npos;
  });
}

/// `above` are the headlines so far. A headline isn't repeated, and the section then has its name alone.
std::string section_html(const ReportSection& section, const Picture& picture, std::vector<std::string>& above) {
  std::string headline = said(picture, section.id, "headline");
  if (stands_in(above, headline)) headline.clear();
  std::string out = fmt::format(R"(<section id="{0}" aria-labelledby="{0}-head">
<h2 id="{0}-head">)",
                                section.id);
  out += headline.empty() ? std::string(section.name) + "</h2>\n"
                          : fmt::format("<span class=\"name\">{}</span> {}</h2>\n", section.name, headline);
  above.push_back(std::move(headline));
  out += paragraphs(picture, section.id, "meaning", "meaning");
  const std::string caption = paragraphs(picture, section.id, "caption", "caption");
  if (section.chart) {
    out += fmt::format("<figure data-chart=\"{}\">", section.id);
    if (!caption.empty()) out += "<figcaption>" + caption + "</figcaption>";
    out += "</figure>\n";
  } else {
    out += caption;
  }
  out += paragraphs(picture, section.id, "note", "note");
  out += section.shown;
  if (!section.numbers.empty()) {
    out += "<details class=\"numbers\"><summary>Numbers</summary>\n" + section.numbers + "</details>\n";
  }
  return out + "</section>\n";
}

std::string licences() {
  if (bundle::licences().empty()) return "";
  return fmt::format(
      "<details class=\"licences\"><summary>Licences of the drawing code</summary><pre role=\"region\" "
      "tabindex=\"0\" "
      "aria-label=\"Licences\">{}</pre></details>\n",
      html_text(bundle::licences()));
}

}  // namespace

std::string report_page(const Picture& picture) {
  const std::vector<ReportSection> sections = report_sections(picture);
  std::string out = head(picture);
  out += R"(<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="bar"><p class="brand">linsep report</p><div class="buttons" data-buttons></div></header>
<div class="page">
)";
  out += contents(sections);
  out += "<main id=\"main\" tabindex=\"-1\">\n";
  out += summary_html(picture);
  out += about_charts();
  std::vector<std::string> above{said(picture, "summary", "headline")};
  for (const ReportSection& section : sections) out += section_html(section, picture, above);
  out += licences();
  out += fmt::format(
      "</main>\n</div>\n<footer><p>Made by linsep {}. The program computed every number; this page only draws "
      "them.</p></footer>\n",
      html_text(picture.about.version));
  out += "<div class=\"live\" role=\"status\" aria-live=\"polite\"></div>\n";
  out += "<script type=\"application/json\" id=\"document\">" + inside_script(picture_to_json(picture)) + "</script>\n";
  if (!bundle::script().empty()) out += fmt::format("<script>{}</script>\n", bundle::script());
  return out + "</body>\n</html>\n";
}

}  // namespace linsep
