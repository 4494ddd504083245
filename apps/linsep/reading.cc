#include "reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "clock.h"
#include "linsep/error.h"
#include "linsep/options.h"
#include "linsep/tools/array_path.h"
#include "linsep/tools/shown_text.h"
#include "os/file.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/terminal.h"
#include "output.h"
#include "report/run.h"
#include "workers.h"

namespace linsep::app {
namespace {

char parse_delimiter(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1) return text.front();
  throw usage_error(fmt::format("--delimiter takes one character or the word tab, not '{}'", text));
}

/// The bytes that a model takes while it is read. They are the file's bytes and, for JSON, a tree with a node for each
/// number, in lists that double. For other files they are the file's bytes and the weights.
std::uint64_t bytes_to_read_model(const std::string& path) {
  constexpr std::uint64_t kNode = 48;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  const bool json = file.peek() == '{';
  std::uint64_t bytes = 0, numbers = 0;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    bytes += static_cast<std::uint64_t>(file.gcount());
    if (json) numbers += static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + file.gcount(), ','));
  }
  return json ? bytes + kNode * numbers : 2 * bytes;
}

}  // namespace

Model load_model_within(const std::string& path, std::uint64_t memory) {
  constexpr std::uint64_t kProgram = std::uint64_t{16} << 20;
  if (memory > 0) {
    const std::uint64_t need = kProgram + bytes_to_read_model(path);
    if (need > memory) {
      throw Error(Error::Kind::kUsage, Place{path, 0, 0}, {"memory", "memory"},
                  fmt::format("reading this model needs {} of memory, but {{}} allows {}: use {{}} {}",
                              size_words(need), size_words(memory), size_words(need + kProgram)));
    }
  }
  return load_model(path);
}

std::uint64_t parse_size(const std::string& text) {
  const std::string_view units = "KMGT";
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::size_t power = rest.empty() ? 0 : units.find(rest.front()) + 1;
  const bool fits = rest.size() <= 1 && (rest.empty() || power > 0);
  const double bytes = std::ldexp(number, 10 * static_cast<int>(power));
  if (error != std::errc() || !fits || !(bytes >= 1) || bytes > 0x1p62) {
    throw usage_error(fmt::format("--memory takes a size such as 500M or 2G, not '{}'", text));
  }
  return static_cast<std::uint64_t>(bytes);
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  // Characters that a terminal would obey are spelled out, as shells read them between $' and '.
  if (shown_text(word) != word) {
    std::string text = "$'";
    for (const char letter : word) {
      const auto byte = static_cast<unsigned char>(letter);
      const bool visible = byte >= 0x20 && byte < 0x7f && letter != '\'' && letter != '\\';
      text += visible ? std::string(1, letter) : fmt::format("\\x{:02x}", byte);
    }
    return text + "'";
  }
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string InputOptions::name() const {
  if (paths.empty()) return "";
  if (standard_input()) return "standard input";
  const std::size_t more = paths.size() - 1;
  return more == 0 ? paths[0] : fmt::format("{} and {} more file{}", paths[0], more, more == 1 ? "" : "s");
}

std::string InputOptions::argument() const {
  constexpr std::size_t kMost = 3;
  if (paths.empty() || paths.size() > kMost || standard_input()) return "DATA";
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : " ") + quoted(path);
  return text;
}

void InputOptions::declare(CommandOptions& command, bool trains) {
  command.add({{"DATA", &paths,
                "A file of rows: svmlight, CSV or TSV, plain or compressed; Parquet or Arrow; an array (X.npy, "
                "X.npz:NAME, X.safetensors:NAME); a page file; or a folder of such files. - is standard input. Several "
                "files are read as one, in the order given."}});
  const std::string_view group = "Reading";
  command.add(
      group,
      {{"--format", &format, "WORD", "svmlight, csv or tsv. [by the file's name or its first line]"},
       {"--label", &options.label, "COLUMN",
        "CSV: the label's column, by name or number from 1; with arrays: a file of labels, as y.npy. [the last]"}});
  if (trains) {
    command.add(
        group,
        {{"--positive", &options.positive, "CLASS", "Which class is positive. [the larger number or later word]"},
         {"--labels", &labels, "COLUMNS",
          "CSV: several label columns of two classes each, separated by commas; with arrays: a file with a matrix "
          "of them."},
         {"--label-sets", &options.label_sets, "Labels such as 1,3,7 are sets: the row has each of these labels."},
         {"--classes", &classes, "NEG,POS",
          "The two classes, negative first, such as ham,spam; or more. [found in the data]"},
         {"--weight", &options.weight, "COLUMN", "CSV: the column with row weights."}});
  }
  command.add(
      group, {{"--missing-label", &missing_label, "WORD",
               "What to do with rows whose label is empty, NA, NaN, null or ?: refuse or drop them. [refuse]"},
              {"--header", &header, "CSV: the first line is a header. [if one of its features isn't a number]"},
              {"--no-header", &no_header, "CSV: the first line is a row."},
              {"--id", &options.id, "COLUMN", "CSV: the column that identifies rows; it isn't a feature."},
              {"--ignore", &ignore, "COLUMNS", "CSV: columns to leave out, separated by commas."},
              {"--delimiter", &delimiter, "CHAR", "CSV: the character between fields, or the word tab."},
              {"--double", &options.double_values, "Keep values as 64-bit numbers instead of 32-bit."},
              {"--cache", &options.cache,
               "Cache the rows of each file in a page file beside it (DATA.lsp), and use that while it is up to date."},
              {"--memory", &memory, "SIZE",
               "Use at most this much memory per process, such as 500M or 2G; rows that don't fit stay on disk."},
              {"--threads", &options.threads, "N", "Threads; never changes the result. [one per core]",
               WholeFromTo{0, 1024}}});
}

std::uint64_t InputOptions::memory_limit() const { return memory.empty() ? 0 : parse_size(memory); }

RunLimits InputOptions::limits(double seconds) const {
  return {seconds, now, &interrupt_flag(), options.threads, memory_limit()};
}

ReadOptions InputOptions::complete() const {
  if (paths.empty()) throw usage_error("DATA is missing: give a file, or - for standard input");
  ReadOptions complete = options;
  if (!format.empty()) complete.format = format_named(format);
  complete.delimiter = parse_delimiter(delimiter);
  complete.memory = memory_limit();
  if (complete.memory > 0) give_freed_memory_back();
  complete.ignore = split_words(ignore);
  if (!missing_label.empty() && missing_label != "refuse" && missing_label != "drop") {
    throw usage_error(fmt::format("--missing-label takes refuse or drop, not '{}'", missing_label));
  }
  complete.drop_missing_labels = missing_label == "drop";
  if (header && no_header) throw usage_error("use --header or --no-header, not both");
  if (header || no_header) complete.header = header;
  complete.classes = split_words(classes);
  if (!classes.empty() && complete.classes.size() < 2) {
    throw usage_error(fmt::format("--classes takes two names separated by a comma, not '{}'", classes));
  }
  complete.labels = split_words(labels);
  if (!labels.empty() && complete.label_sets) throw usage_error("use --labels or --label-sets, not both");
  if (!labels.empty() && !complete.label.empty()) throw usage_error("use --label or --labels, not both");
  for (const std::string& path : paths) {
    const int error = path == "-" ? 0 : reading_error(is_array_path(path) ? split_array_path(path).file : path);
    if (error == 0) continue;
    std::string reason = std::generic_category().message(error);
    if (path.find("://") != std::string::npos)
      reason = "it is a URL; download the file first, or pipe it into `linsep … -`";
    throw Error(Place{path, 0, 0}, fmt::format("can't be read: {}", reason));
  }
  return complete;
}

Model model_for_rows(const std::string& path, std::uint64_t memory) {
  Model model = load_model_within(path, memory);
  if (!model.regression && model.schema.classes.empty()) model.schema.classes = {"-1", "1"};
  return model;
}

void warn_of_tiny_values(Source& source) {
  const std::string sentence = tiny_sentence(source, workers());
  if (!sentence.empty()) tell("warning: " + sentence);
}

void tell_if_waiting(const InputOptions& reading) {
  if (!reading.standard_input() || !is_terminal(StandardStream::kInput) || !is_terminal(StandardStream::kError) ||
      !first_worker())
    return;
  print("linsep: waiting for rows on standard input; end them with Ctrl-D.\n", stderr);
}

ReadOptions InputOptions::complete_for(const Model& model) const { return read_options_for(model, complete()); }

UnknownColumns unknown_columns(const Source& source, const Model& model, const InputOptions& reading, Comm& comm) {
  const std::uint32_t features = source.shape().features;
  const std::int64_t beyond = features > model.features ? features - model.features : 0;
  UnknownColumns unknown;
  const linsep::Reading& text = source.schema().reading;
  if (text.format == "csv" && text.header) {
    std::vector<std::string> left = text.left_out;
    std::vector<std::string> named = split_words(reading.ignore);
    named.insert(named.end(), {reading.options.id, reading.options.weight});
    std::erase_if(left, [&](const std::string& name) { return std::ranges::find(named, name) != named.end(); });
    const bool label_among_them = text.label.empty() && model.schema.labels.empty();
    if (!(label_among_them && left.size() == 1)) unknown.names = std::move(left);
  }
  unknown.count = all_reduce_max(comm, beyond) + static_cast<std::int64_t>(unknown.names.size());
  return unknown;
}

}  // namespace linsep::app
