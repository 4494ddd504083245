#include "train/explain/probe.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

bool has_probe(const Encoder& e) { return e.kind != Kind::kCross && e.kind != Kind::kVector; }

Encoder probe_of(Encoder e) {
  if (e.kind == Kind::kNumber || e.kind == Kind::kDate) {
    e.scale = Scale::kNone;
    e.shift = e.fill = e.mean = 0;
    e.factor = 1;
    e.missing = true;
  } else if (e.kind == Kind::kCategory) {
    e.missing = true;
    e.rare = e.bits == 0;
  } else if (e.kind == Kind::kText) {
    e.weight = TermWeight::kCount;
    e.idf.clear();
    e.norm = e.has_signs = false;
  }
  return e;
}

}  // namespace

TableMap with_probes(const TableMap& map) {
  TableMap both = map;
  both.single = false;
  for (const Encoder& e : map.encoders) {
    if (has_probe(e)) both.encoders.push_back(probe_of(e));
  }
  return both;
}

ProbeIndex::ProbeIndex(const TableMap& map) {
  const TableMap both = with_probes(map);
  const std::vector<std::uint32_t> starts = encoder_starts(both);
  std::size_t at = map.encoders.size();
  for (const Encoder& e : map.encoders) {
    Probe& probe = probes_.emplace_back();
    if (!has_probe(e)) continue;
    probe.begin = starts[at];
    probe.end = starts[++at];
    if (e.kind != Kind::kText) probe.hole = --probe.end;
    if (e.kind == Kind::kCategory && e.bits == 0) probe.unseen = --probe.end;
    if (e.kind == Kind::kText) probe.written = probe.end - probe.begin;
    if (e.kind == Kind::kNumber) probe.written = 1;
    if (e.kind == Kind::kDate && e.parts.front() == Encoder::Part::kDays) probe.written = 1;
  }
}

std::optional<std::uint32_t> ProbeIndex::written(std::size_t encoder, std::uint32_t place) const {
  const Probe& probe = probes_[encoder];
  if (place >= probe.written) return std::nullopt;
  return probe.begin + place;
}

}  // namespace linsep
