#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/zip.h"
#include "core/words.h"
#include "format/bundle/rows_text.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/read.h"
#include "linsep/table/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/leaves.h"
#include "linsep/tools/listed_name.h"
#include "linsep/tools/shown_text.h"
#include "linsep/tools/statement.h"

/// Files that a bundle contains unchanged. The build puts them into the library (files.cc.in).
namespace linsep::bundled {

std::string_view verify_certificate();  ///< checker/verify_certificate.py
std::string_view read_certificate();    ///< checker/read_certificate.py
std::string_view check_model();         ///< checker/check_model.py
std::string_view check_several();       ///< checker/check_several.py
std::string_view read_rows();           ///< checker/read_rows.py
std::string_view encode_rows();         ///< checker/encode_rows.py
std::string_view xxh3();                ///< checker/xxh3.py
std::string_view page();                ///< page.html, with {{places}} to fill in

}  // namespace linsep::bundled

namespace linsep {

/// An entry that grows piece by piece and is compressed along the way.
class ZipEntry {
 public:
  explicit ZipEntry(std::string name);
  ZipEntry(const ZipEntry&) = delete;
  ZipEntry& operator=(const ZipEntry&) = delete;
  ~ZipEntry();

  void write(std::string_view bytes);

 private:
  friend std::string zip_of(const std::vector<ZipEntry*>& entries);

  void compress(std::string_view bytes, int flush);

  std::string name_, packed_;
  z_stream stream_ = {};
  std::uint64_t size_ = 0;
  std::uint32_t checksum_ = 0;
};

/// The file, with all dates 1980-01-01. Ends the entries. Throws a usage Error if it would be larger than 4 GiB.
std::string zip_of(const std::vector<ZipEntry*>& entries);

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kPiece = 1U << 20;  // zlib counts in 32 bits

void put(std::string& out, std::uint64_t number, int bytes) {
  for (int k = 0; k < bytes; ++k) out.push_back(static_cast<char>(number >> (8 * k) & 0xff));
}

void require_room(std::uint64_t bytes) {
  if (bytes > kMost) {
    throw usage_error(
        "there are too many rows for a bundle, which holds at most 4 GiB: save the proof as JSON, and the rows with "
        "`linsep leaves`");
  }
}

}  // namespace

ZipEntry::ZipEntry(std::string name) : name_(std::move(name)) {
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw system_error("zlib failed to start");
  }
}

ZipEntry::~ZipEntry() { deflateEnd(&stream_); }

void ZipEntry::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    size_ += piece.size();
    require_room(size_);
    const auto* begin = reinterpret_cast<const Bytef*>(piece.data());
    checksum_ = static_cast<std::uint32_t>(crc32(checksum_, begin, static_cast<uInt>(piece.size())));
    compress(piece, Z_NO_FLUSH);
  }
}

void ZipEntry::compress(std::string_view bytes, int flush) {
  std::array<Bytef, 1U << 14> room;
  stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // zlib doesn't write there
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<uInt>(room.size());
    deflate(&stream_, flush);
    packed_.append(reinterpret_cast<const char*>(room.data()), room.size() - stream_.avail_out);
  } while (stream_.avail_out == 0);
}

std::string zip_of(const std::vector<ZipEntry*>& entries) {
  constexpr std::uint64_t kVersion = 20, kDeflated = 8, kMidnight = 0, kFirstDay = 0x21;
  constexpr std::uint64_t kUnix = 3 << 8, kPlainFile = std::uint64_t{0100644} << 16;
  std::string file, directory;
  for (ZipEntry* entry : entries) {
    entry->compress({}, Z_FINISH);
    require_room(file.size() + entry->packed_.size());
    std::string about;  // the part that both headers share
    put(about, 0, 2);   // no flags
    put(about, kDeflated, 2);
    put(about, kMidnight, 2);
    put(about, kFirstDay, 2);
    put(about, entry->checksum_, 4);
    put(about, entry->packed_.size(), 4);
    put(about, entry->size_, 4);
    put(about, entry->name_.size(), 2);
    put(about, 0, 2);  // nothing extra
    directory += "PK\x01\x02";
    put(directory, kUnix | kVersion, 2);
    put(directory, kVersion, 2);
    directory += about;
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // on the first disk
    put(directory, 0, 2);
    put(directory, kPlainFile, 4);
    put(directory, file.size(), 4);
    directory += entry->name_;
    file += "PK\x03\x04";
    put(file, kVersion, 2);
    file += about;
    file += entry->name_;
    file += entry->packed_;
  }
  require_room(file.size() + directory.size());
  const std::uint64_t place = file.size();
  file += directory;
  file += "PK\x05\x06";
  put(file, 0, 4);  // the first disk is the last
  put(file, entries.size(), 2);
  put(file, entries.size(), 2);
  put(file, directory.size(), 4);
  put(file, place, 4);
  put(file, 0, 2);  // no comment
  return file;
}

namespace {

constexpr std::string_view kChecker = "python3 verify_certificate.py proof.json";

std::string html(std::string_view text) {
  std::string out;
  for (const char c : shown_text(text)) {
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return out;
}

/// A word quoted for the shells of every system. REQUIRES: no shell gives it a meaning within double quotes.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:";
  const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
  return plain ? word : fmt::format("\"{}\"", word);
}

/// Names separated by commas. Beyond twenty, only the first ones.
std::string html_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(kMostNames, names.size()); ++k)
    text += fmt::format("{}{}", k > 0 ? ", " : "", html(listed_name(names[k])));
  return names.size() > kMostNames ? fmt::format("{} and {} more", text, names.size() - kMostNames) : text;
}

std::string line(const std::string& name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
}

using AnyProof = std::variant<Certificate, OptimalityProof>;

const DataDigest& data_of(const AnyProof& proof) {
  return std::visit([](const auto& one) -> const DataDigest& { return one.data; }, proof);
}

std::string json_of(const AnyProof& proof) {
  const auto* certificate = std::get_if<Certificate>(&proof);
  return certificate != nullptr ? certificate_to_json(*certificate)
                                : optimality_to_json(std::get<OptimalityProof>(proof));
}

CheckResult check_of(const AnyProof& proof, Source& data, const ProofOptions& options, const Observer& observe) {
  const auto* certificate = std::get_if<Certificate>(&proof);
  return certificate != nullptr ? verify_certificate(*certificate, &data, options, observe)
                                : verify_optimality(std::get<OptimalityProof>(proof), data, options, observe);
}

/// Lines about the classifiers that the proof covers.
std::string about_classifiers(const AnyProof& proof) {
  const auto* certificate = std::get_if<Certificate>(&proof);
  std::string text;
  if (certificate != nullptr && certificate->map.kind != FeatureMap::Kind::kNone) {
    text += line("Map", html(map_text(certificate->map)));
  }
  const bool origin = std::visit([](const auto& one) { return one.origin; }, proof);
  return text + (origin ? line("Classifiers", "through the origin") : "");
}

/// Lines about the rows.
std::string about(const AnyProof& proof, const BundleNotes& notes) {
  const DataDigest& data = data_of(proof);
  std::string text = notes.data.empty() ? "" : line("Data", html(notes.data));
  text += line("Rows", fmt::format("{}, {}", counted(data.rows, "row"), counted(data.features, "feature")));
  if (!data.labels.empty()) {
    std::vector<std::string> names;
    for (const LabelColumn& column : data.labels) names.push_back(column.name);
    text += line("Label columns", html_list(names));
  } else if (data.classes.empty()) {
    text += line("Classes", fmt::format("{} and {} (positive)", html(listed_name(data.negative)),
                                        html(listed_name(data.positive))));
  } else if (data.positive.empty()) {
    text += line("Classes", html_list(data.classes));
  } else {
    text += line("Classes", fmt::format("{}, against all others of {}", html(listed_name(data.positive)),
                                        html_list(data.classes)));
  }
  if (!data.reading.label.empty()) {
    const bool named = data.reading.header;
    text += line("Label", fmt::format("{}{}", named ? "" : "column ", html(listed_name(data.reading.label))));
  }
  if (!data.names.empty()) text += line("Features", html_list(data.names));
  if (!data.reading.left_out.empty()) text += line("Left out", html_list(data.reading.left_out));
  if (data.reading.drop_missing_labels) text += line("Rows without a label", "left out");
  if (!data.table.empty()) text += line("Encoding", "by the table in proof.json");
  return text + about_classifiers(proof) + line("Root", fmt::format("<code>{}</code>", html(data.root)));
}

/// The text of "overlapping: no linear classifier …" as a heading.
std::string headline(const std::string& claim) {
  const std::size_t colon = claim.find(": ");
  const std::string text = capitalized(colon == std::string::npos ? claim : claim.substr(colon + 2));
  return colon == std::string::npos ? html(text) : fmt::format("{} ({})", html(text), html(claim.substr(0, colon)));
}

/// Describes the careful way to check a table, which encodes it again.
std::string encoded_again(const std::string& options) {
  return fmt::format(
      R"(<h2>From the table</h2>
<p>The same in two steps. The first encodes <code>table.csv</code> again, as <code>proof.json</code> says, and writes a line
for each row; these are the lines of <code>leaves.txt</code>. The second checks the proof against them.</p>
<pre><code class="command">python3 encode_rows.py --leaves proof.json table.csv{} &gt; lines.txt
{} lines.txt --as-encoded</code></pre>
<h2>With your own copy of the data</h2>
<p>Use its name instead of <code>table.csv</code>. Read in <code>proof.json</code>, or in what the last command prints, how
each column became numbers: that encoding is the choice of whoever made the proof.</p>
)",
      options, kChecker);
}

std::string careful(const std::optional<RowsText>& rows, const std::string& options, const Reading& reading) {
  if (!rows) return "";
  const std::string label =
      !reading.header ? ""
                      : fmt::format(" If the label isn't the last column there, add <code>--label {}</code>{}.",
                                    is_safe_word(reading.label) ? html(quoted(reading.label)) : "N",
                                    is_safe_word(reading.label) ? "" : ", N being the number of its column");
  return fmt::format(
      R"(<h2>The careful way</h2>
<p>The same in two steps. The first writes a line for each row, with what the proof uses of it; these are the lines of
<code>leaves.txt</code>. The second checks the proof against them.</p>
<pre><code class="command">python3 read_rows.py {0}{1} &gt; lines.txt
{2} lines.txt</code></pre>
<h2>With your own copy of the data</h2>
<p>Use its name instead of <code>{0}</code>: the proof is valid for it if it holds the same values, labels and names, however
its numbers are written (1.5 or 1.50).{3}</p>
)",
      rows->name(), options, kChecker, label);
}

std::string numbers(const DataDigest& data, const BundleNotes& notes, bool rows) {
  if (notes.shortest) {
    std::string text =
        R"(<p>The rows were stored as binary floating-point numbers. The proof is about decimals: for each
stored number, the shortest decimal that reads back as exactly this number (0.1, not the 0.1000000000000000055… that a
computer stores for it). The rows here contain these decimals, and the proof uses them exactly; nothing is
rounded.</p>
)";
    if (!notes.of_stored.empty()) {
      text += fmt::format("<p><strong>The verdict about the stored binary numbers is different: {}.</strong></p>\n",
                          html(notes.of_stored));
    }
    return text;
  }
  if (!data.table.empty()) {
    return R"(<p>The proof is about encoded rows: numbers, categories, dates and words became the features in
<code>leaves.txt</code>, as the <code>table</code> in <code>proof.json</code> says. <code>encode_rows.py --leaves</code> of
linsep encodes a copy of the data again.</p>
)";
  }
  if (data.reading.format.empty()) {
    return R"(<p>The proof uses the numbers exactly as they are stored: binary floating-point numbers, which
<code>leaves.txt</code> shows with all their decimals. Nothing is rounded.</p>
)";
  }
  const bool blank = rows && !data.reading.left_out.empty();
  return fmt::format(
      R"(<p>The proof uses the decimals exactly as they are written in the data; nothing is rounded.{}</p>
)",
      blank ? " Columns that were left out are empty here." : "");
}

/// The files of a table, to be read the way the proof's rows were. Null if there are none, if they aren't text, or if
/// the proof has only the hash of the table.
std::unique_ptr<Source> table_of(const DataDigest& data, const std::vector<std::string>& files,
                                 const ProofOptions& limits) {
  const Reading& reading = data.reading;
  if (files.empty() || reading.format != "csv" || !data.table.starts_with('{')) return nullptr;
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  options.threads = limits.threads;
  options.interrupt = limits.interrupt;
  options.header = reading.header;
  options.delimiter = reading.delimiter[0];
  options.label = reading.label;
  options.drop_missing_labels = reading.drop_missing_labels;
  options.many_classes = true;
  options.classes = data.classes.empty() ? std::vector{data.negative, data.positive} : data.classes;
  options.table = std::make_shared<const TableMap>(table_from_json(data.table, "the proof"));
  return open_stream(files, options, *solo());
}

/// Options that encode_rows.py needs besides the proof.
std::string encoding_options(const DataDigest& data) {
  const std::vector<std::string> classes =
      data.classes.empty() ? std::vector{data.negative, data.positive} : data.classes;
  const bool plain =
      std::ranges::none_of(classes, [](const auto& name) { return name.find(',') != std::string::npos; });
  return (plain ? fmt::format(" {}", quoted(fmt::format("--classes={}", fmt::join(classes, ",")))) : "") +
         (data.reading.drop_missing_labels ? " --missing-label drop" : "");
}

/// Fills in places in one pass. Text that is filled in isn't searched, whatever names of places it contains.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& places) {
  std::string text;
  for (;;) {
    const std::size_t begin = page.find("{{"), end = page.find("}}", begin);
    text += page.substr(0, begin);
    if (end == std::string_view::npos) return text;
    text += places.at(std::string(page.substr(begin + 2, end - begin - 2)));
    page.remove_prefix(end + 2);
  }
}

}  // namespace

std::string make_bundle(const AnyProof& any, Source& data, const BundleNotes& notes, const ProofOptions& options,
                        const Observer& observe) {
  const CheckResult check = check_of(any, data, options, observe);
  if (!check.valid) throw usage_error("a bundle needs a proof that is valid for these rows: " + check.reason);
  const DataDigest& about_data = data_of(any);
  const bool of_model = std::holds_alternative<OptimalityProof>(any);
  const bool labels = !about_data.labels.empty(), of_parts = of_model && (labels || !about_data.classes.empty());
  std::optional<RowsText> rows;
  if (!about_data.reading.format.empty() && about_data.table.empty() && !labels) rows.emplace(about_data);
  std::unique_ptr<Source> table = labels ? nullptr : table_of(about_data, notes.files, options);
  ZipEntry page("README.html"), proof("proof.json"), leaves("leaves.txt");
  ZipEntry text(rows ? rows->name() : "table.csv");
  proof.write(json_of(any));
  bool first = true, weighed = false;
  if (rows) text.write(rows->head());
  if (table) text.write(used_columns_text(about_data, *table));
  ProofOptions leaf_options = options;
  leaf_options.weights = of_model;
  write_leaves(
      data,
      [&](std::string_view leaf) {
        leaves.write(leaf);
        leaves.write("\n");
        if (std::exchange(first, false)) return;
        weighed = weighed || leaf.find('*') != std::string_view::npos;
        if (rows && !weighed) text.write(rows->row(leaf));
      },
      leaf_options, observe);
  if (weighed) table.reset();  // nor does the text of the rows have a place for their weights
  if (rows && (weighed || !rows->readable())) rows.reset();
  // A table's encoding is the proof's own choice, which the checker wants to be accepted in so many words.
  std::string reading = about_data.table.empty() ? "" : " --as-encoded";
  if (rows) {
    for (const std::string& word : rows->options()) reading += fmt::format(" {}", quoted(word));
  }
  const auto file = [](const std::string& name, const std::string& what) {
    return fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", name, what);
  };
  std::string files =
      file("proof.json", "the proof") +
      (rows ? file(rows->name(), "the rows, with exactly the values that the proof is about") : "") +
      (table ? file("table.csv", "the columns that the proof uses, as they were written; others are empty") : "") +
      file("leaves.txt", "the rows as the checker sees them, one line each") +
      file("verify_certificate.py", "checks the proof; its rules are 150 lines") +
      file("read_certificate.py", "reads the proof for the checker, strictly") +
      (of_model ? file("check_model.py", "the rules for proofs about models") : "") +
      (of_parts ? file("check_several.py", "the rules for models of several classes or label columns") : "") +
      file("read_rows.py", "reads CSV, TSV and svmlight files without linsep") +
      (table ? file("encode_rows.py", "encodes the rows of a table, with the help of the one below") +
                   file("xxh3.py", "the hash by which words find their columns")
             : "");
  std::string proven;
  for (const std::string& fact : check.proven) proven += fmt::format("<li>{}</li>\n", html(fact));
  const std::string title = notes.data.empty() ? "A proof to check" : fmt::format("A proof about {}", html(notes.data));
  page.write(filled(bundled::page(),
                    {{"title", title},
                     {"headline", headline(check.reason)},
                     {"about", about(any, notes)},
                     {"command", fmt::format("{} {}{}", kChecker, rows ? rows->name() : "leaves.txt", html(reading))},
                     {"proven", proven},
                     {"careful", table ? encoded_again(html(encoding_options(about_data)))
                                       : careful(rows, html(reading), about_data.reading)},
                     {"numbers", numbers(about_data, notes, rows.has_value())},
                     {"files", files}}));
  ZipEntry checker("verify_certificate.py"), reader("read_certificate.py"), row_reader("read_rows.py");
  checker.write(bundled::verify_certificate());
  reader.write(bundled::read_certificate());
  row_reader.write(bundled::read_rows());
  std::vector<ZipEntry*> entries = {&page, &proof, &leaves, &checker, &reader, &row_reader};
  ZipEntry model_checker("check_model.py"), class_checker("check_several.py");
  if (of_model) {
    model_checker.write(bundled::check_model());
    entries.push_back(&model_checker);
  }
  if (of_parts) {
    class_checker.write(bundled::check_several());
    entries.push_back(&class_checker);
  }
  ZipEntry encoder("encode_rows.py"), hashes("xxh3.py");
  if (table) {
    encoder.write(bundled::encode_rows());
    hashes.write(bundled::xxh3());
    entries.insert(entries.end(), {&encoder, &hashes});
  }
  if (rows || table) entries.insert(entries.begin() + 2, &text);
  return zip_of(entries);
}

bool is_bundle_text(std::string_view bytes) { return bytes.starts_with("PK\3\4"); }

Bundle read_bundle(std::string_view bytes, const std::string& name_for_errors, std::uint64_t memory) {
  const std::uint64_t most = memory == 0 ? kMost : std::min(kMost, memory / 4);
  try {
    const std::vector<zip::Member> members = zip::members(bytes);
    const auto found = [&](std::string_view name) { return std::ranges::find(members, name, &zip::Member::name); };
    const auto file = [&](std::string_view name) {
      const auto member = found(name);
      if (member == members.end()) {
        throw BadFile{fmt::format("it is no bundle of `linsep certify`: it has no {}", name)};
      }
      return zip::unzipped(bytes, *member, most);
    };
    Bundle bundle{proof_from_json(file("proof.json"), name_for_errors), file("leaves.txt")};
    for (const char* name : {"rows.csv", "rows.svm"}) {
      if (!bundle.rows_name.empty() || found(name) == members.end()) continue;
      bundle.rows_name = name;
      bundle.rows = file(name);
    }
    return bundle;
  } catch (const BadFile& bad) {
    throw Error(Place{name_for_errors, 0, 0}, bad.message);
  }
}

namespace {

/// Whether a text is what `make_bundle` writes for leaves that were checked.
bool is_text_of(const Bundle& bundle) {
  const DataDigest& data = data_of(bundle.proof);
  // Every column takes a byte of every row, so more columns than that can't be laid out.
  const bool csv = data.reading.format == "csv";
  const bool named = !data.reading.header || data.names.size() == data.features;
  if (data.reading.format.empty() || !data.table.empty() || !data.labels.empty() || !named ||
      data.reading.delimiter.size() != (csv ? 1U : 0U) || (csv && data.features > bundle.rows.size())) {
    return false;
  }
  std::string_view rest = bundle.rows, leaves = bundle.leaves;
  const auto take = [&rest](const std::string& text) {
    const bool same = rest.starts_with(text);
    if (same) rest.remove_prefix(text.size());
    return same;
  };
  try {
    RowsText text(data);
    if (text.name() != bundle.rows_name || !take(text.head())) return false;
    for (leaves.remove_prefix(leaves.find('\n') + 1); !leaves.empty();) {
      const std::size_t end = leaves.find('\n');
      if (!take(text.row(leaves.substr(0, end)))) return false;
      leaves.remove_prefix(end + 1);
    }
  } catch (const std::out_of_range&) {
    return false;  // columns or classes that the data lack
  }
  return rest.empty();
}

}  // namespace

OptimalityCheck verify_bundle(const Bundle& bundle, const ProofOptions& options) {
  OptimalityCheck result = std::visit(
      [&](const auto& proof) { return OptimalityCheck{verify_leaves(proof, bundle.leaves, options)}; }, bundle.proof);
  if (!result.valid || bundle.rows_name.empty() || is_text_of(bundle)) return result;
  return {{false,
           false,
           fmt::format("{} in the bundle isn't what its leaves say: unpack it, and check the proof against that file",
                       bundle.rows_name),
           {}}};
}

}  // namespace linsep
