#!/usr/bin/env python3
"""Checks a proof of linsep exactly, with nothing but Python's standard library.
    verify_certificate.py proof.json               a proof that carries the rows it needs
    verify_certificate.py proof.json data.csv      the rows (of X.npy: --label y.npy), by read_rows.py and its options (--salt, ...)
    verify_certificate.py proof.json leaves.txt    rows by `linsep leaves` or read_rows.py; -: standard input
    verify_certificate.py appendix.zip             a bundle: its proof, and the rows in it unless others are named
Prints only what it has checked. Exit code 0: valid, 1: invalid, 2: the data set is needed, 3: it can't be read. Rules: docs/reference/formats/
certificate.md. read_certificate.py reads the file and says what a row z is; check_model.py has the rules for proofs about a model."""
import sys
if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # this folder, where a bundle may have a json.py of its own
import itertools, os, re, types

def beside(name):  # a script of this folder, from its source and never from a compiled copy
    if name not in sys.modules:
        module = sys.modules[name] = types.ModuleType(name)
        module.__file__ = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        with open(module.__file__, "rb") as file: exec(compile(file.read(), module.__file__, "exec"), vars(module))
    return sys.modules[name]
read_rows, _ = beside("read_rows"), beside("read_certificate")  # the second lets no number be rounded
from read_certificate import Fraction, NeedsData, Reader, ascend, compare, dot, is_regular, need, parse, scaled, shown, squared

class Checker(Reader):
    """A method for each part, which raises Invalid or NeedsData. Where none does, all that the file says is proven."""
    def __init__(self, file):
        super().__init__(file)
        self.span, self.margin, self.mistakes, self.coefficients = map(
            self.file.__getitem__, ("span", "margin", "mistakes", "coefficients"))
        self.levels = [scaled(self.vector(w))[0] for w in self.file["levels"]]
        self.witness, self.alpha = self.alphas(self.file["witness"]), self.alphas(self.margin["alpha"])
        self.dependent = self.vector(self.span["dependent"])
        self.equations = [scaled(self.vector(w) | {column: -1})[0] for column, w in self.dependent.items()]
        self.packing = [self.alphas(entries) for entries in self.mistakes["witnesses"]]
        self.classifier, = scaled(self.vector(self.mistakes["weights"]))
        moves = self.coefficients["steps"], *self.coefficients["directions"]
        self.steps, *self.directions = scaled(*map(self.vector, moves))
        self.infinite = [(column, sign, self.alphas(entries))
                         for name, sign in (("plus_infinity", 1), ("minus_infinity", -1))
                         for column, entries in self.vector(self.coefficients[name]).items()]
        need(bool(self.levels) == ("left_at_zero" in self.file), "left_at_zero goes with levels")
        need(not self.classifier or "at_most" in self.mistakes, "weights go with at_most")
        need(not self.steps or self.directions, "steps go with directions")
        self.wanted = set().union(self.witness, self.alpha, *self.packing, *(alpha for _, _, alpha in self.infinite))
        self.left, self.wrong, self.least, self.separated = 0, 0, None, set()
    def check(self, lines=None, as_encoded=False):
        self.as_encoded, self.rows = as_encoded, dict(self.carried_rows(self.wanted))
        if lines is not None:
            self.rows = {}
            for number, leaf, y, row in self.all_rows(lines):
                self.check_row(number, y, row)
                if number in self.wanted: self.rows[number] = leaf
            self.rows = dict(self.with_room((leaf, len(leaf)) for leaf in self.rows.values()))
        self.check_witnesses()
        self.check_span()
        about_all = self.margin.keys() - {"at_most_squared", "alpha"} or "at_most" in self.mistakes
        if lines is None and (about_all or self.levels or self.equations or any(self.coefficients.values())):
            raise NeedsData("without it only the witnesses are proven")
        self.check_levels()
        self.check_claim()
        self.check_coefficients()
    def check_row(self, i, y, row):
        side = next(filter(None, (y * dot(w, row) for w in self.levels)), 0)
        need(side >= 0, f"row {i} is on the wrong side")
        need(side or not any(dot(equation, row) for equation in self.equations), f"row {i} is outside the span")
        self.left += side == 0
        self.least = side if i == 1 else min(self.least, side)
        if side and i in self.wanted: self.separated.add(i)
        radius = self.margin.get("radius_squared")
        long = radius and compare(squared(row) - (not self.origin), radius) > 0
        need(not long, f"row {i} is longer than the radius")
        need(all(y * dot(w, row) >= 0 for w in self.directions), f"row {i} is on the wrong side of a direction")
        first = dot(self.directions[0], row) if self.steps else 0
        moved = (first + self.steps[column] * row[column] for column in self.steps.keys() & row.keys())
        need(all(y * value >= 0 for value in moved), f"row {i} is on the wrong side of a direction with a step")
        self.wrong += "at_most" in self.mistakes and y * dot(self.classifier, row) <= 0
    def check_witnesses(self):
        need(not self.total(self.witness, self.rows), "the witness's sum is not 0")
        if "at_most_squared" in self.margin:
            total, bound = self.total(self.alpha, self.rows), self.margin["at_most_squared"]
            need(self.alpha and "offset" not in total, "the margin's alpha is missing or doesn't balance the classes")
            need(compare(squared(total), bound, sum(self.alpha.values())**2) <= 0, "a greater margin is not excluded")
        used = [row for witness in self.packing for row in witness]
        need(self.mistakes.get("at_least", 0) == len(self.packing) and all(self.packing), "at_least is another number")
        need(len(set(used)) == len(used), "two witnesses share a row")
        need(not any(self.total(witness, self.rows) for witness in self.packing), "the sum of a witness is not 0")
    def check_span(self):
        if not self.span: return
        rows, prime = self.span["rows"], self.span["prime"]
        p = int(prime) if re.fullmatch("[1-9][0-9]{0,18}", prime) else 0
        need(len(rows) + len(self.dependent) == self.size(self.d) + (not self.origin), "the span's rows are too few")
        need(1 < p < 2**62 and ascend(rows) and {*rows} <= self.witness.keys(), "the span's prime or rows are wrong")
        need(not any(w.keys() & self.dependent.keys() for w in self.dependent.values()), "a sum has a dependent column")
        free = {column: None for column in self.columns() if column not in self.dependent}
        matrix = [self.residues(self.rows[number], free, p) for number in rows]
        need(is_regular(matrix, free, p), "the span's rows are not shown to be independent")
    def check_levels(self):
        least, radius, bound = map(self.margin.get, ("at_least_squared", "radius_squared", "mistake_bound"))
        need(not self.levels or self.left == self.file["left_at_zero"], "left_at_zero is not the number of such rows")
        need(self.wrong == self.mistakes.get("at_most", 0), "the classifier makes a different number of mistakes")
        need(not bound or least and radius, "the mistake bound goes with margin and radius")
        if least:
            need(len(self.levels) == 1 and self.n and not self.left and Fraction(least) > 0, "there is no margin")
            theta = squared({column: value for column, value in self.levels[0].items() if column != "offset"})
            need(theta and compare(self.least**2, least, theta) >= 0, "the margin is smaller")
        if bound:
            length = (Fraction(radius) + (not self.origin)) * Fraction(squared(self.levels[0]))
            need(length <= Fraction(bound) * Fraction(self.least)**2, "a perceptron could make more mistakes")
    def check_claim(self):
        levels, witness, left = self.levels, self.witness, self.file["left_at_zero"]
        proven = {"separable": levels and left == 0, "quasi-separable": levels and left < self.n and witness,
                  "overlapping": not levels and witness and self.span,
                  "undecided": levels or witness or "at_most_squared" in self.margin}
        need(proven.get(self.file["claim"]), "its parts don't prove the claim")
    def check_coefficients(self):
        lists = [self.coefficients[name] for name in ("plus_infinity", "minus_infinity", "finite", "undetermined")]
        columns = self.vector(list(itertools.chain(*lists)))
        need(len(set(columns)) == len(columns), "a column is in two lists")
        decided = self.file["claim"] == ("quasi-separable" if self.span else "separable")
        need(decided or not any(self.coefficients.values()), "coefficients go with separable rows or a span")
        for column, sign, alpha in self.infinite:
            need(alpha and alpha.keys() <= self.separated, "an infinite coefficient needs separated rows")
            total = self.total(alpha, self.rows)  # pairs: (sum of alpha*z)*g and e_column*g for every g
            pairs = [(dot(total, g), g[column]) for g in self.equations] if self.span else [
                (total[c], int(c == column)) for c in {*total, column}]
            a, b = next((pair for pair in pairs if pair[1]), (0, 0))
            need(sign * a * b > 0 and all(a * y == x * b for x, y in pairs), "an infinite coefficient is not shown")
        for column in lists[2]:
            need(self.span and not any(g[column] for g in self.equations), "a finite coefficient is not shown")
        for column in lists[3]:
            weights = [w[column] for w in self.directions] or [0]
            weights.append(weights[0] + self.steps[column])
            need(min(weights) < 0 < max(weights), "no two directions disagree on a coefficient")

def checker_of(file): return (beside("check_model").proof_of if file["linsep_certificate"] == 3 else Checker)(file)
def main():
    options = read_rows.checker_options(__doc__.split("\n")[0])
    try:
        proof, rows, name = read_rows.read_proof(options.certificate)
        checker = checker_of(parse(proof))
        need(options.root in (None, checker.data["root"]), "it is about data with another root")
        checker.check(read_rows.lines_for(options, rows, name, checker.file), options.as_encoded)
    except (read_rows.Refused, read_rows.zlib.error, EOFError) as error:
        return print("the data can't be read:", shown(str(error))) or 3
    except NeedsData as missing:
        return print(f"the data set is needed: {missing}", *map(shown, checker.columns_used()), sep="\n  ") or 2
    except (ValueError, ArithmeticError, RecursionError, OSError) as error:
        return print("invalid:", shown(str(error))) or 1
    return print("valid:", *map(shown, checker.sentences()), *[f"the rows are those of {name} in the bundle"] * bool(name and not options.rows), sep="\n  ") or 0

if __name__ == "__main__": sys.exit(main())
