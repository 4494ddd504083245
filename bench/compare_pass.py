"""A perceptron's pass over rows in memory: against a bare pass that gathers the same weights and sums.

The bare pass has no rows, no labels and no updates: nothing that uses every weight can be faster. It runs between the
passes of the perceptron, over the same pages, with the perceptron's own weights. A second row compares the pass with its own
dot products, one per row, without labels and updates: the difference is the cost of the corrections.
"""
import statistics

from workshop import against


def compare(shop):
    path = shop.sparse_set()
    found = shop.measured("pass", path, max(10, 2 * shop.repeats))
    # The first pass also finds cold pages; the others are alike.
    perceptron, bare = found["perceptron"][1:], found["bare"][1:]
    per_nonzero = statistics.median(perceptron) / found["nonzeros"] * 1e9
    share = statistics.median(found["mistakes"][1:]) / found["rows"]
    note = f"same pages and weights; {share:.1%} of rows were mistakes"
    sane = all(m >= 0 for m in found["mistakes"])
    more = {"nonzeros": found["nonzeros"], "mistakes": found["mistakes"]}
    what = f"perceptron pass, {per_nonzero:.2f} ns per nonzero ({found['kernel']})"
    return [
        against(what, f"bare pass ({found['bare_version']})", perceptron, bare, sane, note, **more),
        against(what, "its own dot products alone", perceptron, found["scores"][1:], sane, note, **more),
    ]
