#include "comm/socket_mailbox.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "comm/failure_detector.h"
#include "core/bytes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

Address made(const sockaddr* address, socklen_t length) {
  Address result;
  std::memcpy(&result.storage, address, length);
  result.length = length;
  return result;
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

}  // namespace

std::string Address::text() const {
  char number[NI_MAXHOST] = "?";
  getnameinfo(reinterpret_cast<const sockaddr*>(&storage), length, number, sizeof number, nullptr, 0, NI_NUMERICHOST);
  return number;
}

Address local_address(const std::string& interface_or_host) {
  if (const auto found = of_interface(interface_or_host)) return *found;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  const int failed = getaddrinfo(interface_or_host.c_str(), nullptr, &hints, &all);
  if (failed != 0) {
    throw usage_error("no network interface or address of this host is called " + interface_or_host + " (" +
                      gai_strerror(failed) + ")");
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(all, freeaddrinfo);
  return made(all->ai_addr, all->ai_addrlen);
}

std::string host_name() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0 || name[0] == 0) return "unknown host";
  return name;
}

namespace {

constexpr std::size_t kMostWaiting = 64 << 10;  // bytes kept for a worker that doesn't take them

struct Hello {
  std::uint64_t token;
  std::int32_t rank;
};

Error failed(const std::string& what) { return system_error(what + ": " + std::strerror(errno)); }

bool ready(int descriptor, short events, double deadline) {
  for (;;) {
    const double left = deadline - steady_seconds();
    if (left <= 0) return false;
    pollfd waiting{descriptor, events, 0};
    const int count = poll(&waiting, 1, static_cast<int>(left * 1000) + 1);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) throw failed("waiting for a worker");
  }
}

bool read_whole(int descriptor, void* data, std::size_t size, double deadline) {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    if (!ready(descriptor, POLLIN, deadline)) return false;
    const ssize_t got = ::recv(descriptor, to, size, 0);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

SocketMailbox::SocketMailbox(const Address& address) : address_(address) {
  if (getrandom(&token_, sizeof token_, 0) != sizeof token_) throw failed("a random token");
  listener_ = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address.storage), address.length) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0) {
    const Error error = failed("can't listen on " + address.text());
    if (listener_ >= 0) ::close(listener_);
    throw error;
  }
  address_.length = sizeof address_.storage;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address_.storage), &address_.length);
}

SocketMailbox::~SocketMailbox() {
  if (listener_ >= 0) ::close(listener_);
  for (Connection& connection : connections_) {
    if (connection.descriptor >= 0) ::close(connection.descriptor);
  }
}

std::string SocketMailbox::invitation() const {
  ByteWriter writer;
  writer.number(token_);
  writer.text({reinterpret_cast<const char*>(&address_.storage), address_.length});
  return writer.bytes();
}

void SocketMailbox::connect(int rank, const std::vector<std::string>& invitations,
                            const std::vector<std::string>& hosts, double patience_seconds) {
  const double deadline = steady_seconds() + patience_seconds;
  std::vector<int> expected;
  for (const int other : watched_workers(rank, static_cast<int>(invitations.size()))) {
    const auto place = static_cast<std::size_t>(other);
    if (other < rank) call(rank, other, worker_name(other, hosts[place]), invitations[place], deadline);
    if (other > rank) expected.push_back(other);
  }
  answer_calls(expected, hosts, deadline);
  ::close(listener_);
  listener_ = -1;
}

void SocketMailbox::call(int rank, int other, const std::string& name, const std::string& invitation, double deadline) {
  ByteReader reader(invitation);
  const Hello hello{reader.number<std::uint64_t>(), rank};
  const std::string address = reader.text();
  sockaddr_storage to{};
  if (address.size() > sizeof to) throw system_error("worker " + name + " gave no address");
  std::memcpy(&to, address.data(), address.size());
  const int descriptor = ::socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) throw failed("a socket");
  add_connection(other, descriptor);
  const auto unreachable = [&] { return failed("worker " + name + " can't be reached"); };
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&to), static_cast<socklen_t>(address.size())) != 0) {
    if (errno != EINPROGRESS) throw unreachable();
    if (!ready(descriptor, POLLOUT, deadline)) {
      errno = ETIMEDOUT;
      throw unreachable();
    }
    socklen_t length = sizeof errno;
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &errno, &length);
    if (errno != 0) throw unreachable();
  }
  if (::send(descriptor, &hello, sizeof hello, MSG_NOSIGNAL) != sizeof hello) throw unreachable();
}

void SocketMailbox::answer_calls(std::vector<int> expected, const std::vector<std::string>& hosts, double deadline) {
  while (!expected.empty()) {
    if (!ready(listener_, POLLIN, deadline)) {
      const std::string name = worker_name(expected[0], hosts[static_cast<std::size_t>(expected[0])]);
      throw system_error("worker " + name + " hasn't connected in time");
    }
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) continue;
    Hello hello{};
    const double soon = std::min(deadline, steady_seconds() + 5);  // a stranger that sends nothing holds nobody up
    const bool whole = read_whole(descriptor, &hello, sizeof hello, soon);
    const auto found = std::find(expected.begin(), expected.end(), hello.rank);
    if (!whole || hello.token != token_ || found == expected.end()) {
      ::close(descriptor);
      continue;
    }
    add_connection(hello.rank, descriptor);
    expected.erase(found);
  }
}

void SocketMailbox::add_connection(int rank, int descriptor) {
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  connections_.push_back({rank, descriptor, {}, {}});
}

void SocketMailbox::send(int to, const std::string& bytes) {
  for (Connection& connection : connections_) {
    if (connection.rank != to || connection.descriptor < 0) continue;
    if (connection.out.size() + bytes.size() <= kMostWaiting) {
      const auto length = static_cast<std::uint32_t>(bytes.size());
      connection.out.append(reinterpret_cast<const char*>(&length), sizeof length).append(bytes);
    }
    write(connection);
  }
}

std::optional<Message> SocketMailbox::receive() {
  if (arrived_.empty()) {
    for (Connection& connection : connections_) {
      if (connection.descriptor >= 0) write(connection);
      if (connection.descriptor >= 0) read(connection);
    }
  }
  if (arrived_.empty()) return std::nullopt;
  Message first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

void SocketMailbox::write(Connection& connection) {
  while (!connection.out.empty()) {
    const ssize_t sent = ::send(connection.descriptor, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // full, or closed, which reading notices
    connection.out.erase(0, static_cast<std::size_t>(sent));
  }
}

void SocketMailbox::read(Connection& connection) {
  char piece[4096];
  ssize_t got = 0;
  while ((got = ::recv(connection.descriptor, piece, sizeof piece, 0)) > 0)
    connection.in.append(piece, static_cast<std::size_t>(got));
  const bool closed = got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  std::uint32_t length = 0;
  while (connection.in.size() >= sizeof length) {
    std::memcpy(&length, connection.in.data(), sizeof length);
    if (length > kLongestMessage) return close(connection);
    if (connection.in.size() < sizeof length + length) break;
    arrived_.push_back({connection.rank, connection.in.substr(sizeof length, length), false});
    connection.in.erase(0, sizeof length + length);
  }
  if (closed) close(connection);
}

void SocketMailbox::close(Connection& connection) {
  ::close(connection.descriptor);
  connection.descriptor = -1;
  arrived_.push_back({connection.rank, {}, true});
}

}  // namespace linsep
