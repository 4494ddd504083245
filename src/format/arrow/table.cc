// ArrowTable: a stream is taken over and read to its end; every array is checked as it comes in.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/arrow/batches.h"
#include "format/arrow/check.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"

namespace linsep {
namespace {

/// Released however the scope is left, and once.
template <class Structure>
struct Owned {
  Structure it{};

  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (it.release != nullptr) it.release(&it);
  }
};

class Intake {
 public:
  Intake(ArrowArrayStream& stream, ArrowTable::Batches& out) : stream_(stream), out_(out) {}

  void read() {
    read_schema();
    for (;;) {
      Owned<ArrowArray> array;
      if (const int code = stream_.get_next(&stream_, &array.it); code != 0) fail(code);
      if (array.it.release == nullptr) return;
      check(array.it);
      out_.rows += array.it.length;
      out_.arrays.push_back(array.it);
      array.it.release = nullptr;  // it is the table's now
    }
  }

 private:
  [[noreturn]] void fail(int code) const {
    const char* said = stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(&stream_);
    throw Error(Place{out_.name, 0, 0}, said != nullptr && *said != 0 ? said : std::strerror(code));
  }

  void read_schema() {
    Owned<ArrowSchema> schema;
    if (const int code = stream_.get_schema(&stream_, &schema.it); code != 0) fail(code);
    const ArrowSchema& all = schema.it;
    if (all.format == nullptr || std::strcmp(all.format, "+s") != 0 ||
        (all.n_children > 0 && all.children == nullptr)) {
      throw Error(Place{out_.name, 0, 0}, "this isn't a table: its batches have no columns");
    }
    for (std::int64_t c = 0; c < all.n_children; ++c) {
      const ArrowSchema& child = *all.children[c];
      const std::string name = child.name == nullptr || *child.name == 0 ? fmt::format("column {}", c + 1) : child.name;
      out_.columns.push_back(arrow::read_column(child, name));
      out_.names.push_back(name);
    }
  }

  void check(const ArrowArray& array) const {
    const auto refuse = [&](const char* why) {
      throw Error(Place{out_.name, 0, 0}, fmt::format("the Arrow batch is broken: {}", why));
    };
    constexpr std::int64_t kMost = std::int64_t{1} << 60;
    if (array.length < 0 || array.offset < 0 || array.length > kMost || array.offset > kMost) {
      refuse("a length or an offset that can't be");
    }
    if (array.n_children != static_cast<std::int64_t>(out_.columns.size())) refuse("it has other columns than it says");
    const void* valid = array.n_buffers > 0 && array.buffers != nullptr ? array.buffers[0] : nullptr;
    if (valid != nullptr && array.null_count != 0) refuse("rows that are null as a whole");
    for (std::size_t c = 0; c < out_.columns.size(); ++c) {
      if (array.children[c] == nullptr) refuse("a column isn't there");
      arrow::check_array(out_.columns[c], *array.children[c], array.offset, array.length);
    }
  }

  ArrowArrayStream& stream_;
  ArrowTable::Batches& out_;
};

}  // namespace

ArrowTable::ArrowTable(ArrowArrayStream* stream, std::string name) {
  if (stream == nullptr || stream->release == nullptr) throw usage_error("the Arrow stream was released already");
  Owned<ArrowArrayStream> owned;
  std::swap(owned.it, *stream);
  auto batches = std::make_shared<Batches>();
  batches->name = std::move(name);
  try {
    Intake(owned.it, *batches).read();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::kInput || !error.place().file.empty()) throw;
    throw Error(Error::Kind::kInput, Place{batches->name, 0, 0}, error.options(), error.sentence());
  }
  batches_ = std::move(batches);
}

const std::string& ArrowTable::name() const { return batches_->name; }
std::int64_t ArrowTable::rows() const { return batches_->rows; }
const std::vector<std::string>& ArrowTable::columns() const { return batches_->names; }

namespace arrow {

std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most) {
  std::vector<Slice> slices;
  std::int64_t first = 0;
  for (const ArrowArray& array : batches.arrays) {
    for (std::int64_t begin = 0; begin < array.length; begin += most) {
      slices.push_back({&array, begin, std::min(most, array.length - begin), first + begin});
    }
    first += array.length;
  }
  return slices;
}

}  // namespace arrow
}  // namespace linsep
