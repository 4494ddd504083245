#include "comm/address.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <optional>

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

}  // namespace linsep
