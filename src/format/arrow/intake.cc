#include "format/arrow/intake.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/arrow/check.h"
#include "linsep/error.h"

namespace linsep::arrow {
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

/// What `f` does; input Errors that name no file name this one.
template <class F>
auto naming(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::kInput || !error.place().file.empty()) throw;
    throw Error(Error::Kind::kInput, Place{name, 0, 0}, error.options(), error.sentence());
  }
}

}  // namespace

Intake::Intake(ArrowArrayStream* stream, std::string name) : stream_{}, name_(std::move(name)) {
  if (stream == nullptr || stream->release == nullptr) throw usage_error("the Arrow stream was released already");
  Owned<ArrowArrayStream> owned;
  std::swap(owned.it, *stream);
  std::swap(owned.it, stream_);
  try {
    naming(name_, [&] { read_schema(); });
  } catch (...) {
    stream_.release(&stream_);
    throw;
  }
}

Intake::~Intake() { stream_.release(&stream_); }

void Intake::describe(ArrowTable::Batches& out) const {
  out.name = name_;
  out.columns = columns_;
  out.names = names_;
}

bool Intake::next(ArrowTable::Batches& out) {
  return naming(name_, [&] {
    Owned<ArrowArray> array;
    if (const int code = stream_.get_next(&stream_, &array.it); code != 0) fail(code);
    if (array.it.release == nullptr) return false;
    check(array.it);
    out.rows += array.it.length;
    out.arrays.push_back(array.it);
    array.it.release = nullptr;  // it is the table's now
    return true;
  });
}

void Intake::fail(int code) const {
  const char* said =
      stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(const_cast<ArrowArrayStream*>(&stream_));
  throw Error(Place{name_, 0, 0}, said != nullptr && *said != 0 ? said : std::strerror(code));
}

void Intake::read_schema() {
  Owned<ArrowSchema> schema;
  if (const int code = stream_.get_schema(&stream_, &schema.it); code != 0) fail(code);
  const ArrowSchema& all = schema.it;
  if (all.format == nullptr || std::strcmp(all.format, "+s") != 0 || (all.n_children > 0 && all.children == nullptr)) {
    throw Error(Place{name_, 0, 0}, "this isn't a table: its batches have no columns");
  }
  for (std::int64_t c = 0; c < all.n_children; ++c) {
    const ArrowSchema& child = *all.children[c];
    const std::string name = child.name == nullptr || *child.name == 0 ? fmt::format("column {}", c + 1) : child.name;
    columns_.push_back(read_column(child, name));
    names_.push_back(name);
  }
}

void Intake::check(const ArrowArray& array) const {
  const auto refuse = [&](const char* why) {
    throw Error(Place{name_, 0, 0}, fmt::format("the Arrow batch is broken: {}", why));
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  if (array.length < 0 || array.offset < 0 || array.length > kMost || array.offset > kMost) {
    refuse("a length or an offset that can't be");
  }
  if (array.n_children != static_cast<std::int64_t>(columns_.size())) refuse("it has other columns than it says");
  const void* valid = array.n_buffers > 0 && array.buffers != nullptr ? array.buffers[0] : nullptr;
  if (valid != nullptr && array.null_count != 0) refuse("rows that are null as a whole");
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (array.children[c] == nullptr) refuse("a column isn't there");
    check_array(columns_[c], *array.children[c], array.offset, array.length);
  }
}

}  // namespace linsep::arrow
