#include "table/fitter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "linsep/error.h"
#include "table/rows_testing.h"
#include "table/terms.h"

namespace linsep {
namespace {

using Kind = ColumnKind;

/// Threads that hand each other bytes. Everything else is built on that.
class Meeting {
 public:
  explicit Meeting(std::size_t size) : bytes_(size) {}

  std::vector<std::vector<std::byte>> gather(std::size_t rank, std::span<const std::byte> mine) {
    std::unique_lock lock(mutex_);
    bytes_[rank].assign(mine.begin(), mine.end());
    wait(lock);
    auto all = bytes_;
    wait(lock);
    return all;
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  void wait(std::unique_lock<std::mutex>& lock) {
    const std::size_t round = round_;
    if (++here_ == bytes_.size()) {
      here_ = 0;
      ++round_;
      all_here_.notify_all();
    }
    all_here_.wait(lock, [&] { return round_ != round; });
  }

  std::mutex mutex_;
  std::condition_variable all_here_;
  std::vector<std::vector<std::byte>> bytes_;
  std::size_t here_ = 0, round_ = 0;
};

class TestComm : public Comm {
 public:
  TestComm(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return static_cast<int>(rank_); }
  int size() const override { return static_cast<int>(meeting_.size()); }
  void all_reduce(std::span<double> data, Op op) override { reduce(data, op); }
  void all_reduce(std::span<std::int64_t> data, Op op) override { reduce(data, op); }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    return meeting_.gather(rank_, data);
  }
  void abort(const std::string& message) override { throw system_error(message); }

 private:
  template <class T>
  void reduce(std::span<T> data, Op op) {
    const auto all = meeting_.gather(rank_, std::as_bytes(data));
    for (std::size_t w = 0; w < all.size(); ++w) {
      for (std::size_t i = 0; i < data.size(); ++i) {
        T theirs;
        std::memcpy(&theirs, all[w].data() + i * sizeof(T), sizeof(T));
        data[i] = w == 0 ? theirs : op == Op::kSum ? data[i] + theirs : std::max(data[i], theirs);
      }
    }
  }

  Meeting& meeting_;
  std::size_t rank_;
};

struct Fitted {
  TableMap map;
  std::vector<std::string> left_out, details;
  std::string error;

  bool operator==(const Fitted&) const = default;
};

Fitted finish(TableFitter& fitter, Comm& comm) {
  Fitted fitted;
  std::vector<FittedColumn> columns;
  try {
    fitter.finish(comm, fitted.map, columns);
  } catch (const Error& error) {
    return {{}, {}, {}, error.what()};
  }
  for (const FittedColumn& column : columns) {
    fitted.left_out.push_back(column.left_out);
    fitted.details.push_back(column.detail);
  }
  for (const FittedCross& cross : fitter.crosses()) fitted.details.push_back(cross.name + ": " + cross.detail);
  return fitted;
}

Fitted fit(const TestTable& table, const TableSpec& spec) {
  Meeting meeting(1);
  TestComm comm(meeting, 0);
  TableFitter fitter(spec, table.plans());
  fitter.take(TestBatch(table, plan_names(table), 0, table.rows).batch, 0);
  return finish(fitter, comm);
}

template <class EncoderKind>
const EncoderKind& encoder_of(const Fitted& fitted, const std::string& column) {
  for (const Encoder& encoder : fitted.map.encoders) {
    if (encoder.column == column) return std::get<EncoderKind>(encoder.kind);
  }
  throw std::logic_error(column + " has no encoder");
}

/// Fits rows in batches of any size, in any order, over fitters that are merged and over workers.
std::vector<Fitted> fit_spread(const TestTable& table, const TableSpec& spec, Random& random) {
  struct Piece {
    std::size_t begin = 0, end = 0, worker = 0, fitter = 0;
  };
  const std::size_t workers = 1 + random.below(4);
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < table.rows;) {
    const std::size_t end = std::min(table.rows, at + 1 + random.below(1 + random.below(20)));
    pieces.push_back({at, end, random.below(workers), random.below(3)});
    at = end;
  }
  if (random.below(2) == 0) {
    for (std::size_t i = pieces.size(); i > 1; --i) std::swap(pieces[i - 1], pieces[random.below(i)]);
  }
  std::vector<Fitted> all(workers);
  Meeting meeting(workers);
  const auto work = [&](std::size_t worker) {
    std::vector<std::unique_ptr<TableFitter>> fitters;
    for (int k = 0; k < 3; ++k) fitters.push_back(std::make_unique<TableFitter>(spec, table.plans()));
    for (const Piece& piece : pieces) {
      if (piece.worker != worker) continue;
      fitters[piece.fitter]->take(TestBatch(table, plan_names(table), piece.begin, piece.end).batch, piece.begin);
    }
    fitters[1]->merge(*fitters[2]);
    fitters[0]->merge(*fitters[1]);
    TestComm comm(meeting, worker);
    all[worker] = finish(*fitters[0], comm);
  };
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
  for (std::thread& thread : threads) thread.join();
  return all;
}

TEST(TableFitter, BatchesFittersMergesAndWorkersDontMatter) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(31, seed);
    const TestTable table = drawn_table(random, random.below(80));
    const TableSpec spec = drawn_spec(random);
    const Fitted whole = fit(table, spec);
    EXPECT_EQ(problem_of(whole.map), "") << seed;
    for (const Fitted& other : fit_spread(table, spec, random)) {
      EXPECT_EQ(other.error, whole.error) << seed;
      EXPECT_EQ(other.left_out, whole.left_out) << seed;
      EXPECT_EQ(other.details, whole.details) << seed;
      EXPECT_EQ(other.map, whole.map) << seed;
    }
  }
}

/// Counts the rows that contain each term, with strings alone.
std::map<std::string, std::int64_t> plain_counts(const TestTable& table, const Encoder& encoder) {
  std::map<std::string, std::int64_t> counts;
  const auto* text = encoder.get<TextEncoder>();
  TermReader reader(text != nullptr ? text->words : TermRange{1, 1}, text != nullptr ? text->chars : TermRange{});
  const TestColumn& column = table.column(encoder.column);
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::set<std::string> terms;
    if (!column.missing.empty() && column.missing[row] != 0) continue;
    if (encoder.is<CategoryEncoder>()) {
      terms.insert(column.text[row]);
    } else if (const auto* cross = encoder.get<CrossEncoder>()) {
      const TestColumn& other = table.column(cross->second);
      if (other.missing.empty() || other.missing[row] == 0) terms.insert(column.text[row] + "\x1f" + other.text[row]);
    } else {
      const std::size_t size = reader.read(column.text[row]).size();
      for (std::size_t i = 0; i < size; ++i) terms.insert(reader.term(i));
    }
    for (const std::string& term : terms) ++counts[term];
  }
  return counts;
}

std::uint64_t plain_key(const Encoder& encoder, const std::string& term) {
  if (const auto* text = encoder.get<TextEncoder>()) return term_key(term, !text->chars.none());
  if (encoder.is<CategoryEncoder>()) return value_key(term);
  const std::size_t at = term.find('\x1f');
  return pair_key(value_key(term.substr(0, at)), value_key(term.substr(at + 1)));
}

double plain_idf(std::int64_t rows, std::int64_t df) {
  return std::log((1 + static_cast<double>(rows)) / (1 + static_cast<double>(std::min(df, rows)))) + 1;
}

void expect_exact_terms(const TestTable& table, const TableSpec& spec, const Encoder& encoder) {
  const auto counts = plain_counts(table, encoder);
  std::vector<std::pair<std::int64_t, std::string>> expected;
  for (const auto& [term, count] : counts) {
    if (count >= spec.min_count) expected.emplace_back(-count, term);
  }
  std::sort(expected.begin(), expected.end());
  const auto* text = encoder.get<TextEncoder>();
  ASSERT_EQ(encoder.terms()->terms.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(encoder.terms()->terms[i], expected[i].second);
    if (text != nullptr && !text->idf.empty()) {
      EXPECT_EQ(text->idf[i], plain_idf(static_cast<std::int64_t>(table.rows), -expected[i].first));
    }
  }
  EXPECT_LE(counts.size(), static_cast<std::size_t>(spec.most_terms));
  if (const auto* category = encoder.get<CategoryEncoder>()) {
    EXPECT_EQ(category->rare, counts.size() > expected.size());
  }
  if (const auto* cross = encoder.get<CrossEncoder>()) {
    EXPECT_EQ(cross->rare, counts.size() > expected.size());
  }
}

void expect_buckets(const TestTable& table, const TableSpec& spec, const Encoder& encoder) {
  const auto counts = plain_counts(table, encoder);
  std::map<std::uint32_t, std::int64_t> buckets;
  for (const auto& [term, count] : counts) {
    buckets[static_cast<std::uint32_t>(plain_key(encoder, term) & ((1U << encoder.terms()->bits) - 1))] += count;
  }
  std::vector<std::uint32_t> used;
  std::vector<double> idf;
  for (const auto& [bucket, count] : buckets) {
    if (std::min<std::int64_t>(count, static_cast<std::int64_t>(table.rows)) < spec.min_count) continue;
    used.push_back(bucket);
    idf.push_back(plain_idf(static_cast<std::int64_t>(table.rows), count));
  }
  const TermSet& set = *encoder.terms();
  if (!set.every_bucket) {
    EXPECT_EQ(set.buckets, used);
  } else {
    EXPECT_EQ(spec.min_count, 1);
  }
  const auto* text = encoder.get<TextEncoder>();
  if (text != nullptr && !text->idf.empty()) {
    EXPECT_EQ(text->idf, idf);
  }
  EXPECT_LE(set.names.size(), static_cast<std::size_t>(spec.most_names));
  EXPECT_EQ(set.has_signs, spec.has_signs);
  if (spec.bits == 0) {
    EXPECT_GT(counts.size(), static_cast<std::size_t>(spec.most_terms));
  }
}

TEST(TableFitter, CountsAreThoseOfPlainStrings) {
  int exact = 0, hashed = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(32, seed);
    const TestTable table = drawn_table(random, random.below(80));
    const TableSpec spec = drawn_spec(random);
    const Fitted fitted = fit(table, spec);
    for (const Encoder& encoder : fitted.map.encoders) {
      const auto* cross = encoder.get<CrossEncoder>();
      if (encoder.terms() == nullptr || (cross != nullptr && cross->of != CrossEncoder::Of::kCategories)) continue;
      SCOPED_TRACE(::testing::Message() << seed << " " << encoder.column);
      ++(encoder.terms()->hashed() ? hashed : exact);
      !encoder.terms()->hashed() ? expect_exact_terms(table, spec, encoder) : expect_buckets(table, spec, encoder);
    }
  }
  EXPECT_GT(exact, 100);
  EXPECT_GT(hashed, 100);
}

TEST(TableFitter, ABucketIsNamedByTheFirstTwoTermsInIt) {
  // With 2^10 buckets and this many values, some values share a bucket.
  std::vector<std::string> values;
  for (int i = 0; i < 3000; ++i) values.push_back("v" + std::to_string(i % 1500));
  const TestTable table = table_of({text_column("c", Kind::kCategory, values)}, values.size());
  TableSpec spec;
  spec.scale = Scale::kNone;
  spec.bits = 10;
  const Fitted fitted = fit(table, spec);
  const auto& encoder = encoder_of<CategoryEncoder>(fitted, "c");
  std::map<std::uint32_t, std::vector<std::string>> expected;
  for (int i = 0; i < 1500; ++i)
    expected[static_cast<std::uint32_t>(value_key(values[static_cast<std::size_t>(i)]) & 1023)].push_back(
        values[static_cast<std::size_t>(i)]);
  ASSERT_EQ(encoder.names.size(), expected.size());
  for (const BucketName& name : encoder.names) {
    const auto& terms = expected[name.bucket];
    EXPECT_EQ(name.first, terms[0]);
    EXPECT_EQ(name.second, terms.size() > 1 ? terms[1] : "");
  }
  // Only the first terms give names.
  spec.most_names = 7;
  std::set<std::string> names;
  const auto few = encoder_of<CategoryEncoder>(fit(table, spec), "c");
  for (const BucketName& name : few.names) {
    names.insert(name.first);
    if (!name.second.empty()) names.insert(name.second);
  }
  EXPECT_EQ(names, std::set<std::string>(values.begin(), values.begin() + 7));
  spec.most_names = 0;
  EXPECT_TRUE(encoder_of<CategoryEncoder>(fit(table, spec), "c").names.empty());
}

TableSpec plain_spec() {
  TableSpec spec;
  spec.scale = Scale::kNone;
  return spec;
}

TEST(TableFitter, NumbersAreScaledAsAsked) {
  // The mean is 4 and the deviation 2.
  const TestTable table = table_of({number_column("x", {2, 2, 6, 6})}, 4);
  const auto scaled = [&](Scale scale) {
    TableSpec spec;
    spec.scale = scale;
    return encoder_of<NumberEncoder>(fit(table, spec), "x");
  };
  EXPECT_EQ(scaled(Scale::kNone).factor, 1);
  EXPECT_EQ(scaled(Scale::kDeviation).factor, 0.5);
  EXPECT_EQ(scaled(Scale::kDeviation).shift, 0);
  EXPECT_EQ(scaled(Scale::kStandard).shift, 4);
  EXPECT_EQ(scaled(Scale::kStandard).factor, 0.5);
  EXPECT_EQ(scaled(Scale::kMaxAbs).factor, 1 / 6.0);
  EXPECT_EQ(scaled(Scale::kMaxAbs).mean, 4);
}

TEST(TableFitter, DeviationShiftsOnlyWhatIsFarFromZero) {
  TableSpec spec;
  spec.scale = Scale::kDeviation;
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table_of({number_column("x", {15, 15, 17, 17})}, 4), spec), "x").shift, 16);
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table_of({number_column("x", {7, 7, 9, 9})}, 4), spec), "x").shift, 0);
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table_of({number_column("x", {-15, -15, -17, -17})}, 4), spec), "x").shift,
            -16);
}

TEST(TableFitter, NumbersAtTheEndsOfDoublesStillHaveFactors) {
  for (const double x : {1e308, 1e-310, 1e-200, 1e200}) {
    TableSpec spec;
    spec.scale = Scale::kStandard;
    const Fitted fitted = fit(table_of({number_column("x", {x, -x, x})}, 3), spec);
    const auto& encoder = encoder_of<NumberEncoder>(fitted, "x");
    EXPECT_TRUE(std::isfinite(encoder.factor) && encoder.factor > 0) << x;
    EXPECT_TRUE(std::isfinite(encoder.shift)) << x;
  }
}

TEST(TableFitter, AHoleIsFilledAndPerhapsSaid) {
  const TestTable table = table_of({number_column("x", {1, 3, 100}, {0, 0, 1})}, 3);
  TableSpec spec = plain_spec();
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table, spec), "x").fill, 2);
  EXPECT_TRUE(encoder_of<NumberEncoder>(fit(table, spec), "x").missing);
  spec.as_written = true;
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table, spec), "x").fill, 0);
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table, spec), "x").mean, 2);
  spec.missing = TableSpec::Missing::kMean;
  EXPECT_EQ(encoder_of<NumberEncoder>(fit(table, spec), "x").fill, 2);
  EXPECT_FALSE(encoder_of<NumberEncoder>(fit(table, spec), "x").missing);
  spec.missing = TableSpec::Missing::kRefuse;
  EXPECT_EQ(fit(table, spec).error, "column 'x' has no value in 1 rows, and 'missing' is refuse");
  // A column without missing values in training gets no indicator.
  EXPECT_FALSE(encoder_of<NumberEncoder>(fit(table_of({number_column("x", {1, 3})}, 2), plain_spec()), "x").missing);
}

TEST(TableFitter, ColumnsThatSayNothingAreLeftOutUnlessAskedFor) {
  TestTable table = table_of(
      {number_column("one", {5, 5}), number_column("none", {0, 0}, {1, 1}),
       text_column("same", Kind::kCategory, {"a", "a"}), text_column("empty", Kind::kCategory, {"", ""}, {1, 1}),
       text_column("words", Kind::kText, {"a b c", "d e f"}), number_column("x", {1, 2}),
       number_column("hole", {5, 0}, {0, 1})},
      2);
  const std::vector<std::string> expected = {"the same value in every row",
                                             "no value in any row",
                                             "the same value in every row",
                                             "no value in any row",
                                             "no term is in 2 rows or more",
                                             "",
                                             ""};
  EXPECT_EQ(fit(table, plain_spec()).left_out, expected);
  EXPECT_EQ(fit(table, plain_spec()).map.encoders.size(), 2U);
  for (TestColumn& column : table.columns) column.plan.asked = true;
  EXPECT_EQ(fit(table, plain_spec()).left_out, std::vector<std::string>(7));
  EXPECT_EQ(fit(table, plain_spec()).map.encoders.size(), 7U);
}

TEST(TableFitter, DatesHaveHoursOnlyWhereTimesVary) {
  constexpr std::int64_t kDay = 86400;
  using Part = DateEncoder::Part;
  const auto days = encoder_of<DateEncoder>(fit(table_of({date_column("d", {0, 2 * kDay})}, 2), plain_spec()), "d");
  EXPECT_EQ(days.parts, (std::vector<Part>{Part::kDays, Part::kWeekday, Part::kMonth}));
  EXPECT_EQ(days.shift, 1);
  EXPECT_EQ(days.factor, 1);
  const auto times = encoder_of<DateEncoder>(fit(table_of({date_column("d", {0, 3600})}, 2), plain_spec()), "d");
  EXPECT_EQ(times.parts.back(), Part::kHour);
  const auto noons =
      encoder_of<DateEncoder>(fit(table_of({date_column("d", {-kDay / 2, kDay / 2})}, 2), plain_spec()), "d");
  EXPECT_EQ(noons.parts.size(), 3U);
  TableSpec proof = plain_spec();
  proof.as_written = true;
  EXPECT_EQ(encoder_of<DateEncoder>(fit(table_of({date_column("d", {0, 2 * kDay})}, 2), proof), "d").shift, 0);
}

TEST(TableFitter, CrossesAreOfNumbersAndCategories) {
  TestTable table =
      table_of({number_column("x", {1, 2, 3}), text_column("c", Kind::kCategory, {"a", "b", "b"}),
                text_column("a*b", Kind::kCategory, {"p", "q", "q"}), text_column("t", Kind::kText, {"x y", "x", "y"})},
               3);
  TableSpec spec = plain_spec();
  spec.cross = {"c*x", "c*a*b", "x*x"};
  const std::vector<Encoder> encoders = fit(table, spec).map.encoders;
  ASSERT_EQ(encoders.size(), 7U);
  const auto cross = [&](std::size_t e) { return std::get<CrossEncoder>(encoders[e].kind); };
  EXPECT_EQ(cross(4).of, CrossEncoder::Of::kNumberCategory);
  EXPECT_EQ(encoders[4].column + "," + cross(4).second, "x,c");
  EXPECT_EQ(encoders[5].column + "," + cross(5).second, "c,a*b");
  EXPECT_EQ(cross(5).terms, std::vector<std::string>{"b\x1fq"});
  EXPECT_TRUE(cross(5).rare);
  EXPECT_EQ(cross(6).of, CrossEncoder::Of::kNumbers);
  for (const char* bad : {"x*t", "x*nothing", "x", "c*c", "*x"}) {
    spec.cross = {bad};
    EXPECT_THROW(TableFitter(spec, table.plans()), Error) << bad;
  }
}

TEST(TableFitter, ACrossOfTooManyValuesIsRefused) {
  std::vector<std::string> a, b;
  for (int i = 0; i < 2000; ++i) {
    a.push_back(std::to_string(i % 1000));
    b.push_back(std::to_string(i / 2));
  }
  const TestTable table =
      table_of({text_column("merchant", Kind::kCategory, a), text_column("card", Kind::kCategory, b)}, a.size());
  TableSpec spec = plain_spec();
  spec.cross = {"merchant*card"};
  spec.most_terms = 1500;
  EXPECT_EQ(fit(table, spec).error, "'cross' merchant*card would have up to 1·10⁶ values; add 'bits'");
  spec.bits = 12;
  EXPECT_EQ(fit(table, spec).error, "");
}

TEST(TableFitter, AValueThatHoldsTheSignBetweenTwoIsNoTermOfACross) {
  const TestTable table = table_of({text_column("a", Kind::kCategory, {"p\x1fq", "p\x1fq", "p", "p"}),
                                    text_column("b", Kind::kCategory, {"r", "r", "s", "s"})},
                                   4);
  TableSpec spec = plain_spec();
  spec.cross = {"a*b"};
  const auto cross = std::get<CrossEncoder>(fit(table, spec).map.encoders.back().kind);
  EXPECT_EQ(cross.terms, std::vector<std::string>{"p\x1fs"});
  EXPECT_TRUE(cross.rare);
}

TEST(TableFitter, DetailsReadAsTheAccountShowsThem) {
  std::vector<std::string> names = {"ann", "ann", "bob", "bob", "cid"};
  const TestTable table =
      table_of({number_column("size", {2, 2, 6, 6, 0}, {0, 0, 0, 0, 1}), text_column("sender", Kind::kCategory, names),
                text_column("body", Kind::kText, {"a b", "a b", "c", "c d", ""}, {0, 0, 0, 0, 1}),
                date_column("when", {0, 86400, 0, 0, 0})},
               5);
  TableSpec spec;
  spec.scale = Scale::kDeviation;
  const Fitted fitted = fit(table, spec);
  EXPECT_EQ(fitted.details[0], "2 … 6, 1 missing; divided by 2; indicator");
  EXPECT_EQ(fitted.details[1], "3 values, 1 seen once → (rare)");
  EXPECT_EQ(fitted.details[2], "words 1-2: 4 terms seen twice or more of 6; √tf·idf, rows of length 1");
  EXPECT_EQ(fitted.details[3], "1970-01-01 … 1970-01-02; days, weekday, month");
  spec.bits = 12;
  EXPECT_EQ(fit(table, spec).details[1], "hashed into 4,096 buckets, 2 in use");
}

}  // namespace
}  // namespace linsep
