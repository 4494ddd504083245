#include "linsep/picture/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "picture/html.h"
#include "picture/page/bundle.h"
#include "proof/sha256.h"

namespace linsep {
namespace {

Picture small_picture() {
  Picture picture;
  picture.about.title = "and.svm";
  picture.about.files = {"and.svm"};
  picture.about.rows = 2;
  picture.about.features = 2;
  picture.about.classes = picture.about.class_names = {"-1", "1"};
  picture.sentences = {{"summary", "headline", "Run `linsep certify` & see."},
                       {"space", "headline", "The classes are 0.7 apart."}};
  picture.plane.emplace();
  picture.plane->kind = "features";
  picture.plane->x.name = "x1";
  picture.plane->y.name = "x2";
  picture.points.emplace();
  picture.points->total = picture.points->shown = 2;
  picture.points->how = "all";
  picture.points->at = {{0, 0.125, 0, 0, -1, "wrong", "first", 1}, {1, 1, 1, 1, 2, "right", "second", 1}};
  picture.made = {{"command", "linsep report and.svm"}};
  return picture;
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The text between `begin` and the first `end` after it.
std::string between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return "";
  const std::size_t at = from + begin.size();
  return std::string(text.substr(at, text.find(end, at) - at));
}

/// The page without style and script, which are the build's and not the picture's.
std::string without_bundle(const std::string& page) {
  std::string out = page;
  for (const std::string_view part : {bundle::style(), bundle::script()}) {
    if (const std::size_t at = out.find(part); !part.empty() && at != std::string::npos) out.erase(at, part.size());
  }
  return out;
}

TEST(ReportPage, TheSamePictureIsTheSameBytes) {
  EXPECT_EQ(report_page(small_picture()), report_page(small_picture()));
}

TEST(ReportPage, HasOneTitleAndAPlaceForEachSectionInTheContents) {
  const std::string page = without_bundle(report_page(small_picture()));
  EXPECT_EQ(times(page, "<h1"), 1U);
  EXPECT_EQ(times(page, "<main"), 1U);
  EXPECT_LT(page.find("<section id=\"space\""), page.find("<section id=\"made\""));
  EXPECT_EQ(times(page, "href=\"#space\""), 1U);
  EXPECT_EQ(times(page, "<section id=\"weights\""), 0U);
}

TEST(ReportPage, AHeadlineThatStandsAboveIsNotSaidAgain) {
  Picture picture = small_picture();
  picture.sentences = {{"summary", "headline", "Nothing is proven. None of 2 rows is wrong. So it ends."},
                       {"space", "headline", "None of 2 rows is wrong."},
                       {"weights", "headline", "2 rows."}};
  const std::string page = without_bundle(report_page(picture));
  const std::string body = page.substr(0, page.find("<script type=\"application/json\""));
  EXPECT_EQ(times(body, "None of 2 rows is wrong."), 1U);
  EXPECT_NE(body.find("<h2 id=\"space-head\">Data space</h2>"), std::string::npos);
  EXPECT_NE(body.find("<h2 id=\"weights-head\"><span class=\"name\">Weights</span> 2 rows.</h2>"), std::string::npos);
}

TEST(ReportPage, TablesHoldTheNumbersWithoutJavaScript) {
  const std::string page = without_bundle(report_page(small_picture()));
  EXPECT_NE(page.find(">0.125</td>"), std::string::npos);
  EXPECT_NE(page.find("<bdi>second</bdi>"), std::string::npos);
  EXPECT_NE(page.find("Run <code>linsep certify</code> &amp; see."), std::string::npos);
}

TEST(ReportPage, NamesAreTextWhateverTheyHold) {
  Picture picture = small_picture();
  const std::string hostile = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
  picture.about.title = picture.about.files[0] = picture.about.classes[0] = picture.about.class_names[0] = hostile;
  picture.points->at[0].id = picture.plane->x.name = picture.made[0].value = picture.made[0].name = hostile;
  picture.sentences.push_back({"space", "caption", hostile});
  picture.weights.emplace();
  picture.weights->heaviest = {{0, hostile, 1, hostile}};
  picture.models.resize(2);
  for (auto& model : picture.models) model.name = model.learner = model.description = model.formula = hostile;
  const std::string page = without_bundle(report_page(picture));
  EXPECT_EQ(times(page, "<img"), 0U);
  EXPECT_EQ(times(page, "<script"), bundle::script().empty() ? 1U : 2U);
  EXPECT_EQ(times(page, "</script"), bundle::script().empty() ? 1U : 2U);
}

TEST(ReportPage, TheDocumentInsideIsTheDocument) {
  Picture picture = small_picture();
  picture.about.title = "<b>";
  const std::string inside = between(report_page(picture), "id=\"document\">", "</script>");
  EXPECT_EQ(nlohmann::json::parse(inside), nlohmann::json::parse(picture_to_json(picture)));
}

std::string base64_by_table(const Hash& hash) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const std::uint8_t byte : hash) {
    for (int i = 7; i >= 0; --i) bits += (byte >> i & 1) != 0 ? '1' : '0';
  }
  while (bits.size() % 6 != 0) bits += '0';
  std::string out;
  for (std::size_t i = 0; i < bits.size(); i += 6)
    out += digits[static_cast<std::size_t>(std::stoi(bits.substr(i, 6), nullptr, 2))];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

TEST(ReportPage, ThePolicyKnowsItsStyleAndScriptAndNothingElse) {
  const std::string page = report_page(small_picture());
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\">");
  EXPECT_EQ(policy.rfind("default-src 'none'", 0), 0U) << policy;
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  const std::string style = between(page, "<style>", "</style>");
  EXPECT_NE(policy.find("style-src 'sha256-" + base64_by_table(sha256_plain("", style)) + "'"), std::string::npos);
  if (bundle::script().empty()) {
    EXPECT_EQ(policy.find("script-src"), std::string::npos);
    EXPECT_NE(page.find("built without Node.js"), std::string::npos);
    return;
  }
  const std::string script = between(page, "<script>", "</script>");
  EXPECT_NE(policy.find("script-src 'sha256-" + base64_by_table(sha256_plain("", script)) + "'"), std::string::npos);
}

TEST(Html, ANameIsCutAfterSixtyCharactersAndKeptInTheTitle) {
  const std::string sixty(60, 'a');
  EXPECT_EQ(html_name(sixty), "<bdi>" + sixty + "</bdi>");
  std::string letters;
  for (int i = 0; i < 61; ++i) letters += "é";
  EXPECT_EQ(html_name(letters), "<bdi title=\"" + letters + "\">" + letters.substr(0, 120) + "…</bdi>");
}

TEST(Html, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(html_text("a\xff\x01z"), "a\xef\xbf\xbd\xef\xbf\xbdz");
  EXPECT_EQ(html_text("<&>\"'"), "&lt;&amp;&gt;&quot;&#39;");
}

TEST(Html, NumbersAreReadByPeople) {
  EXPECT_EQ(html_count(-1234567), "-1,234,567");
  EXPECT_EQ(html_number(0.1 + 0.2), "0.3");
  EXPECT_EQ(html_number(-0.0), "0");
  EXPECT_EQ(html_number(std::optional<double>()), "–");
}

TEST(Html, LongTablesSayThatTheyAreCut) {
  const auto cell = [](std::size_t row, std::size_t) { return std::to_string(row); };
  const std::string table = html_table("Rows", {{"row"}}, 2000, cell);
  EXPECT_EQ(times(table, "<tr>"), kMostTableRows + 1);
  EXPECT_NE(table.find("the first 512 of 2,000"), std::string::npos);
}

}  // namespace
}  // namespace linsep
