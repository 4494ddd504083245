#!/usr/bin/env python3
"""A command of its own: `linsep logit` beside statsmodels, R's glm and firthmodels.

    build/bench-venv/bin/python bench/logit.py                  # 1,000,000 × 50 and, by Firth, 10,000 × 100
    build/bench-venv/bin/python bench/logit.py --rows 100000    # smaller, to try it out

Large: the whole command from the file with profile intervals, and with --wald; statsmodels' Logit and R's glm (estimates and Wald errors
only) with the rows in memory, reading not counted. Estimates and standard errors must agree to 1e-6. The same command with --memory
128M, and over 3 processes under mpirun, must print the same table to the last byte. Firth: tests and profile intervals of
both sides, rows in memory for firthmodels. Peers that aren't installed are left out; each side runs once per --repeats, in
turn, and the least time counts. Processor seconds of our own commands stand beside, for a machine that has other work to do."""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PROCESSOR_SECONDS = {}  # of the last run with these options
ROOT = Path(__file__).resolve().parent.parent
R_SCRIPT = """
args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[2]); k <- as.integer(args[3])
x <- matrix(readBin(args[1], "double", n * k), n, k, byrow = TRUE); y <- readBin(args[4], "double", n)
began <- proc.time()[["elapsed"]]
m <- glm.fit(cbind(1, x), y, family = binomial(), control = list(epsilon = 1e-10, maxit = 50))
se <- sqrt(diag(chol2inv(m$qr$qr[1:(k + 1), 1:(k + 1)])))
cat(proc.time()[["elapsed"]] - began, "\\n")
cat(sprintf("%.17g", c(m$coefficients, se)), "\\n")
"""


def drawn(rows, columns, seed):
    """Rows with six digits, as a file would have them, and outcomes of a regression with small coefficients."""
    random = np.random.default_rng(seed)
    x = np.round(random.standard_normal((rows, columns)), 5)
    x[:, ::5] = x[:, ::5] > 0.8
    beta = random.standard_normal(columns) * 0.7 / np.sqrt(columns)
    y = 1.0 * (random.random(rows) < 1 / (1 + np.exp(0.5 - x @ beta)))
    return x, y


def written(folder, name, x, y):
    path = folder / name
    if not path.exists():
        header = ",".join([f"x{j}" for j in range(x.shape[1])] + ["y"])
        np.savetxt(path, np.column_stack([x, y]), fmt="%.6g", delimiter=",", header=header, comments="")
    return path


def command(program, path, *options, prefix=()):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run([*prefix, program, "logit", str(path), "--label", "y", *options], capture_output=True, check=True)
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    PROCESSOR_SECONDS[" ".join([*prefix, *options])] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done.stdout


def numbers(answer):
    table = json.loads(answer)["coefficients"]
    return np.array([each["estimate"] for each in table]), np.array([each["standard_error"] for each in table])


def by_statsmodels(x, y):
    try:
        import statsmodels.api as sm
    except ImportError:
        return None
    design = sm.add_constant(x, has_constant="add")
    began = time.monotonic()
    fit = sm.Logit(y, design).fit(disp=0, method="newton", tol=1e-10)
    return time.monotonic() - began, (fit.params, fit.bse)


def by_r(x, y, folder):
    if shutil.which("Rscript") is None:
        return None
    (folder / "glm.R").write_text(R_SCRIPT)
    x.tofile(folder / "x.bin")
    y.tofile(folder / "y.bin")
    done = subprocess.run(["Rscript", "glm.R", "x.bin", str(len(y)), str(x.shape[1]), "y.bin"], cwd=folder, capture_output=True, text=True,
                          check=True)
    seconds, line = done.stdout.splitlines()
    found = np.array([float(word) for word in line.split()])
    return float(seconds), (found[:x.shape[1] + 1], found[x.shape[1] + 1:])


def by_firthmodels(x, y):
    try:
        import firthmodels
    except ImportError:
        return None
    def run(rows, columns):
        model = firthmodels.FirthLogisticRegression(max_iter=200, gtol=1e-8, xtol=1e-8)
        began = time.monotonic()
        model.fit(x[:rows, :columns], y[:rows])
        fitted = time.monotonic() - began
        model.lrt()
        model.conf_int(method="pl", max_iter=200, tol=1e-8)
        return time.monotonic() - began, (np.concatenate([[model.intercept_], model.coef_]), fitted)

    run(200, 2)  # numba compiles
    return run(*x.shape)


def tell(name, times, note="", options=None):
    processor = f" ({PROCESSOR_SECONDS[options]:.1f} of processors)" if options is not None else ""
    print(f"{name:<48} {min(times):8.2f} s{processor}{'   ' + note if note else ''}", flush=True)


def agree(found, wanted, share=1e-6):
    worst = max(float(np.max(np.abs(a - b) / np.maximum(np.abs(b), 1e-3))) for a, b in zip(found, wanted))
    return f"agrees to {worst:.1e}" if worst <= share else f"NO: differs by {worst:.1e}"


def compare_large(given, folder):
    x, y = drawn(given.rows, given.columns, 1)
    path = written(folder, f"logit-{given.rows}-{given.columns}.csv", x, y)
    times = {name: [] for name in ("profile", "wald", "statsmodels", "R")}
    answers = {}
    for _ in range(given.repeats):
        for name, options in (("profile", ["--json"]), ("wald", ["--json", "--wald"])):
            seconds, answers[name] = command(given.program, path, *options)
            times[name].append(seconds)
        for name, run in (("statsmodels", lambda: by_statsmodels(x, y)), ("R", lambda: by_r(x, y, folder))):
            result = run()
            if result is not None:
                times[name].append(result[0])
                answers[name] = result[1]
    print(f"{given.rows:,} rows × {given.columns} columns, {path.stat().st_size / 1e6:.0f} MB of CSV")
    tell("linsep logit, profile intervals, from the file", times["profile"], f"{json.loads(answers['profile'])['passes']} passes", "--json")
    tell("linsep logit --wald, from the file", times["wald"], "", "--json --wald")
    ours = numbers(answers["profile"])
    for name, words in (("statsmodels", "statsmodels Logit, estimates, in memory"), ("R", "R glm.fit, estimates, in memory")):
        if times[name]:
            tell(words, times[name], agree(ours, answers[name]))
    table = command(given.program, path, "--csv")[1]
    seconds, bounded = command(given.program, path, "--csv", "--memory", "128M")
    tell("linsep logit --memory 128M", [seconds], "the same bytes" if bounded == table else "NO: other bytes")
    if shutil.which("mpirun"):
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        seconds, spread = command(given.program, path, "--csv", prefix=["mpirun", *root, "--oversubscribe", "-n", "3"])
        tell("mpirun -n 3 linsep logit", [seconds], "the same bytes" if spread == table else "NO: other bytes")
    if not given.keep:
        path.unlink()


def compare_firth(given, folder):
    x, y = drawn(given.firth_rows, given.firth_columns, 2)
    path = written(folder, f"firth-{given.firth_rows}-{given.firth_columns}.csv", x, y)
    ours, peer, wald = [], [], []
    for _ in range(given.repeats):
        seconds, answer = command(given.program, path, "--json", "--firth")
        ours.append(seconds)
        wald.append(command(given.program, path, "--json", "--firth", "--wald")[0])
        result = by_firthmodels(x, y)
        if result is not None:
            peer.append(result)
    print(f"Firth, {given.firth_rows:,} rows × {given.firth_columns} columns")
    tell("linsep logit --firth, from the file", ours, "likelihood ratios and profile intervals", "--json --firth")
    tell("linsep logit --firth --wald, from the file", wald, "estimates", "--json --firth --wald")
    if peer:
        found = numbers(answer)[0]
        tell("firthmodels, in memory", [seconds for seconds, _ in peer], agree([found], [peer[-1][1][0]]))
        tell("firthmodels, estimates only", [fitted for _, (_, fitted) in peer])
    if not given.keep:
        path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/linsep"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--firth-rows", type=int, default=10_000)
    parser.add_argument("--firth-columns", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=["large", "firth"])
    parser.add_argument("--keep", action="store_true", help="keep the data sets in build/bench-data")
    given = parser.parse_args()
    data = Path(os.environ.get("BENCH_DATA", ROOT / "build/bench-data"))
    data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=data) as folder:
        folder = data if given.keep else Path(folder)
        if given.only != "firth":
            compare_large(given, folder)
        if given.only != "large":
            compare_firth(given, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
