// Maps that tests share: one with every kind of encoder, and small ones.
#pragma once

#include <string>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

inline Encoder number_example() {
  Encoder e;
  e.column = "age";
  e.scale = Scale::kDeviation;
  e.shift = 0.1;
  e.factor = 0.125;
  e.fill = 41.5;
  e.mean = 41.5;
  e.missing = true;
  return e;
}

inline Encoder category_example() {
  Encoder e;
  e.column = "sender \"id\"";
  e.kind = Encoder::Kind::kCategory;
  e.terms = {"bob", "(rare)", "\xff\x01", "Zoë", ""};
  e.rare = true;
  e.missing = true;
  return e;
}

inline Encoder text_example() {
  Encoder e;
  e.column = "body";
  e.kind = Encoder::Kind::kText;
  e.words = {1, 2};
  e.terms = {"free", "free prize", "état"};
  e.idf = {1, 2.5, 1.0 / 3};
  return e;
}

inline Encoder characters_example() {
  Encoder e = text_example();
  e.words = {};
  e.chars = {3, 5};
  e.terms = {"fre", " fr"};
  e.idf.clear();
  e.weight = TermWeight::kPresence;
  e.norm = false;
  return e;
}

inline Encoder hashed_example() {
  Encoder e = text_example();
  e.column = "subject";
  e.weight = TermWeight::kCount;
  e.terms.clear();
  e.bits = 10;
  e.has_signs = true;
  e.every_bucket = false;
  e.buckets = {3, 700, 1023};
  e.names = {{3, "win", "now"}, {1023, "cash", ""}};
  return e;
}

inline Encoder date_example() {
  Encoder e;
  e.column = "when";
  e.kind = Encoder::Kind::kDate;
  e.format = "iso";
  e.parts = {Encoder::Part::kDays, Encoder::Part::kWeekday, Encoder::Part::kMonth, Encoder::Part::kHour};
  e.scale = Scale::kStandard;
  e.shift = e.mean = e.fill = 19000.25;
  e.factor = 0.01;
  e.missing = true;
  return e;
}

inline Encoder vector_example() {
  Encoder e;
  e.column = "embedding";
  e.kind = Encoder::Kind::kVector;
  e.size = 3;
  return e;
}

inline Encoder cross_example(Encoder::Cross cross) {
  Encoder e;
  e.kind = Encoder::Kind::kCross;
  e.cross = cross;
  e.column = cross == Encoder::Cross::kCategories ? "country" : "age";
  e.second = cross == Encoder::Cross::kNumbers ? "age" : "sender \"id\"";
  if (cross == Encoder::Cross::kCategories) {
    e.terms = {
        "FR\x1f"
        "bob",
        "DE\x1fZoë"};
    e.rare = true;
  }
  return e;
}

/// A map with every kind of encoder.
inline TableMap table_example() {
  Encoder country;
  country.column = "country";
  country.kind = Encoder::Kind::kCategory;
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
                  country,
                  cross_example(Encoder::Cross::kCategories),
                  cross_example(Encoder::Cross::kNumberCategory),
                  cross_example(Encoder::Cross::kNumbers)};
  return map;
}

/// A map of one encoder.
inline TableMap table_of(Encoder encoder) {
  TableMap map;
  map.encoders.push_back(std::move(encoder));
  return map;
}

}  // namespace linsep
