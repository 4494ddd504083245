"""The program itself as workers over MPI and Gloo on four hosts: the same models and answers as alone, and a run whose
worker was killed continues from its checkpoint to the same bits. Skipped where network namespaces can't be made."""

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import cluster

PROGRAM = str(cluster.BUILD / "linsep")


class TrainingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = cluster.set_up()
        if reason:
            raise unittest.SkipTest(reason)
        cls.addClassCleanup(cluster.tear_down)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        before = os.getcwd()
        cls.addClassCleanup(os.chdir, before)
        os.chdir(cls.folder)
        cls.alone("generate", "noisy", "--rows", "3000", "--features", "20", "-o", "noisy.svm")
        cls.alone("generate", "separable", "--rows", "500", "--features", "6", "-o", "separable.svm")

    @classmethod
    def alone(cls, *words):
        return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True, env={**os.environ}).stdout

    def over(self, engine, *words):
        """What the first worker prints."""
        code, output, errors = cluster.Run(engine, PROGRAM, *words).finish(200)
        self.assertEqual(code, 0, errors)
        return output


class Answers(TrainingTest):
    def same_model(self, *words):
        self.alone("train", *words, "-o", "alone.model", "--quiet")
        for engine in cluster.engines():
            with self.subTest(engine=engine):
                self.over(engine, "train", *words, "-o", f"{engine}.model", "--quiet")
                self.assertEqual(Path(f"{engine}.model").read_bytes(), Path("alone.model").read_bytes())

    def test_hinge_by_planes(self):
        self.same_model("noisy.svm", "--learner", "margin", "--solver", "planes")

    def test_logistic_by_newton(self):
        self.same_model("noisy.svm", "--learner", "margin", "--loss", "logistic", "--solver", "newton")

    def test_a_cross_validation_of_several_classes(self):
        self.alone("generate", "classes", "--rows", "600", "--features", "40", "--nonzeros", "8",
                   "--classes", "3", "-o", "classes.svm")
        self.same_model("classes.svm", "--learner", "margin", "--loss", "logistic", "--solver", "newton", "--cv", "3",
                        "--probabilities", "platt")

    def test_least_squares_by_conjugate_gradients(self):
        self.same_model("noisy.svm", "--learner", "least-squares", "--matrix", "cg")

    def test_basic(self):
        self.same_model("noisy.svm", "--learner", "basic")

    def test_the_perceptron_is_the_same_over_both_engines(self):
        models = []
        for engine in cluster.engines():
            answer = json.loads(self.over(engine, "train", "noisy.svm", "--learner", "perceptron", "--passes", "5", "-o", "p.model", "--json"))
            self.assertEqual(answer["rows"], 3000)
            models.append(Path("p.model").read_bytes())
        self.assertEqual(len(set(models)), 1)

    def test_certificates_are_the_same_file(self):
        for data in ("noisy.svm", "separable.svm"):
            self.alone("certify", data, "-o", "alone.cert")
            for engine in cluster.engines():
                with self.subTest(engine=engine, data=data):
                    self.over(engine, "certify", data, "-o", f"{engine}.cert")
                    self.assertEqual(Path(f"{engine}.cert").read_bytes(), Path("alone.cert").read_bytes())


class Resumed(TrainingTest):
    def test_a_killed_worker_then_resume_gives_the_same_bits(self):
        words = ["noisy.svm", "--learner", "margin", "--solver", "planes", "--C", "100", "--gap", "1e-4"]
        self.alone("train", *words, "-o", "alone.model", "--quiet")
        keep = ["--checkpoint", "run.ckpt", "--every", "1", "--resume", "-o", "run.model", "--quiet"]
        for engine in cluster.engines():
            with self.subTest(engine=engine):
                run = cluster.Run(engine, PROGRAM, "train", *words, *keep)
                self.kill_once_it_keeps(run)
                code, _, errors = run.finish(120)
                self.assertNotEqual(code, 0, "the kill came too late")
                self.assertRegex(errors, r"worker 2 \(linsep3\).*resume it with --resume|process rank 2 .*on node linsep3")
                self.assertFalse(Path("run.model").exists())
                self.over(engine, "train", *words, *keep)
                self.assertEqual(Path("run.model").read_bytes(), Path("alone.model").read_bytes())
                for path in [Path("run.model"), *self.folder.glob("run.ckpt.*-of-*.[ab]")]:
                    path.unlink()

    def kill_once_it_keeps(self, run):
        while not list(self.folder.glob("run.ckpt*")) and run.process.poll() is None:
            time.sleep(0.005)
        try:
            cluster.harm(run, 2, "kill")
        except (AssertionError, ProcessLookupError):
            return  # it has ended


if __name__ == "__main__":
    unittest.main()
