#include "train/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/bytes.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

/// The files of one worker, which are a single one, or two in turn.
std::vector<std::string> files_of(const std::string& path, int rank, int workers) {
  if (workers == 1) return {path};
  const std::string name = fmt::format("{}.{}-of-{}", path, rank, workers);
  return {name + ".a", name + ".b"};
}

/// Locks the checkpoint for as long as the run keeps its state there. Throws a system Error if another run does.
FileLock lock_checkpoint(const std::string& path, int rank, int workers) {
  const std::string name =
      workers == 1 ? find_target(path).name : fmt::format("{}.{}-of-{}", find_target(path).name, rank, workers);
  std::optional<FileLock> lock = FileLock::take(name);
  if (lock) return std::move(*lock);
  throw system_error(
      fmt::format("{}: another run is using this checkpoint; wait until it ends, or use another file", path));
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// The number in PATH.RANK-of-NUMBER.a, or 0 if the name isn't of that form.
int workers_in_name(const std::string& name, const std::string& path) {
  const std::string prefix = fs::path(path).filename().string() + ".";
  if (!name.starts_with(prefix)) return 0;
  int rank = 0, workers = 0, end = 0;
  char file = 0;
  const char* rest = name.c_str() + prefix.size();
  if (std::sscanf(rest, "%d-of-%d.%c%n", &rank, &workers, &file, &end) != 3) return 0;
  return rest[end] == 0 && (file == 'a' || file == 'b') ? workers : 0;
}

/// How many workers wrote the existing checkpoints if it wasn't `workers`, else 0.
int other_workers(const std::string& path, int workers) {
  if (workers > 1 && exists(path)) return 1;
  std::error_code error;
  const std::string parent = fs::path(path).parent_path().string();
  for (const fs::directory_entry& entry : fs::directory_iterator(parent.empty() ? "." : parent, error)) {
    const int found = workers_in_name(entry.path().filename().string(), path);
    if (found > 0 && found != workers) return found;
  }
  return 0;
}

std::string count_of_workers(int count) { return count == 1 ? "one worker" : fmt::format("{} workers", count); }

/// What a worker has found in its files, to be sent to all workers.
struct Found {
  bool any = false;                  // there is a file
  std::vector<std::int64_t> passes;  // intact ones
  std::string problem;               // no worker may resume
  std::string damage;                // why that file can't be used

  std::string bytes() const {
    ByteWriter writer;
    writer.number(static_cast<std::uint8_t>(any));
    writer.numbers(passes);
    writer.text(problem);
    writer.text(damage);
    return writer.bytes();
  }
};

Found found_in(const std::string& bytes) {
  ByteReader reader(bytes);
  Found found;
  found.any = reader.number<std::uint8_t>() != 0;
  found.passes = reader.numbers<std::int64_t>();
  found.problem = reader.text();
  found.damage = reader.text();
  return found;
}

/// The newest pass that all have intact. Nothing if no worker has a file, or if some have the one of the very beginning
/// and others don't yet, because they were stopped while they wrote it. Throws if they can't resume.
std::optional<std::int64_t> agreed_pass(const std::vector<Found>& all, const std::string& path) {
  for (const Found& found : all) {
    if (!found.problem.empty()) throw input_error(found.problem);
  }
  if (std::none_of(all.begin(), all.end(), [](const Found& found) { return found.any; })) return std::nullopt;
  std::optional<std::int64_t> newest;
  for (const std::int64_t pass : all.front().passes) {
    const bool common = std::all_of(all.begin(), all.end(), [&](const Found& found) {
      return std::find(found.passes.begin(), found.passes.end(), pass) != found.passes.end();
    });
    if (common && (!newest || pass > *newest)) newest = pass;
  }
  if (newest) return newest;
  for (const Found& found : all) {
    if (!found.damage.empty()) throw input_error(found.damage);
  }
  const auto at_beginning = [](const Found& found) {
    return std::all_of(found.passes.begin(), found.passes.end(), [](std::int64_t pass) { return pass == 0; });
  };
  if (std::all_of(all.begin(), all.end(), at_beginning)) return std::nullopt;
  throw input_error(fmt::format("{}: the checkpoints of the {} workers have no pass in common", path, all.size()));
}

}  // namespace

Checkpoints::Checkpoints(const TrainOptions& options, RunFacts facts, Comm& comm)
    : options_(options), facts_(std::move(facts)), rank_(comm.rank()), workers_(comm.size()) {
  rethrow_on_all(comm, [&] { lock_.emplace(lock_checkpoint(options.checkpoint.path, rank_, workers_)); });
  if (options.checkpoint.resume) find(comm);
  for (const std::string& file : files_of(options.checkpoint.path, rank_, workers_)) remove_leftovers(file);
  last_time_ = now();
}

void Checkpoints::find(Comm& comm) {
  const std::string& path = options_.checkpoint.path;
  const std::vector<std::string> files = files_of(path, rank_, workers_);
  Found mine;
  std::vector<std::optional<SavedRun>> runs(files.size());
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!exists(files[f])) continue;
    mine.any = true;
    try {
      SavedRun run = parse_checkpoint(read_whole_file(files[f]), files[f]);
      const std::string difference = first_difference(run.facts, facts_);
      if (!difference.empty()) mine.problem = fmt::format("{}: the checkpoint {}", files[f], difference);
      if (run.rank != rank_ || run.workers != workers_) {
        mine.problem = fmt::format("{}: the checkpoint belongs to worker {} of {}, but this is worker {} of {}",
                                   files[f], run.rank, run.workers, rank_, workers_);
      }
      mine.passes.push_back(run.pass);
      runs[f] = std::move(run);
    } catch (const Error& error) {
      mine.damage = error.what();
    }
  }
  if (!mine.any) {
    const int others = other_workers(path, workers_);
    if (others > 0) {
      mine.problem = fmt::format("{}: the checkpoint was made by {}, but this run has {}: use the same number", path,
                                 count_of_workers(others), count_of_workers(workers_));
    }
  }
  std::vector<Found> all;
  for (const std::string& bytes : gather_text(comm, mine.bytes())) all.push_back(found_in(bytes));
  const auto pass = agreed_pass(all, path);
  if (!pass) {
    if (rank_ == 0) tell(fmt::format("{}: no checkpoint yet; the run starts afresh", path));
    return;
  }
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!runs[f] || runs[f]->pass != *pass) continue;
    resumed_ = std::move(runs[f]);
    file_ = static_cast<int>(f);
    break;
  }
  last_pass_ = *pass;
  if (rank_ == 0) tell(fmt::format("{}: the run resumes after pass {}", path, *pass));
}

void Checkpoints::refuse(const std::string& why) const {
  const std::vector<std::string> files = files_of(options_.checkpoint.path, rank_, workers_);
  throw Error(Place{files[static_cast<std::size_t>(file_) % files.size()]}, "the checkpoint is damaged: " + why);
}

void Checkpoints::require_finite(const Model& model) const {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  };
  if (resumed() == nullptr) return;
  if (std::isfinite(model.offset) && finite(model.theta) && finite(model.offsets) && finite(model.coefficient)) return;
  refuse("training from it overflowed");
}

void Checkpoints::save_first(const std::string& state, Comm& comm) {
  rethrow_on_all(comm, [&] { write({facts_, rank_, workers_, 0, 0, {}, state}); });
}

bool Checkpoints::due(std::int64_t pass) const {
  const Checkpoint& asked = options_.checkpoint;
  if (rank_ != 0) return false;
  if (asked.every_passes > 0 && pass - last_pass_ >= asked.every_passes) return true;
  return asked.every_seconds > 0 && options_.clock && now() - last_time_ >= asked.every_seconds;
}

void Checkpoints::save(std::int64_t pass, double seconds, const std::vector<Progress>& history,
                       const std::string& state, bool any_failed) {
  if (!any_failed) file_ = 1 - file_;
  try {
    write({facts_, rank_, workers_, pass, seconds, history, state});
    failed_ = false;
  } catch (const Error& error) {
    failed_ = true;
    tell(fmt::format("{}; training continues without this checkpoint", error.what()));
  }
  last_pass_ = pass;
  last_time_ = now();
}

void Checkpoints::write(const SavedRun& run) {
  const std::vector<std::string> files = files_of(options_.checkpoint.path, rank_, workers_);
  write_file_atomically(files[static_cast<std::size_t>(file_) % files.size()], checkpoint_bytes(run));
}

void Checkpoints::tell(const std::string& text) const {
  if (options_.checkpoint.tell) options_.checkpoint.tell(text);
}

std::unique_ptr<Checkpoints> open_checkpoints(const TrainOptions& limits, const LearnerInfo& info,
                                              const Options& options, const TrainSpec& spec, Source& source,
                                              Comm& comm) {
  if (limits.checkpoint.path.empty()) return nullptr;
  if (source.shape().rows < 0) {
    throw option_error("online", "a checkpoint needs a file, because a stream can't be read again: leave out {}");
  }
  check_checkpoint(limits.checkpoint, comm);
  return std::make_unique<Checkpoints>(limits, run_facts(info, options, spec, source, comm), comm);
}

void check_checkpoint(const Checkpoint& checkpoint, Comm& comm) {
  if (checkpoint.path.empty()) return;
  rethrow_on_all(comm, [&] {
    for (const std::string& file : files_of(checkpoint.path, comm.rank(), comm.size())) {
      if (!checkpoint.resume && exists(file)) {
        throw option_error(
            "resume",
            fmt::format("{} exists: {{}} continues from it; to start afresh, delete it or use another file", file));
      }
      try_to_write(file);
    }
    lock_checkpoint(checkpoint.path, comm.rank(), comm.size());
  });
}

}  // namespace linsep
