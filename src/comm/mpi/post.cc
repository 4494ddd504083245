#include "comm/mpi/post.h"

#include <algorithm>

namespace linsep {
namespace {

constexpr int kTag = 1;
constexpr int kMostUnderWay = 8;  // letters that a worker hasn't taken

}  // namespace

MpiPost::MpiPost(MPI_Comm world, MpiLock& lock) : lock_(lock) {
  MPI_Comm_dup(world, &comm_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

void MpiPost::send(int to, const std::string& bytes) {
  const MpiLock::Held held(lock_);
  if (silent_) return;
  sent_.remove_if([](Sent& letter) {
    int done = 0;
    MPI_Test(&letter.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  if (std::count_if(sent_.begin(), sent_.end(), [&](const Sent& letter) { return letter.to == to; }) >= kMostUnderWay) {
    return;
  }
  Sent& letter = sent_.emplace_back(Sent{to, bytes, MPI_REQUEST_NULL});
  MPI_Isend(letter.bytes.data(), static_cast<int>(letter.bytes.size()), MPI_BYTE, to, kTag, comm_, &letter.request);
}

std::optional<Letter> MpiPost::receive() {
  const MpiLock::Held held(lock_);
  if (silent_) return std::nullopt;
  int arrived = 0, size = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &arrived, &status) != MPI_SUCCESS || arrived == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0'), false};
  MPI_Recv(letter.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, kTag, comm_, MPI_STATUS_IGNORE);
  return letter;
}

void MpiPost::close() {
  const MpiLock::Held held(lock_);
  for (Sent& letter : sent_) MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
  sent_.clear();
  MPI_Comm_free(&comm_);
}

}  // namespace linsep
