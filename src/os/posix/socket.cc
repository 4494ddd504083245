#include "os/socket.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include "linsep/error.h"

namespace linsep {
namespace {

Error failed(const std::string& what) { return system_error(what + ": " + std::generic_category().message(errno)); }

Address made(const sockaddr* address, socklen_t length) { return {{reinterpret_cast<const char*>(address), length}}; }

sockaddr_storage storage_of(const Address& address) {
  sockaddr_storage storage{};
  if (address.bytes.size() > sizeof storage) throw system_error("no address of a worker");
  std::memcpy(&storage, address.bytes.data(), address.bytes.size());
  return storage;
}

std::optional<Address> of_interface(const std::string& name) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, freeifaddrs);
  for (const int family : {AF_INET, AF_INET6}) {
    for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
      if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != family || name != entry->ifa_name) continue;
      return made(entry->ifa_addr, family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    }
  }
  return std::nullopt;
}

#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;
#endif

/// A socket that programs started later don't inherit, and whose other end can go without a signal.
int kept(int number) {
  if (number < 0) return number;
  ::fcntl(number, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return number;
}

bool wait_for(std::span<pollfd> waiting, int milliseconds) {
  const int count = ::poll(waiting.data(), static_cast<nfds_t>(waiting.size()), milliseconds);
  if (count < 0 && errno != EINTR) throw failed("waiting for a worker");
  return count > 0;
}

bool wait_for(int number, short events, int milliseconds) {
  pollfd waiting{number, events, 0};
  return wait_for({&waiting, 1}, milliseconds);
}

}  // namespace

std::string Address::text() const {
  const sockaddr_storage storage = storage_of(*this);
  char number[NI_MAXHOST] = "?";
  getnameinfo(reinterpret_cast<const sockaddr*>(&storage), static_cast<socklen_t>(bytes.size()), number, sizeof number,
              nullptr, 0, NI_NUMERICHOST);
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

Address local_address(const std::string& interface_or_host) {
  if (const auto found = of_interface(interface_or_host)) return *found;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  const int failure = getaddrinfo(interface_or_host.c_str(), nullptr, &hints, &all);
  if (failure != 0) {
    throw usage_error("no network interface or address of this host is called " + interface_or_host + " (" +
                      gai_strerror(failure) + ")");
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(all, freeaddrinfo);
  return made(all->ai_addr, all->ai_addrlen);
}

void wait_for_any(std::span<const Waiting> sockets, int milliseconds) {
  std::vector<pollfd> waiting;
  waiting.reserve(sockets.size());
  for (const Waiting& each : sockets) {
    waiting.push_back({each.socket->number_, static_cast<short>(each.to_write ? POLLOUT : POLLIN), 0});
  }
  wait_for(waiting, milliseconds);
}

void Socket::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Socket Socket::listening(const Address& at) {
  const sockaddr_storage storage = storage_of(at);
  Socket made(kept(::socket(storage.ss_family, SOCK_STREAM, 0)));
  const auto length = static_cast<socklen_t>(at.bytes.size());
  if (!made.is_open() || ::bind(made.number_, reinterpret_cast<const sockaddr*>(&storage), length) != 0 ||
      ::listen(made.number_, SOMAXCONN) != 0) {
    throw failed("can't listen on " + at.text());
  }
  ::fcntl(made.number_, F_SETFL, O_NONBLOCK);
  return made;
}

Socket Socket::connecting(const Address& to, int& error) {
  const sockaddr_storage storage = storage_of(to);
  Socket made(kept(::socket(storage.ss_family, SOCK_STREAM, 0)));
  if (!made.is_open()) throw failed("a socket");
  ::fcntl(made.number_, F_SETFL, O_NONBLOCK);
  const auto length = static_cast<socklen_t>(to.bytes.size());
  const bool done = ::connect(made.number_, reinterpret_cast<const sockaddr*>(&storage), length) == 0;
  error = done || errno == EINPROGRESS ? 0 : errno;
  return made;
}

Address Socket::address() const {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  getsockname(number_, reinterpret_cast<sockaddr*>(&storage), &length);
  return made(reinterpret_cast<const sockaddr*>(&storage), length);
}

std::optional<Socket> Socket::accept() const {
  Socket made(kept(::accept(number_, nullptr, nullptr)));
  if (!made.is_open()) return std::nullopt;
  return made;
}

int Socket::connect_error() const {
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(number_, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

void Socket::send_at_once() const {
  const int yes = 1;
  setsockopt(number_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(number_, F_SETFL, O_NONBLOCK);
}

bool Socket::wait_to_read(int milliseconds) const { return wait_for(number_, POLLIN, milliseconds); }

bool Socket::wait_to_write(int milliseconds) const { return wait_for(number_, POLLOUT, milliseconds); }

std::size_t Socket::send(std::string_view bytes) const {
  const ssize_t sent = ::send(number_, bytes.data(), bytes.size(), kNoSignal);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

Socket::Received Socket::receive(std::span<char> to) const {
  const ssize_t got = ::recv(number_, to.data(), to.size(), 0);
  if (got > 0) return {static_cast<std::size_t>(got), false};
  return {0, got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)};
}

bool Socket::hung_up() const {
  char next = 0;
  const ssize_t got = ::recv(number_, &next, 1, MSG_PEEK);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace linsep
