#!/usr/bin/env python3
"""The cost model of docs/explanation/scale.md: fitted on runs here, checked against a run that it hasn't seen, and then used.

    bench/scale.py [--build build/release] [--hosts]     measure, fit, check, and print the plan
    bench/scale.py --from RESULTS.json                    the same from kept measurements

A worker's pass takes  nz·nonzeros + row·rows + col·features  seconds, an exchange  call·calls + byte·bytes. `nz` grows with the
number of features, as weights leave the cache: it is fitted for each. Needs a quiet machine. With --hosts (root) exchanges and the
held-out run go over four network namespaces at 1 Gbit/s by Gloo; else through shared memory.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True
from workshop import Workshop  # noqa: E402

LOSS = "squared-hinge"
FEATURES = [47_236, 1_000_000, 16_000_000]
# rows and nonzeros per row: enough to tell the two apart
SIZES = {47_236: [(100_000, 40), (100_000, 82), (200_000, 40), (100_000, 160)],
         1_000_000: [(100_000, 40), (100_000, 125), (200_000, 40)],
         16_000_000: [(100_000, 125), (200_000, 40), (200_000, 125)]}
HOSTS = ["linsep1", "linsep2", "linsep3", "linsep4"]


def run(words, **environment):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        raise SystemExit(f"bench/scale.py: {' '.join(map(str, words))}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def sparse(shop, rows, features, nonzeros):
    return shop.generated(f"sparse-{rows}-{features}-{nonzeros}.svm", "sparse", "--rows", rows, "--features", features,
                          "--nonzeros", nonzeros, "--seed", 1)


def across_hosts(shop, *words):
    return [ROOT / "tools" / "gloo_run", "-n", len(HOSTS), "--interface", "eth0", "--namespaces", ",".join(HOSTS), "--",
            *words]


def measure(shop, hosts):
    program = shop.build / "bench" / "linsep_workers"
    alone = []
    for features in FEATURES:
        for rows, nonzeros in SIZES[features]:
            path = sparse(shop, rows, features, nonzeros)
            found = [run([program, LOSS, 1, path])[0] for _ in range(shop.repeats)]
            alone.append(min(found, key=lambda r: r["seconds"]))
            print("measured", {k: alone[-1][k] for k in ("rows", "nonzeros", "features", "passes", "seconds")}, flush=True)
    held_out = shop.generated("sparse-400000.svm", "sparse", "--rows", 400_000, "--seed", 1)
    modules = {"LINSEP_MODULES": str(shop.build)}
    if hosts:
        words = across_hosts(shop, program, LOSS, 0, held_out)
        exchanges = [run(across_hosts(shop, program, LOSS, 0, sparse(shop, rows, features, nonzeros)), **modules)[0]
                     for rows, features, nonzeros in ((100_000, 1_000_000, 40), (20_000, 47_236, 40))]
    else:
        words = ["mpirun", "--allow-run-as-root", "--bind-to", "none", "-n", 2, program, LOSS, 0, held_out]
        exchanges = [run([*words[:-1], sparse(shop, rows, features, nonzeros)], **modules)[0]
                     for rows, features, nonzeros in ((100_000, 1_000_000, 40), (20_000, 47_236, 40))]
    return {"alone": alone, "exchanges": exchanges,
            "held_out": min((run(words, **modules)[0] for _ in range(shop.repeats)), key=lambda r: r["seconds"])}


def least_squares(rows, target):
    """Coefficients of least squared relative error, none below 0: one after the other, until nothing changes."""
    scaled = [[x / t for x in row] for row, t in zip(rows, target)]
    solution = [0.0] * len(rows[0])
    for _ in range(20_000):
        for j in range(len(solution)):
            square = sum(r[j] * r[j] for r in scaled)
            slope = sum(r[j] * (1 - sum(x * c for x, c in zip(r, solution))) for r in scaled)
            solution[j] = max(0.0, solution[j] + slope / square) if square else 0.0
    return solution


def width(one):
    """The number of features that was asked for; the last few may not occur."""
    return min(FEATURES, key=lambda features: abs(features - one["features"]))


def work_of(one):
    """What a pass goes through, by coefficient: nonzeros and columns of each width, rows."""
    parts = []
    for features in FEATURES:
        here = width(one) == features
        parts += [one["nonzeros"] if here else 0, one["features"] * one["workers"] if here else 0]
    return [one["passes"] * x / one["workers"] for x in [*parts, one["rows"]]]


def fit(measured):
    """Seconds per nonzero and per column by width, per row; per call, per byte."""
    found = least_squares([work_of(r) for r in measured["alone"]], [r["seconds"] for r in measured["alone"]])
    exchange = least_squares([[r["calls"], 8 * r["numbers"]] for r in measured["exchanges"]],
                             [r["exchange_seconds"] for r in measured["exchanges"]])
    return {"pass": found, "nz": dict(zip(FEATURES, found[0::2])), "col": dict(zip(FEATURES, found[1::2])),
            "row": found[-1], "call": exchange[0], "byte": exchange[1]}


def predicted(model, one, cores=2):
    """Seconds of a run whose workers share `cores` cores."""
    compute = sum(c * x for c, x in zip(model["pass"], work_of(one)))
    exchange = model["call"] * one["calls"] + model["byte"] * 8 * one["numbers"] if one["workers"] > 1 else 0
    return compute * max(1, one["workers"] / cores) + exchange


def plan(model, gigabit=10, cores=16, disk=3e9, memory=256e9, hours=1.0):
    """Machines for 17 billion rows of 125 nonzeros, 16 million features, in `hours`: what limits is named."""
    rows, nonzeros, features, gradients, products = 17e9, 17e9 * 125, 16e6, 4, 28
    passes = gradients + products + 4
    numbers = (3 * gradients + products) * features
    compute = passes * (model["nz"][FEATURES[-1]] * nonzeros + model["row"] * rows) / cores  # on one machine
    wire = 2 * 8 * numbers / (gigabit * 1e9 / 8)
    page_bytes = 8 * nonzeros + 18 * rows
    table = []
    for machines in (10, 20, 50, 84, 200, 500, 1000):
        held = page_bytes / machines + 40 * rows / machines + 8 * features * (10 + 4 * cores) < 0.9 * memory
        seconds = {"values": compute / machines, "columns": passes * model["col"][FEATURES[-1]] * features, "wire": wire,
                   "disk": 0 if held else passes * page_bytes / machines / disk,
                   "first reading": 1.5 * page_bytes / machines / disk}
        table.append({"machines": machines, "hours": sum(seconds.values()) / 3600, "held": held,
                      "longest": max(seconds, key=seconds.get), **{k: v for k, v in seconds.items()}})
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=None)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--hosts", action="store_true")
    parser.add_argument("--from", dest="kept", default=None)
    given = parser.parse_args()
    shop = Workshop(given.build, None, given.repeats)
    if given.kept:
        measured = json.loads(pathlib.Path(given.kept).read_text())
    else:
        if given.hosts:
            subprocess.run([ROOT / "tools" / "namespaces", "up", "--hosts", "4"], check=True)
        measured = measure(shop, given.hosts)
        (shop.root / "build" / "scale.json").write_text(json.dumps(measured, indent=2) + "\n")
    model = fit(measured)
    for features, seconds in model["nz"].items():
        print(f"{features:>10,} features: {seconds * 1e9:6.2f} ns per nonzero, {model['col'][features] * 1e9:6.1f} ns per column and pass")
    print(f"{model['row'] * 1e9:.1f} ns per row and pass; "
          f"a call {model['call'] * 1e6:.0f} µs, {1 / model['byte'] / 1e6 if model['byte'] else float('inf'):.0f} MB/s")
    for one in measured["alone"]:
        print(f"  fitted   {predicted(model, one):8.2f} s, measured {one['seconds']:8.2f} s: {one['rows']} × "
              f"{one['nonzeros'] // one['rows']}, {one['features']} features, {one['passes']} passes")
    held = measured["held_out"]
    print(f"  HELD OUT {predicted(model, held):8.2f} s, measured {held['seconds']:8.2f} s: {held['workers']} workers, "
          f"{held['rows']} rows")
    for line in plan(model):
        print(f"{line['machines']:5} machines: {line['hours']:6.2f} h; values {line['values']:7.0f} s, columns "
              f"{line['columns']:5.0f} s, wire {line['wire']:4.0f} s, disk {line['disk']:6.0f} s, first reading "
              f"{line['first reading']:5.0f} s; pages {'in memory' if line['held'] else 'on disk'}")


if __name__ == "__main__":
    main()
