#include "format/csv/fields.h"

#include <gtest/gtest.h>

#include <optional>

namespace linsep::csv {
namespace {

using Record = std::vector<std::string>;

/// Every row's fields and where each row ends, found one byte at a time by an automaton without any notion of fields as
/// pieces of text. Empty lines end rows but aren't rows.
struct Oracle {
  std::vector<Record> rows;
  std::vector<std::size_t> ends;
  bool bad = false;

  explicit Oracle(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) step(text[i], i);
    if (state_ == State::kQuoted) bad = true;
    const bool nothing_left = !text.empty() && text.back() == '\n' && state_ == State::kStart && record_.empty();
    if (!nothing_left && !text.empty()) end_row();
  }

 private:
  enum class State { kStart, kPlain, kQuoted, kQuote, kClosed, kClosedReturn };

  static bool blank(char c) { return c == ' ' || c == '\t'; }

  void step(char c, std::size_t i) {
    if (state_ == State::kQuoted) {
      if (c == '"') {
        state_ = State::kQuote;
      } else {
        field_ += c;
      }
      return;
    }
    if (state_ == State::kQuote && c == '"') {
      field_ += c;
      state_ = State::kQuoted;
      return;
    }
    if (c == ',') {
      if (state_ == State::kClosedReturn) bad = true;
      end_field(false);
      return;
    }
    if (c == '\n') {
      end_row();
      ends.push_back(i + 1);
      return;
    }
    switch (state_) {
      case State::kStart:
        if (blank(c)) return;
        if (c == '"') {
          state_ = State::kQuoted;
          quoted_ = true;
          return;
        }
        state_ = State::kPlain;
        [[fallthrough]];
      case State::kPlain:
        field_ += c;
        return;
      case State::kQuote:
        state_ = State::kClosed;
        [[fallthrough]];
      case State::kClosed:
        if (c == '\r') {
          state_ = State::kClosedReturn;
        } else if (!blank(c)) {
          bad = true;
        }
        return;
      default:
        bad = true;
    }
  }

  void end_field(bool line_ends) {
    if (!quoted_) {
      if (line_ends && !field_.empty() && field_.back() == '\r') field_.pop_back();
      while (!field_.empty() && blank(field_.back())) field_.pop_back();
    }
    record_.push_back(field_);
    only_blanks_ = record_.size() == 1 && field_.empty() && !quoted_;
    field_.clear();
    quoted_ = false;
    state_ = State::kStart;
  }

  void end_row() {
    end_field(true);
    if (!only_blanks_) rows.push_back(record_);
    record_.clear();
  }

  State state_ = State::kStart;
  std::string field_;
  bool quoted_ = false;
  bool only_blanks_ = false;
  Record record_;
};

/// The rows by the code under test, or nothing if it throws.
std::optional<std::vector<Record>> rows_of(std::string_view text) {
  std::vector<Record> rows;
  try {
    const char* end = text.data() + text.size();
    for (const char* at = text.data(); (at = skip_empty_lines({}, text, at)) != end;) {
      rows.push_back(read_record({}, text, at));
    }
  } catch (const TextError&) {
    return std::nullopt;
  }
  return rows;
}

/// Calls `f` with every text of up to `longest` bytes of the alphabet.
template <class F>
void for_each_text(const std::string& alphabet, std::size_t longest, F&& f) {
  std::vector<std::string> texts = {""};
  for (std::size_t length = 0; length <= longest; ++length) {
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      f(text);
      for (const char c : alphabet) longer.push_back(text + c);
    }
    texts = std::move(longer);
  }
}

TEST(CsvFields, SplitAllSmallTextsAsTheAutomatonDoes) {
  for_each_text("a,\"\n\r ", 6, [](const std::string& text) {
    const Oracle oracle(text);
    const auto rows = rows_of(text);
    ASSERT_EQ(rows.has_value(), !oracle.bad) << testing::PrintToString(text);
    if (rows.has_value()) {
      ASSERT_EQ(*rows, oracle.rows) << testing::PrintToString(text);
    }
  });
}

TEST(CsvFields, WholeRowsEndWhereTheAutomatonSaysSo) {
  for_each_text("a,\"\n ", 7, [](const std::string& text) {
    const Oracle oracle(text);
    ASSERT_EQ(whole_rows({}, text), oracle.ends.empty() ? 0 : oracle.ends.back()) << testing::PrintToString(text);
  });
}

TEST(CsvFields, AByteIsFoundWhereItFirstIs) {
  for (const char wanted : {'"', '\0', '\x80', '\xff'}) {
    for (std::size_t length = 0; length < 70; ++length) {
      for (const char other : {'!', '\x01', '\x7f', '\xfe', '#'}) {
        std::string text(length, other);
        EXPECT_EQ(find_byte(text.data(), text.data() + length, wanted), text.data() + length);
        for (std::size_t at = length; at-- > 0;) {
          text[at] = wanted;  // and at every later position
          ASSERT_EQ(find_byte(text.data(), text.data() + length, wanted), text.data() + at) << length;
        }
      }
    }
  }
}

TEST(CsvFields, MeanWhatRfc4180Says) {
  const auto rows = rows_of("a,\"b \"\"c\"\",\n d\" ,  e f ,\r\n5\" pipe,,\"\",g\"h,\n");
  ASSERT_TRUE(rows.has_value());
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0], (Record{"a", "b \"c\",\n d", "e f", ""}));
  EXPECT_EQ((*rows)[1], (Record{"5\" pipe", "", "", "g\"h", ""}));
}

TEST(CsvFields, OfTsvMayHoldCommasAndBlanks) {
  const std::string text = "a, b\t c \t\n";
  const char* at = text.data();
  EXPECT_EQ(read_record({'\t'}, text, at), (Record{"a, b", "c", ""}));
}

TextError error_of(std::string_view text) {
  try {
    const char* end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) read_record({}, text, at);
  } catch (const TextError& error) {
    return error;
  }
  return {};
}

TEST(CsvFields, SayWhereAQuoteIsWrong) {
  TextError error = error_of("a,b\nc,\"d\ne,f\n");
  EXPECT_EQ(error.line, 1U);
  EXPECT_EQ(error.column, 3U);
  EXPECT_EQ(error.message, "a quote is opened here and never closed");
  error = error_of("\"a\nb\" x,1\n");
  EXPECT_EQ(error.line, 1U);
  EXPECT_EQ(error.column, 4U);
  EXPECT_EQ(error.message,
            "expected ',' or the end of the line after a closing quote, found 'x' (a quote within a quoted field is "
            "written twice)");
}

TEST(CsvFields, AreShownCutAndEscaped) {
  EXPECT_EQ(shown_field(""), "nothing");
  EXPECT_EQ(shown_field("a b"), "'a b'");
  EXPECT_EQ(shown_field("\x01\xff"), "'\\x01\\xff'");
  EXPECT_EQ(shown_field("Bodø"), "'Bodø'");
  EXPECT_EQ(shown_field(std::string(39, 'a') + "øx"), "'" + std::string(39, 'a') + "…'");
  EXPECT_EQ(shown_field(std::string(50, 'a')), "'" + std::string(40, 'a') + "…'");
}

}  // namespace
}  // namespace linsep::csv
