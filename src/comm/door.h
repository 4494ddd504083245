// Door: how the workers of a run get their lines. Each worker listens at one port, which stays open until all who
// should call have called. Caller and called worker prove to each other that they know the run's secret. Each proof
// covers a number that the other has just drawn, and the keys of the line come from the secret and both numbers. Anyone
// else who calls gets nothing and holds nobody up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/line.h"
#include "core/sip_hash.h"
#include "linsep/tools/engines.h"
#include "os/socket.h"

namespace linsep {

class Door {
 public:
  /// Listens on `address`, on a free port of the range, until `connect` is done.
  explicit Door(const Address& address, const PortRange& ports = {});

  /// What the other workers need to reach this one, with its part of the run's secret. Nobody else may see it.
  std::string invitation() const;

  enum class Use : std::uint32_t { kSignsOfLife = 1, kNumbers = 2 };
  struct Wanted {
    int other = 0;
    Use use = Use::kNumbers;
  };
  /// Returns the wanted lines, in that order. All workers call this with the same invitations, and both ends of a line
  /// ask for it. Throws a system Error that names, by `hosts`, a worker that can't be reached, has ended, or doesn't
  /// connect within `patience_seconds`.
  std::vector<Line> connect(int rank, const std::vector<Wanted>& wanted, const std::vector<std::string>& invitations,
                            const std::vector<std::string>& hosts, double patience_seconds);

 private:
  Socket listener_;
  SipBits share_ = {};  // the run's secret is the exclusive or of all workers' shares
};

}  // namespace linsep
