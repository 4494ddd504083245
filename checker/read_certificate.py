"""A certificate's file and its rows, read strictly: nothing unknown, nothing twice, every value of its kind, and limits
before anything is made of it. What is proven by it is left to verify_certificate.py. docs/reference/formats/certificate.md.

A row is its label y = +1 or -1 and (phi(x), 1), a dictionary from columns ("3", "2*5", "offset") to numbers."""
import decimal, functools, hashlib, heapq, itertools, json, math, operator, re, sys
from decimal import Decimal
from fractions import Fraction
sys.set_int_max_str_digits(0)
decimal.setcontext(decimal.Context(decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX,
                                   traps=[decimal.Inexact, decimal.InvalidOperation]))  # nothing is ever rounded
LABEL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?0*[0-9]{1,4})?")  # one that is a number
COLUMN = re.compile(r"[1-9][0-9]{0,9}(\*[1-9][0-9]{0,9}){0,8}")
BLOCK_COLUMN = re.compile(r"([1-9][0-9]{0,9}):([1-9][0-9]{0,9}|offset)")  # all classes jointly
VALUE = r"-?(?:[1-9][0-9]*(?:\.[0-9]*[1-9])?|0\.[0-9]*[1-9])"  # not 0, and without a zero that could be left out
NUMBER_OF_ROW, LABEL_OF_ROW, ENTRIES = "([1-9][0-9]{0,18}) ", "[+-]1|[1-9][0-9]{0,9}", rf"((?: [1-9][0-9]{{0,9}}:{VALUE})*)(?: #[0-9a-f]{{32}})?"
LEAF = re.compile(f"{NUMBER_OF_ROW}({LABEL_OF_ROW}){ENTRIES}")
WEIGHED_LEAF = re.compile(rf"{NUMBER_OF_ROW}({LABEL_OF_ROW}|[-+?]+)(?:\*(?P<weight>0|(?!-|1(?![0-9.])){VALUE}))?{ENTRIES}")  # of proofs about models

class Invalid(ValueError):
    pass
class NeedsData(Exception):
    pass
class Fields(dict):
    __missing__ = lambda self, name: Fields()  # a field that is missing is empty
class Vector(dict):
    __missing__ = lambda self, column: 0  # a column that is missing is 0

def need(condition, message):
    if not condition:
        raise Invalid(message)

# Kinds of values.
EXACT = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*|\.[0-9]+)?")
text = lambda value: type(value) is str and not re.search("[\ud800-\udfff]", value)
flag = lambda value: type(value) is bool
count = lambda value: type(value) is int and 0 <= value < 2**62
exact = lambda value: type(value) is str and len(value) <= 100_000 and EXACT.fullmatch(value)

# "?": may be missing; "+": may be missing, and isn't in version 1; "": any names.
VECTOR, ALPHAS = {"": exact}, [{"row": count, "alpha": exact}]
SHAPE = {
    "linsep_certificate": count, "claim": text, "origin": flag, "map": text,
    "jointly+": flag, "against_the_rest+": text,
    "data": {"rows": count, "features": count, "negative?": text, "positive?": text, "classes+": [text], "root": text,
             "names+": [text], "table+": text,
             "reading+": {"format": text, "delimiter?": text, "header?": flag, "label?": text, "left_out?": [text],
                          "drop_missing_labels?": flag}},
    "levels?": [VECTOR], "left_at_zero?": count, "witness?": ALPHAS,
    "span?": {"prime": text, "rows": [count], "dependent": {"": VECTOR}},
    "margin?": {"at_least_squared?": exact, "at_most_squared?": exact, "alpha?": ALPHAS,
                "radius_squared+": exact, "mistake_bound+": exact},
    "mistakes?": {"at_least?": count, "witnesses?": [ALPHAS], "at_most?": count, "weights?": VECTOR},
    "coefficients+": {"plus_infinity?": {"": ALPHAS}, "minus_infinity?": {"": ALPHAS}, "finite?": [text],
                      "undetermined?": [text], "directions?": [VECTOR], "steps?": VECTOR},
    "stopped_because?": text, "rows?": [{"leaf": text, "path": [text]}]}

def check_shape(shape, value, version):
    if callable(shape):
        return need(shape(value), "a value is not of its kind")
    need(isinstance(value, type(shape)), "expected a list or an object")
    if type(shape) is list:
        shape, value = {"": shape[0]}, dict(enumerate(value))
    parts = {key.rstrip("?+"): part for key, part in shape.items() if version > 1 or key[-1:] != "+"}
    if "" not in parts:
        need({key for key in shape if key in parts} <= value.keys() <= parts.keys(), "a field is missing or unknown")
    for name, item in value.items():
        check_shape(parts.get("") or parts[name], item, version)

def parse(json_text):
    """An object, as Fields; no field stands twice. A whole number too long for a count is cut and still none."""
    def unique(pairs):
        need(len(dict(pairs)) == len(pairs), "a field stands twice")
        return Fields(pairs)
    file = json.loads(json_text, object_pairs_hook=unique, parse_int=lambda digits: int(digits[:25]))
    need(isinstance(file, dict), "expected an object")
    return file

def scaled(*vectors):
    """As integers of one scale above 0, which changes no sign and no ratio."""
    vectors = [{key: Fraction(number) for key, number in vector.items()} for vector in vectors]
    scale = math.lcm(*(q.denominator for vector in vectors for q in vector.values()))
    return [Vector({key: Decimal(int(q * scale)) for key, q in vector.items()}) for vector in vectors]

def dot(w, row):
    return sum(map(operator.mul, map(w.__getitem__, row), row.values()))
def squared(w):
    return sum(map(operator.mul, w.values(), w.values()))
def compare(value, bound, scale=1):
    """Above 0 where value > bound*scale; bound is an exact number of the certificate, the others are decimals."""
    return value * Fraction(bound).denominator - Decimal(Fraction(bound).numerator) * scale
def is_prime(p):
    """Miller's test with the first twelve primes, which decides below 2**64."""
    bases, odd = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37], (p - 1) // ((p - 1) & (1 - p))
    powers = (p - 1).bit_length() - odd.bit_length() + 1
    passes = lambda a: pow(a, odd, p) == 1 or p - 1 in (pow(a, odd << k, p) for k in range(powers))
    return p in bases or all(p % a and passes(a) for a in bases)
def sparse_pivots(matrix, columns, p):
    """Eliminates modulo a prime until a quarter of all entries is there: the column with the fewest entries is next, its shortest row
    first (Markowitz 1957). The rows that are left, of the columns that are left, or None if a column has no pivot; and how many entries were
    visited."""
    rows, holders = dict(enumerate(matrix)), {column: set() for column in columns}
    for i, row in rows.items():
        for column in row: holders[column].add(i)
    visited, entries, fewest = 0, sum(map(len, rows.values())), [(len(held), column) for column, held in holders.items()]
    heapq.heapify(fewest)
    while fewest and 4 * entries < len(rows)**2:
        size, column = heapq.heappop(fewest)
        if size != len(holders.get(column, ())): continue  # it has another size by now
        if not size: return None, visited
        chosen = min(holders[column], key=lambda i: len(rows[i]))
        pivot = rows.pop(chosen)
        for other in pivot: holders[other].remove(chosen)
        inverse = pow(pivot.pop(column), -1, p)
        visited += size * (len(pivot) + 1)
        entries -= len(pivot) + size
        for i in holders.pop(column):
            row, factor = rows[i], rows[i].pop(column) * inverse % p
            entries -= len(row)
            for other, value in pivot.items():
                row[other] = value = (row.get(other, 0) - factor * value) % p
                if value: holders[other].add(i)
                else: holders[other].discard(i), row.pop(other)
            entries += len(row)
        for other in pivot: heapq.heappush(fewest, (len(holders[other]), other))
    return [[row.get(column, 0) for column in holders] for row in rows.values()], visited
def dense_pivots(matrix, p):
    """Whether elimination modulo a prime finds a pivot in every column. A row is one long integer, a slot for each column that holds
    the sum of as many products as there are rows. The first slot is that of the next column."""
    size = (2 * p.bit_length() + len(matrix).bit_length()) // 8 + 1
    slot, first = 8 * size, (1 << 8 * size) - 1
    packed = lambda values: int.from_bytes(b"".join(value.to_bytes(size, "little") for value in values), "little")
    without = lambda row, pivot: row + (p - (row & first) % p) * pivot >> slot
    fresh, waiting, pivots = list(map(packed, matrix)), [], []
    for columns in range(len(matrix), 0, -1):
        found = next((k for k, row in enumerate(waiting) if (row & first) % p), None)
        row = waiting.pop(found) if found is not None else 0
        while not (row & first) % p:
            if not fresh: return False
            row = functools.reduce(without, pivots, fresh.pop())
            if not (row & first) % p: waiting.append(row)
        parts = row.to_bytes(columns * size, "little")
        values = [int.from_bytes(parts[at:at + size], "little") % p for at in range(0, len(parts), size)]
        inverse = pow(values[0], -1, p)
        pivots.append(packed(value * inverse % p for value in values))
        waiting = [without(row, pivots[-1]) for row in waiting]
    return True
def has_pivots_in_order(matrix, p):
    """The same modulo any number, in the order that the format's page names; a ValueError where a pivot has no inverse."""
    while matrix:
        pivot = next((row for row in matrix if row[-1]), None)
        if not pivot: return False
        matrix.remove(pivot)
        factors = [row.pop() * pow(pivot[-1], -1, p) for row in matrix]
        matrix = [[(a - f * b) % p for a, b in zip(row, pivot)] for row, f in zip(matrix, factors)]
    return True
def is_regular(matrix, columns, p):
    """Whether elimination modulo p shows that a square matrix is regular. A row is a dictionary of what isn't 0."""
    if is_prime(p):
        rest, _ = sparse_pivots(matrix, columns, p)
        return rest is not None and dense_pivots(rest, p)
    need(len(matrix) <= 1000, "the span's prime is no prime, and its rows are too many to do without")
    return has_pivots_in_order([[row.get(column, 0) for column in columns] for row in matrix], p)
def shown(words):
    """As a terminal may show it: nothing in it is obeyed."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)
def listed(names):
    """Names with commas; one that could be taken for two, or for none, in quotes."""
    return ", ".join(json.dumps(name, ensure_ascii=False) if re.search('[",;]|^\\s|\\s$|^(none)?$', name) else name for name in names)
def encoders(table):
    """The columns of a table's map, each with its name and kind; none where the text is no such map."""
    try:
        columns = json.loads(table)["columns"]
        return [column for column in columns if column["name"] and column["kind"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return []
def encoding(column):
    said = {key: f"{len(said)} of them" if type(said) is list and len(said) > 5 else said for key, said in column.items()}
    return f"column {said.pop('name')}: {said.pop('kind')}, " + ", ".join(f"{key} {value}" for key, value in said.items())
def ascend(numbers):
    return all(map(operator.lt, numbers, numbers[1:]))
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

class Tree:
    """Of RFC 6962, over leaves that come one by one."""
    def __init__(self):
        self.subtrees = []  # complete ones from left to right: how many leaves, and the hash
    def add(self, leaf):
        self.subtrees.append((1, sha(b"\0", leaf.encode())))
        while len(self.subtrees) > 1 and self.subtrees[-2][0] == self.subtrees[-1][0]:
            (size, left), (_, right) = self.subtrees[-2:]
            self.subtrees[-2:] = [(2 * size, sha(b"\1", left, right))]
    def root(self):
        hashes = [node for _, node in self.subtrees] or [sha()]
        while len(hashes) > 1:
            right = hashes.pop()
            hashes[-1] = sha(b"\1", hashes[-1], right)
        return hashes[0]

SENTENCES = {
    "levels": "weights separate {separated} of {rows} rows and leave the others at zero",
    "witness": "no {who} {does}",
    "at_least_squared": "the weights' geometric margin has a square of at least {at_least_squared}",
    "at_most_squared": "no separator's geometric margin has a square above {at_most_squared}",
    "radius_squared": "every row has a squared norm of at most {radius_squared}",
    "mistake_bound": "a perceptron that begins at 0 makes at most {mistake_bound} mistakes",
    "at_least": "every {who} makes at least {at_least} mistake{s_of_least}{apart}",
    "at_most": "a {who} makes {at_most} mistake{s_of_most}{apart}",
    "plus_infinity": "coefficients that go to +infinity: {plus_infinity}",
    "minus_infinity": "coefficients that go to -infinity: {minus_infinity}",
    "finite": "coefficients that stay finite: {finite}",
    "undetermined": "coefficients that separation doesn't determine: {undetermined}"}

class Reader:
    """Reads what a certificate says of its columns and rows. Raises Invalid and other ValueErrors."""
    def __init__(self, file, shape=SHAPE, versions=(1, 2)):
        self.file, self.as_encoded = file, False
        need("linsep_certificate" in file, "it isn't a proof: `linsep certify DATA --model MODEL -o proof.json` writes one about a model")
        need(file["linsep_certificate"] in versions, f"expected version {' or '.join(map(str, versions))}")
        check_shape(shape, file, file["linsep_certificate"])
        self.data, self.origin, phi = file["data"], file["origin"], file.get("map", "none")
        self.n, self.d, names, reading = (self.data[key] for key in ("rows", "features", "names", "reading"))
        need(re.fullmatch("none|products|polynomial:[1-9]", phi), "the map is unknown")
        self.degree, self.repeats = {"none": 1, "products": 2}.get(phi) or int(phi[-1]), phi != "products"
        self.choose = itertools.combinations_with_replacement if self.repeats else itertools.combinations
        need(max(self.d, self.size(self.d)) < 2**32 - 1, "there are too many columns")
        of_rows = self.asked_label() or self.data  # what says which two classes there are
        need("classes" in self.data or {"negative", "positive"} <= of_rows.keys(), "there are no classes")
        self.classes = self.data["classes"] or [of_rows["negative"], of_rows["positive"]]
        distinct = {Decimal(x) if LABEL.fullmatch(x) else x for x in self.classes}
        need(len(distinct) == len(self.classes), "two classes are the same")
        self.read_classes()
        need("names" not in self.data or len(names) == self.raw > 0, "expected a name for each feature")
        drops = reading.get("drop_missing_labels")
        known = (reading["format"], len(reading) - (drops is True)) in (("svmlight", 1), ("csv", 5))
        need("reading" not in self.data or known, "the way of reading is unknown")
        need("table" not in self.data or self.data["table"], "the table is empty")
        said = {key: value for key, value in self.data.items() if key != "root"}
        head = b"\3" + json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
        self.head = head if file["linsep_certificate"] > 1 else b"\2%d %d " % (self.n, self.d)

    def asked_label(self):
        """Of rows with several labels: what the file says of the label column that is asked about."""
        return None

    def read_classes(self):
        """What is asked of more than two classes: the rows z are made of the data's rows."""
        asked = [name for name in ("jointly", "against_the_rest") if name in self.file]
        self.raw, self.raw_rows, self.block, self.positive = self.d, self.n, 0, 0
        self.several, self.joint = "classes" in self.data, asked == ["jointly"]
        if not self.several:
            return need(not asked, "only several classes are asked about jointly or against the rest")
        need(len(self.classes) > 2 and len(asked) == 1, "expected several classes, and one question")
        need(not {"negative", "positive"} & self.data.keys(), "several classes are neither negative nor positive")
        if not self.joint:
            need(self.file["against_the_rest"] in self.classes, "there is no such class")
            self.positive = self.classes.index(self.file["against_the_rest"]) + 1
            return
        need(self.file["jointly"] and self.degree == 1, "all classes jointly have no map")
        self.block = self.d + (not self.origin)
        self.d, self.n = (len(self.classes) - 1) * self.block, (len(self.classes) - 1) * self.n
        self.offsets, self.origin = not self.origin, True  # the offsets are columns of the blocks
        need(self.d < 2**32 - 1 and self.n < 2**62, "there are too many columns or rows")
    def made(self, leaf, wanted=None):
        """The rows z that a leaf of the data makes, as leaves of two classes. Against the rest: itself with a sign for
        its class. Jointly: one for each other class c, with x and 1 in the own class's block of columns and their
        negatives in that of c; the last class has no block, its score is 0. `wanted`: some of these, by number."""
        if not self.several:
            return (yield leaf)
        match = LEAF.fullmatch(leaf)
        need(match and match[2][0] not in "+-", "a leaf is not canonical")
        number, own, entries = int(match[1]), int(match[2]), [entry.split(":") for entry in match[3].split()]
        need(own <= len(self.classes) and number <= self.raw_rows, "a row's number or class doesn't exist")
        if not self.joint:
            return (yield f"{number} {'+1' if own == self.positive else '-1'}{match[3]}")
        columns = [int(column) for column, _ in entries]
        need(ascend(columns) and columns[-1:] <= [self.raw], "the columns of a row don't ascend or don't exist")
        entries += [(self.block, "1")] * self.offsets
        negative = [(column, value[1:] if value[0] == "-" else "-" + value) for column, value in entries]
        rivals = [c for c in range(1, len(self.classes) + 1) if c != own]
        for made, rival in enumerate(rivals, (number - 1) * len(rivals) + 1):
            if wanted is None or made in wanted:
                blocks = sorted([(own, entries), (rival, negative)])
                yield f"{made} +1" + "".join(f" {(c - 1) * self.block + int(column)}:{value}" for c, block in blocks
                                             if c < len(self.classes) for column, value in block)

    def sentences(self):
        """What the parts of the file say, for when they are proven."""
        parts = self.file | self.file["margin"] | self.file["mistakes"]
        parts |= {name: ", ".join(map(self.called, columns)) for name, columns in self.file["coefficients"].items() if name in SENTENCES}
        origin, one = self.file["origin"], self.file["against_the_rest"]
        phi = "" if self.file["map"] == "none" else f" on the map {self.file['map']}"
        scores = " with one score per class" if self.joint else ""
        parts |= {"who": f"linear classifier{scores}{phi}{' through the origin' if origin else ''}",
                  "does": "gets every row right" if self.joint else f"separates {one} from the rest" if one else "separates these rows",
                  "apart": f" in separating {one} from the rest" if one else ""}
        parts |= {f"s_of_{name}": "s" * (parts.get(f"at_{name}") != 1) for name in ("least", "most")}
        parts |= {"rows": self.n, "separated": self.n - (self.file["left_at_zero"] or 0)}
        yield from self.subject(f"map {self.file['map']}, ")
        yield from (text.format(**parts) for name, text in SENTENCES.items() if parts.get(name, "") not in ("", [], {}))

    def subject(self, phi=""):
        """The claim and the rows that it is about."""
        about = phi + ("through the origin" if self.file["origin"] else "with an intercept")
        yield f"{self.file['claim']} ({about}), of any data set with the root {self.data['root']}"
        if self.several:
            yield f"of {len(self.classes)} classes " + ("jointly: rows are pairs of a row and another class" if self.joint
                                                       else f"{self.file['against_the_rest']} against the rest")
        else:
            bound = "" if self.file["linsep_certificate"] > 1 else "; names not bound: a file of version 1"
            yield f"classes {self.classes[0]} (-1) and {self.classes[1]} (+1){bound}"
        yield f"it has {self.raw_rows} rows and {self.raw} features"
        yield from self.columns_used()

    def called(self, key):
        """What a column is called, by the names of the features where the file has them: "dose of setosa", "dose*age"."""
        owner, colon, column = key.rpartition(":")
        names = self.data["names"] or []
        text = "*".join(names[int(factor) - 1] if factor.isdigit() and names else factor for factor in column.split("*"))
        return f"{text} of {self.classes[int(owner) - 1]}" if colon else text

    def columns_used(self):
        """The label, the columns used and how they were encoded, and those left out, as the file says it."""
        reading, table = self.data["reading"], self.data["table"]
        if reading["label"]: yield f"label: {reading['label']}"
        if "drop_missing_labels" in reading: yield "rows without a label were left out"
        kept = "written" if "reading" in self.data else "stored"
        if "names" in self.data: yield f"columns, numbers as {kept}: " + listed(self.data["names"])
        if "table" in self.data: yield from map(encoding, encoders(table)) if table[0] == "{" else [f"encoded by {table}"]
        if "left_out" in reading: yield "columns left out: " + (listed(reading["left_out"]) or "none")
        if self.as_encoded: yield "read and encoded as the certificate says (--as-encoded)"

    def size(self, k):
        """How many columns phi makes of k features."""
        return sum(math.comb(k + self.repeats * (s - 1), s) for s in range(1, self.degree + 1))
    def columns(self):
        if self.block:
            names = [*map(str, range(1, self.raw + 1)), *["offset"] * self.offsets]
            return (f"{c}:{name}" for c in range(1, len(self.classes)) for name in names)
        features = list(map(str, range(1, self.d + 1)))
        products = ("*".join(f) for s in range(1, self.degree + 1) for f in self.choose(features, s))
        return itertools.chain(products, [] if self.origin else ["offset"])
    def vector(self, value):
        for name in value if self.joint else ():
            match = BLOCK_COLUMN.fullmatch(name)
            known = match and (self.offsets if match[2] == "offset" else int(match[2]) <= self.raw)
            need(known and int(match[1]) < len(self.classes), "there is no such column")
        for name in () if self.joint else value:
            factors = tuple(map(int, name.split("*"))) if COLUMN.fullmatch(name) else (self.d + 1,)
            ordered = all(a < b or a == b and self.repeats for a, b in zip(factors, factors[1:]))
            known = ordered and factors[-1] <= self.d and len(factors) <= self.degree
            need(known or name == "offset" and not self.origin, "there is no such column")
        return value
    def alphas(self, entries):
        need(ascend([0, *(entry["row"] for entry in entries), self.n + 1]), "rows don't ascend or don't exist")
        need(all(Fraction(entry["alpha"]) > 0 for entry in entries), "an alpha is not above 0")
        return scaled({entry["row"]: entry["alpha"] for entry in entries})[0]
    def entries(self, leaf):
        """Number, y, columns and values."""
        match = LEAF.fullmatch(leaf)
        need(match and match[2] in ("+1", "-1"), "a leaf is not canonical")
        words = match[3].replace(":", " ").split()
        need(len(leaf) <= 100_000 or max(map(len, words)) <= 100_000, "a value has more than 100,000 characters")
        columns = list(map(int, words[::2]))
        need(ascend(columns) and columns[-1:] <= [self.d], "the columns of a row don't ascend or don't exist")
        need(self.degree == 1 or self.size(len(columns)) <= 131_072, "a row has too many entries under the map")
        return int(match[1]), int(match[2]), words[::2], words[1::2]
    def name(self, column):
        """Of a column of z, by its number. Jointly: "2:3" is the second class's weight of the third feature."""
        if not self.joint:
            return column
        c, place = divmod(int(column) - 1, self.block)
        return f"{c + 1}:{'offset' if place == self.raw else place + 1}"
    def row(self, leaf):
        """Number, y and (phi(x), 1)."""
        number, y, columns, values = self.entries(leaf)
        row = dict(zip(map(self.name, columns), map(Decimal, values)))
        for s in range(2, self.degree + 1):
            row |= {"*".join(f): math.prod(map(row.__getitem__, f)) for f in self.choose(columns, s)}
        return number, y, row if self.origin else row | {"offset": Decimal(1)}
    def residues(self, leaf, columns, p):
        """The row modulo p, of these columns those that aren't 0; a ValueError where p has a factor in common with a denominator."""
        ratios = ((column, Fraction(value)) for column, value in self.row(leaf)[2].items() if column in columns)
        residues = ((column, q.numerator * pow(q.denominator, -1, p) % p) for column, q in ratios)
        return {column: value for column, value in residues if value}
    def with_room(self, leaves):
        """Of pairs of a leaf and of how many bytes it was made: numbers and leaves, as long as they have no more than
        262,144 entries and 64 for each byte."""
        room = 262_144
        for leaf, size in leaves:
            room += 64 * size - self.size(leaf.count(":")) - 1
            need(room >= 0, "the rows that are named have too many entries")
            yield self.entries(leaf)[0], leaf

    # The digest.
    def is_root(self, tree):
        return sha(self.head, tree).hex() == self.data["root"]
    def carried_rows(self, wanted):
        """The rows z, by number, of the leaves that the file carries, each checked by its audit path. Jointly only the
        wanted ones."""
        def carried():
            for leaf in self.carried_leaves():
                made = enumerate(self.made(leaf, wanted if self.joint else None))
                yield from ((text, 0 if place else len(leaf)) for place, text in made)
        return self.with_room(carried())
    def carried_leaves(self):
        for leaf, path in ((carried["leaf"], carried["path"][::-1]) for carried in self.file["rows"]):
            match, node = LEAF.fullmatch(leaf), sha(b"\0", leaf.encode())
            need(match and int(match[1]) <= self.raw_rows, "a carried row is malformed")
            need(all(re.fullmatch("[0-9a-f]{64}", step) for step in path), "a path is malformed")
            index, width = int(match[1]) - 1, self.raw_rows
            while width > 1:
                if index % 2 or index + 1 < width:
                    need(path, "an audit path is too short")
                    step = bytes.fromhex(path.pop())
                    node = sha(b"\1", step, node) if index % 2 else sha(b"\1", node, step)
                index, width = index // 2, (width + 1) // 2
            need(not path and self.is_root(node), "a carried row is not of the data set")
            yield leaf
    def all_rows(self, lines):
        """Number, leaf, y and (phi(x), 1) of every row z of a leaves file; at its end the root is checked."""
        self.compare_head(next(lines, "0"))
        tree, i, leaf = Tree(), 0, ""
        for i, leaf in enumerate((line.removesuffix("\n") for line in lines), 1):
            need(leaf.startswith(f"{i} "), f"leaf {i} is of another row or not canonical")
            for made in self.made(leaf):
                number, y, row = self.row(made)
                yield number, made, y, row
            tree.add(leaf)
        self.compare_root(tree, i, leaf)
    def compare_head(self, head):
        """Refuses leaves whose first line says other things of the data."""
        need(head[0] == "{", "the second file isn't leaves; `linsep leaves DATA` writes them")
        said, old = parse(head), ("names", "reading", "table") if self.file["linsep_certificate"] == 1 else ()
        need(said.keys() >= {"rows", "features"}, "no leaves")
        need({"classes", "labels"} & said.keys() or {"negative", "positive"} <= said.keys(), "no leaves")
        if "reading" not in said: old = *old, "reading", *(["names"] if "names" not in said else [])  # arrays, of no text
        ours, theirs = ({key: value for key, value in each.items() if key not in ("root", *old)} for each in (self.data, said))
        need("table" in said or "table" not in ours, "the leaves are of other data: the proof is about an encoded table, whose rows "
             "`encode_rows.py --leaves PROOF DATA` writes; --as-encoded accepts the encoding")
        for key in ("labels", "classes", "positive", "negative", "names", "reading", "table"):
            need(ours.get(key) == theirs.get(key), f"the leaves are of other data: {key} differ")
        need(ours == theirs, "the leaves are of other data")
        need("table" not in ours or self.as_encoded, "it chooses columns and encodes them by a table of its own; "
             "--as-encoded accepts that: " + "; ".join(self.columns_used()))
    def compare_root(self, tree, rows, leaf):
        """Refuses so many rows, the last of which is `leaf`, unless their digest is that of the file."""
        same, carried = rows == self.raw_rows and self.is_root(tree.root()), [row["leaf"] for row in self.file["rows"]]
        salted = any("#" in row for row in carried)
        need(same or not salted or "#" in leaf, "the digests differ: the rows are salted, and the salt is needed (--salt FILE)")
        more = ", or another salt" if salted else ", or salted (--salt FILE)" if not carried and "#" not in leaf else ""
        need(same, f"the leaves are of other data{more}: the digests differ")

    def total(self, alpha, rows):
        """The sum of alpha*z, without columns where it is 0. `rows`: leaves by number."""
        sums = Vector()
        for number, a in alpha.items():
            if number not in rows:
                raise NeedsData("a row of a witness is not carried")
            _, y, row = self.row(rows[number])
            for column, value in row.items():
                sums[column] += y * a * value
        return Vector({column: value for column, value in sums.items() if value})
