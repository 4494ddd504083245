#include "format/pages/memory.h"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace linsep {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirstBlock = std::size_t{64} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::shared_ptr<std::byte> allocate(std::size_t bytes) {
#ifdef __linux__
  if (bytes >= 2 * kHugePage) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    ::madvise(mapped, bytes, MADV_HUGEPAGE);
    return {static_cast<std::byte*>(mapped), [bytes](std::byte* p) { ::munmap(p, bytes); }};
  }
#endif
  constexpr auto kAlign = std::align_val_t{kAlignment};
  return {static_cast<std::byte*>(::operator new(bytes, kAlign)), [](std::byte* p) { ::operator delete(p, kAlign); }};
}

}  // namespace

std::byte* PageMemory::reserve(std::size_t bytes) {
  if (size_ - used_ < bytes) {
    const std::size_t next = std::min(std::max(2 * size_, kFirstBlock), largest_block_);
    const std::size_t size = std::max(next, round_up(bytes, kAlignment));
    block_ = allocate(size);
    size_ = size;
    used_ = 0;
  }
  return block_.get() + used_;
}

std::shared_ptr<void> PageMemory::keep(std::size_t bytes) {
  used_ = std::min(round_up(used_ + bytes, kAlignment), size_);
  return block_;
}

}  // namespace linsep
