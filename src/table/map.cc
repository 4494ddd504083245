// TableMap as a whole. The files of the kinds answer for its encoders.
#include "linsep/table/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <type_traits>
#include <utility>

#include "linsep/error.h"
#include "table/kind.h"

namespace linsep {
namespace {

using nlohmann::json;

constexpr auto kKinds = std::make_index_sequence<std::variant_size_v<Encoder::Kind>>();

template <std::size_t... I>
constexpr auto kind_names(std::index_sequence<I...> /*kinds*/) {
  return std::array{std::pair(I, std::variant_alternative_t<I, Encoder::Kind>::kName)...};
}

template <std::size_t... I>
Encoder::Kind kind_at(std::size_t index, std::index_sequence<I...> /*kinds*/) {
  Encoder::Kind kind;
  const auto choose = [&]<std::size_t kAt>(std::integral_constant<std::size_t, kAt> /*at*/) {
    if (kAt == index) kind.emplace<kAt>();
  };
  (choose(std::integral_constant<std::size_t, I>()), ...);
  return kind;
}

/// The part of a kind that has type `Part`, or null.
template <class Part>
const Part* part_of(const Encoder::Kind& kind) {
  return std::visit(
      [](const auto& own) -> const Part* {
        if constexpr (std::is_base_of_v<Part, std::remove_cvref_t<decltype(own)>>) {
          return &own;
        } else {
          return nullptr;
        }
      },
      kind);
}

/// Whether two encoders ask for a column in the same way.
bool agree(const Encoder& a, const Encoder& b) {
  const auto asked = [](const Encoder& e) {
    return std::visit([&](const auto& kind) { return asked_of(e.column, kind); }, e.kind);
  };
  return asked(a) == asked(b);
}

bool is_column_number(const std::string& name) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number > 0;
}

std::string columns_problem(const TableMap& map) {
  std::vector<const Encoder*> by_name;
  for (const Encoder& e : map.encoders) {
    if (!e.is<CrossEncoder>()) by_name.push_back(&e);
    if (!map.header && !is_column_number(e.column)) return "without a header, columns are named by number";
  }
  std::ranges::sort(by_name, {}, [](const Encoder* e) -> const std::string& { return e->column; });
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (by_name[i - 1]->column == by_name[i]->column && !agree(*by_name[i - 1], *by_name[i])) {
      return fmt::format("column '{}' is encoded in two different ways", by_name[i]->column);
    }
  }
  return "";
}

Encoder read_encoder(const json& object, const std::string& path, TableLists lists, EncoderLengths& lengths) {
  EncoderReader from{JsonObject(object, path), lists};
  Encoder encoder;
  encoder.column = json_word(from.object, "name");
  encoder.kind = kind_at(json_choice(from.object, "kind", kind_names(kKinds)), kKinds);
  std::visit([&](auto& kind) { read_kind(from, kind); }, encoder.kind);
  from.object.finish();
  lengths = from.lengths;
  return encoder;
}

}  // namespace

const Scaling* Encoder::scaling() const { return part_of<Scaling>(kind); }

const TermSet* Encoder::terms() const { return part_of<TermSet>(kind); }

bool Encoder::has_indicator() const {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.missing; }) {
          return own.missing;
        } else {
          return false;
        }
      },
      kind);
}

std::string encoder_column(const Encoder& encoder) {
  const auto* cross = encoder.get<CrossEncoder>();
  return cross == nullptr ? encoder.column : encoder.column + "*" + cross->second;
}

std::string_view encoder_kind(const Encoder& encoder) {
  return std::visit([](const auto& kind) { return kind.kName; }, encoder.kind);
}

std::uint64_t encoder_features(const TableMap& map, std::size_t encoder) {
  return std::visit([&](const auto& kind) { return kind_features(map, kind); }, map.encoders[encoder].kind);
}

std::vector<std::uint32_t> encoder_starts(const TableMap& map) {
  std::vector<std::uint32_t> starts;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i <= map.encoders.size(); ++i) {
    if (at > std::numeric_limits<std::uint32_t>::max()) {
      throw input_error("the table has more than 4294967295 features: use fewer bits, or leave out columns");
    }
    starts.push_back(static_cast<std::uint32_t>(at));
    if (i < map.encoders.size()) at += encoder_features(map, i);
  }
  return starts;
}

std::string encoded_name(const TableMap& map, std::uint32_t feature) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    const Encoder& e = map.encoders[i];
    const std::uint64_t features = encoder_features(map, i);
    if (feature < start + features) {
      const auto place = static_cast<std::uint32_t>(feature - start);
      const std::string name =
          std::visit([&](const auto& kind) { return kind_name(map, e.column, kind, place); }, e.kind);
      // A column identified by a number alone is called x1, like features without a name everywhere.
      return map.header ? name : fmt::format("x{}", name);
    }
    start += features;
  }
  return fmt::format("#{}", feature);
}

std::string problem_of(const TableMap& map) {
  if (map.rules != TableMap::kRules) {
    return fmt::format("the table has version {} of the rules; this program has {}", map.rules, TableMap::kRules);
  }
  if (map.rows < 0) return "the table's number of rows is negative";
  if (map.decimal != '.' && map.decimal != ',') return "the table's decimal sign should be a point or a comma";
  for (const Encoder& e : map.encoders) {
    const std::string problem = std::visit([&](const auto& kind) { return kind_problem(map, e.column, kind); }, e.kind);
    if (!problem.empty()) return fmt::format("column '{}' of the table: {}", e.column, problem);
  }
  if (std::string problem = columns_problem(map); !problem.empty()) return problem;
  try {
    encoder_starts(map);
  } catch (const Error& error) {
    return error.reason();
  }
  return "";
}

std::string table_object_text(const TableMap& map, TableLists lists) {
  std::string out = "{";
  JsonFields fields(out, " ");
  append_json_number(fields["rules"], map.rules);
  append_json_number(fields["rows"], map.rows);
  append_json_flag(fields["single"], map.single);
  append_json_flag(fields["header"], map.header);
  append_json_word(fields["decimal"], std::string_view(&map.decimal, 1));
  append_json_words(fields["missing_words"], map.missing_words);
  fields["columns"] += '[';
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    out += i > 0 ? ",\n    {" : "\n    {";
    EncoderWriter to{out, lists};
    append_json_word(to.fields["name"], map.encoders[i].column);
    append_json_word(to.fields["kind"], encoder_kind(map.encoders[i]));
    std::visit([&](const auto& kind) { write_kind(to, kind); }, map.encoders[i].kind);
    out += '}';
  }
  return out + "\n  ]}";
}

TableMap table_of_object(const json& object, const std::string& path, TableLists lists,
                         std::vector<EncoderLengths>& lengths) {
  JsonObject fields(object, path);
  TableMap map;
  map.rules = json_integer<int>(fields, "rules");
  if (map.rules != TableMap::kRules) {
    throw BadJson{fmt::format("the table has version {} of the rules of words, numbers and dates; this program has {}",
                              map.rules, TableMap::kRules)};
  }
  map.rows = json_integer<std::int64_t>(fields, "rows");
  map.single = json_flag(fields, "single");
  map.header = json_flag(fields, "header");
  const std::string decimal = json_word(fields, "decimal");
  if (decimal.size() != 1) throw wrong_json(fields.path("decimal"), "\".\" or \",\"");
  map.decimal = decimal[0];
  map.missing_words = json_words(fields, "missing_words");
  const std::string list = fields.path("columns");
  lengths.clear();
  for_each_json_item(fields.field("columns"), list, "a list of objects", [&](const json& column) {
    const std::string at = fmt::format("{}[{}]", list, map.encoders.size());
    map.encoders.push_back(read_encoder(column, at, lists, lengths.emplace_back()));
  });
  fields.finish();
  return map;
}

std::string table_to_json(const TableMap& map) { return table_object_text(map, TableLists::kInPlace); }

TableMap table_from_json(const std::string& json_text, const std::string& name) {
  TableMap map = read_json_text(json_text, name, "a table map", [](const json& object) {
    std::vector<EncoderLengths> lengths;
    return table_of_object(object, "", TableLists::kInPlace, lengths);
  });
  const std::string problem = problem_of(map);
  if (!problem.empty()) throw Error(Place{name}, "not a table map: " + problem);
  return map;
}

}  // namespace linsep
