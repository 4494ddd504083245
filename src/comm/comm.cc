// A run of one worker, and the rule that an error of one worker becomes the error of all.
#include <optional>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// Every collective is the identity.
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

namespace {

std::string error_bytes(const Error& error) {
  const Place& place = error.place();
  ByteWriter writer;
  writer.number<std::uint8_t>(static_cast<std::uint8_t>(error.kind()));
  writer.text(place.file);
  writer.number(place.line);
  writer.number(place.column);
  writer.number<std::uint64_t>(error.options().size());
  for (const std::string& option : error.options()) writer.text(option);
  writer.text(error.sentence());
  return writer.bytes();
}

Error error_of(const std::string& bytes) {
  ByteReader reader(bytes);
  const auto kind = static_cast<Error::Kind>(reader.number<std::uint8_t>());
  Place place;
  place.file = reader.text();
  place.line = reader.number<std::uint64_t>();
  place.column = reader.number<std::uint64_t>();
  std::vector<std::string> options(reader.number<std::uint64_t>());
  for (std::string& option : options) option = reader.text();
  return {kind, std::move(place), std::move(options), reader.text()};
}

}  // namespace

void rethrow_on_all(Comm& comm, const std::function<void()>& work) {
  if (comm.size() == 1) return work();
  std::string failure;
  try {
    work();
  } catch (const Error& error) {
    failure = error_bytes(error);
  }
  for (const std::string& bytes : gather_text(comm, failure)) {
    if (!bytes.empty()) throw error_of(bytes);
  }
}

std::vector<std::string> gather_text(Comm& comm, const std::string& mine) {
  std::vector<std::string> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return all;
}

}  // namespace linsep
