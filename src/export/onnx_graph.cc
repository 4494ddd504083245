#include "export/onnx_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace linsep {
namespace {

/// The field numbers of onnx.proto.
enum Field {
  kModelIrVersion = 1,
  kModelProducer = 2,
  kModelProducerVersion = 3,
  kModelGraph = 7,
  kModelOpset = 8,
  kGraphNode = 1,
  kGraphName = 2,
  kGraphInitializer = 5,
  kGraphInput = 11,
  kGraphOutput = 12,
  kNodeInput = 1,
  kNodeOutput = 2,
  kNodeName = 3,
  kNodeType = 4,
  kNodeAttribute = 5,
  kNodeDomain = 7,
  kTensorDims = 1,
  kTensorType = 2,
  kTensorString = 6,
  kTensorName = 8,
  kTensorRaw = 9,
  kAttributeName = 1,
  kAttributeInt = 3,
  kAttributeBytes = 4,
  kAttributeTensor = 5,
  kAttributeInts = 8,
  kAttributeStrings = 9,
  kAttributeType = 20,
};
enum AttributeType { kInt = 2, kBytes = 3, kTensor = 4, kInts = 7, kStrings = 8 };

constexpr std::uint64_t kIrVersion = 10;  // the first with opset 21

ProtobufMessage tensor_head(const std::string& name, const Dims& dims, Element element) {
  ProtobufMessage message;
  for (const std::int64_t dim : dims) message.number(kTensorDims, static_cast<std::uint64_t>(dim));
  message.number(kTensorType, static_cast<std::uint64_t>(element));
  if (!name.empty()) message.bytes(kTensorName, name);
  return message;
}

/// Eight bytes each, in little-endian order.
template <class Number>
std::string raw(const std::vector<Number>& values) {
  std::string bytes;
  bytes.reserve(8 * values.size());
  for (const Number value : values) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int k = 0; k < 8; ++k, bits >>= 8U) bytes.push_back(static_cast<char>(bits & 255U));
  }
  return bytes;
}

ProtobufMessage attribute_head(const std::string& name, AttributeType type) {
  ProtobufMessage message;
  message.bytes(kAttributeName, name).number(kAttributeType, type);
  return message;
}

/// ValueInfoProto: a name and the type of a tensor.
ProtobufMessage value_info(const std::string& name, Element element, const Dims& dims) {
  ProtobufMessage shape;
  for (const std::int64_t dim : dims) {
    ProtobufMessage one;
    if (dim < 0) {
      one.bytes(2, "rows");
    } else {
      one.number(1, static_cast<std::uint64_t>(dim));
    }
    shape.message(1, one);
  }
  ProtobufMessage tensor_type, type, info;
  tensor_type.number(1, static_cast<std::uint64_t>(element)).message(2, shape);
  type.message(1, tensor_type);
  info.bytes(1, name).message(2, type);
  return info;
}

ProtobufMessage opset(const std::string& domain, std::uint64_t version) {
  ProtobufMessage message;
  message.bytes(1, domain).number(2, version);
  return message;
}

}  // namespace

ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<double>& values) {
  return tensor_head(name, dims, Element::kDouble).bytes(kTensorRaw, raw(values));
}
ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<std::int64_t>& values) {
  return tensor_head(name, dims, Element::kInt64).bytes(kTensorRaw, raw(values));
}
ProtobufMessage tensor(const std::string& name, const Dims& dims, const std::vector<std::string>& values) {
  ProtobufMessage message = tensor_head(name, dims, Element::kString);
  for (const std::string& value : values) message.bytes(kTensorString, value);
  return message;
}

ProtobufMessage attribute(const std::string& name, std::int64_t value) {
  return attribute_head(name, kInt).number(kAttributeInt, static_cast<std::uint64_t>(value));
}
ProtobufMessage attribute(const std::string& name, const std::string& value) {
  return attribute_head(name, kBytes).bytes(kAttributeBytes, value);
}
ProtobufMessage attribute(const std::string& name, const std::vector<std::int64_t>& values) {
  ProtobufMessage message = attribute_head(name, kInts);
  for (const std::int64_t value : values) message.number(kAttributeInts, static_cast<std::uint64_t>(value));
  return message;
}
ProtobufMessage attribute(const std::string& name, const std::vector<std::string>& values) {
  ProtobufMessage message = attribute_head(name, kStrings);
  for (const std::string& value : values) message.bytes(kAttributeStrings, value);
  return message;
}
ProtobufMessage attribute(const std::string& name, const ProtobufMessage& tensor) {
  return attribute_head(name, kTensor).message(kAttributeTensor, tensor);
}

bool OnnxGraph::is_taken(const std::string& name) const { return std::ranges::find(taken_, name) != taken_.end(); }

Value OnnxGraph::fresh() {
  std::string name = fmt::format("v{}", ++count_);
  while (is_taken(name)) name = fmt::format("v{}", ++count_);
  return name;
}

Value OnnxGraph::input(const std::string& name, Element element, const Dims& dims) {
  inputs_.message(kGraphInput, value_info(name, element, dims));
  return name;
}

void OnnxGraph::output(const Value& value, std::string name, Element element, const Dims& dims) {
  while (is_taken(name)) name += "_out";
  node("Identity", {value}, name, {}, "");
  outputs_.message(kGraphOutput, value_info(name, element, dims));
}

Value OnnxGraph::constant(const Dims& dims, const std::vector<double>& values) {
  Value name = fresh();
  constants_.message(kGraphInitializer, tensor(name, dims, values));
  return name;
}
Value OnnxGraph::constant(const Dims& dims, const std::vector<std::int64_t>& values) {
  Value name = fresh();
  constants_.message(kGraphInitializer, tensor(name, dims, values));
  return name;
}
Value OnnxGraph::constant(const Dims& dims, const std::vector<std::string>& values) {
  Value name = fresh();
  constants_.message(kGraphInitializer, tensor(name, dims, values));
  return name;
}

void OnnxGraph::node(const std::string& type, const std::vector<Value>& inputs, const Value& result,
                     const std::vector<ProtobufMessage>& attributes, const std::string& domain) {
  ProtobufMessage message;
  for (const Value& value : inputs) message.bytes(kNodeInput, value);
  message.bytes(kNodeOutput, result).bytes(kNodeName, result + " = " + type).bytes(kNodeType, type);
  for (const ProtobufMessage& one : attributes) message.message(kNodeAttribute, one);
  if (!domain.empty()) message.bytes(kNodeDomain, domain);
  microsoft_ = microsoft_ || domain == "com.microsoft";
  nodes_.message(kGraphNode, message);
}

Value OnnxGraph::add(const std::string& type, const std::vector<Value>& inputs,
                     const std::vector<ProtobufMessage>& attributes, const std::string& domain) {
  Value result = fresh();
  node(type, inputs, result, attributes, domain);
  return result;
}

Value OnnxGraph::cast(const Value& value, Element element) {
  return add("Cast", {value}, {attribute("to", static_cast<std::int64_t>(element))});
}

std::string OnnxGraph::model(const std::string& producer_version) {
  ProtobufMessage name, message;
  name.bytes(kGraphName, "linsep");
  message.number(kModelIrVersion, kIrVersion).bytes(kModelProducer, "linsep");
  message.bytes(kModelProducerVersion, producer_version);
  message.bytes(kModelGraph, nodes_.str() + name.str() + constants_.str() + inputs_.str() + outputs_.str());
  message.message(kModelOpset, opset("", 21)).message(kModelOpset, opset("ai.onnx.ml", 4));
  if (microsoft_) message.message(kModelOpset, opset("com.microsoft", 1));
  return message.str();
}

}  // namespace linsep
