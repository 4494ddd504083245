"""What a job that runs every night meets: files without rows, other columns, classes the other way round, runs cut short."""

import json
import random
import resource
import signal
import subprocess
import time
import unittest

from program import PROGRAM, CommandLineTest


class NightlyTest(CommandLineTest):
    def patients(self, name, seed, *options, rows=600):
        self.run_program("generate", "patients", "--rows", rows, "--seed", seed, "-o", f"{name}.csv")
        if options:
            self.run_program("train", f"{name}.csv", "--id", "patient", "--quiet", *options)
        return f"{name}.csv"

    def plain(self, name, seed, rows=400, columns=("a", "b", "c"), label="y"):
        """Numbers in columns that matter in different ways, and words as labels."""
        draw = random.Random(seed)
        weights = {"a": 3, "b": -2, "c": 0.5}
        lines = [",".join([*columns, label])]
        for _ in range(rows):
            x = {column: draw.gauss(0, 1) for column in "abcd"}
            z = sum(weights.get(column, 0) * x[column] for column in x) + 0.3
            lines.append(",".join([*(f"{x[column]:.4f}" for column in columns), "ill" if z > 0 else "well"]))
        return self.write(name, "\n".join(lines) + "\n")

    def error_of(self, data, model):
        return self.answer("evaluate", data, "-m", model)["error"]


class NoRows(NightlyTest):
    def test_evaluate_has_no_figures_of_no_rows(self):
        data = self.patients("d1", 1, "--positive", "disease", "--loss", "logistic", "-o", "m.json")
        self.write("empty.csv", "")
        self.write("header.csv", self.read(data).splitlines()[0] + "\n")
        for name in ("empty.csv", "header.csv"):
            for more in ((), ("--json",), ("--no-auc",)):
                with self.subTest(name, more=more):
                    self.complaint("evaluate", name, "-m", "m.json", *more, code=3)
        self.assertIn("there are no rows to evaluate the model on",
                      self.complaint("evaluate", "header.csv", "-m", "m.json", code=3))

    def test_nor_of_rows_without_a_finite_score(self):
        self.write("start.svm", "1 1:1\n-1 1:-1\n1 2:1\n-1 2:-1\n")
        self.run_program("train", "start.svm", "--loss", "logistic", "-o", "m.json")
        model = json.loads(self.read("m.json"))
        self.write("m.json", json.dumps(model | {"theta": [1e200, 1e200]}))
        self.write("rows.svm", "-1 1:1e200\n1 2:1e200\n")
        told = self.answer("evaluate", "rows.svm", "-m", "m.json", "--double")
        self.assertEqual((told["error"], told["not_finite"]), (1, 2))
        self.assertIsNone(told["probabilities"]["log_loss"])
        self.assertIsNone(told["probabilities"]["brier"])
        self.assertIn("log loss undefined", self.words("evaluate", "rows.svm", "-m", "m.json", "--double"))


class Starts(NightlyTest):
    """`--init MODEL` matches classes and columns by name."""

    PERCEPTRON = ("--learner", "perceptron", "--passes", "1", "--rate", "1e-9", "--quiet")

    def test_classes_the_other_way_round_are_turned(self):
        first, second = self.plain("1.csv", 1), self.plain("2.csv", 2)
        self.run_program("train", first, "--learner", "perceptron", "--positive", "ill", "--quiet", "-o", "m.json")
        good = self.error_of(second, "m.json")
        self.assertLess(good, 0.2)
        # With so small a rate the start is the model.
        for more in (("--positive", "ill"), ("--positive", "well"), (), ("--online", "--classes", "well,ill"),
                     ("--online", "--classes", "ill,well")):
            with self.subTest(more):
                self.run_program("train", second, "--init", "m.json", *self.PERCEPTRON, *more, "-o", "next.json")
                self.assertLess(self.error_of(second, "next.json"), good + 0.1)

    def test_other_classes_are_refused(self):
        self.run_program("train", self.plain("1.csv", 1), "--learner", "perceptron", "--quiet", "-o", "m.json")
        other = self.write("2.csv", self.read("1.csv").replace("ill", "dead"))
        self.assertIn("the model to start from has the classes 'ill' and 'well', but the data have 'dead' and 'well'",
                      self.complaint("train", other, "--init", "m.json", *self.PERCEPTRON, code=2))

    def test_columns_in_another_order_are_matched_by_name(self):
        self.run_program("train", self.plain("1.csv", 1), "--learner", "perceptron", "--quiet", "-o", "m.json")
        turned = self.plain("2.csv", 2, columns=("c", "b", "a"))
        good = self.error_of(self.plain("3.csv", 2), "m.json")
        self.run_program("train", turned, "--init", "m.json", *self.PERCEPTRON, "-o", "next.json")
        self.assertLess(self.error_of(turned, "next.json"), good + 0.1)
        self.assertEqual(json.loads(self.read("next.json"))["feature_names"], ["c", "b", "a"])

    def test_columns_more_or_fewer_are_named(self):
        self.run_program("train", self.plain("1.csv", 1), "--learner", "perceptron", "--quiet", "-o", "m.json")
        more = self.plain("2.csv", 2, columns=("a", "d", "b", "c"))
        message = self.complaint("train", more, "--init", "m.json", *self.PERCEPTRON, code=2)
        self.assertIn("the data have the column 'd', which the model to start from doesn't have: --ignore", message)
        self.run_program("train", more, "--init", "m.json", "--ignore", "d", *self.PERCEPTRON)
        fewer = self.plain("3.csv", 2, columns=("a", "b"))
        self.assertIn("the model to start from has the column 'c', which the data don't have",
                      self.complaint("train", fewer, "--init", "m.json", *self.PERCEPTRON, code=2))

    def test_without_names_the_number_of_features_must_agree(self):
        self.write("3.svm", "1 1:1 3:1\n-1 2:1\n")
        self.run_program("train", "3.svm", "--learner", "perceptron", "--quiet", "-o", "m.json")
        for count, code in ((2, 2), (3, 0), (4, 2)):
            data = self.write("other.svm", f"1 1:1 {count}:1\n-1 2:1\n" if count > 2 else "1 1:1\n-1 2:1\n")
            self.run_program("train", data, "--init", "m.json", *self.PERCEPTRON, code=code)

    def test_a_table_asks_for_the_same_encoding(self):
        self.patients("d1", 1, "--positive", "disease", "--loss", "logistic", "-o", "m.json")
        second = self.patients("d2", 2)
        words = ("--id", "patient", "--loss", "logistic", "--init", "m.json", "--passes", "3")
        self.assertIn("--table with this model encodes these rows alike", self.complaint("train", second, *words, "--quiet", code=2))
        self.run_program("train", second, *words, "--table", "m.json", "--quiet", "-o", "next.json")
        self.assertLess(self.error_of(second, "next.json"), self.error_of(second, "m.json") + 0.05)


class CutShort(NightlyTest):
    def test_a_gap_that_is_required(self):
        data = self.patients("d1", 1)
        words = ("train", data, "--id", "patient", "--loss", "logistic", "--require-gap", "-o", "m.json")
        self.run_program(*words, "--quiet")
        before = self.read("m.json")
        message = self.complaint(*words, "--passes", "1", code=6)
        self.assertIn("no model was written to m.json, because --require-gap is given and the objective is", message)
        self.assertIn("allow more --passes", message)
        self.assertEqual(self.read("m.json"), before)
        done = self.run_program(*words, "--passes", "1", "--json", code=6)
        error = json.loads(done.stderr)["error"]
        self.assertEqual((done.stdout, error["kind"], error["exit_code"]), (b"", "unfinished", 6))
        self.run_program(*words, "--passes", "1", "--quiet", code=6)
        self.assertIn("proves none", self.complaint("train", data, "--learner", "perceptron", "--require-gap", code=2))

    def test_no_pass_leaves_no_model(self):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        self.write("m.json", "yesterday's")
        message = self.complaint("train", "noisy.svm", "--time", "1e-9", "-o", "m.json", code=6)
        self.assertIn("no model was written to m.json, because the time was over before the first pass was", message)
        self.assertEqual(self.read("m.json"), "yesterday's")

    def terminated(self, *options):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        run = subprocess.Popen([PROGRAM, "train", "noisy.svm", "--learner", "perceptron", "--passes", "1000000", "-o", "m.json",
                                *options], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 143)
        return out.decode(), err.decode()

    def test_sigterm_leaves_the_old_file(self):
        self.write("m.json", "yesterday's")
        out, err = self.terminated()
        self.assertEqual(self.read("m.json"), "yesterday's")
        self.assertNotIn("written to", out)
        self.assertEqual(err, "linsep: training was interrupted; no model was written to m.json (--keep-partial writes the one "
                              "reached by then)\n")
        self.assertIsNone(json.loads(self.terminated("--json")[0])["model"])
        self.terminated("--keep-partial")
        self.run_program("evaluate", "noisy.svm", "-m", "m.json")


class OneClass(NightlyTest):
    def test_is_refused(self):
        lines = self.read(self.plain("1.csv", 1)).splitlines()
        self.write("well.csv", "\n".join(line for line in lines if not line.endswith("ill")) + "\n")
        for words in (("--positive", "ill"), ("--classes", "well,ill"), ("--positive", "ill", "--hard"),
                      ("--positive", "ill", "--learner", "basic")):
            message = self.complaint("train", "well.csv", *words, "-o", "m.json", code=3)
            self.assertIn("every row is of the class 'well': a model would give this answer to every row", message)
            self.assertFalse((self.folder / "m.json").exists())


class Memory(NightlyTest):
    def test_a_plan_for_more_than_there_is_is_refused_with_what_would_fit(self):
        draw = random.Random(1)
        rows = [f"{1 if i % 2 else -1} " + " ".join(f"{j}:1" for j in sorted(draw.sample(range(1, 9001), 5))) for i in range(300)]
        self.write("wide.svm", "\n".join([*rows, "1 9000:1"]) + "\n")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))

        def run(*words):
            return subprocess.run([PROGRAM, "train", "wide.svm", "--penalty", "l1", "-o", "m.json", *words], cwd=self.folder,
                                  capture_output=True, preexec_fn=limit)

        if run("--loss", "squared-hinge").returncode != 0:
            self.skipTest("this build needs more address space than that")
        began = time.monotonic()
        done = run("--loss", "hinge", "--solver", "interior")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr.decode(), r"this run needs [\d.]+G of memory besides the rows, and the process's limit of address "
                                               r"space leaves [\d.]+[GM]: --solver auto needs [\d.]+M and --solver dual needs [\d.]+M")
        self.assertLess(time.monotonic() - began, 20)
        fits = run("--loss", "hinge", "--passes", "3")
        self.assertIn(fits.returncode, (0, 1), fits.stderr)


class Encode(NightlyTest):
    def test_writes_the_labels_that_a_table_has(self):
        data = self.plain("1.csv", 1)
        self.run_program("train", data, "--quiet", "-o", "m.json")
        labels = [line.rsplit(",", 1)[1] for line in self.read(data).splitlines()[1:]]
        done = self.run_program("encode", data, "-m", "m.json", "--short")
        self.assertEqual([line.split()[0] for line in done.stdout.decode().splitlines()], labels)
        self.assertEqual(done.stderr, b"")

    def test_and_says_when_there_are_none(self):
        data = self.plain("1.csv", 1)
        self.run_program("train", data, "--quiet", "-o", "m.json")
        self.write("new.csv", "\n".join(line.rsplit(",", 1)[0] for line in self.read(data).splitlines()) + "\n")
        done = self.run_program("encode", "new.csv", "-m", "m.json", "--short")
        self.assertEqual({line.split()[0] for line in done.stdout.decode().splitlines()}, {"0"})
        self.assertIn("No labels were found, so every row is written with the label 0", done.stderr.decode())

    def test_a_label_that_is_missing_further_down_is_an_error(self):
        data = self.plain("1.csv", 1)
        self.run_program("train", data, "--quiet", "-o", "m.json")
        lines = self.read(data).splitlines()
        lines[9] = lines[9].rsplit(",", 1)[0] + ","
        self.write("gap.csv", "\n".join(lines) + "\n")
        self.assertIn("gap.csv:10", self.complaint("encode", "gap.csv", "-m", "m.json", code=3))


if __name__ == "__main__":
    unittest.main()
