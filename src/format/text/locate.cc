#include "format/text/locate.h"

namespace linsep {

std::uint64_t line_of_row(const TextFormat& format, const Chunk& chunk, std::int64_t row) {
  // The longest run of whole rows with at most `row` rows, by bisection; the row begins behind it.
  std::uint64_t line = 0;
  std::size_t low = 0;
  std::size_t high = chunk.text.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t whole = format.whole_rows(chunk.text.substr(0, middle));
    if (whole == 0) {
      low = middle;
      continue;
    }
    const Page page = format.parse({chunk.text.substr(0, whole), chunk.first_byte}).page;
    if (page.batch.rows > row) {
      high = middle;
    } else {
      low = middle;
      line = page.lines;
    }
  }
  return line;
}

}  // namespace linsep
