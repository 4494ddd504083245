#include "comm/mpi/mailbox.h"

#include <algorithm>

namespace linsep {
namespace {

constexpr int kTag = 1;
constexpr int kMostUnderWay = 8;  // messages that a worker hasn't taken

}  // namespace

MpiMailbox::MpiMailbox(MPI_Comm world, MpiLock& lock) : lock_(lock) {
  MPI_Comm_dup(world, &comm_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

void MpiMailbox::send(int to, const std::string& bytes) {
  const MpiLock::Held held(lock_);
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
  const MpiLock::Held held(lock_);
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
  const MpiLock::Held held(lock_);
  for (Sent& message : sent_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  sent_.clear();
  MPI_Comm_free(&comm_);
}

}  // namespace linsep
