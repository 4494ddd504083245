#include <string_view>

#include "core/utf8.h"
#include "linsep/tools/shown_text.h"
#include "picture/parts.h"

namespace linsep {

std::string short_name(std::string_view name) {
  constexpr std::size_t kMost = 60, kBytes = 4 * kMost;
  std::string shown = shown_text(name.substr(0, kBytes));
  std::size_t at = 0, count = 0;
  while (at < shown.size() && count < kMost - 1) {
    at += std::max<std::size_t>(first_code_point(std::string_view(shown).substr(at)).size, 1);
    ++count;
  }
  if (at >= shown.size() && name.size() <= kBytes) return shown;
  const bool one_left = at < shown.size() && name.size() <= kBytes &&
                        at + first_code_point(std::string_view(shown).substr(at)).size >= shown.size();
  if (one_left) return shown;
  shown.resize(std::min(at, shown.size()));
  return shown + "…";
}

}  // namespace linsep
