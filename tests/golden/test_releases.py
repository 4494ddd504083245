"""Models, certificates and page files of every release are read by today's program, and say what they said then.

A folder X.Y beside this file holds what release X.Y wrote: rows, a model of each kind with its predictions, proofs and a page file.
It never changes. With --make X.Y the program that LINSEP names writes such a folder; a release adds its own (RELEASING.md).
"""

import gzip
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

RUNNER = shlex.split(os.environ.get("LINSEP_RUNNER", ""))  # such as qemu-aarch64, for a program of another machine
PROGRAM = os.path.abspath(os.environ["LINSEP"])
HERE = pathlib.Path(__file__).resolve().parent

TABLE = ["--label", "outcome", "--id", "patient"]
ROWS = {
    "noisy.svm": "generate noisy --rows 40 --features 3",
    "classes.svm": "generate classes --rows 40 --features 6 --nonzeros 4 --classes 3",
    "patients.csv": "generate patients --rows 40",
}
# Name: rows and options of train. A model of more than 100,000 numbers is binary; it is kept compressed.
MODELS = {
    "perceptron": ("noisy.svm", "--learner perceptron --passes 5"),
    "voted": ("noisy.svm", "--learner perceptron --variant voted --passes 2"),
    "dual": ("noisy.svm", "--learner dual --kernel polynomial --passes 5"),
    "basic": ("noisy.svm", "--learner basic"),
    "least-squares": ("noisy.svm", "--learner least-squares"),
    "regression": ("noisy.svm", "--learner regression --passes 3 --rate 1e-4"),
    "products": ("noisy.svm", "--learner perceptron --map products --passes 5"),
    "hinge": ("noisy.svm", "--learner margin"),
    "squared-hinge": ("noisy.svm", "--learner margin --loss squared-hinge"),
    "logistic": ("noisy.svm", "--learner margin --loss logistic"),
    "platt": ("noisy.svm", "--learner margin --probabilities platt"),
    "isotonic": ("noisy.svm", "--learner margin --probabilities isotonic"),
    "rest": ("classes.svm", "--learner margin"),
    "softmax": ("classes.svm", "--learner margin --loss softmax"),
    "table": ("patients.csv", "--label outcome --id patient --loss logistic"),
    "labels": ("weather.csv", "--learner margin --labels rain,wind"),
    "wide": ("wide.svm", "--learner basic"),
}
PROBABILITIES = {"logistic", "platt", "isotonic", "softmax", "table"}
PROOFS = {
    "noisy": ("noisy.svm", "--mistakes --limit 5"),
    "xor": ("xor.svm", ""),
    "classes": ("classes.svm", ""),
    "table": ("patients.csv", "--label outcome --id patient"),
}
WRITTEN = {
    "wide.svm": "-1 1:1\n1 2:0.5 100001:1\n",
    "xor.svm": "-1 1:0 2:0\n1 1:0 2:1\n1 1:1 2:0\n-1 1:1 2:1\n",
    "weather.csv": "pressure,humidity,rain,wind\n990,80,yes,yes\n1000,90,yes,no\n1020,30,no,no\n"
                   "995,40,no,yes\n1015,85,yes,no\n1005,35,no,no\n",
}


def run(folder, *arguments, codes=(0,)):
    done = subprocess.run([*RUNNER, PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in codes:
        raise AssertionError(f"linsep {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def predict(folder, name, rows, model):
    label = TABLE if rows == "patients.csv" else []
    return run(folder, "predict", rows, "-m", model, *label, "--scores", *(["--probabilities"] if name in PROBABILITIES else []))


def make(folder):
    folder.mkdir()
    for name, text in WRITTEN.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    for name, command in ROWS.items():
        run(folder, *command.split(), "-o", name)
    for name, (rows, options) in MODELS.items():
        model = f"{name}.model" if name == "wide" else f"{name}.json"
        run(folder, "train", rows, *options.split(), "-o", model, "--json")
        (folder / f"{name}.predictions").write_text(predict(folder, name, rows, model), encoding="utf-8", newline="")
        if name == "wide":
            (folder / "wide.model.gz").write_bytes(gzip.compress((folder / model).read_bytes(), 9, mtime=0))
            (folder / model).unlink()
    for name, (rows, options) in PROOFS.items():
        run(folder, "certify", rows, *options.split(), "-o", f"{name}.proof.json", "--json", codes=(0, 3))
    run(folder, "convert", "noisy.svm", "-o", "noisy.lsp")


def fields(text):
    """Words and numbers of every line."""
    def value(word):
        try:
            return float(word)
        except ValueError:
            return word
    return [[value(word) for word in line.replace(",", " ").split()] for line in text.splitlines()]


class Releases(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def same(self, found, wanted):
        """Words are equal, numbers to 1e-9."""
        found, wanted = fields(found), fields(wanted)
        self.assertEqual([len(line) for line in found], [len(line) for line in wanted])
        for line, (ours, theirs) in enumerate(zip(found, wanted), 1):
            for one, other in zip(ours, theirs):
                if isinstance(one, float) and isinstance(other, float):
                    self.assertTrue(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12), f"line {line}: {one} and {other}")
                else:
                    self.assertEqual(one, other, f"line {line}")

    def copied(self, release):
        here = self.folder / release.name
        shutil.copytree(release, here, copy_function=shutil.copyfile)
        for packed in here.glob("*.gz"):
            packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        return here

    def test_there_is_a_release(self):
        self.assertIn("0.1", [release.name for release in releases()])

    def test_models_predict_what_they_predicted(self):
        for release in releases():
            here = self.copied(release)
            for wanted in sorted(here.glob("*.predictions")):
                name = wanted.stem
                model = next(path.name for path in (here / f"{name}.json", here / f"{name}.model") if path.exists())
                with self.subTest(release=release.name, model=name):
                    self.same(predict(here, name, MODELS[name][0], model), wanted.read_text(encoding="utf-8"))
                    run(here, "inspect", model)

    def test_proofs_are_valid(self):
        for release in releases():
            here = self.copied(release)
            for proof in sorted(here.glob("*.proof.json")):
                name = proof.name.removesuffix(".proof.json")
                rows = PROOFS[name][0]
                with self.subTest(release=release.name, proof=name):
                    reading = TABLE if rows == "patients.csv" else []
                    self.assertIn("valid", run(here, "verify", proof.name, rows, *reading))

    def test_a_page_file_gives_the_predictions_of_its_text(self):
        for release in releases():
            with self.subTest(release=release.name):
                here = self.copied(release)
                found = run(here, "predict", "noisy.lsp", "-m", "hinge.json", "--scores")
                self.same(found, (here / "hinge.predictions").read_text(encoding="utf-8"))


def releases():
    return sorted(path for path in HERE.iterdir() if path.is_dir() and path.name[0].isdigit())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(HERE / sys.argv[2])
    else:
        unittest.main()
