// rows and generate turn what was typed, or a generator, into svmlight text.
#include "rows.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "call.h"
#include "linsep/error.h"
#include "linsep/tools/generate.h"

namespace linsep::wasm {
namespace {

std::optional<Rows> current;
std::optional<Trained> last_trained;
std::optional<CertifyOutcome> last_certified;
std::optional<PlainRows> plain;
std::unique_ptr<Source> floats;

void forget() {
  last_trained.reset();
  last_certified.reset();
  plain.reset();
  floats.reset();
}

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

/// "+" and "-" are short for the classes +1 and -1.
std::string_view label_of(std::string_view word) {
  if (word == "+") return "+1";
  if (word == "-") return "-1";
  return word;
}

/// Lines "y a b" as svmlight text of `features` features. The reader refuses anything that isn't a number.
Rows rows_of(std::string_view typed, std::uint32_t features, bool regression) {
  Rows made;
  made.features = features;
  made.regression = regression;
  std::uint64_t number = 0;
  while (!typed.empty()) {
    const std::size_t end = std::min(typed.find('\n'), typed.size());
    std::string_view line = typed.substr(0, end);
    typed.remove_prefix(std::min(end + 1, typed.size()));
    ++number;
    const std::string_view label = next_word(line);
    if (label.empty()) continue;
    made.text += label_of(label);
    std::uint32_t column = 0;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      made.text += fmt::format(" {}:{}", ++column, word);
    }
    if (column != features) {
      throw Error(Place{kRowsName, number, 0}, fmt::format("expected {} number{} after the label, found {}", features,
                                                           features == 1 ? "" : "s", column));
    }
    made.text += '\n';
    ++made.count;
  }
  return made;
}

Json describe(const Source& source) {
  return {{"rows", source.shape().rows}, {"features", source.shape().features}, {"classes", source.schema().classes}};
}

/// The mean of every feature by class, or none for a class without rows.
Json means_json() {
  const PlainRows& all = plain_rows();
  Json means;
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> sum(all.features);
    double count = 0;
    for (std::size_t i = 0; i < all.y.size(); ++i) {
      if (all.y[i] != sign) continue;
      ++count;
      for (std::uint32_t j = 0; j < all.features; ++j) sum[j] += all.at(i, j);
    }
    for (double& one : sum) one /= count;
    means[sign > 0 ? "positive" : "negative"] = count > 0 ? sum : std::vector<double>{};
  }
  return means;
}

/// The decimal units·10^−places, without a fraction of zeros.
std::string decimal(std::int64_t units, int places) {
  std::string digits = std::to_string(units < 0 ? -units : units);
  if (places > 0) {
    if (digits.size() <= static_cast<std::size_t>(places)) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - static_cast<std::size_t>(places), 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return units < 0 ? "-" + digits : digits;
}

std::string generated_text(const Recipe& recipe) {
  if (!recipe.make) throw usage_error("columns other than numbers aren't supported here");
  constexpr std::int64_t kMost = 100'000;
  if (recipe.rows * recipe.features > kMost) throw usage_error("so many numbers aren't made here");
  std::string text;
  DecimalRow row;
  for (std::int64_t i = 0; i < recipe.rows; ++i) {
    recipe.make(i, row);
    text += row.label > 0 ? '+' : '-';
    std::size_t k = 0;
    for (std::uint32_t j = 0; j < recipe.features; ++j) {
      const bool here = k < row.column.size() && row.column[k] == j;
      text += ' ';
      text += here ? decimal(row.units[k++], recipe.places) : "0";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

const Rows& rows() {
  if (!current) throw usage_error("there are no rows yet");
  return *current;
}

void set_rows(Rows made) {
  current = std::move(made);
  forget();
}

std::optional<Trained>& trained() { return last_trained; }
std::optional<CertifyOutcome>& certified() { return last_certified; }

std::unique_ptr<Source> read_rows(bool exact) {
  ReadOptions options;
  options.features = rows().features;
  options.regression = rows().regression;
  options.double_values = exact;
  options.exact_values = exact;
  return load_text(rows().text, kRowsName, options);
}

const PlainRows& plain_rows() {
  if (plain) return *plain;
  const std::unique_ptr<Source> source = read_rows(true);
  PlainRows made;
  made.features = source->shape().features;
  made.regression = rows().regression;
  source->rewind(0);
  while (const auto batch = source->next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const std::size_t begin = made.x.size();
      made.x.resize(begin + made.features);
      for_each_entry(row, [&](std::uint32_t column, double value) { made.x[begin + column] = value; });
      made.y.push_back(batch->label_of(i));
    });
  }
  return plain.emplace(std::move(made));
}

Source& scored_rows() {
  if (!floats) floats = read_rows(false);
  return *floats;
}

LINSEP_EXPORT(rows)
std::int32_t rows_export(const char* text, std::uint32_t size, std::uint32_t features, std::uint32_t regression) {
  return answer_with([&] {
    Rows made = rows_of({text, size}, features, regression != 0);
    std::optional<Rows> before = std::exchange(current, std::move(made));
    try {
      Json described = describe(*read_rows(true));
      forget();
      if (!current->regression) described["means"] = means_json();
      return described;
    } catch (...) {
      current = std::move(before);  // rows that can't be read leave the old ones
      throw;
    }
  });
}

LINSEP_EXPORT(generate)
std::int32_t generate(const char* name, std::uint32_t size, std::uint32_t seed) {
  return answer_with([&] {
    const GeneratorInfo& info = generator_info({name, size});
    Options options;
    if (find_option(info.table, "seed") != nullptr) options["seed"] = std::int64_t{seed};
    const Recipe recipe = make_recipe(info.name, options);
    std::string text = generated_text(recipe);
    set_rows(rows_of(text, recipe.features, false));
    return Json{{"text", std::move(text)}, {"rows", recipe.rows}, {"features", recipe.features}};
  });
}

}  // namespace linsep::wasm
