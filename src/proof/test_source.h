// Rows given in a test, as a source that has them only as written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linsep/source.h"

namespace linsep {

struct TestRow {
  std::string label;
  std::vector<std::pair<std::uint32_t, std::string>> values;  // column from 1
  std::string weight = "1";
};

class TestSource : public Source {
 public:
  TestSource(std::vector<TestRow> rows, std::uint32_t features, std::vector<std::string> classes = {"-1", "1"})
      : rows_(std::move(rows)) {
    shape_ = {static_cast<std::int64_t>(rows_.size()), features, -1};
    schema_.classes = std::move(classes);
  }

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t) override {}
  std::optional<Batch> next() override { return std::nullopt; }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    std::vector<WrittenRow> result;
    for (const std::int64_t row : rows) {
      const TestRow& given = rows_[static_cast<std::size_t>(row)];
      WrittenRow& written = result.emplace_back();
      written.row = row;
      written.label = given.label;
      written.weight.decimal = given.weight;
      for (const auto& [column, text] : given.values) written.values.push_back({column - 1, text, 0});
    }
    return result;
  }

 private:
  std::vector<TestRow> rows_;
  Shape shape_;
  Schema schema_;
};

/// Some of another source's rows, by their numbers there.
class Part : public Source {
 public:
  Part(Source& all, std::int64_t rows) : all_(all), rows_(rows) {}
  Shape shape() const override { return {rows_, rows_ == 0 ? 0 : all_.shape().features, -1}; }
  const Schema& schema() const override { return all_.schema(); }
  void rewind(std::uint64_t) override {}
  std::optional<Batch> next() override { return std::nullopt; }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override { return all_.written(rows); }

 private:
  Source& all_;
  std::int64_t rows_;
};

}  // namespace linsep
