"""What a proof is said to be about: its label, its columns and their encoding, its classes and its rows."""

import hashlib
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from program import CommandLineTest
from test_arrays import npy

CHECKER = Path(__file__).resolve().parents[2] / "checker"
# x1 alone separates the rows; without it they overlap.
SEPARABLE = "x1,x2,y\n1,3,no\n2,1,no\n3,2,no\n7,3,yes\n8,1,yes\n9,2,yes\n"


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tree(leaves):
    """The Merkle tree of RFC 6962."""
    if len(leaves) == 1:
        return sha(b"\0", leaves[0].encode())
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1", tree(leaves[:half]), tree(leaves[half:]))


def root_of(data, leaves, version=2):
    """The root that a forger would put beside another description of the rows."""
    said = {key: value for key, value in data.items() if key != "root"}
    head = b"\3" + json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return sha(b"\2%d %d " % (data["rows"], data["features"]) if version == 1 else head, tree(leaves)).hex()


class Statement(CommandLineTest):
    def tool(self, name, *arguments, stdin=None, code=0):
        done = subprocess.run([sys.executable, "-B", CHECKER / name, *arguments], cwd=self.folder, input=stdin,
                              capture_output=True)
        self.assertEqual(done.returncode, code, (done.stdout + done.stderr).decode())
        return done.stdout.decode()

    def forge(self, data, flip=False, version=2, **change):
        """Changes the description in a proof about `data`, and puts in the root that goes with it."""
        self.run_program("certify", data, "-o", "good.json")
        leaves = self.run_program("leaves", data).stdout.decode().splitlines()[1:]
        if flip:
            leaves = [re.sub(" [+-]1", lambda sign: {" +1": " -1", " -1": " +1"}[sign[0]], leaf, count=1) for leaf in leaves]
        proof = json.loads(self.read("good.json")) | {"rows": [], "linsep_certificate": version}
        proof["data"] |= change
        if version == 1:
            del proof["data"]["reading"]
            proof.pop("coefficients", None)
        proof["data"]["root"] = root_of(proof["data"], leaves, version)
        self.write("forged.json", json.dumps(proof))


class Encoding(Statement):
    def setUp(self):
        super().setUp()
        self.write("sep.csv", SEPARABLE)
        self.run_program("certify", "sep.csv", "--ignore", "x1", "--scale", "max-abs", "-o", "p.json")

    def test_a_proof_that_chose_its_columns_is_refused(self):
        told = self.words("verify", "p.json", "sep.csv", code=1)
        self.assertIn("not accepted for sep.csv: its rows were read in another way: it leaves out the column 'x1'", told)
        self.assertIn("--as-encoded", told)
        self.assertIn("Label     y\nColumns   x2  number    divided by 3\nLeft out  x1\n", told)
        told = self.answer("verify", "p.json", "sep.csv", code=1)
        self.assertEqual((told["valid"], told["other_reading"], told["left_out"]), (False, True, ["x1"]))

    def test_it_is_accepted_as_encoded_and_says_so(self):
        told = self.words("verify", "p.json", "sep.csv", "--as-encoded")
        self.assertIn("overlapping", told)
        self.assertIn("Left out  x1\n", told)
        self.assertIn("the root of sep.csv, read and encoded as the proof says (--as-encoded).", told)
        told = self.answer("verify", "p.json", "sep.csv", "--as-encoded")
        self.assertEqual((told["valid"], told["as_encoded"], told["label"]), (True, True, "y"))
        self.assertEqual(told["columns"], [{"name": "x2", "kind": "number", "encoding": "divided by 3"}])

    def test_it_is_accepted_with_the_options_it_was_made_with(self):
        told = self.words("verify", "p.json", "sep.csv", "--ignore", "x1", "--scale", "max-abs")
        self.assertIn("valid. 6 rows × 1 feature", told)
        self.assertNotIn("as-encoded", told)
        self.assertIn("encoded in another way: 'x2'", self.words("verify", "p.json", "sep.csv", "--ignore", "x1",
                                                               "--scale", "standard", code=1))

    def test_certify_prints_the_command_that_checks_it(self):
        told = self.words("certify", "sep.csv", "--ignore", "x1", "--scale", "max-abs", "--positive", "no", "-o", "p.json")
        self.assertIn("linsep verify p.json sep.csv --positive no --ignore x1 --scale max-abs\n", told)
        self.words("verify", "p.json", "sep.csv", "--positive", "no", "--ignore", "x1", "--scale", "max-abs")

    def test_another_label_is_refused(self):
        self.write("two.csv", "x,first,second\n1,a,p\n2,b,p\n3,a,q\n4,b,q\n")
        self.run_program("certify", "two.csv", "--label", "first", "-o", "two.json")
        told = self.words("verify", "two.json", "two.csv", code=1)
        self.assertIn("the label is column 'first', not 'second'", told)
        self.words("verify", "two.json", "two.csv", "--label", "first")
        self.words("verify", "two.json", "two.csv", "--as-encoded")

    def test_plain_numbers_say_their_columns_too(self):
        self.run_program("certify", "sep.csv", "-o", "plain.json")
        told = self.words("verify", "plain.json", "sep.csv")
        self.assertIn("Label     y\nColumns   x1, x2; numbers as written\nLeft out  none\n", told)
        self.run_program("certify", "sep.csv", "--ignore", "x1", "-o", "plain.json")
        self.assertIn("it leaves out the column 'x1'", self.words("verify", "plain.json", "sep.csv", code=1))
        self.assertIn("Left out  x1", self.words("verify", "plain.json", "sep.csv", "--as-encoded"))

    def test_the_script_wants_as_encoded_too(self):
        leaves = self.tool("encode_rows.py", "--leaves", "p.json", "sep.csv").encode()
        told = self.tool("verify_certificate.py", "p.json", "-", stdin=leaves, code=1)
        self.assertIn("--as-encoded accepts that", told)
        self.assertIn("columns left out: x1", told)
        told = self.tool("verify_certificate.py", "p.json", "-", "--as-encoded", stdin=leaves)
        for words in ("label: y", "column x2: number", "columns left out: x1", "(--as-encoded)"):
            self.assertIn(words, told)


class Names(Statement):
    def setUp(self):
        super().setUp()
        self.write("rows.svm", "-1 1:1 2:1\n1 1:2 2:1\n-1 1:3 2:1\n1 1:4 2:2\n")

    def refused(self, words, flip=False, **change):
        self.forge("rows.svm", flip, **change)
        self.assertIn(words, self.words("verify", "forged.json", "rows.svm", code=1))
        leaves = self.tool("read_rows.py", "rows.svm").encode()
        self.assertIn("other data", self.tool("verify_certificate.py", "forged.json", "-", stdin=leaves, code=1))

    def test_names_that_the_data_has_not_are_refused(self):
        self.refused("it names its features, and the data set doesn't", names=["age", "dose"])

    def test_a_table_that_the_data_has_not_is_refused(self):
        self.refused("encoded in another way", table="sha256:" + "0" * 64)

    def test_swapped_classes_are_refused(self):
        self.refused("its positive class is '-1', not '1'", flip=True, negative="1", positive="-1")

    def test_a_class_written_otherwise_is_refused(self):
        self.refused("its classes are '-1.00' and '1', those of the data '-1' and '1'", negative="-1.00")

    def test_a_class_that_is_not_there_is_refused(self):
        self.write("rows.svm", "1 1:1\n1 1:2\n")
        self.refused("its classes are 'ill' and '1', those of the data '-1' and '1'", negative="ill")

    def test_a_file_of_version_1_binds_no_names(self):
        self.forge("rows.svm", version=1)
        self.assertIn("classes -1 and 1 (positive; names not bound", self.words("verify", "forged.json", "rows.svm"))
        self.assertFalse(self.answer("verify", "forged.json", "rows.svm")["names_bound"])
        leaves = self.tool("read_rows.py", "rows.svm").encode()
        self.assertIn("names not bound", self.tool("verify_certificate.py", "forged.json", "-", stdin=leaves))


class Shown(Statement):
    def test_the_script_prints_no_escape_code_of_a_class(self):
        self.write("rows.csv", "x,y\n1,a\n2,b\u001b[31m\n3,a\n4,c\n5,b\u001b[31m\n6,c\n")
        self.run_program("certify", "rows.csv", "--against", "b\u001b[31m", "-o", "p.json")
        leaves = self.run_program("leaves", "rows.csv").stdout
        told = self.tool("verify_certificate.py", "p.json", "-", stdin=leaves)
        self.assertNotIn("\u001b", told)
        self.assertIn(r"b\x1b[31m against the rest", told)

    def test_what_is_no_json_is_told_by_its_place(self):
        for text, words in (("{\n \"a\": nope}", "p.json:2:8: not a certificate: this isn't JSON"),
                            ("{\"a\": 1", "not a certificate: its end is missing")):
            self.write("p.json", text)
            told = self.complaint("verify", "p.json", code=3)
            self.assertIn(words, told)
            self.assertNotIn("exception", told)

    def test_certify_can_be_quiet(self):
        self.write("rows.csv", SEPARABLE)
        done = self.run_program("certify", "rows.csv", "--quiet", "--scale", "max-abs", "-o", "p.json")
        self.assertEqual((done.stdout, done.stderr), (b"", b""))
        self.assertTrue((self.folder / "p.json").exists())

    def test_a_class_has_one_name(self):
        self.write("rows.svm", "+1 1:1\n-1 1:2\n+1 1:3\n-1 1:1\n")
        told = self.answer("certify", "rows.svm")
        self.assertEqual({row["class"] for row in told["witness"]}, {"1", "-1"})
        self.assertNotIn("+1", self.words("certify", "rows.svm"))


class ChangedText(Statement):
    def test_behind_its_pages_is_the_fault_of_the_file(self):
        text = "1 1:1 2:1\n-1 1:2 2:2\n1 1:3 2:9\n-1 1:4 2:4\n"
        self.write("rows.svm", text)
        self.run_program("convert", "rows.svm", "--double", "-o", "rows.lsp", "--quiet")
        before = (self.folder / "rows.svm").stat()
        self.write("rows.svm", text.replace("2:9", "2:1").replace("1:1", "1:9"))
        os.utime(self.folder / "rows.svm", ns=(before.st_atime_ns, before.st_mtime_ns))
        told = self.complaint("certify", "rows.lsp", code=3)
        self.assertIn("differs from the page file made from this text", told)


class Arrays(Statement):
    """A proof about arrays, and a text with the same numbers."""

    def test_the_advice_is_not_to_accept_an_encoding(self):
        (self.folder / "X.npy").write_bytes(npy("<f8", [6, 2], [1, 3, 2, 1, 3, 2, 7, 3, 8, 1, 9, 2]))
        (self.folder / "y.npy").write_bytes(npy("<i8", [6], [0, 0, 0, 1, 1, 1]))
        self.run_program("certify", "X.npy", "--label", "y.npy", "-o", "p.json")
        data = self.write("sep.csv", SEPARABLE.replace("no", "0").replace("yes", "1"))
        for options in ((), ("--as-encoded",)):
            told = self.words("verify", "p.json", data, *options, code=1)
            self.assertIn("as arrays, not csv", told)
            self.assertIn("The proof is about arrays in memory", told)
            self.assertIn("certify the file: `linsep certify sep.csv`", told)
            self.assertNotIn("add --as-encoded", told)

    def test_nothing_advises_the_option_that_was_given(self):
        data = self.write("sep.csv", SEPARABLE)
        self.run_program("certify", data, "--positive", "no", "-o", "p.json")
        self.assertIn("add --as-encoded", self.words("verify", "p.json", data, code=1))
        told = self.words("verify", "p.json", data, "--as-encoded", code=1)
        self.assertIn("Use the options that the proof was made with.\n", told)
        self.assertNotIn("add --as-encoded", told)


class Sentences(Statement):
    """Certify, verify, the report and the script say the same: which classifiers, and which classes."""

    # With an intercept they are separable.
    SLOPED = "a,b,label\n1,1,n\n2,2,y\n1,0,n\n3,1,y\n"
    ROW_OF_THREE = "x,kind\n1,A\n2,A\n3,B\n4,B\n5,C\n6,C\n"
    SQUARE = "a,b,label\n0,0,n\n0,1,y\n1,0,y\n1,1,n\n"
    CUBE = "a,b,label\n0,0,n\n0,1,y\n1,0,y\n1,1,n\n1,1,y\n"

    def everything(self, text, *options):
        """What each of them says, by its name."""
        data = self.write("rows.csv", text)
        told = {"certify": self.words("certify", data, *options, "-o", "p.json"), "verify": self.words("verify", "p.json", data),
                "script": self.tool("verify_certificate.py", "p.json", data)}
        document = json.loads(self.run_program("report", data, "--proof", "p.json", "--data").stdout)
        told["report"] = "\n".join(one["text"] for one in document["sentences"])
        self.run_program("report", data, "--proof", "p.json", "-o", "page.html")
        told["page"] = re.sub("<[^>]*>", " ", self.read("page.html"))
        return told, document

    def says(self, told, *sentences, never=()):
        for name, text in told.items():
            for sentence in sentences:
                self.assertIn(sentence.lower(), text.lower(), name)
            for sentence in never:
                self.assertNotIn(sentence.lower(), text.lower(), name)

    def test_through_the_origin(self):
        told, document = self.everything(self.SLOPED, "--origin", "--mistakes")
        self.says(told, "no linear classifier through the origin separates these rows",
                  "every linear classifier through the origin makes at least 1 mistake",
                  never=["linear classifier makes", "linear classifier separates", "linear classifier is wrong", "linear classifier can"])
        self.assertIn("every linear classifier through the origin, at least", told["page"])
        self.assertIn("A logistic regression through the origin has finite coefficients on these rows.", told["report"])
        self.assertEqual(document["proof"]["classifier"], "linear classifier through the origin")

    def test_one_class_against_the_rest(self):
        told, document = self.everything(self.ROW_OF_THREE, "--against", "B", "--mistakes")
        self.says(told, "no linear classifier separates B from the rest", never=["these rows: ", "both classes"])
        self.says({name: told[name] for name in ("certify", "verify", "report", "page")},
                  "every linear classifier makes at least 2 mistakes in separating B from the rest")
        self.assertIn("A logistic regression of B against the rest has finite coefficients on these rows.", told["report"])
        self.assertIn("The convex hulls of B and the rest contain", told["report"])
        self.assertEqual(document["proof"]["against"], "B")
        # The rows that a proof carries have their classes by number.
        self.run_program("certify", "rows.csv", "--against", "B", "-o", "p.json")
        alone = json.loads(self.run_program("report", "--proof", "p.json", "--data").stdout)["proof"]["witness"]
        self.assertEqual(sorted(alone["label"]), sorted(int(row in (3, 4)) for row in alone["row"]))
        told, _ = self.everything(self.ROW_OF_THREE, "--against", "A")
        for name in ("certify", "verify"):
            self.assertIn("eparable: some linear classifier separates A from the rest", told[name])
        self.assertIn("A point separates A from the rest: z = ", told["report"])
        self.assertIn("logistic regression of A against the rest", told["verify"])

    def test_all_classes_jointly(self):
        told, document = self.everything(self.ROW_OF_THREE)
        self.assertIn("Jointly separable: some linear classifier with one score per class gets every row right.", told["certify"])
        self.assertIn("A linear classifier with one score per class gets every row right.", told["report"])
        self.assertIn("x of A, the intercept of A, x of B and the intercept of B go to infinity.", told["report"])
        self.assertIn("coefficients of a multinomial logistic regression (with C as the reference class) that go to +infinity: "
                      "the intercept of A and the intercept of B", told["verify"])
        self.assertEqual(document["proof"]["infinite"]["name"], ["x of A", "the intercept of A", "x of B", "the intercept of B"])
        told, _ = self.everything("x,kind\n1,A\n2,B\n3,C\n4,A\n")
        self.says({name: told[name] for name in ("certify", "verify", "report", "page")},
                  "no linear classifier with one score per class gets every row right", never=["both classes", "these rows: "])
        self.assertIn("leads of the own class", told["report"])

    def test_on_a_map(self):
        told, _ = self.everything(self.SQUARE, "--map", "products")
        self.assertIn("A linear classifier on the map products separates the classes: z = ", told["report"])
        self.assertIn("A linear classifier on the map products separates these rows", told["report"])
        self.assertIn("some linear classifier on the map products makes no mistake", told["verify"])
        told, _ = self.everything(self.SQUARE, "--map", "products", "--origin")
        self.says({name: told[name] for name in ("certify", "verify", "report", "page")},
                  "no linear classifier on the map products through the origin separates all rows, but one separates 3")
        told, _ = self.everything(self.CUBE, "--map", "products", "--mistakes")
        self.says(told, "no linear classifier on the map products separates",
                  "every linear classifier on the map products makes at least 1 mistake", never=["linear classifier separates"])

    def test_a_run_with_an_offset_may_still_succeed(self):
        data = self.write("rows.csv", self.SLOPED)
        self.run_program("train", data, "--learner", "perceptron", "--passes", "1", "-o", "m.json", "--log", "run.jsonl", "--quiet")
        self.run_program("certify", data, "--origin", "-o", "p.json")
        given = data, "-m", "m.json", "--log", "run.jsonl", "--proof", "p.json"
        self.assertNotIn("no pass will ever be clean", self.run_program("report", *given, "--data").stdout.decode())
        self.run_program("train", data, "--learner", "perceptron", "--passes", "1", "--origin", "-o", "m.json", "--log", "run.jsonl",
                         "--quiet")
        self.assertIn("no pass will ever be clean", self.run_program("report", *given, "--data").stdout.decode())

    def test_the_hard_margin_says_which_classifiers(self):
        data = self.write("rows.csv", self.SLOPED)
        told = self.complaint("train", data, "--learner", "margin", "--hard", "--origin", "--map", "none", "-o", "m.json", code=3)
        self.assertIn("no linear classifier through the origin separates these rows, so there is no hard margin", told)

    def test_encoded_columns_go_by_their_names(self):
        text = "town,size,rich\n" + "".join(f"{town},{k % 3},{'y' if town == 'Oslo' else 'n'}\n"
                                            for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 8))
        data = self.write("towns.csv", text)
        self.run_program("certify", data, "--coefficients", "-o", "p.json")
        told = self.words("verify", "p.json", data, "--as-encoded")
        self.assertIn("doesn't determine: town=Bonn, town=Oslo, town=Rome, size and the intercept", told)


if __name__ == "__main__":
    unittest.main()
