// Engines run workers as processes, on one machine or many, over MPI or Gloo. Each engine is a module of its own that
// is loaded when it is asked for, so that nothing else needs MPI or Gloo.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "linsep/comm.h"

namespace linsep {

/// Workers as processes. While the object lives, a thread of each worker exchanges signs of life with the others. So a
/// worker that dies, is stopped or loses its network ends the run everywhere, however long a worker computes between
/// two calls. Then pending and later calls throw a system Error that names it.
class EngineComm : public Comm {
 public:
  /// The last call of a run that went well. Waits until every worker has made it. Throws as other calls do.
  virtual void finish() = 0;

  struct Ending {
    bool speaks;     ///< whether this worker is the one that should report the reason
    int code;        ///< the exit code of the run
    bool by_itself;  ///< whether this worker failed by itself, not because of another
  };
  /// Ends the run on every worker, as `abort` does, without throwing. If the run has ended already, nothing changes. If
  /// several workers fail by themselves, the first one speaks.
  virtual Ending end(const std::string& message, int code) = 0;

  /// Leaves a run that has ended, without waiting for anyone. If the engine can end this process only by its own means
  /// (MPI), this call does so and doesn't return. REQUIRES: `end` was called.
  virtual void abandon(const Ending& ending) = 0;
};

/// How long a worker may be silent before the run ends.
inline constexpr double kWorkerTimeout = 20;

/// The workers that mpirun, srun or the like started. Starts MPI unless the caller has, and then ends it too. Throws a
/// system Error if the module isn't installed or MPI fails.
std::unique_ptr<EngineComm> mpi(double timeout_seconds = kWorkerTimeout);

/// Returns every worker's bytes by rank. Each worker calls it once with its own. They hold the secret of the run, and
/// anyone who reads them can take a worker's place.
using AllGather = std::function<std::vector<std::string>(const std::string& mine)>;

/// Ports to listen on, both ends included. If both are 0, any that the system chooses.
struct PortRange {
  int first = 0, last = 0;
};
/// Reads "20000-20100", or one number. Throws a usage Error.
PortRange parse_ports(const std::string& text);

struct GlooOptions {
  int rank = 0;
  int size = 1;
  /// The name of a network interface to listen on, or a name or address of this host. Workers prove to each other who
  /// they are, and notice what is altered on its way. Nothing is encrypted.
  std::string interface = "127.0.0.1";
  double timeout_seconds = kWorkerTimeout;
  /// A worker listens on one port until all are connected. Those of one host share the range.
  PortRange ports = {};
};

/// Workers that anything may have started. To find each other they only need `rendezvous`, called once.
std::unique_ptr<EngineComm> gloo(const GlooOptions& options, const AllGather& rendezvous);

/// A rendezvous through files in a folder that all workers see, of one user. `run` names the run, and files of other
/// runs are left alone. A worker that hasn't come after `patience_seconds` is an Error that names it, and so is a
/// folder that other users may write to.
AllGather rendezvous_in(const std::string& folder, const std::string& run, int rank, int size, double patience_seconds);

/// How this process was started, by its environment.
struct Launch {
  std::string engine = "solo";  ///< "solo", "mpi" or "gloo"
  int rank = 0;                 ///< as far as the launcher gives it
};

/// LINSEP_ENGINE decides. Without it, the variables that mpirun, srun and LINSEP_GLOO_* set. Throws a usage Error for
/// values that make no sense.
Launch launch();

/// Joins the workers that were started with this process. Does nothing if it runs alone.
std::unique_ptr<EngineComm> join(const Launch& launch, double timeout_seconds = kWorkerTimeout);

}  // namespace linsep
