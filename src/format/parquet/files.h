// Parquet and Arrow files and folders of them as one reader of batches.
#pragma once

#include <arrow/record_batch.h>
#include <arrow/result.h>

#include <memory>
#include <string>
#include <vector>

namespace linsep_arrow {

/// Folders stand for all files below them, by the bytes of their paths; those whose names begin with '.' or '_' are
/// passed over. A folder called key=value gives the rows below it a column `key` of that value, a dictionary's word.
/// All files must have the same columns. Pages of Parquet with checksums are checked.
arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_files(const std::vector<std::string>& paths);

}  // namespace linsep_arrow
