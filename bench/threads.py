#!/usr/bin/env python3
"""Every learner with one thread and with two: bench/threads.py [--build build/release] [--repeats 5] [--only WORD]

Runs are interleaved. Prints of each the median seconds of training (as the command tells them) with one thread and with two, of
processor time in all, and of voluntary context switches; ends with 1 where two threads take more than `--most` times the
seconds of one. On a machine that has other work to do, `--clock cpu` judges by processor time instead, with `--most 1.2`, say.
Data sets are made in build/bench-data (or $BENCH_DATA); a9a and w8a are read from $LINSEP_DATA.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MADE = {
    "dense": ["noisy", "--rows", "50000", "--features", "50", "--format", "csv"],
    "small": ["noisy", "--rows", "1000", "--features", "10", "--format", "csv"],
    "sparse": ["sparse", "--rows", "40000"],
    "classes": ["classes", "--rows", "20000", "--features", "200"],
    "separable": ["separable", "--rows", "20000", "--features", "50"],
}
RUNS = {
    "perceptron": ["sparse", "--learner", "perceptron", "--passes", "20"],
    "perceptron, averaged": ["dense", "--learner", "perceptron", "--variant", "averaged", "--passes", "20"],
    "dual form": ["small", "--learner", "dual", "--kernel", "gaussian", "--passes", "20"],
    "basic": ["dense", "--learner", "basic"],
    "least squares": ["dense", "--learner", "least-squares"],
    "regression": ["dense", "--learner", "regression", "--rate", "1e-4", "--passes", "20"],
    "hinge, dual": ["sparse", "--solver", "dual"],
    "hinge, dual, small": ["small", "--solver", "dual"],
    "hinge, interior": ["dense", "--solver", "interior"],
    "hinge, interior, small": ["small", "--solver", "interior"],
    "hinge, planes": ["sparse", "--solver", "planes", "--gap", "0.01"],
    "squared hinge, dual": ["sparse", "--loss", "squared-hinge", "--solver", "dual"],
    "squared hinge, newton": ["sparse", "--loss", "squared-hinge", "--solver", "newton"],
    "logistic": ["sparse", "--loss", "logistic"],
    "logistic, small": ["small", "--loss", "logistic"],
    "softmax": ["classes", "--loss", "softmax"],
    "classes, hinge": ["classes", "--learner", "margin"],
    "classes, perceptron": ["classes", "--learner", "perceptron", "--passes", "10"],
    "folds, hinge, small": ["small", "--cv", "5"],
    "folds, logistic, small": ["small", "--loss", "logistic", "--cv", "5"],
    "folds, hinge": ["sparse", "--cv", "3", "--lambdas", "1e-3,1e-4"],
    "folds, probabilities": ["small", "--probabilities", "platt"],
    "hard margin": ["separable", "--hard"],
}
REAL = {"a9a": ["a9a.svm", "--learner", "margin"], "w8a": ["w8a.svm", "--learner", "margin"]}


def made(name, folder, program):
    path = folder / f"threads-{name}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "generate", *MADE[name], "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def measure(command, model):
    """Seconds of training, processor seconds in all, and voluntary context switches; and the model, to compare."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    answer = json.loads(process.stdout.read())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    figures = (answer["seconds"]["train"], used.ru_utime + used.ru_stime, used.ru_nvcsw)
    return figures, pathlib.Path(model).read_bytes()


def compare(program, words, repeats, folder):
    """{threads: medians} of a run. The models must be the same bytes."""
    figures, models = {1: [], 2: []}, set()
    for _ in range(repeats):
        for threads in figures:
            model = f"{folder}/model.json"
            command = [program, "train", *words, "--threads", str(threads), "--json", "-o", model]
            found, bytes_ = measure(command, model)
            figures[threads].append(found)
            models.add(bytes_)
    if len(models) > 1:
        sys.exit(f"{words}: the number of threads changes the model")
    return {threads: [statistics.median(column) for column in zip(*rows)] for threads, rows in figures.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build" / "release"))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="runs whose names have this word")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--most", type=float, default=1.05)
    given = parser.parse_args()
    program = str(pathlib.Path(given.build).resolve() / "linsep")
    data = pathlib.Path(os.environ.get("BENCH_DATA", ROOT / "build" / "bench-data"))
    runs = {name: [made(words[0], data, program), *words[1:]] for name, words in RUNS.items() if given.only in name}
    if os.environ.get("LINSEP_DATA"):
        real = pathlib.Path(os.environ["LINSEP_DATA"])
        runs |= {name: [str(real / words[0]), *words[1:]] for name, words in REAL.items() if given.only in name}
    print("| run | seconds, 1 | 2 | ratio | processor, 1 | 2 | ratio | switches, 1 | 2 |\n|---|---|---|---|---|---|---|---|---|")
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in runs.items():
            found = compare(program, words, given.repeats, folder)
            wall, cpu = (found[2][k] / max(found[1][k], 1e-9) for k in (0, 1))
            print(f"| {name} | {found[1][0]:.3f} | {found[2][0]:.3f} | {wall:.2f} | {found[1][1]:.3f} | {found[2][1]:.3f} | {cpu:.2f} | "
                  f"{found[1][2]:.0f} | {found[2][2]:.0f} |", flush=True)
            slow += (wall if given.clock == "wall" else cpu) > given.most
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
