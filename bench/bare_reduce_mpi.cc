// bare_reduce_mpi: the same all-reduces by MPI's own blocking call, beside bare_reduce.
#include <mpi.h>

#include "bare_reduce.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  linsep::bench::time_reductions<double>("MPI_Allreduce, doubles", rank == 0, [](std::vector<double>& data) {
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(data.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  });
  MPI_Finalize();
  return 0;
}
