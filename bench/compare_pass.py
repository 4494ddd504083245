"""Passes over rows in memory, of the perceptron and of Newton's method: against bare passes that gather and add the same.

The bare pass has no rows, no labels and no updates: nothing that uses every weight can be faster. It runs between the
passes of the perceptron, over the same pages, with the perceptron's own weights. A second row compares the pass with its own
dot products, one per row, without labels and updates: the difference is the cost of the corrections.

Newton's passes are those for gradients and for products with the Hessian, with all that happens between them (the line search
is part of the last product's). The bare ones score the rows 64 at a time, make factors of the scores and add rows times factors
in plain doubles, whose sums depend on the order of the rows.
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
    newton = [against_bare(shop.measured("newton", path, loss, "20"), loss) for loss in ("squared-hinge", "logistic")]
    return [
        against(what, f"bare pass ({found['bare_version']})", perceptron, bare, sane, note, **more),
        against(what, "its own dot products alone", perceptron, found["scores"][1:], sane, note, **more),
        *newton,
    ]


def against_bare(found, loss):
    """The mean pass, as a median over passes of each kind would leave out the line search."""
    passes = found["gradients"] + found["products"]
    bare = found["bare_gradients"] + found["bare_products"]
    mean, bare_mean = statistics.mean(passes), statistics.mean(bare)
    what = f"newton pass, {loss}, {mean / found['nonzeros'] * 1e9:.2f} ns per nonzero"
    note = f"{len(found['gradients'])} gradients, {len(found['products'])} products, the same rows"
    peer = f"bare gathers and adds ({found['bare_version']})"
    return against(what, peer, [mean], [bare_mean], len(passes) == len(bare) > 2, note, nonzeros=found["nonzeros"])
