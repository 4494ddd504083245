// Handles are kept as the numbers of the C library. Every file is opened so that others may read, rename and remove it.
#include "os/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/windows/system.h"
// After Windows.h, which it needs.
#include <sddl.h>

namespace linsep {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // bytes, for calls that take 32 bits
constexpr std::string_view kSeparators = "/\\";

HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(::_get_osfhandle(number)); }

/// −1, with errno set, if there is no such handle.
int number_of(HANDLE handle) {
  if (handle == INVALID_HANDLE_VALUE) {
    errno = error_number();
    return -1;
  }
  const int number = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), _O_BINARY | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return number;
}

int opened(const std::string& path, DWORD access, DWORD sharing, DWORD whether, DWORD flags,
           SECURITY_ATTRIBUTES* security = nullptr) {
  return number_of(::CreateFileW(wide(path).c_str(), access, sharing, security, whether, flags, nullptr));
}

/// Another number for the same open file.
int again(int number) {
  HANDLE copy = INVALID_HANDLE_VALUE;
  const HANDLE own = ::GetCurrentProcess();
  if (::DuplicateHandle(own, handle_of(number), own, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) {
    copy = INVALID_HANDLE_VALUE;
  }
  return number_of(copy);
}

OVERLAPPED at(std::uint64_t place) {
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(place);
  where.OffsetHigh = static_cast<DWORD>(place >> 32);
  return where;
}

DWORD at_once(std::size_t bytes) { return static_cast<DWORD>(std::min(bytes, kMostAtOnce)); }

/// Returns how many bytes were read, which are fewer than asked for only at the end.
std::size_t read_from(int number, std::uint64_t place, std::span<char> to, const std::string& name) {
  std::size_t got = 0;
  while (got < to.size()) {
    OVERLAPPED where = at(place + got);
    DWORD more = 0;
    const bool read = ::ReadFile(handle_of(number), to.data() + got, at_once(to.size() - got), &more, &where) != 0;
    if (!read && ::GetLastError() != ERROR_HANDLE_EOF) throw file_failure(name, "can't be read", error_number());
    if (more == 0) break;
    got += more;
  }
  return got;
}

/// Opening it to look at it would take it from a process that wants to read it.
bool is_named_pipe(const std::string& path) {
  std::string start = path.substr(0, 9);
  std::replace(start.begin(), start.end(), '/', '\\');
  return start == R"(\\.\pipe\)";
}

std::optional<FileStatus> status_of(HANDLE handle) {
  FileStatus found;
  const DWORD type = ::GetFileType(handle);
  if (type == FILE_TYPE_PIPE) found.kind = FileStatus::Kind::kPipe;
  if (type != FILE_TYPE_DISK) return found;
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileInformationByHandle(handle, &info) == 0) return std::nullopt;
  const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  const bool directory = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  found.kind = directory ? FileStatus::Kind::kDirectory : FileStatus::Kind::kRegular;
  found.size = joined(info.nFileSizeHigh, info.nFileSizeLow);
  found.device = info.dwVolumeSerialNumber;
  found.number = joined(info.nFileIndexHigh, info.nFileIndexLow);
  // In 100 ns since 1601, but the result is in seconds since 1970.
  constexpr std::int64_t kSecond = 10'000'000, kYears = 11'644'473'600;
  const auto time =
      static_cast<std::int64_t>(joined(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime));
  found.seconds = time / kSecond - kYears;
  found.nanoseconds = time % kSecond * 100;
  FILE_BASIC_INFO basic{};
  if (::GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) != 0) {
    found.changed_seconds = basic.ChangeTime.QuadPart / kSecond - kYears;
    found.changed_nanoseconds = basic.ChangeTime.QuadPart % kSecond * 100;
  }
  found.mode = (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0444 : 0666;
  return found;
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.find_last_of(kSeparators);
  if (slash == std::string::npos) return path.size() >= 2 && path[1] == ':' ? path.substr(0, 2) : ".";
  const bool root = slash == 0 || (slash == 2 && path[1] == ':');
  return path.substr(0, root ? slash + 1 : slash);
}

Target find_target(const std::string& path) {
  Target target;
  target.name = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(wide(target.name), error); ++links) {
    const fs::path link = fs::read_symlink(wide(target.name), error);
    if (error) throw file_failure(path, "can't be followed", error.default_error_condition().value());
    if (links == kMostLinks) throw file_failure(path, "can't be written", ELOOP);
    target.name = narrow((fs::path(wide(target.name)).parent_path() / link).native());
  }
  if (target.name.empty() || kSeparators.find(target.name.back()) != kSeparators.npos) {
    throw file_failure(path, "can't be written", EISDIR);
  }
  const std::optional<FileStatus> there = file_status(target.name);
  if (!there) return target;
  if (there->kind == FileStatus::Kind::kDirectory) throw file_failure(path, "can't be written", EISDIR);
  target.straight = !there->regular();
  if (!target.straight) target.mode = static_cast<unsigned>(there->mode);
  return target;
}

/// The system does it, because names are written with what they are names of.
void sync_directory_of(const std::string& /*path*/) {}

/// It can't be opened alone while its writer has it open.
bool is_abandoned(const std::string& path, std::int32_t process) {
  const HANDLE found = ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process));
  DWORD code = 0;
  const bool lives = found != nullptr && (::GetExitCodeProcess(found, &code) == 0 || code == STILL_ACTIVE);
  const bool unknown = found == nullptr && ::GetLastError() != ERROR_INVALID_PARAMETER;
  if (found != nullptr) ::CloseHandle(found);
  if (lives || unknown) return false;
  const int file = opened(path, GENERIC_READ, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  if (file >= 0) ::_close(file);
  return file >= 0;
}

/// Every file has a name here. This one goes when nobody has it open any more.
int open_nameless(const std::string& directory, unsigned /*mode*/) {
  return opened(temporary_name(directory + "\\linsep-pages"), GENERIC_READ | GENERIC_WRITE | DELETE, kShared,
                CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
}

NamedFile open_named(const std::string& name, const std::string& path, unsigned /*mode*/) {
  NamedFile file{-1, temporary_name(name)};
  file.number = opened(file.name, GENERIC_READ | GENERIC_WRITE | DELETE, kShared, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
  if (file.number < 0) throw file_failure(path, "can't be written", errno);
  return file;
}

StreamedFile::~StreamedFile() {
  if (number_ >= 0) ::_close(number_);
  if (!temporary_.empty()) ::DeleteFileW(wide(temporary_).c_str());
}

StreamedFile StreamedFile::beside(const std::string& path, const FileOptions& options) {
  const Target target = find_target(path);
  if (target.straight) throw file_failure(path, "can't be written", ESPIPE);
  if (target.mode && (*target.mode & 0200) == 0) throw file_failure(path, "can't be written", EACCES);
  remove_leftovers(target.name);
  NamedFile named = open_named(target.name, path, 0);
  StreamedFile file(named.number, target.name);
  file.temporary_ = std::move(named.name);
  file.pending_ = true;
  file.sync_ = options.sync;
  return file;
}

StreamedFile StreamedFile::to(const std::string& path, const FileOptions& options) {
  const Target target = find_target(path);
  if (!target.straight) return beside(path, options);
  const int number = opened(target.name, GENERIC_WRITE, kShared, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
  if (number < 0) throw file_failure(path, "can't be opened for writing", errno);
  return {number, path};
}

StreamedFile StreamedFile::nameless(const std::string& folder) {
  std::error_code error;
  std::string directory = folder.empty() ? narrow(fs::temp_directory_path(error).native()) : folder;
  if (error) directory = ".";
  while (directory.size() > 1 && kSeparators.find(directory.back()) != kSeparators.npos) directory.pop_back();
  const std::string name = fmt::format("a temporary file in {}", directory);
  StreamedFile file(open_nameless(directory, 0), name);
  if (file.number_ < 0) throw file_failure(name, "can't be written", errno);
  return file;
}

void StreamedFile::append(std::string_view bytes) {
  const bool anywhere = ::GetFileType(handle_of(number_)) == FILE_TYPE_DISK;
  while (!bytes.empty()) {
    OVERLAPPED where = at(size_);
    DWORD written = 0;
    const bool done = ::WriteFile(handle_of(number_), bytes.data(), at_once(bytes.size()), &written,
                                  anywhere ? &where : nullptr) != 0;
    broken_pipe_ = !done && error_number() == EPIPE;
    if (!done) throw file_failure(path_, "can't be written", error_number());
    bytes.remove_prefix(written);
    size_ += written;
  }
}

void StreamedFile::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    OVERLAPPED where = at(place);
    DWORD written = 0;
    if (::WriteFile(handle_of(number_), bytes.data(), at_once(bytes.size()), &written, &where) == 0) {
      throw file_failure(path_, "can't be written", error_number());
    }
    bytes.remove_prefix(written);
    place += written;
  }
}

void StreamedFile::read_at(std::uint64_t place, std::span<char> to) const {
  if (read_from(number_, place, to, path_) < to.size()) throw file_failure(path_, "can't be read", EIO);
}

/// Tries again with a file that somebody has open only for a moment, such as a virus scanner.
void StreamedFile::commit() {
  if (!pending_) return;
  if (sync_ && ::FlushFileBuffers(handle_of(number_)) == 0) {
    throw file_failure(path_, "can't be written", error_number());
  }
  constexpr int kMostAttempts = 20;
  constexpr DWORD kPause = 50;  // milliseconds
  const DWORD how = MOVEFILE_REPLACE_EXISTING | (sync_ ? MOVEFILE_WRITE_THROUGH : 0);
  for (int attempt = 1; ::MoveFileExW(wide(temporary_).c_str(), wide(path_).c_str(), how) == 0; ++attempt) {
    const DWORD failure = ::GetLastError();
    const bool busy = failure == ERROR_ACCESS_DENIED || failure == ERROR_SHARING_VIOLATION;
    if (!busy || attempt == kMostAttempts) throw file_failure(path_, "can't be replaced", error_number(failure));
    ::Sleep(kPause);
  }
  temporary_.clear();
  pending_ = false;
}

void try_to_write(const std::string& path) {
  const Target target = find_target(path);
  if (!target.straight) StreamedFile::beside(path, {.sync = false});
}

namespace {

/// The user who runs this process, as text like S-1-5-….
std::wstring own_user() {
  HANDLE token = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return L"";
  alignas(TOKEN_USER) char room[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD size = 0;
  const bool found = ::GetTokenInformation(token, TokenUser, room, sizeof room, &size) != 0;
  ::CloseHandle(token);
  LPWSTR text = nullptr;
  if (!found || ::ConvertSidToStringSidW(reinterpret_cast<TOKEN_USER*>(room)->User.Sid, &text) == 0) return L"";
  std::wstring user = text;
  ::LocalFree(text);
  return user;
}

}  // namespace

/// For this user alone, whatever the directory allows others.
void write_new_private_file(const std::string& path, std::string_view bytes) {
  const std::wstring rule = L"D:P(A;;FA;;;" + own_user() + L")";
  PSECURITY_DESCRIPTOR owner = nullptr;
  if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(rule.c_str(), SDDL_REVISION_1, &owner, nullptr) == 0) {
    throw file_failure(path, "can't be written", error_number());
  }
  const std::unique_ptr<void, decltype(&::LocalFree)> kept(owner, ::LocalFree);
  SECURITY_ATTRIBUTES security{sizeof security, owner, FALSE};
  const int file = opened(path, GENERIC_WRITE, 0, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, &security);
  if (file < 0) throw file_failure(path, "can't be written", errno);
  DWORD written = 0;
  const bool done = ::WriteFile(handle_of(file), bytes.data(), at_once(bytes.size()), &written, nullptr) != 0;
  const int error = done ? ENOSPC : error_number();
  ::_close(file);
  if (!done || written != bytes.size()) throw file_failure(path, "can't be written", error);
}

std::optional<FileStatus> file_status(const std::string& path) {
  if (is_named_pipe(path)) return FileStatus{.kind = FileStatus::Kind::kPipe};
  const int file = opened(path, FILE_READ_ATTRIBUTES, kShared, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (file < 0) return std::nullopt;
  const std::optional<FileStatus> found = status_of(handle_of(file));
  ::_close(file);
  return found;
}

unsigned process_user() { return 0; }

int reading_error(const std::string& path) {
  if (is_named_pipe(path)) return 0;
  const int file = opened(path, GENERIC_READ, kShared, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (file < 0) return errno;
  ::_close(file);
  return 0;
}

MappedBytes::~MappedBytes() {
  if (size_ > 0) ::UnmapViewOfFile(data_);
}

OpenFile::~OpenFile() {
  if (owned_) ::_close(number_);
}

OpenFile OpenFile::at(const std::string& path) {
  const int number = opened(path, GENERIC_READ, kShared, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (number < 0) throw file_failure(path, "can't be opened", errno);
  return {number, true, path};
}

OpenFile OpenFile::standard_input() { return {0, false, "standard input"}; }

OpenFile OpenFile::again(const StreamedFile& file, std::string name) {
  const int number = linsep::again(file.number_);
  if (number < 0) throw file_failure(file.path_, "can't be opened again", errno);
  return {number, true, std::move(name)};
}

FileStatus OpenFile::status() const {
  const std::optional<FileStatus> found = status_of(handle_of(number_));
  if (!found) throw file_failure(name_, "can't be read", error_number());
  return *found;
}

std::optional<std::size_t> OpenFile::read(std::span<char> to) {
  DWORD got = 0;
  if (::ReadFile(handle_of(number_), to.data(), at_once(to.size()), &got, nullptr) != 0) return got;
  const DWORD failure = ::GetLastError();
  if (failure == ERROR_BROKEN_PIPE || failure == ERROR_HANDLE_EOF) return 0;
  if (failure == ERROR_OPERATION_ABORTED) return std::nullopt;  // Ctrl-C
  throw file_failure(name_, "can't be read", error_number(failure));
}

/// Pipes can't be waited for, so they are asked again and again.
bool OpenFile::wait(int milliseconds) const {
  const HANDLE handle = handle_of(number_);
  const DWORD type = ::GetFileType(handle);
  if (type == FILE_TYPE_CHAR) return ::WaitForSingleObject(handle, static_cast<DWORD>(milliseconds)) != WAIT_TIMEOUT;
  if (type != FILE_TYPE_PIPE) return true;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    DWORD ready = 0;
    if (::PeekNamedPipe(handle, nullptr, 0, nullptr, &ready, nullptr) == 0 || ready > 0) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    ::Sleep(1);
  }
}

void OpenFile::seek(std::uint64_t place) {
  LARGE_INTEGER to{};
  to.QuadPart = static_cast<LONGLONG>(place);
  if (::SetFilePointerEx(handle_of(number_), to, nullptr, FILE_BEGIN) != 0) return;
  throw file_failure(name_, fmt::format("can't be read from its byte {}", place), error_number());
}

std::size_t OpenFile::read_at(std::uint64_t place, std::span<char> to) const {
  return read_from(number_, place, to, name_);
}

void OpenFile::will_need(std::uint64_t /*place*/, std::uint64_t /*bytes*/) const {}

MappedBytes OpenFile::map(std::uint64_t place, std::size_t bytes, bool now, const std::string& what) const {
  constexpr std::uint64_t kUnit = 64 * 1024;
  const auto skipped = static_cast<std::size_t>(place % kUnit);
  const std::uint64_t from = place - skipped;
  const HANDLE mapping = ::CreateFileMappingW(handle_of(number_), nullptr, PAGE_READONLY, 0, 0, nullptr);
  void* data = nullptr;
  if (mapping != nullptr) {
    data = ::MapViewOfFile(mapping, FILE_MAP_READ, static_cast<DWORD>(from >> 32), static_cast<DWORD>(from),
                           bytes + skipped);
  }
  const int error = error_number();
  if (mapping != nullptr) ::CloseHandle(mapping);  // what is mapped keeps it
  if (data == nullptr) throw file_failure(name_, fmt::format("{} can't be mapped", what), error);
  if (now) {
    WIN32_MEMORY_RANGE_ENTRY wanted{data, bytes + skipped};
    ::PrefetchVirtualMemory(::GetCurrentProcess(), 1, &wanted, 0);
  }
  return {data, bytes + skipped, skipped};
}

FileLock::~FileLock() {
  if (number_ >= 0) ::_close(number_);  // and the file goes
}

std::optional<FileLock> FileLock::take(const std::string& name) {
  const std::string path = name + ".lock";
  const int number = opened(path, GENERIC_READ | GENERIC_WRITE | DELETE, 0, OPEN_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE);
  if (number >= 0) return FileLock(number, path);
  if (errno == EBUSY) return std::nullopt;
  throw file_failure(name, "can't be written", errno);
}

}  // namespace linsep
