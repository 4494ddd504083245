#include "os/process.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "linsep/error.h"
#include "os/windows/system.h"
// After Windows.h, which it needs.
#include <bcrypt.h>
#include <shellapi.h>

namespace linsep {
namespace {

std::atomic<bool> flag{false}, terminated{false}, woken{false};

const char* lost_page_message = "";
int lost_page_code = 1;

/// Runs in a thread of the system's. The second one is left to the system, which ends the program. Returning from any
/// but Ctrl-C and Ctrl-Break ends it too.
BOOL WINAPI on_interrupt(DWORD event) {
  const bool returns = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  if (!returns) terminated = true;
  if (flag.exchange(true) && returns) return FALSE;
  woken = true;
  if (!returns) ::Sleep(INFINITE);
  return TRUE;
}

LONG CALLBACK on_lost_page(EXCEPTION_POINTERS* what) {
  if (what->ExceptionRecord->ExceptionCode != EXCEPTION_IN_PAGE_ERROR) return EXCEPTION_CONTINUE_SEARCH;
  DWORD written = 0;
  const auto size = static_cast<DWORD>(std::strlen(lost_page_message));
  ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), lost_page_message, size, &written, nullptr);
  end_process(lost_page_code);
}

}  // namespace

void catch_lost_pages(const char* message, int code) {
  lost_page_message = message;
  lost_page_code = code;
  ::AddVectoredExceptionHandler(1, on_lost_page);
}

void catch_interrupt() { ::SetConsoleCtrlHandler(on_interrupt, TRUE); }

const std::atomic<bool>& interrupt_flag() { return flag; }

const std::atomic<bool>& wake_flag() { return woken; }

void wake_after(double seconds) {
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    woken = true;
  }).detach();
}

bool was_terminated() { return terminated; }

std::int64_t process_id() { return ::GetCurrentProcessId(); }

void end_process(int code) {
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(code));
  std::abort();
}

// No process forks here.
QuietStart::QuietStart() = default;
QuietStart::~QuietStart() = default;
void begin_forks_with(void (* /*function*/)()) {}

int allowed_cpus() {
  DWORD_PTR own = 0, all = 0;
  // Both are 0 if the process runs in several groups of processors.
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &own, &all) != 0 && own != 0) return std::popcount(own);
  return std::max(1, static_cast<int>(::GetActiveProcessorCount(ALL_PROCESSOR_GROUPS)));
}

bool open_in_browser(const std::string& path) {
  constexpr INT_PTR kLargestFailure = 32;
  const HINSTANCE answer = ::ShellExecuteW(nullptr, L"open", wide(path).c_str(), nullptr, nullptr, SW_SHOWNORMAL);
  return reinterpret_cast<INT_PTR>(answer) > kLargestFailure;
}

std::string host_name() {
  std::wstring name(256, L'\0');
  auto size = static_cast<DWORD>(name.size());
  if (::GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) == 0 || size == 0) return "unknown host";
  return narrow(std::wstring_view(name).substr(0, size));
}

void fill_randomly(void* bytes, std::size_t size) {
  const auto count = static_cast<ULONG>(size);
  if (::BCryptGenRandom(nullptr, static_cast<PUCHAR>(bytes), count, BCRYPT_USE_SYSTEM_PREFERRED_RNG) >= 0) return;
  throw system_error("no random numbers from the system");
}

}  // namespace linsep
