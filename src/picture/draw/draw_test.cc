#include "linsep/picture/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "picture/draw/testing.h"
#include "picture/draw/words.h"
#include "report/words.h"

namespace linsep {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  EXPECT_EQ(from, text.size()) << "the last line is ended, too";
  return lines;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::vector<Picture> every_sample(double aspect) {
  Picture compared = sample_clouds(aspect);
  for (const char* name :
       {"perceptron", "basic", "least-squares", "margin", "a name that is much too long for a label"}) {
    add_classifier(compared, name, 1, 0.2 * static_cast<double>(compared.models.size()), -3, false);
  }
  return {sample_and(aspect),
          sample_xor(aspect),
          sample_clouds(aspect),
          compared,
          sample_mistakes(30),
          sample_mistakes(200),
          sample_progress(24),
          sample_progress(1),
          sample_distances(),
          sample_mistakes(1),
          Picture{}};
}

TEST(DrawText, IsNeverWiderOrHigherThanAsked) {
  for (const int width : {30, 41, 80, 203}) {
    for (const int height : {8, 11, 24, 60}) {
      for (const bool ascii : {false, true}) {
        const TextPlot options{.width = width, .height = height, .ascii = ascii, .colour = false};
        for (const Picture& picture : every_sample(data_space_aspect(options))) {
          const auto lines = lines_of(draw_text(picture, options));
          EXPECT_LE(lines.size(), static_cast<std::size_t>(height)) << picture.about.title << width;
          EXPECT_GE(lines.size(), 1U);
          for (const std::string& line : lines) {
            EXPECT_LE(columns_of(line), static_cast<std::size_t>(width)) << line;
          }
        }
      }
    }
  }
}

TEST(DrawText, InAsciiIsAscii) {
  const TextPlot options{.width = 80, .height = 24, .ascii = true, .colour = false};
  for (const Picture& picture : every_sample(data_space_aspect(options))) {
    for (const char c : draw_text(picture, options)) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int(c);
  }
}

TEST(DrawText, HasColoursOnlyWhenAsked) {
  const TextPlot plain, coloured{.width = 80, .height = 24, .ascii = false, .colour = true};
  const double aspect = data_space_aspect(plain);
  EXPECT_EQ(draw_text(sample_xor(aspect), plain).find('\x1b'), std::string::npos);
  const std::string text = draw_text(sample_xor(aspect), coloured);
  EXPECT_GT(count_of(text, "\x1b[38;5;32m+\x1b[0m"), 0U);
  EXPECT_EQ(count_of(text, "\x1b[0m") * 2, count_of(text, "\x1b["));
}

TEST(DrawText, FirstSaysTheFindingAndLastTheScale) {
  const TextPlot options;
  const auto lines = lines_of(draw_text(sample_xor(data_space_aspect(options)), options));
  EXPECT_EQ(lines.front(), "xor.svm: No linear classifier separates these rows: 4 of them prove it.");
  EXPECT_TRUE(lines.back().ends_with("x1")) << lines.back();
  EXPECT_NE(lines.back().find("0.5"), std::string::npos);
}

TEST(DrawText, EachRowIsAGlyphAndRowsOfACellAreCounted) {
  // Ten rows in one cell of each class, two in another, one in a third, and a cell with both.
  std::vector<SampleRow> rows = {{0, 0, 0}, {4, 4, 1}, {2, 2, 0}, {2, 2, 1},
                                 {1, 3, 0}, {1, 3, 0}, {3, 1, 1}, {3, 1, 1}};
  for (int i = 0; i < 10; ++i) {
    rows.push_back({0, 4, 0});
    rows.push_back({4, 0, 1});
  }
  const TextPlot options{.width = 60, .height = 20, .ascii = true, .colour = false};
  Picture picture = sample_space("rows", rows, data_space_aspect(options));
  picture.paths.clear();
  auto lines = lines_of(draw_text(picture, options));
  std::string chart;
  for (std::size_t i = 2; i + 2 < lines.size(); ++i)
    chart += lines[i].substr(std::min<std::size_t>(8, lines[i].size()));
  for (const char* glyph : {"o", "O", "@", "+", "*", "#", "%"}) EXPECT_EQ(count_of(chart, glyph), 1U) << glyph << chart;
}

TEST(DrawText, XorHasItsPointInCommonInTheMiddle) {
  const TextPlot options;
  const auto lines = lines_of(draw_text(sample_xor(data_space_aspect(options)), options));
  const auto with = std::count_if(lines.begin() + 2, lines.end(),
                                  [](const std::string& line) { return line.find("◆") != std::string::npos; });
  EXPECT_EQ(with, 1);
}

TEST(DrawText, BarsGrowWithMistakes) {
  const TextPlot options{.width = 80, .height = 12, .ascii = false, .colour = false};
  const auto lines = lines_of(draw_text(sample_mistakes(20), options));
  std::size_t before = 0;
  for (std::size_t i = 1; i + 2 < lines.size(); ++i) {
    const std::size_t full = count_of(lines[i], "█");
    EXPECT_GE(full, before) << lines[i];
    before = full;
  }
  EXPECT_GT(before, 20U);
}

const char* const kHostile = "<script>alert(1)</script>\x1b[2J\u202e\"'&\n";

Picture hostile(double aspect) {
  Picture picture = sample_and(aspect);
  picture.about.title = kHostile;
  picture.about.class_names = {kHostile, std::string(5000, 'x')};
  picture.plane->x.name = kHostile;
  picture.plane->y.name = std::string("\xff\xfe") + kHostile;
  add_classifier(picture, kHostile, 1, 2, -1, false);
  picture.sentences.clear();
  return picture;
}

TEST(DrawText, ShowsNamesThatATerminalWouldObeyAsText) {
  const TextPlot options;
  const std::string text = draw_text(hostile(data_space_aspect(options)), options);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 80U);
}

TEST(DrawSvg, IsTheSameBytesEachTimeAndSmall) {
  const SvgPlot options;
  const double aspect = data_space_aspect(options);
  const auto first = every_sample(aspect), second = every_sample(aspect);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string svg = draw_svg(first[i], options);
    EXPECT_EQ(svg, draw_svg(second[i], options));
    EXPECT_LT(svg.size(), 20'000U);
    EXPECT_EQ(count_of(svg, "<svg "), 1U);
    EXPECT_EQ(count_of(svg, "<title>"), 1U);
    EXPECT_EQ(count_of(svg, "nan"), 0U);
  }
}

TEST(DrawSvg, HoldsNamesAsText) {
  const SvgPlot options;
  const std::string svg = draw_svg(hostile(data_space_aspect(options)), options);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_LT(svg.size(), 20'000U);
}

TEST(DrawSvg, OfTwoThousandWrongRowsStaysUnder200kB) {
  std::vector<SampleRow> rows;
  for (int i = 0; i < 2000; ++i) rows.push_back({0.37 * (i % 97), 0.59 * (i % 89), i % 2});
  const SvgPlot options;
  Picture picture = sample_space("rows", rows, data_space_aspect(options));
  for (Picture::Points::At& at : picture.points->at) at.role = "wrong";
  const std::string svg = draw_svg(picture, options);
  EXPECT_LT(svg.size(), 200'000U);
  EXPECT_GT(svg.size(), 60'000U);
}

TEST(DrawSvg, TellsClassesByShapeAndColourAndComparesInGrey) {
  const SvgPlot options;
  const double aspect = data_space_aspect(options);
  const std::string one = draw_svg(sample_and(aspect), options);
  EXPECT_NE(one.find("stroke=\"#0b62a8\""), std::string::npos);
  EXPECT_NE(one.find("stroke=\"#b6500b\""), std::string::npos);
  EXPECT_NE(one.find("z = ±1"), std::string::npos);
  EXPECT_NE(one.find("support vector (3)"), std::string::npos);
  Picture both = sample_and(aspect);
  add_classifier(both, "second", 1, 1, -1.2, false);
  const std::string two = draw_svg(both, options);
  EXPECT_NE(two.find(">second</text>"), std::string::npos);
  EXPECT_NE(two.find("stroke-dasharray=\"9 5\""), std::string::npos);
  EXPECT_EQ(two.find("support vector"), std::string::npos);
}

TEST(DrawSvg, HasTheSizeThatIsAsked) {
  const std::string svg = draw_svg(sample_and(1), {.width = 900, .height = 300});
  EXPECT_NE(svg.find("width=\"900\" height=\"300\" viewBox=\"0 0 900 300\""), std::string::npos);
}

TEST(Words, AreCutAndWrappedByColumns) {
  EXPECT_EQ(cut_to("θ·x + θ0", 5), "θ·x…");
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcdef", 5, true), "ab...");
  EXPECT_EQ(columns_of("漢字"), 4U);
  EXPECT_EQ(wrapped("one two three four", 9, 3), (std::vector<std::string>{"one two", "three", "four"}));
  EXPECT_EQ(in_ascii("θ·x ≥ −1 漢"), "theta*x >= -1 ?");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(123), "123");
  EXPECT_EQ(tick_text(-0.0), "0");
}

}  // namespace
}  // namespace linsep
