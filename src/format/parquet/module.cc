// The module liblinsep_arrow.so. It reads files and folders as one reader of batches, writes Parquet from a stream of
// Arrow, and has entry points that turn errors into texts. Arrow's own declaration of the C interface has the same
// guards as ours.
#include "format/parquet/module.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/util.h>
#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/scalar.h>
#include <arrow/status.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/folder.h"

namespace {

namespace fs = std::filesystem;
using Reader = std::shared_ptr<arrow::RecordBatchReader>;

/// The memory for everything that is read, limited to what the process may have. Batches that were handed over return
/// theirs whenever they are released, so it lives as long as the process.
class BoundedMemory : public arrow::ProxyMemoryPool {
 public:
  BoundedMemory() : ProxyMemoryPool(arrow::default_memory_pool()) {}

  void set_limit(std::uint64_t bytes) {
    constexpr auto kAny = std::numeric_limits<std::int64_t>::max();
    limit_ = bytes == 0 || bytes > std::uint64_t{kAny} ? kAny : static_cast<std::int64_t>(bytes);
  }
  using ProxyMemoryPool::Allocate;
  using ProxyMemoryPool::Reallocate;
  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    if (size > limit_ - bytes_allocated()) return refusal();
    return ProxyMemoryPool::Allocate(size, alignment, out);
  }
  arrow::Status Reallocate(std::int64_t before, std::int64_t after, std::int64_t alignment,
                           std::uint8_t** at) override {
    if (after - before > limit_ - bytes_allocated()) return refusal();
    return ProxyMemoryPool::Reallocate(before, after, alignment, at);
  }

 private:
  static arrow::Status refusal() {
    return arrow::Status::OutOfMemory("some of its rows take more memory at a time than they may");
  }

  std::atomic<std::int64_t> limit_ = std::numeric_limits<std::int64_t>::max();
};

BoundedMemory& memory() {
  static auto* const all = new BoundedMemory;
  return *all;
}

/// A key and a value that a folder's name gives the rows below it.
struct Key {
  std::string name, value;
  bool operator==(const Key&) const = default;
};

struct File {
  std::string path;
  std::vector<Key> keys;
};

std::vector<Key> keys_of(const fs::path& below) {
  std::vector<Key> keys;
  for (const fs::path& part : below.parent_path()) {
    const std::string name = part.string();
    const std::size_t sign = name.find('=');
    if (sign != std::string::npos && sign > 0) keys.push_back({name.substr(0, sign), name.substr(sign + 1)});
  }
  return keys;
}

arrow::Result<std::vector<File>> files_of(const std::vector<std::string>& paths) {
  std::vector<File> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back({path, {}});
      continue;
    }
    const std::vector<std::string> found = linsep::files_below(path);
    for (const std::string& one : found) files.push_back({one, keys_of(fs::path(one).lexically_relative(path))});
    if (found.empty()) return arrow::Status::Invalid(path, ": the folder has no files");
  }
  return files;
}

/// The batches of an Arrow file, which are read by number.
class NumberedBatches : public arrow::RecordBatchReader {
 public:
  explicit NumberedBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file) : file_(std::move(file)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    *out = nullptr;
    if (next_ == file_->num_record_batches()) return arrow::Status::OK();
    return file_->ReadRecordBatch(next_++).Value(out);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

/// A Parquet file with the reader of its rows, which doesn't outlive it.
class ParquetRows : public arrow::RecordBatchReader {
 public:
  static arrow::Result<Reader> open(std::shared_ptr<arrow::io::RandomAccessFile> file) {
    parquet::ReaderProperties properties(&memory());
    properties.set_page_checksum_verification(true);
    properties.enable_buffered_stream();  // a part of a column at a time instead of all of a row group
    parquet::ArrowReaderProperties rows_at_once;
    rows_at_once.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
    // The batch size depends on the number of columns. Columns of equal values take next to nothing in a file, but 8
    // bytes for each row of a batch.
    constexpr std::int64_t kValues = std::int64_t{1} << 20, kRows = std::int64_t{1} << 16;
    const std::int64_t columns = std::max(1, builder.raw_reader()->metadata()->num_columns());
    rows_at_once.set_batch_size(std::clamp<std::int64_t>(kValues / columns, 1, kRows));
    builder.memory_pool(&memory());
    builder.properties(rows_at_once);
    auto rows = std::make_shared<ParquetRows>();
    ARROW_RETURN_NOT_OK(builder.Build(&rows->file_));
    ARROW_ASSIGN_OR_RAISE(rows->rows_, rows->file_->GetRecordBatchReader());
    return rows;
  }
  std::shared_ptr<arrow::Schema> schema() const override { return rows_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override { return rows_->ReadNext(out); }

 private:
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::RecordBatchReader> rows_;
};

/// Recognizes a file by its first bytes: PAR1, ARROW1, or the mark of a stream's first message.
arrow::Result<Reader> open_file(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path, &memory()));
  ARROW_ASSIGN_OR_RAISE(const auto head, file->ReadAt(0, 6));
  const std::string begin = head->ToString();
  if (begin.starts_with("PAR1")) return ParquetRows::open(file);
  arrow::ipc::IpcReadOptions options;
  options.memory_pool = &memory();
  if (begin == "ARROW1") {
    ARROW_ASSIGN_OR_RAISE(auto batches, arrow::ipc::RecordBatchFileReader::Open(file, options));
    return std::make_shared<NumberedBatches>(std::move(batches));
  }
  if (begin.starts_with("\xff\xff\xff\xff")) {
    ARROW_ASSIGN_OR_RAISE(auto batches, arrow::ipc::RecordBatchStreamReader::Open(file, options));
    return Reader(std::move(batches));
  }
  return arrow::Status::Invalid("this is neither a Parquet nor an Arrow file");
}

arrow::Result<std::shared_ptr<arrow::Array>> constant(const std::string& value, std::int64_t rows) {
  arrow::StringBuilder word;
  ARROW_RETURN_NOT_OK(word.Append(value));
  ARROW_ASSIGN_OR_RAISE(auto words, word.Finish());
  ARROW_ASSIGN_OR_RAISE(auto zeros, arrow::MakeArrayFromScalar(arrow::Int32Scalar(0), rows));
  return arrow::DictionaryArray::FromArrays(zeros, words);
}

class Files : public arrow::RecordBatchReader {
 public:
  explicit Files(std::vector<File> files) : files_(std::move(files)) {}

  arrow::Status start() {
    ARROW_RETURN_NOT_OK(open_next());
    arrow::FieldVector fields = reader_->schema()->fields();
    for (const Key& key : files_[0].keys) {
      fields.push_back(arrow::field(key.name, arrow::dictionary(arrow::int32(), arrow::utf8())));
    }
    schema_ = arrow::schema(fields);
    return arrow::Status::OK();
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    for (;;) {
      const arrow::Status read = reader_->ReadNext(out);
      if (!read.ok()) return named(read);
      if (*out != nullptr) return with_keys(out);
      if (next_ == files_.size()) return arrow::Status::OK();
      ARROW_RETURN_NOT_OK(open_next());
    }
  }

 private:
  const File& file() const { return files_[next_ - 1]; }
  arrow::Status named(const arrow::Status& status) const {
    return status.WithMessage(file().path, ": ", status.message());
  }

  arrow::Status open_next() {
    const File& next = files_[next_++];
    auto opened = open_file(next.path);
    if (!opened.ok()) return named(opened.status());
    reader_ = *std::move(opened);
    if (first_ == nullptr) first_ = reader_->schema();
    bool same = reader_->schema()->Equals(*first_) && next.keys.size() == files_[0].keys.size();
    for (std::size_t k = 0; same && k < next.keys.size(); ++k) same = next.keys[k].name == files_[0].keys[k].name;
    if (same) return arrow::Status::OK();
    return arrow::Status::Invalid(next.path, ": its columns differ from those of ", files_[0].path);
  }

  arrow::Status with_keys(std::shared_ptr<arrow::RecordBatch>* out) {
    arrow::ArrayVector columns = (*out)->columns();
    for (const Key& key : file().keys) {
      ARROW_ASSIGN_OR_RAISE(auto column, constant(key.value, (*out)->num_rows()));
      columns.push_back(std::move(column));
    }
    *out = arrow::RecordBatch::Make(schema_, (*out)->num_rows(), std::move(columns));
    return arrow::Status::OK();
  }

  std::vector<File> files_;
  std::size_t next_ = 0;
  Reader reader_;
  std::shared_ptr<arrow::Schema> first_, schema_;
};

/// A folder stands for all files below it, sorted by the bytes of their paths. Names below it that begin with '.' or
/// '_' are ignored. A folder called key=value gives the rows below it a column `key` with that value, as a word of a
/// dictionary. All files must have the same columns. Pages of Parquet with checksums are checked.
arrow::Result<Reader> open_files(const std::vector<std::string>& paths) {
  ARROW_ASSIGN_OR_RAISE(auto files, files_of(paths));
  auto reader = std::make_shared<Files>(std::move(files));
  ARROW_RETURN_NOT_OK(reader->start());
  return reader;
}

constexpr std::int64_t kGroupRows = std::int64_t{1} << 18;

/// Passes on the file's bytes.
class Sink : public arrow::io::OutputStream {
 public:
  Sink(LinsepArrowSink sink, void* context) : sink_(sink), context_(context) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* bytes, std::int64_t count) override {
    written_ += count;
    if (sink_(context_, static_cast<const char*>(bytes), static_cast<std::size_t>(count)) == 0) {
      return arrow::Status::OK();
    }
    return arrow::Status::IOError("the file can't be written");
  }

 private:
  LinsepArrowSink sink_;
  void* context_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

/// Turns a stream of Arrow's IPC format into a Parquet file as it arrives.
class ParquetFile {
 public:
  ParquetFile(LinsepArrowSink sink, void* context);

  arrow::Status write(std::string_view stream);
  /// It is an error if not even the columns of the stream arrived.
  arrow::Status end();

 private:
  class Rows;
  std::shared_ptr<Rows> rows_;
  std::unique_ptr<arrow::ipc::StreamDecoder> decoder_;
};

/// Gets the batches from the decoder.
class ParquetFile::Rows : public arrow::ipc::Listener {
 public:
  explicit Rows(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}

  arrow::Status OnSchemaDecoded(std::shared_ptr<arrow::Schema> schema) override {
    parquet::WriterProperties::Builder builder;
    builder.max_row_group_length(kGroupRows);
    if (arrow::util::Codec::IsAvailable(arrow::Compression::SNAPPY)) builder.compression(arrow::Compression::SNAPPY);
    return parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), sink_, builder.build())
        .Value(&file_);
  }

  arrow::Status OnRecordBatchDecoded(std::shared_ptr<arrow::RecordBatch> batch) override {
    return file_->WriteRecordBatch(*batch);
  }

  arrow::Status end() {
    if (file_ == nullptr) return arrow::Status::Invalid("the table has no columns");
    return file_->Close();
  }

 private:
  std::shared_ptr<Sink> sink_;
  std::unique_ptr<parquet::arrow::FileWriter> file_;
};

ParquetFile::ParquetFile(LinsepArrowSink sink, void* context)
    : rows_(std::make_shared<Rows>(std::make_shared<Sink>(sink, context))),
      decoder_(std::make_unique<arrow::ipc::StreamDecoder>(rows_)) {}

// The decoder keeps its input until a message is complete, so it gets a copy.
arrow::Status ParquetFile::write(std::string_view stream) {
  return decoder_->Consume(arrow::Buffer::FromString(std::string(stream)));
}

arrow::Status ParquetFile::end() { return rows_->end(); }

}  // namespace

struct LinsepParquet {
  ParquetFile file;
};

namespace {

int fail(std::string_view text, char* message, std::size_t size) {
  if (size == 0) return 1;
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, message);
  message[length] = 0;
  return 1;
}

/// Returns 0 if `f` returns a good status. Else returns 1, with the failure in `message`.
template <class F>
int run(char* message, std::size_t size, F&& f) {
  try {
    const arrow::Status status = f();
    return status.ok() ? 0 : fail(status.message(), message, size);
  } catch (const std::exception& error) {
    return fail(error.what(), message, size);
  }
}

}  // namespace

const char* linsep_arrow_version() { return LINSEP_ARROW_VERSION; }

int linsep_arrow_open(const char* const* paths, std::size_t count, std::uint64_t bytes, ArrowArrayStream* out,
                      char* message, std::size_t size) {
  return run(message, size, [&] {
    memory().set_limit(bytes);
    ARROW_ASSIGN_OR_RAISE(auto reader, open_files({paths, paths + count}));
    return arrow::ExportRecordBatchReader(std::move(reader), out);
  });
}

int linsep_arrow_begin_parquet(LinsepArrowSink sink, void* context, LinsepParquet** out, char* message,
                               std::size_t size) {
  return run(message, size, [&] {
    *out = new LinsepParquet{ParquetFile(sink, context)};
    return arrow::Status::OK();
  });
}

int linsep_arrow_write_parquet(LinsepParquet* file, const char* bytes, std::size_t count, char* message,
                               std::size_t size) {
  return run(message, size, [&] { return file->file.write({bytes, count}); });
}

int linsep_arrow_end_parquet(LinsepParquet* file, char* message, std::size_t size) {
  return run(message, size, [&] { return file->file.end(); });
}

void linsep_arrow_free_parquet(LinsepParquet* file) { delete file; }
