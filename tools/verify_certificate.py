#!/usr/bin/env python3
"""Checks a linsep certificate, exactly, with nothing but Python's standard library.
    verify_certificate.py proof.json               a witness that carries its rows needs no data set
    verify_certificate.py proof.json data.svm      svmlight; or data.csv, data.tsv; also compressed, .gz
Prints "valid" or "invalid" with the reason; exit code 0 or 1. docs/formats/certificate.md describes the format and why
these checks prove the claims. A row has features x and a label y = +1 or -1, and z = y*(phi(x), 1), without the 1 when
"origin" is true. A column is named "3" (x3), "2*5" (x2*x5) or "offset" (the 1). All arithmetic is exact."""
import argparse, csv, decimal, gzip, hashlib, itertools, json, math, multiprocessing, operator, re, sys
from collections import Counter  # a vector: what it leaves out counts as 0
from decimal import Decimal
from fractions import Fraction
sys.set_int_max_str_digits(0)
decimal.setcontext(decimal.Context(prec=10**6, traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow]))
ENTRY = r"[1-9][0-9]*:-?(?:[1-9][0-9]*(?:\.[0-9]*[1-9])?|0\.[0-9]*[1-9])"  # never 0, in the one canonical way
BODY = re.compile(f"(?:{ENTRY}(?: {ENTRY})*)?")
ZEROS = re.compile(r"(\.[0-9]*[1-9])0+(?![^ ])")  # a value with zeros at its end that can be left out
WRITTEN = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?0*[0-9]{1,4})?")
CHUNK = 4096  # rows checked at a time; a power of two, so that their hashes form a subtree
dot = lambda w, row: sum(map(operator.mul, map(w.__getitem__, row), row.values()))
sha = lambda *parts: hashlib.sha256(b"".join(parts)).digest()
label_value = lambda text: Decimal(text) if WRITTEN.fullmatch(text) else text

def need(condition, message):
    if not condition:
        raise ValueError(message)
def exact(text):
    need(re.fullmatch(r"-?[0-9]+(?:/[0-9]+|\.[0-9]+)?", text), f"{text:.40} is not an exact number")
    return Fraction(text)
def integers(numbers):
    scale = math.lcm(*(q.denominator for q in numbers.values()))  # a positive scale changes neither signs nor ratios
    return Counter({key: Decimal(int(q * scale)) for key, q in numbers.items()})

def tree(nodes):
    """The Merkle tree of RFC 6962: neighbours are joined level by level; an odd last node moves up as it is."""
    while len(nodes) > 1:
        nodes = [sha(b"\1", *nodes[i:i + 2]) if i + 1 < len(nodes) else nodes[i] for i in range(0, len(nodes), 2)]
    return nodes[0] if nodes else sha()

def climb(node, index, size, path):  # the tree above a leaf's hash, by its audit path
    steps = list(map(bytes.fromhex, reversed(path)))
    while size > 1:
        if index % 2 or index + 1 < size:
            node = sha(b"\1", steps.pop(), node) if index % 2 else sha(b"\1", node, steps.pop())
        index, size = index // 2, (size + 1) // 2
    return b"" if steps else node

def canonical(body):  # entries as written, "1:0.50 3:2e1 4:0", in the canonical way: "1:0.5 3:20"
    words = [word.partition(":") for word in body.split() if not word.startswith("qid:")]
    need(all(re.fullmatch("[0-9]+", c) and WRITTEN.fullmatch(text) for c, _, text in words), f"{body:.60} is no row")
    values = sorted((int(c), Decimal(text)) for c, _, text in words if Decimal(text))
    return " ".join(f"{c}:{value.normalize():f}" for c, value in values)

def read(path, options):
    """The data set as lines that are rows, and a function that splits lines into (label, entries as written)."""
    stream = (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig")
    lines = (line for line in stream if line.strip() and line[0] != "#")
    table = re.search(r"\.([ct])sv(\.gz)?$", path)
    if not table:
        return lines, lambda part: (line.partition("#")[0].strip().partition(" ")[::2] for line in part)
    split = lambda part: csv.reader(part, delimiter="," if table[1] == "c" else "\t")
    names = next(split([first := next(lines)]))
    place = lambda key: names.index(key) if key in names else int(key) - 1
    label = place(options.label) if options.label else len(names) - 1
    kept = [j for j in range(len(names)) if j not in {label, *map(place, options.ignore)}]
    header = not all(WRITTEN.fullmatch(names[j].strip()) for j in kept)
    entries = lambda row: " ".join([f"{k}:{row[j].strip()}" for k, j in enumerate(kept, 1)])
    return itertools.chain([first][header:], lines), lambda part: ((r[label].strip(), entries(r)) for r in split(part))

class Checker:
    def __init__(self, file):
        need(file["linsep_certificate"] == 1, "this checker reads version 1 of the format")
        self.file, self.origin, self.data = file, file["origin"], file["data"]
        self.n, self.d = (max(0, operator.index(self.data[key])) for key in ("rows", "features"))
        self.signs = {label_value(self.data["negative"]): -1, label_value(self.data["positive"]): 1}
        kind = re.fullmatch(r"none|products|polynomial:([1-9])", file["map"])
        need(kind and type(self.origin) is bool and len(self.signs) == 2, "the map, origin or classes make no sense")
        self.sizes = range(1, 1 + int(kind[1] or 1 + (kind[0] == "products")))
        self.subsets = itertools.combinations if kind[0] == "products" else itertools.combinations_with_replacement
        self.levels = [integers(self.weights(level)) for level in file.get("levels", [])]
        self.left = file["left_at_zero"] if self.levels else self.n
        self.witness, self.span = self.alphas(file.get("witness", [])), file.get("span")
        self.dependent = self.weights(self.span["dependent"], self.weights) if self.span else {}
        self.equations = [integers(total | {column: Fraction(-1)}) for column, total in self.dependent.items()]
        self.margin, self.mistakes = file.get("margin", {}), file.get("mistakes", {})
        self.alpha = self.alphas(self.margin.get("alpha", []))
        self.packing = [self.alphas(entries) for entries in self.mistakes.get("witnesses", [])]
        self.classifier = integers(self.weights(self.mistakes.get("weights", {})))
        self.wanted = set(itertools.chain(self.witness, self.alpha, *self.packing))
    def is_column(self, name):
        factors = re.findall("[1-9][0-9]*", name)
        pool = sorted(set(map(int, factors)))
        known = len(factors) in self.sizes and pool[-1] <= self.d and self.subsets(map(str, pool), len(factors))
        return known and name in map("*".join, known) or name == "offset" and not self.origin
    def weights(self, value, read_weight=exact):
        need(all(map(self.is_column, value)), "a weight is at a column that doesn't exist")
        return {column: read_weight(text) for column, text in value.items()}
    def alphas(self, entries):
        rows, alpha = [operator.index(e["row"]) for e in entries], {e["row"]: exact(e["alpha"]) for e in entries}
        need(rows == sorted(alpha) and all(row in range(1, self.n + 1) for row in rows), "bad row numbers in a witness")
        need(all(a > 0 for a in alpha.values()), "an alpha is not above 0")
        return integers(alpha)
    def phi(self, body):  # (phi(x), 1) of a canonical row: column name -> number
        words = body.replace(":", " ").split()
        row, columns = dict(zip(words[::2], map(Decimal, words[1::2]))), list(map(int, words[::2]))
        need(columns == sorted(set(columns)) and columns[-1:] <= [self.d], "a row has a feature twice or past the last")
        for size in self.sizes[1:]:
            row |= {"*".join(f): math.prod(map(row.__getitem__, f)) for f in self.subsets(words[::2], size)}
        return row if self.origin else row | {"offset": Decimal(1)}
    def check_rows(self, first, lines):
        """Checks rows of the data set; returns their subtree and what the last checks need to know of them."""
        leaves, found, left, mistakes, least = [], {}, 0, 0, math.inf
        for number, (label, body) in enumerate(lines, first):
            y, body = self.signs.get(label_value(label)), ZEROS.sub(r"\1", body)
            body = body if BODY.fullmatch(body) else canonical(body)
            need(y, f"the label {label:.40} of row {number} is not one of the two classes")
            leaves.append(sha(b"\0", f"{number} {y:+} {body}".rstrip().encode()))
            row = self.phi(body)
            found.update({number: (y, row)} if number in self.wanted else {})
            value = next(filter(None, (y * dot(w, row) for w in self.levels)), 0)
            need(value >= 0, f"row {number} is on the wrong side")
            need(value or all(dot(e, row) == 0 for e in self.equations), f"row {number} is outside the witness's span")
            left, least = left + (value == 0), min(least, value)
            mistakes += "at_most" in self.mistakes and y * dot(self.classifier, row) <= 0
        return tree(leaves), len(leaves), found, left, mistakes, least
    def total(self, alpha):  # the sum of alpha*z over the rows of a witness, without the columns where it is 0
        need(alpha.keys() <= self.rows.keys(), "the data set is needed: a row of a witness is not carried")
        sums = Counter()
        for (y, row), a in ((self.rows[number], a) for number, a in alpha.items()):
            sums.update({column: y * a * value for column, value in row.items()})
        return {column: value for column, value in sums.items() if value}
    def check_span(self, basis, p):  # the minor of these rows of the witness and the independent columns isn't 0 mod p
        need(self.d <= len(basis) + len(self.dependent) and 1 < p < 2**62, "the span's prime or number of rows is bad")
        products = ("*".join(f) for k in self.sizes for f in self.subsets(map(str, range(1, self.d + 1)), k))
        kept = (c for c in itertools.chain(products, ["offset"] * (not self.origin)) if c not in self.dependent)
        columns = list(itertools.islice(kept, len(basis) + 1))
        need(not any(total.keys() & self.dependent.keys() for total in self.dependent.values()), "bad dependent column")
        need(len(basis) == len(columns) and sorted(set(basis) & set(self.witness)) == basis, "bad rows of the span")
        ratios = lambda row: (Fraction(row.get(column, 0)).as_integer_ratio() for column in columns)
        matrix = [[a * pow(b, -1, p) % p for a, b in ratios(self.rows[number][1])] for number in basis]
        while matrix:
            pivot = next((row for row in matrix if row[-1]), None)
            need(pivot, "the span's rows are not shown to be independent")
            matrix.remove(pivot)
            factors = [row.pop() * pow(pivot[-1], -1, p) for row in matrix]
            matrix = [[(a - f * b) % p for a, b in zip(row, pivot)] for row, f in zip(matrix, factors)]
    def check(self, parts):  # parts: the results of check_rows over the whole data set, or None without one
        digest = lambda top: sha(b"\2", b"%d %d " % (self.n, self.d), top).hex()
        self.rows, margin, mistakes = {}, self.margin, self.mistakes
        for leaf, path in ((carried["leaf"], carried["path"]) for carried in self.file.get("rows", [])):
            number, y, body = re.fullmatch("([1-9][0-9]*) ([+-]1)(?: (.+))?", leaf).groups("")
            top = climb(sha(b"\0", leaf.encode()), int(number) - 1, self.n, path)
            need(digest(top) == self.data["root"] and BODY.fullmatch(body), f"carried row {number} is not of the data")
            self.rows[int(number)] = int(y), self.phi(body)
        if parts is not None:
            tops, counts, found, left, wrong, least = zip(*parts or [(sha(), 0, {}, 0, 0, 0)])
            need(sum(counts) == self.n and digest(tree(list(tops))) == self.data["root"], "it is about other data")
            need(sum(left) == self.left and sum(wrong) == mistakes.get("at_most", 0), "a count of rows is wrong")
            self.rows.update(item for part in found for item in part.items())
        need(not self.total(self.witness), "the witness's sum is not 0")
        self.span and self.check_span(self.span["rows"], self.span["prime"].isdecimal() and int(self.span["prime"]))
        if "at_most_squared" in margin:
            total, bound = self.total(self.alpha), exact(margin["at_most_squared"])
            need(self.alpha and "offset" not in total, "the margin's alpha doesn't balance the classes")
            square = Fraction(sum(v * v for v in total.values())) / Fraction(sum(self.alpha.values()))**2
            need(square <= bound, "a greater margin is not excluded")
        need(mistakes.get("at_least", 0) == len(self.packing) and all(self.packing), "at_least is not their number")
        need(len(set().union(*self.packing)) == sum(map(len, self.packing)), "two witnesses share a row")
        need(not any(map(self.total, self.packing)), "the sum of one of the witnesses is not 0")
        if self.levels or self.equations or "at_most" in mistakes:
            need(parts is not None, "the data set is needed; without it only the witnesses are proven")
        if "at_least_squared" in margin:
            norm = Fraction(sum(v * v for column, v in self.levels[0].items() if column != "offset"))
            need(len(self.levels) == 1 and self.n and norm > 0 and not self.left, "there is no margin")
            need(Fraction(min(least))**2 >= norm * exact(margin["at_least_squared"]) > 0, "the margin is smaller")
        proven = {"separable": self.levels and self.left == 0, "undecided": self.levels or self.witness or margin,
                  "quasi-separable": self.levels and self.left < self.n and self.witness,
                  "overlapping": not self.levels and self.witness and self.span}
        need(proven.get(self.file["claim"]), "its parts don't prove the claim")

def work(file, options, rank, size):  # checks every size-th chunk of the data set: (number of the chunk, result)
    checker, (lines, split) = Checker(file), read(options.data, options)
    chunks = enumerate(iter(lambda: list(itertools.islice(lines, CHUNK)), []))
    return [(k, checker.check_rows(k * CHUNK + 1, split(part))) for k, part in chunks if k % size == rank]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("certificate"), parser.add_argument("data", nargs="?")
    parser.add_argument("--label", help="CSV: name or number of the label's column; else the last")
    parser.add_argument("--ignore", action="append", default=[], help="CSV: a column that is no feature")
    options, parts, size = parser.parse_args(), None, multiprocessing.cpu_count()
    try:
        file = json.load(open(options.certificate, encoding="utf-8"))
        if options.data:
            done = multiprocessing.Pool(size).starmap(work, [(file, options, rank, size) for rank in range(size)])
            parts = [part for _, part in sorted(itertools.chain(*done), key=operator.itemgetter(0))]
        Checker(file).check(parts)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, ArithmeticError, StopIteration) as error:
        sys.exit(f"invalid: {error}")
    bounds = file.get("margin", {}) | {f"mistakes {key}": value for key, value in file.get("mistakes", {}).items()}
    print("valid:", file["claim"], *(f"{key} {value}" for key, value in bounds.items() if "at_" in key))
