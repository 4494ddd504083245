// bare_reduce_gloo: the same all-reduces by Gloo's own call, beside bare_reduce; started by tools/gloo_run.
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/tcp/device.h>

#include <cstdlib>

#include "bare_reduce.h"
#include "comm/socket_mailbox.h"

int main() {
  const int rank = std::atoi(std::getenv("LINSEP_GLOO_RANK")), size = std::atoi(std::getenv("LINSEP_GLOO_SIZE"));
  const std::string address = linsep::local_address(std::getenv("LINSEP_GLOO_INTERFACE")).text();
  gloo::rendezvous::FileStore files(std::getenv("LINSEP_GLOO_DIR"));
  gloo::rendezvous::PrefixStore store(std::getenv("LINSEP_GLOO_RUN"), files);
  std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(address.c_str());
  const auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
  context->connectFullMesh(store, device);
  std::uint32_t tag = 0;
  linsep::bench::time_reductions<double>("gloo::allreduce, doubles", rank == 0, [&](std::vector<double>& data) {
    gloo::AllreduceOptions options(context);
    options.setOutput(data.data(), data.size());
    options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
    options.setReduceFunction([](void* out, const void* a, const void* b, std::size_t n) {
      gloo::sum<double>(static_cast<double*>(out), static_cast<const double*>(a), static_cast<const double*>(b), n);
    });
    options.setTag(++tag);
    gloo::allreduce(options);
  });
  return 0;
}
