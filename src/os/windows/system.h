// Shared by all files of this folder: Windows.h without its macros, text for the system and numbers of errors.
#pragma once

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <winsock2.h>

#include <windows.h>

#include <string>
#include <string_view>

namespace linsep {

/// UTF-8 in the system's encoding, and back. Invalid UTF-8 becomes the replacement character.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);

/// The number in <cerrno> for one of the system's, by default that of the last failure in this thread.
int error_number(DWORD failure = ::GetLastError());

}  // namespace linsep
