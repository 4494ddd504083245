#include "picture/json/writer.h"

namespace linsep {
namespace {

using Proof = Picture::Proof;

std::vector<std::int64_t> from_one(const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> result = rows;
  for (std::int64_t& row : result) ++row;
  return result;
}

void write_witness(PictureWriter& out, const std::vector<Proof::Witness>& witness, const PlaneDigits& digits) {
  if (witness.empty()) return;
  using Row = Proof::Witness;
  out.key("witness");
  out.open('{');
  out.column("row", witness, [](const Row& row) { return row.row + 1; });
  out.column("id", witness, [](const Row& row) { return text_or_nothing(row.id); });
  out.column("label", witness, &Row::label);
  out.column("alpha", witness, &Row::alpha);
  out.column("share", witness, &Row::share);
  out.column("x", witness, [](const Row& row) { return row.x; }, digits.x);
  out.column("y", witness, [](const Row& row) { return row.y; }, digits.y);
  out.column("text", witness, [](const Row& row) { return text_or_nothing(row.text); });
  out.close('}');
}

void write_columns(PictureWriter& out, const Proof& proof) {
  if (!proof.infinite.empty()) {
    out.key("infinite");
    out.open('{');
    out.column("name", proof.infinite, &Proof::Infinite::name);
    out.column("sign", proof.infinite, &Proof::Infinite::sign);
    out.close('}');
  }
  out.field("mistakes_at_least", proof.mistakes_at_least);
  out.field("mistakes_at_most", proof.mistakes_at_most);
  if (!proof.packing.empty()) {
    out.key("packing");
    out.open('[');
    for (const std::vector<std::int64_t>& rows : proof.packing) out.put(from_one(rows), 0);
    out.close(']');
  }
  if (!proof.means.empty()) {
    out.key("means");
    out.open('{');
    out.column("name", proof.means, &Proof::Mean::name);
    out.column("negative", proof.means, &Proof::Mean::negative);
    out.column("positive", proof.means, &Proof::Mean::positive);
    out.close('}');
  }
}

}  // namespace

void write_proof(PictureWriter& out, const Picture& picture, const PlaneDigits& digits) {
  if (!picture.proof) return;
  const Proof& proof = *picture.proof;
  out.key("proof");
  out.open('{');
  out.field("verdict", proof.verdict);
  write_witness(out, proof.witness, digits);
  out.field("witness_rows", proof.witness_rows);
  write_point(out, "common_point", proof.common_point, digits);
  out.field("margin", proof.margin, kAllDigits);
  out.field("margin_upper_bound", proof.margin_upper_bound, kAllDigits);
  out.field("radius", proof.radius, kAllDigits);
  out.field("mistake_bound", proof.mistake_bound, kAllDigits);
  out.field("separator", proof.separator);
  write_columns(out, proof);
  if (proof.origin) out.field("origin", true);
  out.field("separated", proof.separated);
  out.field("at_zero", proof.at_zero);
  if (!proof.stopped_because.empty()) out.field("stopped_because", proof.stopped_because);
  out.close('}');
}

}  // namespace linsep
