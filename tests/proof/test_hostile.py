"""Hostile certificates: each costs either checker under 100 MB and a few seconds of a processor (under one on a fast machine). Prints the table.

`LINSEP` is the program's path; without it the script alone is measured. A child's peak counts what this process had when it
began the child: about 50 MB, the floor of the table."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import brute

TOOL = pathlib.Path(__file__).resolve().parents[2] / "checker" / "verify_certificate.py"
MOST_MEGABYTES, MOST_SECONDS = 100, 5
COUNT = 2**62 - 1


def sealed(parts, leaves=(), **data):
    """A certificate that carries these leaves, all of its data set, with the root that they have."""
    file = {"linsep_certificate": 2, "claim": "undecided", "origin": False, "map": "none", **parts}
    said = {"rows": len(leaves) or 4, "features": 2, "negative": "-1", "positive": "1", **data}
    raw = [leaf.encode() for leaf in leaves]
    file["data"] = {**said, "root": brute.data_root(raw, said, 2)}
    file["rows"] = [{"leaf": leaf, "path": [step.hex() for step in brute.root_and_path(raw, i)[1]]}
                    for i, leaf in enumerate(leaves)]
    return json.dumps(file, separators=(",", ":"))


def leaf(number, sign, entries):
    return f"{number} {sign}" + "".join(f" {j}:2" for j in range(1, entries + 1))


def witness(*rows):
    return [{"row": row, "alpha": "1"} for row in rows]


LONG = "7" * 3_000_000
SPAN = {"prime": str(brute.PRIME), "rows": [], "dependent": {}}
HOSTILE = {
    "polynomial:9 over 40 features": sealed({"map": "polynomial:9", "witness": witness(1)}, [leaf(1, "+1", 40)], features=40),
    "polynomial:3, rows of 91,880 products": sealed({"map": "polynomial:3", "witness": witness(1, 2)},
                                                    [leaf(1, "+1", 80), leaf(2, "-1", 80)], features=80),
    "2^26 features, 20 levels": sealed({"levels": [{"67108864": "1"}] * 20, "left_at_zero": 0}, features=2**26),
    "2^32 - 2 features": sealed({"levels": [{"4294967294": "1"}], "left_at_zero": 0}, features=2**32 - 2),
    "products with more than 2^32 columns": sealed({"map": "products", "levels": [{"1": "1"}]}, features=92_683),
    "products with nearly 2^32 columns": sealed({"map": "products", "levels": [{"1*92681": "1"}] * 20, "left_at_zero": 0},
                                                features=92_681),
    "a span over 2^32 - 3 columns": sealed({"span": SPAN}, features=2**32 - 4),
    "2^62 - 1 rows": sealed({"witness": witness(COUNT)}, rows=COUNT),
    "a level left out 60 times": sealed({"levels": [{}] * 60, "left_at_zero": COUNT}, rows=COUNT),
    "an alpha of 3 MB": sealed({"witness": [{"row": 1, "alpha": LONG}]}),
    "a fraction of 3 MB": sealed({"witness": [{"row": 1, "alpha": "1/" + LONG}]}),
    "a weight of 3 MB": sealed({"levels": [{"1": LONG}], "left_at_zero": 0}),
    "a count of 3 MB": sealed({}).replace('"rows":4', '"rows":' + LONG),
    "a value of 3 MB in a leaf": sealed({"witness": witness(1), "span": {**SPAN, "rows": [1], "dependent": {"1": {}, "2": {}}}},
                                        ["1 +1 1:" + LONG]),
    "an index of 3 MB in a leaf": sealed({"witness": witness(1)}, [f"1 +1 {LONG}:1"]),
    "a prime of 3 MB": sealed({"span": {**SPAN, "prime": LONG}}),
    "500 kB of nesting": "[" * 500_000,
    "a column of 9,000 factors": sealed({"map": "polynomial:9", "levels": [{"*".join(["1"] * 9000): "1"}], "left_at_zero": 0}),
}


def sparse_span(count):
    """Rows through the origin of four values each, the last minus the sum of the others: a span of `count` rows."""
    rows, total, drawn = [], {}, random.Random(1)
    for k in range(1, count + 1):
        row = {drawn.randint(1, count): drawn.choice((2, 3, 5, 7)) for _ in range(3)} | {k: 1}
        rows.append(row)
        for column, value in row.items():
            total[column] = total.get(column, 0) + value
    leaves = [f"{k} {'+1' if k <= count else '-1'}" + "".join(f" {j}:{row[j]}" for j in sorted(row))
              for k, row in enumerate([*rows, total], 1)]
    lines = [leaf.split(" ", 1)[1] for leaf in leaves]
    data = {"rows": count + 1, "features": count, "negative": "-1", "positive": "1", "reading": {"format": "svmlight"}}
    file = {"linsep_certificate": 2, "claim": "overlapping", "origin": True, "map": "none",
            "data": {**data, "root": brute.data_root([leaf.encode() for leaf in leaves], data, 2)},
            "witness": witness(*range(1, count + 2)), "span": {**SPAN, "rows": list(range(1, count + 1))}}
    return json.dumps(file, separators=(",", ":")), "\n".join(lines) + "\n"


def cost(command, **how):
    """(exit code, peak memory in MB, seconds of a processor)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


class Hostile(unittest.TestCase):
    def test_every_hostile_certificate_costs_little(self):
        commands = {"script": [sys.executable, "-B", str(TOOL)]}
        if "LINSEP" in os.environ:
            commands["program"] = [os.environ["LINSEP"], "verify"]
        table = []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "proof.json"
            for name, text in HOSTILE.items():
                path.write_text(text, encoding="utf-8")
                line = f"{name:38} {len(text):9,} bytes"
                for checker, command in commands.items():
                    code, megabytes, seconds = cost([*command, str(path)])
                    line += f"  {checker} {code}, {megabytes:4.0f} MB, {seconds:.2f} s"
                    with self.subTest(certificate=name, checker=checker):
                        self.assertIn(code, (0, 1, 2, 3))
                        self.assertLess(megabytes, MOST_MEGABYTES)
                        self.assertLess(seconds, MOST_SECONDS)
                table.append(line)
        print("\n".join(table), file=sys.stderr)

    def test_a_span_of_many_sparse_rows_costs_little(self):
        proof, rows = sparse_span(4500)
        commands = {"script": ([sys.executable, "-B", str(TOOL), "proof.json", "rows.svm"], 10 * MOST_SECONDS)}
        if "LINSEP" in os.environ:
            commands["program"] = ([os.environ["LINSEP"], "verify", "proof.json", "rows.svm", "--memory", "100M"], MOST_SECONDS)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "proof.json").write_text(proof, encoding="utf-8")
            (pathlib.Path(folder) / "rows.svm").write_text(rows, encoding="utf-8")
            for checker, (command, most_seconds) in commands.items():
                code, megabytes, seconds = cost(command, cwd=folder)
                print(f"a span of 4,500 sparse rows: {checker} {code}, {megabytes:.0f} MB, {seconds:.2f} s", file=sys.stderr)
                self.assertEqual(code, 0)
                self.assertLess(megabytes, MOST_MEGABYTES)
                self.assertLess(seconds, most_seconds)


if __name__ == "__main__":
    unittest.main()
