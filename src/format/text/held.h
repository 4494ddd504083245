// Inputs that give their bytes once (standard input, pipes), kept so that they can be read again.
#pragma once

#include <memory>
#include <string>

#include "format/text/bytes.h"
#include "linsep/read.h"

namespace linsep {

/// Reads all of an input that can't be opened again and keeps its bytes, as they come, for every later `open_bytes` of
/// this path: in memory up to 64 MB (with `options.memory` up to an eighth of it), beyond in a temporary file. Does
/// nothing for an ordinary file.
void hold_input(const std::string& path, const ReadOptions& options);

/// The next `open_bytes` of this path is the last that reads what is held.
void release_input(const std::string& path);

/// Of an input that can't be opened again: the next `open_bytes` of this path may read some of its bytes and leave it;
/// the one after that begins with those bytes and goes on with the rest. Does nothing for an ordinary file.
void hold_beginning(const std::string& path);

/// What is to be read of an input, `raw` being its own bytes: these, or what is held of them.
ReadBytes read_held(const std::string& path, ReadBytes raw);

}  // namespace linsep
