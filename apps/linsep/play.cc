// linsep play opens the playground in the browser. It is one HTML file that is installed with the program.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "advised_error.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "os/file.h"
#include "os/library.h"
#include "os/process.h"
#include "output.h"
#include "verb.h"

namespace linsep::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "LINSEP_PLAY_PAGE";

/// The folders in which the page can be, either the one that `cmake --install` puts it in, or the program's own folder.
/// A link to the program may stand in another folder than the program.
std::vector<fs::path> page_paths() {
  if (const char* named = std::getenv(kVariable); named != nullptr && *named != 0) return {named};
  std::error_code ignored;
  const fs::path program = own_path();
  std::vector<fs::path> paths;
  for (const fs::path& folder : {program.parent_path(), fs::canonical(program, ignored).parent_path()}) {
    paths.push_back((folder / "../share/linsep/play.html").lexically_normal());
    paths.push_back(folder / "play.html");
  }
  return paths;
}

std::string read_page() {
  const std::vector<fs::path> paths = page_paths();
  for (const fs::path& path : paths) {
    const auto status = file_status(path.string());
    if (status && status->regular()) return read_whole_file(path.string());
  }
  throw AdvisedError(paths.front().string(), "the playground's page isn't there",
                     fmt::format("Build it with `cmake --preset wasm && cmake --build --preset wasm`, then open "
                                 "build/wasm/play.html or set {}=build/wasm/play.html.",
                                 kVariable));
}

/// A new file that only this user can read, in the folder for temporary files.
std::string write_temporary(std::string_view page) {
  std::uint64_t number = 0;
  fill_randomly(&number, sizeof number);
  const std::string path = (fs::temp_directory_path() / fmt::format("linsep-play-{:016x}.html", number)).string();
  write_new_private_file(path, page);
  return path;
}

struct PlayCommand {
  std::string output;

  void declare(CommandOptions& options) {
    options.add({{"-o,--output", &output, "FILE", "Write the page to this file, and open nothing."}});
  }

  int run() const {
    const std::string page = read_page();
    if (!output.empty()) {
      Output file(output);
      file.write(page);
      file.close();
      return kDone;
    }
    const std::string path = write_temporary(page);
    print_words(fmt::format("The playground is {}\n", path));
    if (open_in_browser(path)) return kDone;
    throw system_error(fmt::format("no browser could be started: open {} in one", path));
  }
};

}  // namespace

Verb play_verb() {
  return {"play", "Open the playground in a browser: rows, the perceptron's steps and verdicts, without a network.",
          "  linsep play\n"
          "      Writes one HTML file to the folder for temporary files and opens it.\n"
          "  linsep play -o play.html\n"
          "      Keeps the file, to be opened by a double click or passed on.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<PlayCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
