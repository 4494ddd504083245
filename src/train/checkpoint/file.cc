#define XXH_INLINE_ALL
#include "train/checkpoint/file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <type_traits>

#include "core/bytes.h"
#include "linsep/checkpoint.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::string_view kMagic = "\x89LINSEPC";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kChecksum = 8;

template <class T>
void write_optional(ByteWriter& writer, const std::optional<T>& value) {
  writer.number(static_cast<std::uint8_t>(value.has_value()));
  writer.number(value.value_or(T{}));
}

template <class T>
std::optional<T> read_optional(ByteReader& reader) {
  const bool known = reader.flag();
  const T value = reader.number<T>();
  require_state(value == value, "a number in it isn't one");
  return known ? std::optional<T>(value) : std::nullopt;
}

void write_progress(ByteWriter& writer, const Progress& progress) {
  // If a member is added or removed, this doesn't compile until it is handled here. Phase and passes in all belong to
  // the run and are left out. A record of the history is of training, and the run that resumes has its own number of
  // passes.
  const auto& [pass, rows, rows_in_all, pass_ended, seconds, mistakes, objective, gap, witnesses, residual, phase,
               passes_in_all] = progress;
  for (const std::int64_t x : {pass, rows, rows_in_all}) writer.number(x);
  writer.number(static_cast<std::uint8_t>(pass_ended));
  writer.number(seconds);
  write_optional(writer, mistakes);
  write_optional(writer, objective);
  write_optional(writer, gap);
  write_optional(writer, witnesses);
  write_optional(writer, residual);
}

Progress read_progress(ByteReader& reader) {
  Progress progress;
  for (std::int64_t* x : {&progress.pass, &progress.rows, &progress.rows_in_all}) *x = reader.count();
  progress.pass_ended = reader.flag();
  progress.seconds = reader.at_least_zero();
  progress.mistakes = read_optional<std::int64_t>(reader);
  progress.objective = read_optional<double>(reader);
  progress.gap = read_optional<double>(reader);
  progress.witnesses = read_optional<std::int64_t>(reader);
  progress.residual = read_optional<double>(reader);
  for (const auto& count : {progress.mistakes, progress.witnesses}) require_state(count.value_or(0) >= 0);
  return progress;
}

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

SavedRun read_body(ByteReader& reader) {
  SavedRun run;
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    RunFact fact;
    fact.name = reader.text();
    fact.value = reader.text();
    run.facts.push_back(std::move(fact));
  }
  run.rank = reader.number<std::int32_t>();
  run.workers = reader.number<std::int32_t>();
  run.pass = reader.count();
  run.seconds = reader.at_least_zero();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    run.history.push_back(read_progress(reader));
    require_state(run.history.back().pass <= run.pass, "a pass in it comes after the last");
  }
  run.state = reader.text();
  reader.end();
  return run;
}

/// The model from which a run starts, in few characters.
std::string start_hash(const Model* start) {
  if (start == nullptr) return "0";
  ByteWriter writer;
  writer.numbers(start->theta);
  writer.number(start->offset);
  writer.numbers(start->offsets);
  return fmt::format("a classifier with the hash {:016x}", checksum(writer.bytes()));
}

}  // namespace

std::string checkpoint_bytes(const SavedRun& run) {
  ByteWriter writer;
  for (const char c : kMagic) writer.number(c);
  writer.number(kVersion);
  writer.number<std::uint64_t>(run.facts.size());
  for (const RunFact& fact : run.facts) {
    writer.text(fact.name);
    writer.text(fact.value);
  }
  writer.number(run.rank);
  writer.number(run.workers);
  writer.number(run.pass);
  writer.number(run.seconds);
  writer.number<std::uint64_t>(run.history.size());
  for (const Progress& progress : run.history) write_progress(writer, progress);
  writer.text(run.state);
  const std::uint64_t sum = checksum(writer.bytes());
  writer.number(sum);
  return writer.take();
}

SavedRun parse_checkpoint(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(kMagic)) throw Error(Place{path}, "this isn't a linsep checkpoint");
  const std::size_t head = kMagic.size() + sizeof kVersion;
  if (bytes.size() < head + kChecksum) throw Error(Place{path}, "this checkpoint is cut short");
  const auto version = ByteReader(bytes.substr(kMagic.size(), sizeof kVersion)).number<std::uint32_t>();
  if (version != kVersion) {
    throw Error(Place{path},
                fmt::format("this checkpoint has format version {}; this linsep reads version {}", version, kVersion));
  }
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (checksum(content) != ByteReader(bytes.substr(content.size())).number<std::uint64_t>()) {
    throw Error(Place{path}, "this checkpoint is damaged or cut short: its checksum is wrong");
  }
  ByteReader reader(content.substr(head));
  try {
    return read_body(reader);
  } catch (const Error& error) {
    throw Error(Place{path}, fmt::format("the checkpoint is damaged: {}", error.what()));
  }
}

RunFacts run_facts(const LearnerInfo& info, const Options& options, const TrainSpec& spec, Source& source, Comm& comm) {
  RunFacts facts = {{"linsep", LINSEP_VERSION}, {"the learner", std::string(info.name)}};
  for (const auto& [name, value] : options) {
    const std::string text = option_text(value);
    facts.push_back({"--" + name, text.empty() ? "(empty)" : text});
  }
  facts.push_back({"--map", map_text(spec.map)});
  facts.push_back({"a start from", start_hash(spec.start)});
  const DataFingerprint data = data_fingerprint(source, comm);
  facts.push_back({"data of", fmt::format("{} rows and {} features", data.rows, data.features)});
  facts.push_back({"data with the hash", fmt::format("{:016x}", data.hash)});
  // A worker's state may be about its rows, so it must have the same ones.
  if (comm.size() > 1) facts.push_back({"a worker's share with the hash", fmt::format("{:016x}", data.own)});
  return facts;
}

std::string first_difference(const RunFacts& saved, const RunFacts& now) {
  for (std::size_t i = 0; i < std::max(saved.size(), now.size()); ++i) {
    if (i >= saved.size() || i >= now.size() || saved[i].name != now[i].name) {
      return "comes from a run with options that this linsep doesn't have";
    }
    if (saved[i].value == now[i].value) continue;
    return fmt::format("was made with {0} {1}, but this run has {0} {2}", now[i].name, saved[i].value, now[i].value);
  }
  return "";
}

namespace {

template <class V>
std::uint64_t hash_columns(const SparseRow<V>& row, std::uint64_t seed) {
  return XXH3_64bits_withSeed(row.column, row.size * sizeof(std::uint32_t), seed);
}
template <class V>
std::uint64_t hash_columns(const DenseRow<V>& row, std::uint64_t seed) {
  return XXH3_64bits_withSeed(&row.size, sizeof row.size, seed);
}

std::uint64_t hash_rows(const Batch& batch) {
  struct Head {
    std::int64_t number;
    double label, weight;
  };
  static_assert(std::has_unique_object_representations_v<std::int64_t> && sizeof(Head) == 24);
  std::uint64_t sum = 0;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    using Value = typename std::remove_cvref_t<decltype(row)>::Value;
    const auto at = static_cast<std::size_t>(i);
    const Head head{batch.number_of(i), batch.label.empty() ? 0 : batch.label[at], batch.weight_of(i)};
    const std::uint64_t first = XXH3_64bits_withSeed(&head, sizeof head, sizeof(Value));
    const std::uint64_t second = hash_columns(row, first);
    sum += XXH3_64bits_withSeed(row.value, row.size * sizeof(Value), second);
  });
  return sum;
}

}  // namespace

DataFingerprint data_fingerprint(Source& source, Comm& comm) {
  DataFingerprint found;
  source.rewind(0);
  while (const auto batch = source.next()) {
    found.rows += batch->rows;
    found.own += hash_rows(*batch);
  }
  // Halves of 32 bits, so that the sum over workers can't overflow.
  constexpr int kHalf = 32;
  std::array<std::int64_t, 3> sums = {found.rows, static_cast<std::int64_t>(found.own & 0xffffffffU),
                                      static_cast<std::int64_t>(found.own >> kHalf)};
  comm.all_reduce(std::span<std::int64_t>(sums), Comm::Op::kSum);
  const std::int64_t features = all_reduce_max(comm, std::int64_t{source.shape().features});
  found.rows = sums[0];
  found.hash = static_cast<std::uint64_t>(sums[1]) + (static_cast<std::uint64_t>(sums[2]) << kHalf);
  found.features = static_cast<std::uint32_t>(features);
  return found;
}

namespace {

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Seconds in a unit of time, or 0 if it isn't one.
double seconds_in(std::string_view unit) {
  if (unit == "s" || unit == "second" || unit == "seconds") return 1;
  if (unit == "m" || unit == "min" || unit == "minute" || unit == "minutes") return 60;
  if (unit == "h" || unit == "hour" || unit == "hours") return 3600;
  return 0;
}

}  // namespace

void set_every(Checkpoint& checkpoint, std::string_view text) {
  const std::string_view whole = without_blanks(text);
  double number = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  const std::string_view unit = without_blanks(whole.substr(static_cast<std::size_t>(end - whole.data())));
  const double seconds = seconds_in(unit);
  const bool passes = unit.empty() || unit == "pass" || unit == "passes";
  constexpr double kMost = 1e9;
  const bool good = error == std::errc{} && number > 0 && number <= kMost &&
                    (seconds > 0 || (passes && number == std::floor(number)));
  if (!good) {
    throw option_error("every",
                       fmt::format("{{}} {}: expected a time like 60s, 5m or 1h, or a number of passes like 10", text));
  }
  checkpoint.every_seconds = seconds > 0 ? number * seconds : 0;
  checkpoint.every_passes = seconds > 0 ? 0 : static_cast<std::int64_t>(number);
}

}  // namespace linsep
