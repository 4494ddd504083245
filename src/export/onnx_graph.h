// Protobuf messages, written by hand, with numbers as varints and everything else as bytes with a length. Fields are
// named by their numbers in onnx.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linsep {

class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3U);
    varint(value);
    return *this;
  }
  ProtobufMessage& bytes(int field, std::string_view value) {
    varint((static_cast<std::uint64_t>(field) << 3U) | 2U);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return bytes(field, value.bytes_); }
  const std::string& str() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) bytes_.push_back(static_cast<char>((value & 127U) | 128U));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

/// A value of a graph, identified by its name.
using Value = std::string;

enum class Element : std::uint8_t { kFloat = 1, kInt64 = 7, kString = 8, kBool = 9, kDouble = 11 };

using Dims = std::vector<std::int64_t>;  ///< −1: the number of rows

/// A tensor, as constants and attributes have it. An attribute's tensor has "" as `name`.
ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<double>& values);
ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<std::int64_t>& values);
ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<std::string>& values);

ProtobufMessage attribute(const std::string& name, std::int64_t value);
ProtobufMessage attribute(const std::string& name, const std::string& value);
ProtobufMessage attribute(const std::string& name, const std::vector<std::int64_t>& values);
ProtobufMessage attribute(const std::string& name, const std::vector<std::string>& values);
ProtobufMessage attribute(const std::string& name, const ProtobufMessage& tensor);

/// Nodes, constants, inputs and outputs of an ONNX model. Values are identified by name.
class OnnxGraph {
 public:
  /// Names in `taken` are those of inputs, and never given to other values.
  explicit OnnxGraph(std::vector<std::string> taken) : taken_(std::move(taken)) {}

  Value input(const std::string& name, Element element, const Dims& dims);
  /// Gives a value the name of an output, followed by "_out" if an input has that name.
  void output(const Value& value, std::string name, Element element, const Dims& dims);

  Value constant(const Dims& dims, const std::vector<double>& values);
  Value constant(const Dims& dims, const std::vector<std::int64_t>& values);
  Value constant(const Dims& dims, const std::vector<std::string>& values);
  Value scalar(double value) { return constant({}, std::vector<double>{value}); }

  Value add(const std::string& type, const std::vector<Value>& inputs,
            const std::vector<ProtobufMessage>& attributes = {}, const std::string& domain = "");
  Value cast(const Value& value, Element element);

  /// The whole model. REQUIRES: called once, last.
  std::string model(const std::string& producer_version);

 private:
  Value fresh();
  bool is_taken(const std::string& name) const;
  void node(const std::string& type, const std::vector<Value>& inputs, const Value& result,
            const std::vector<ProtobufMessage>& attributes, const std::string& domain);

  std::vector<std::string> taken_;
  std::size_t count_ = 0;
  ProtobufMessage nodes_, constants_, inputs_, outputs_;
  bool microsoft_ = false;
};

}  // namespace linsep
