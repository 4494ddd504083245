"""L1 penalty (logistic, squared hinge): against LIBLINEAR, scikit-learn, celer and skglm at an equal objective, one core.

The objective is mean loss + λ‖θ‖₁, λ = 1/(C·n), through the origin on all sides (LIBLINEAR would penalize an offset), computed
for all by peer_l1.py. Each peer runs at its default tolerance (LIBLINEAR also at a tenth of it); linsep is stopped at the widest
gap of a ladder at which its objective is no worse than the peer's. "in memory": training alone. "file to model": the whole
command, beside LIBLINEAR's and scikit-learn's loader and fit. "path": 100 λ from the least at which every weight is 0 to a
hundredth of it, in one run, beside 100 runs of LIBLINEAR; the sum of objectives over the path must not be worse. $BENCH_SETS,
$BENCH_COSTS and $BENCH_LOSSES choose sets, values of C and losses. a9a, w8a, pcmac and sms_spam (its words as features) are read
from $LINSEP_DATA and left out where that isn't set.
"""
import json
import os
import pathlib
import sys
import tempfile

from compare_margin import one_core
from workshop import Peer, against, interleaved, output

LADDER = [0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8]
COSTS = [float(c) for c in os.environ.get("BENCH_COSTS", "0.1,1").split(",")]
LOSSES = os.environ.get("BENCH_LOSSES", "logistic,squared-hinge").split(",")
LIBLINEAR_TYPES = {"logistic": 6, "squared-hinge": 5}
# What is asked for, its name with {} for LIBLINEAR's type, tolerance, losses. The default of LIBLINEAR is 0.01, of the others 1e-4.
PEERS = [
    ("liblinear", "LIBLINEAR 2.50 -s {} -e 0.01", 0.01, ("logistic", "squared-hinge")),
    ("liblinear", "LIBLINEAR 2.50 -s {} -e 1e-3", 1e-3, ("logistic", "squared-hinge")),
    ("sklearn", "scikit-learn liblinear, tol=1e-4", 1e-4, ("logistic", "squared-hinge")),
    ("saga", "scikit-learn saga, tol=1e-4", 1e-4, ("logistic",)),
    ("celer", "celer, tol=1e-4", 1e-4, ("logistic",)),
    ("skglm", "skglm, tol=1e-4", 1e-4, ("logistic",)),
]
LONG = 20  # seconds: a side that takes longer is run once
POINTS = 100


def data_sets(shop):
    sets = {}
    if folder := os.environ.get("LINSEP_DATA"):
        sets = {name: pathlib.Path(folder) / f"{name}.svm" for name in ("a9a", "w8a", "pcmac")}
        sets["sms_spam"] = pathlib.Path(folder) / "sms_spam.csv"
    for rows in (shop.rows,) if shop.rows else (50_000, 400_000):
        sets[f"sparse-{rows}"] = rows
    chosen = os.environ.get("BENCH_SETS", "").split(",")
    kept = {name: path for name, path in sets.items() if chosen == [""] or name in chosen or name.split("-")[0] in chosen}
    made = {name: shop.sparse_set(path) if isinstance(path, int) else path for name, path in kept.items()}
    return {name: encoded(shop, path, "spam") if path.suffix == ".csv" else path for name, path in made.items()}


def encoded(shop, table, positive):
    """A raw table as its features with labels 1 and -1, made when first needed."""
    path = shop.data / f"{table.stem}.svm"
    if not path.exists():
        shop.data.mkdir(parents=True, exist_ok=True)
        lines = output([shop.linsep, "encode", table, "--short"]).splitlines()
        split = (line.partition(" ")[::2] for line in lines)
        path.write_text("".join(f"{1 if label == positive else -1} {rest}\n" for label, rest in split))
    return path


def local(shop, path):
    """The file in the data folder, where arrays can be kept beside it."""
    link = shop.data / path.name
    if path.parent != shop.data and not link.exists():
        shop.data.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)
    return link


class Case:
    """A set and a loss, with the peers in a process of their own."""

    def __init__(self, shop, name, path, loss, peer, folder):
        self.shop, self.name, self.path, self.loss, self.peer = shop, name, path, loss, peer
        self.model, self.theirs = f"{folder}/model.json", f"{folder}/liblinear.model"
        self.key = "cpu" if shop.clock == "cpu" else "seconds"

    def in_memory(self, c, gap, *options):
        words = [*one_core(), self.shop.measure, "margin", self.path, c, gap, self.model, "penalty=l1", f"loss={self.loss}",
                 "origin=true", *options]
        return json.loads(output(words, env=dict(os.environ, LINSEP_MEASURE_CLOCK=self.shop.clock)))

    def command(self, gap, *options):
        return [*one_core(), self.shop.linsep, "train", self.path, "--penalty", "l1", "--loss", self.loss, "--origin", "--gap", gap,
                "--quiet", "-o", self.model, *options]

    def value(self, c, model):
        return self.peer.ask(do="objective", loss=self.loss, C=c, model=model)

    def no_worse(self, c, wanted):
        """The widest gap of the ladder whose classifier's objective isn't above the target."""
        for gap in LADDER:
            mine = self.in_memory(c, gap)
            mine |= self.value(c, self.model)
            if mine["objective"] <= wanted:
                break
        return gap, mine

    def timed_pair(self, mine, theirs, first):
        """Interleaved repetitions of both sides; one run of a side that takes long, whose first time is known."""
        if first >= LONG:
            return {"mine": [mine()], "theirs": [first]}
        return interleaved(self.shop.repeats, mine=mine, theirs=theirs)

    def row(self, what, title, seconds, wanted, mine, gap):
        check = (f"{mine['objective']:.7g} against {wanted['objective']:.7g}, {mine['nonzeros']:,} and {wanted['nonzeros']:,} weights, "
                 f"gap {gap:g}")
        row = against(f"{self.name}, {self.loss}, {what}", title, seconds["mine"], seconds["theirs"],
                      mine["objective"] <= wanted["objective"], check)
        print(f"  {row['what']}, {title}: {row['ratio']:.2f}", file=sys.stderr, flush=True)
        return row

    def memory_rows(self, c):
        for who, title, tolerance, losses in PEERS:
            if self.loss not in losses:
                continue
            request = {"do": who, "loss": self.loss, "C": c, "tolerance": tolerance}
            first = self.peer.ask(**request)
            if "missing" in first:
                print(f"  {title}: left out, {first['missing']}", file=sys.stderr)
                continue
            gap, mine = self.no_worse(c, first["objective"])
            seconds = self.timed_pair(lambda: self.in_memory(c, gap)["seconds"], lambda: self.peer.ask(**request)[self.key],
                                      first[self.key])
            yield self.row(f"C={c:g}, in memory", title.format(LIBLINEAR_TYPES[self.loss]), seconds, first, mine, gap)

    def file_rows(self, c):
        kind = LIBLINEAR_TYPES[self.loss]
        liblinear = [*one_core(), self.shop.liblinear(), "-s", kind, "-c", c, "-q", self.path, self.theirs]
        first = self.shop.timed(liblinear)
        wanted = self.value(c, self.theirs)
        gap, mine = self.no_worse(c, wanted["objective"])
        command = self.command(gap, "--C", c)
        seconds = self.timed_pair(lambda: self.shop.timed(command), lambda: self.shop.timed(liblinear), first)
        yield self.row(f"C={c:g}, file to model", f"LIBLINEAR's command -s {kind}", seconds, wanted, self.value(c, self.model), gap)
        wanted = self.peer.ask(do="sklearn_file", loss=self.loss, C=c, tolerance=1e-4)
        gap, mine = self.no_worse(c, wanted["objective"])
        seconds = {"mine": [self.shop.timed(self.command(gap, "--C", c))], "theirs": [wanted[self.key]]}
        yield self.row(f"C={c:g}, file to model", "scikit-learn from the file", seconds, wanted, self.value(c, self.model), gap)

    def path_rows(self):
        first = self.peer.ask(do="greatest", loss=self.loss)
        rows, greatest = first["rows"], first["lambda"]
        lambdas = [greatest * 100 ** (-k / (POINTS - 1)) for k in range(POINTS)]
        grid = f"{lambdas[0]!r}:{lambdas[-1]!r}:{POINTS}"
        wanted = self.peer.ask(do="liblinear_path", loss=self.loss, lambdas=lambdas, tolerance=0.01)
        for gap in LADDER:
            mine = self.in_memory(0, gap, f"lambdas={grid}")
            if sum(mine["objectives"]) <= sum(wanted["objectives"]):
                break
        last = self.value(1 / (lambdas[-1] * rows), self.model)["objective"]
        same = abs(last / mine["objectives"][-1] - 1) < 1e-5 and len(mine["objectives"]) == POINTS
        worst = max(a / b for a, b in zip(mine["objectives"], wanted["objectives"])) - 1
        check = (f"sum {sum(mine['objectives']):.7g} against {sum(wanted['objectives']):.7g}, worst λ {worst:+.1e}, gap {gap:g}; "
                 f"the last by peer_l1.py {last:.7g}")
        agrees = same and sum(mine["objectives"]) <= sum(wanted["objectives"])
        kind = LIBLINEAR_TYPES[self.loss]
        yield against(f"{self.name}, {self.loss}, path in memory", f"100 × LIBLINEAR 2.50 -s {kind}", [mine["seconds"]],
                      [wanted[self.key]], agrees, check)
        took = self.shop.timed(self.command(gap, "--lambdas", grid))
        theirs = sum(self.shop.timed([*one_core(), self.shop.liblinear(), "-s", kind, "-c", 1 / (value * rows), "-q", self.path,
                                      self.theirs]) for value in lambdas)
        yield against(f"{self.name}, {self.loss}, path from the file", f"100 × LIBLINEAR's command -s {kind}", [took], [theirs],
                      agrees, check)


def compare(shop):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in data_sets(shop).items():
            path = local(shop, path)
            peer = Peer(shop, "peer_l1.py", path, before=one_core())
            for loss in LOSSES:
                print(f"  {name}, {loss}", file=sys.stderr, flush=True)
                case = Case(shop, name, path, loss, peer, folder)
                for c in COSTS:
                    results += case.memory_rows(c)
                    results += case.file_rows(c)
                results += case.path_rows()
            peer.close()
    return results
