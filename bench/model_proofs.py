#!/usr/bin/env python3
"""What training claims of its models beside what their proofs prove, and what proving costs.

    bench/model_proofs.py [--linsep build/release/linsep] [--data $LINSEP_DATA] [--sets a9a,w8a] [--C 0.01,1,100] [--time SECONDS] [--no-script] [--json FILE]

For every set, loss and C: the gap that training reached, the gap that `linsep verify` and checker/verify_certificate.py prove, whether
it is at most 1.1 times the first plus 1e-7, processor seconds of training, of making and of checking the proof, and the proof's size in bytes a row."""
import argparse
import csv
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOSSES = ("hinge", "squared-hinge", "logistic", "hinge/l1", "logistic/l1", "logistic/elasticnet")  # and the penalty
SETS = {  # file, options of reading
    "a9a": ("a9a.svm", []), "w8a": ("w8a.svm", []), "pcmac": ("pcmac.svm", []), "madelon": ("madelon.svm", []),
    "breast_cancer": ("breast_cancer.csv", []), "spambase": ("spambase.csv", ["--label", "type"]),
    "movie_reviews": ("movie_reviews.csv", ["--label", "label"]),
    "patients": (None, ["--label", "outcome", "--id", "patient"]), "towns": (None, ["--label", "answer"])}


def seconds(command, accepted=(0,), **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in accepted:
        raise SystemExit(f"{command}: {done.stderr or done.stdout}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def towns(path):
    """A table with categories, dates and missing values."""
    draw = random.Random(3)
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["age", "town", "signup", "plan", "answer"])
        for _ in range(3000):
            age, town, plan = draw.randint(18, 90), draw.choice("Oslo Bergen Molde Hamar Bodø".split()), draw.choice(["free", "paid", ""])
            signup = f"20{draw.randint(10, 25)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
            yes = age / 30 + (town == "Oslo") + (plan == "paid") + draw.gauss(0, 1) > 3
            rows.writerow(["" if draw.random() < 0.1 else age, town, signup, plan, "yes" if yes else "no"])


def measure(options, chosen, path, reading, loss, c, folder):
    model, proof = folder / "model.json", folder / "proof.json"
    row = {"set": chosen, "loss": loss, "C": c}
    name, _, penalty = loss.partition("/")
    train = [options.linsep, "train", path, *reading, "--loss", name, "--penalty", penalty or "l2", "--C", c, "--quiet", "-o", model]
    train += ["--time", options.time] if options.time else []
    row["training"], _ = seconds(train)
    row["claimed"] = json.loads(model.read_text())["training"]["gap"]
    row["proving"], told = seconds([options.linsep, "certify", path, *reading, "-m", model, "-o", proof, "--json"])
    row["rows"] = json.loads(told)["rows"]
    data = [*reading, "--table", model] if path.suffix == ".csv" and '"table"' in model.read_text() else reading
    row["checking"], told = seconds([options.linsep, "verify", proof, path, *data, "--json"])
    told = json.loads(told)
    assert told["valid"], told
    row["proven"] = told["gap"]
    row["bytes"] = proof.stat().st_size / row["rows"]
    if options.script:
        lines = folder / "leaves.txt"
        leaves = subprocess.run([options.linsep, "leaves", path, *map(str, reading), "--proof", proof], capture_output=True, text=True, check=False)
        if leaves.returncode:
            raise SystemExit(leaves.stderr)
        lines.write_text(leaves.stdout)
        row["script"], told = seconds([sys.executable, ROOT / "checker/verify_certificate.py", proof, lines, "--as-encoded"], (0, 1))
        row["accepted"] = told.startswith("valid")
    row["within"] = row["proven"] <= 1.1 * row["claimed"] + 1e-7 and row.get("accepted", True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--linsep", default=str(ROOT / "build/release/linsep"))
    parser.add_argument("--data", default=os.environ.get("LINSEP_DATA"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--losses", default=",".join(LOSSES))
    parser.add_argument("--C", default="0.01,1,100")
    parser.add_argument("--time", help="end training after so many seconds")
    parser.add_argument("--no-script", dest="script", action="store_false")
    parser.add_argument("--json")
    options = parser.parse_args()
    found = []
    print("| set | loss | C | claimed | proven | within | train s | prove s | check s | script s | bytes/row |\n|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for chosen in options.sets.split(","):
            file, reading = SETS[chosen]
            path = folder / f"{chosen}.csv" if file is None else pathlib.Path(options.data) / file
            if chosen == "patients":
                seconds([options.linsep, "generate", "patients", "--rows", "2000", "--seed", "1", "-o", path])
            if chosen == "towns":
                towns(path)
            for loss in options.losses.split(","):
                for c in options.C.split(","):
                    row = measure(options, chosen, path, reading, loss, c, folder)
                    found.append(row)
                    script = f"{row['script']:.2f}" if "script" in row else ""
                    print(f"| {chosen} | {loss} | {c} | {row['claimed']:.3g} | {row['proven']:.3g} | {'yes' if row['within'] else 'NO'} | "
                          f"{row['training']:.2f} | {row['proving']:.2f} | {row['checking']:.2f} | {script} | {row['bytes']:.2f} |", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=1))
    return 0 if all(row["within"] for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
