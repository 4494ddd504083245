// How a text was read, as bytes: for page files and for other workers.
#pragma once

#include <string>
#include <vector>

#include "core/bytes.h"
#include "linsep/source.h"

namespace linsep {

inline void write_words(ByteWriter& writer, const std::vector<std::string>& words) {
  writer.number<std::uint64_t>(words.size());
  for (const std::string& word : words) writer.text(word);
}

inline std::vector<std::string> read_words(ByteReader& reader) {
  std::vector<std::string> words;
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) words.push_back(reader.text());
  return words;
}

inline void write_reading(ByteWriter& writer, const Reading& reading) {
  writer.text(reading.format);
  writer.text(reading.delimiter);
  writer.number<std::uint8_t>(reading.header ? 1 : 0);
  writer.text(reading.label);
  write_words(writer, reading.left_out);
}

inline Reading read_reading(ByteReader& reader) {
  Reading reading;
  reading.format = reader.text();
  reading.delimiter = reader.text();
  reading.header = reader.number<std::uint8_t>() != 0;
  reading.label = reader.text();
  reading.left_out = read_words(reader);
  return reading;
}

}  // namespace linsep
