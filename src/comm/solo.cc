// A run of one worker: every collective is the identity.
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

class Solo : public Comm {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void all_reduce(std::span<double>, Op) override {}
  void all_reduce(std::span<std::int64_t>, Op) override {}
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    return {{data.begin(), data.end()}};
  }
  void abort(const std::string& message) override { throw system_error(message); }
};

}  // namespace

std::unique_ptr<Comm> solo() { return std::make_unique<Solo>(); }

}  // namespace linsep
