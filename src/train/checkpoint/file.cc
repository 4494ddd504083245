#define XXH_INLINE_ALL
#include "train/checkpoint/file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "core/bytes.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "train/checkpoint/fingerprint.h"

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
  // A member more or less doesn't compile until it is dealt with here. Phase and passes in all are the run's, and left
  // out: a record of the history is of training, and the run that resumes knows how many passes are asked for.
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

/// Where a run starts from, in few characters.
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
  if (!bytes.starts_with(kMagic)) throw Error(Place{path}, "this is not a checkpoint of linsep");
  const std::size_t head = kMagic.size() + sizeof kVersion;
  if (bytes.size() < head + kChecksum) throw Error(Place{path}, "this checkpoint is cut short");
  const auto version = ByteReader(bytes.substr(kMagic.size(), sizeof kVersion)).number<std::uint32_t>();
  if (version != kVersion) {
    throw Error(Place{path}, fmt::format("this checkpoint is of version {} of the format; this linsep reads version {}",
                                         version, kVersion));
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
  // A worker's state may be about its rows: it must have the same ones.
  if (comm.size() > 1) facts.push_back({"a worker's share with the hash", fmt::format("{:016x}", data.own)});
  return facts;
}

std::string first_difference(const RunFacts& saved, const RunFacts& now) {
  for (std::size_t i = 0; i < std::max(saved.size(), now.size()); ++i) {
    if (i >= saved.size() || i >= now.size() || saved[i].name != now[i].name) {
      return "is of a run with other options than this linsep has";
    }
    if (saved[i].value == now[i].value) continue;
    return fmt::format("was made with {0} {1}, this run has {0} {2}", now[i].name, saved[i].value, now[i].value);
  }
  return "";
}

}  // namespace linsep
