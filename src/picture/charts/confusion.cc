#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/words.h"

namespace linsep {
namespace {

void add(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  constexpr std::size_t kMost = 30;
  if (!gathered.evaluation || gathered.evaluation->confusion.empty()) return;
  const std::vector<std::int64_t>& all = gathered.evaluation->confusion;
  const std::vector<std::string>& names = input.models.front().model->schema.classes;
  const std::size_t k = scores_per_row(*input.models.front().model);
  std::vector<std::int64_t> confused(k);
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b) continue;
      confused[a] += all[a * k + b];
      confused[b] += all[a * k + b];
    }
  }
  std::vector<std::size_t> shown(k);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::ranges::stable_sort(shown, std::ranges::greater{}, [&](std::size_t c) { return confused[c]; });
  shown.resize(std::min(k, kMost));
  std::ranges::sort(shown);
  Picture::Confusion& confusion = *(picture.confusion = Picture::Confusion{});
  confusion.left_out = static_cast<std::int64_t>(k - shown.size());
  for (const std::size_t a : shown) {
    confusion.classes.push_back(a < names.size() ? short_text(names[a]) : std::to_string(a + 1));
    for (const std::size_t b : shown) confusion.counts.push_back(all[a * k + b]);
  }
}

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.confusion) return;
  const Picture::Confusion& confusion = *picture.confusion;
  out.key("confusion");
  out.open('{');
  out.field("classes", confusion.classes);
  out.field("counts", confusion.counts);
  out.field("left_out", confusion.left_out);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  if (!writer.picture.confusion) return;
  const Picture::Confusion& table = *writer.picture.confusion;
  const std::size_t k = table.classes.size();
  std::size_t most = 0;
  std::int64_t rows = 0;
  for (std::size_t cell = 0; cell < table.counts.size(); ++cell) {
    if (cell / k != cell % k && table.counts[cell] > rows) {
      rows = table.counts[cell];
      most = cell;
    }
  }
  std::string text = wrong_text(writer);
  if (rows > 0) {
    if (!text.empty()) text.pop_back();
    text += fmt::format("{}the most frequent confusion is {} predicted as {}: {}.", text.empty() ? "" : "; ",
                        table.classes[most / k], table.classes[most % k], counted(rows, "row"));
  }
  writer.headline("confusion", text);
  writer.caption("confusion", "Rows by true class and predicted class. The diagonal is correct.");
  if (table.left_out > 0) {
    writer.note("confusion", fmt::format("Only the {} most confused classes are shown; {} are left out.", k,
                                         with_commas(table.left_out)));
  }
}

std::string table(const Picture& picture) {
  if (!picture.confusion) return "";
  const auto& confusion = *picture.confusion;
  const std::size_t k = confusion.classes.size();
  std::vector<HtmlColumn> columns = {{"true class, down; predicted, across", false}};
  for (const auto& name : confusion.classes) columns.push_back({name});
  return html_table("Rows by true and predicted class", columns, k, [&](std::size_t r, std::size_t c) {
    return c == 0 ? html_name(confusion.classes[r]) : html_count(confusion.counts[r * k + c - 1]);
  });
}

}  // namespace

const ReportChart kConfusionChart = {
    "confusion", "Confusion", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.confusion.has_value();
    }};

}  // namespace linsep
