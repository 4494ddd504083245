#include "format/parquet/writer.h"

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <utility>

namespace linsep_arrow {
namespace {

constexpr std::int64_t kGroupRows = std::int64_t{1} << 18;

/// The file's bytes, on their way out.
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

}  // namespace

/// What the decoder hands its batches to.
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

// The decoder keeps what it is given until a message is complete, so it is given a copy.
arrow::Status ParquetFile::write(std::string_view stream) {
  return decoder_->Consume(arrow::Buffer::FromString(std::string(stream)));
}

arrow::Status ParquetFile::end() { return rows_->end(); }

}  // namespace linsep_arrow
