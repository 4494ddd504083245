"""Tables as people keep them: a broken cell, thousands and currency signs, names that repeat, row numbers, many columns."""

import json
import random
import time
import unittest

from program import CommandLineTest, slack

ROWS = 60_000  # well over the megabyte that is looked at


class Messy(CommandLineTest):
    def columns(self, *arguments):
        return {column["name"]: column for column in self.answer("columns", *arguments)["columns"]}

    def values(self, name, *options):
        """The features of each row, as the model that a short run makes reads them."""
        self.run_program("train", name, "--learner", "perceptron", "--passes", "1", "--scale", "none", "--quiet", "-o", "m.json",
                         *options)
        lines = self.words("encode", name, "-m", "m.json", "--short").splitlines()
        return [[float(entry.split(":")[1]) for entry in line.split()[1:]] for line in lines]


class OneBadCell(Messy):
    def table(self, at, cell, rows=ROWS):
        lines = [f"{i * 0.37:.2f},{'ab'[i % 2]},{'no' if i % 3 else 'yes'}" for i in range(rows)]
        lines[at] = f"{cell},a,no"
        return self.write("t.csv", "x,kind,churned\n" + "\n".join(lines) + "\n")

    def test_is_an_error_wherever_it_stands(self):
        for cell in ("#REF!", "inf"):
            for at in (4, ROWS - 5):
                with self.subTest(cell=cell, row=at):
                    message = self.complaint("train", self.table(at, cell), code=3)
                    self.assertRegex(message, rf"t.csv:{at + 2}:1: expected a (finite )?number in column 'x' \(as in [0-9,]+ .*\), found '{cell}'")
                    self.assertRegex(message, rf"use --missing-words '?{cell}'?, --category x or --ignore x")

    def test_is_an_error_in_a_table_of_numbers(self):
        lines = [f"{i},{i % 7},{i % 2}" for i in range(2, ROWS)]
        for at in (7, ROWS - 9):
            table = list(lines)
            table[at] = "#REF!,1,0"
            message = self.complaint("train", self.write("n.csv", "x,z,y\n" + "\n".join(table) + "\n"), code=3)
            self.assertIn(f"n.csv:{at + 2}:1: expected a number in column 'x'", message)
            self.assertIn("use --missing-words '#REF!', --category x or --ignore x", message)

    def test_is_read_by_the_option_that_the_error_names(self):
        name = self.table(4, "#REF!", rows=200)
        self.assertIn("1 missing", self.columns(name, "--missing-words", "#REF!")["x"]["detail"])
        self.assertEqual(self.columns(name, "--category", "x")["x"]["purpose"], "category")

    def test_all_odd_cells_are_named_at_once(self):
        rows = [f"{i},{i % 50}.5,2026-11-{i % 28 + 1:02},{'u' if i % 2 else 'v'}" for i in range(100)]
        rows[3], rows[50], rows[60] = "3,n.a.,2026-11-01,u", "50,#N/A,2026-11-02,v", "60,1.5,soon,v"
        message = self.complaint("columns", self.write("t.csv", "nr,x,day,y\n" + "\n".join(rows) + "\n"), code=3)
        self.assertIn("t.csv:5:3: expected a number in column 'x' (as in 98 of the first 100 values), found 'n.a.' (also line 52: "
                      "'#N/A'); use --missing-words 'n.a.,#N/A', --category x or --ignore x", message)
        self.assertIn("also expected a date such as 2026-11-15 in column 'day' (as in 99 of the first 100 values), found 'soon'", message)

    def test_numbers_that_come_later_make_the_first_words_odd(self):
        # In the first megabyte half of the fields are words; of all, one in fifty.
        rows = [f"{'few' if i % 2 else i},{'pad' * 20},{'no' if i % 3 else 'yes'}" for i in range(20_000)]
        rows += [f"{i},{'pad' * 20},{'no' if i % 3 else 'yes'}" for i in range(500_000)]
        message = self.complaint("train", self.write("t.csv", "x,kind,churned\n" + "\n".join(rows) + "\n"), code=3)
        self.assertIn("t.csv:3:1: expected a number in column 'x', found 'few'", message)

    def test_words_among_numbers_are_categories_as_before(self):
        rows = [f"{i % 5 if i % 4 else 'many'},{'no' if i % 3 else 'yes'}" for i in range(200)]
        self.assertEqual(self.columns(self.write("t.csv", "x,y\n" + "\n".join(rows) + "\n"))["x"]["purpose"], "category")

    def test_codes_are_categories_and_a_stray_zero_is_none(self):
        rows = [f"{i:05},{i if i != 8 else '008'},{'no' if i % 3 else 'yes'}" for i in range(2, 90)]
        found = self.columns(self.write("t.csv", "zip,x,y\n" + "\n".join(rows) + "\n"))
        self.assertEqual((found["zip"]["purpose"], found["x"]["purpose"]), ("category", "number"))


class Styles(Messy):
    """Numbers and dates as spreadsheets write them."""

    def one_column(self, fields, delimiter=";"):
        quoted = [f'"{field}"' if delimiter in field else field for field in fields]
        lines = [f"{field}{delimiter}{'u' if i % 2 else 'v'}" for i, field in enumerate(quoted)]
        return self.write("t.csv", f"x{delimiter}y\n" + "\n".join(lines) + "\n")

    def test_are_read_where_a_whole_column_agrees(self):
        for fields, numbers, style in (
            (["1,234.5", "12", "-3,456,789.25"], [1234.5, 12, -3456789.25], "1,234.5"),
            (["1.234,5", "12", "3.456.789,25"], [1234.5, 12, 3456789.25], "1.234,5"),
            (["1 234", "12", "3 456 789"], [1234, 12, 3456789], "1 234.5"),
            (["1\u202f234,5", "12", "3\u00a0456"], [1234.5, 12, 3456], "1 234,5"),
            (["1'234.5", "12", "3'456'789"], [1234.5, 12, 3456789], "1'234.5"),
            (["12.5%", "3 %", "-0.5%"], [12.5, 3, -0.5], "1234.5%"),
            (["$1,234.50", "-$12", "$3"], [1234.5, -12, 3], "$1,234.5"),
            (["1.234,50 €", "12 €", "-0,5€"], [1234.5, 12, -0.5], "1.234,5€"),
        ):
            for delimiter in ";,":
                with self.subTest(fields=fields, delimiter=delimiter):
                    name = self.one_column(fields, delimiter)
                    self.assertEqual([row[0] for row in self.values(name)], numbers)
                    found = self.columns(name)["x"]
                    self.assertEqual(found["purpose"], "number")
                    self.assertIn(f"; written as {style}", found["detail"])
                    self.assertIn(f"written as {style}", self.run_program("train", name, "-o", "n.json").stderr.decode())

    def test_are_kept_in_the_model(self):
        name = self.one_column(["1,234.5", "12", "3,456"], ",")
        self.values(name)
        self.assertEqual(json.loads(self.read("m.json"))["table"]["columns"][0]["format"], "1,234.5")
        self.write("new.csv", 'x\n"7,000"\n8\n')
        encoded = self.words("encode", "new.csv", "-m", "m.json", "--short")
        self.assertEqual([line.split(":")[1] for line in encoded.splitlines()], ["7000", "8"])
        self.write("new.csv", 'x\n"7,00"\n')
        self.assertIn("expected a number written as 1,234.5 in column 'x', found '7,00'",
                      self.complaint("predict", "new.csv", "-m", "m.json", code=3))

    def test_a_column_with_two_styles_is_an_error(self):
        fields = [f"{i}.5%" for i in range(40)] + ["12"]
        message = self.complaint("columns", self.one_column(fields), code=3)
        self.assertIn("expected a number written as 1234.5% in column 'x' (as in 40 of the first 41 values), found '12'", message)

    def test_what_can_be_read_in_two_ways_is_asked_for(self):
        for delimiter in ";,":
            name = self.one_column(["1,234", "5,678", "9,012"], delimiter)
            self.assertIn("'1,234' may be 1.234 or 1234: use --decimal , for a decimal comma, or --decimal . for thousands",
                          self.complaint("columns", name, code=3))
            self.assertEqual(self.values(name, "--decimal", "."), [[1234], [5678], [9012]])
            self.assertEqual(self.values(name, "--decimal", ","), [[1.234], [5.678], [9.012]])
        name = self.one_column(["03/04/2026", "05/06/2026"])
        self.assertIn("'03/04/2026' may be of the form %d/%m/%Y or %m/%d/%Y: use --date x:%d/%m/%Y, --date x:%m/%d/%Y or --category x",
                      self.complaint("columns", name, code=3))

    def test_dates_are_read_where_a_whole_column_agrees(self):
        for fields, form in (
            (["15.11.2026", "1.2.2026"], "%d.%m.%Y"),
            (["03.04.2026 17:03", "05.06.2026 09:00"], "%d.%m.%Y %H:%M"),
            (["15/11/2026", "03/04/2026"], "%d/%m/%Y"),
            (["11/15/2026", "03/04/2026"], "%m/%d/%Y"),
            (["2026/11/15", "2026/03/04"], "%Y/%m/%d"),
        ):
            with self.subTest(fields=fields):
                found = self.columns(self.one_column(fields))["x"]
                self.assertEqual((found["purpose"], found["format"]), ("date", form))
                self.assertIn(f"written as {form}", found["detail"])

    def test_proofs_are_about_the_numbers_and_both_checkers_agree(self):
        draw = random.Random(1)
        rows = [f'"${draw.randrange(10**7) / 100:,.2f}";{draw.randrange(999)},5 %;{draw.choice("ab")};{draw.choice("uv")}' for _ in range(40)]
        self.write("t.csv", "price;share;kind;y\n" + "\n".join(rows) + "\n")
        self.run_program("certify", "t.csv", "-o", "proof.json")
        self.assertIn("valid", self.words("verify", "proof.json", "t.csv"))
        leaves = self.words("leaves", "t.csv", "--proof", "proof.json")
        price = rows[0].split('"')[1].removeprefix("$").replace(",", "")
        share = rows[0].split(";")[1].removesuffix(" %").replace(",", ".")
        self.assertIn(f" 1:{price.rstrip('0').rstrip('.')} 2:{share} ".encode(), leaves.splitlines()[1].encode() + b" ")
        self.assertEqual(self.tool("encode_rows.py", "--leaves", "proof.json", "t.csv"), leaves)

    def tool(self, name, *arguments):
        import subprocess
        import sys
        from pathlib import Path

        tool = Path(__file__).resolve().parents[2] / "checker" / name
        return subprocess.run([sys.executable, "-B", tool, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout


class Names(Messy):
    def test_a_header_whose_names_repeat_is_one(self):
        name = self.write("t.csv", "city;city;churned\nRome;Oslo;no\nBern;Bonn;yes\nRome;Kyiv;no\nBern;Oslo;yes\n")
        found = self.columns(name)
        self.assertEqual({key: column["purpose"] for key, column in found.items()},
                         {"city": "category", "city.2": "category", "churned": "label"})
        self.assertEqual(found["city.2"]["reason"], "renamed: the header has 'city' more than once")
        self.run_program("train", name, "-o", "m.json", "--quiet")
        self.assertEqual(self.words("predict", name, "-m", "m.json").split(), ["no", "yes", "no", "yes"])
        self.assertNotIn("city.2", self.columns(name, "--ignore", "2").get("x", {}))
        self.assertEqual(self.columns(name, "--ignore", "2")["city.2"]["purpose"], "left out")

    def test_names_that_repeat_in_a_table_of_numbers_are_told_apart(self):
        name = self.write("t.csv", "x,x,x.2,y\n1,2,3,1\n4,5,7,0\n")
        self.assertEqual(list(self.columns(name)), ["x", "x.3", "x.2", "y"])
        self.run_program("train", name, "-o", "m.json", "--quiet")
        self.run_program("predict", name, "-m", "m.json")

    def test_a_label_whose_name_repeats_is_asked_for(self):
        name = self.write("t.csv", "y,a,y\nu,p,v\nv,q,u\nu,p,v\n")
        self.assertIn("more than one column is called y: give the label's number with --label", self.complaint("columns", name, code=2))
        self.assertEqual(self.columns(name, "--label", "3")["y.2"]["purpose"], "label")


class RowNumbers(Messy):
    def test_an_index_that_pandas_wrote_is_left_out(self):
        for head in ("", "Unnamed: 0"):
            name = self.write("t.csv", f"{head},a,y\n" + "".join(f"{i},{i % 3}.5,{i % 2}\n" for i in range(3, 30)))
            found = next(iter(self.columns(name).values()))
            self.assertEqual((found["purpose"], found["reason"]), ("left out", "row numbers; --number keeps them"))
            self.assertEqual(len(self.values(name)[3]), 1)
        self.assertEqual(self.columns(name, "--number", "1")["Unnamed: 0"]["purpose"], "number")

    def test_so_is_a_column_that_counts_a_hundred_rows(self):
        name = self.write("t.csv", "id,a,y\n" + "".join(f"{i + 1},{i % 3}.5,{i % 2}\n" for i in range(100)))
        self.assertEqual(self.columns(name)["id"]["purpose"], "left out")
        name = self.write("t.csv", "day,y\n" + "".join(f"{i + 1},{i % 2}\n" for i in range(100)))
        self.assertEqual(self.columns(name)["day"]["purpose"], "number")  # it is all there is


class Formats(Messy):
    def test_semicolons_and_bars_tell_a_table_whatever_its_name(self):
        for delimiter in ";|":
            name = self.write("t.txt", f"a{delimiter}b{delimiter}y\n1{delimiter}2{delimiter}no\n3{delimiter}1{delimiter}yes\n")
            self.assertEqual(list(self.columns(name)), ["a", "b", "y"])

    def test_missing_values_are_no_news_where_training_had_them(self):
        rows = [f"{'' if i % 4 == 0 else i},{i % 5},{'no' if i % 3 else 'yes'}" for i in range(400)]
        self.write("t.csv", "x,z,y\n" + "\n".join(rows) + "\n")
        self.run_program("train", "t.csv", "-o", "m.json", "--quiet")
        self.assertEqual(self.run_program("evaluate", "t.csv", "-m", "m.json").stderr, b"")
        self.write("t.csv", "x,z,y\n" + "\n".join(row if i % 2 else ",,no" for i, row in enumerate(rows)) + "\n")
        self.assertEqual(self.run_program("evaluate", "t.csv", "-m", "m.json").stderr.decode(),
                         "linsep: warning: column 'z' has missing values in 200 rows (50.0%), but had none in training.\n")


class ManyColumns(Messy):
    def seconds(self, columns, kind, *options):
        fields = {"numbers": ("3.5", "4"), "words": ("red", "blue")}[kind]
        lines = [",".join(f"c{j}" for j in range(columns)) + ",y"]
        lines += [",".join([field] * columns) + f",{label}" for field, label in zip(fields, ("no", "yes"))]
        self.write("wide.csv", "\n".join(lines) + "\n")
        began = time.monotonic()
        self.run_program("columns", "wide.csv", "--json", *options)
        return time.monotonic() - began

    def test_time_is_linear_in_columns(self):
        for kind in ("numbers", "words"):
            few, many = self.seconds(20_000, kind), self.seconds(200_000, kind)
            self.assertLess(many, 30 * slack() * max(few, 0.05), kind)


class ManyColumns(Messy):
    def test_train_shows_a_dozen_and_says_how_to_see_the_rest(self):
        names = [f"c{i}" for i in range(40)]
        rows = [",".join([*("ab"[(i * j + i // 3) % 2] for j in range(40)), "no" if i % 3 else "yes"]) for i in range(30)]
        self.write("wide.csv", ",".join([*names, "churned"]) + "\n" + "\n".join(rows) + "\n")
        run = self.run_program("train", "wide.csv", "-o", "m.json")
        shown = [line for line in run.stderr.decode().splitlines() if line.startswith("  ")]
        self.assertEqual(len(shown), 13, run.stderr)
        self.assertIn("churned", shown[0])
        self.assertIn("29 more", shown[-1])
        self.assertIn("`linsep columns wide.csv` shows every column", shown[-1])

    def test_a_label_that_cannot_be_one_names_the_option(self):
        rows = [f"{'no' if i % 2 else 'yes'},{i % 5},{i}.5" for i in range(30)]
        self.write("t.csv", "bought,x,amount\n" + "\n".join(rows) + "\n")
        self.assertIn("name its column with --label", self.complaint("train", "t.csv", code=3))


if __name__ == "__main__":
    unittest.main()
