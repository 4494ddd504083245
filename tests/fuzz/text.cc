// Texts: rows, or an Error with the place. Reading at once and as a stream agree, so do the versions of the parser, and
// rows as written are the values.
#include <bit>
#include <cmath>
#include <cstring>
#include <variant>

#include "format/load.h"
#include "format/svmlight/svmlight.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "memory_file.h"
#include "packed_text.h"
#include "target.h"

namespace linsep::fuzz {
namespace {

/// How a text is read: the first three bytes of an input.
struct Way {
  ReadOptions options;
  Stations stations;
  bool gzip = false, zstd = false;  ///< the text is packed first
};

Way way_of(Front& front) {
  Way way;
  ReadOptions& options = way.options;
  options.threads = 1;
  Bits first(front.byte()), second(front.byte()), third(front.byte());
  options.format = static_cast<ReadOptions::Format>(first.take(4));
  options.double_values = first.next();
  options.exact_values = first.next();
  options.labelled = !first.next();
  options.regression = first.next();
  options.many_classes = first.next();
  if (first.next()) options.classes = {"-1", "1"};
  if (const unsigned header = second.take(4); header >= 2) options.header = header == 3;
  options.label_sets = second.next();
  options.drop_missing_labels = second.next();
  if (second.next()) options.labels = {"1", "2"};
  if (second.next()) options.id = "1";
  if (second.next()) options.weight = "2";
  if (second.next()) options.ignore = {"3"};
  constexpr std::size_t kChunks[] = {4096, 16, 64, 300};
  way.stations.chunk_bytes = kChunks[third.take(4)];
  way.stations.largest_block = std::size_t{1} << 16;
  way.stations.head_bytes = 2048;
  if (third.next()) options.label = "1";
  if (third.next()) options.positive = "1";
  if (third.next()) options.feature_names = {"a", "b"};
  if (third.next()) options.delimiter = ';';
  way.gzip = third.next();
  way.zstd = third.next();
  return way;
}

/// A row by value: equal where every bit is.
struct Row {
  std::uint64_t label = 0, weight = 0;
  std::vector<std::uint32_t> column;
  std::vector<std::uint64_t> value;
  bool operator==(const Row&) const = default;
};

struct Result {
  std::vector<Row> rows;
  std::vector<std::string> classes;
  std::string error;  ///< "": there was none
  bool operator==(const Result&) const = default;
};

/// Scores that nobody looks at: it is the reading of memory that counts.
void score_rows(const Batch& batch) {
  static const Model model = [] {
    Model made;
    made.features = 6;
    made.theta = {1, -2, 0.5, 3, -1, 0.25};
    return made;
  }();
  std::vector<double> z(static_cast<std::size_t>(batch.rows));
  score(model, batch, z);
}

void append(const Batch& batch, std::vector<Row>& rows) {
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    Row& plain = rows.emplace_back();
    if (batch.labelled()) plain.label = std::bit_cast<std::uint64_t>(batch.label_of(i));
    plain.weight = std::bit_cast<std::uint64_t>(batch.weight_of(i));
    for_each_entry(row, [&](std::uint32_t column, double value) {
      must(column < batch.features && std::isfinite(value), "a column or a value is out of range");
      must(batch.dense || plain.column.empty() || plain.column.back() < column, "columns don't ascend");
      plain.column.push_back(column);
      plain.value.push_back(std::bit_cast<std::uint64_t>(value));
    });
  });
}

double number_of(const std::string& decimal, bool is_float) {
  return is_float ? static_cast<double>(std::strtof(decimal.c_str(), nullptr)) : std::strtod(decimal.c_str(), nullptr);
}

/// Rows as written are the values; those that aren't written are 0.
void check_written(Source& source, const std::vector<Row>& rows, bool is_float) {
  constexpr std::size_t kMost = 40;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) numbers.push_back(static_cast<std::int64_t>(i));
  const std::vector<WrittenRow> written = source.written(numbers);
  must(written.size() == numbers.size(), "as many rows aren't written as were asked for");
  for (std::size_t i = 0; i < written.size(); ++i) {
    must(written[i].row == numbers[i], "another row was written than was asked for");
    std::vector<std::pair<std::uint32_t, double>> read, stored;
    for (const WrittenValue& value : written[i].values) {
      const double number = number_of(value.decimal, is_float);
      if (number != 0) read.emplace_back(value.column, number);
    }
    for (std::size_t k = 0; k < rows[i].column.size(); ++k) {
      const auto number = std::bit_cast<double>(rows[i].value[k]);
      if (number != 0) stored.emplace_back(rows[i].column[k], number);
    }
    must(read == stored, "a row as written isn't the row that was read");
  }
}

std::string told(const Error& error, const std::string& path) {
  must(error.kind() == Error::Kind::kInput || error.kind() == Error::Kind::kUsage,
       ("an Error isn't about the input: " + std::string(error.what())).c_str());
  const std::string what = error.what();
  must(what.size() > 5 && what.find('\n') == std::string::npos, "an Error isn't a line");
  must(error.place().file.empty() || error.place().file.starts_with(path), "an Error names another file");
  return what;
}

Result read(const std::string& path, const Way& way, bool streaming, bool as_written) {
  Result result;
  try {
    const auto source =
        streaming ? open_stream_with(path, way.options, way.stations) : load_with(path, way.options, way.stations);
    source->rewind(0);
    while (const auto batch = source->next()) {
      must(batch->first_row == static_cast<std::int64_t>(result.rows.size()), "rows are left out");
      append(*batch, result.rows);
      score_rows(*batch);
    }
    result.classes = source->schema().classes;
    if (as_written) check_written(*source, result.rows, !way.options.double_values);
  } catch (const Error& error) {
    result = {{}, {}, told(error, path)};
  }
  return result;
}

/// A stream must know its classes beforehand.
bool alike(const ReadOptions& options) {
  return !options.labelled || (!options.label_sets && (options.regression || !options.classes.empty()));
}

/// It doesn't know that it has no rows.
void compare(const Result& loaded, const Result& streamed) {
  if (!streamed.error.empty()) must(!loaded.error.empty(), "a stream is refused that can be loaded");
  if (!loaded.error.empty() && streamed.rows.empty()) return;
  must(loaded.error == streamed.error, "a stream gives another Error");
  must(loaded.rows == streamed.rows, "a stream has other rows");
}

void run(std::string_view bytes) {
  static const MemoryFile file;
  Front front(bytes);
  const Way way = way_of(front);
  const std::string_view text = front.rest();
  file.write(way.gzip ? gzip_stored(text) : way.zstd ? zstd_stored(text) : std::string(text));
  const bool thorough = is_thorough(bytes);
  use_svmlight_version(thorough ? "scalar" : "");
  const Result loaded = read(file.path(), way, false, thorough);
  use_svmlight_version("");
  if (!thorough) return;
  const bool csv = way.options.format == ReadOptions::Format::kCsv || way.options.format == ReadOptions::Format::kTsv;
  if (alike(way.options) || csv) {
    const Result streamed = read(file.path(), way, true, false);
    if (alike(way.options)) compare(loaded, streamed);
  } else {
    must(read(file.path(), way, false, false) == loaded, "another version of the parser reads other rows");
  }
}

std::vector<std::string> seeds() {
  const std::string svmlight = "1 1:0.5 3:-2e1 # c\n-1 qid:3 2:.25\n+1\t7:1\r\n\n-1 1:1e-3 4294967295:3\n";
  const std::string csv = "width,\"height, cm\",kind\n1.5,2,1\n-3e2,0.25,\"-1\"\n\"4\",\"5\",1\r\n\n6,7.125,-1\n";
  const std::string words = "a,b,c\nred,1,2\nNA,3,4\nblue,,6\ngreen,7,8\n";
  const std::string sets = "1,3,7 1:2\n3 2:1\n 4:1\n2,7 1:1\n";
  const std::string many = "0 1:1\n1 2:1\n2 3:1\nspam 1:2\n? 3:1\n";
  const std::string table = "1\t2\t-1\n3\t4\t1\n";
  const auto with = [](std::initializer_list<int> way, const std::string& text) {
    std::string seed;
    for (const int byte : way) seed += static_cast<char>(byte);
    return seed + text;
  };
  std::vector<std::string> all;
  for (const int first : {0, 1, 0x81, 0x85, 0x89, 0x11, 0x21}) {
    for (const int third : {0, 1, 2, 0x40, 0x80}) all.push_back(with({first, 0, third}, svmlight));
  }
  for (const int second : {0, 2, 3, 0x20, 0x40, 0x80}) all.push_back(with({2, second, 0}, csv));
  for (const int third : {0, 1, 4, 0x10, 0x40}) all.push_back(with({0xc2, 8, third}, words));
  all.push_back(with({0x42, 3, 4}, words));
  all.push_back(with({1, 4, 0}, sets));
  all.push_back(with({0x41, 8, 0}, many));
  all.push_back(with({0x22, 0, 0}, "1.5,2\n3,4e2\n"));
  all.push_back(with({2, 0x10, 0}, "y,n,1\nn,y,2\nn,n,3\n"));
  all.push_back(with({3, 0, 0}, table));
  all.push_back(with({0, 0, 0}, gzip_packed(svmlight + svmlight)));
  all.push_back(with({0, 0, 0}, zstd_packed(csv)));
  all.push_back(with({0, 0, 1}, gzip_packed(svmlight) + gzip_packed(svmlight)));
  all.push_back(with({0, 0, 2}, "\xef\xbb\xbf" + csv));
  return all;
}

}  // namespace

const Target& text_target() {
  static const Target target{"text", run, seeds};
  return target;
}

}  // namespace linsep::fuzz
