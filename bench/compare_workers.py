"""Margin over workers: the same rounds and θ on 1 to 16 of them; and more rows on more workers, beside the exchange alone.

First, 100,000 rows over 1, 2, 4, 8 and 16 workers as threads: passes, collective calls, the numbers a worker exchanges, and a
hash of θ, which must agree. Then 50,000 rows for each of 1, 2 and 4 workers as processes (mpirun), each beside a program that
makes the same passes (reading every value and its weight) and the same collective calls and nothing else.
"""
import json
import shutil

from workshop import against, output

LOSSES = ["hinge", "squared-hinge", "logistic"]


def one(shop, loss, workers, path, before=()):
    program = shop._need(shop.build / "bench" / "linsep_workers", "build with -DLINSEP_BENCH=ON")
    return json.loads(output([*before, program, loss, str(workers), path]))


def rounds(shop):
    path = shop.generated("sparse-100000.svm", "sparse", "--rows", 100_000, "--seed", 1)
    rows = []
    for loss in LOSSES:
        found = [one(shop, loss, workers, path) for workers in (1, 2, 4, 8, 16)]
        for run in found:
            same = all(run[key] == found[0][key] for key in ("theta", "passes", "objective", "gap"))
            note = (f"{run['passes']} passes, {run['calls']} calls, {run['numbers'] / run['features']:.1f}·d numbers, "
                    f"gap {run['gap']:.2e}, θ {run['theta']}")
            rows.append(against(f"{loss}, {run['workers']} workers (threads)", "same passes and calls alone",
                                [run["seconds"]], [run["bare_seconds"]], same, note, **run))
    return rows


def weak(shop):
    if not shutil.which("mpirun"):
        return []
    rows = []
    for loss in LOSSES:
        for workers in (1, 2, 4):
            path = shop.generated(f"sparse-{workers * 50_000}.svm", "sparse", "--rows", workers * 50_000, "--seed", 1)
            before = ["env", f"LINSEP_MODULES={shop.build}", "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca",
                      "mpi_yield_when_idle", "1", "-n", str(workers)]
            found = [one(shop, loss, workers, path, before) for _ in range(shop.repeats)]
            same = all(run["theta"] == found[0]["theta"] for run in found)
            run = found[0]
            note = f"{run['rows']} rows, {run['passes']} passes, {run['calls']} calls, {run['numbers']} numbers"
            rows.append(against(f"{loss}, {workers} workers (MPI), 50,000 rows each", "same passes and calls alone",
                                [r["seconds"] for r in found], [r["bare_seconds"] for r in found], same, note, **run))
    return rows


def compare(shop):
    return rounds(shop) + weak(shop)
