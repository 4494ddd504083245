"""checker/encode_rows.py, which shares no code with linsep, encodes drawn tables as `linsep encode` does, digit by digit; and
the proofs about tables are checked with what it writes."""

import random
import subprocess
import sys
import unittest
from pathlib import Path

from program import CommandLineTest

ROOT = Path(__file__).resolve().parents[2]
CHECKER = ROOT / "checker"
sys.path[:0] = [str(CHECKER), str(ROOT / "tools")]
from encode_rows import UNICODE, seconds_of, words_of  # noqa: E402
from make_unicode_table import FILE, OWN, POINTS, SEPARATOR, class_of, lower_of, read_table  # noqa: E402
from xxh3 import xxh3  # noqa: E402

WORDS = ["free", "Prize", "NOW", "don't", "naïve", "STRASSE", "straße", "İstanbul", "ΣΑΣ", "中国", "カナ", "กข", "हिन्दी", "x_1", "😀",
         "½", "Ⅷ", "a\u0301", "\u212Aelvin", "the", "a", "—", "ſ", "Ǆ", "word" * 5, "w" * 20, "z" * 300]
VALUES = ["red", "Blue", " green ", 'say "hi"', "a,b", "a;b", "NA", "ü", "😀", "line\nbreak", ""]
OPTIONS = [
    [],
    ["--scale", "none", "--weighting", "counts", "--no-norm", "--words", "1-3"],
    ["--scale", "standard", "--chars", "2-4", "--min-count", "1", "--cross", "colour*place,size*colour,size*weight"],
    ["--bits", "10", "--signed", "--cross", "colour*place"],
    ["--bits", "12", "--weighting", "presence", "--min-count", "3", "--missing", "mean", "--scale", "max-abs"],
    ["--double", "--words", "2-2", "--missing-words", "unknown,-1", "--weighting", "tf"],
]


def quoted(field, delimiter):
    if isinstance(field, str):
        field = field.encode()
    if any(sign in field for sign in (b'"', b"\n", delimiter)) or field != field.strip():
        return b'"' + field.replace(b'"', b'""') + b'"'
    return field


def drawn_number(draw, comma):
    kind = draw.randrange(8)
    if kind == 0:
        return draw.choice(["", "NA", "nan", "?", "-", "None"])
    number = draw.choice(["0", "-0.0", f"{draw.gauss(0, 100):.3f}", str(draw.randrange(-50, 50)), f"{draw.random():.17g}",
                          "+2.50", "1e3", "1e-7"])
    return number.replace(".", ",") if comma else number


def drawn_date(draw, form):
    if draw.randrange(6) == 0:
        return draw.choice(["", "null"])
    year, month, day = draw.randrange(1890, 2080), draw.randrange(1, 13), draw.randrange(1, 29)
    if form != "iso":
        return f"{day}.{month}.{year}"
    return f"{year:04}-{month:02}-{day:02}" + draw.choice(["", f"T{draw.randrange(24):02}:30", " 23:59:59.75Z", " 00:00:00+02:00"])


def drawn_text(draw):
    text = draw.choice([" ", ", ", "\u3000"]).join(draw.choice(WORDS) for _ in range(draw.randrange(12))).encode()
    if draw.randrange(5) == 0:
        at = draw.randrange(len(text) + 1)
        text = text[:at] + draw.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe2\x82"]) + text[at:]
    return text


def drawn_table(draw, rows, delimiter, form):
    comma = delimiter != b","
    lines = [["label", "size", "colour", "when", "body", "place", "weight", "note"]]
    for _ in range(rows):
        size = "-1" if draw.randrange(9) == 0 else drawn_number(draw, comma)
        lines.append([draw.choice(["ham", "spam"]), size, draw.choice(VALUES), drawn_date(draw, form), drawn_text(draw),
                      draw.choice([f"p{draw.randrange(9)}", "\xe9".encode("latin-1"), ""]), drawn_number(draw, comma), "left out"])
    return b"".join(delimiter.join(quoted(field, delimiter) for field in line) + b"\n" for line in lines)


class EncodeRows(CommandLineTest):
    def tool(self, name, *arguments, stdin=None, code=0):
        done = subprocess.run([sys.executable, "-B", CHECKER / name, *arguments], cwd=self.folder, input=stdin,
                              capture_output=True)
        self.assertEqual(done.returncode, code, (done.stdout + done.stderr).decode())
        return done.stdout

    def test_encodes_drawn_tables_as_the_program_does(self):
        for seed, options in enumerate(OPTIONS):
            draw = random.Random(seed)
            delimiter, form = (b",", "iso") if seed % 2 == 0 else (b";", "%d.%m.%Y")
            for name, rows in (("train.csv", 60), ("new.csv", 40)):
                (self.folder / name).write_bytes(drawn_table(draw, rows, delimiter, form))
            self.run_program("train", "train.csv", "--label", "label", "--number", "size,weight", "--category",
                             "colour,place", "--text", "body", "--date", f"when:{form}", "--ignore", "note", "--learner",
                             "perceptron", "--passes", "1", "--quiet", "-o", "model.json", *options)
            for name in ("train.csv", "new.csv"):
                with self.subTest(options=options, table=name):
                    ours = self.run_program("encode", name, "-m", "model.json").stdout
                    theirs = self.tool("encode_rows.py", "--label", "label", "model.json", name)
                    for row, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
                        self.assertEqual(a, b, f"row {row}")
                    self.assertEqual(ours, theirs)

    def test_booleans_are_one_and_zero(self):
        draw = random.Random(9)
        lines = [f"{draw.choice(['true', 'False', 'TRUE', '', 'NA'])},{draw.random():.3f},{draw.choice(['ham', 'spam'])}" for _ in range(80)]
        self.write("data.csv", "flag,size,label\n" + "\n".join(lines) + "\n")
        for scale in ("none", "deviation"):
            self.run_program("train", "data.csv", "--scale", scale, "--quiet", "-o", "model.json")
            ours = self.run_program("encode", "data.csv", "-m", "model.json").stdout
            self.assertEqual(ours, self.tool("encode_rows.py", "--label", "label", "model.json", "data.csv"))
        self.run_program("certify", "data.csv", "-o", "proof.json")
        self.assertIn("valid", self.words("verify", "proof.json", "data.csv"))
        leaves = self.tool("encode_rows.py", "--leaves", "proof.json", "data.csv")
        self.assertEqual(leaves, self.run_program("leaves", "data.csv", "--proof", "proof.json").stdout)

    def test_makes_the_leaves_of_a_proof_about_a_table(self):
        draw = random.Random(7)
        (self.folder / "data.csv").write_bytes(drawn_table(draw, 60, b",", "iso"))
        told = ["--label", "label", "--number", "size,weight", "--category", "colour,place", "--text", "body", "--ignore", "note"]
        self.run_program("certify", "data.csv", *told, "-o", "proof.json")
        self.assertIn("valid", self.words("verify", "proof.json", "data.csv", *told))
        self.assertIn("valid", self.words("verify", "proof.json", "data.csv", "--as-encoded"))
        leaves = self.tool("encode_rows.py", "--leaves", "proof.json", "data.csv")
        self.assertEqual(leaves, self.run_program("leaves", "data.csv", "--proof", "proof.json").stdout)
        self.assertIn(b"valid", self.tool("verify_certificate.py", "proof.json", "-", "--as-encoded", stdin=leaves))
        # Another vocabulary means other features.
        proof = (self.folder / "proof.json").read_text(encoding="utf-8")
        self.assertIn('\\"free\\"', proof)
        (self.folder / "other.json").write_text(proof.replace('\\"free\\"', '\\"fees\\"'), encoding="utf-8")
        self.assertIn("not valid", self.words("verify", "other.json", "data.csv", "--as-encoded", code=1))
        self.tool("verify_certificate.py", "other.json", "-", "--as-encoded", stdin=leaves, code=1)


class Rules(unittest.TestCase):
    def test_its_version_of_unicode_is_that_of_the_program(self):
        self.assertEqual(UNICODE, read_table(FILE.read_text(encoding="ascii"))[0])

    def test_its_words_are_those_of_the_program_at_every_code_point(self):
        for point in range(POINTS):
            if 0xD800 <= point < 0xE000:
                continue  # in no text
            kind, sign = class_of(point), chr(point)
            expected = ["a", "b"] if kind == SEPARATOR else ["a", sign, "b"] if kind == OWN else [f"a{chr(lower_of(point))}b"]
            self.assertEqual(words_of(f"a{sign}b".encode()), expected, hex(point))

    def test_words_are_runs_of_letters_marks_numbers_and_underscores(self):
        self.assertEqual(words_of("Free PRIZE_2, don't İ ΣΑΣ ab中国 हिन्दी".encode() + b" a\xffz"),
                         ["free", "prize_2", "don", "t", "i", "σασ", "ab", "中", "国", "हिन्दी", "a", "z"])

    def test_dates_are_days_of_the_calendar(self):
        self.assertEqual(seconds_of("1970-01-02T00:01", "iso"), 86460)
        self.assertEqual(seconds_of("1969-12-31 23:59:59.9Z", "iso"), -1)
        self.assertEqual(seconds_of("3.Feb 70", "%d.%b %y"), 33 * 86400)
        for wrong in ("2025-02-29", "2025-1-1", "2025-01-01T24:00", "2025-01-01T10:00+24:00", "x"):
            self.assertIsNone(seconds_of(wrong, "iso"), wrong)

    def test_keys_are_those_of_xxh3(self):
        self.assertEqual(xxh3(b""), 0x2D06800538D394C2)


if __name__ == "__main__":
    unittest.main()
