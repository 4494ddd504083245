"""Separable or not: certify against SciPy's HiGHS, rows in memory.

Two dense sets of 50 features with margin 1e-3 (`linsep generate`), one of them with a flipped label. HiGHS solves the
linear programme that asks for the largest t with all margins at least t; it needs minutes for 100,000 rows, so that is
the size (`--rows` takes another), run once. Both sides must come to the same answer; linsep's is exact.
The set of 1,000,000 rows is then certified alone: passes, witness and seconds are in the table's last column.
"""
import json

from workshop import against, interleaved, output


def dense_set(shop, name, rows):
    flips = ["--flips", 1] if name == "noisy" else []
    return shop.generated(f"{name}-{rows}.csv", name, "--rows", rows, "--features", 50, "--margin", 0.001, *flips,
                          "--format", "csv")


def certified(shop, path):
    return json.loads(output([shop.linsep, "certify", path, "--json"]))


def compare(shop):
    results = []
    for name, verdict in (("separable", "separable"), ("noisy", "overlapping")):
        path = dense_set(shop, name, shop.rows or 100_000)
        answer = certified(shop, path)
        seconds = interleaved(shop.repeats, linsep=lambda: certified(shop, path)["seconds"]["certify"])
        peer = json.loads(output([shop.peer_python(), shop.root / "bench" / "peer_highs.py", path]))
        agrees = answer["verdict"] == verdict and (peer["t"] > 1e-9) == (verdict == "separable")
        check = f"{answer['verdict']}, {answer['passes']} passes; HiGHS t = {peer['t']:.3g}, {peer['cpu']:.1f} s of processor"
        results.append(against(f"{name}, {answer['rows']} × 50", "SciPy's HiGHS", seconds["linsep"],
                               [peer["wall"]], agrees, check))
        large = dense_set(shop, name, 1_000_000)
        answer = certified(shop, large)
        seconds = interleaved(shop.repeats, linsep=lambda: certified(shop, large)["seconds"]["certify"])
        bound = {"separable": answer["passes"] <= 15, "noisy": len(answer["witness"] or []) <= 52}[name]
        check = f"{answer['verdict']}, {answer['passes']} passes, witness of {len(answer['witness'] or [])} rows"
        row = against(f"{name}, 1000000 × 50", "–", seconds["linsep"], [0.0], answer["verdict"] == verdict and bound, check)
        results.append(row | {"peer_seconds": None, "ratio": None})
    return results
