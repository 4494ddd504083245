"""A slow, obvious finder of certificates for a handful of rows: the oracle of the checkers' tests.

Every witness is a sum of circuits: minimal sets of rows with a dependency of one sign. The rows of all circuits are
exactly those that no weight vector can separate; the others are separated by weights that are 0 on the former.
"""
import hashlib
import itertools
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


def digest(rows, labels):
    leaves = []
    for number, (row, y) in enumerate(zip(rows, labels), 1):
        body = "".join(f" {j}:{plain(v)}" for j, v in enumerate(row, 1) if Decimal(v))
        leaves.append(f"{number} {y:+}{body}".encode())
    return leaves


def data_root(leaves, features):
    return sha(b"\2", b"%d %d " % (len(leaves), features), root_and_path(leaves)[0]).hex()


def seal(certificate, rows, labels, features):
    leaves = digest(rows, labels)
    certificate["data"] = {"rows": len(rows), "features": features, "negative": "-1", "positive": "1",
                           "root": data_root(leaves, features)}
    named = {e["row"] for e in certificate.get("witness", []) + certificate.get("margin", {}).get("alpha", [])}
    named |= {e["row"] for w in certificate.get("mistakes", {}).get("witnesses", []) for e in w}
    certificate["rows"] = [{"leaf": leaves[i - 1].decode(),
                            "path": [h.hex() for h in root_and_path(leaves, i - 1)[1]]} for i in sorted(named)]
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


def certify(rows, labels, kind="none", origin=False, features=None):
    """A sealed certificate with everything that can be said: verdict, margin bounds, mistakes."""
    features = len(rows[0]) if features is None else features
    names = column_names(features, kind, origin)
    x = [mapped(row, names) for row in rows]
    z = [[y * v for v in row] for row, y in zip(x, labels)]
    found = circuits(z)
    at_zero = set().union(*found)
    certificate = {"linsep_certificate": 1, "claim": "", "origin": origin, "map": kind, "data": {}}
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
    return seal(certificate, rows, labels, features)


def false_statement(certificate, rows, labels):
    """What a certificate says of these rows that isn't so, or None: every sentence by its definition."""
    kind, origin, n, d = certificate["map"], certificate["origin"], len(rows), len(rows[0])
    names = column_names(d, kind, origin)
    x = [dict(zip(names, mapped(row, names))) for row in rows]
    z = [{name: y * v for name, v in row.items()} for row, y in zip(x, labels)]
    at_zero = set().union(*circuits([list(row.values()) for row in z]))
    verdict = "separable" if not at_zero else "overlapping" if len(at_zero) == n else "quasi-separable"
    if certificate["claim"] not in ("undecided", verdict):
        return "claim"

    leaves, data = digest(rows, labels), certificate["data"]
    if (data["rows"], data["features"], data["root"]) != (n, d, data_root(leaves, d)):
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
    packing = mistakes.get("witnesses", [])
    used = [entry["row"] for entries in packing for entry in entries]
    if mistakes.get("at_least", 0) != len(packing) or not all(map(is_witness, packing)) or len(set(used)) < len(used):
        return "at_least"
    if "at_most" in mistakes and mistakes["at_most"] != sum(dot(mistakes.get("weights", {}), row) <= 0 for row in z):
        return "at_most"
    return None
