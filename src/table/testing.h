// Maps that tests share: small ones, and one with every kind of encoder.
#pragma once

#include <string>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// The settings of an encoder whose kind is known.
template <class Kind>
Kind& as(Encoder& encoder) {
  return std::get<Kind>(encoder.kind);
}
template <class Kind>
const Kind& as(const Encoder& encoder) {
  return std::get<Kind>(encoder.kind);
}

inline Encoder number_example() {
  return {"age", NumberEncoder{{Scale::kDeviation, 0.1, 0.125, 41.5, 41.5}, "", true}};
}

inline Encoder category_example() {
  CategoryEncoder e;
  e.terms = {"bob", "(rare)", "\xff\x01", "Zoë", ""};
  e.rare = true;
  e.missing = true;
  return {"sender \"id\"", e};
}

inline Encoder text_example() {
  TextEncoder e;
  e.words = {1, 2};
  e.terms = {"free", "free prize", "état"};
  e.idf = {1, 2.5, 1.0 / 3};
  return {"body", e};
}

inline Encoder characters_example() {
  TextEncoder e;
  e.chars = {3, 5};
  e.terms = {"fre", " fr"};
  e.weight = TermWeight::kPresence;
  e.norm = false;
  return {"body", e};
}

inline Encoder hashed_example() {
  TextEncoder e;
  e.words = {1, 2};
  e.idf = {1, 2.5, 1.0 / 3};
  e.weight = TermWeight::kCount;
  e.bits = 10;
  e.has_signs = true;
  e.every_bucket = false;
  e.buckets = {3, 700, 1023};
  e.names = {{3, "win", "now"}, {1023, "cash", ""}};
  return {"subject", e};
}

inline Encoder date_example() {
  using Part = DateEncoder::Part;
  return {"when", DateEncoder{{Scale::kStandard, 19000.25, 0.01, 19000.25, 19000.25},
                              "iso",
                              {Part::kDays, Part::kWeekday, Part::kMonth, Part::kHour},
                              true}};
}

inline Encoder vector_example() { return {"embedding", VectorEncoder{3}}; }

inline Encoder cross_example(CrossEncoder::Of of) {
  CrossEncoder e;
  e.of = of;
  e.second = of == CrossEncoder::Of::kNumbers ? "age" : "sender \"id\"";
  if (of == CrossEncoder::Of::kCategories) {
    e.terms = {
        "FR\x1f"
        "bob",
        "DE\x1fZoë"};
    e.rare = true;
  }
  return {of == CrossEncoder::Of::kCategories ? "country" : "age", e};
}

/// A map with every kind of encoder.
inline TableMap table_example() {
  CategoryEncoder country;
  country.bits = 10;
  country.names = {{5, "FR", ""}};
  TableMap map;
  map.rows = 5572;
  map.decimal = ',';
  map.missing_words = {"unknown", "\""};
  map.encoders = {number_example(),
                  category_example(),
                  text_example(),
                  characters_example(),
                  hashed_example(),
                  date_example(),
                  vector_example(),
                  {"country", country},
                  cross_example(CrossEncoder::Of::kCategories),
                  cross_example(CrossEncoder::Of::kNumberCategory),
                  cross_example(CrossEncoder::Of::kNumbers)};
  return map;
}

/// A map of one encoder.
inline TableMap table_of(Encoder encoder) {
  TableMap map;
  map.encoders.push_back(std::move(encoder));
  return map;
}

}  // namespace linsep
