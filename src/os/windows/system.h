// What all files of this folder need: Windows.h without its macros, text for the system and numbers of errors.
#pragma once

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <winsock2.h>

#include <windows.h>

#include <string>
#include <string_view>

namespace linsep {

/// UTF-8 as the system wants it, and back. What is no UTF-8 becomes the sign for that.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);

/// The number in <cerrno> for one of the system's, by default that of the last failure in this thread.
int error_number(DWORD failure = ::GetLastError());

}  // namespace linsep
