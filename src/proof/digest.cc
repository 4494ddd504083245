#include "proof/digest.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "core/bytes.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "proof/data_json.h"
#include "proof/leaves.h"
#include "proof/merkle.h"
#include "proof/verify.h"

namespace linsep {

using namespace std::string_view_literals;

std::string data_root(const Hash& tree, const DataDigest& data, int version) {
  std::string text =
      version == 1 ? std::to_string(data.rows) + " " + std::to_string(data.features) + " " : data_json(data, version);
  text.append(reinterpret_cast<const char*>(tree.data()), tree.size());
  return to_hex(sha256(version == 1 ? "\2"sv : "\3"sv, text));
}

namespace {

void require_secret(const std::string& secret) {
  Hash digits;
  if (!secret.empty() && !from_hex(secret, digits)) {
    throw usage_error("the secret of a salt isn't 64 lower-case hexadecimal digits");
  }
}

/// How far the columns of a leaf reach, which follows from its last entry.
std::uint32_t width_of(const std::string& leaf) {
  const std::size_t colon = leaf.rfind(':');  // a salt has none
  if (colon == std::string::npos) return 0;
  const std::size_t space = leaf.rfind(' ', colon);
  return static_cast<std::uint32_t>(std::stoull(leaf.substr(space + 1, colon - space - 1)));
}

/// The tree of consecutive rows.
struct RowTree {
  MerkleTree tree;
  std::vector<CarriedRow> carried;  // without their paths
  std::uint32_t features = 0;       // a stream may not have known it
};

/// `carry` may also name rows of other workers.
RowTree tree_of(Source& data, const LeafRun& run, const std::vector<std::int64_t>& carry) {
  const std::vector<std::string>& classes = data.schema().classes;
  if (classes.size() < 2) throw usage_error("a certificate needs two classes");
  const LabelSigns labels = LabelSigns::of(data);
  const auto begin = std::ranges::lower_bound(carry, run.first);
  const std::vector<std::int64_t> own(begin, std::lower_bound(begin, carry.end(), run.first + run.count));
  RowTree made{MerkleTree(own, run.first), {}, data.shape().features};
  try {
    for_each_leaf(data, labels, run, [&](const std::string& leaf, const Hash& hash) {
      const std::size_t next = made.carried.size();
      if (next < own.size() && own[next] == made.tree.leaves()) made.carried.push_back({leaf, {}});
      made.features = std::max(made.features, width_of(leaf));
      made.tree.add(hash);
    });
  } catch (const BadRow& bad) {
    throw input_error(bad.what());
  }
  return made;
}

DataDigest digest_of(RowTree made, const Source& data, std::vector<CarriedRow>* rows) {
  const Hash root = made.tree.finish();
  if (rows != nullptr) {
    for (std::size_t k = 0; k < made.carried.size(); ++k) {
      for (const Hash& hash : made.tree.path(k)) made.carried[k].path.push_back(to_hex(hash));
    }
    *rows = std::move(made.carried);
  }
  DataDigest digest = described_data(data.schema(), made.tree.leaves(), made.features);
  digest.root = data_root(root, digest, kNewestVersion);
  return digest;
}

/// Each worker's rows come after those of the workers before it.
RowTree tree_of_all(Source& data, Comm& comm, const std::vector<std::int64_t>& carry, const ProofOptions& options,
                    const Observer& observe, const LeafJudge& judge = {}) {
  const std::int64_t rows = count_rows(data), first = first_of_rows(comm, rows);
  const RowTree mine = tree_of(data, {first, rows, options, observe, Phase::kSealing, judge}, carry);
  ByteWriter writer;
  mine.tree.save(writer);
  writer.number<std::uint64_t>(mine.carried.size());
  for (const CarriedRow& row : mine.carried) writer.text(row.leaf);
  writer.number(mine.features);
  RowTree all;
  for (const std::string& bytes : gathered(comm, writer.bytes())) {
    ByteReader reader(bytes);
    all.tree.append(MerkleTree::load(reader));
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) all.carried.push_back({reader.text(), {}});
    all.features = std::max(all.features, reader.number<std::uint32_t>());
  }
  return all;
}

RowTree tree_of_one(Source& data, const std::vector<std::int64_t>& carry, const ProofOptions& options,
                    const Observer& observe, const LeafJudge& judge = {}) {
  return tree_of(data, {0, count_rows(data), options, observe, Phase::kSealing, judge}, carry);
}

void seal(Certificate& certificate, Source& data, Comm* comm, const ProofOptions& options, const Observer& observe) {
  require_secret(options.secret);
  const std::uint32_t features = certificate.data.features;
  if (data.schema().classes.size() > 2 && certificate.data.classes != data.schema().classes) {
    throw usage_error("the certificate isn't about the classes of this data");
  }
  const std::string positive = certificate.data.classes.empty() ? "" : certificate.data.positive;
  const std::vector<std::int64_t> named = options.carry ? named_data_rows(certificate) : std::vector<std::int64_t>();
  certificate.rows.clear();
  certificate.version = kNewestVersion;
  certificate.data = digest_of(
      comm == nullptr ? tree_of_one(data, named, options, observe) : tree_of_all(data, *comm, named, options, observe),
      data, &certificate.rows);
  if (!positive.empty()) certificate.data.positive = positive;
  if (certificate.data.features != features) {
    throw usage_error("the certificate's columns are those of " + std::to_string(features) +
                      " features, the data has " + std::to_string(certificate.data.features));
  }
}

}  // namespace

std::vector<std::string> gathered(Comm& comm, const std::string& mine) {
  std::vector<std::string> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return all;
}

std::int64_t first_of_rows(Comm& comm, std::int64_t rows) {
  std::vector<std::int64_t> of(static_cast<std::size_t>(comm.size()), 0);
  of[static_cast<std::size_t>(comm.rank())] = rows;
  comm.all_reduce(std::span(of), Comm::Op::kSum);
  return std::accumulate(of.begin(), of.begin() + comm.rank(), std::int64_t{0});
}

DataDigest digest_rows(Source& data, const ProofOptions& options, const Observer& observe) {
  return digest_rows(data, nullptr, options, observe, {});
}

DataDigest digest_rows(Source& data, Comm* comm, const ProofOptions& options, const Observer& observe,
                       const LeafJudge& judge) {
  require_secret(options.secret);
  return digest_of(comm == nullptr ? tree_of_one(data, {}, options, observe, judge)
                                   : tree_of_all(data, *comm, {}, options, observe, judge),
                   data, nullptr);
}

void seal_certificate(Certificate& certificate, Source& data, const ProofOptions& options, const Observer& observe) {
  seal(certificate, data, nullptr, options, observe);
}

void seal_certificate(Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options,
                      const Observer& observe) {
  seal(certificate, data, comm.size() == 1 ? nullptr : &comm, options, observe);
}

}  // namespace linsep
