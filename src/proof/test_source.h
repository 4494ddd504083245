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

/// Rows with several labels, which are '+', '-' or '?' for each label column.
class LabelColumnsSource : public TestSource {
 public:
  LabelColumnsSource(std::vector<TestRow> rows, std::uint32_t features, const std::vector<std::string>& names)
      : TestSource(rows, features), schema_(TestSource::schema()), start_(rows.size() + 1, 0) {
    schema_.labels = names;
    schema_.classes.clear();
    for (std::size_t k = 0; k < names.size(); ++k) schema_.classes.insert(schema_.classes.end(), {"-1", "1"});
    for (const TestRow& row : rows) {
      label_.push_back(static_cast<double>(schema_.combinations.size()));
      std::string& combination = schema_.combinations.emplace_back();
      for (const char mark : row.label) combination += mark == '+' ? '1' : mark == '-' ? '0' : '-';
    }
  }

  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t) override { at_end_ = false; }
  /// Labels without values.
  std::optional<Batch> next() override {
    if (std::exchange(at_end_, true)) return std::nullopt;
    Batch batch;
    batch.rows = static_cast<std::int64_t>(label_.size());
    batch.features = shape().features;
    batch.start = start_;
    batch.label = label_;
    return batch;
  }

 private:
  Schema schema_;
  std::vector<std::uint64_t> start_;
  std::vector<double> label_;
  bool at_end_ = true;
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
