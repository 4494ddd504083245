#include "format/text/locate.h"

namespace linsep {

std::uint64_t line_of_row(const TextFormat& format, const Chunk& chunk, std::int64_t row) {
  // The longest run of whole rows with at most `row` rows, by bisection; the row begins behind it. Rows that are known
  // to belong to it aren't parsed again.
  std::uint64_t line = 0;
  std::size_t begin = 0;  // of the rows that aren't known to
  std::size_t low = 0;
  std::size_t high = chunk.text.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t whole = format.whole_rows(chunk.text.substr(begin, middle - begin));
    if (whole == 0) {
      low = middle;
      continue;
    }
    const Page page = format.parse({chunk.text.substr(begin, whole), chunk.first_byte + begin}).page;
    if (page.batch.rows > row) {
      high = middle;
    } else {
      low = middle;
      begin += whole;
      row -= page.batch.rows;
      line += page.lines;
    }
  }
  return line;
}

}  // namespace linsep
