#!/usr/bin/env python3
"""Raw tables beside scikit-learn: bench/tables.py [--build build/release] [--repeats 5] [NAME...]

For each of the real tables in $LINSEP_DATA (sms_spam, movie_reviews, breast_cancer): the accuracy on the held-out fifth (row
number ≡ 0 mod 5), the mean over the five folds (row number mod 5), both beside scikit-learn's usual pipeline on the same
folds; and the seconds from file to model: the whole command, beside scikit-learn with the same features and with its
usual ones, with and without the time of its imports. Runs in the peers' virtual environment (bench/setup). Sides are
interleaved, medians are told. Ends with 1 where a target is missed.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGETS = {"sms_spam": 0.988, "movie_reviews": 0.76, "breast_cancer": 0.95}  # of the held-out fifth
PEER = r"""
import csv, sys, time
began = time.perf_counter()
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
imported = time.perf_counter() - began

def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    header, rows = rows[0], rows[1:]
    place = header.index("label") if "label" in header else len(header) - 1
    y = [row[place] for row in rows]
    rest = [row[:place] + row[place + 1:] for row in rows]
    return ([row[0] for row in rest] if len(header) == 2 else np.array(rest, float)), y

def pipeline(x, kind):
    if not isinstance(x, list):
        return make_pipeline(StandardScaler(), LinearSVC(loss="hinge", C=1, max_iter=100000))
    if kind == "same":
        return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2, token_pattern=r"(?u)\w+", sublinear_tf=True),
                             LinearSVC(loss="hinge", C=1))
    return make_pipeline(TfidfVectorizer(), LinearSVC())

train, kind = sys.argv[1], sys.argv[2]
began = time.perf_counter()
x, y = read(train)
model = pipeline(x, kind).fit(x, y)
seconds = time.perf_counter() - began
accuracy = -1
if len(sys.argv) > 3:
    tx, ty = read(sys.argv[3])
    accuracy = float(np.mean(model.predict(tx) == np.array(ty)))
print(imported, seconds, accuracy)
"""


def split(path, folder):
    """Writes training and held-out rows of each fold; returns their paths."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    header, rows = rows[0], rows[1:]
    folds = []
    for fold in range(5):
        names = [folder / f"{path.stem}-{fold}-{part}.csv" for part in ("train", "test")]
        for name, held in zip(names, (False, True)):
            with open(name, "w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(header)
                writer.writerows(row for i, row in enumerate(rows) if (i % 5 == fold) == held)
        folds.append(names)
    return folds


def linsep(program, train, test, model):
    """Seconds of the whole training command, and the accuracy on held-out rows."""
    began = time.perf_counter()
    subprocess.run([program, "train", train, "-o", model, "--quiet"], check=True)
    seconds = time.perf_counter() - began
    if test is None:
        return seconds, None
    told = subprocess.run([program, "evaluate", test, "-m", model, "--json"], check=True, capture_output=True, text=True)
    result = json.loads(told.stdout)
    return seconds, 1 - result["mistakes"] / result["rows"]


def peer(train, kind, test=None):
    words = [sys.executable, "-c", PEER, str(train), kind] + ([str(test)] if test else [])
    began = time.perf_counter()
    told = subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    imported, seconds, accuracy = map(float, told.stdout.split())
    return seconds, time.perf_counter() - began, accuracy


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", default=list(TARGETS))
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    program = str((ROOT / options.build / "linsep").resolve())
    data = os.environ.get("LINSEP_DATA")
    if not data:
        sys.exit("LINSEP_DATA isn't set: it should name the folder with sms_spam.csv and the others")
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = str(folder / "model")
        print("| table | held-out fifth | five folds | scikit-learn, usual: fifth | five folds |")
        print("|---|---|---|---|---|")
        for table in options.names:
            folds = split(pathlib.Path(data) / f"{table}.csv", folder)
            ours = [linsep(program, str(train), str(test), model)[1] for train, test in folds]
            theirs = [peer(train, "usual", test)[2] for train, test in folds]
            mean, other = statistics.mean(ours), statistics.mean(theirs)
            fine = ours[0] >= TARGETS[table] and mean >= other - 1e-9
            missed |= not fine
            print(f"| {table} | {ours[0]:.4f} (at least {TARGETS[table]}) | {mean:.4f} | {theirs[0]:.4f} | {other:.4f} |"
                  + ("" if fine else " MISSED"), flush=True)
        print("\n| table, from file to model | linsep, whole command | scikit-learn, same features | with imports | usual | with imports |")
        print("|---|---|---|---|---|---|")
        for table in options.names:
            path = pathlib.Path(data) / f"{table}.csv"
            times = {key: [] for key in ("ours", "same", "same whole", "usual", "usual whole")}
            for _ in range(options.repeats):
                times["ours"].append(linsep(program, str(path), None, model)[0])
                for kind in ("same", "usual"):
                    seconds, whole, _ = peer(path, kind)
                    times[kind].append(seconds)
                    times[f"{kind} whole"].append(whole)
            print(f"| {table} | " + " | ".join(f"{statistics.median(values):.3f} s" for values in times.values()) + " |",
                  flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
