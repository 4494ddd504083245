#include "os/socket.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include "linsep/error.h"
#include "os/windows/system.h"
// After Windows.h, which it needs.
#include <ws2tcpip.h>

namespace linsep {
namespace {

/// The system must be notified once that sockets are used.
void begin() {
  static const int failure = [] {
    WSADATA about{};
    return ::WSAStartup(MAKEWORD(2, 2), &about);
  }();
  if (failure != 0) throw system_error("sockets: " + std::system_category().message(failure));
}

Error failed(const std::string& what) {
  return system_error(what + ": " + std::system_category().message(::WSAGetLastError()));
}

Address made(const sockaddr* address, std::size_t length) { return {{reinterpret_cast<const char*>(address), length}}; }

sockaddr_storage storage_of(const Address& address) {
  sockaddr_storage storage{};
  if (address.bytes.size() > sizeof storage) throw system_error("no address of a worker");
  std::memcpy(&storage, address.bytes.data(), address.bytes.size());
  return storage;
}

SOCKET handle_of(int number) { return static_cast<SOCKET>(number); }

/// Handles have 32 bits. −1 if there is none.
int number_of(SOCKET handle) { return handle == INVALID_SOCKET ? -1 : static_cast<int>(handle); }

int make_socket(int family) {
  begin();
  return number_of(::WSASocketW(family, SOCK_STREAM, 0, nullptr, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT));
}

bool wait_for(std::span<WSAPOLLFD> waiting, int milliseconds) {
  const int count = ::WSAPoll(waiting.data(), static_cast<ULONG>(waiting.size()), milliseconds);
  if (count < 0) throw failed("waiting for a worker");
  return count > 0;
}

bool wait_for(int number, short events, int milliseconds) {
  WSAPOLLFD waiting{handle_of(number), events, 0};
  return wait_for({&waiting, 1}, milliseconds);
}

int at_once(std::size_t bytes) { return static_cast<int>(std::min(bytes, std::size_t{1} << 30)); }

void dont_wait(int number) {
  u_long yes = 1;
  ::ioctlsocket(handle_of(number), static_cast<long>(FIONBIO), &yes);
}

}  // namespace

std::string Address::text() const {
  begin();
  const sockaddr_storage storage = storage_of(*this);
  char number[NI_MAXHOST] = "?";
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&storage), static_cast<socklen_t>(bytes.size()), number,
                sizeof number, nullptr, 0, NI_NUMERICHOST);
  return number;
}

Address Address::with_port(int port) const {
  sockaddr_storage storage = storage_of(*this);
  const auto number = htons(static_cast<std::uint16_t>(port));
  if (storage.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(storage).sin6_port = number;
  } else {
    reinterpret_cast<sockaddr_in&>(storage).sin_port = number;
  }
  return {{reinterpret_cast<const char*>(&storage), bytes.size()}};
}

/// Interfaces have no short names here, so only a host's name or number is possible.
Address local_address(const std::string& interface_or_host) {
  begin();
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  if (::getaddrinfo(interface_or_host.c_str(), nullptr, &hints, &all) != 0) {
    throw usage_error("no address of this host is called " + interface_or_host);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(all, ::freeaddrinfo);
  return made(all->ai_addr, all->ai_addrlen);
}

void wait_for_any(std::span<const Waiting> sockets, int milliseconds) {
  std::vector<WSAPOLLFD> waiting;
  waiting.reserve(sockets.size());
  for (const Waiting& each : sockets) {
    waiting.push_back(
        {handle_of(each.socket->number_), static_cast<short>(each.to_write ? POLLWRNORM : POLLRDNORM), 0});
  }
  wait_for(waiting, milliseconds);
}

void Socket::close() {
  if (number_ >= 0) ::closesocket(handle_of(number_));
  number_ = -1;
}

Socket Socket::listening(const Address& at) {
  const sockaddr_storage storage = storage_of(at);
  Socket made(make_socket(storage.ss_family));
  const auto length = static_cast<socklen_t>(at.bytes.size());
  if (!made.is_open() || ::bind(handle_of(made.number_), reinterpret_cast<const sockaddr*>(&storage), length) != 0 ||
      ::listen(handle_of(made.number_), SOMAXCONN) != 0) {
    throw failed("can't listen on " + at.text());
  }
  dont_wait(made.number_);
  return made;
}

Socket Socket::connecting(const Address& to, int& error) {
  const sockaddr_storage storage = storage_of(to);
  Socket made(make_socket(storage.ss_family));
  if (!made.is_open()) throw failed("a socket");
  dont_wait(made.number_);
  const auto length = static_cast<socklen_t>(to.bytes.size());
  const bool done = ::connect(handle_of(made.number_), reinterpret_cast<const sockaddr*>(&storage), length) == 0;
  error = done || ::WSAGetLastError() == WSAEWOULDBLOCK ? 0 : ::WSAGetLastError();
  return made;
}

Address Socket::address() const {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  ::getsockname(handle_of(number_), reinterpret_cast<sockaddr*>(&storage), &length);
  return made(reinterpret_cast<const sockaddr*>(&storage), static_cast<std::size_t>(length));
}

std::optional<Socket> Socket::accept() const {
  Socket made(number_of(::accept(handle_of(number_), nullptr, nullptr)));
  if (!made.is_open()) return std::nullopt;
  return made;
}

int Socket::connect_error() const {
  int error = 0;
  socklen_t length = sizeof error;
  const int failure = ::getsockopt(handle_of(number_), SOL_SOCKET, SO_ERROR, reinterpret_cast<char*>(&error), &length);
  return failure == 0 ? error : ::WSAGetLastError();
}

void Socket::send_at_once() const {
  const int yes = 1;
  ::setsockopt(handle_of(number_), IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&yes), sizeof yes);
  dont_wait(number_);
}

bool Socket::wait_to_read(int milliseconds) const { return wait_for(number_, POLLRDNORM, milliseconds); }

bool Socket::wait_to_write(int milliseconds) const { return wait_for(number_, POLLWRNORM, milliseconds); }

std::size_t Socket::send(std::string_view bytes) const {
  const int sent = ::send(handle_of(number_), bytes.data(), at_once(bytes.size()), 0);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

Socket::Received Socket::receive(std::span<char> to) const {
  const int got = ::recv(handle_of(number_), to.data(), at_once(to.size()), 0);
  if (got > 0) return {static_cast<std::size_t>(got), false};
  return {0, got == 0 || ::WSAGetLastError() != WSAEWOULDBLOCK};
}

bool Socket::hung_up() const {
  char next = 0;
  const int got = ::recv(handle_of(number_), &next, 1, MSG_PEEK);
  return got == 0 || (got < 0 && ::WSAGetLastError() != WSAEWOULDBLOCK);
}

}  // namespace linsep
