"""The two checkers: they accept what a brute-force finder proves, agree on everything, and accept nothing false."""
import copy
import itertools
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "checker"))
import brute
import read_certificate
import verify_certificate

SQUARE = [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")]
GATES = {"not": ([("0",), ("1",)], (1, -1)), "and": (SQUARE, (-1, -1, -1, 1)), "or": (SQUARE, (-1, 1, 1, 1))}
XOR = (-1, 1, 1, -1)


class PythonChecker:
    """checker/verify_certificate.py, called without its command line."""

    def ask(self, certificate, rows, labels, salt=""):
        lines = None
        if rows is not None:
            data = certificate.get("data") if isinstance(certificate.get("data"), dict) else {}
            said = {"rows": len(rows), "features": len(rows[0]), **{key: data.get(key) for key in ("negative", "positive")}}
            lines = iter([json.dumps(said), *leaf_lines(data, rows, labels, salt)])
        try:
            verify_certificate.checker_of(read_certificate.parse(json.dumps(certificate))).check(lines)
            return True, ""
        except verify_certificate.NeedsData as missing:
            return False, f"the data set is needed: {missing}"
        except ValueError as error:
            return False, str(error)


def leaf_lines(data, rows, labels, salt=""):
    """The leaves under the classes that a certificate names; of a label that is neither, what no checker takes."""
    for number, (row, y) in enumerate(zip(rows, labels), 1):
        sign = next((sign for sign, key in (("-1", "negative"), ("+1", "positive")) if same_label(data.get(key), y)), "0")
        salted = f" #{brute.sha(b'%c' % 4, salt.encode(), b'%d' % number).hex()[:32]}" if salt else ""
        yield f"{number} {sign}" + "".join(f" {j}:{brute.plain(v)}" for j, v in enumerate(row, 1) if Decimal(v)) + salted


def same_label(name, y):
    return isinstance(name, str) and bool(read_certificate.LABEL.fullmatch(name)) and Decimal(name) == y


class NativeChecker:
    """src/proof, behind a pipe."""

    def __init__(self):
        self.process = subprocess.Popen([os.environ["LINSEP_CHECKER_SERVER"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, certificate, rows, labels, salt=""):
        data = rows and [[str(y), [[j, v] for j, v in enumerate(row, 1)]] for row, y in zip(rows, labels)]
        question = {"certificate": json.dumps(certificate), "rows": data, "features": len(rows[0]) if rows else 0,
                    "secret": salt}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer, reason = self.process.stdout.readline().rstrip("\n").split("\t", 1)
        return answer == "valid", reason

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def mutations(value, path=()):
    """Every certificate that differs in one field: changed, removed, repeated or put in another order."""
    if isinstance(value, dict):
        for key in value:
            yield path + (key,), None
            yield from mutations(value[key], path + (key,))
    elif isinstance(value, list):
        for k in range(len(value)):
            yield path + (k,), None
            yield path + (k,), "twice"
            yield from mutations(value[k], path + (k,))
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield from ((path, v) for v in (value + 1, value - 1, 0, -value, 10**30) if v != value)
    elif isinstance(value, float):
        yield from ((path, v) for v in (value * 1.5, -value, value + 1, 0.0, 1e30, -1e-30) if v != value)
    elif isinstance(value, str):
        yield from ((path, v) for v in changed_text(value) if v != value)


def changed_text(text):
    yield from ("", "0", text + "1", "x" + text)
    yield from ("separable", "quasi-separable", "overlapping", "undecided", "products", "polynomial:2", "none")
    try:
        number = Fraction(text)
        yield from (str(-number), str(number + 1), str(number * 2), str(number / 3), text + "/0", text + "e0", " " + text)
    except (ValueError, ZeroDivisionError):
        middle = len(text) // 2
        yield text[:middle] + ("0" if text[middle:middle + 1] != "0" else "1") + text[middle + 1:]
        yield text.replace("+1", "-1") if "+1" in text else text.replace("-1", "+1", 1)
        yield text[:-1]


def mutate(certificate, path, value):
    result = copy.deepcopy(certificate)
    place = result
    for step in path[:-1]:
        place = place[step]
    if value == "twice" and isinstance(place, list):
        place.insert(path[-1], copy.deepcopy(place[path[-1]]))
    elif value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def drawn_set(source):
    grid = [(str(a), str(b)) for a in range(3) for b in range(3)]
    cube = [(str(a), str(b), str(c)) for a in range(2) for b in range(2) for c in range(2)]
    rows = source.sample(source.choice((grid, cube)), source.randint(1, 5))
    kind = source.choice(("none", "none", "none", "products", "polynomial:2"))
    return rows, [source.choice((-1, 1)) for _ in rows], kind, source.random() < 0.5


def changed_set(source, rows, labels):
    """The same rows but for one value, label, row or their order."""
    rows, labels, i = list(rows), list(labels), source.randrange(len(rows))
    change = source.choice(("value", "value", "label", "row", "order"))
    if change == "value":
        j = source.randrange(len(rows[i]))
        rows[i] = rows[i][:j] + (source.choice(("0", "1", "2", "-1", "0.5", "3")),) + rows[i][j + 1:]
    elif change == "label":
        labels[i] = -labels[i]
    elif change == "row" and len(rows) > 1:
        del rows[i], labels[i]
    else:
        order = source.sample(range(len(rows)), len(rows))
        rows, labels = [rows[k] for k in order], [labels[k] for k in order]
    return rows, labels


class CheckersCase(unittest.TestCase):
    """A test that asks both checkers, which must agree."""

    @classmethod
    def setUpClass(cls):
        cls.checkers = {"python": PythonChecker()}
        if "LINSEP_CHECKER_SERVER" in os.environ:
            cls.checkers["native"] = NativeChecker()

    @classmethod
    def tearDownClass(cls):
        if "native" in cls.checkers:
            cls.checkers["native"].close()

    def ask(self, certificate, rows=None, labels=None, salt=""):
        """The common answer of both checkers."""
        answers = {name: checker.ask(certificate, rows, labels, salt) for name, checker in self.checkers.items()}
        self.assertEqual(len({valid for valid, _ in answers.values()}), 1, f"{answers}\n{json.dumps(certificate)}")
        return answers["python"]

    def accept(self, certificate, rows=None, labels=None):
        valid, reason = self.ask(certificate, rows, labels)
        self.assertTrue(valid, f"{reason}\n{json.dumps(certificate)}")

    def refuse(self, certificate, rows=None, labels=None):
        self.assertFalse(self.ask(certificate, rows, labels)[0], json.dumps(certificate))

    def check_mutation(self, certificate, path, value, rows, labels):
        """Accepted, with or without the data set, only if all it says is true."""
        mutant = mutate(certificate, path, value)
        for data in (rows, None):
            if self.ask(mutant, data, labels)[0]:
                if data is None:  # what the classes are called is known from the data set alone
                    mutant["data"] |= {"negative": "-1", "positive": "1"}
                lie = brute.false_statement(mutant, rows, labels)
                self.assertIsNone(lie, f"{path} {value!r}\n{json.dumps(mutant)}")


class Checkers(CheckersCase):
    def test_gates_are_separable(self):
        for rows, labels in GATES.values():
            certificate = brute.certify(rows, labels)
            self.assertEqual(certificate["claim"], "separable")
            self.accept(certificate, rows, labels)

    def test_a_separator_needs_the_data_set(self):
        rows, labels = GATES["and"]
        self.refuse(brute.certify(rows, labels))

    def test_xor_overlaps_and_four_halves_prove_it_without_the_data_set(self):
        certificate = brute.certify(SQUARE, XOR)
        self.assertEqual(certificate["claim"], "overlapping")
        certificate["witness"] = [{"row": i, "alpha": "1/2"} for i in (1, 2, 3, 4)]
        self.accept(certificate)
        self.accept(certificate, SQUARE, XOR)

    def test_xor_is_separable_through_products_and_polynomials(self):
        for kind in ("products", "polynomial:2", "polynomial:3"):
            certificate = brute.certify(SQUARE, XOR, kind)
            self.assertEqual(certificate["claim"], "separable")
            self.accept(certificate, SQUARE, XOR)

    def test_translated_patterns_meet_at_their_averages(self):
        patterns = "1111000000000000", "1101010000000000"
        rows, labels = [], []
        for pattern, label in zip(patterns, (1, -1)):
            for shift in range(16):
                rows.append(tuple(pattern[shift:] + pattern[:shift]))
                labels.append(label)
        names = brute.column_names(16, "none", False)
        everyone = set(range(32))
        certificate = {"linsep_certificate": 1, "claim": "overlapping", "origin": False, "map": "none",
                       "witness": [{"row": i + 1, "alpha": "0.0625"} for i in range(32)],
                       "span": brute.span([brute.mapped(row, names) for row in rows], everyone, names)}
        brute.seal(certificate, rows, labels, 16)
        self.accept(certificate, rows, labels)
        self.refuse(certificate)  # 4 ones in every row: a dependency that only the data set can show
        undecided = {k: v for k, v in certificate.items() if k != "span"} | {"claim": "undecided"}
        self.accept(undecided)

    def test_peeling_levels_and_a_core(self):
        # Column 1 has the sign of the label where it isn't 0; then column 2; the last two rows are a separable core.
        rows = [("1", "-5", "0"), ("-2", "7", "9"), ("0", "3", "-8"), ("0", "-1", "2"), ("0", "0", "1"), ("0", "0", "3")]
        labels = [1, -1, 1, -1, -1, 1]
        levels = [{"1": "1"}, {"2": "1"}, {"3": "1", "offset": "-2"}]
        certificate = {"linsep_certificate": 1, "claim": "separable", "origin": False, "map": "none", "levels": levels,
                       "left_at_zero": 0}
        brute.seal(certificate, rows, labels, 3)
        self.accept(certificate, rows, labels)
        for order in itertools.permutations(levels):
            if list(order) != levels:
                self.refuse(certificate | {"levels": list(order)}, rows, labels)
        self.refuse(certificate | {"levels": levels[:2]}, rows, labels)

    def test_decimals_count_as_written(self):
        # 0.1 + 0.2 = 0.3 in decimals: the middle of the outer points is the inner one, so they can't be separated.
        rows, labels = [("0.1",), ("0.20",), ("3e-1",)], (1, -1, 1)
        certificate = brute.certify(rows, labels)
        self.assertEqual(certificate["claim"], "overlapping")
        self.accept(certificate, rows, labels)
        self.accept(certificate, [("1e-1",), ("+.2",), ("0.300",)], labels)
        self.refuse(certificate, [("0.1",), ("0.2",), ("0.3000000000000000000000001",)], labels)

    def test_values_far_apart(self):
        labels = (1, -1, -1)
        data = lambda tiny: [("1e300", tiny), ("1e300", "0"), ("0", "0")]
        separable = {"linsep_certificate": 1, "claim": "separable", "origin": False, "map": "none",
                     "levels": [{"1": "1/1" + "0" * 301, "2": "1" + "0" * 300, "offset": "-1/2"}], "left_at_zero": 0}
        self.accept(brute.seal(separable, data("1e-300"), labels, 2), data("1e-300"), labels)
        self.refuse(brute.seal(separable, data("-1e-300"), labels, 2), data("-1e-300"), labels)
        self.refuse(brute.seal(separable, data("4e-301"), labels, 2), data("4e-301"), labels)
        quasi = {"linsep_certificate": 1, "claim": "quasi-separable", "origin": False, "map": "none",
                 "levels": [{"1": "1/1" + "0" * 300, "offset": "-1"}], "left_at_zero": 2,
                 "witness": [{"row": 1, "alpha": "7"}, {"row": 2, "alpha": "7"}]}
        self.accept(brute.seal(quasi, data("0"), labels, 2), data("0"), labels)
        self.refuse(brute.seal(quasi, data("1e-300"), labels, 2), data("1e-300"), labels)

    def test_a_margin_bound_needs_balanced_classes(self):
        rows, labels = [("0",), ("2",)], (-1, 1)
        certificate = brute.certify(rows, labels)
        self.assertEqual(certificate["margin"]["at_most_squared"], "1")
        self.accept(certificate, rows, labels)
        certificate["margin"]["at_least_squared"] = "1"
        certificate["levels"] = [{"1": "1", "offset": "-1"}]
        self.accept(certificate, rows, labels)
        for bound in ("at_least_squared", "at_most_squared"):
            wrong = copy.deepcopy(certificate)
            wrong["margin"][bound] = "1.0001" if bound == "at_least_squared" else "0.9999"
            self.refuse(wrong, rows, labels)
        certificate["margin"]["alpha"][0]["alpha"] = "1"
        self.refuse(certificate, rows, labels)

    def test_mistakes_from_both_sides(self):
        rows, labels = [("1",), ("1",), ("2",), ("2",), ("3",)], (1, -1, 1, -1, 1)
        witnesses = [[{"row": 1, "alpha": "1"}, {"row": 2, "alpha": "1"}], [{"row": 3, "alpha": "2"}, {"row": 4, "alpha": "2"}]]
        certificate = {"linsep_certificate": 1, "claim": "undecided", "origin": False, "map": "none",
                       "witness": witnesses[0],
                       "mistakes": {"at_least": 2, "witnesses": witnesses, "at_most": 2, "weights": {"offset": "1"}}}
        brute.seal(certificate, rows, labels, 1)
        self.accept(certificate, rows, labels)
        self.refuse(certificate)
        for wrong in ({"at_most": 1}, {"at_least": 3}, {"witnesses": [witnesses[0], witnesses[0]]}):
            self.refuse(certificate | {"mistakes": certificate["mistakes"] | wrong}, rows, labels)

    def check_all_mutations(self, rows, labels, kind, origin):
        certificate = brute.certify(rows, labels, kind, origin)
        self.assertIsNone(brute.false_statement(certificate, rows, labels))
        self.accept(certificate, rows, labels)
        changes = list(mutations(certificate))
        for path, value in changes:
            self.check_mutation(certificate, path, value, rows, labels)
        return len(changes)

    def test_no_mutation_makes_a_false_certificate_pass(self):
        seed = int(os.environ.get("LINSEP_SEED", "1"))
        wanted = int(os.environ.get("LINSEP_MUTATIONS", "3000"))
        source = random.Random(seed)
        grid = [(str(a), str(b)) for a in range(3) for b in range(3)]
        cube = [(str(a), str(b), str(c)) for a in range(2) for b in range(2) for c in range(2)]
        count = 0
        with self.subTest(seed=seed):
            while count < wanted:
                rows = source.sample(source.choice((grid, cube)), source.randint(1, 5))
                labels = [source.choice((-1, 1)) for _ in rows]
                kind = source.choice(("none", "none", "products", "polynomial:2"))
                count += self.check_all_mutations(rows, labels, kind, source.random() < 0.5)

    def test_no_resealed_certificate_is_accepted_that_is_false(self):
        """Certificates of other rows, changed in some fields, with the root and the rows of these: only mathematics can
        tell. LINSEP_RESEALED of them; both checkers say the same, and what they accept is true."""
        seed, wanted = int(os.environ.get("LINSEP_SEED", "1")), int(os.environ.get("LINSEP_RESEALED", "2000"))
        source, asked, accepted = random.Random(seed), 0, 0
        with self.subTest(seed=seed):
            while asked < wanted:
                rows, labels, kind, origin = drawn_set(source)
                certificate = brute.certify(rows, labels, kind, origin, version=source.choice((1, 2, 2)))
                for _ in range(60):
                    mutant, others = copy.deepcopy(certificate), (rows, labels)
                    for _ in range(source.choice((0, 1, 1, 2))):
                        changes = [change for change in mutations(mutant) if change[0][0] not in ("data", "rows")]
                        mutant = mutate(mutant, *source.choice(changes))
                    if source.random() < 0.7:
                        others = changed_set(source, rows, labels)
                    salt = "5" * 64 if source.random() < 0.1 else ""
                    try:
                        mutant = brute.seal(mutant, *others, len(rows[0]), salt)
                    except (KeyError, TypeError, AttributeError):
                        continue  # what is left of it names no rows
                    asked += 1
                    if self.ask(mutant, *others, salt)[0]:
                        accepted += 1
                        lie = brute.false_statement(mutant, *others, salt)
                        self.assertIsNone(lie, f"{others}\n{json.dumps(mutant)}")
        print(f"{asked} resealed certificates of seed {seed}: {accepted} accepted, none of them false", file=sys.stderr)

    def test_every_labelling_of_three_grid_points(self):
        grid = [(str(a), str(b)) for a in range(3) for b in range(3)]
        for rows in itertools.combinations(grid, 3):
            for labels in itertools.product((-1, 1), repeat=3):
                for origin in (False, True):
                    certificate = brute.certify(rows, labels, "none", origin)
                    self.accept(certificate, rows, labels)


class Elimination(unittest.TestCase):
    """Of the script: sparse rows, then rows as long integers, against plain elimination."""

    def test_it_finds_the_rank_that_plain_elimination_finds(self):
        source = random.Random(1)
        for case in range(1500):
            count, p = source.randint(1, 9), source.choice((2, 3, 7, 101, brute.PRIME))
            filled = source.choice((0.15, 0.3, 0.7, 1))
            matrix = [[source.randrange(p) if source.random() < filled else 0 for _ in range(count)] for _ in range(count)]
            if source.random() < 0.3:  # a sum of two others
                matrix[0] = [(a + b) % p for a, b in zip(matrix[-1], matrix[count // 2])]
            expected = read_certificate.has_pivots_in_order(copy.deepcopy(matrix), p)
            rows = [{f"c{j}": value for j, value in enumerate(row) if value} for row in matrix]
            columns = [f"c{j}" for j in range(count)]
            self.assertEqual(read_certificate.is_regular(rows, columns, p), expected, (case, p, matrix))
            self.assertEqual(read_certificate.dense_pivots(matrix, p), expected, (case, p, matrix))

    def test_sparse_rows_stay_sparse(self):
        """Counted, not timed: plain elimination of these rows looks at 10^9 entries."""
        source, count = random.Random(1), 1500
        rows = [{source.randrange(count): source.choice((2, 3, 5, 7)) for _ in range(3)} | {k: 1} for k in range(count)]
        rest, visited = read_certificate.sparse_pivots(rows, range(count), brute.PRIME)
        self.assertLess(visited, 60 * count)
        self.assertLess(len(rest), count / 4)
        self.assertTrue(all(len(row) == len(rest) for row in rest))


def write_npy(path, descr, shape, values, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + values)


class CommandLine(unittest.TestCase):
    """The file as people run it, on files."""

    tool = pathlib.Path(verify_certificate.__file__)

    def run_tool(self, *arguments):
        done = subprocess.run([sys.executable, str(self.tool), *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_it_has_at_most_150_lines(self):
        self.assertLessEqual(len(self.tool.read_text(encoding="utf-8").splitlines()), 150)

    def test_with_leaves_and_without(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            proof, leaves = folder / "proof.json", folder / "leaves.txt"
            certificate = brute.certify(SQUARE, XOR)
            proof.write_text(json.dumps(certificate), encoding="utf-8")
            (folder / "xor.svm").write_text("# xor\n-1 1:0 2:0.0\n+1 qid:3 2:1e0 # second\n\n1.0 1:1\n-1 1:1 2:1.00\n",
                                            encoding="utf-8")
            code, output = self.run_tool(proof)
            self.assertEqual((code, output.splitlines()[0]), (0, "valid:"))
            self.assertIn("every linear classifier makes at least 1 mistake\n", output)
            read = subprocess.run([sys.executable, str(self.tool.with_name("read_rows.py")), str(folder / "xor.svm")],
                                  capture_output=True, check=True)
            leaves.write_bytes(read.stdout)
            self.assertEqual(self.run_tool(proof, leaves)[0], 0)
            self.assertEqual(self.run_tool(proof, leaves, "--root", certificate["data"]["root"])[0], 0)
            self.assertEqual(self.run_tool(proof, leaves, "--root", "0" * 64)[0], 1)
            leaves.write_bytes(read.stdout.replace(b"2:1\n", b"2:1.01\n"))
            code, output = self.run_tool(proof, leaves)
            self.assertEqual(code, 1)
            self.assertIn("other data", output)
            proof.write_text(json.dumps(brute.certify(*GATES["and"])), encoding="utf-8")
            self.assertEqual(self.run_tool(proof)[0], 2)

    def test_a_salted_proof_says_so_and_takes_the_salt(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            proof, rows, salt, other = (folder / file for file in ("proof.json", "rows.svm", "salt.txt", "other.txt"))
            rows.write_text("-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1\n", encoding="utf-8")
            salt.write_text("5" * 64 + "\n", encoding="utf-8")
            other.write_text("6" * 64 + "\n", encoding="utf-8")
            sealed = brute.seal(brute.certify(SQUARE, XOR), SQUARE, XOR, 2, "5" * 64)
            proof.write_text(json.dumps(sealed), encoding="utf-8")
            self.assertEqual(self.run_tool(proof, rows, "--salt", salt)[0], 0)
            code, output = self.run_tool(proof, rows)
            self.assertEqual(code, 1)
            self.assertIn("the rows are salted, and the salt is needed (--salt FILE)", output)
            self.assertIn("another salt", self.run_tool(proof, rows, "--salt", other)[1])
            other.write_text("secret", encoding="utf-8")
            code, output = self.run_tool(proof, rows, "--salt", other)
            self.assertEqual(code, 3)
            self.assertIn("64 hexadecimal digits", output)
            # Leaves are salted by either script, and aren't salted twice.
            for options in ([], ["--salt", salt]):
                read = [sys.executable, self.tool.with_name("read_rows.py"), rows, *options]
                (folder / "leaves.txt").write_bytes(subprocess.run(read, capture_output=True, check=True).stdout)
                self.assertEqual(self.run_tool(proof, folder / "leaves.txt", "--salt", salt)[0], 0)
                self.assertEqual(self.run_tool(proof, folder / "leaves.txt")[0], 0 if options else 1)
            # Without carried rows nothing says whether they are salted.
            separable = brute.seal(brute.certify(*GATES["and"]), *GATES["and"], 2, "5" * 64)
            separable["rows"] = []
            for part in ("coefficients", "span"):
                separable.pop(part, None)
            proof.write_text(json.dumps(separable), encoding="utf-8")
            rows.write_text("-1 1:0 2:0\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n", encoding="utf-8")
            self.assertIn("other data, or salted (--salt FILE)", self.run_tool(proof, rows)[1])
            self.assertEqual(self.run_tool(proof, rows, "--salt", salt)[0], 0)

    def test_sentences_say_which_classifiers_and_classes_they_are_about(self):
        with tempfile.TemporaryDirectory() as name:
            proof, leaves = (pathlib.Path(name) / file for file in ("proof.json", "leaves.txt"))
            said = lambda: self.run_tool(proof, *([leaves] if leaves.exists() else []))[1]
            for options, who in (({}, "linear classifier"), ({"origin": True}, "linear classifier through the origin")):
                proof.write_text(json.dumps(brute.certify(SQUARE, XOR, **options)), encoding="utf-8")
                leaves.write_text("\n".join([json.dumps({"rows": 4, "features": 2, "negative": "-1", "positive": "1"}),
                                             *leaf_lines({"negative": "-1", "positive": "1"}, SQUARE, XOR)]), encoding="utf-8")
                answer = said()
                self.assertIn(f"no {who} separates these rows\n", answer)
                self.assertIn(f"every {who} makes at least ", answer)

    def test_rows_of_an_array(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            proof, rows, labels = (folder / file for file in ("proof.json", "X.npy", "y.npy"))
            write_npy(labels, "<i8", "(4,)", struct.pack("<4q", *XOR))
            for descr, code in (("<f2", "e"), ("<f4", "f"), ("<f8", "d"), ("|V2", "H"), ("<i4", "i")):
                numbers = [0, 0, 0, 1, 1, 0, 1, 1]
                if code == "H":  # bfloat16
                    numbers = [16256 * number for number in numbers]
                write_npy(rows, descr, "(4, 2)", struct.pack(f"<8{code}", *numbers))
                proof.write_text(json.dumps(brute.certify(SQUARE, XOR)), encoding="utf-8")
                code, output = self.run_tool(proof, rows, "--label", labels)
                self.assertEqual((code, output.splitlines()[0]), (0, "valid:"))
            # Exactly the binary numbers, however small.
            points = [["0.1"], ["5e-324"], ["-1e22"], ["3"]]
            exact = [[f"{Decimal(float(number)):f}" for number in row] for row in points]
            write_npy(rows, "<f8", "(4, 1)", struct.pack("<4d", *(float(row[0]) for row in points)))
            proof.write_text(json.dumps(brute.certify(exact, XOR)), encoding="utf-8")
            self.assertEqual(self.run_tool(proof, rows, "--label", labels)[0], 0)
            write_npy(rows, "<f8", "(4, 1)", struct.pack("<4d", 0.1, 5e-324, -1e22, 3.5))
            self.assertIn("other data", self.run_tool(proof, rows, "--label", labels)[1])

    def test_damaged_arrays_are_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            proof, rows, labels = (folder / file for file in ("proof.json", "X.npy", "y.npy"))
            proof.write_text(json.dumps(brute.certify(SQUARE, XOR)), encoding="utf-8")
            write_npy(labels, "<i8", "(4,)", struct.pack("<4q", *XOR))
            values = struct.pack("<8d", *[0, 0, 0, 1, 1, 0, 1, 1])
            refused = lambda: self.assertEqual(self.run_tool(proof, rows, "--label", labels)[0], 3)
            for descr, shape, bits in (("<f8", "(4, 3)", values), ("<f8", "(8,)", values), ("<f8", "(040, 2)", values),
                                       (">f8", "(4, 2)", values), ("|O", "(4, 2)", values), ("<f8", "(4, 2)", values[:-1]),
                                       ("<f8", "(-4, -2)", values), ("<f8", "(4, 2), 'shape': (4, 2)", values),
                                       ("<f8", "(4, 2), 'more': 1", values), ("<f8", "__import__('os')", values),
                                       ("<f8", "(4, 2)", struct.pack("<d", float("nan")) + values[8:]),
                                       ("<f8", "(4, 2" + "," * 20_000 + ")", values), ("<f8", "(" * 5_000, values)):
                write_npy(rows, descr, shape, bits)
                refused()
            write_npy(rows, "<f8", "(4, 2)", values, fortran=True)
            refused()
            rows.write_bytes(b"\x93NUMPY\1\0")
            refused()
            write_npy(rows, "<f8", "(4, 2)", values)
            write_npy(labels, "<i8", "(3,)", struct.pack("<3q", 1, 1, 0))
            refused()
            self.assertEqual(self.run_tool(proof, rows)[0], 3)

    def test_what_could_be_taken_in_two_ways_is_refused(self):
        good = json.dumps(brute.certify(SQUARE, XOR))
        verify_certificate.checker_of(read_certificate.parse(good)).check()
        for change in (lambda text: text.replace('"origin": false', '"origin": 0'),
                       lambda text: text.replace('"linsep_certificate": 2', '"linsep_certificate": true'),
                       lambda text: text.replace('"linsep_certificate": 2', '"linsep_certificate": 2.0'),
                       lambda text: text.replace('"claim"', '"claim": "separable", "claim"'),
                       lambda text: text.replace('"claim"', '"note": "", "claim"'),
                       lambda text: text.replace('"row": 1', '"row": 1, "rank": 2'),
                       lambda text: text.replace('"alpha": "1"', '"alpha": "\u0661"'),
                       lambda text: text.replace('"alpha": "1"', '"alpha": 1'),
                       lambda text: text.replace('"alpha": "1"', '"alpha": "1e0"'),
                       lambda text: text.replace('"alpha": "1"', '"alpha": "1/0"'),
                       lambda text: text.replace('"alpha": "1"', '"alpha": "' + "1" * 100001 + '"'),
                       lambda text: text.replace('"claim"', '"stopped_because": "\\ud800", "claim"'),
                       lambda text: text.replace('"claim"', '"stopped_because": null, "claim"'),
                       lambda text: text.replace('"rows": 4', '"rows": NaN'),
                       lambda text: text.replace('"rows": 4', '"rows": 1e9'),
                       lambda text: text.replace('"rows": 4', '"rows": ' + "4" * 30),
                       lambda text: "[" * 100000 + text, lambda text: text + "x", lambda text: "\ufeff" + text):
            self.assertNotEqual(change(good), good)
            with self.assertRaises((ValueError, RecursionError)):
                verify_certificate.checker_of(read_certificate.parse(change(good))).check()


if __name__ == "__main__":
    unittest.main()
