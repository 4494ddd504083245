// Binding of linsep/batch.h and of `view` and `check_rows`. Arrays become rows without a copy, and stay alive with
// them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/half.h"
#include "linsep/read.h"
#include "module.h"
#include "rows.h"

namespace linsep::python {
namespace {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;

/// What the caller passes about the rows besides their values.
struct RowFacts {
  nb::object label, weight, ids;
  std::vector<std::string> classes, feature_names, labels, combinations;
  bool check = true;
  bool check_finite = true;
  bool lasting = false;  ///< for several calls, and the arrays must not change between them
  int threads = 0;
};

/// A checksum of memory that changes with every word of it. It has four lanes, so that memory is the only limit on
/// speed.
class MemorySum {
 public:
  template <class T>
  void add(std::span<const T> values) {
    const auto* at = reinterpret_cast<const unsigned char*>(values.data());
    std::size_t left = values.size_bytes();
    for (; left >= sizeof(lane_); at += sizeof(lane_), left -= sizeof(lane_)) mix(at, sizeof(lane_));
    mix(at, left);
  }
  std::uint64_t value() const {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lane_) all = (all ^ lane) * kOdd;
    return all;
  }

 private:
  void mix(const unsigned char* at, std::size_t bytes) {
    std::array<std::uint64_t, 4> words{};
    if (bytes > 0) std::memcpy(words.data(), at, bytes);
    for (std::size_t i = 0; i < words.size(); ++i) {
      lane_[i] = (lane_[i] ^ words[i]) * kOdd;
      lane_[i] ^= lane_[i] >> 32;
    }
  }

  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::array<std::uint64_t, 4> lane_{};
};

/// 16-bit values, which the core widens a few rows at a time. For other types `values` is empty.
struct HalfValues {
  std::span<const std::uint16_t> values;
  ValueType type = ValueType::kFloat16;
};

std::uint64_t memory_sum(const Batch& batch, const HalfValues& half) {
  MemorySum sum;
  const auto add_values = [&]<class V>(std::span<const V> values) {
    if (values.empty() || !batch.dense || batch.stride == batch.features) return sum.add(values);
    // The memory between two rows belongs to somebody else.
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      sum.add(values.subspan(static_cast<std::size_t>(i) * batch.stride, batch.features));
    }
  };
  add_values(batch.value32);
  add_values(batch.value64);
  add_values(half.values);
  sum.add(batch.column);
  sum.add(batch.column64);
  sum.add(batch.label);
  sum.add(batch.weight);
  return sum.value();
}

class ArrayRows : public RowStore {
 public:
  ArrayRows(std::vector<Array> arrays, nb::object ids, const Batch& batch, const HalfValues& half,
            std::unique_ptr<Source> source, std::optional<std::uint64_t> sum)
      : arrays_(std::move(arrays)),
        ids_(std::move(ids)),
        batch_(batch),
        half_(half),
        source_(std::move(source)),
        sum_(sum) {}

  Source& load(const Watch& /*watch*/) override { return *source_; }
  const Source* loaded() const override { return source_.get(); }
  const Batch* arrays() const override { return half_.values.empty() ? &batch_ : nullptr; }
  /// How many bytes a copy of the rows takes for each value.
  std::int64_t bytes_per_value() const {
    const std::size_t value = batch_.is_float ? sizeof(float) : sizeof(double);
    return static_cast<std::int64_t>(value + (batch_.dense ? 0 : sizeof(std::uint32_t)));
  }
  void require_unchanged() const override {
    if (!sum_ || *sum_ == memory_sum(batch_, half_)) return;
    throw input_error(
        "the arrays behind these rows were changed since: make new rows from them, or from a copy (X.copy())");
  }
  bool weighted() const override { return !batch_.weight.empty(); }
  bool labelled() const override { return batch_.labelled(); }
  std::string id_of(std::int64_t row) const override {
    return ids_.is_none() ? "" : nb::cast<std::string>(nb::str(ids_[static_cast<std::size_t>(row)]));
  }

 private:
  std::vector<Array> arrays_;  // kept alive
  nb::object ids_;
  Batch batch_;
  HalfValues half_;
  std::unique_ptr<Source> source_;
  std::optional<std::uint64_t> sum_;  // checksum of the arrays when they were checked
};

[[noreturn]] void refuse(const std::string& what) {
  throw usage_error("these arrays can't be used without a copy: " + what);
}

/// The array's memory. REQUIRES: the caller has checked the type. Refuses arrays with several dimensions, with gaps or
/// without alignment.
template <class T>
std::span<const T> values_of(const Array& array, const char* name) {
  if (array.ndim() != 1) refuse(std::string(name) + " must have one dimension");
  if (array.shape(0) > 1 && array.stride(0) != 1) refuse(std::string(name) + " has gaps between its values");
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0) refuse(std::string(name) + " isn't aligned");
  return {static_cast<const T*>(array.data()), array.shape(0)};
}

Array array_of(nb::handle value, const char* name) {
  Array array;
  if (!nb::try_cast(value, array)) refuse(std::string(name) + " isn't an array of numbers in memory");
  return array;
}

template <class T>
bool holds(const Array& array) {
  return array.dtype() == nb::dtype<T>();
}

bool is_float16(const Array& array) {
  return array.dtype() == nb::dlpack::dtype{static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
}

void set_values(Batch& batch, const Array& value) {
  batch.is_float = holds<float>(value);
  if (!batch.is_float && !holds<double>(value)) refuse("values are neither float32 nor float64");
}

/// Sets labels, weights and names, and then makes the source. `arrays` are what the batch refers to.
std::unique_ptr<Rows> finish(Batch batch, std::vector<Array> arrays, RowFacts facts, const HalfValues& half = {}) {
  if (!facts.label.is_none()) {
    const Array& label = arrays.emplace_back(array_of(facts.label, "label"));
    if (holds<std::int8_t>(label)) {
      batch.label8 = values_of<std::int8_t>(label, "label");
    } else if (holds<double>(label)) {
      batch.label = values_of<double>(label, "label");
    } else {
      refuse("labels are neither int8 nor float64");
    }
  }
  if (!facts.weight.is_none()) {
    const Array& weight = arrays.emplace_back(array_of(facts.weight, "weight"));
    if (!holds<double>(weight)) refuse("weights aren't float64");
    batch.weight = values_of<double>(weight, "weight");
  }
  if (!facts.ids.is_none() && nb::len(facts.ids) != static_cast<std::size_t>(batch.rows)) {
    refuse("there isn't one id for each row");
  }
  Schema schema;
  schema.classes = std::move(facts.classes);
  schema.feature_names = std::move(facts.feature_names);
  schema.labels = std::move(facts.labels);
  schema.combinations = std::move(facts.combinations);
  const auto of_all = [&](const std::string& one) { return one.size() == schema.labels.size(); };
  if (!std::ranges::all_of(schema.combinations, of_all)) refuse("a combination isn't one of all labels");
  if (!schema.feature_names.empty() && schema.feature_names.size() != batch.features) {
    refuse("there isn't one name for each feature");
  }
  batch.pinned = false;  // the owner of the arrays may change them
  std::unique_ptr<Source> source;
  std::optional<std::uint64_t> sum;
  {
    const nb::gil_scoped_release others_may_run;
    if (facts.lasting) sum = memory_sum(batch, half);
    // For dense rows only the values are left to check.
    const bool check = facts.check && (facts.check_finite || !batch.dense);
    if (!half.values.empty()) {
      source = view_values(batch, half.values.data(), half.type, std::move(schema), check, facts.threads);
    } else {
      if (check) check_rows(batch, schema, facts.threads);
      source = view(batch, std::move(schema));
    }
  }
  return std::make_unique<Rows>(
      std::make_unique<ArrayRows>(std::move(arrays), std::move(facts.ids), batch, half, std::move(source), sum));
}

std::uint32_t feature_count(std::size_t features) {
  if (features > 0xffffffff) throw usage_error("there are more than 4294967295 features");
  return static_cast<std::uint32_t>(features);
}

std::unique_ptr<Rows> rows_of_dense(nb::object value, RowFacts facts) {
  Array array = array_of(value, "value");
  if (array.ndim() != 2) refuse("value must have two dimensions");
  Batch batch;
  batch.dense = true;
  batch.rows = static_cast<std::int64_t>(array.shape(0));
  batch.features = feature_count(array.shape(1));
  // 16-bit integers are the bits of bfloat16, for which NumPy has no type.
  const bool bfloat16 = holds<std::uint16_t>(array), half = bfloat16 || is_float16(array);
  if (!half) set_values(batch, array);
  // With one row or one column, strides mean nothing.
  if (array.shape(1) > 1 && array.stride(1) != 1) refuse("values of a row have gaps between them");
  const bool several = array.shape(0) > 1;
  if (several && array.stride(0) < static_cast<std::int64_t>(array.shape(1))) refuse("rows overlap or run backwards");
  batch.stride = several ? static_cast<std::uint64_t>(array.stride(0)) : array.shape(1);
  const std::size_t size = array.shape(0) == 0 ? 0 : (array.shape(0) - 1) * batch.stride + array.shape(1);
  const std::size_t width = half ? sizeof(std::uint16_t) : (batch.is_float ? sizeof(float) : sizeof(double));
  if (reinterpret_cast<std::uintptr_t>(array.data()) % width != 0) refuse("value isn't aligned");
  if (half && size > 0) {
    const HalfValues values{{static_cast<const std::uint16_t*>(array.data()), size},
                            bfloat16 ? ValueType::kBfloat16 : ValueType::kFloat16};
    return finish(batch, {std::move(array)}, std::move(facts), values);
  }
  if (batch.is_float) {
    batch.value32 = {static_cast<const float*>(array.data()), size};
  } else {
    batch.value64 = {static_cast<const double*>(array.data()), size};
  }
  return finish(batch, {std::move(array)}, std::move(facts));
}

std::unique_ptr<Rows> rows_of_csr(nb::object start, nb::object column, nb::object value, std::size_t features,
                                  RowFacts facts) {
  std::vector<Array> arrays{array_of(start, "start"), array_of(column, "column"), array_of(value, "value")};
  Batch batch;
  batch.features = feature_count(features);
  // Negative offsets would lie beyond the arrays' ends, and are refused as such.
  if (!holds<std::int64_t>(arrays[0]) && !holds<std::uint64_t>(arrays[0])) refuse("offsets must have 64 bits");
  batch.start = values_of<std::uint64_t>(arrays[0], "start");
  if (batch.start.empty()) refuse("there are no offsets");
  batch.rows = static_cast<std::int64_t>(batch.start.size()) - 1;
  if (holds<std::int64_t>(arrays[1])) {
    batch.column64 = values_of<std::int64_t>(arrays[1], "column");
  } else if (holds<std::int32_t>(arrays[1]) || holds<std::uint32_t>(arrays[1])) {
    batch.column = values_of<std::uint32_t>(arrays[1], "column");
  } else {
    refuse("columns are neither int32, uint32 nor int64");
  }
  set_values(batch, arrays[2]);
  if (batch.is_float) {
    batch.value32 = values_of<float>(arrays[2], "value");
  } else {
    batch.value64 = values_of<double>(arrays[2], "value");
  }
  return finish(batch, std::move(arrays), std::move(facts));
}

std::int64_t shape_figure(const Rows& rows, std::int64_t (*figure)(const Shape&)) {
  const Source* source = rows.store().loaded();
  return source == nullptr ? -1 : figure(source->shape());
}

/// How many bytes a copy of the rows takes, or −1 while that isn't known.
std::int64_t bytes_of(const Rows& rows) {
  const Source* source = rows.store().loaded();
  if (source == nullptr || source->shape().nonzeros < 0) return -1;
  const auto* arrays = dynamic_cast<const ArrayRows*>(&rows.store());
  const std::int64_t loaded = sizeof(double) + sizeof(std::uint32_t);
  return source->shape().nonzeros * (arrays == nullptr ? loaded : arrays->bytes_per_value());
}

Words names(const Rows& rows, std::vector<std::string> Schema::* which) {
  const Source* source = rows.store().loaded();
  return source == nullptr ? Words() : to_list(source->schema().*which);
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Rows>(m, "Rows", "Rows for one call at a time. Numbers are -1 while they aren't known.")
      .def_prop_ro("rows", [](const Rows& r) { return shape_figure(r, [](const Shape& s) { return s.rows; }); })
      .def_prop_ro(
          "features",
          [](const Rows& r) { return shape_figure(r, [](const Shape& s) { return std::int64_t{s.features}; }); })
      .def_prop_ro("nonzeros", [](const Rows& r) { return shape_figure(r, [](const Shape& s) { return s.nonzeros; }); })
      .def_prop_ro("classes", [](const Rows& r) { return names(r, &Schema::classes); })
      .def_prop_ro("labels", [](const Rows& r) { return names(r, &Schema::labels); })
      .def_prop_ro("feature_names", [](const Rows& r) { return names(r, &Schema::feature_names); })
      .def_prop_ro("label_type", [](const Rows& r) { return r.store().label_type(); })
      .def_prop_ro("labelled", [](const Rows& r) { return r.store().labelled(); })
      .def_prop_ro("weighted", [](const Rows& r) { return r.store().weighted(); })
      .def_prop_ro("in_memory", [](const Rows& r) { return r.store().in_memory(); })
      .def_prop_ro("bytes", &bytes_of)
      .def_prop_ro("loaded", [](const Rows& r) { return r.store().loaded() != nullptr; })
      .def_prop_ro("account", [](const Rows& r) { return r.store().account(); });

  const auto facts = [](nb::object label, nb::object weight, std::vector<std::string> classes,
                        std::vector<std::string> feature_names, std::vector<std::string> labels,
                        std::vector<std::string> combinations, nb::object ids, bool check, bool check_finite,
                        bool lasting, int threads) {
    return RowFacts{std::move(label),
                    std::move(weight),
                    std::move(ids),
                    std::move(classes),
                    std::move(feature_names),
                    std::move(labels),
                    std::move(combinations),
                    check,
                    check_finite,
                    lasting,
                    threads};
  };
  using Names = std::vector<std::string>;
  m.def(
      "rows_of_dense",
      [facts](nb::object value, nb::object label, nb::object weight, Names classes, Names feature_names, Names labels,
              Names combinations, nb::object ids, bool check, bool check_finite, bool lasting, int threads) {
        return rows_of_dense(
            std::move(value),
            facts(std::move(label), std::move(weight), std::move(classes), std::move(feature_names), std::move(labels),
                  std::move(combinations), std::move(ids), check, check_finite, lasting, threads));
      },
      nb::arg("value"), nb::kw_only(), nb::arg("label") = nb::none(), nb::arg("weight") = nb::none(),
      nb::arg("classes") = Names(), nb::arg("feature_names") = Names(), nb::arg("labels") = Names(),
      nb::arg("combinations") = Names(), nb::arg("ids") = nb::none(), nb::arg("check") = true,
      nb::arg("check_finite") = true, nb::arg("lasting") = false, nb::arg("threads") = 0,
      "Rows of a two-dimensional array of float16, bfloat16 (as uint16), float32 or float64 whose rows lie one after "
      "another. `combinations`: with several `labels` a label is an index of these; '1', '0' or '-' of each.");
  m.def(
      "rows_of_csr",
      [facts](nb::object start, nb::object column, nb::object value, std::size_t features, nb::object label,
              nb::object weight, Names classes, Names feature_names, Names labels, Names combinations, nb::object ids,
              bool check, bool check_finite, bool lasting, int threads) {
        return rows_of_csr(
            std::move(start), std::move(column), std::move(value), features,
            facts(std::move(label), std::move(weight), std::move(classes), std::move(feature_names), std::move(labels),
                  std::move(combinations), std::move(ids), check, check_finite, lasting, threads));
      },
      nb::arg("start"), nb::arg("column"), nb::arg("value"), nb::arg("features"), nb::kw_only(),
      nb::arg("label") = nb::none(), nb::arg("weight") = nb::none(), nb::arg("classes") = Names(),
      nb::arg("feature_names") = Names(), nb::arg("labels") = Names(), nb::arg("combinations") = Names(),
      nb::arg("ids") = nb::none(), nb::arg("check") = true, nb::arg("check_finite") = true, nb::arg("lasting") = false,
      nb::arg("threads") = 0,
      "Rows in CSR: 64-bit offsets, columns of int32, uint32 or int64, values of float32 or float64.");
}

}  // namespace linsep::python
