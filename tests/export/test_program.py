"""Tables drawn, trained on, exported and predicted by the program; the exports are run by their engines.

Rows to predict have holes, values that training never saw, quotes, emoji, empty texts; every other one is pushed to the
boundary by one number's last float digits.
"""

import csv
import datetime
import importlib.util
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

import engines

PROGRAM = os.path.abspath(os.environ["LINSEP"])
ULPS = 8
COLUMNS = [{"name": "size", "kind": "number", "size": 1}, {"name": "price €", "kind": "number", "size": 1},
           {"name": "sender", "kind": "category", "size": 1}, {"name": "when", "kind": "date", "size": 1},
           {"name": "body", "kind": "text", "size": 1}]
SENDERS = ["bob", "o'hara", 'say "hi"', "anna@b.c", "😀", "naïve", "a;b", "Bob"]
WORDS = ["free", "PRIZE", "don't", "call", "ΣΊΣΥΦΟΣ", "😀", "東京都", "straße", "İstanbul", "now", "you", "100%", '"win"']


def draw_row(dice, unseen):
    """The fields of a row as text; "" is a hole."""
    senders = SENDERS + (["never seen", "x'); --"] if unseen else [])
    words = WORDS + (["unseen", "कमल"] if unseen else [])
    time = datetime.datetime(2020, 1, 1) + datetime.timedelta(minutes=dice.randrange(3_000_000))
    return ["" if dice.random() < 0.1 else f"{dice.uniform(-3, 9):.3f}", f"{dice.expovariate(0.1):.2f}",
            "" if dice.random() < 0.1 else dice.choice(senders), "" if dice.random() < 0.1 else time.isoformat(),
            "" if dice.random() < 0.1 else " ".join(dice.choice(words) for _ in range(dice.randrange(1, 12)))]


def label_of(dice, row):
    spam = float(row[0] or 3) / 3 + ("free" in row[4]) + ("PRIZE" in row[4]) - ("you" in row[4]) - (row[2] == "bob")
    return "spam" if spam + dice.gauss(0, 0.5) > 1.2 else "ham"


def as_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        dice = random.Random(7)
        rows = [draw_row(dice, False) for _ in range(400)]
        cls.write("train.csv", [[*row, label_of(dice, row)] for row in rows], label=True)
        cls.run_program("train", "train.csv", "--text", "body", "--category", "sender", "--date", "when", "--learner",
                        "margin", "--loss", "logistic", "--quiet", "-o", "mail.model")
        cls.rows = [draw_row(dice, True) for _ in range(200)]
        cls.push_to_boundary()
        cls.write("new.csv", cls.rows)
        cls.answers = cls.predictions()
        cls.fields = [cls.fields_of(row) for row in cls.rows]

    @classmethod
    def run_program(cls, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=cls.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"linsep {arguments}: {done.stderr.decode()}")
        return done.stdout.decode()

    @classmethod
    def write(cls, name, rows, label=False):
        with open(cls.folder / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([column["name"] for column in COLUMNS] + (["label"] if label else []))
            writer.writerows(rows)

    @classmethod
    def scores(cls, rows):
        cls.write("pushed.csv", rows)
        lines = cls.run_program("predict", "pushed.csv", "-m", "mail.model", "--scores").splitlines()
        return [float(line.split("\t")[1]) for line in lines]

    @classmethod
    def push_to_boundary(cls):
        """The price of every other row, so that its score is about 0, and then a few floats further."""
        for _ in range(3):
            z = cls.scores(cls.rows)
            moved = cls.scores([[row[0], repr(float(row[1]) + 1), *row[2:]] for row in cls.rows])
            for i in range(0, len(cls.rows), 2):
                x = as_float(float(cls.rows[i][1]) - z[i] / (moved[i] - z[i]))
                cls.rows[i][1] = repr(x * (1 + (i // 2 % 5 - 2) * 2.0 ** -23))

    @classmethod
    def predictions(cls):
        """Label, score and probability of each new row, and Σ|θφ| + |θ0|."""
        model = json.loads(cls.run_program("export", "mail.model", "--format", "json"))
        encoded = cls.run_program("encode", "new.csv", "-m", "mail.model", "--short").splitlines()
        told = cls.run_program("predict", "new.csv", "-m", "mail.model", "--scores", "--probabilities").splitlines()
        answers = []
        for row, line in zip(encoded, told, strict=True):
            entries = [entry.split(":") for entry in row.split()[1:]]
            size = sum(abs(model["theta"][int(j) - 1] * float(value)) for j, value in entries) + abs(model["offset"])
            label, z, p = line.split("\t")
            answers.append({"label": label, "score": float(z), "probability": float(p), "size": size})
        return answers

    @staticmethod
    def fields_of(row):
        """As the engines take them."""
        time = (datetime.datetime.fromisoformat(row[3]) - datetime.datetime(1970, 1, 1)).total_seconds() if row[3] else None
        return [float(row[0]) if row[0] else None, float(row[1]), row[2].encode() or None, time, row[4].encode() or None]

    def export(self, name, *options):
        self.run_program("export", "mail.model", "-o", name, *options)
        return self.folder / name

    def compare(self, language, found, bound):
        near, greatest = 0, 0.0
        found = list(found)
        self.assertEqual(len(found), len(self.answers))
        for i, (one, true) in enumerate(zip(found, self.answers)):
            where = f"{language}, row {i} {self.rows[i]}: {one} should be {true}"
            error = abs(one["score"][0] - true["score"]) / math.ulp(true["size"])
            greatest = max(greatest, error)
            self.assertLessEqual(error, bound, where)
            if abs(true["score"]) > ULPS * math.ulp(true["size"]):
                self.assertEqual(one["label"], [true["label"]], where)
            else:
                near += 1
            self.assertAlmostEqual(one["probability"][0], true["probability"], delta=1e-12, msg=where)
        print(f"{language}: {len(found)} rows, labels equal but for {near} too near to call, scores within {greatest:.2g} "
              "ulp of the sum", file=sys.stderr)

    def test_c_gives_the_same_bits(self):
        self.export("model.c", "--name", "m")
        self.compare("c", engines.run_c(self.folder, COLUMNS, self.fields, (1, 1, 1)), 0)

    @unittest.skipUnless(importlib.util.find_spec("onnxruntime"), "onnxruntime isn't installed")
    def test_onnx_gives_the_same_labels(self):
        self.compare("onnx", engines.run_onnx(self.export("mail.onnx"), COLUMNS, self.fields), ULPS)

    @unittest.skipUnless(importlib.util.find_spec("onnxruntime"), "onnxruntime isn't installed")
    def test_onnx_in_floats_gives_scores_of_seven_digits(self):
        import numpy
        import onnxruntime

        dice = random.Random(7)
        for classes in ("ab", "abc"):
            rows = [[dice.gauss(50, 9), dice.gauss(0, 0.1), dice.gauss(-3, 1)] for _ in range(400)]
            lines = [f"{x!r},{y!r},{z!r},{classes[min(len(classes) - 1, int(abs(x - 50) > 6) + int(z > -2))]}\n" for x, y, z in rows]
            (self.folder / "numbers.csv").write_text("x,y,z,label\n" + "".join(lines))
            self.run_program("train", "numbers.csv", "--scale", "standard", "--learner", "logistic", "--quiet", "-o", "numbers.model")
            self.run_program("export", "numbers.model", "-o", "numbers.onnx", "--float")
            session = onnxruntime.InferenceSession(str(self.folder / "numbers.onnx"), providers=["CPUExecutionProvider"])
            label, score = session.run(["label", "score"], {"x": numpy.array(rows, dtype=numpy.float32)})
            told = [line.split("\t") for line in
                    self.run_program("predict", "numbers.csv", "-m", "numbers.model", "--scores").splitlines()]
            expected = numpy.array([[float(z) for z in one[1:]] for one in told])
            numpy.testing.assert_allclose(score.reshape(len(rows), -1), expected, atol=2e-4)
            clear = [i for i, z in enumerate(numpy.sort(expected, axis=1)) if (abs(z[0]) if len(z) == 1 else z[-1] - z[-2]) > 1e-3]
            self.assertGreater(len(clear), 350)
            self.assertEqual([label[i] for i in clear], [told[i][0] for i in clear])
        self.assertIn("--float needs numbers without missing values: column 'size'",
                      self.refusal("export", "mail.model", "-o", "mail.onnx", "--float"))

    @unittest.skipUnless(importlib.util.find_spec("duckdb"), "duckdb isn't installed")
    def test_duckdb_gives_the_same_labels(self):
        query = self.export("mail.sql", "--dialect", "duckdb").read_text(encoding="utf-8")
        self.compare("duckdb", engines.run_duckdb(query, COLUMNS, self.fields), ULPS)

    def table_of(self, name, names, rows=6):
        """A table of numbers with columns of these names, and its model."""
        lines = [",".join([*(f'"{one}"' for one in names), "label"])]
        lines += [",".join([*(str((7 * i + k) % 5) for k in range(len(names))), "ab"[i % 2]]) for i in range(rows)]
        (self.folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        self.run_program("train", f"{name}.csv", "--label", "label", "--learner", "basic", "--quiet", "-o", f"{name}.model")
        fields = [[float((7 * i + k) % 5) for k in range(len(names))] for i in range(rows)]
        predicted = self.run_program("predict", f"{name}.csv", "-m", f"{name}.model", "--scores").splitlines()
        return fields, [float(line.split("\t")[1]) for line in predicted]

    def test_columns_may_be_called_like_macros_and_keywords(self):
        headers = ("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp stdarg stdbool stddef "
                   "stdint stdio stdlib string tgmath time wchar wctype").split()
        includes = "".join(f"#include <{header}.h>\n" for header in headers)
        macros = subprocess.run(["gcc", "-dM", "-E", "-x", "c", "-"], input=includes.encode(), check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        names = {line.split()[1] for line in macros.splitlines() if "(" not in line.split()[1]}
        names = {name for name in names if not name.startswith(("PRI", "SCN", "linux", "_"))}
        names |= set("NULL null int class new default typeof bool true linux unix m_NONE m_THREAD m_DECLARED long and".split())
        names = sorted(names)
        self.assertGreater(len(names), 300)
        fields, scores = self.table_of("macros", names)
        self.run_program("export", "macros.model", "-o", "macros.c", "--name", "m")
        (self.folder / "model.c").write_text(includes + (self.folder / "macros.c").read_text())
        columns = [{"name": name, "kind": "number", "size": 1} for name in names]
        for flags in (["-std=c99"], ["-std=gnu17"], ["-std=c2x"]):
            found = engines.run_c(self.folder, columns, fields, (1, 1, 0), flags)
            self.assertEqual([one["score"][0] for one in found], scores, flags)

    @unittest.skipUnless(importlib.util.find_spec("onnxruntime"), "onnxruntime isn't installed")
    def test_onnx_columns_may_be_called_like_its_outputs(self):
        names = ["score", "label_out", "probability", "NULL", "0", "v1", "x"]
        fields, scores = self.table_of("odd", names)
        self.run_program("export", "odd.model", "-o", "odd.onnx")
        columns = [{"name": name, "kind": "number", "size": 1} for name in names]
        found = engines.run_onnx(self.folder / "odd.onnx", columns, fields)
        for one, true in zip(found, scores, strict=True):
            self.assertAlmostEqual(one["score"][0], true)

    def sql_engines(self):
        """Each dialect with what runs a query over a table."""
        if importlib.util.find_spec("duckdb"):
            yield "duckdb", engines.run_duckdb
        try:
            server = engines.PostgreSql()
        except FileNotFoundError:
            return
        self.addCleanup(server.stop)
        yield "postgresql", server.query

    def test_sql_columns_may_be_called_like_keywords_and_answers(self):
        names = ["select", "NULL", "t", "s", "n", "z0", "order by", "score"]
        fields, scores = self.table_of("words", names)
        columns = [{"name": name, "kind": "number", "size": 1} for name in names]
        for dialect, run in self.sql_engines():
            self.run_program("export", "words.model", "-o", "words.sql", "--dialect", dialect)
            found = run((self.folder / "words.sql").read_text().replace('"score_out"', '"score "'), columns, fields)
            for one, true in zip(found, scores, strict=True):
                self.assertAlmostEqual(one["score"][0], true, msg=dialect)

    def test_sql_takes_the_words_that_predict_takes(self):
        dice = random.Random(3)
        rows = [[f"{dice.uniform(0, 9):.1f}".replace(".", ","), "-999" if i % 7 == 0 else str(dice.randrange(50)),
                 f"{1 + i % 28:02}.{1 + i % 12:02}.2024", f"2024-{1 + i % 12:02}-{1 + i % 28:02}T10:30:00+02:00", "ab"[dice.random() < 0.5]]
                for i in range(200)]
        new = [["NA", "12", "03.04.2024", "2024-05-06T23:59:59Z"], ["1,5", "n/a", "?", "null"], [" 2,25 ", "-999", "31.12.2023", "2024-01-01"],
               ["", "-", "", "NaN"], ["-3e-1", "+7", "01.01.2025", "2025-01-01 12:00"]]
        names = ["size", "count", "day", "seen"]
        for file, lines, header in (("raw.csv", rows, [*names, "label"]), ("raw_new.csv", new, names)):
            with open(self.folder / file, "w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, delimiter=";", lineterminator="\n")
                writer.writerows([header, *lines])
        self.run_program("train", "raw.csv", "--delimiter", ";", "--label", "label", "--decimal", ",", "--missing-words", "-999",
                         "--date", "day:%d.%m.%Y,seen", "--learner", "logistic", "--quiet", "-o", "raw.model")
        told = self.run_program("predict", "raw_new.csv", "--delimiter", ";", "-m", "raw.model", "--scores").splitlines()
        columns = [{"name": name, "kind": "text", "size": 1} for name in names]
        fields = [[field.encode() for field in row] for row in new]
        for dialect, run in self.sql_engines():
            query = self.export_of("raw.model", "raw.sql", "--dialect", dialect).read_text()
            for one, line in zip(run(query, columns, fields), told, strict=True):
                label, z = line.split("\t")
                self.assertEqual(one["label"], [label], dialect)
                self.assertAlmostEqual(one["score"][0], float(z), delta=1e-9, msg=dialect)
            # What predict refuses has no score, and the rows beside it have theirs.
            for word in ("abc", "1.500", "inf", "1,2,3"):
                found = run(query, columns, [fields[0], [word.encode(), *fields[0][1:]]])
                self.assertEqual([math.isnan(one["score"][0]) for one in found], [False, True], (dialect, word))

    def test_sql_reads_times_alike_in_every_session(self):
        times = [datetime.datetime(2020, 3, 28, 22, 30) + datetime.timedelta(minutes=30 * k) for k in range(96)]  # hours that Oslo skips
        with open(self.folder / "times.csv", "w", encoding="utf-8") as file:
            file.write("when,day,label\n" + "".join(f"{t.isoformat()},{t:%d.%m.%Y %H:%M},{'ab'[t.hour % 3 == 0]}\n" for t in times))
        self.run_program("train", "times.csv", "--date", "when,day:%d.%m.%Y %H:%M", "--loss", "logistic", "--quiet", "-o", "times.model")
        told = [line.split("\t") for line in self.run_program("predict", "times.csv", "-m", "times.model", "--scores").splitlines()]
        self.assertEqual({label for label, _ in told}, {"a", "b"})
        written = [f"{t:%d.%m.%Y %H:%M}".encode() for t in times]
        ways = {
            "text": [f"{t.isoformat()}+02:00".encode() for t in times],
            "date": [(t - datetime.datetime(1970, 1, 1)).total_seconds() for t in times],
            "moment": [f"{t.isoformat(sep=' ')}+00" for t in times],
        }
        for dialect, run in self.sql_engines():
            query = self.export_of("times.model", "times.sql", "--dialect", dialect).read_text()
            self.assertIn("AT TIME ZONE 'UTC'", query)
            for zone in ("UTC", "Europe/Oslo", "America/New_York"):
                for kind, fields in ways.items():
                    columns = [{"name": "when", "kind": kind, "size": 1}, {"name": "day", "kind": "text", "size": 1}]
                    asked = query
                    if kind == "moment" and dialect == "duckdb":  # whose module needs another one to hand moments out
                        asked = f'SELECT * REPLACE (CAST("when" AS VARCHAR) AS "when") FROM ({query.strip().rstrip(";")})'
                    found = run(f"SET TimeZone = '{zone}';\n{asked}", columns, list(zip(fields, written)))
                    self.assertEqual([one["label"] for one in found], [[label] for label, _ in told], (dialect, zone, kind))
                    for one, (_, z) in zip(found, told, strict=True):
                        self.assertAlmostEqual(one["score"][0], float(z), delta=1e-9, msg=(dialect, zone, kind))

    def test_c_compiles_whatever_parts_of_dates_a_model_has(self):
        for name, times in (("days", "2020-01-{:02d}"), ("hours", "2020-01-{:02d} {:02d}:30")):
            lines = "".join(f"{times.format(1 + k % 28, k % 24)},{'ab'[k % 5 == 0]}\n" for k in range(60))
            (self.folder / f"{name}.csv").write_text(f"when,label\n{lines}")
            self.run_program("train", f"{name}.csv", "--date", "when", "--loss", "logistic", "--quiet", "-o", f"{name}.model")
            told = [line.split("\t") for line in self.run_program("predict", f"{name}.csv", "-m", f"{name}.model", "--scores").splitlines()]
            self.run_program("export", f"{name}.model", "-o", "model.c", "--name", "m")
            self.assertEqual(" m_hour(" in (self.folder / "model.c").read_text(), name == "hours")
            fields = [[(datetime.datetime.fromisoformat(line.split(",")[0]) - datetime.datetime(1970, 1, 1)).total_seconds()] for line in lines.splitlines()]
            found = engines.run_c(self.folder, [{"name": "when", "kind": "date", "size": 1}], fields, (1, 1, 0))
            self.assertEqual([one["label"] for one in found], [[label] for label, _ in told])

    def export_of(self, model, name, *options):
        self.run_program("export", model, "-o", name, *options)
        return self.folder / name

    def refusal(self, *arguments):
        with self.assertRaises(RuntimeError) as caught:
            self.run_program(*arguments)
        return str(caught.exception)

    def test_what_a_language_cannot_say_is_refused_by_column(self):
        self.assertIn("column 'body' is text; export for DuckDB",
                      self.refusal("export", "mail.model", "-o", "mail.sql", "--dialect", "postgresql"))
        self.run_program("train", "train.csv", "--text", "body", "--ignore", "sender,when", "--bits", "12", "--quiet",
                         "-o", "hashed.model")
        self.assertIn("column 'body' is hashed; train without --bits",
                      self.refusal("export", "hashed.model", "-o", "mail.onnx"))
        self.run_program("train", "train.csv", "--text", "body", "--ignore", "sender,when", "--chars", "2-3", "--words",
                         "1-1", "--quiet", "-o", "characters.model")
        self.assertIn("train without --chars", self.refusal("export", "characters.model", "-o", "mail.onnx"))
        self.assertIn("--dialect duckdb or --dialect postgresql", self.refusal("export", "mail.model", "-o", "mail.sql"))
        self.assertIn("which language?", self.refusal("export", "mail.model", "-o", "mail"))


if __name__ == "__main__":
    unittest.main()
