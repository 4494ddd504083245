"""Page files whose checksums are right and whose content isn't, files that become shorter, and caches that are no use."""

import os
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import forge
from program import PROGRAM, CommandLineTest

MPIRUN = shutil.which("mpirun")
MODULE = Path(PROGRAM).parent / "liblinsep_mpi.so"
CLASSES = "0 1:1\n1 2:1\n2 1:1 2:1\n" * 4


@unittest.skipUnless(forge.POSSIBLE, "no libxxhash to make checksums with")
class Forged(CommandLineTest):
    def pages(self, name, text, *options):
        """Pages of a text, and models of its rows."""
        self.write(name, text)
        self.run_program("convert", name, *options, "-o", "good.lsp", "--quiet")
        self.run_program("train", "good.lsp", "--learner", "margin", "-o", "m.json", "--quiet")
        return (self.folder / "good.lsp").read_bytes()

    def refused(self, good, change, words, verbs=("predict", "evaluate", "train", "memory", "certify")):
        file = forge.PageFile(good)
        change(file)
        (self.folder / "bad.lsp").write_bytes(file.data())
        runs = {
            "predict": ("predict", "bad.lsp", "-m", "m.json", "-o", "out.txt"),
            "evaluate": ("evaluate", "bad.lsp", "-m", "m.json"),
            "train": ("train", "bad.lsp", "--learner", "margin"),
            "memory": ("train", "bad.lsp", "--learner", "margin", "--memory", "64M"),
            "certify": ("certify", "bad.lsp"),
        }
        for verb in verbs:
            said = self.complaint(*runs[verb], code=3)
            self.assertIn(words, said, verb)
            self.assertTrue(said.startswith("linsep: bad.lsp: "), said)

    def test_the_forger_makes_good_files_too(self):
        good = self.pages("rows.svm", CLASSES.replace("2 1", "1 1"), "--double")
        self.assertEqual(forge.PageFile(good).data(), good)

    def test_sparse_rows(self):
        good = self.pages("rows.svm", "1 1:1 3:2\n-1 2:1\n1 1:5 2:1\n-1 3:1\n", "--double")
        page = "page 1 (rows 1–4) is inconsistent: "
        for array, index, form, value, words in (
            ("column", 0, "I", 2, "the columns of a row don't ascend"),
            ("column", 1, "I", 0, "the columns of a row don't ascend"),
            ("column", 1, "I", 2**32 - 1, "a column lies beyond its features"),
            ("start", 1, "Q", 2**62, "its row offsets don't ascend"),
            ("value", 0, "d", float("nan"), "a value isn't finite"),
            ("value", 0, "d", float("inf"), "a value isn't finite"),
            ("label", 0, "d", float("nan"), "a label isn't finite"),
        ):
            self.refused(good, lambda file: file.put(array, index, form, value), page + words)
        known = ("evaluate", "train", "memory", "certify")
        self.refused(good, lambda file: file.put("label", 0, "d", 3), "has a label that isn't in the header", known)

    def test_dense_rows(self):
        good = self.pages("rows.csv", "a,b,w,y\n1,2,1,0\n3,4,1,1\n0,1,2,1\n", "--weight", "w", "--double")
        self.refused(good, lambda file: file.put("weight", 0, "d", -1), "a weight is below 0")

        def narrow(file):
            file.head["features"] = 1

        def wide(file):
            file.head["stride"] = 3

        def overflow(file):
            file.entries[0].update(rows=2**63, values=0)

        for change in (narrow, wide, overflow):
            self.refused(good, change, "its index is inconsistent")

    def test_more_pages_than_bytes(self):
        good = self.pages("rows.svm", "1 1:1\n-1 2:1\n", "--double")

        def many(file):
            file.count = 200_000_000

        self.refused(good, many, "its header and index are incomplete")

    def test_label_3_of_3_classes(self):
        good = self.pages("rows.svm", CLASSES, "--double")
        for label in (3, -1, 0.5, 1e18):
            self.refused(good, lambda file: file.put("label", 0, "d", label), "has a label that isn't in the header",
                         ("evaluate", "train", "memory"))

    def test_words_as_labels(self):
        good = self.pages("rows.svm", "yes 1:1\nno 2:1\n", "--double")
        for label in (2, 0.5, -1):
            self.refused(good, lambda file: file.put("label", 0, "d", label), "has a label that isn't in the header",
                         ("evaluate", "train", "memory", "certify"))

    def test_a_header_that_says_other_than_its_pages(self):
        good = self.pages("rows.svm", "1 1:1\n-1 2:1\n", "--double")

        def features(file):
            file.head["features"] = 2**32 - 1

        def numbered(file):
            file.entries[0]["words"] = 1

        for change in (features, numbered):
            self.refused(good, change, "its header doesn't match its pages")

    def test_a_page_that_claims_another_part_of_its_text(self):
        good = self.pages("rows.svm", "1 1:1\n-1 2:1\n", "--double")
        for change, words in (
            ({"text_bytes": 2**60}, "rows.svm: the file has become shorter since it was read"),
            ({"text_bytes": 0}, "rows.svm: the file has changed since it was read"),
            ({"first_byte": 5}, "rows.svm: the file has become shorter since it was read"),
        ):
            file = forge.PageFile(good)
            file.entries[0].update(change)
            (self.folder / "bad.lsp").write_bytes(file.data())
            self.assertIn(words, self.complaint("certify", "bad.lsp", code=3))

    def test_a_cache_is_made_anew(self):
        self.pages("rows.svm", "1 1:1 3:2\n-1 2:1\n1 1:5 2:1\n-1 3:1\n")
        self.run_program("train", "rows.svm", "--cache", "-o", "first.json", "--quiet")
        cache = self.folder / "rows.svm.lsp"
        good = cache.read_bytes()
        for change in (
            lambda file: file.put("column", 0, "I", 2),
            lambda file: file.put("label", 0, "d", 7),
            lambda file: file.head.update(numbered=1),
            lambda file: file.head.update(features=9),
            lambda file: setattr(file, "count", 2**40),
        ):
            file = forge.PageFile(good)
            change(file)
            for memory in ((), ("--memory", "64M")):
                cache.write_bytes(file.data())
                self.run_program("train", "rows.svm", "--cache", *memory, "-o", "again.json", "--quiet")
                self.assertEqual(self.read("first.json"), self.read("again.json"))
                self.assertEqual(cache.read_bytes(), good)


class OtherText(CommandLineTest):
    def test_of_the_same_size_and_time_is_noticed_where_its_rows_do_not_fit(self):
        text = "1 01:1 02:3\n-1 01:2 02:1\n1 01:3 02:7\n-1 01:4 02:1\n"
        self.write("rows.svm", text)
        self.run_program("convert", "rows.svm", "--double", "-o", "rows.lsp", "--quiet")
        before = (self.folder / "rows.svm").stat()
        self.write("rows.svm", text.replace("02:", "99:"))
        os.utime(self.folder / "rows.svm", ns=(before.st_atime_ns, before.st_mtime_ns))
        for verb in ("certify", "digest", "leaves"):
            self.assertRegex(self.complaint(verb, "rows.lsp", code=3), "has feature 99 in the text it was made from, beyond its 2")


class UselessCache(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_program("generate", "sparse", "--rows", "2000", "-o", "rows.svm")
        self.run_program("train", "rows.svm", "-o", "first.json", "--quiet")
        self.run_program("train", "rows.svm", "--cache", "-o", "again.json", "--quiet")
        self.cache = self.folder / "rows.svm.lsp"
        self.good = self.cache.read_bytes()

    def test_is_made_anew(self):
        flipped = bytearray(self.good)
        flipped[len(flipped) // 2] ^= 16
        version = bytearray(self.good)
        version[20] = 2
        for what, data in (
            ("empty", b""),
            ("cut off in its first block", self.good[:100]),
            ("cut off", self.good[: len(self.good) // 2]),
            ("longer", self.good + b"x"),
            ("a text", b"1 1:1\n"),
            ("a damaged page", bytes(flipped)),
            ("of another version", bytes(version)),
            ("zeros", bytes(len(self.good))),
        ):
            for verb in (("train", "--passes", "3", "-o", "x.json"), ("evaluate", "-m", "first.json"),
                         ("train", "--passes", "3", "--memory", "64M")):
                self.cache.write_bytes(data)
                self.run_program(verb[0], "rows.svm", "--cache", *verb[1:])
                # A text that `evaluate` reads row by row makes no pages.
                if verb[0] == "train":
                    self.assertEqual(self.cache.read_bytes(), self.good, what)

    def test_that_is_good_stays(self):
        before = self.cache.stat()
        self.run_program("train", "rows.svm", "--cache", "-o", "again.json", "--quiet")
        self.assertEqual(self.read("first.json"), self.read("again.json"))
        self.assertEqual((before.st_ino, before.st_mtime_ns), (self.cache.stat().st_ino, self.cache.stat().st_mtime_ns))

    def test_that_is_no_file_is_left_alone(self):
        for make in (os.mkdir, os.mkfifo):
            self.cache.unlink()
            make(self.cache)
            said = self.complaint("train", "rows.svm", "--cache", code=4)
            self.assertIn("rows.svm.lsp: pages can't be written there: it isn't a regular file", said)
            if self.cache.is_dir():
                self.cache.rmdir()
                self.cache.touch()


class BecomesShorter(CommandLineTest):
    """A page file that is cut off while a run goes over it again and again."""

    def setUp(self):
        super().setUp()
        self.run_program("generate", "noisy", "--rows", "20000", "--features", "40", "-o", "rows.csv")
        self.run_program("convert", "rows.csv", "-o", "rows.lsp", "--quiet")

    def cut_off(self, *command):
        """Starts a command, cuts the file off once it is in use, and returns the exit code and what was said."""
        process = subprocess.Popen([*command, PROGRAM, "train", "rows.lsp", "--learner", "perceptron", "--passes", "100000000",
                                    *self.options, "--quiet"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5 if command else 0.7)
        self.assertIsNone(process.poll(), "it ended before the file was cut off")
        os.truncate(self.folder / "rows.lsp", 8192)
        _, said = process.communicate(timeout=60)
        return process.returncode, said

    def test_in_memory(self):
        self.options = ()
        self.assertEqual(self.cut_off(), (4, "linsep: a page file became shorter, or its disk failed, while it was in use\n"))

    def test_with_few_pages_in_memory(self):
        self.options = ("--memory", "64M", "--order", "given")
        code, said = self.cut_off()
        self.assertEqual(code, 4, said)
        self.assertIn("shorter", said)

    @unittest.skipUnless(MPIRUN and MODULE.exists(), "no MPI")
    def test_workers_do_not_wait_for_one_another(self):
        self.options = ()
        code, said = self.cut_off(MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "2")
        self.assertNotEqual(code, 0)
        self.assertIn("linsep: a page file became shorter", said)


if __name__ == "__main__":
    unittest.main()
