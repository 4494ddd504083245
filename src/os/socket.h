// TCP connections between workers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace linsep {

/// An address of a host, with a port if it has one.
struct Address {
  std::string bytes;  ///< as the system lays it out

  /// The number, without a port: "10.0.0.3" or "fe80::1".
  std::string text() const;
  Address with_port(int port) const;
};

/// The address of a network interface ("eth0", with IPv4 before IPv6), or that of a host's name or number. Throws a
/// usage Error if this host has no such interface and the name means nothing.
Address local_address(const std::string& interface_or_host);

class Socket;

/// The event to wait for.
struct Waiting {
  const Socket* socket = nullptr;
  bool to_write = false;  ///< otherwise to read
};
/// Waits for at most this long until one of them can go on, or has failed. Throws a system Error.
void wait_for_any(std::span<const Waiting> sockets, int milliseconds);

/// A connection, or what listens for one. It is closed at the end.
class Socket {
 public:
  /// Listens on the address's port, or without one on a port of the system's choice. Throws a system Error.
  static Socket listening(const Address& at);
  /// Begins to connect. Once it can be written to, `connect_error` gives the result. `error` is the number of the
  /// system's error if it has failed already, otherwise 0. Throws a system Error if there is no socket.
  static Socket connecting(const Address& to, int& error);

  Socket() = default;
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    if (this == &other) return *this;
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Socket() { close(); }

  bool is_open() const { return number_ >= 0; }
  void close();

  /// Its own end.
  Address address() const;
  /// The next connection, or nothing if no one calls, or has hung up meanwhile. Reading and writing it may wait.
  std::optional<Socket> accept() const;
  /// 0, or the number of the system's error.
  int connect_error() const;
  /// From now on small messages go out at once, and neither reading nor writing waits.
  void send_at_once() const;

  /// Waits for at most this long until it can be read, or written to. Throws a system Error.
  bool wait_to_read(int milliseconds) const;
  bool wait_to_write(int milliseconds) const;

  /// Returns how many bytes were sent. 0 if none can be now, or the other end is closed, which `receive` notices.
  std::size_t send(std::string_view bytes) const;
  struct Received {
    std::size_t size = 0;
    bool closed = false;  ///< nothing will come any more
  };
  Received receive(std::span<char> to) const;
  /// Whether the other end is closed, and nothing that came from it is unread. REQUIRES: `send_at_once`.
  bool hung_up() const;

 private:
  friend void wait_for_any(std::span<const Waiting> sockets, int milliseconds);

  explicit Socket(int number) : number_(number) {}

  int number_ = -1;
};

}  // namespace linsep
