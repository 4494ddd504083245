"""Memory is reckoned before it is taken: too much is refused at once, with the widest column and its line."""

import re
import resource
import subprocess
import time
import unittest

from program import PROGRAM, CommandLineTest

WIDE = "1 200000000:1\n-1 1:1\n"
THREE = "1 99999999:1\n2 1:1\n3 2:1\n"
# Peak of the resident set that a refusal may have, in MB: the program, and some rows.
FEW = 400


class Refused(CommandLineTest):
    def refusal(self, *arguments, stdin="", file="wide.svm:1", code=2):
        """The message of a run that is refused before it has taken any memory to speak of."""
        before = time.monotonic()
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder)
        _, errors = process.communicate(stdin.encode())
        message = errors.decode()
        self.assertEqual(process.returncode, code, message)
        self.assertTrue(message.startswith(f"linsep: {file}: "), message)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of all children so far
        self.assertLess(peak, FEW, f"{arguments}: {message}")
        self.assertLess(time.monotonic() - before, 20)
        return message

    def test_one_wide_column_under_a_limit(self):
        self.write("wide.svm", WIDE)
        message = self.refusal("train", "wide.svm", "--memory", "1G")
        self.assertRegex(message, r"column 200,000,000 is the widest: 200,000,000 columns need [\d.]+G of memory besides the "
                                  r"rows, and --memory allows 1024M for all: number the columns without gaps, or give "
                                  r"--memory [\d.]+G")
        self.refusal("certify", "wide.svm", "--memory", "1G")

    def test_every_learner_solver_and_way_of_choosing(self):
        self.write("wide.svm", WIDE)
        for options in (
            ("--learner", "perceptron"),
            ("--learner", "perceptron", "--variant", "averaged"),
            ("--learner", "perceptron", "--order", "shuffled"),
            ("--learner", "dual"),
            ("--learner", "basic"),
            ("--learner", "least-squares"),
            ("--learner", "regression"),
            ("--solver", "dual"),
            ("--solver", "planes"),
            ("--loss", "logistic"),
            ("--loss", "squared-hinge", "--solver", "newton"),
            ("--learner", "margin", "--hard"),
            ("--learner", "margin", "--cv", "2"),
            ("--learner", "margin", "--lambdas", "1e-2,1e-3"),
            ("--learner", "margin", "--loss", "logistic", "--probabilities", "platt", "--cv", "2"),
        ):
            with self.subTest(options):
                self.assertIn("column 200,000,000 is the widest", self.refusal("train", "wide.svm", *options, "--memory", "1G"))
        for options in (("--mistakes",), ("--origin",)):
            self.refusal("certify", "wide.svm", *options, "--memory", "1G")

    def test_several_classes_and_label_columns(self):
        self.write("three.svm", THREE)
        for options in ((), ("--learner", "perceptron"), ("--learner", "perceptron", "--multiclass", "joint"),
                        ("--learner", "margin", "--loss", "softmax"), ("--learner", "least-squares"),
                        ("--learner", "margin", "--loss", "logistic", "--cv", "2"), ("--label-sets",)):
            with self.subTest(options):
                message = self.refusal("train", "three.svm", *options, "--memory", "1G", file="three.svm:1")
                self.assertIn("column 99,999,999 is the widest", message)
        for options in ((), ("--jointly",)):
            self.refusal("certify", "three.svm", *options, "--memory", "1G", file="three.svm:1")

    def test_the_line_of_the_widest_column_wherever_it_stands(self):
        comments = "# one\n\n" + "-1 1:1\n" * 14
        self.write("wide.svm", comments + "1 3:1 200000000:1\n" + "1 5:1\n" * 3)
        self.refusal("train", "wide.svm", "--memory", "1G", file="wide.svm:17")
        self.write("more.svm", "1 4:1\n")
        self.refusal("train", "more.svm", "wide.svm", "--memory", "1G", file="wide.svm:17")
        self.run_program("convert", "wide.svm", "-o", "pages.lsp")
        self.refusal("train", "pages.lsp", "--memory", "1G", file="wide.svm:17")
        self.refusal("train", "wide.svm", "--cache", "--memory", "1G", file="wide.svm:17")
        self.refusal("train", "-", "--memory", "1G", stdin=self.read("wide.svm"), file="standard input")
        (self.folder / "wide.svm").unlink()
        self.assertIn("row 15: column 200,000,000 is the widest",
                      self.refusal("train", "pages.lsp", "--memory", "1G", file="pages.lsp"))

    def test_a_map_that_makes_many_columns(self):
        self.write("map.svm", "1 1:1 30:1\n-1 2:1\n1 3:1\n")
        for verb in ("train", "certify"):
            message = self.refusal(verb, "map.svm", "--map", "polynomial:8", "--memory", "1G", file="map.svm:1")
            self.assertIn("column 30 is the widest: 48,903,491 columns need", message)
            self.assertIn("use a map with fewer columns", message)

    def test_a_stream_is_asked_about_when_it_grows(self):
        rows = "1 1:1\n-1 2:1\n" * 50000
        stream = rows + "1 1:1 200000000:1\n" + rows
        message = self.refusal("train", "-", "--online", "--memory", "1G", stdin=stream, file="standard input:100001")
        self.assertIn("column 200,000,000 is the widest", message)
        self.write("wide.svm", stream)
        self.refusal("train", "wide.svm", "--online", "--memory", "1G", file="wide.svm:100001")
        self.refusal("train", "wide.svm", "--online", "--learner", "regression", "--memory", "1G", file="wide.svm:100001")

    def test_without_a_limit_by_what_the_system_leaves(self):
        self.write("wide.svm", "1 4000000000:1\n-1 1:1\n")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))

        if subprocess.run([PROGRAM, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=limit).returncode != 0:
            self.skipTest("this build needs more address space than that")
        for verb in (("train", "wide.svm", "--learner", "perceptron"), ("certify", "wide.svm"),
                     ("train", "wide.svm", "--online")):
            done = subprocess.run([PROGRAM, *verb], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                                  preexec_fn=limit)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertRegex(done.stderr.decode(),
                             r"wide.svm:1: column 4,000,000,000 is the widest: 4,000,000,000 columns need \d+\.\dG of memory "
                             r"besides the rows, and (the process's limit of address space leaves|the machine has|the "
                             r"container's limit leaves) ")

    def test_too_little_address_space_has_one_exit_code_and_advice_that_fits(self):
        self.run_program("generate", "sparse", "--rows", "60000", "--features", "2000", "-o", "rows.svm")
        codes = set()
        for size in (64, 100, 150, 200, 300, 400):
            def limit():
                resource.setrlimit(resource.RLIMIT_AS, (size << 20, size << 20))

            if subprocess.run([PROGRAM, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=limit).returncode != 0:
                continue
            done = subprocess.run([PROGRAM, "train", "rows.svm", "--learner", "margin", "--time", "2", "-o", "m.model"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, preexec_fn=limit)
            codes.add(done.returncode)
            said = done.stderr.decode()
            for advised in re.findall(r"--memory (\d+)M", said):
                self.assertLess(int(advised), size, said)
        self.assertLessEqual(codes, {0, 4})
        self.assertIn(4, codes)

    def test_a_proof_that_has_something_to_say_of_every_column(self):
        """The verdict is known by then: rows that aren't separable have the greater proof."""
        self.write("quasi.svm", "1 1:2 20000:1\n-1 1:1\n1 1:0\n-1 5:1\n1 5:2\n-1 5:3\n")
        message = self.refusal("certify", "quasi.svm", "--memory", "64M", file="quasi.svm:1")
        self.assertIn("column 20,000 is the widest", message)
        self.run_program("certify", "quasi.svm", "--memory", re.search(r"give --memory (\S+)", message).group(1))

    def test_a_model_that_is_read_as_a_whole(self):
        self.write("rows.svm", "1 300000:1\n-1 1:1\n")
        for name in ("model.json", "model.bin"):
            self.run_program("train", "rows.svm", "--learner", "perceptron", "-o", name, "--quiet")
        for verb in ("predict", "evaluate"):
            message = self.complaint(verb, "rows.svm", "-m", "model.json", "--memory", "24M", code=2)
            self.assertIn("model.json: reading this model needs 31M of memory, but --memory allows 24M", message)
            self.run_program(verb, "rows.svm", "-m", "model.json", "--memory", "64M")
            self.run_program(verb, "rows.svm", "-m", "model.bin", "--memory", "64M")

    def test_a_very_long_row(self):
        """Its text must be there as a whole."""
        row = " ".join(f"{k}:1" for k in range(1, 3_000_000))
        self.write("first.svm", f"1 {row}\n-1 1:1\n")
        self.write("later.svm", f"-1 1:1\n1 {row}\n-1 1:1\n")
        for name, line in (("first.svm", 1), ("later.svm", 2)):
            for verb in (("train", name, "--memory", "64M"), ("convert", name, "-o", "x.lsp", "--memory", "64M")):
                message = self.refusal(*verb, file=f"{name}:{line}", code=3)
                self.assertRegex(message, r"a row of more than \d+M doesn't fit into the 64M that --memory allows")


class Taken(CommandLineTest):
    """What fits is taken, and what was said to be enough is."""

    def test_the_size_that_a_refusal_names_is_enough(self):
        self.write("wide.svm", "1 2000000:1\n-1 1:1\n1 7:2\n")
        for verb in (("train", "wide.svm", "--learner", "perceptron"), ("train", "wide.svm", "--learner", "margin"),
                     ("certify", "wide.svm")):
            message = self.complaint(*verb, "--memory", "32M", code=2)
            enough = re.search(r"give --memory (\S+)", message).group(1)
            self.run_program(*verb, "--memory", enough)

    def test_a_kernel_keeps_rows_and_nothing_by_columns(self):
        self.write("wide.svm", WIDE)
        self.run_program("train", "wide.svm", "--learner", "dual", "--kernel", "gaussian", "--memory", "64M", "--quiet")

    def test_small_sets_under_small_limits(self):
        self.run_program("generate", "and", "-o", "and.svm")
        for options in ((), ("--learner", "margin"), ("--learner", "dual"), ("--learner", "margin", "--hard"),
                        ("--learner", "least-squares"), ("--learner", "margin", "--cv", "2")):
            self.run_program("train", "and.svm", *options, "--memory", "64M", "--quiet")


if __name__ == "__main__":
    unittest.main()
