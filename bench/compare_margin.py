"""Maximum margin (hinge): against LIBLINEAR, scikit-learn's LinearSVC and snapML at an equal objective, one core.

The objective is mean hinge loss + (λ/2)‖θ‖², λ = 1/(C·n), the offset not penalized, computed for all sides by peer_margin.py. Each
peer runs at a tolerance people use (LIBLINEAR its default of 0.1); linsep is stopped at the widest gap of a ladder at which its
objective is no worse than the peer's. Times are of training alone with rows in memory; `--clock cpu` takes processor time.
Then the whole run from the file to a model at a certified gap of 1e-3, on one core and on all. The excess is the peer's objective
above the certified lower bound. $BENCH_SETS and $BENCH_COSTS choose sets and values of C. a9a, w8a and madelon (scaled) are read from $LINSEP_DATA and left out where that isn't set.
"""
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

from workshop import Peer, against, interleaved, output

LADDER = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6]
COSTS = [float(c) for c in os.environ.get("BENCH_COSTS", "0.01,1,100").split(",")]
PEERS = {"liblinear": ("LIBLINEAR 2.50 -s 3 -e 0.1", 0.1), "sklearn": ("LinearSVC(hinge, tol=1e-2)", 1e-2),
         "snapml": ("snapML, one thread", 1e-3)}


def one_core():
    return ["taskset", "-c", "0"] if shutil.which("taskset") else []


def scaled(source, target):
    """Every column with mean 0 and variance 1, six digits."""
    if not target.exists():
        rows = [line.split() for line in source.read_text().splitlines()]
        table = [[float(entry.split(":")[1]) for entry in row[1:]] for row in rows]
        means = [statistics.fmean(column) for column in zip(*table)]
        spreads = [statistics.pstdev(column) or 1 for column in zip(*table)]
        lines = (row[0] + "".join(f" {j}:{(x - m) / s:.6g}" for j, (x, m, s) in enumerate(zip(values, means, spreads), 1))
                 for row, values in zip(rows, table))
        target.write_text("\n".join(lines) + "\n")
    return target


def dense_set(shop):
    rows = shop.rows or 1_000_000
    return shop.generated(f"dense-{rows}.csv", "noisy", "--rows", rows, "--features", 50, "--flip", 0.05, "--format", "csv")


def data_sets(shop):
    sets = {"sparse": shop.sparse_set(), "dense": dense_set(shop)}
    folder = os.environ.get("LINSEP_DATA")
    if folder:
        folder = pathlib.Path(folder)
        sets |= {"a9a": folder / "a9a.svm", "w8a": folder / "w8a.svm",
                 "madelon": scaled(folder / "madelon.svm", shop.data / "madelon-scaled.svm")}
    chosen = os.environ.get("BENCH_SETS")
    return {name: path for name, path in sets.items() if not chosen or name in chosen.split(",")}


def margin(shop, path, c, gap, model):
    environment = dict(os.environ, LINSEP_MEASURE_CLOCK=shop.clock)
    return json.loads(output([*one_core(), shop.measure, "margin", path, c, gap, model], env=environment))


def no_worse(shop, peer, path, c, wanted, model):
    """The widest gap of the ladder whose classifier's objective isn't above the target."""
    for gap in LADDER:
        mine = margin(shop, path, c, gap, model)
        mine["objective"] = peer.ask(do="objective", C=c, model=model)["objective"]
        if mine["objective"] <= wanted or gap == LADDER[-1]:
            return gap, mine


def solver_rows(shop, name, path, peer, model):
    key = "cpu" if shop.clock == "cpu" else "seconds"
    for c in COSTS:
        # The interior-point method comes to 1e-4 at any C; with many features and a large C that would take very long.
        close = 1e-4 if name != "sparse" else 1e-3 if c < 100 else 0.03
        bound = margin(shop, path, c, close, model)
        best = bound["objective"] * (1 - bound["gap"])
        for who, (title, tolerance) in PEERS.items():
            if who == "snapml" and name == "dense":
                continue  # it takes minutes
            first = peer.ask(do=who, C=c, tolerance=tolerance)
            gap, mine = no_worse(shop, peer, path, c, first["objective"], model)
            seconds = {"mine": [mine["seconds"]], "theirs": [first[key]]}
            if first["seconds"] < 20:
                seconds = interleaved(shop.repeats, mine=lambda: margin(shop, path, c, gap, model)["seconds"],
                                      theirs=lambda: peer.ask(do=who, C=c, tolerance=tolerance)[key])
            excess = first["objective"] / best - 1
            check = (f"{mine['objective']:.6g} against {first['objective']:.6g} ({100 * excess:.2g} % above the least), "
                     f"stopped at gap {gap:g}; {close:g} took {bound['seconds']:.2g} s, gap {bound['gap']:.1e}")
            row = against(f"{name} C={c:g}", title, seconds["mine"], seconds["theirs"],
                          mine["objective"] <= first["objective"] and bound["gap"] <= close, check)
            print(f"  {row['what']}, {title}: {row['ratio']:.2f}", file=sys.stderr, flush=True)
            yield row


def whole_rows(shop, path, peer, folder):
    def linsep(*before):
        return lambda: shop.timed([*before, shop.linsep, "train", path, "--learner", "margin", "--quiet", "-o",
                                   f"{folder}/whole.json"])

    def sklearn():
        answer = peer.ask(do="sklearn_file", C=1, tolerance=1e-2)
        return answer["cpu" if shop.clock == "cpu" else "seconds"]

    liblinear = [*one_core(), shop.liblinear(), "-s", 3, "-B", 1, "-q", path, f"{folder}/liblinear.model"]
    seconds = interleaved(shop.repeats, one=linsep(*one_core()), all=linsep(), liblinear=lambda: shop.timed(liblinear))
    theirs = {"LIBLINEAR's command -s 3": seconds["liblinear"], "scikit-learn from the file": [sklearn()]}
    mine = peer.ask(do="objective", C=1, model=f"{folder}/whole.json")["objective"]
    for title, times in theirs.items():
        for cores in ("one", "all"):
            yield against(f"file to model, {cores} core{'s' if cores == 'all' else ''}", title, seconds[cores], times, True,
                          f"objective {mine:.6g} at a certified gap of 1e-3")


def compare(shop):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in data_sets(shop).items():
            print(f"  {name}", file=sys.stderr, flush=True)
            peer = Peer(shop, "peer_margin.py", path, before=one_core())
            results += solver_rows(shop, name, path, peer, f"{folder}/model.json")
            if name == "sparse":
                results += whole_rows(shop, path, peer, folder)
            peer.close()
    return results
