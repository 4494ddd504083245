#include <fmt/format.h>

#include "picture/page/html.h"
#include "picture/page/tables.h"

namespace linsep {

std::string witness_table(const Picture& picture) {
  if (!picture.proof || picture.proof->witness.empty()) return "";
  const auto& witness = picture.proof->witness;
  return html_table(
      "Rows of the proof",
      {{"row"}, {"id", false}, {"class", false}, {"exact weight", false}, {"share of its class"}, {"values", false}},
      witness.size(), [&](std::size_t r, std::size_t c) {
        const auto& one = witness[r];
        switch (c) {
          case 0:
            return html_count(one.row + 1);
          case 1:
            return html_name(one.id);
          case 2:
            return class_name(picture, one.label);
          case 3:
            return html_name(one.alpha);
          case 4:
            return html_number(one.share);
          default:
            return html_name(one.text);
        }
      });
}

std::string means_table(const Picture& picture) {
  if (!picture.proof || picture.proof->means.empty()) return "";
  const auto& means = picture.proof->means;
  return html_table("Weighted means of the classes", {{"feature", false}, {"negative class"}, {"positive class"}},
                    means.size(), [&](std::size_t r, std::size_t c) {
                      return c == 0   ? html_name(means[r].name)
                             : c == 1 ? html_number(means[r].negative)
                                      : html_number(means[r].positive);
                    });
}

std::string least_table(const Picture& picture) {
  if (!picture.proof || (!picture.proof->mistakes_at_least && !picture.proof->mistakes_at_most)) return "";
  std::vector<std::pair<std::string, std::int64_t>> lines;
  if (const auto& low = picture.proof->mistakes_at_least) lines.emplace_back("every linear classifier, at least", *low);
  if (const auto& high = picture.proof->mistakes_at_most) lines.emplace_back("the best found, at most", *high);
  for (const auto& model : picture.models) {
    if (model.mistakes) lines.emplace_back(model.name, *model.mistakes);
  }
  return html_table("Mistakes", {{"of", false}, {"rows wrong"}}, lines.size(), [&](std::size_t r, std::size_t c) {
    return c == 0 ? html_name(lines[r].first) : html_count(lines[r].second);
  });
}

std::string packing_list(const Picture& picture) {
  if (!picture.proof || picture.proof->packing.empty()) return "";
  const auto& packing = picture.proof->packing;
  return html_table("Sets of rows that can't be separated, no row in two of them", {{"set"}, {"rows", false}},
                    packing.size(), [&](std::size_t r, std::size_t c) {
                      if (c == 0) return html_count(static_cast<std::int64_t>(r) + 1);
                      std::string rows;
                      for (const std::int64_t row : packing[r])
                        rows += (rows.empty() ? "" : ", ") + html_count(row + 1);
                      return rows;
                    });
}

std::string comparison_table(const Picture& picture) {
  if (picture.models.size() < 2) return "";
  const auto& models = picture.models;
  const auto count = [](const std::optional<std::int64_t>& number) { return number ? html_count(*number) : "–"; };
  return html_table("Classifiers",
                    {{"name", false},
                     {"learner", false},
                     {"rows wrong"},
                     {"error"},
                     {"margin"},
                     {"‖θ‖"},
                     {"seconds"},
                     {"disagreements"}},
                    models.size(), [&](std::size_t r, std::size_t c) {
                      const auto& model = models[r];
                      switch (c) {
                        case 0:
                          return html_name(model.name);
                        case 1:
                          return html_name(model.description.empty() ? model.learner : model.description);
                        case 2:
                          return count(model.mistakes);
                        case 3:
                          return html_number(model.error);
                        case 4:
                          return html_number(model.margin);
                        case 5:
                          return html_number(model.norm);
                        case 6:
                          return html_number(model.seconds);
                        default:
                          return count(model.disagreements);
                      }
                    });
}

std::string made_table(const Picture& picture) {
  if (picture.made.empty()) return "";
  std::string out = "<dl class=\"made\">\n";
  for (const auto& line : picture.made) {
    const bool command = line.value.starts_with("linsep ");
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(line.name),
                       command ? "<code>" + html_text(line.value) + "</code>" : html_sentence(line.value));
  }
  return out + "</dl>\n";
}

}  // namespace linsep
