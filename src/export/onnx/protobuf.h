// Protobuf messages, written by hand: numbers as varints, everything else as bytes with a length. Fields are named by
// their numbers in onnx.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace linsep
