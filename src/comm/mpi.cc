// The engine MPI. It polls non-blocking collectives, so that the failure detector can end a wait, and so that only one
// thread at a time calls MPI (MPI_THREAD_SERIALIZED). Sums of doubles depend on the order of additions. MPI means them
// to be the same everywhere, and every round checks it: it begins with an exchange of a few numbers, among them a hash
// of the previous sums.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <limits>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "comm/engine_base.h"
#include "comm/failure_detector.h"
#include "comm/module.h"
#include "comm/socket_mailbox.h"
#include "linsep/error.h"
#include "os/process.h"

namespace linsep {
namespace {

/// MPI is called by the thread that computes and by the failure detector's, never by both at once. Each can see whether
/// the other waits for the lock, and may poll without a pause if it doesn't.
class MpiLock {
 public:
  class MpiGuard {
   public:
    explicit MpiGuard(MpiLock& lock) : lock_(lock) {
      ++lock_.waiting_;
      lock_.mutex_.lock();
      --lock_.waiting_;
    }
    ~MpiGuard() { lock_.mutex_.unlock(); }
    MpiGuard(const MpiGuard&) = delete;
    MpiGuard& operator=(const MpiGuard&) = delete;

   private:
    MpiLock& lock_;
  };
  bool wanted() const { return waiting_ > 0; }

 private:
  std::mutex mutex_;
  std::atomic<int> waiting_ = 0;
};

/// A mailbox of messages in a communicator of its own.
class MpiMailbox : public Mailbox {
 public:
  /// Takes part in a collective call of `world`.
  MpiMailbox(MPI_Comm world, MpiLock& lock);

  void send(int to, const std::string& bytes) override;
  std::optional<Message> receive() override;
  /// From then on MPI is no longer called.
  void fall_silent() {
    const MpiLock::MpiGuard held(lock_);
    silent_ = true;
  }
  /// Waits for messages under way. REQUIRES: every worker said goodbye.
  void close();

 private:
  struct Sent {
    int to = 0;
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MpiLock& lock_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::list<Sent> sent_;
  bool silent_ = false;
};

constexpr int kTag = 1;
constexpr int kMostUnderWay = 8;  // messages that a worker hasn't received yet

MpiMailbox::MpiMailbox(MPI_Comm world, MpiLock& lock) : lock_(lock) {
  MPI_Comm_dup(world, &comm_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

void MpiMailbox::send(int to, const std::string& bytes) {
  const MpiLock::MpiGuard held(lock_);
  if (silent_) return;
  sent_.remove_if([](Sent& message) {
    int done = 0;
    MPI_Test(&message.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  if (std::count_if(sent_.begin(), sent_.end(), [&](const Sent& message) { return message.to == to; }) >=
      kMostUnderWay) {
    return;
  }
  Sent& message = sent_.emplace_back(Sent{to, bytes, MPI_REQUEST_NULL});
  MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, kTag, comm_, &message.request);
}

std::optional<Message> MpiMailbox::receive() {
  const MpiLock::MpiGuard held(lock_);
  if (silent_) return std::nullopt;
  int arrived = 0, size = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &arrived, &status) != MPI_SUCCESS || arrived == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0'), false};
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, kTag, comm_, MPI_STATUS_IGNORE);
  return message;
}

void MpiMailbox::close() {
  const MpiLock::MpiGuard held(lock_);
  for (Sent& message : sent_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  sent_.clear();
  MPI_Comm_free(&comm_);
}

// The limit of one call, since its counts are ints and the numbers are copied.
constexpr std::size_t kMostElements = std::size_t{1} << 22;

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw system_error(std::string("MPI: ") + what + ": " + text);
}

MPI_Op mpi_op(Comm::Op op) {
  if (op == Comm::Op::kMax) return MPI_MAX;
  return op == Comm::Op::kOr ? MPI_BOR : MPI_SUM;
}

class MpiComm : public EngineBase {
 public:
  MpiComm(MPI_Comm world, int rank, int size, bool own_mpi, double timeout)
      : EngineBase(rank, size), own_mpi_(own_mpi), mailbox_(world, lock_) {
    check(MPI_Comm_dup(world, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    start_watch(mailbox_, hosts(), timeout, [] {});
  }
  ~MpiComm() override { stop_watch(); }

  void all_reduce(std::span<double> data, Op op) override {
    if (op == Op::kOr) throw usage_error("doubles have no bitwise or");
    begin(Round::kReduceDoubles, op, data.size());
    in_pieces(data, MPI_DOUBLE, mpi_op(op));
    last_ = hash_of(data);
  }

  void all_reduce(std::span<std::int64_t> data, Op op) override {
    begin(Round::kReduceWords, op, data.size());
    // Sums wrap, as unsigned ones do.
    const MPI_Datatype type = op == Op::kSum ? MPI_UINT64_T : MPI_INT64_T;
    in_pieces(data, type, mpi_op(op));
  }

  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    begin(Round::kGather, Op::kSum, 0);
    const auto workers = static_cast<std::size_t>(size());
    std::vector<std::uint64_t> sizes(workers);
    std::uint64_t mine = data.size();
    run("MPI_Iallgather", [&](MPI_Request* request) {
      return MPI_Iallgather(&mine, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, comm_, request);
    });
    std::vector<std::vector<std::byte>> all(workers);
    for (std::size_t k = 0; k < workers; ++k) all[k].reserve(sizes[k]);
    const std::uint64_t most = *std::max_element(sizes.begin(), sizes.end());
    const std::uint64_t piece = static_cast<std::uint64_t>(std::numeric_limits<int>::max()) / workers;
    for (std::uint64_t first = 0; first < most; first += piece) gather_piece(data, sizes, first, piece, all);
    return all;
  }

  // mpirun ends all processes once one is aborted, before they could print. So those that won't print wait for the one
  // that does. If an abort can't reach mpirun, the process ends here.
  [[noreturn]] void abandon(const Ending& ending) override {
    stop_watch();
    if (!ending.speaks) std::this_thread::sleep_for(std::chrono::seconds(2));
    std::thread([code = ending.code] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      end_process(code);
    }).detach();
    MPI_Abort(MPI_COMM_WORLD, ending.code);
    end_process(ending.code);
  }

 private:
  void close() override {
    mailbox_.close();
    MPI_Comm_free(&comm_);
    if (own_mpi_) MPI_Finalize();
  }

  // Workers that disagree about a round must not enter it, because MPI would mix up their numbers.
  void begin(Round kind, Op op, std::size_t length) {
    enter(kind, op, length);
    const auto mine = static_cast<std::int64_t>(signature(kind, op, length));
    std::int64_t most[] = {mine, -mine, last_, -last_};
    reduce_in_place(most, 4, MPI_INT64_T, MPI_MAX);
    if (most[2] != last_ || most[3] != -last_) {
      detector().report("MPI gave different sums to different workers");
      detector().raise();
    }
    if (most[0] == mine && most[1] == -mine) return;
    detector().report("workers disagree about the length of a reduction");
    detector().raise();
  }

  void reduce_in_place(void* data, int count, MPI_Datatype type, MPI_Op op) {
    run("MPI_Iallreduce",
        [&](MPI_Request* request) { return MPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, comm_, request); });
  }

  template <class T>
  void in_pieces(std::span<T> data, MPI_Datatype type, MPI_Op op) {
    constexpr std::size_t kFew = 4096;
    std::vector<T> copy;
    for (std::size_t first = 0; first < data.size(); first += kMostElements) {
      const std::span<T> piece = data.subspan(first, std::min(kMostElements, data.size() - first));
      const int count = static_cast<int>(piece.size());
      if (piece.size() <= kFew) {
        reduce_in_place(piece.data(), count, type, op);
        continue;
      }
      // Open MPI takes its ring algorithm only if input and output are separate.
      copy.assign(piece.begin(), piece.end());
      run("MPI_Iallreduce", [&](MPI_Request* request) {
        return MPI_Iallreduce(copy.data(), piece.data(), count, type, op, comm_, request);
      });
    }
  }

  static std::int64_t hash_of(std::span<const double> data) {
    std::uint64_t hash = data.size();
    for (const double number : data) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32;
    }
    return static_cast<std::int64_t>(hash >> 1);
  }

  void gather_piece(std::span<const std::byte> data, const std::vector<std::uint64_t>& sizes, std::uint64_t first,
                    std::uint64_t length, std::vector<std::vector<std::byte>>& all) {
    std::vector<int> counts, places;
    int total = 0;
    for (const std::uint64_t bytes : sizes) {
      counts.push_back(static_cast<int>(std::min(length, bytes - std::min(first, bytes))));
      places.push_back(total);
      total += counts.back();
    }
    std::vector<std::byte> joined(static_cast<std::size_t>(total));
    const auto own = static_cast<std::size_t>(rank());
    const std::byte* from = data.data() + std::min<std::size_t>(first, data.size());
    run("MPI_Iallgatherv", [&](MPI_Request* request) {
      return MPI_Iallgatherv(from, counts[own], MPI_BYTE, joined.data(), counts.data(), places.data(), MPI_BYTE, comm_,
                             request);
    });
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      all[k].insert(all[k].end(), joined.begin() + places[k], joined.begin() + places[k] + counts[k]);
    }
  }

  template <class Start>
  void run(const char* what, const Start& start) {
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS, done = 0;
    {
      const MpiLock::MpiGuard held(lock_);
      code = start(&request);
      if (code == MPI_SUCCESS) code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    for (std::int64_t polls = 0; code == MPI_SUCCESS && done == 0; ++polls) {
      if (detector().ended()) {
        // The call stays pending and its buffers go away, so MPI must not get a chance to write to them.
        settle_speaker();
        mailbox_.fall_silent();
        detector().raise();
      }
      pause(polls);
      const MpiLock::MpiGuard held(lock_);
      code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    try {
      check(code, what);
    } catch (const Error& error) {
      fail_round(error.what());
    }
  }

  // A result that isn't there at once may need this very core, and a process that sleeps is woken sooner than one that
  // yields. So a round takes a third of MPI's own time on busy cores, and a few microseconds more on idle ones.
  void pause(std::int64_t polls) const {
    constexpr std::int64_t kSpins = 100;
    if (lock_.wanted() || polls > kSpins) std::this_thread::sleep_for(std::chrono::microseconds(1));
  }

  std::vector<std::string> hosts() const {
    char mine[64] = "";
    host_name().copy(mine, sizeof mine - 1);
    std::vector<char> joined(sizeof mine * static_cast<std::size_t>(size()));
    check(MPI_Allgather(mine, sizeof mine, MPI_CHAR, joined.data(), sizeof mine, MPI_CHAR, comm_), "MPI_Allgather");
    std::vector<std::string> names;
    for (std::size_t k = 0; k < joined.size(); k += sizeof mine) names.emplace_back(&joined[k]);
    return names;
  }

  const bool own_mpi_;
  std::int64_t last_ = 0;  // hash of the latest sum of doubles
  mutable MpiLock lock_;
  MpiMailbox mailbox_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

EngineComm* open(double timeout) {
  int started = 0, threads = MPI_THREAD_SINGLE, rank = 0, size = 1;
  MPI_Initialized(&started);
  if (started != 0) {
    MPI_Query_thread(&threads);
  } else {
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads), "MPI_Init_thread");
  }
  if (threads < MPI_THREAD_SERIALIZED)
    throw system_error("this MPI doesn't support a second thread (MPI_THREAD_SERIALIZED)");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return new MpiComm(MPI_COMM_WORLD, rank, size, started == 0, timeout);
}

}  // namespace

}  // namespace linsep

extern "C" {
const char* linsep_engine_version() { return LINSEP_ENGINE_VERSION; }
linsep::EngineComm* linsep_engine_mpi(double timeout_seconds) { return linsep::open(timeout_seconds); }
}
