"""Several workers under a real `mpirun`: one report, and the answers of one worker."""

import json
import os
import random
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, CommandLineTest

MPIRUN = shutil.which("mpirun")
MODULE = Path(PROGRAM).parent / "liblinsep_mpi.so"


def drawn_rows(count, seed=1):
    """Rows of two classes that overlap a little, with blank lines and comments between them."""
    draw = random.Random(seed)
    for i in range(count):
        y = draw.choice([-1, 1])
        values = " ".join(f"{j}:{round(draw.gauss(0.6 * y * (j < 4), 1), 2)}" for j in range(1, 9) if draw.random() < 0.8)
        yield f"{y} {values} # row {i}\n" + ("\n" if i % 10 == 0 else "")


@unittest.skipUnless(MPIRUN and MODULE.exists(), "no MPI")
class Workers(CommandLineTest):
    def setUp(self):
        super().setUp()
        rows = list(drawn_rows(400))
        self.write("all.svm", "".join(rows))
        self.shards = [self.write(f"shard-{k}.svm", "".join(rows[k * 80 : k * 80 + 80])) for k in range(5)]

    def workers(self, count, *arguments, code=0):
        """`mpirun -n COUNT linsep ARGUMENTS`; what mpirun itself says is left out."""
        done = subprocess.run(
            [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(count), PROGRAM, *map(str, arguments)],
            capture_output=True, text=True, cwd=self.folder, timeout=300, stdin=subprocess.DEVNULL,
        )
        self.assertEqual(done.returncode, code, f"{count} × linsep {arguments}: {done.stdout}{done.stderr}")
        return done

    def object_of(self, count, *arguments):
        lines = self.workers(count, *arguments, "--json").stdout.splitlines()
        self.assertEqual(len(lines), 1, "one worker speaks")
        return without_times(json.loads(lines[0]))

    def test_proofs_about_models_are_the_same_file(self):
        lines = [f"{i * 37 % 101 / 10},{i * 53 % 89 / 7:.3f},{1 + i % 4 / 4},{'ab'[i * 29 % 31 > 15]}" for i in range(400)]
        csv = self.write("weighed.csv", "\n".join(["x,y,w,class", *lines]) + "\n")
        reading = ["--label", "class", "--weight", "w"]
        for data, options in (("all.svm", []), (csv, reading)):
            for loss in ("logistic", "squared-hinge", "hinge"):
                scale = ["--scale", "none"] if options else []
                self.run_program("train", data, *options, *scale, "--loss", loss, "-o", "m.json", "--proof", "p.json", "--quiet")
                checks = [self.object_of(count, "verify", "p.json", data, *options) for count in (1, 2, 4)]
                self.assertTrue(checks[0]["valid"], loss)
                self.assertEqual(checks[1:], checks[:1] * 2, loss)
                proof = json.loads(self.read("p.json"))
                proof["at_least"] = proof["at_most"]
                self.write("forged.json", json.dumps(proof))
                for count in (1, 3):
                    self.workers(count, "verify", "forged.json", data, *options, code=1)
                if loss == "hinge":
                    said = self.workers(2, "certify", data, *options, "--model", "m.json", "-o", "q.json", code=2).stderr
                    self.assertIn("by a single worker so far", said)
                    continue
                made = []
                for count in (1, 2, 4):
                    self.workers(count, "certify", data, *options, "--model", "m.json", "-o", "q.json")
                    made.append(self.read("q.json"))
                    self.assertTrue(self.object_of(count, "verify", "m.json", data, *options)["valid"])
                self.assertEqual(made[1:], made[:1] * 2, loss)
        self.workers(3, "train", "all.svm", "--loss", "logistic", "-o", "m.json", "--proof", "p.json")
        self.assertTrue(self.answer("verify", "p.json", "all.svm")["valid"])
        self.assertTrue(self.answer("verify", "m.json", "all.svm")["valid"])
        self.write("other.svm", self.read("all.svm").replace(":0.", ":1.", 1))
        self.assertIn("digests differ", self.workers(3, "verify", "p.json", "other.svm", code=1).stdout)

    def test_learners_whose_sums_are_exact_give_the_same_model(self):
        for options in (
            ["--learner", "basic"],
            ["--learner", "least-squares", "--matrix", "diagonal"],
            ["--learner", "margin", "--loss", "logistic"],
            ["--learner", "margin", "--solver", "planes"],
        ):
            models = []
            for count in (1, 2, 4):
                told = self.workers(count, "train", "all.svm", *options, "-o", "m.json").stdout
                self.assertEqual(told.count("400 rows × 8 features"), 1, told)
                self.assertEqual(told.count(f"shared by {count} workers"), 0 if count == 1 else 1, told)
                models.append(self.read("m.json"))
            self.assertEqual(models[1], models[2], options)
            if "planes" in options or "margin" not in options:
                self.assertEqual(models[0], models[1], options)

    def test_a_choice_of_lambda_is_that_of_one_worker(self):
        for options in (
            ["--solver", "planes", "--lambdas", "0.1,0.01", "--cv", "3"],
            ["--loss", "logistic", "--solver", "newton", "--cv", "3", "--probabilities", "isotonic"],
            ["--loss", "squared-hinge", "--solver", "newton", "--Cs", "0.01,0.1", "--class-weight", "balanced"],
        ):
            words = ["train", "all.svm", "--learner", "margin", *options, "-o", "m.json"]
            alone = without_times(self.answer(*words))
            model = self.read("m.json")
            several = self.object_of(3, *words)
            self.assertEqual(several.pop("workers"), 3)
            self.assertEqual(several, alone)
            self.assertEqual(self.read("m.json"), model)

    def test_the_softmax_loss_gives_the_model_and_probabilities_of_one_worker(self):
        self.run_program("generate", "classes", "--rows", "500", "--features", "40", "--classes", "4", "-o", "classes.svm")
        softmax = ("--learner", "margin", "--loss", "softmax")
        self.run_program("train", "classes.svm", *softmax, "-o", "alone.json")
        expected = self.words("predict", "classes.svm", "-m", "alone.json", "--probabilities")
        alone = without_times(self.answer("evaluate", "classes.svm", "-m", "alone.json"))
        for count in (2, 3):
            self.workers(count, "train", "classes.svm", *softmax, "-o", "m.json")
            self.assertEqual(self.read("m.json"), self.read("alone.json"))
            self.assertEqual(self.workers(count, "predict", "classes.svm", "-m", "m.json", "--probabilities").stdout, expected)
            self.assertEqual(self.object_of(count, "evaluate", "classes.svm", "-m", "m.json"), alone)

    def test_a_perceptron_is_the_same_for_the_same_number_of_workers(self):
        for count in (2, 4):
            for data in (["all.svm"], self.shards):
                self.workers(count, "train", *data, "--passes", "7", "-o", f"{len(data)}.json")
            again = self.read("1.json")
            self.workers(count, "train", "all.svm", "--passes", "7", "-o", "1.json")
            self.assertEqual(self.read("1.json"), again)
            self.assertTrue(json.loads(again))

    def test_json_and_logs_are_one_workers(self):
        answer = self.object_of(4, "train", "all.svm", "--passes", "3", "--log", "log.jsonl")
        self.assertEqual((answer["rows"], answer["passes"], answer["workers"]), (400, 3, 4))
        self.assertEqual([(line["pass"], line["rows"]) for line in self.read_lines("log.jsonl")], [(1, 400), (2, 400), (3, 400)])

    def test_a_page_file_is_shared_by_pages(self):
        many = self.write("many.svm", "".join(drawn_rows(24000, 3)))
        pages = json.loads(self.words("convert", many, "--double", "-o", "many.lsp", "--json"))["pages"]
        self.assertGreaterEqual(pages, 2)
        self.run_program("train", many, "--double", "--learner", "basic", "-o", "alone.json")
        self.run_program("certify", many, "-o", "proof.json")
        for more in ([], ["--memory", "200M"]):
            self.workers(2, "train", "many.lsp", "--learner", "basic", "-o", "together.json", *more)
            self.assertEqual(self.read("together.json"), self.read("alone.json"))
            self.workers(2, "certify", "many.lsp", "-o", "together.json", *more)
            self.assertEqual(self.read("together.json"), self.read("proof.json"))
        expected = self.words("predict", many, "-m", "alone.json")
        self.assertEqual(self.workers(2, "predict", "many.lsp", "-m", "alone.json").stdout, expected)

    def test_rows_stay_on_disk(self):
        many = [self.write(f"many-{k}.svm", "".join(drawn_rows(9000, 4 + k))) for k in range(2)]
        for options in (["--learner", "basic"], ["--passes", "3"]):
            self.workers(2, "train", *many, *options, "-o", "memory.json")
            for more in (["--memory", "200M"], ["--cache"], ["--cache", "--memory", "200M"], ["--cache", "--memory", "2G"]):
                self.workers(2, "train", *many, *options, "-o", "pages.json", *more)
                self.assertEqual(self.read("pages.json"), self.read("memory.json"), more)
        self.run_program("train", *many, "--learner", "basic", "--cache", "-o", "alone.json")
        for count in (2, 3):
            self.workers(count, "train", *many, "--learner", "basic", "--cache", "-o", "pages.json")
            self.assertEqual(self.read("pages.json"), self.read("alone.json"), count)
        names = sorted(path.name for path in self.folder.glob("*.lsp"))
        self.assertIn("many-0.svm.lsp", names)
        self.assertIn("many-0.svm.1-of-3.lsp", names)
        self.run_program("certify", *many, "-o", "alone.json")
        self.workers(2, "certify", *many, "--memory", "200M", "-o", "pages.json")
        self.assertEqual(self.read("pages.json"), self.read("alone.json"))
        self.assertIn("needs a single worker", self.workers(2, "convert", *many, "-o", "x.lsp", code=2).stderr)

    def test_the_hard_margin_is_proven_for_all_rows(self):
        rows = [f"{1 if i % 9 > 4 else -1} 1:{i % 9} 2:{(i * 7) % 11} 3:{i % 5}.5\n" for i in range(90)]
        self.write("separable.svm", "".join(rows))
        alone = self.answer("train", "separable.svm", "--learner", "margin", "--hard")
        for count in (2, 4):
            together = self.object_of(count, "train", "separable.svm", "--learner", "margin", "--hard", "--proof", "p.json", "-o", "m.json")
            self.assertAlmostEqual(together["margin"], alone["margin"], delta=1e-3 * alone["margin"])
            self.assertLessEqual(together["margin"], alone["margin_at_most"])
            self.run_program("verify", "p.json", "separable.svm")
        self.write("overlapping.svm", "".join(rows) + "1 1:0 2:0 3:0.5\n")
        self.assertIn("there is no hard margin", self.workers(3, "train", "overlapping.svm", "--learner", "margin", "--hard", code=3).stderr)

    def test_certify_writes_the_same_proof(self):
        overlapping = self.write("overlapping.svm", "".join(drawn_rows(120, 2)))
        separable = self.write("separable.svm", "".join(f"{1 if i % 7 > 3 else -1} 1:{i % 7} 2:{i}\n" for i in range(60)))
        for data in ([overlapping], [separable], self.shards):
            self.run_program("certify", *data, "-o", "alone.json")
            alone = without_times(self.answer("certify", *data))
            for count in (2, 4):
                self.workers(count, "certify", *data, "-o", "together.json")
                self.assertEqual(self.read("together.json"), self.read("alone.json"))
                self.assertEqual(self.object_of(count, "certify", *data), alone)

    def test_predictions_come_in_the_order_of_the_rows(self):
        self.run_program("train", "all.svm", "--learner", "margin", "--loss", "logistic", "-o", "m.json")
        expected = self.words("predict", "all.svm", "-m", "m.json", "--scores", "--probabilities")
        for count in (1, 2, 4):
            self.assertEqual(self.workers(count, "predict", "all.svm", "-m", "m.json", "--scores", "--probabilities").stdout, expected)
            self.workers(count, "predict", *self.shards, "-m", "m.json", "--scores", "--probabilities", "-o", "p.tsv")
            self.assertEqual(self.read("p.tsv"), expected)
        self.assertEqual(self.object_of(4, "predict", "all.svm", "-m", "m.json", "-o", "p.tsv")["rows"], 400)

    def test_evaluate_says_the_same(self):
        self.run_program("train", "all.svm", "--learner", "margin", "--loss", "logistic", "-o", "m.json")
        alone = without_times(self.answer("evaluate", "all.svm", "-m", "m.json"))
        for count in (1, 2, 4):
            self.assertEqual(self.object_of(count, "evaluate", *self.shards, "-m", "m.json"), alone)

    def test_a_bad_line_is_told_once(self):
        self.write("bad.svm", "1 1:1\n-1 2:2\n\n1 1:x\n")
        files = [*self.shards[:2], "bad.svm", *self.shards[2:]]
        self.run_program("train", "all.svm", "-o", "m.json")
        for verb in (["train"], ["certify"], ["evaluate", "-m", "m.json"], ["predict", "-m", "m.json", "-o", "p"]):
            for count in (2, 4):
                done = self.workers(count, verb[0], *files, *verb[1:], code=3)
                self.assertEqual(re.findall(r"linsep: .*", done.stderr), ["linsep: bad.svm:4:5: expected a number, found 'x'"])
        self.assertFalse((self.folder / "p").exists())

    def test_a_value_too_small_for_a_proof_is_told_once(self):
        self.write("tiny.svm", "1 1:1\n-1 2:2\n1 1:-1e-400\n")
        for count in (2, 4):
            done = self.workers(count, "certify", *self.shards, "tiny.svm", code=3)
            self.assertEqual(len(re.findall(r"linsep: tiny.svm:3:5: '-1e-400' is too small for a double", done.stderr)), 1)

    def test_what_is_for_one_worker_is_refused_once(self):
        for options, word in (
            (["--online"], "--online"),
            (["--learner", "dual"], "dual perceptron"),
        ):
            done = self.workers(2, "train", "all.svm", *options, code=2)
            said = re.findall(r"linsep: .*", done.stderr)
            self.assertEqual(len(said), 1, done.stderr)
            self.assertIn(word, said[0])
            self.assertRegex(said[0], "(single|one) worker")

    def test_more_workers_than_rows(self):
        few = self.write("few.svm", "1 1:1\n-1 1:2\n")
        done = self.workers(4, "train", few, code=3)
        self.assertIn("few.svm: 2 rows for 4 workers: 2 would get none; start fewer workers", done.stderr)
        self.assertEqual(self.object_of(4, "certify", few), without_times(self.answer("certify", few)))


def without_times(answer):
    return {key: value for key, value in answer.items() if key != "seconds"}


if __name__ == "__main__":
    unittest.main()
