"""Choice of the solver: what `--solver auto` takes beside every solver for the loss, at a certified gap of 1e-3, one thread.

Eleven real sets from $LINSEP_DATA, three losses, C of 0.001, 1, 100 and 10,000, and with BENCH_PENALTIES=l2,l1 those with an L1
penalty as well. $BENCH_SETS=iris,wine,digits are sets of several classes from scikit-learn ($BENCH_VENV), which the choice trains one
against the rest, and all together by the loss softmax. A run is interrupted after $BENCH_LIMIT processor seconds (10). Seconds are
processor seconds of the command less those of a run of one pass, so that reading isn't counted. A cell is good if the choice reaches the gap wherever a solver does, and takes at most 1.5
times the seconds of the best one, or 0.05 seconds more. $BENCH_SETS, $BENCH_COSTS and $BENCH_LOSSES choose cells, $BENCH_CELLS takes
a list such as "pcmac squared-hinge 100,sonar hinge 1".
"""
import itertools
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import time

LOSSES = {"hinge": ("dual", "interior", "planes"), "squared-hinge": ("dual", "interior", "newton"), "logistic": ("newton",),
          "softmax": ("newton",)}
L1_SOLVERS = {"hinge": ("dual", "interior"), "squared-hinge": ("dual", "interior", "working-set", "columns"),
              "logistic": ("working-set", "columns"), "softmax": ("working-set",)}
COSTS = (0.001, 1, 100, 10_000)
TABLES = {"sonar": "M", "spambase": "spam", "breast_cancer": "malignant", "sms_spam": "spam", "movie_reviews": "positive"}
CLASSES = ("iris", "wine", "digits")
SAVE_CLASSES = """
import sys
from sklearn import datasets
found = getattr(datasets, "load_" + sys.argv[1])()
datasets.dump_svmlight_file(found.data, found.target, sys.argv[2], zero_based=False)
"""
LIMIT = float(os.environ.get("BENCH_LIMIT", "10"))
GAP, FACTOR, SLACK = 1e-3, 1.5, 0.05
WIDEST = 4000  # columns that `interior` is still tried on: its matrix has the square of them


def encoded(shop, table, name, *options):
    """A table's features as svmlight rows, made when first needed."""
    path = shop.data / f"{name}.svm"
    if not path.exists():
        shop.data.mkdir(parents=True, exist_ok=True)
        lines = subprocess.run([shop.linsep, "encode", table, "--short", *options], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        first = lines[0].split(" ", 1)[0]
        path.write_text("".join(f"{1 if line.split(' ', 1)[0] == first else -1} {line.partition(' ')[2]}\n" for line in lines))
    return path


def classes(shop, name):
    """A set of several classes from scikit-learn as svmlight rows, made when first needed."""
    path = shop.data / f"{name}.svm"
    if not path.exists():
        shop.data.mkdir(parents=True, exist_ok=True)
        subprocess.run([shop.peer_python(), "-c", SAVE_CLASSES, name, path], check=True)
    return path


def data_sets(shop):
    folder = pathlib.Path(os.environ["LINSEP_DATA"])
    sets = {name: lambda name=name: folder / f"{name}.svm" for name in ("a9a", "w8a", "pcmac", "madelon")}
    for name in TABLES:
        sets[name] = lambda name=name: encoded(shop, folder / f"{name}.csv", name)
    for name in CLASSES:
        sets[name] = lambda name=name: classes(shop, name)
    for name in ("spambase", "breast_cancer"):
        sets[f"{name}-raw"] = lambda name=name: encoded(shop, folder / f"{name}.csv", f"{name}-raw", "--scale", "none")
    return sets


def spent(process):
    """Processor seconds of a running process: user and system, columns 14 and 15 of its line, whose second may have spaces."""
    columns = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")


def run(shop, path, *options, limit=LIMIT):
    """The JSON object of a run, with its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [shop.linsep, "train", path, "--learner", "margin", "--gap", GAP, "--threads", 1, "--json", *options]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while spent(process) < limit and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(out) if out.startswith("{") else {"refused": errors.strip()}
    found["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def figures(found, reading):
    """Solver, gap and seconds."""
    if found.get("gap") is None:
        return {"solver": found.get("solver"), "gap": 1.0, "seconds": found["cpu"], "message": found.get("refused", "")}
    return {"solver": found.get("solver", "each its own"), "gap": found["gap"], "seconds": max(found["cpu"] - reading, 1e-4), "passes": found["passes"]}


def medians(runs):
    return {**runs[-1], "seconds": statistics.median(each["seconds"] for each in runs)}


def wanted_cells(sets):
    if cells := os.environ.get("BENCH_CELLS"):
        return [(name, loss, float(c)) for name, loss, c in (cell.split() for cell in cells.split(","))]
    names, losses, costs = (os.environ.get(key, "").split(",") for key in ("BENCH_SETS", "BENCH_LOSSES", "BENCH_COSTS"))
    return [(name, loss, c) for name, loss, c in itertools.product(sets, LOSSES, COSTS)
            if (name in names or (names == [""] and name not in CLASSES)) and (loss != "softmax" or name in CLASSES)
            if losses == [""] or loss in losses if costs == [""] or c in map(float, costs)]


def cell(shop, path, what, options, solvers, reading):
    """One row of the table: the choice, then every solver, for little longer than the choice took if it reached the gap."""
    found, limit = {}, LIMIT
    for name in ("auto", *solvers):
        runs = [figures(run(shop, path, *options, "--solver", name, limit=limit), reading)]
        while len(runs) < shop.repeats and runs[0]["seconds"] < 2:
            runs.append(figures(run(shop, path, *options, "--solver", name, limit=limit), reading))
        found[name] = medians(runs)
        if name == "auto" and found[name]["gap"] <= GAP:
            limit = min(LIMIT, reading + FACTOR * found[name]["seconds"] + SLACK)
    chosen = found.pop("auto")
    reached = {name: each for name, each in found.items() if each["gap"] <= GAP}
    best = min(reached, key=lambda name: reached[name]["seconds"], default=None)
    seconds = reached[best]["seconds"] if best else None
    short = chosen["gap"] > GAP
    slow = best is not None and chosen["seconds"] > FACTOR * seconds and chosen["seconds"] > seconds + SLACK
    verdict = "short" if short else "slow" if slow else "reached"
    row = {"what": what, "peer": best or "none", "linsep_seconds": chosen["seconds"], "peer_seconds": seconds,
           "ratio": seconds / chosen["seconds"] if best else None, "agrees": not slow and not (short and best),
           "check": f"{chosen['solver']}, gap {chosen['gap']:.2g}, {verdict}", "chosen": chosen, "solvers": found}
    print(f"  {what}: {row['check']}, {chosen['seconds']:.2f} s; " +
          ", ".join(f"{name} {each['gap']:.2g} {each['seconds']:.2f} s" for name, each in found.items()), file=sys.stderr, flush=True)
    return row


def compare(shop):
    sets, results, reading = data_sets(shop), [], {}
    for penalty in os.environ.get("BENCH_PENALTIES", "l2").split(","):
        for name, loss, c in wanted_cells(sets):
            path = sets[name]()
            if name not in reading:
                first = [run(shop, path, "--passes", 1) for _ in range(3)]
                reading[name] = min(each["cpu"] for each in first), first[0]["features"]
            seconds, features = reading[name]
            solvers = (L1_SOLVERS if penalty == "l1" else LOSSES)[loss]
            if features > WIDEST:
                solvers = [solver for solver in solvers if solver != "interior"]
            options = ["--loss", loss, "--C", c, "--penalty", penalty]
            what = f"{name}, {loss}, C={c:g}" + ("" if penalty == "l2" else f", {penalty}")
            results.append(cell(shop, path, what, options, solvers, seconds))
    good = sum(row["agrees"] for row in results)
    print(f"  {good} of {len(results)} cells are good: {sum('short' in row['check'] for row in results)} short, "
          f"{sum('slow' in row['check'] for row in results)} beyond {FACTOR} times the best")
    return results
