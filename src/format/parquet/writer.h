// ParquetFile: a stream of Arrow's IPC format becomes a Parquet file as it comes.
#pragma once

#include <arrow/ipc/reader.h>
#include <arrow/status.h>

#include <memory>
#include <string_view>

#include "format/parquet/module.h"

namespace linsep_arrow {

class ParquetFile {
 public:
  ParquetFile(LinsepArrowSink sink, void* context);

  arrow::Status write(std::string_view stream);
  /// A stream of which not even the columns came is an error.
  arrow::Status end();

 private:
  class Rows;
  std::shared_ptr<Rows> rows_;
  std::unique_ptr<arrow::ipc::StreamDecoder> decoder_;
};

}  // namespace linsep_arrow
