#include "picture/words.h"

#include <fmt/format.h>

#include "core/with_commas.h"

namespace linsep {

std::string count_text(std::int64_t number) {
  if (number < 0) return "−" + with_commas(static_cast<std::uint64_t>(-number));
  return with_commas(static_cast<std::uint64_t>(number));
}

std::string counted_text(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(number), noun, number == 1 ? "" : "s");
}

}  // namespace linsep
