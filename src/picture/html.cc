#include "picture/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "report/words.h"

namespace linsep {
namespace {

constexpr std::size_t kMostNameCharacters = 60;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

void append_character(std::string& out, std::string_view character, std::uint32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) || code >= 0xfffe;
  if (control) {
    out += kReplacement;
  } else if (code == '<') {
    out += "&lt;";
  } else if (code == '>') {
    out += "&gt;";
  } else if (code == '&') {
    out += "&amp;";
  } else if (code == '"') {
    out += "&quot;";
  } else if (code == '\'') {
    out += "&#39;";
  } else {
    out += character;
  }
}

/// At most `most` characters of `text` as HTML. Sets `text` to what is left.
std::string take(std::string_view& text, std::size_t most) {
  std::string out;
  for (; most > 0 && !text.empty(); --most) {
    const CodePoint point = first_code_point(text);
    if (point.size == 0) {
      out += kReplacement;
    } else {
      append_character(out, text.substr(0, point.size), point.code);
    }
    text.remove_prefix(std::max<std::size_t>(point.size, 1));
  }
  return out;
}

}  // namespace

std::string html_text(std::string_view text) { return take(text, text.size()); }

std::string html_name(std::string_view name) {
  std::string_view rest = name;
  std::string shown = take(rest, kMostNameCharacters);
  if (rest.empty()) return "<bdi>" + shown + "</bdi>";
  return fmt::format(R"(<bdi title="{}">{}…</bdi>)", html_text(name), shown);
}

std::string html_sentence(std::string_view text) {
  std::string out;
  bool code = false;
  while (true) {
    const std::size_t tick = text.find('`');
    out += html_text(text.substr(0, tick));
    if (tick == std::string_view::npos) break;
    out += code ? "</code>" : "<code>";
    code = !code;
    text.remove_prefix(tick + 1);
  }
  return code ? out + "</code>" : out;
}

std::string base64_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t size = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < size ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += j <= size ? kDigits[bits >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

std::string html_download(std::string_view name, std::string_view json) {
  return fmt::format(R"(<a download="{0}" href="data:application/json;base64,{1}">{0}</a>)", html_text(name),
                     base64_text(json));
}

std::string html_count(std::int64_t number) {
  const auto size = static_cast<std::uint64_t>(number);
  return number < 0 ? fmt::format("-{}", with_commas(0 - size)) : with_commas(size);
}

std::string html_number(double number) {
  if (std::isnan(number)) return "–";
  if (std::isinf(number)) return number > 0 ? "∞" : "-∞";
  return fmt::format("{:.6g}", number == 0 ? 0.0 : number);
}

std::string html_number(const std::optional<double>& number) { return number ? html_number(*number) : "–"; }

std::string html_table(std::string_view caption, const std::vector<HtmlColumn>& columns, std::size_t rows,
                       const std::function<std::string(std::size_t, std::size_t)>& cell) {
  const std::size_t shown = std::min(rows, kMostTableRows);
  std::string said = html_text(caption);
  if (shown < rows) {
    said += fmt::format(" (the first {} of {}; “Save CSV” has all)", html_count(static_cast<std::int64_t>(shown)),
                        html_count(static_cast<std::int64_t>(rows)));
  }
  std::string out = fmt::format(
      R"(<div class="scroll" role="region" tabindex="0" aria-label="{0}"><table><caption>{0}</caption><thead><tr>)",
      said);
  const auto kind = [&](std::size_t c) { return columns[c].number ? R"( class="number")" : ""; };
  for (std::size_t c = 0; c < columns.size(); ++c) {
    out += fmt::format(R"(<th scope="col"{}>{}</th>)", kind(c), html_name(columns[c].name));
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < shown; ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const char* tag = c == 0 ? R"(th scope="row")" : "td";
      out += fmt::format("<{}{}>{}</{}>", tag, kind(c), cell(r, c), c == 0 ? "th" : "td");
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  return out;
}

}  // namespace linsep
