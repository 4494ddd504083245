#include "format/arrays/array_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bytes/zip.h"
#include "core/from_chars.h"
#include "core/json.h"
#include "data/raw_source.h"
#include "linsep/error.h"
#include "linsep/tools/array_path.h"
#include "linsep/tools/shown_text.h"
#include "os/file.h"

namespace linsep {
namespace {

using Type = ElementType;

struct TypeFacts {
  Type type;
  std::string_view npy;          ///< without the byte-order mark
  std::string_view safetensors;  ///< "" if it has none
  std::size_t size;
};

constexpr TypeFacts kTypes[] = {
    {Type::kFloat16, "f2", "F16", 2}, {Type::kBfloat16, "V2", "BF16", 2}, {Type::kFloat32, "f4", "F32", 4},
    {Type::kFloat64, "f8", "F64", 8}, {Type::kBool, "b1", "BOOL", 1},     {Type::kInt8, "i1", "I8", 1},
    {Type::kInt16, "i2", "I16", 2},   {Type::kInt32, "i4", "I32", 4},     {Type::kInt64, "i8", "I64", 8},
    {Type::kUint8, "u1", "U8", 1},    {Type::kUint16, "u2", "U16", 2},    {Type::kUint32, "u4", "U32", 4},
    {Type::kUint64, "u8", "U64", 8},
};

[[noreturn]] void refuse(std::string message) { throw BadFile{std::move(message)}; }

/// How many bytes an array of this shape takes. Throws if 64 bits can't hold the count.
std::uint64_t bytes_of(const std::vector<std::uint64_t>& shape, std::size_t size) {
  std::uint64_t bytes = size;
  if (std::ranges::find(shape, 0U) != shape.end()) return 0;
  for (const std::uint64_t length : shape) {
    if (length > std::numeric_limits<std::uint64_t>::max() / bytes) refuse("its shape is too large");
    bytes *= length;
  }
  return bytes;
}

/// Parses the header of an .npy file, which is a dictionary as Python writes it.
class NpyHeader {
 public:
  explicit NpyHeader(std::string_view text) : rest_(text) {}

  std::string descr;
  bool fortran = false;
  std::vector<std::uint64_t> shape;

  void parse() {
    expect('{');
    int met = 0;
    while (!take('}')) {
      const std::string key = word();
      expect(':');
      const int now = met;
      if (key == "descr") {
        skip_spaces();
        if (!rest_.empty() && rest_.front() == '[') {
          refuse("it holds records with named fields: save the columns as one array of numbers");
        }
        descr = word();
        met |= 1;
      } else if (key == "fortran_order") {
        fortran = flag();
        met |= 2;
      } else if (key == "shape") {
        parse_shape();
        met |= 4;
      }
      if (met == now) broken();  // an unknown key, or one that repeats
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (met != 7 || !rest_.empty()) broken();
  }

 private:
  [[noreturn]] static void broken() { refuse("its header isn't that of an .npy file"); }

  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool take(char letter) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char letter) {
    if (!take(letter)) broken();
  }
  std::string word() {
    skip_spaces();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) broken();
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) broken();
    std::string found(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool flag() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (!rest_.starts_with(name)) continue;
      rest_.remove_prefix(name.size());
      return value;
    }
    broken();
  }
  void parse_shape() {
    expect('(');
    while (!take(')')) {
      skip_spaces();
      std::uint64_t length = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
      const auto digits = static_cast<std::size_t>(end - rest_.data());
      if (error != std::errc() || (digits > 1 && rest_.front() == '0')) broken();  // 040 is octal in old languages
      rest_.remove_prefix(digits);
      take('L');  // as Python 2 wrote it
      shape.push_back(length);
      if (!take(',')) {
        expect(')');
        if (shape.size() == 1) broken();  // (3) is a number, (3,) a tuple
        break;
      }
    }
  }

  std::string_view rest_;
};

std::vector<std::string> shown(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> all;
  for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k) all.push_back(shown_text(names[k]));
  if (names.size() > kMost) all.push_back(fmt::format("… ({} in all)", names.size()));
  return all;
}

/// The index of the requested array among those of a file. `ending` is what a path ends with before ":NAME".
std::size_t place_of(const std::vector<std::string>& names, std::string_view asked, std::string_view ending) {
  if (names.empty()) refuse("it holds no arrays");
  if (asked.empty()) {
    if (names.size() == 1) return 0;
    refuse(fmt::format("it holds several arrays: add the name of one, as in FILE{}:{}; there are {}", ending,
                       shown_text(names[0]), fmt::join(shown(names), ", ")));
  }
  const auto found = std::ranges::find(names, asked);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(
      fmt::format("it has no array '{}'; there are {}", shown_text(std::string(asked)), fmt::join(shown(names), ", ")));
}

}  // namespace

double ArrayBytes::value(std::uint64_t index) const {
  const auto integer = [&]<class T>(T number) {
    std::memcpy(&number, bytes.data() + index * sizeof(T), sizeof(T));
    return static_cast<double>(number);
  };
  switch (type) {
    case Type::kBool:
    case Type::kUint8:
      return integer(std::uint8_t{});
    case Type::kInt8:
      return integer(std::int8_t{});
    case Type::kInt16:
      return integer(std::int16_t{});
    case Type::kInt32:
      return integer(std::int32_t{});
    case Type::kInt64:
      return integer(std::int64_t{});
    case Type::kUint16:
      return integer(std::uint16_t{});
    case Type::kUint32:
      return integer(std::uint32_t{});
    case Type::kUint64:
      return integer(std::uint64_t{});
    case Type::kFloat16:
    case Type::kBfloat16:
    case Type::kFloat32:
    case Type::kFloat64:
      break;
  }
  double number = 0;
  decode(bytes.data(), static_cast<ValueType>(type), index, 1, &number);
  return number;
}

std::string ArrayBytes::written(std::uint64_t index) const {
  const auto digits = [&]<class T>(T number) {
    std::memcpy(&number, bytes.data() + index * sizeof(T), sizeof(T));
    return std::to_string(number);
  };
  if (type == Type::kInt64) return digits(std::int64_t{});
  if (type == Type::kUint64) return digits(std::uint64_t{});
  return fmt::format("{}", value(index));
}

ArrayBytes parse_npy(std::string_view file) {
  if (!file.starts_with("\x93NUMPY")) refuse("it doesn't begin as an .npy file does");
  const auto version = number_at<std::uint8_t>(file, 6);
  if (version < 1 || version > 3) refuse(fmt::format("version {} of .npy isn't known", version));
  const bool short_size = version == 1;
  const std::uint64_t size = short_size ? number_at<std::uint16_t>(file, 8) : number_at<std::uint32_t>(file, 8);
  const std::uint64_t begin = short_size ? 10 : 12;
  NpyHeader header(part_of(file, begin, size));
  header.parse();
  ArrayBytes array;
  array.dtype = header.descr;
  array.shape = header.shape;
  const std::string_view name = header.descr;
  const bool marked = !name.empty() && std::string_view("<>|=").find(name.front()) != std::string_view::npos;
  const std::string_view kind = marked ? name.substr(1) : name;
  const auto* facts = std::ranges::find(kTypes, kind, &TypeFacts::npy);
  if (facts == std::end(kTypes)) {
    refuse(fmt::format("its dtype is '{}': convert it to numbers, with X.astype(np.float32) for instance",
                       shown_text(array.dtype)));
  }
  if (marked && name.front() == '>' && facts->size > 1) {
    refuse(fmt::format("its dtype '{}' is big-endian: save X.astype('<{}')", shown_text(array.dtype), kind));
  }
  if (header.fortran && array.shape.size() > 1) {
    refuse("it is in Fortran order, column by column: save np.ascontiguousarray(X)");
  }
  array.type = facts->type;
  const std::uint64_t bytes = bytes_of(array.shape, facts->size);
  if (bytes != file.size() - begin - size) {
    refuse(fmt::format("its header promises {} bytes of values, but {} follow", bytes, file.size() - begin - size));
  }
  array.bytes = part_of(file, begin + size, bytes);
  return array;
}

ArrayBytes parse_npz(std::string_view file, std::string_view member) {
  constexpr std::string_view kEnding = ".npy";
  if (member.ends_with(kEnding)) member.remove_suffix(kEnding.size());
  std::vector<zip::Member> arrays = zip::members(file);
  std::erase_if(arrays, [&](const zip::Member& one) { return !one.name.ends_with(kEnding); });
  std::vector<std::string> names;
  for (const zip::Member& one : arrays) names.push_back(one.name.substr(0, one.name.size() - kEnding.size()));
  const std::size_t place = place_of(names, member, ".npz");
  if (arrays[place].compressed) {
    refuse(
        fmt::format("array '{}' is compressed, so it can't be mapped: save it with np.savez, not "
                    "np.savez_compressed, or as an .npy file",
                    shown_text(names[place])));
  }
  return parse_npy(zip::stored_bytes(file, arrays[place]));
}

ArrayBytes parse_safetensors(std::string_view file, std::string_view tensor) {
  constexpr std::uint64_t kMostHeader = 100'000'000;  // the limit of the format
  const auto broken = [] { refuse("its header isn't that of a safetensors file"); };
  const auto size = number_at<std::uint64_t>(file, 0);
  if (size > kMostHeader) broken();
  const std::string_view text = part_of(file, 8, size);
  const std::string_view values = file.substr(8 + size);
  const nlohmann::json header = strict_json_object(text);
  if (!header.is_object() || text.front() != '{') broken();
  const auto is_number = [](const nlohmann::json& number) { return number.is_number_unsigned(); };
  struct Tensor {
    std::string name;
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Tensor> tensors;
  std::vector<std::string> names;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      const auto is_word = [](const nlohmann::json& word) { return word.is_string(); };
      if (!entry.is_object() || !std::ranges::all_of(entry, is_word)) broken();
      continue;
    }
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) {
      broken();
    }
    const nlohmann::json &shape = entry["shape"], &offsets = entry["data_offsets"];
    if (!entry["dtype"].is_string() || !shape.is_array() || !std::ranges::all_of(shape, is_number) ||
        !offsets.is_array() || offsets.size() != 2 || !std::ranges::all_of(offsets, is_number)) {
      broken();
    }
    names.push_back(name);
    tensors.push_back({name, offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()});
  }
  ArrayBytes array;
  const std::size_t place = place_of(names, tensor, ".safetensors");
  const nlohmann::json& entry = header[names[place]];
  array.dtype = entry["dtype"].get<std::string>();
  const auto* facts = std::ranges::find(kTypes, std::string_view(array.dtype), &TypeFacts::safetensors);
  if (facts == std::end(kTypes)) {
    refuse(fmt::format("its dtype {} isn't supported: convert it to F16, BF16, F32 or F64", shown_text(array.dtype)));
  }
  array.type = facts->type;
  for (const nlohmann::json& length : entry["shape"]) array.shape.push_back(length.get<std::uint64_t>());
  const std::uint64_t begin = tensors[place].begin, end = tensors[place].end;
  const std::uint64_t bytes = bytes_of(array.shape, facts->size);
  if (begin > end || end - begin != bytes) {
    refuse(fmt::format("its shape needs {} bytes of values, but its header gives it {}", bytes,
                       begin > end ? 0 : end - begin));
  }
  array.bytes = part_of(values, begin, bytes);
  // The safetensors library requires that tensors follow one another from the first byte to the last.
  std::ranges::sort(tensors, {}, [](const Tensor& one) { return std::pair(one.begin, one.end); });
  std::uint64_t covered = 0;
  for (const Tensor& one : tensors) {
    if (one.end < one.begin) broken();
    if (one.begin < covered) refuse(fmt::format("tensor '{}' overlaps another one", shown_text(one.name)));
    if (one.begin > covered) refuse(fmt::format("no tensor has its bytes from {} to {}", covered, one.begin));
    covered = one.end;
  }
  if (covered > values.size()) refuse("the file ends too early: it is cut off or damaged");
  if (covered < values.size()) refuse(fmt::format("{} bytes follow its last tensor", values.size() - covered));
  return array;
}

ArrayPath split_array_path(const std::string& path) {
  for (const std::string_view ending : {".npz:", ".safetensors:"}) {
    const std::size_t found = path.rfind(ending);
    if (found == std::string::npos) continue;
    const std::size_t colon = found + ending.size() - 1;
    return {path.substr(0, colon), path.substr(colon + 1)};
  }
  return {path, ""};
}

bool is_array_path(const std::string& path) {
  const std::string file = split_array_path(path).file;
  return file.ends_with(".npy") || file.ends_with(".npz") || file.ends_with(".safetensors");
}

ArrayFile open_array(const std::string& path) {
  const ArrayPath parts = split_array_path(path);
  const OpenFile file = OpenFile::at(parts.file);
  const FileStatus status = file.status();
  const Place place{path, 0, 0};
  if (!status.regular()) throw Error(place, "arrays are mapped into memory, which needs a regular file");
  if (status.size == 0) throw Error(place, "the file is empty");
  const auto mapped = std::shared_ptr<const MappedBytes>(
      new MappedBytes{file.map(0, static_cast<std::size_t>(status.size), false, parts.file)});
  const std::string_view bytes(mapped->data(), static_cast<std::size_t>(status.size));
  try {
    ArrayBytes array = parts.file.ends_with(".npz")           ? parse_npz(bytes, parts.member)
                       : parts.file.ends_with(".safetensors") ? parse_safetensors(bytes, parts.member)
                                                              : parse_npy(bytes);
    return {path, std::move(array), mapped};
  } catch (const BadFile& error) {
    throw Error(place, error.message);
  }
}

}  // namespace linsep
