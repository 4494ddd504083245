#include "picture/page/html.h"
#include "picture/page/tables.h"

namespace linsep {
namespace {

std::string count_or_dash(const std::optional<std::int64_t>& number) { return number ? html_count(*number) : "–"; }

}  // namespace

std::string class_name(const Picture& picture, std::int64_t label) {
  const auto at = static_cast<std::size_t>(label);
  if (label >= 0 && at < picture.about.class_names.size()) return html_name(picture.about.class_names[at]);
  if (label >= 0 && at < picture.about.classes.size()) return html_name(picture.about.classes[at]);
  return "–";
}

std::string progress_table(const Picture& picture) {
  if (!picture.history) return "";
  const auto& passes = picture.history->passes;
  bool objective = false;
  for (const auto& pass : passes) objective = objective || pass.objective;
  if (!objective) return "";
  return html_table("Passes", {{"pass"}, {"seconds"}, {"objective"}, {"lower bound"}, {"gap"}}, passes.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& pass = passes[r];
                      return c == 0   ? html_count(pass.pass)
                             : c == 1 ? html_number(pass.seconds)
                             : c == 2 ? html_number(pass.objective)
                             : c == 3 ? html_number(pass.lower_bound)
                                      : html_number(pass.gap);
                    });
}

std::string mistakes_table(const Picture& picture) {
  if (!picture.history) return "";
  const auto& passes = picture.history->passes;
  bool counted = false;
  for (const auto& pass : passes) counted = counted || pass.mistakes;
  if (!counted) return "";
  return html_table("Mistakes by pass", {{"pass"}, {"mistakes"}, {"so far"}}, passes.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& pass = passes[r];
                      return c == 0   ? html_count(pass.pass)
                             : c == 1 ? count_or_dash(pass.mistakes)
                                      : count_or_dash(pass.mistakes_so_far);
                    });
}

std::string alpha_table(const Picture& picture) {
  if (!picture.alpha) return "";
  const auto& rows = picture.alpha->rows;
  return html_table("Mistakes by row", {{"row"}, {"id", false}, {"class", false}, {"mistakes"}}, rows.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& row = rows[r];
                      return c == 0   ? html_count(row.row + 1)
                             : c == 1 ? html_name(row.id)
                             : c == 2 ? class_name(picture, row.label)
                                      : html_count(row.alpha);
                    });
}

}  // namespace linsep
