// Fields: a class lists what its saved state holds once, and saving, loading and the version come from the list.
//
// The list is a template `static void fields(Self& self, Archive& archive)`, called with `const` objects too, that
// passes every field to the archive by what it must fulfil, in the same order whatever the state is. A change of the
// list is another version by itself; what a field means isn't part of it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/bytes.h"

namespace linsep {

/// Writes the fields.
class FieldWriter {
 public:
  explicit FieldWriter(ByteWriter& writer) : writer_(writer) {}

  void flag(bool value) { writer_.number(static_cast<std::uint8_t>(value)); }
  void count(std::int64_t value) { writer_.number(value); }
  void within(std::int64_t value, std::int64_t, std::int64_t) { writer_.number(value); }
  void finite(double value) { writer_.number(value); }
  void at_least_zero(double value) { writer_.number(value); }
  void ordered(double value) { writer_.number(value); }
  void same(std::uint64_t value) { writer_.number(value); }
  template <class E>
  void choice(E value, E) {
    writer_.number(static_cast<std::underlying_type_t<E>>(value));
  }
  template <class T>
  void numbers(const std::vector<T>& values, std::size_t) {
    writer_.numbers(values);
  }
  template <class T>
  void numbers_or_none(const std::vector<T>& values, std::size_t) {
    writer_.numbers(values);
  }
  void ordered_or_none(const std::vector<double>& values, std::size_t) { writer_.numbers(values); }
  /// An object that lists its fields, or saves itself. `facts`: what it is loaded with.
  template <class T, class... Facts>
  void part(const T& object, const Facts&... facts) {
    if constexpr (requires { T::fields(object, *this, facts...); }) {
      T::fields(object, *this, facts...);
    } else {
      object.save(writer_);
    }
  }
  template <class T, class F>
  void loaded(const T&, const F&) {}

 private:
  ByteWriter& writer_;
};

/// Reads them. Throws an input Error for one that isn't what it must be.
class FieldReader {
 public:
  explicit FieldReader(ByteReader& reader) : reader_(reader) {}

  void flag(bool& value) { value = reader_.flag(); }
  void count(std::int64_t& value) { value = reader_.count(); }
  template <class T>
  void within(T& value, std::int64_t least, std::int64_t most) {
    const auto read = reader_.number<std::int64_t>();
    require_state(read >= least && read <= most, "a number in it is out of range");
    value = static_cast<T>(read);
  }
  void finite(double& value) { value = reader_.finite(); }
  void at_least_zero(double& value) { value = reader_.at_least_zero(); }
  void ordered(double& value) { value = reader_.ordered(); }
  /// What is known already.
  void same(std::uint64_t value) { require_state(reader_.number<std::uint64_t>() == value); }
  template <class E>
  void choice(E& value, E last) {
    value = reader_.choice(last);
  }
  template <class T>
  void numbers(std::vector<T>& values, std::size_t size) {
    values = reader_.numbers<T>(size);
  }
  template <class T>
  void numbers_or_none(std::vector<T>& values, std::size_t size) {
    values = reader_.numbers_or_none<T>(size);
  }
  /// The same of numbers that may be infinite.
  void ordered_or_none(std::vector<double>& values, std::size_t size) {
    values = reader_.numbers<double>();
    require_state(values.empty() || values.size() == size, "its parts don't have the sizes of the data");
    for (const double x : values) require_state(!std::isnan(x), "a number in it isn't one");
  }
  template <class T, class... Facts>
  void part(T& object, const Facts&... facts) {
    if constexpr (requires { T::fields(object, *this, facts...); }) {
      T::fields(object, *this, facts...);
    } else {
      object.load(reader_, facts...);
    }
  }
  /// Calls f(object): what must hold of the fields before it, and what follows from them.
  template <class T, class F>
  void loaded(T& object, const F& f) {
    f(object);
  }

 private:
  ByteReader& reader_;
};

/// Makes the version: a hash of the fields' kinds in their order.
class FieldList {
 public:
  template <class T>
  void flag(const T&) {
    add("flag");
  }
  template <class T>
  void count(const T&) {
    add("count");
  }
  template <class T>
  void within(const T&, std::int64_t, std::int64_t) {
    add("within");
  }
  void finite(double) { add("finite"); }
  void at_least_zero(double) { add("at least zero"); }
  void ordered(double) { add("ordered"); }
  void same(std::uint64_t) { add("same"); }
  template <class E>
  void choice(const E&, E last) {
    add("choice");
    add(std::to_string(static_cast<std::underlying_type_t<E>>(last)));
  }
  template <class T>
  void numbers(const std::vector<T>&, std::size_t) {
    add("numbers");
    add(std::to_string(sizeof(T)));
  }
  template <class T>
  void numbers_or_none(const std::vector<T>&, std::size_t) {
    add("numbers or none");
    add(std::to_string(sizeof(T)));
  }
  void ordered_or_none(const std::vector<double>&, std::size_t) { add("ordered or none"); }
  template <class T, class... Facts>
  void part(const T& object, const Facts&... facts) {
    if constexpr (requires { T::fields(object, *this, facts...); }) {
      T::fields(object, *this, facts...);
    } else {
      add("part");
    }
  }
  template <class T, class F>
  void loaded(const T&, const F&) {}

  std::string text() const {
    std::string digits;
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash_ >> shift) & 15];
    return digits;
  }

 private:
  void add(std::string_view kind) {
    for (const char c : kind) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;  // FNV-1a
    hash_ = (hash_ ^ 0xff) * 0x100000001b3;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// `name` and the version of an object's list.
template <class T>
std::string fields_tag(std::string_view name, const T& object) {
  FieldList list;
  T::fields(object, list);
  return std::string(name) + " " + list.text();
}

/// The fields alone, within another state.
template <class T, class... Facts>
void write_fields(ByteWriter& writer, const T& object, const Facts&... facts) {
  FieldWriter archive(writer);
  T::fields(object, archive, facts...);
}
template <class T, class... Facts>
void read_fields(ByteReader& reader, T& object, const Facts&... facts) {
  FieldReader archive(reader);
  T::fields(object, archive, facts...);
}

template <class T>
std::string save_fields(std::string_view name, const T& object) {
  ByteWriter writer;
  writer.text(fields_tag(name, object));
  write_fields(writer, object);
  return writer.take();
}

/// Throws an input Error for bytes of another kind or version, and for damaged ones.
template <class T>
void load_fields(std::string_view name, T& object, const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect(fields_tag(name, object));
  read_fields(reader, object);
  reader.end();
}

}  // namespace linsep
