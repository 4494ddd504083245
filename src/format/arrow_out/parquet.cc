// ParquetWriter: the module writes, and its bytes come back to be written by us.
#include <array>
#include <exception>
#include <utility>

#include "format/arrow/module.h"
#include "linsep/error.h"
#include "linsep/tools/arrow_writer.h"

namespace linsep {

struct ParquetWriter::State {
  explicit State(Sink where) : module(arrow::module()), sink(std::move(where)) {
    if (module == nullptr) throw system_error("Parquet is written " + arrow::no_module());
    run([&](char* message, std::size_t size) { return module->begin_parquet(take, this, &file, message, size); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (file != nullptr) module->free_parquet(file);
  }

  /// What the sink throws waits until the module's code is left.
  static int take(void* context, const char* bytes, std::size_t count) {
    auto& state = *static_cast<State*>(context);
    if (state.thrown) return 1;
    try {
      state.sink({bytes, count});
      return 0;
    } catch (...) {
      state.thrown = std::current_exception();
      return 1;
    }
  }

  template <class Entry>
  void run(const Entry& entry) {
    std::array<char, 1000> message{};
    const int failed = entry(message.data(), message.size());
    if (thrown) std::rethrow_exception(thrown);
    if (failed != 0) throw system_error(std::string("Parquet can't be written: ") + message.data());
  }

  const arrow::Module* module;
  Sink sink;
  LinsepParquet* file = nullptr;
  std::exception_ptr thrown;
};

ParquetWriter::ParquetWriter(Sink sink) : state_(std::make_unique<State>(std::move(sink))) {}
ParquetWriter::ParquetWriter(ParquetWriter&&) noexcept = default;
ParquetWriter& ParquetWriter::operator=(ParquetWriter&&) noexcept = default;
ParquetWriter::~ParquetWriter() = default;

void ParquetWriter::write(std::string_view stream) {
  state_->run([&](char* message, std::size_t size) {
    return state_->module->write_parquet(state_->file, stream.data(), stream.size(), message, size);
  });
}

void ParquetWriter::close() {
  state_->run(
      [&](char* message, std::size_t size) { return state_->module->end_parquet(state_->file, message, size); });
}

}  // namespace linsep
