// Addresses: which one of this host to listen on.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

namespace linsep {

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  /// The number, without a port: "10.0.0.3" or "fe80::1".
  std::string text() const;
};

/// The address of a network interface ("eth0"; IPv4 before IPv6), or that of a host's name or number.
/// Throws a usage Error when this host has no such interface and the name means nothing.
Address local_address(const std::string& interface_or_host);

/// What this machine calls itself.
std::string host_name();

}  // namespace linsep
