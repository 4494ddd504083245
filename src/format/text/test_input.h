// Inputs for tests: files that go away, compressed bytes, chunks, and what came out of a parser as comparable values.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "format/text/chunker.h"
#include "format/text/format.h"
#include "linsep/source.h"

namespace linsep::test {

/// A file with these bytes, removed at the end. `ending` is the end of its name.
class TempFile {
 public:
  explicit TempFile(std::string_view bytes, std::string_view ending = ".svm") {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("linsep_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + std::string(ending));
    write(bytes);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string path_;
};

/// The bytes as standard input, as long as this lives. REQUIRES: few enough for a pipe.
class StandardInput {
 public:
  explicit StandardInput(std::string_view bytes) : saved_(::dup(STDIN_FILENO)) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0 || ::write(ends[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      ADD_FAILURE() << "no pipe for the test";
    }
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

inline std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  std::string in(bytes);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd_packed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()) + 16, '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  return out;
}

/// Rows by value: equal if and only if every bit is.
struct PlainRow {
  std::uint64_t label = 0;  ///< the bits of the double
  std::string word;         ///< where labels are words
  std::vector<std::uint32_t> column;
  std::vector<std::uint64_t> value;  ///< the bits of the value as a double
  bool operator==(const PlainRow&) const = default;
};
using PlainRows = std::vector<PlainRow>;

inline void append_rows(const Batch& batch, const std::vector<std::string>& words, PlainRows& rows) {
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    PlainRow plain;
    const double label = batch.label[static_cast<std::size_t>(i)];
    if (words.empty()) {
      plain.label = std::bit_cast<std::uint64_t>(label);
    } else {
      plain.word = words.at(static_cast<std::size_t>(label));
    }
    for_each_entry(row, [&](std::uint32_t column, double value) {
      plain.column.push_back(column);
      plain.value.push_back(std::bit_cast<std::uint64_t>(value));
    });
    rows.push_back(std::move(plain));
  });
}

/// All rows of a source from its beginning.
inline PlainRows rows_of(Source& source) {
  PlainRows rows;
  source.rewind(0);
  while (const auto batch = source.next()) {
    EXPECT_EQ(batch->first_row, static_cast<std::int64_t>(rows.size()));
    append_rows(*batch, {}, rows);
  }
  return rows;
}

/// What a parser makes of a text given as one chunk: rows, or the error as "line:column: message", lines from 1.
inline std::variant<PlainRows, std::string> parsed(const TextFormat& format, std::string_view text) {
  ChunkBuffer buffer;
  buffer.grow(text.size() + 1, 0);
  std::copy(text.begin(), text.end(), buffer.data());
  buffer.size = text.size();
  buffer.data()[text.size()] = '\n';
  try {
    const ParsedPage page = format.parse(buffer.chunk());
    PlainRows rows;
    append_rows(page.page.batch, page.label_words, rows);
    return rows;
  } catch (const TextError& error) {
    return std::to_string(error.line + 1) + ":" + std::to_string(error.column) + ": " + error.message;
  }
}

}  // namespace linsep::test
