#!/usr/bin/env python3
"""How far runs go beyond `--time`: bench/limits.py [--build build/release] [--seconds 1] [--only WORD] [train|certify]

Goes through learners, solvers, losses and maps, and through the ways of `certify`, on rows with which a pass or a step takes
longer than the time given. Prints the seconds behind the limit, reading not counted (`--time` counts from behind it),
worst first; ends with 1 where one is above `--most`. Data sets are made in build/bench-data (or $BENCH_DATA).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MADE = {
    "dense": ["noisy", "--rows", "40000", "--features", "800"],
    "narrow": ["noisy", "--rows", "30000", "--features", "40"],
    "sep": ["separable", "--rows", "6000", "--features", "1500"],
    "sparse": ["sparse", "--rows", "200000"],
    "classes": ["classes", "--rows", "30000"],
    "noisy12": ["noisy", "--rows", "150000", "--features", "12"],
    "noisy400": ["noisy", "--rows", "4000", "--features", "400"],
}
MARGIN = ["--learner", "margin", "--gap", "1e-12"]
TRAIN = {
    "perceptron": ["dense", "--learner", "perceptron", "--passes", "100000"],
    "perceptron voted": ["dense", "--learner", "perceptron", "--variant", "voted", "--passes", "100000"],
    "perceptron polynomial:4": ["narrow", "--learner", "perceptron", "--map", "polynomial:4", "--passes", "100000"],
    "perceptron from basic": ["dense", "--learner", "perceptron", "--init", "basic", "--passes", "100000"],
    "dual form, gaussian": ["narrow", "--learner", "dual", "--kernel", "gaussian", "--passes", "1000"],
    "dual form, gaussian, no cache": ["narrow", "--learner", "dual", "--kernel", "gaussian", "--gram-cache", "0", "--passes", "1000"],
    "dual form, polynomial": ["dense", "--learner", "dual", "--kernel", "polynomial", "--passes", "1000"],
    "dual form, linear": ["narrow", "--learner", "dual", "--passes", "1000"],
    "basic": ["dense", "--learner", "basic"],
    "regression": ["dense", "--learner", "regression", "--rate", "1e-6", "--passes", "100000"],
    "least squares, full": ["dense", "--learner", "least-squares", "--matrix", "full"],
    "least squares, cg": ["dense", "--learner", "least-squares", "--matrix", "cg", "--tolerance", "1e-300", "--passes", "100000"],
    "least squares, polynomial:2": ["narrow", "--learner", "least-squares", "--map", "polynomial:2", "--matrix", "full"],
    "hinge, dual": ["dense", *MARGIN, "--solver", "dual", "--C", "1000"],
    "hinge, dual, sparse": ["sparse", *MARGIN, "--solver", "dual", "--C", "1000"],
    "hinge, interior": ["dense", *MARGIN, "--solver", "interior"],
    "hinge, planes": ["dense", *MARGIN, "--solver", "planes"],
    "hinge, planes, sparse": ["sparse", *MARGIN, "--solver", "planes"],
    "hinge, auto": ["dense", *MARGIN],
    "hinge, polynomial:4": ["narrow", *MARGIN, "--map", "polynomial:4"],
    "squared hinge, dual": ["dense", *MARGIN, "--loss", "squared-hinge", "--solver", "dual", "--C", "1000"],
    "squared hinge, newton": ["dense", *MARGIN, "--loss", "squared-hinge", "--solver", "newton", "--C", "1000"],
    "logistic": ["dense", *MARGIN, "--loss", "logistic", "--C", "1000"],
    "logistic, sparse": ["sparse", *MARGIN, "--loss", "logistic", "--C", "1000"],
    "softmax": ["classes", *MARGIN, "--loss", "softmax", "--C", "1000"],
    "classes, hinge": ["classes", *MARGIN, "--C", "1000"],
    "classes, logistic": ["classes", *MARGIN, "--loss", "logistic", "--C", "1000"],
    "classes, perceptron": ["classes", "--learner", "perceptron", "--passes", "100000"],
    "classes, balanced": ["classes", *MARGIN, "--class-weight", "balanced"],
    "classes, a path of λ": ["classes", *MARGIN, "--lambdas", "1e-3,1e-4,1e-5"],
    "cross-validation, hinge": ["dense", *MARGIN, "--cv", "5"],
    "cross-validation, logistic": ["dense", *MARGIN, "--loss", "logistic", "--cv", "5", "--probabilities", "isotonic"],
    "hard": ["sep", *MARGIN, "--hard"],
    "hard, polynomial:4": ["narrow", *MARGIN, "--hard", "--map", "polynomial:4"],
    "checkpoint, interior": ["dense", *MARGIN, "--solver", "interior", "--checkpoint", "{}/run"],
    "checkpoint, dual": ["sparse", *MARGIN, "--solver", "dual", "--C", "1000", "--checkpoint", "{}/run"],
}
WAYS = {"": [], " origin": ["--origin"], " products": ["--map", "products"], " polynomial:2": ["--map", "polynomial:2"],
        " polynomial:3": ["--map", "polynomial:3"], " polynomial:5": ["--map", "polynomial:5"], " maps": ["--maps"],
        " mistakes": ["--mistakes"], " mistakes polynomial:2": ["--mistakes", "--map", "polynomial:2"],
        " sealed": ["-o", "{}/proof.json"], " pages": ["--memory", "400M"]}
REAL = ["breast_cancer.csv", "spambase.csv", "sonar.csv", "madelon.svm", "a9a.svm", "w8a.svm", "pcmac.svm"]


def cases(names, data):
    """{name: words of the command} of what was asked for."""
    found = {}
    if "train" in names:
        found |= {f"train: {name}": ["train", *words, "-o", "{}/model.json"] for name, words in TRAIN.items()}
    if "certify" in names:
        sets = ["noisy12", "noisy400", "sparse"] + [f"{data}/{name}" for name in REAL if data]
        for rows in sets:
            found |= {f"certify: {pathlib.Path(rows).name}{way}": ["certify", rows, *words] for way, words in WAYS.items()}
        found["certify: classes, jointly"] = ["certify", "classes", "--jointly"]
        found["certify: classes, one against the rest"] = ["certify", "classes", "--against", "1"]
    return found


def overrun(linsep, words, seconds):
    """Seconds behind the limit, and how the run ended."""
    began = time.monotonic()
    try:
        done = subprocess.run([linsep, *words, "--time", f"{seconds:g}", "--json"], capture_output=True, text=True,
                              timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        return 60.0, "ended after a minute more"
    took = time.monotonic() - began
    try:
        told = json.loads(done.stdout)
    except json.JSONDecodeError:
        return 0.0, f"exit code {done.returncode}: {done.stderr.strip()[-90:]}"
    why = told.get("stopped_because") or told.get("verdict") or ""
    return took - told["seconds"]["read"] - seconds, why


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=["train", "certify", []], default=["train", "certify"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--most", type=float, default=1, help="the greatest overrun that is well [1]")
    parser.add_argument("--only", default="", help="cases with this in their name")
    asked = parser.parse_args()
    linsep = asked.build / "linsep"
    folder = pathlib.Path(os.environ.get("BENCH_DATA", ROOT / "build/bench-data"))
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for name, words in cases(asked.names, os.environ.get("LINSEP_DATA", "")).items():
        if asked.only not in name:
            continue
        rows = words[1]
        if rows in MADE:
            path = folder / f"limits-{rows}.svm"
            if not path.exists():
                subprocess.run([linsep, "generate", *MADE[rows], "-o", path], check=True)
            words[1] = str(path)
        with tempfile.TemporaryDirectory() as scratch:
            over, why = overrun(linsep, [word.replace("{}", scratch) for word in words], asked.seconds)
        results.append((over, name, why))
        print(f"{over:7.2f} s  {name:44s} {why}", flush=True)
    results.sort(reverse=True)
    print("\nworst first:")
    for over, name, why in results[:12]:
        print(f"{over:7.2f} s  {name:44s} {why}")
    above = sum(over > asked.most for over, _, _ in results)
    print(f"{len(results)} runs, {above} of them more than {asked.most:g} s beyond --time {asked.seconds:g}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
