// Checks on the rows themselves: those that a certificate carries, and all of the data set in one pass.
#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "core/deadline.h"
#include "linsep/comm.h"
#include "linsep/tools/other_reading.h"
#include "proof/canonical.h"
#include "proof/data_json.h"
#include "proof/digest.h"
#include "proof/leaves.h"
#include "proof/merkle.h"
#include "proof/row_checker.h"
#include "proof/verify.h"

namespace linsep {
namespace {

/// The data set's description of itself must be the certificate's, because the root binds it.
void need_same_description(const Certificate& file, const Schema& schema) {
  const DataDigest& said = file.data;
  const std::vector<std::string>& classes = schema.classes;
  need(said.labels == label_columns(schema), "the certificate is about other data: the label columns differ");
  const bool two = said.classes.empty() && said.labels.empty();
  need(two ? classes.size() == 2 : !said.labels.empty() || said.classes == classes,
       "the certificate is about other data: the classes differ");
  if (const std::string other = other_reading(file, schema); !other.empty()) throw Refusal(other);
  if (two && (said.negative != classes[0] || said.positive != classes[1])) {
    throw Refusal("the certificate is about other data: its classes are '" + said.negative + "' and '" + said.positive +
                  "', those of the data '" + classes[0] + "' and '" + classes[1] + "'");
  }
  if (file.version < 2) return;
  std::vector<std::string> names = schema.feature_names;
  if (names.empty() && schema.reading.format.empty()) return;  // arrays have no place for names
  if (!names.empty()) names.resize(said.features);             // as described_data does it
  need(names == said.names, names.empty() ? "it names its features, and the data set doesn't"
                                          : "the features have other names than in the data set");
}

/// Whether these are the leaves of the certificate's data. Ends the tree.
bool has_root(MerkleTree& tree, const Certificate& file) {
  return tree.leaves() == file.data.rows && data_root(tree.finish(), file.data, file.version) == file.data.root;
}

}  // namespace

void read_carried(const ReadCertificate& read, NamedRows& rows) {
  CheckedRow row(read.columns);
  NamedEntries entries(read);
  const std::vector<std::int64_t> named = named_rows(read.file);
  const auto wanted = [&](std::int64_t made) { return std::ranges::binary_search(named, made); };
  for (const CarriedRow& carried : read.file.rows) {
    Leaf leaf;
    need(parse_leaf(carried.leaf, leaf) && leaf.row < read.file.data.rows, "a carried row is malformed");
    std::size_t bytes = carried.leaf.size();
    const bool fits = read.made.for_each(
        carried.leaf,
        [&](const std::string& made) {
          need(row.read(made), "a carried row is malformed");
          need_few_products(read, row.leaf().entries.size());
          entries.add(std::exchange(bytes, 0), row);
          rows[row.row()] = signed_row(row);
        },
        read.made.jointly() ? wanted : std::function<bool(std::int64_t)>());
    need(fits, "a carried row is malformed");
    std::vector<Hash> path(carried.path.size());
    for (std::size_t k = 0; k < path.size(); ++k)
      need(from_hex(carried.path[k], path[k]), "an audit path is malformed");
    Hash tree;
    need(climb(leaf_hash(carried.leaf), leaf.row, read.file.data.rows, path, tree),
         "an audit path has the wrong length");
    need(data_root(tree, read.file.data, read.file.version) == read.file.data.root,
         "a carried row is not of the data set");
  }
}

namespace {

/// `features`: those of the data. Ends the tree.
void need_same_rows(MerkleTree& tree, const Certificate& about, std::int64_t features, const ProofOptions& options) {
  const bool same = has_root(tree, about);
  const bool salted = !about.rows.empty() && about.rows.front().leaf.find('#') != std::string::npos;
  need(same || !salted || !options.secret.empty(), "the digests differ: the rows are salted, and the salt is needed");
  need(same, "the certificate is about other data: the digests differ");
  need(features == std::int64_t{about.data.features},
       "its rows are those of the data set, but the data set has a different number of features");
}

LabelSigns labels_of(const DataDigest& said, Source& data) {
  if (!said.labels.empty()) return LabelSigns::of(data);
  return said.classes.empty() ? LabelSigns(said.negative, said.positive) : LabelSigns(said.classes);
}

/// The trees of all workers' rows in their order, and what is wrong with the first row that has no leaf.
MerkleTree joined(const MerkleTree& mine, std::string& bad, Comm& comm) {
  ByteWriter writer;
  writer.text(bad);
  mine.save(writer);
  MerkleTree all;
  bad.clear();
  for (const std::string& bytes : gathered(comm, writer.bytes())) {
    ByteReader reader(bytes);
    const std::string problem = reader.text();
    if (bad.empty()) bad = problem;
    all.append(MerkleTree::load(reader));
  }
  return all;
}

}  // namespace

void check_rows(const Certificate& about, Source& data, const ProofOptions& options, const Observer& observe,
                const std::function<void(const std::string& leaf)>& visit) {
  need_same_description(about, data.schema());
  const LabelSigns labels = labels_of(about.data, data);
  MerkleTree tree;
  try {
    const LeafRun run{0, count_rows(data), options, observe, Phase::kChecking};
    for_each_leaf(data, labels, run, [&](const std::string& leaf, const Hash& hash) {
      tree.add(hash);
      visit(leaf);
    });
  } catch (const BadRow& bad) {
    throw Refusal(bad.what());
  }
  need_same_rows(tree, about, data.shape().features, options);
}

void check_rows(const Certificate& about, Source& data, Comm* comm, const ProofOptions& options,
                const Observer& observe, const LeafJudge& judge) {
  need_same_description(about, data.schema());
  const LabelSigns labels = labels_of(about.data, data);
  const std::int64_t rows = count_rows(data), first = comm == nullptr ? 0 : first_of_rows(*comm, rows);
  MerkleTree tree({}, first);
  std::string problem;
  try {
    for_each_leaf(data, labels, {first, rows, options, observe, Phase::kChecking, judge},
                  [&](const std::string&, const Hash& hash) { tree.add(hash); });
  } catch (const BadRow& bad) {
    problem = bad.what();
  }
  std::int64_t features = data.shape().features;
  if (comm != nullptr) {
    tree = joined(tree, problem, *comm);
    comm->all_reduce(std::span(&features, 1), Comm::Op::kMax);
  }
  if (!problem.empty()) throw Refusal(problem);
  need_same_rows(tree, about, features, options);
}

DataFindings check_data(const ReadCertificate& read, Source& data, const ProofOptions& options,
                        const Observer& observe) {
  RowChecker checker(read);
  check_rows(read.file, data, options, observe, [&](const std::string& leaf) {
    const bool fits = read.made.for_each(leaf, [&](const std::string& made) { checker.visit(made); });
    need(fits, "the certificate is about other data: it has other features or rows");
  });
  if (!checker.problem().empty()) throw Refusal(checker.problem());
  return checker.findings();
}

void check_leaf_text(const Certificate& about, std::string_view text,
                     const std::function<void(const std::string& leaf)>& visit, bool weights) {
  MerkleTree tree;
  need(text.ends_with('\n'), "the leaves are cut off");
  text.remove_prefix(text.find('\n') + 1);  // what the data are, which the root binds
  std::string line;
  for (std::int64_t number = 0; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
    poll(1000 + line.size());
    Leaf leaf;
    need(parse_leaf(line, leaf, weights) && leaf.row == number, "a leaf is malformed");
    tree.add(leaf_hash(line));
    visit(line);
  }
  need(has_root(tree, about), "the certificate is about other data: the digests differ");
}

DataFindings check_leaves(const ReadCertificate& read, std::string_view text) {
  RowChecker checker(read);
  check_leaf_text(read.file, text, [&](const std::string& leaf) {
    const bool fits = read.made.for_each(leaf, [&](const std::string& made) { checker.visit(made); });
    need(fits, "a leaf is malformed");
  });
  if (!checker.problem().empty()) throw Refusal(checker.problem());
  return checker.findings();
}

}  // namespace linsep
