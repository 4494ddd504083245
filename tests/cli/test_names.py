"""Names from files, shown on a terminal: none of them can colour it, move its cursor, add lines or turn text around."""

import json
import re
import unittest

from program import CommandLineTest

# ESC, a newline with what might follow it, BEL, the marks of direction, a one-character CSI, and what stays readable.
HOSTILE = "é漢θ\x1b[31m\n  fake: valid\a\u202e\u2066\u200f\u009b31m"
SHOWN = "é漢θ\\x1b[31m\\n  fake: valid\\x07\\u202e\\u2066\\u200f\\u009b31m"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


class Names(CommandLineTest):
    def write(self, name, text):
        (self.folder / name).write_text(text, newline="", encoding="utf-8", errors="surrogateescape")
        return name

    def harmless(self, text, *expected):
        self.assertIsNone(OBEYED.search(text), repr(text))
        self.assertFalse(any(line.lstrip().startswith("fake") for line in text.splitlines()), text)
        for words in expected:
            self.assertIn(words, text)

    def table(self, name="rows.csv", header="x", extra="z", label="yes", other="no", id="ann"):
        """A CSV file whose names and words are those given; the classes overlap."""
        quote = lambda text: '"' + text.replace('"', '""') + '"'
        rows = [("1", "2", other, id), ("2", "1", label, id), ("3", "2", other, id), ("2", "5", label, id)]
        lines = [",".join(map(quote, (header, extra, "y", "who")))] + [",".join(map(quote, row)) for row in rows]
        return self.write(name, "\n".join(lines) + "\n")

    def test_certify_shows_features_classes_and_ids(self):
        self.table(header=HOSTILE, label=HOSTILE, id=HOSTILE)
        self.harmless(self.words("certify", "rows.csv", "--label", "y", "--id", "who", "--mistakes"), SHOWN)
        self.harmless(self.words("certify", "rows.csv", "--label", "y", "--id", "who", "--maps"), SHOWN)

    def test_file_names(self):
        name = self.table(HOSTILE + ".csv")
        options = ("--label", "y", "--id", "who")
        self.harmless(self.words("certify", name, *options, "-o", HOSTILE + ".json"), SHOWN + ".csv", "linsep verify $'")
        self.harmless(self.words("train", name, *options, "-o", HOSTILE + ".model"), SHOWN + ".model")
        self.harmless(self.words("convert", name, *options, "-o", HOSTILE + ".lsp"), SHOWN + ".lsp")
        self.harmless(self.complaint("train", HOSTILE + ".svm", code=3), SHOWN + ".svm")
        self.harmless(self.complaint("inspect", HOSTILE, code=3), SHOWN)
        self.harmless(self.complaint("verify", HOSTILE, code=3), SHOWN)

    def test_train_inspect_and_evaluate_show_features_and_classes(self):
        self.table(header=HOSTILE, label=HOSTILE)
        options = ("--label", "y", "--ignore", "who")
        self.harmless(self.words("train", "rows.csv", *options, "-o", "m.json"), SHOWN)
        self.harmless(self.words("train", "rows.csv", *options, "--learner", "margin", "--loss", "logistic"), SHOWN)
        self.harmless(self.words("inspect", "m.json"), SHOWN)
        self.harmless(self.words("evaluate", "rows.csv", *options, "-m", "m.json"), SHOWN)

    def test_several_classes_and_label_columns(self):
        self.write("many.svm", "a\u202eb 1:1\nb\u202e 1:2\nc\u009b 1:3\n" * 3)
        self.harmless(self.words("train", "many.svm", "--learner", "basic", "-o", "many.json"), "a\\u202eb", "c\\u009b")
        self.harmless(self.words("inspect", "many.json"), "a\\u202eb")
        self.harmless(self.words("evaluate", "many.svm", "-m", "many.json"), "a\\u202eb")
        self.table(header="x", extra=HOSTILE, label="1", other="0")
        self.write("labels.csv", f'x,"{HOSTILE}",k\n1,0,1\n2,1,0\n3,1,1\n4,0,0\n')
        self.words("train", "labels.csv", "--labels", "2,3", "--learner", "basic", "-o", "labels.json")
        self.harmless(self.words("inspect", "labels.json"), SHOWN)
        self.harmless(self.words("evaluate", "labels.csv", "-m", "labels.json"), SHOWN)

    def test_errors_that_quote_names_and_words(self):
        self.table(header=HOSTILE, label=HOSTILE)
        self.harmless(self.complaint("train", "rows.csv", "--label", "nowhere", code=2), SHOWN)  # lists the columns
        self.harmless(self.complaint("train", "rows.csv", "--ignore", "who", "--label", "y", "--positive", "x", code=2), SHOWN)
        self.harmless(self.complaint("train", "rows.csv", "--label", HOSTILE, "--number", "who", code=3))
        self.write("word.csv", f'"{HOSTILE}",y\n1,0\n"{HOSTILE}",1\n')
        self.harmless(self.complaint("train", "word.csv", "--number", "1", code=3), "--ignore 1")
        self.write("third.csv", f'x,y\n1,a\n2,b\n3,"{HOSTILE}"\n')
        self.harmless(self.complaint("train", "third.csv", "--learner", "dual", code=3), SHOWN)
        self.table(header=HOSTILE)
        self.words("train", "rows.csv", "--label", "y", "--ignore", "who", "-o", "m.json")
        self.table("other.csv", header="x")
        self.harmless(self.complaint("evaluate", "other.csv", "--label", "y", "--ignore", "who", "-m", "m.json", code=3), SHOWN)

    def test_a_column_name_that_a_shell_would_run_is_given_by_number(self):
        self.write("quote.csv", "\"x'; rm -r / #\",y\n1,0\nword,1\n")
        self.assertIn("--ignore 1\n", self.complaint("train", "quote.csv", "--number", "1", code=3))

    def test_bytes_that_are_not_utf8(self):
        self.write("bytes.svm", "a\udcff 1:1\nb 1:2\na\udcff 1:3\n")
        self.harmless(self.words("certify", "bytes.svm"), "classes a\\xff and b")
        self.harmless(self.words("train", "bytes.svm", "-o", "m.json"), "a\\xff")
        self.harmless(self.words("inspect", "m.json"), "a\\xff")
        self.assertIn(self.answer("certify", "bytes.svm")["verdict"], ("overlapping", "quasi-separable"))
        self.run_program("predict", "bytes.svm", "-m", "m.json", "-o", "answers.txt")
        self.assertIn(b"a\xff", (self.folder / "answers.txt").read_bytes())  # predictions are data

    def test_certificates_are_from_strangers(self):
        data = self.table(label="yes")
        self.words("certify", data, "--label", "y", "--id", "who", "-o", "proof.json")
        proof = json.loads(self.read("proof.json"))
        proof["data"]["positive"] = HOSTILE
        (self.folder / "proof.json").write_text(json.dumps(proof))
        done = self.run_program("verify", "proof.json", data, "--label", "y", "--id", "who", code=1)
        self.harmless(done.stdout.decode() + done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
