#include "workers.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "linsep/error.h"
#include "linsep/tools/engines.h"

namespace linsep::app {
namespace {

std::unique_ptr<EngineComm> engine;
std::string advice;

double worker_timeout() {
  const char* text = std::getenv("LINSEP_WORKER_TIMEOUT");
  if (text == nullptr || *text == 0) return kWorkerTimeout;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), seconds);
  if (error != std::errc() || *end != 0 || !(seconds >= 1 && seconds <= 1e6)) {
    throw usage_error(fmt::format("LINSEP_WORKER_TIMEOUT={}: expected a number of seconds, at least 1", text));
  }
  return seconds;
}

/// The names of options as this program's users know them.
std::string message_of(const std::exception& failure) {
  const auto* error = dynamic_cast<const Error*>(&failure);
  return error != nullptr ? error->spelled("--", "") : failure.what();
}

}  // namespace

Comm& workers() {
  static const std::unique_ptr<Comm> alone = solo();
  return engine ? static_cast<Comm&>(*engine) : *alone;
}

void advise_on_failure(const std::string& text) { advice = text; }

bool first_worker() { return workers().rank() == 0; }

int run_among_workers(const std::function<int()>& work, const std::function<int(const std::exception&)>& exit_code,
                      const std::function<void(const std::exception&)>& tell) {
  Launch started;
  try {
    started = launch();
    engine = join(started, worker_timeout());
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    const bool of_all = started.engine != "gloo" || known == nullptr || known->kind() == Error::Kind::kUsage;
    if (started.rank == 0 || !of_all) tell(error);  // what concerns all workers is printed once
    return exit_code(error);
  }
  try {
    const int code = work();
    if (engine) engine->finish();
    engine.reset();
    return code;
  } catch (const std::exception& error) {
    if (!engine) {
      tell(error);
      return exit_code(error);
    }
    const EngineComm::Ending ending = engine->end(message_of(error), exit_code(error));
    if (ending.speaks) {
      if (ending.by_itself || advice.empty()) {
        tell(error);
      } else {
        tell(system_error(fmt::format("{}; {}", message_of(error), advice)));
      }
    }
    engine->abandon(ending);
    engine.reset();
    return ending.code;
  }
}

}  // namespace linsep::app
