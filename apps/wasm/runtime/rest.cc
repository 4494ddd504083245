// Names that the C++ library and the compiler's own library need.
#include <cstdint>
#include <cstdlib>

extern "C" {

/// A module never ends, so nothing is destroyed at its end.
int __cxa_thread_atexit(void* (*)(void*), void*, void*) { return 0; }

/// Debian's compiler-rt was compiled with guarded stacks.
std::uintptr_t __stack_chk_guard = 0x2f6e1d0a;
[[noreturn]] void __stack_chk_fail() { std::abort(); }

}  // extern "C"
