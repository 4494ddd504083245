// Mailbox by MPI: messages in a communicator of their own.
#pragma once

#include <mpi.h>

#include <atomic>
#include <list>
#include <mutex>
#include <string>

#include "comm/mailbox.h"

namespace linsep {

/// MPI is called by the thread that computes and by the failure detector's, never by both at once. Each sees whether
/// the other waits for the lock, and if not may poll without a pause.
class MpiLock {
 public:
  class Held {
   public:
    explicit Held(MpiLock& lock) : lock_(lock) {
      ++lock_.waiting_;
      lock_.mutex_.lock();
      --lock_.waiting_;
    }
    ~Held() { lock_.mutex_.unlock(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    MpiLock& lock_;
  };
  bool wanted() const { return waiting_ > 0; }

 private:
  std::mutex mutex_;
  std::atomic<int> waiting_ = 0;
};

class MpiMailbox : public Mailbox {
 public:
  /// Takes part in a collective call of `world`.
  MpiMailbox(MPI_Comm world, MpiLock& lock);

  void send(int to, const std::string& bytes) override;
  std::optional<Message> receive() override;
  /// From now on MPI is no longer called.
  void fall_silent() {
    const MpiLock::Held held(lock_);
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

}  // namespace linsep
