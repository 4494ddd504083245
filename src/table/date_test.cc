#include "table/date.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

std::int64_t iso(std::string_view field) { return parse_date(field, "iso").value_or(-1); }

TEST(Date, IsoIsADayAndPerhapsATime) {
  EXPECT_EQ(iso("1970-01-01"), 0);
  EXPECT_EQ(iso("1970-01-02"), 86400);
  EXPECT_EQ(iso("2026-11-15"), 1794700800);
  for (const char* same : {"2026-11-15T17:03", "2026-11-15 17:03", "2026-11-15 17:03:00", "2026-11-15 17:03:00.999",
                           "2026-11-15T17:03Z", "2026-11-15T17:03:00+05:30", "2026-11-15 17:03-08:00"}) {
    EXPECT_EQ(iso(same), 1794700800 + 17 * 3600 + 3 * 60) << same;
  }
  EXPECT_EQ(iso("1969-12-31 23:59:59"), -1);
  EXPECT_EQ(parse_date("1969-12-31 23:59:59", "iso"), -1);
}

TEST(Date, WhatIsNoDateIsNone) {
  for (const char* field : {"",
                            "2026",
                            "2026-11",
                            "2026-11-1",
                            "2026-13-01",
                            "2026-00-01",
                            "2026-02-29",
                            "2026-11-31",
                            "26-11-15",
                            "2026-11-15T",
                            "2026-11-15 17",
                            "2026-11-15 24:00",
                            "2026-11-15 17:60",
                            "2026-11-15 17:03:60",
                            "2026-11-15 17:03:00.",
                            "2026-11-15 17:03 Z",
                            "2026-11-15Z",
                            "2026-11-15 17:03+5:30",
                            "2026-11-15x",
                            " 2026-11-15",
                            "2026/11/15"}) {
    EXPECT_FALSE(parse_date(field, "iso")) << field;
  }
  EXPECT_TRUE(parse_date("2024-02-29", "iso"));
}

TEST(Date, FormatsAreStrptimes) {
  EXPECT_EQ(parse_date("15.11.2026", "%d.%m.%Y"), iso("2026-11-15"));
  EXPECT_EQ(parse_date("5.1.2026", "%d.%m.%Y"), iso("2026-01-05"));
  EXPECT_EQ(parse_date("15 nov 68", "%d %b %y"), iso("2068-11-15"));
  EXPECT_EQ(parse_date("15 NOV 69", "%d %b %y"), iso("1969-11-15"));
  EXPECT_EQ(parse_date("11/15/2026 17:03:59", "%m/%d/%Y %H:%M:%S"), iso("2026-11-15 17:03:59"));
  EXPECT_EQ(parse_date("2026-11", "%Y-%m"), iso("2026-11-01"));
  EXPECT_FALSE(parse_date("15.11.2026 ", "%d.%m.%Y"));
  EXPECT_FALSE(parse_date("15.11.26", "%d.%m.%Y"));
  EXPECT_FALSE(parse_date("15 Noy 68", "%d %b %y"));
  EXPECT_FALSE(parse_date("31.11.2026", "%d.%m.%Y"));
}

TEST(Date, AFormatHasAYearAndNoPartTwice) {
  for (const char* good : {"iso", "%d.%m.%Y", "%y%m%d", "on %d %b %Y at %H:%M:%S"}) {
    EXPECT_EQ(problem_of_date_format(good), "") << good;
  }
  EXPECT_EQ(problem_of_date_format("%d.%m."), "it has no year: %Y or %y");
  EXPECT_EQ(problem_of_date_format("%Y %y"), "it has a part twice");
  for (const char* bad : {"%Y %", "%Y %j", "%Y %%"}) {
    EXPECT_EQ(problem_of_date_format(bad), "it can have only %Y %m %d %H %M %S %y %b and plain characters") << bad;
  }
}

TEST(Date, PartsAreThoseOfTheCalendar) {
  const DateParts sunday = parts_of(iso("2026-11-15 18:00"));
  EXPECT_EQ(sunday.days, 20772.75);
  EXPECT_EQ(sunday.weekday, 6);
  EXPECT_EQ(sunday.month, 10);
  EXPECT_EQ(sunday.hour, 18);
  const DateParts before = parts_of(-1);
  EXPECT_EQ(before.weekday, 2);
  EXPECT_EQ(before.month, 11);
  EXPECT_EQ(before.hour, 23);
}

/// Checks every day of 400 years, counted one by one.
TEST(Date, EveryDayFollowsTheOneBefore) {
  std::int64_t seconds = iso("1900-01-01");
  int weekday = parts_of(seconds).weekday;
  for (int year = 1900; year < 2300; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    for (int month = 1; month <= 12; ++month) {
      const int days = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
      for (int day = 1; day <= days; ++day) {
        char field[48];
        std::snprintf(field, sizeof field, "%04d-%02d-%02d", year, month, day);
        ASSERT_EQ(iso(field), seconds) << field;
        const DateParts parts = parts_of(seconds);
        ASSERT_EQ(parts.month, month - 1);
        ASSERT_EQ(parts.weekday, weekday);
        seconds += 86400;
        weekday = (weekday + 1) % 7;
      }
    }
  }
}

}  // namespace
}  // namespace linsep
