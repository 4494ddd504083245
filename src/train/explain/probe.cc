#include "train/explain/probe.h"

namespace linsep {
namespace {

bool has_probe(const Encoder& e) { return !e.is<CrossEncoder>() && !e.is<VectorEncoder>(); }

Encoder probe_of(Encoder e) {
  if (auto* number = e.get<NumberEncoder>()) {
    static_cast<Scaling&>(*number) = {};
    number->missing = true;
  } else if (auto* date = e.get<DateEncoder>()) {
    static_cast<Scaling&>(*date) = {};
    date->missing = true;
  } else if (auto* category = e.get<CategoryEncoder>()) {
    category->missing = true;
    category->rare = !category->hashed();
  } else if (auto* text = e.get<TextEncoder>()) {
    text->weight = TermWeight::kCount;
    text->idf.clear();
    text->norm = text->has_signs = false;
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
    if (!e.is<TextEncoder>()) probe.missing = --probe.end;
    if (e.is<CategoryEncoder>() && !e.terms()->hashed()) probe.unseen = --probe.end;
    if (e.is<TextEncoder>()) probe.written = probe.end - probe.begin;
    const auto* date = e.get<DateEncoder>();
    if (e.is<NumberEncoder>() || (date != nullptr && date->has_days())) probe.written = 1;
  }
}

std::optional<std::uint32_t> ProbeIndex::written(std::size_t encoder, std::uint32_t place) const {
  const Probe& probe = probes_[encoder];
  if (place >= probe.written) return std::nullopt;
  return probe.begin + place;
}

}  // namespace linsep
