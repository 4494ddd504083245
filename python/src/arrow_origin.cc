// Rows of an Arrow stream: an object with __arrow_c_stream__, or a callable that returns one.
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "arrow_origin.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"
#include "linsep/tools/explain.h"

namespace linsep::python {
namespace {

/// A stream that can be ended from elsewhere between two batches.
struct Ended {
  ArrowArrayStream inner{};
  const std::atomic<bool>* interrupt = nullptr;
};

Ended& ended(ArrowArrayStream* stream) { return *static_cast<Ended*>(stream->private_data); }

ArrowArrayStream with_interrupt(const ArrowArrayStream& inner, const std::atomic<bool>* interrupt) {
  ArrowArrayStream stream{};
  stream.private_data = new Ended{inner, interrupt};
  stream.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
    return ended(s).inner.get_schema(&ended(s).inner, out);
  };
  stream.get_next = [](ArrowArrayStream* s, ArrowArray* out) {
    const std::atomic<bool>* stop = ended(s).interrupt;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return EINTR;
    return ended(s).inner.get_next(&ended(s).inner, out);
  };
  stream.get_last_error = [](ArrowArrayStream* s) {
    ArrowArrayStream& held = ended(s).inner;
    return held.get_last_error == nullptr ? nullptr : held.get_last_error(&held);
  };
  stream.release = [](ArrowArrayStream* s) {
    const std::unique_ptr<Ended> owned(&ended(s));
    if (owned->inner.release != nullptr) owned->inner.release(&owned->inner);
    s->release = nullptr;
  };
  return stream;
}

class ArrowStream : public RowOrigin {
 public:
  ArrowStream(nb::object producer, std::string name) : producer_(std::move(producer)), name_(std::move(name)) {
    again_ = !nb::hasattr(producer_, "__arrow_c_stream__");
    if (again_ && PyCallable_Check(producer_.ptr()) == 0) {
      throw usage_error("expected an object with __arrow_c_stream__, or a callable that returns one");
    }
  }

  const std::string& name() const override { return name_; }
  FittedTable fit(const ReadOptions& options, const TableSpec& spec, const Observer& observe) override {
    return fit_table(table(options), options, spec, observe);
  }
  std::unique_ptr<Source> load(const ReadOptions& options, const Observer& observe) override {
    return linsep::load(table(options), options, observe);
  }
  std::unique_ptr<Source> to_explain(const Model& model, const ReadOptions& read) override {
    ReadOptions options = explain_options_for(model, {}, read);
    options.labelled = false;
    return linsep::load(table(options), options);
  }
  /// A stream may be there once only, so its batches are kept; one that can be opened again is let go.
  void close() override {
    if (again_) table_.reset();
  }

 private:
  const ArrowTable& table(const ReadOptions& options) {
    if (!table_) {
      ArrowArrayStream stream = with_interrupt(open(), options.interrupt);
      table_.emplace(&stream, name_);
    }
    return *table_;
  }

  ArrowArrayStream open() const {
    const nb::gil_scoped_acquire python;
    const nb::object producer = again_ ? producer_() : producer_;
    if (!nb::hasattr(producer, "__arrow_c_stream__")) {
      throw usage_error("the callable returned an object without __arrow_c_stream__");
    }
    const nb::object capsule = producer.attr("__arrow_c_stream__")();
    auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) nb::raise_python_error();
    if (stream->release == nullptr) throw usage_error("the Arrow stream was read already");
    ArrowArrayStream taken = *stream;
    stream->release = nullptr;
    return taken;
  }

  nb::object producer_;
  std::string name_;
  bool again_ = false;
  std::optional<ArrowTable> table_;
};

}  // namespace

std::unique_ptr<RowOrigin> arrow_stream(nb::object producer, std::string name) {
  return std::make_unique<ArrowStream>(std::move(producer), std::move(name));
}

}  // namespace linsep::python
