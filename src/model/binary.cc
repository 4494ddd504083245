// The binary form of a model file: a prefix, the JSON object with the arrays' lengths, the arrays, a checksum.
// docs/formats/model.md gives the layout byte by byte.
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cstring>
#include <span>

#include "linsep/error.h"
#include "linsep/model.h"
#include "model/check.h"
#include "model/object.h"
#include "model/object_names.h"

namespace linsep {
namespace {

static_assert(std::endian::native == std::endian::little, "model files are little-endian and copied as they stand");

constexpr std::string_view kMagic = "\x89LINSEP\n";
constexpr std::size_t kPrefix = 24;  // magic, version, reserved, length of the object
constexpr std::size_t kChecksum = 8;

template <class Integer>
void append_integer(std::string& out, Integer value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Integer>
Integer integer_at(std::string_view bytes, std::size_t at) {
  Integer value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void pad(std::string& out, char with) { out.append((8 - out.size() % 8) % 8, with); }

template <class Number>
void append_array(std::string& out, const std::vector<Number>& numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  pad(out, '\0');
}

/// Goes through the arrays of a file; every length is checked before it is believed.
class ArrayReader {
 public:
  ArrayReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class Number>
  void read(std::uint64_t length, std::vector<Number>& result) {
    if (length > bytes_.size() / sizeof(Number)) {
      throw Error(Place{name_}, "not a model file: it is shorter than its header says");
    }
    result.resize(length);
    const std::size_t size = length * sizeof(Number);
    bytes_.copy(reinterpret_cast<char*>(result.data()), size);
    bytes_.remove_prefix(std::min(bytes_.size(), (size + 7) / 8 * 8));
  }

  void finish() const {
    if (!bytes_.empty()) throw Error(Place{name_}, "not a model file: it is longer than its header says");
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

Model from_binary(std::string_view bytes, const std::string& name) {
  const auto bad = [&](const std::string& message) { return Error(Place{name}, "not a model file: " + message); };
  if (bytes.size() < kPrefix + kChecksum) throw bad("it ends within its prefix");
  const auto version = integer_at<std::uint32_t>(bytes, 8);
  if (version != kFormatVersion) {
    throw bad(
        fmt::format("the model has version {} of the format; this program reads version {}", version, kFormatVersion));
  }
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (XXH3_64bits(content.data(), content.size()) != integer_at<std::uint64_t>(bytes, content.size())) {
    throw bad("its checksum is wrong: the file is damaged or cut short");
  }
  if (integer_at<std::uint32_t>(bytes, 12) != 0) throw bad("its reserved bytes should be 0");
  const auto object_size = integer_at<std::uint64_t>(bytes, 16);
  if (object_size > content.size() - kPrefix || object_size % 8 != 0) throw bad("its header has an impossible length");
  ArrayLengths lengths;
  Model model = object_model(content.substr(kPrefix, object_size), name, Arrays::kLengthsOnly, lengths);
  ArrayReader arrays(content.substr(kPrefix + object_size), name);
  arrays.read(lengths.theta, model.theta);
  arrays.read(lengths.coefficient, model.coefficient);
  arrays.read(lengths.votes, model.votes);
  arrays.read(lengths.kept_value, model.kept.value);
  if (keeps_rows(model.form)) arrays.read(lengths.kept_start, model.kept.start);
  arrays.read(lengths.kept_column, model.kept.column);
  arrays.read(lengths.offsets, model.offsets);
  arrays.finish();
  return model;
}

void require_sound(const Model& model) {
  const std::string problem = problem_of(model);
  if (!problem.empty()) throw input_error("the model can't be written: " + problem);
}

}  // namespace

std::string model_to_json(const Model& model) {
  require_sound(model);
  return object_text(model, Arrays::kInPlace);
}

std::string model_to_binary(const Model& model) {
  require_sound(model);
  std::string object = object_text(model, Arrays::kLengthsOnly);
  pad(object, ' ');
  std::string out(kMagic);
  append_integer(out, static_cast<std::uint32_t>(kFormatVersion));
  append_integer(out, std::uint32_t{0});
  append_integer(out, static_cast<std::uint64_t>(object.size()));
  out += object;
  append_array(out, model.theta);
  append_array(out, model.coefficient);
  append_array(out, model.votes);
  append_array(out, model.kept.value);
  if (keeps_rows(model.form)) append_array(out, model.kept.start);
  append_array(out, model.kept.column);
  append_array(out, model.offsets);
  append_integer(out, static_cast<std::uint64_t>(XXH3_64bits(out.data(), out.size())));
  return out;
}

Model model_from_bytes(std::string_view bytes, const std::string& name_for_errors) {
  Model model;
  if (bytes.starts_with(kMagic)) {
    model = from_binary(bytes, name_for_errors);
  } else {
    ArrayLengths lengths;
    model = object_model(bytes, name_for_errors, Arrays::kInPlace, lengths);
  }
  const std::string problem = problem_of(model);
  if (!problem.empty()) throw Error(Place{name_for_errors}, "not a model file: " + problem);
  return model;
}

}  // namespace linsep
