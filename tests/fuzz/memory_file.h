// MemoryFile: a file that lies in memory and can be opened by its path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "target.h"

namespace linsep::fuzz {

class MemoryFile {
 public:
  MemoryFile() : number_(::memfd_create("linsep", 0)), path_("/proc/self/fd/" + std::to_string(number_)) {
    must(number_ >= 0, "there is no file in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(number_); }

  const std::string& path() const { return path_; }
  /// The file holds these bytes from now on.
  void write(std::string_view bytes) const {
    must(::ftruncate(number_, 0) == 0, "a file in memory can't be emptied");
    must(::pwrite(number_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
         "a file in memory can't be written");
  }

 private:
  int number_;
  std::string path_;
};

}  // namespace linsep::fuzz
