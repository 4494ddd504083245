// Rows of a file read again, exactly as they were written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/memory_source.h"
#include "data/page.h"
#include "format/text_input.h"
#include "linsep/read.h"

namespace linsep {

/// Reads again just the chunks that hold the rows asked for: by position in a plain file, by going through a compressed
/// one. Throws an input Error if the file has changed since `input` was opened, a usage Error for standard input.
/// Keeps nothing of the pages but where they lie.
WrittenReader reread_pages(const std::string& path, const TextInput& input, std::span<const Page> pages);

/// The rows asked for (ascending), from an input that has just been opened.
std::vector<WrittenRow> reread_rows(TextInput& input, std::span<const std::int64_t> rows);

/// Thrown for an input that can be read only once.
Error read_once_error(const std::string& name);

}  // namespace linsep
