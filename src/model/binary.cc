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

  /// A vector of numbers, or a string of bytes.
  template <class Numbers>
  void read(std::uint64_t length, Numbers& result) {
    using Number = typename Numbers::value_type;
    if (length > bytes_.size() / sizeof(Number)) {
      throw Error(Place{name_}, "not a model file: it is shorter than its header says");
    }
    result.resize(length);
    const std::size_t size = length * sizeof(Number);
    bytes_.copy(reinterpret_cast<char*>(result.data()), size);
    bytes_.remove_prefix(std::min(bytes_.size(), (size + 7) / 8 * 8));
  }

  /// Ends of the strings, one behind another, and then their bytes.
  std::vector<std::string> read_words(std::uint64_t length) {
    std::vector<std::uint64_t> ends;
    std::string bytes;
    read(length, ends);
    read(ends.empty() ? 0 : ends.back(), bytes);
    std::vector<std::string> words;
    words.reserve(ends.size());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      if (end < begin || end > bytes.size())
        throw Error(Place{name_}, "not a model file: the ends of strings don't ascend");
      words.push_back(bytes.substr(begin, end - begin));
      begin = end;
    }
    return words;
  }

  void finish() const {
    if (!bytes_.empty()) throw Error(Place{name_}, "not a model file: it is longer than its header says");
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

void append_words(std::string& out, const std::vector<const std::string*>& words) {
  std::vector<std::uint64_t> ends;
  ends.reserve(words.size());
  std::uint64_t end = 0;
  for (const std::string* word : words) ends.push_back(end += word->size());
  append_array(out, ends);
  for (const std::string* word : words) out += *word;
  pad(out, '\0');
}

void append_lists(std::string& out, const Encoder& encoder) {
  std::vector<const std::string*> words;
  for (const std::string& term : encoder.terms) words.push_back(&term);
  append_words(out, words);
  append_array(out, encoder.buckets);
  std::vector<std::uint32_t> named;
  words.clear();
  for (const BucketName& name : encoder.names) {
    named.push_back(name.bucket);
    words.insert(words.end(), {&name.first, &name.second});
  }
  append_array(out, named);
  append_words(out, words);
  append_array(out, encoder.idf);
}

void read_lists(ArrayReader& arrays, const EncoderLengths& lengths, Encoder& encoder) {
  encoder.terms = arrays.read_words(lengths.terms);
  arrays.read(lengths.buckets, encoder.buckets);
  std::vector<std::uint32_t> named;
  arrays.read(lengths.names, named);
  std::vector<std::string> words = arrays.read_words(2 * named.size());
  encoder.names.reserve(named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    encoder.names.push_back({named[i], std::move(words[2 * i]), std::move(words[2 * i + 1])});
  }
  arrays.read(lengths.idf, encoder.idf);
}

Model from_binary(std::string_view bytes, const std::string& name) {
  const auto bad = [&](const std::string& message) { return Error(Place{name}, "not a model file: " + message); };
  if (bytes.size() < kPrefix + kChecksum) throw bad("it ends within its prefix");
  const auto version = integer_at<std::uint32_t>(bytes, 8);
  if (const std::string problem = version_problem(version); !problem.empty()) throw bad(problem);
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (XXH3_64bits(content.data(), content.size()) != integer_at<std::uint64_t>(bytes, content.size())) {
    throw bad("its checksum is wrong: the file is damaged or cut short");
  }
  if (integer_at<std::uint32_t>(bytes, 12) != 0) throw bad("its reserved bytes should be 0");
  const auto object_size = integer_at<std::uint64_t>(bytes, 16);
  if (object_size > content.size() - kPrefix || object_size % 8 != 0) throw bad("its header has an impossible length");
  ArrayLengths lengths;
  Model model = object_model(content.substr(kPrefix, object_size), name, Arrays::kLengthsOnly, lengths);
  if (version_of(model) > static_cast<int>(version)) throw bad("its prefix has another version than its header");
  ArrayReader arrays(content.substr(kPrefix + object_size), name);
  arrays.read(lengths.theta, model.theta);
  arrays.read(lengths.coefficient, model.coefficient);
  arrays.read(lengths.votes, model.votes);
  arrays.read(lengths.kept_value, model.kept.value);
  if (keeps_rows(model.form)) arrays.read(lengths.kept_start, model.kept.start);
  arrays.read(lengths.kept_column, model.kept.column);
  arrays.read(lengths.offsets, model.offsets);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    read_lists(arrays, lengths.table[i], model.table.encoders[i]);
  }
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
  append_integer(out, static_cast<std::uint32_t>(version_of(model)));
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
  for (const Encoder& encoder : model.table.encoders) append_lists(out, encoder);
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
