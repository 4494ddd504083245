"""A slow, obvious finder of certificates for a handful of rows: the oracle of the checkers' tests.

Every witness is a sum of circuits: minimal sets of rows with a dependency of one sign. The rows of all circuits are
exactly those that no weight vector can separate; the others are separated by weights that are 0 on the former.
"""
import functools
import hashlib
import itertools
import json
from decimal import Decimal
from fractions import Fraction

PRIME = 2**61 - 1


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def root_and_path(leaves, index=None):
    """RFC 6962, section 2.1, word for word: the root of the leaves and the audit path of one of them."""
    if not leaves:
        return sha(), []
    if len(leaves) == 1:
        return sha(b"\0", leaves[0]), []
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    in_left = index is not None and index < k
    left, left_path = root_and_path(leaves[:k], index if in_left else None)
    right, right_path = root_and_path(leaves[k:], None if in_left or index is None else index - k)
    path = [] if index is None else left_path + [right] if in_left else right_path + [left]
    return sha(b"\1", left, right), path


def plain(text):
    value = Decimal(text)
    return f"{value.normalize():f}"


def column_names(features, kind, origin):
    names = [str(j) for j in range(1, features + 1)]
    size = {"none": 1, "products": 2}.get(kind) or int(kind.split(":")[1])
    pick = itertools.combinations if kind == "products" else itertools.combinations_with_replacement
    all_names = ["*".join(f) for k in range(1, size + 1) for f in pick(names, k)]
    return all_names + ([] if origin else ["offset"])


def mapped(row, names):
    """(phi(x), 1) as a list of fractions in the order of the columns."""
    result = []
    for name in names:
        value = Fraction(1)
        if name != "offset":
            for factor in name.split("*"):
                value *= Fraction(row[int(factor) - 1])
        result.append(value)
    return result


def echelon(rows):
    """Reduced row echelon form and its pivot columns."""
    rows, pivots = [list(r) for r in rows], []
    for column in range(len(rows[0]) if rows else 0):
        at = len(pivots)
        pivot = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [v / rows[at][column] for v in rows[at]]
        for i in range(len(rows)):
            if i != at and rows[i][column]:
                rows[i] = [a - rows[i][column] * b for a, b in zip(rows[i], rows[at])]
        pivots.append(column)
    return rows[:len(pivots)], pivots


def circuits(z):
    """All minimal sets of rows with a positive dependency: {row: alpha}."""
    return find_circuits(tuple(map(tuple, z)))


@functools.lru_cache(maxsize=1000)  # the tests ask again and again about the same rows
def find_circuits(z):
    found = []
    for size in range(1, (len(z[0]) if z else 0) + 2):
        for rows in itertools.combinations(range(len(z)), size):
            if any(set(c) <= set(rows) for c in found):
                continue
            reduced, pivots = echelon([list(column) for column in zip(*(z[i] for i in rows))])
            if len(pivots) != size - 1:
                continue
            free = next(j for j in range(size) if j not in pivots)
            alpha = {rows[free]: Fraction(1)}
            for row, pivot in zip(reduced, pivots):
                alpha[rows[pivot]] = -row[free]
            if all(a > 0 for a in alpha.values()):
                found.append(alpha)
    return found


def separate(z, at_zero):
    """w with z.w = 0 on the rows `at_zero` and > 0 on all others: a perceptron in the complement of their span."""
    basis = []
    for i in sorted(at_zero):
        vector = z[i]
        for b in basis:
            f = sum(x * y for x, y in zip(vector, b)) / sum(x * x for x in b)
            vector = [x - f * y for x, y in zip(vector, b)]
        if any(vector):
            basis.append(vector)
    others = []
    for i in set(range(len(z))) - at_zero:
        vector = z[i]
        for b in basis:
            f = sum(x * y for x, y in zip(vector, b)) / sum(x * x for x in b)
            vector = [x - f * y for x, y in zip(vector, b)]
        others.append(vector)
    w, clean = [Fraction(0)] * (len(z[0]) if z else 0), False
    while not clean:
        clean = True
        for vector in others:
            if sum(x * y for x, y in zip(vector, w)) <= 0:
                w, clean = [x + y for x, y in zip(vector, w)], False
    return w


def digest(rows, labels, salt=""):
    leaves = []
    for number, (row, y) in enumerate(zip(rows, labels), 1):
        body = "".join(f" {j}:{plain(v)}" for j, v in enumerate(row, 1) if Decimal(v))
        salted = f" #{sha(b'%c' % 4, salt.encode(), b'%d' % number).hex()[:32]}" if salt else ""
        leaves.append(f"{number} {y:+}{body}{salted}".encode())
    return leaves


def data_root(leaves, data, version):
    """Over the tree of the leaves: version 1 binds two counts, version 2 all that `data` says."""
    tree = root_and_path(leaves)[0]
    if version == 1:
        return sha(b"\2", b"%d %d " % (data["rows"], data["features"]), tree).hex()
    said = json.dumps({key: value for key, value in data.items() if key != "root"}, sort_keys=True, separators=(",", ":"))
    return sha(b"\3", said.encode(), tree).hex()


def named_rows(certificate):
    """The numbers of all rows that the certificate's sums name."""
    lists = [certificate.get("witness", []), certificate.get("margin", {}).get("alpha", [])]
    lists += certificate.get("mistakes", {}).get("witnesses", [])
    for key in ("plus_infinity", "minus_infinity"):
        lists += certificate.get("coefficients", {}).get(key, {}).values()
    return {entry["row"] for entries in lists for entry in entries}


def seal(certificate, rows, labels, features, salt=""):
    """Puts in the root and the rows that are named. A certificate of version 2 or 3 may be salted."""
    leaves, version = digest(rows, labels, salt), certificate["linsep_certificate"]
    data = {"rows": len(rows), "features": features, "negative": "-1", "positive": "1"}
    if version > 1:
        data["reading"] = {"format": "svmlight"}
    data["root"] = data_root(leaves, data, version)
    certificate["data"] = data
    if version == 3:
        return certificate  # which carries no rows
    certificate["rows"] = [{"leaf": leaves[i - 1].decode(),
                            "path": [h.hex() for h in root_and_path(leaves, i - 1)[1]]}
                           for i in sorted(named_rows(certificate)) if 0 < i <= len(rows)]
    return certificate


def entries(alpha):
    return [{"row": i + 1, "alpha": str(a)} for i, a in sorted(alpha.items())]


def weights(w, names):
    return {name: str(v) for name, v in zip(names, w) if v}


def span(z_plain, at_zero, names):
    """The span proof of a witness on all rows `at_zero`; z_plain are rows without their label."""
    rows = sorted(at_zero)
    _, columns = echelon([z_plain[i] for i in rows])
    _, basis = echelon([[z_plain[i][j] for i in rows] for j in columns])
    dependent = {}
    reduced, pivots = echelon([z_plain[i] for i in rows])
    for j, name in enumerate(names):
        if j not in columns:
            dependent[name] = {names[p]: str(r[j]) for r, p in zip(reduced, pivots) if r[j]}
    return {"prime": str(PRIME), "rows": [rows[i] + 1 for i in basis], "dependent": dependent}


def coefficient(z, at_zero, column):
    """What all directions have in common at a column: ("plus_infinity" or "minus_infinity", alpha on separated rows),
    ("finite", None) or ("undetermined", None). By the circuits of the rows and a row that is +-1 at the column."""
    width, finite = len(z[0]), False
    for name, sign in (("plus_infinity", -1), ("minus_infinity", 1)):
        unit = [Fraction(sign if j == column else 0) for j in range(width)]
        for circuit in circuits(z + [unit]):
            if len(z) in circuit:
                alpha = {row: a for row, a in circuit.items() if row < len(z) and row not in at_zero}
                if alpha:
                    return name, alpha
                finite = True
    return ("finite" if finite else "undetermined"), None


def coefficients(z, at_zero, names):
    result = {"plus_infinity": {}, "minus_infinity": {}, "finite": [], "undetermined": [], "directions": [], "steps": {}}
    for column, name in enumerate(names):
        verdict, alpha = coefficient(z, at_zero, column)
        if alpha:
            result[verdict][name] = entries(alpha)
            continue
        result[verdict].append(name)
        if verdict == "undetermined":
            for sign in (1, -1):
                unit = [Fraction(sign if j == column else 0) for j in range(len(names))]
                result["directions"].append(weights(separate(z + [unit], at_zero), names))
    return {key: value for key, value in result.items() if value}


def certify(rows, labels, kind="none", origin=False, features=None, version=2):
    """A sealed certificate with everything that can be said: verdict, margin bounds, mistakes, coefficients."""
    features = len(rows[0]) if features is None else features
    names = column_names(features, kind, origin)
    x = [mapped(row, names) for row in rows]
    z = [[y * v for v in row] for row, y in zip(x, labels)]
    found = circuits(z)
    at_zero = set().union(*found)
    certificate = {"linsep_certificate": version, "claim": "", "origin": origin, "map": kind, "data": {}}
    if at_zero:
        alpha = {i: sum((c.get(i, Fraction(0)) for c in found), Fraction(0)) for i in at_zero}
    if len(at_zero) < len(rows):
        w = separate(z, at_zero)
        certificate["levels"] = [weights(w, names)]
        certificate["left_at_zero"] = len(at_zero)
    if at_zero:
        certificate["witness"] = entries(alpha)
        certificate["span"] = span(x, at_zero, names)
        packing, used = [], set()
        for circuit in sorted(found, key=len):
            if not used & set(circuit):
                packing.append(entries(circuit))
                used |= set(circuit)
        certificate["mistakes"] = {"at_least": len(packing), "witnesses": packing}
        certificate["claim"] = "quasi-separable" if len(at_zero) < len(rows) else "overlapping"
    else:
        certificate["claim"] = "separable"
        theta = [v for name, v in zip(names, w) if name != "offset"]
        norm = sum(v * v for v in theta)
        if norm:
            least = min(sum(a * b for a, b in zip(row, w)) for row in z)
            certificate["margin"] = {"at_least_squared": str(least * least / norm)}
            ends = [next((i for i, y in enumerate(labels) if y == sign), None) for sign in (1, -1)]
            if None not in ends:
                total = [a + b for a, b in zip(z[ends[0]], z[ends[1]])]
                balanced = origin or total[-1] == 0
                if balanced:
                    certificate["margin"]["at_most_squared"] = str(sum(v * v for v in total) / 4)
                    certificate["margin"]["alpha"] = entries(dict.fromkeys(ends, Fraction(1, 2)))
    if version == 2:
        add_version_2(certificate, x, z, at_zero, names)
    return seal(certificate, rows, labels, features)


def add_version_2(certificate, x, z, at_zero, names):
    """Coefficients, radius and, where there is a margin, the mistake bound."""
    if len(at_zero) == len(z):
        return  # an overlapping certificate needs no data set
    certificate["coefficients"] = coefficients(z, at_zero, names)
    margin = certificate.setdefault("margin", {})
    norms = [sum(v * v for name, v in zip(names, row) if name != "offset") for row in x]
    margin["radius_squared"] = str(max(norms))
    if "at_least_squared" in margin:
        w = [Fraction(certificate["levels"][0].get(name, "0")) for name in names]
        least = min(sum(a * b for a, b in zip(row, w)) for row in z)
        length = max(norms) + ("offset" in names)
        margin["mistake_bound"] = str(length * sum(v * v for v in w) / least**2)


def false_statement(certificate, rows, labels, salt=""):
    """What a certificate says of these rows that isn't so, or None: every sentence by its definition."""
    kind, origin, n, d = certificate["map"], certificate["origin"], len(rows), len(rows[0])
    names = column_names(d, kind, origin)
    x = [dict(zip(names, mapped(row, names))) for row in rows]
    z = [{name: y * v for name, v in row.items()} for row, y in zip(x, labels)]
    at_zero = set().union(*circuits([list(row.values()) for row in z]))
    verdict = "separable" if not at_zero else "overlapping" if len(at_zero) == n else "quasi-separable"
    if certificate["claim"] not in ("undecided", verdict):
        return "claim"

    leaves, data = digest(rows, labels, salt), certificate["data"]
    if (data["rows"], data["features"], data["root"]) != (n, d, data_root(leaves, data, certificate["linsep_certificate"])):
        return "data"
    if any(Decimal(data["negative" if y < 0 else "positive"]) != y for y in set(labels)):
        return "classes"
    for carried in certificate.get("rows", []):
        index = leaves.index(carried["leaf"].encode())
        if carried["path"] != [h.hex() for h in root_and_path(leaves, index)[1]]:
            return "path"

    dot = lambda w, row: sum(Fraction(v) * row[name] for name, v in w.items())
    def balanced(entries):  # the sum of alpha*z, and that of alpha
        total = dict.fromkeys(names, Fraction(0))
        for entry in entries:
            for name in names:
                total[name] += Fraction(entry["alpha"]) * z[entry["row"] - 1][name]
        numbers = [entry["row"] for entry in entries]
        positive = all(Fraction(entry["alpha"]) > 0 for entry in entries)
        return total, sum(Fraction(e["alpha"]) for e in entries), positive and len(set(numbers)) == len(numbers)
    def is_witness(entries):
        total, _, positive = balanced(entries)
        return bool(entries) and positive and not any(total.values())

    levels, margin, mistakes = (certificate.get(key, {}) for key in ("levels", "margin", "mistakes"))
    values = [next((v for v in (dot(w, row) for w in levels) if v), 0) for row in z]
    if levels and (min(values) < 0 or values.count(0) != certificate["left_at_zero"]):
        return "levels"
    if "witness" in certificate and not is_witness(certificate["witness"]):
        return "witness"
    if "span" in certificate:
        span_of, dependent = certificate["span"], certificate["span"]["dependent"]
        free = [name for name in names if name not in dependent]
        basis = [[x[i - 1][name] for name in free] for i in span_of["rows"]]
        if not {i for i in span_of["rows"]} <= {e["row"] for e in certificate["witness"]}:
            return "span's rows"
        if len(basis) != len(free) or len(echelon(basis)[1]) != len(free):
            return "rank"
        if any(dot(w, row) != row[name] for name, w in dependent.items() for row, v in zip(x, values) if not v):
            return "dependent column"
    if "at_least_squared" in margin:
        norm = sum(Fraction(v)**2 for name, v in levels[0].items() if name != "offset")
        if min(values)**2 < norm * Fraction(margin["at_least_squared"]):
            return "at_least_squared"
    if "at_most_squared" in margin:
        total, weight, positive = balanced(margin["alpha"])
        if not positive or total.get("offset") or sum(v * v for v in total.values()) > weight**2 * Fraction(margin["at_most_squared"]):
            return "at_most_squared"
    norms = [sum(v * v for name, v in row.items() if name != "offset") for row in x]
    if "radius_squared" in margin and max(norms, default=0) > Fraction(margin["radius_squared"]):
        return "radius_squared"
    if "mistake_bound" in margin:
        norm = sum(Fraction(v)**2 for v in levels[0].values())
        length = Fraction(margin["radius_squared"]) + (not origin)
        if verdict != "separable" or length * norm > Fraction(margin["mistake_bound"]) * min(values)**2:
            return "mistake_bound"
    said = certificate.get("coefficients", {})
    first = next(iter(said.get("directions", [])), {})
    moved = [first | {name: str(Fraction(first.get(name, "0")) + Fraction(step))} for name, step in said.get("steps", {}).items()]
    if any(dot(w, row) < 0 for w in said.get("directions", []) + moved for row in z):
        return "directions"
    for verdict_of in ("plus_infinity", "minus_infinity", "finite", "undetermined"):
        for name in said.get(verdict_of, []):
            if coefficient([list(row.values()) for row in z], at_zero, names.index(name))[0] != verdict_of:
                return verdict_of
    packing = mistakes.get("witnesses", [])
    used = [entry["row"] for entries in packing for entry in entries]
    if mistakes.get("at_least", 0) != len(packing) or not all(map(is_witness, packing)) or len(set(used)) < len(used):
        return "at_least"
    if "at_most" in mistakes and mistakes["at_most"] != sum(dot(mistakes.get("weights", {}), row) <= 0 for row in z):
        return "at_most"
    return None
