// Arrow arrays made by hand, for tests, with buffers as bytes and a stream that counts what is released.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linsep/table/arrow.h"

namespace linsep::test {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes bytes(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

inline Bytes bits(const std::vector<int>& values) {
  Bytes out((values.size() + 7) / 8 + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | (1U << (i % 8)));
  }
  return out;
}

/// A column of one batch, as a producer describes it, whether truly or not.
struct MadeColumn {
  std::string name, format;
  std::int64_t length = 0;
  std::vector<std::optional<Bytes>> buffers;  ///< nothing stands for a null pointer
  std::int64_t null_count = -1, offset = 0;
  std::vector<MadeColumn> children = {};
  std::shared_ptr<MadeColumn> dictionary = nullptr;
};

template <class T>
MadeColumn numbers(const std::string& name, const std::string& format, const std::vector<T>& values) {
  return {name, format, static_cast<std::int64_t>(values.size()), {std::nullopt, bytes(values)}};
}

/// Strings with 32-bit offsets, or with 64-bit ones for format "U".
inline MadeColumn strings(const std::string& name, const std::vector<std::optional<std::string>>& values,
                          const std::string& format = "u") {
  std::vector<std::int32_t> end{0};
  std::vector<int> valid;
  std::string all;
  for (const auto& value : values) {
    all += value.value_or("");
    end.push_back(static_cast<std::int32_t>(all.size()));
    valid.push_back(value ? 1 : 0);
  }
  const Bytes offsets = format == "u" ? bytes(end) : bytes(std::vector<std::int64_t>(end.begin(), end.end()));
  return {
      name, format, static_cast<std::int64_t>(values.size()), {bits(valid), offsets, Bytes(all.begin(), all.end())}};
}

/// String views, with short strings inline and long ones in one buffer.
inline MadeColumn views(const std::string& name, const std::vector<std::string>& values) {
  Bytes view(16 * values.size()), long_ones;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto size = static_cast<std::int32_t>(values[i].size());
    std::memcpy(&view[16 * i], &size, 4);
    std::memcpy(&view[16 * i + 4], values[i].data(), std::min<std::size_t>(values[i].size(), 12));
    if (size <= 12) continue;
    const std::int32_t place[2] = {0, static_cast<std::int32_t>(long_ones.size())};
    std::memcpy(&view[16 * i + 8], place, 8);
    long_ones.insert(long_ones.end(), values[i].begin(), values[i].end());
  }
  const Bytes sizes = bytes(std::vector<std::int64_t>{static_cast<std::int64_t>(long_ones.size())});
  return {name, "vu", static_cast<std::int64_t>(values.size()), {std::nullopt, view, long_ones, sizes}};
}

struct Released {
  int streams = 0, schemas = 0, arrays = 0;
};

using MadeBatches = std::vector<std::vector<MadeColumn>>;

/// Owns what a stream's structures point into.
struct MadeStream {
  MadeBatches batches;
  std::int64_t offset = 0;  ///< of every batch: this many rows of its columns are skipped
  Released* released = nullptr;
  std::size_t next = 0;
  std::string error;  ///< if not empty, get_next fails with it at the end
};

struct ArrayParts {
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
};

inline void no_release(ArrowArray* array) { array->release = nullptr; }

/// Children belong to their parent's parts.
inline void fill_array(const MadeColumn& column, ArrowArray& out, std::vector<std::unique_ptr<ArrayParts>>& parts) {
  parts.push_back(std::make_unique<ArrayParts>());
  ArrayParts& own = *parts.back();
  for (const auto& buffer : column.buffers) own.buffers.push_back(buffer ? buffer->data() : nullptr);
  own.children.resize(column.children.size());
  for (std::size_t c = 0; c < column.children.size(); ++c) {
    fill_array(column.children[c], own.children[c], parts);
    own.pointers.push_back(&own.children[c]);
  }
  if (column.dictionary) fill_array(*column.dictionary, own.dictionary, parts);
  out = {column.length,
         column.null_count,
         column.offset,
         static_cast<std::int64_t>(own.buffers.size()),
         static_cast<std::int64_t>(own.children.size()),
         own.buffers.data(),
         own.pointers.data(),
         column.dictionary ? &own.dictionary : nullptr,
         no_release,
         nullptr};
}

struct BatchParts {
  std::shared_ptr<MadeStream> made;
  std::vector<std::unique_ptr<ArrayParts>> parts;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* validity = nullptr;
};

struct SchemaParts {
  std::vector<std::unique_ptr<ArrowSchema>> schemas;
  std::vector<std::unique_ptr<std::vector<ArrowSchema*>>> lists;
  std::shared_ptr<MadeStream> made;
};

inline ArrowSchema* fill_schema(const MadeColumn& column, SchemaParts& parts) {
  auto list = std::make_unique<std::vector<ArrowSchema*>>();
  for (const MadeColumn& child : column.children) list->push_back(fill_schema(child, parts));
  parts.schemas.push_back(std::make_unique<ArrowSchema>());
  ArrowSchema& out = *parts.schemas.back();
  out.format = column.format.c_str();
  out.name = column.name.c_str();
  out.flags = ARROW_FLAG_NULLABLE;
  out.n_children = static_cast<std::int64_t>(list->size());
  out.children = list->data();
  out.dictionary = column.dictionary ? fill_schema(*column.dictionary, parts) : nullptr;
  out.release = [](ArrowSchema* schema) { schema->release = nullptr; };
  parts.lists.push_back(std::move(list));
  return &out;
}

inline int made_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto& made = *static_cast<std::shared_ptr<MadeStream>*>(stream->private_data);
  auto parts = std::make_unique<SchemaParts>();
  parts->made = made;
  auto list = std::make_unique<std::vector<ArrowSchema*>>();
  for (const MadeColumn& column : made->batches.at(0)) list->push_back(fill_schema(column, *parts));
  *out = {};
  out->format = "+s";
  out->name = "";
  out->n_children = static_cast<std::int64_t>(list->size());
  out->children = list->data();
  parts->lists.push_back(std::move(list));
  out->private_data = parts.release();
  out->release = [](ArrowSchema* schema) {
    auto* own = static_cast<SchemaParts*>(schema->private_data);
    ++own->made->released->schemas;
    delete own;
    schema->release = nullptr;
  };
  return 0;
}

inline int made_next(ArrowArrayStream* stream, ArrowArray* out) {
  const auto& made = *static_cast<std::shared_ptr<MadeStream>*>(stream->private_data);
  *out = {};
  if (made->next == made->batches.size()) return made->error.empty() ? 0 : 5;
  const std::vector<MadeColumn>& batch = made->batches[made->next++];
  auto parts = std::make_unique<BatchParts>();
  parts->made = made;
  parts->children.resize(batch.size());
  for (std::size_t c = 0; c < batch.size(); ++c) {
    fill_array(batch[c], parts->children[c], parts->parts);
    parts->pointers.push_back(&parts->children[c]);
  }
  out->length = batch.empty() ? 0 : batch[0].length - made->offset;
  out->offset = made->offset;
  out->n_buffers = 1;
  out->buffers = &parts->validity;
  out->n_children = static_cast<std::int64_t>(batch.size());
  out->children = parts->pointers.data();
  out->private_data = parts.release();
  out->release = [](ArrowArray* array) {
    auto* own = static_cast<BatchParts*>(array->private_data);
    ++own->made->released->arrays;
    delete own;
    array->release = nullptr;
  };
  return 0;
}

/// REQUIRES: `released` outlives everything that is made from the stream.
inline ArrowArrayStream stream_of(MadeBatches batches, Released& released, std::int64_t offset = 0,
                                  std::string error = "") {
  auto made = std::make_shared<MadeStream>();
  made->batches = std::move(batches);
  made->offset = offset;
  made->released = &released;
  made->error = std::move(error);
  ArrowArrayStream stream{};
  stream.get_schema = made_schema;
  stream.get_next = made_next;
  stream.get_last_error = [](ArrowArrayStream* own) {
    return (*static_cast<std::shared_ptr<MadeStream>*>(own->private_data))->error.c_str();
  };
  stream.private_data = new std::shared_ptr<MadeStream>(made);
  stream.release = [](ArrowArrayStream* own) {
    auto* shared = static_cast<std::shared_ptr<MadeStream>*>(own->private_data);
    ++(*shared)->released->streams;
    delete shared;
    own->release = nullptr;
  };
  return stream;
}

}  // namespace linsep::test
