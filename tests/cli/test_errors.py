"""Exit codes, places in files, and what a message suggests."""

import ctypes
import ctypes.util
import json
import subprocess
import unittest

from program import PROGRAM, CommandLineTest

ZSTD = ctypes.util.find_library("zstd")


def zstd(text):
    library, data = ctypes.CDLL(ZSTD), text.encode()
    for function in (library.ZSTD_compressBound, library.ZSTD_compress):
        function.restype = ctypes.c_size_t
    room = library.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    packed = ctypes.create_string_buffer(room)
    size = library.ZSTD_compress(packed, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 3)
    return packed.raw[:size]


class Usage(CommandLineTest):
    def test_nothing_at_all_shows_how_to_begin(self):
        self.assertIn("Usage: linsep COMMAND", self.complaint(code=2))

    def test_unknown_words_are_answered_by_the_nearest_known_one(self):
        self.assertIn("did you mean train?", self.complaint("trian", "x.svm", code=2))
        self.assertIn("did you mean --learner?", self.complaint("train", "x.svm", "--lerner", "basic", code=2))
        self.assertIn("did you mean 'perceptron'?", self.complaint("train", "x.svm", "--learner", "percepton", code=2))
        self.assertIn("did you mean 'xor'?", self.complaint("generate", "xro", code=2))
        self.assertIn("did you mean products?", self.complaint("train", "x.svm", "--map", "product", code=2))

    def test_an_option_of_another_learner_says_whose_it_is(self):
        message = self.complaint("train", "x.svm", "--learner", "basic", "--rate", "0.5", code=2)
        self.assertIn("--rate", message)
        self.assertIn("perceptron", message)

    def test_an_option_of_another_set_says_whose_it_is(self):
        message = self.complaint("generate", "and", "--rows", "5", code=2)
        self.assertIn("separable, noisy, sparse, classes, messages, patients and table", message)

    def test_values_out_of_range(self):
        self.assertIn("--passes takes", self.complaint("train", "x.svm", "--passes", "0", code=2))
        self.assertIn("--order takes one of", self.complaint("train", "x.svm", "--order", "random", code=2))
        self.assertIn("--format", self.complaint("train", "x.svm", "--format", "xml", code=2))
        self.assertIn("--classes", self.complaint("train", "x.svm", "--classes", "one", code=2))
        self.complaint("train", "x.svm", "--threads", "many", code=2)

    def test_what_is_missing_is_named(self):
        self.assertIn("DATA", self.complaint("train", code=2))
        self.assertIn("-m MODEL", self.complaint("predict", "x.svm", code=2))
        self.assertIn("MODEL", self.complaint("inspect", code=2))
        self.assertIn("NAME", self.complaint("generate", code=2))
        self.assertIn("--learner needs a value", self.complaint("train", "x.svm", "--learner", code=2))

    def test_one_argument_too_many(self):
        self.assertIn("unexpected argument extra", self.complaint("completion", "bash", "extra", code=2))

    def test_every_usage_error_points_to_help(self):
        self.assertIn("Try: linsep train --help", self.complaint("train", code=2))


class BadInput(CommandLineTest):
    def test_a_file_that_is_not_there(self):
        message = self.complaint("train", "nowhere.svm", code=3)
        self.assertTrue(message.startswith("linsep: nowhere.svm: "), message)
        self.assertEqual(message.count("\n"), 1)

    def test_a_bad_byte_has_file_line_and_column(self):
        self.write("bad.svm", "1 1:1\n-1 1:1 2:x\n")
        message = self.complaint("train", "bad.svm", code=3)
        self.assertTrue(message.startswith("linsep: bad.svm:2:10: "), message)
        self.assertTrue(self.complaint("train", "bad.svm", "--online", code=3).startswith("linsep: bad.svm:2:10: "))

    def test_a_bad_field_of_a_csv_file_too(self):
        self.write("bad.csv", "a,b,label\n1,2,0\n1,two,1\n")
        self.assertTrue(self.complaint("train", "bad.csv", "--number", "b", code=3).startswith("linsep: bad.csv:3:3: "))

    def test_three_classes_where_two_are_wanted(self):
        self.write("three.svm", "1 1:1\n2 1:2\n3 1:3\n")
        self.assertIn("three.svm:3", self.complaint("train", "three.svm", "--learner", "dual", code=3))

    def test_no_model_is_written_when_reading_fails(self):
        self.write("bad.svm", "1 1:x\n")
        self.complaint("train", "bad.svm", "-o", "model.json", code=3)
        self.assertFalse((self.folder / "model.json").exists())


    @unittest.skipUnless(ZSTD, "no libzstd to compress with")
    def test_compressed_text_that_is_cut_off_is_named_before_anything_else(self):
        lines = [f"{k % 7},{k * k % 1009 / 10},{'yn'[k % 2]}\n" for k in range(60000)]
        packed = zstd("a,b,label\n" + "".join(lines))
        for part in (len(packed) // 2, len(packed) // 50, 40):
            (self.folder / "cut.csv.zst").write_bytes(packed[:part])
            for verb in ("train", "columns", "certify"):
                said = self.complaint(verb, "cut.csv.zst", code=3)
                self.assertIn("cut.csv.zst: the zstd data ends too early", said)
                self.assertLess(len(said), 300)

    def test_no_message_is_longer_than_a_screen(self):
        self.write("long.csv", "a,label\n1,n\n2,y\n" + "x" * 300000 + ",y\n")
        self.write("names.csv", "n" * 300000 + ",b,label\n1,2,n\n2,1,y\n1,q,y\n")
        self.write("nul.svm", b"1 1:1\n-1 1:".decode() + "\0" * 300000 + "\n")
        for data, *options in (("long.csv", "--number", "a"), ("names.csv", "--number", "b"), ("names.csv", "--label", "c"), ("nul.svm",)):
            done = self.run_program("train", data, *options, code=2 if "--label" in options else 3)
            self.assertLess(len(done.stderr), 2200, (data, options))


class Json(CommandLineTest):
    def failed(self, *arguments, code, **how):
        """The `error` on standard error, beside the message without --json."""
        words = self.complaint(*arguments, code=code, **how)
        done = self.run_program(*arguments, "--json", code=code, **how)
        self.assertEqual(done.stdout, b"")
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        said = json.loads(lines[0])
        self.assertEqual(list(said), ["error"])
        self.assertEqual(said["error"]["exit_code"], code)
        self.assertIn(said["error"]["message"], words)
        return said["error"]

    def test_an_error_is_one_object(self):
        self.write("bad.svm", "1 1:1\n-1 1:1 2:x\n")
        said = self.failed("train", "bad.svm", code=3)
        self.assertEqual((said["kind"], said["file"], said["line"], said["column"]), ("input", "bad.svm", 2, 10))
        self.write("and.svm", self.words("generate", "and"))
        said = self.failed("train", "and.svm", "-o", "no/model.json", code=4)
        self.assertEqual(said["kind"], "system")
        said = self.failed("train", "and.svm", "--format", "rows", code=2)
        self.assertEqual((said["kind"], said["options"]), ("usage", ["--format"]))

    def test_of_every_command_that_has_the_option(self):
        verbs = [line.split()[1] for line in self.words("--help").splitlines() if line.startswith("  linsep ")]
        verbs = verbs or ["train", "predict", "evaluate", "certify", "verify", "inspect", "convert", "digest", "columns", "explain", "logit"]
        for verb in verbs:
            if "--json" not in self.words(verb, "--help"):
                continue
            done = subprocess.run([PROGRAM, verb, "--no-such-option", "--json"], cwd=self.folder, capture_output=True, check=False)
            said = json.loads(done.stderr)["error"]
            self.assertEqual((done.returncode, said["exit_code"], said["kind"]), (2, 2, "usage"), verb)
            self.assertIn("--no-such-option", said["message"])


class System(CommandLineTest):
    def test_a_folder_that_is_not_there(self):
        self.write("and.svm", self.words("generate", "and"))
        self.assertIn("no/model.json", self.complaint("train", "and.svm", "-o", "no/model.json", code=4))
        self.assertIn("no/rows.svm", self.complaint("generate", "and", "-o", "no/rows.svm", code=4))

    def test_a_full_disk(self):
        self.assertIn("No space", self.complaint("generate", "separable", "-o", "/dev/full", code=4))


if __name__ == "__main__":
    unittest.main()
