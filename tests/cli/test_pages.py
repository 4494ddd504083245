"""Page files: convert, --cache and --memory."""

import os
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

import forge
from program import PROGRAM, CommandLineTest


class SameBits(CommandLineTest):
    """What pages give is what memory gives, to the last bit."""

    def same_models(self, data, *options, memory="64M", reading=()):
        """Models from text in memory, from all pages, and with few pages in memory."""
        self.run_program("train", data, *options, *reading, "-o", "memory.model", "--quiet")
        self.run_program("convert", data, *reading, "-o", "data.lsp", "--quiet")
        self.run_program("train", "data.lsp", *options, "-o", "pages.model", "--quiet")
        self.run_program("train", "data.lsp", *options, "--memory", memory, "-o", "few.model", "--quiet")
        self.run_program("train", data, *options, *reading, "--cache", "--memory", memory, "-o", "cache.model", "--quiet")
        whole = (self.folder / "memory.model").read_bytes()
        for name in ("pages", "few", "cache"):
            self.assertEqual(whole, (self.folder / f"{name}.model").read_bytes(), f"{options} from {name}")

    def test_every_learner_on_sparse_rows(self):
        self.run_program("generate", "sparse", "--rows", "9000", "--features", "3000", "--seed", "3", "-o", "rows.svm")
        for options in (
            ("--learner", "perceptron", "--passes", "3"),
            ("--learner", "perceptron", "--passes", "3", "--order", "shuffled"),
            ("--learner", "perceptron", "--passes", "3", "--order", "drawn", "--variant", "averaged"),
            ("--learner", "basic"),
            ("--learner", "least-squares", "--passes", "4"),
            ("--learner", "margin"),
            ("--learner", "margin", "--loss", "squared-hinge", "--solver", "dual"),
            ("--learner", "margin", "--loss", "logistic"),
            ("--learner", "margin", "--lambdas", "1e-3,1e-4", "--cv", "3"),
            ("--learner", "regression", "--passes", "2", "--rate", "0.001"),
        ):
            self.same_models("rows.svm", *options)

    def test_dense_rows_with_names_weights_and_words_as_labels(self):
        self.run_program("generate", "separable", "--rows", "300", "--features", "4", "--margin", "0.01", "-o", "rows.csv")
        lines = self.read("rows.csv").splitlines()
        rows = [line.split(",") for line in lines if line[0] in "-0123456789"]
        text = "a,b,c,d,heavy,kind\n"
        for k, row in enumerate(rows):
            text += ",".join(row[:4]) + f",{1 + k % 3}," + ("yes" if float(row[4]) > 0 else "no") + "\n"
        self.write("named.csv", text)
        reading = ("--label", "kind", "--weight", "heavy", "--scale", "none")
        for options in (("--learner", "margin"), ("--learner", "dual", "--kernel", "gaussian"),
                        ("--learner", "margin", "--hard"), ("--positive", "no"), ("--map", "products",)):
            double = ("--double",) if "--hard" in options else ()
            self.same_models("named.csv", *options, memory="400M", reading=(*reading, *double))

    def test_several_files(self):
        self.run_program("generate", "sparse", "--rows", "4000", "--features", "900", "--seed", "5", "-o", "rows.svm")
        lines = self.read("rows.svm").splitlines(keepends=True)
        parts = [self.write(f"part-{k}.svm", "".join(lines[k * 1500 : k * 1500 + 1500])) for k in range(3)]
        self.run_program("convert", "rows.svm", "-o", "whole.lsp", "--quiet")
        self.run_program("convert", *parts, "-o", "parts.lsp", "--quiet")
        for options in (("--learner", "perceptron", "--passes", "3", "--order", "shuffled"), ("--learner", "margin")):
            self.run_program("train", "rows.svm", *options, "-o", "memory.model", "--quiet")
            expected = self.read("memory.model")
            for data, more in ((parts, ()), (parts, ("--memory", "64M")), (parts, ("--cache",)), (parts[:1], ("--cache",)),
                               (parts, ("--cache", "--memory", "64M")), (["parts.lsp"], ()), (["parts.lsp"], ("--memory", "64M"))):
                self.run_program("train", *data, *options, *more, "-o", "other.model", "--quiet")
                if len(data) == 3 or data == ["parts.lsp"]:
                    self.assertEqual(expected, self.read("other.model"), f"{data} {options} {more}")
        self.assertEqual(sorted(p.name for p in self.folder.glob("part-*.lsp")), [f"part-{k}.svm.lsp" for k in range(3)])
        self.run_program("certify", "rows.svm", "-o", "whole.json")
        self.run_program("certify", *parts, "--cache", "--memory", "400M", "-o", "other.json")
        self.assertEqual(self.read("whole.json"), self.read("other.json"))
        self.run_program("convert", *parts, "--double", "-o", "parts.lsp", "--quiet")
        self.run_program("certify", "parts.lsp", "-o", "other.json")
        self.assertEqual(self.read("whole.json"), self.read("other.json"), "values as written come from three texts")

    def test_several_files_that_do_not_fit_together(self):
        one = self.write("one.csv", "a,b,y\n1,2,0\n")
        other = self.write("other.csv", "a,c,y\n1,2,1\n")
        for words in (["convert", one, other, "-o", "x.lsp"], ["train", one, other, "--cache"]):
            told = self.run_program(*words, code=3).stderr.decode()
            self.assertRegex(told, "other.csv.*(calls feature 2 'c'|the column 'b' is not in the header)")
        self.assertFalse((self.folder / "x.lsp").exists())

    def test_several_classes_and_sets_of_labels(self):
        self.run_program("generate", "classes", "--rows", "900", "--features", "60", "--nonzeros", "8", "--classes", "4",
                         "-o", "classes.svm")
        self.same_models("classes.svm", "--learner", "margin")
        self.same_models("classes.svm", "--multiclass", "joint")
        self.same_models("classes.svm", "--learner", "margin", "--loss", "softmax")
        self.write("sets.svm", "1,2 1:1 2:3\n2 2:1\n3,1 3:1 1:2\n2,3 3:2\n".replace("3:1 1:2", "1:2 3:1") * 5)
        self.same_models("sets.svm", "--learner", "margin", "--label-sets")

    def test_certify_and_its_proof(self):
        self.run_program("generate", "noisy", "--rows", "3000", "--features", "6", "-o", "rows.csv")
        self.run_program("convert", "rows.csv", "--double", "-o", "rows.lsp", "--quiet")
        self.words("certify", "rows.csv", "-o", "memory.json")
        self.words("certify", "rows.lsp", "-o", "pages.json")
        self.words("certify", "rows.lsp", "--memory", "64M", "-o", "few.json")
        self.words("certify", "rows.csv", "--memory", "64M", "--cache", "-o", "cache.json")
        for name in ("pages", "few", "cache"):
            self.assertEqual(self.read("memory.json"), self.read(f"{name}.json"))
        self.words("verify", "memory.json", "rows.lsp", "--memory", "64M")

    def test_predict_and_evaluate(self):
        self.run_program("generate", "sparse", "--rows", "4000", "--seed", "3", "-o", "rows.svm")
        self.run_program("train", "rows.svm", "-o", "m.model", "--quiet")
        self.run_program("convert", "rows.svm", "-o", "rows.lsp", "--quiet")
        for verb in ("predict", "evaluate"):
            whole = self.words(verb, "rows.svm", "-m", "m.model")
            self.assertEqual(whole, self.words(verb, "rows.lsp", "-m", "m.model"))
            self.assertEqual(whole, self.words(verb, "rows.lsp", "-m", "m.model", "--memory", "64M"))
            self.assertEqual(whole, self.words(verb, "rows.svm", "-m", "m.model", "--cache"))


class Cache(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_program("generate", "and", "-o", "and.svm")

    def made(self, name="and.svm.lsp"):
        return (self.folder / name).stat().st_ino

    def swapped(self):
        """The text with its labels swapped, of the same length and modification time, and what a model of it is."""
        old = self.folder / "and.svm"
        text = "".join(("1 " if line[0] == "-" else "-1 ") + line.split(" ", 1)[1] for line in old.read_text().splitlines(True))
        self.write("new.svm", text)
        new = self.folder / "new.svm"
        self.assertEqual(new.stat().st_size, old.stat().st_size)
        os.utime(new, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
        self.run_program("train", "new.svm", "-o", "new.model", "--quiet")
        return new

    def trained(self):
        self.run_program("train", "and.svm", "--cache", "-o", "cache.model", "--quiet")
        return self.read("cache.model")

    def test_other_labels_of_the_same_length_and_time_are_read(self):
        self.write("and.svm", "1 1:1 2:1\n-1 1:1 2:0\n-1 1:0 2:1\n-1 1:0 2:0\n1 1:3 2:3\n1 1:4 2:3\n")
        for change in ("moved", "copied", "written"):
            with self.subTest(change):
                before = self.trained()
                self.assertEqual(before, self.trained())
                old, new = self.folder / "and.svm", self.swapped()
                times = (old.stat().st_atime_ns, old.stat().st_mtime_ns)
                if change == "moved":
                    os.replace(new, old)
                elif change == "copied":
                    os.unlink(old)
                    shutil.copy2(new, old)
                else:
                    old.write_bytes(new.read_bytes())
                os.utime(old, ns=times)
                self.assertNotEqual(before, self.trained())
                self.assertEqual(self.read("new.model"), self.read("cache.model"))

    @unittest.skipUnless(forge.POSSIBLE, "no libxxhash to make checksums with")
    def test_where_change_times_say_nothing_the_bytes_do(self):
        good = "".join(f"{1 if k % 3 else -1} 1:{k % 7} 2:{k % 10}\n" for k in range(200000)).encode()
        text = self.folder / "and.svm"
        text.write_bytes(good)

        def state():
            there = text.stat()
            return struct.pack("<Qqq", there.st_ino, there.st_ctime_ns // 10**9, there.st_ctime_ns % 10**9)

        def written(changed):
            """Writes the text, and the same state into its page file as if nothing had happened."""
            times, before = (text.stat().st_atime_ns, text.stat().st_mtime_ns), state()
            text.write_bytes(changed)
            os.utime(text, ns=times)
            file = forge.PageFile((self.folder / "and.svm.lsp").read_bytes())
            self.assertEqual((file.version, file.origin.count(before)), (4, 1))
            file.origin = file.origin.replace(before, state())
            (self.folder / "and.svm.lsp").write_bytes(file.data())
            return self.made()

        self.trained()
        forged = written(good)
        self.trained()
        self.assertEqual(forged, self.made())  # nothing has changed
        sample = 65536 + 32 * ((len(good) - 2 * 65536) // 64) + 100
        for place in (0, sample, len(good) - 100):
            digit = good.index(b"\n", place) - 1
            forged = written(good[:digit] + b"%d" % (9 - int(good[digit : digit + 1])) + good[digit + 1 :])
            self.trained()
            self.assertNotEqual(forged, self.made(), place)
            text.write_bytes(good)
            self.trained()

    def test_is_kept_and_used_until_the_text_or_the_way_it_is_read_changes(self):
        self.run_program("train", "and.svm", "--cache", "--quiet")
        first = self.made()
        self.run_program("train", "and.svm", "--cache", "--learner", "margin", "--positive", "-1", "--quiet")
        self.run_program("evaluate", "and.svm", "--cache", "-m", self.model())
        self.assertEqual(first, self.made())
        self.run_program("train", "and.svm", "--cache", "--format", "svmlight", "--quiet")
        second = self.made()
        self.assertNotEqual(first, second)
        self.write("and.svm", self.read("and.svm") + "1 1:5\n")
        self.assertEqual(self.answer("train", "and.svm", "--cache", "--format", "svmlight")["rows"], 5)
        self.assertNotEqual(second, self.made())
        self.words("certify", "and.svm", "--cache")
        self.assertTrue((self.folder / "and.svm.double.lsp").exists())

    def model(self):
        self.run_program("train", "and.svm", "-o", "m.json", "--quiet")
        return "m.json"

    def test_values_as_written_need_the_text_as_it_was(self):
        self.run_program("convert", "and.svm", "--double", "-o", "and.lsp", "--quiet")
        self.words("certify", "and.lsp")
        os.utime(self.folder / "and.svm", (1, 1))
        self.assertIn("and.svm, has changed since; convert it again", self.complaint("certify", "and.lsp", code=3))
        (self.folder / "and.svm").unlink()
        self.assertIn("and.svm, no longer exists", self.complaint("certify", "and.lsp", code=3))
        self.words("train", "and.lsp")

    def test_the_text_is_found_where_both_have_moved(self):
        self.run_program("convert", "and.svm", "--double", "-o", "and.lsp", "--quiet")
        (self.folder / "there").mkdir()
        for name in ("and.svm", "and.lsp"):
            shutil.move(self.folder / name, self.folder / "there" / name)
        self.words("certify", "there/and.lsp")


class Refused(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_program("generate", "sparse", "--rows", "4000", "-o", "rows.svm")
        self.run_program("convert", "rows.svm", "-o", "rows.lsp", "--quiet")

    def test_a_damaged_page_ends_the_run_without_a_model(self):
        data = bytearray((self.folder / "rows.lsp").read_bytes())
        data[len(data) // 2] ^= 16
        (self.folder / "bad.lsp").write_bytes(data)
        for memory in ((), ("--memory", "64M")):
            said = self.complaint("train", "bad.lsp", *memory, "-o", "m.json", code=3)
            self.assertIn("is damaged: its checksum doesn't match; convert the text again", said)
            self.assertRegex(said, r"bad.lsp: page 2 \(rows [0-9,]+–[0-9,]+\)")
            self.assertFalse((self.folder / "m.json").exists())

    def test_a_file_that_is_cut_off_or_no_page_file(self):
        data = (self.folder / "rows.lsp").read_bytes()
        (self.folder / "short.lsp").write_bytes(data[:-100])
        self.assertIn("is cut off", self.complaint("train", "short.lsp", code=3))
        self.write("text.lsp", "1 1:1\n")
        self.assertIn("isn't a linsep page file", self.complaint("train", "text.lsp", code=3))

    def test_options_that_only_the_text_could_answer(self):
        self.assertIn("--format says how to read text", self.complaint("train", "rows.lsp", "--format", "csv", code=2))
        self.assertIn("is already a page file", self.complaint("convert", "rows.lsp", "-o", "x.lsp", code=2))
        self.assertIn("--memory takes a size", self.complaint("train", "rows.lsp", "--memory", "much", code=2))

    def test_too_little_memory_is_said_before_it_starts(self):
        said = self.complaint("train", "rows.lsp", "--memory", "16M", code=2)
        self.assertRegex(said, r"this run needs ([0-9]+M) of memory in all, and --memory allows 16M: give --memory \1")

    @unittest.skipIf(os.getuid() != 0, "only root can make a small disk")
    def test_a_full_disk_leaves_nothing(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no small disk here")
        self.addCleanup(subprocess.run, ["umount", disk])
        said = self.complaint("convert", "rows.svm", "-o", "disk/rows.lsp", code=4)
        self.assertIn("rows.lsp: can't be written: No space left on device", said)
        self.assertEqual(list(disk.iterdir()), [])


class Memory(CommandLineTest):
    def peak(self, *arguments):
        """The most memory that a run holds, in MB."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0, arguments)
        return usage.ru_maxrss / 1024

    def test_the_promise_is_kept(self):
        self.run_program("generate", "sparse", "--rows", "280000", "--seed", "1", "-o", "rows.svm")
        self.assertGreater(Path(self.folder / "rows.svm").stat().st_size, 290e6)
        for verb in (
            ("train", "rows.svm", "--memory", "64M", "--cache", "--passes", "2", "-o", "m.model"),
            ("train", "rows.svm", "--memory", "64M", "--passes", "1"),
            ("train", "rows.svm.lsp", "--memory", "64M", "--learner", "margin", "--passes", "4"),
            ("train", "rows.svm.lsp", "--memory", "64M", "--learner", "margin", "--loss", "logistic", "--passes", "3"),
            ("evaluate", "rows.svm", "--memory", "64M", "--cache", "-m", "m.model"),
            ("convert", "rows.svm", "--memory", "64M", "-o", "other.lsp"),
        ):
            self.assertLess(self.peak(*verb), 64, verb)


if __name__ == "__main__":
    unittest.main()
