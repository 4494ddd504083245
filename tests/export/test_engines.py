"""Drawn models of every kind, scored by linsep and by the engines of the languages that they are exported to.

Every other row is pushed to the boundary by one number's last float digits. C gives the same bits. Elsewhere scores are
within 8 ulp of Σ|θφ|, and labels are equal wherever |z − threshold| is more than that; rows nearer than that are counted.
"""

import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import engines

PROGRAM = os.environ["LINSEP_EXPORT_CASES"]
ULPS = 8


def field_of(field):
    return bytes(field["bytes"]) if isinstance(field, dict) else field


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        subprocess.run([PROGRAM, folder, os.environ.get("LINSEP_SEED", "1"), "150"], check=True)
        cls.cases = []
        for number in range(len(list(folder.iterdir()))):
            case = json.loads((folder / str(number) / "case.json").read_text())
            case["folder"] = folder / str(number)
            case["rows"] = [[field_of(field) for field in row] for row in case["rows"]]
            cls.cases.append(case)

    def compare(self, case, found, language, same_bits=False):
        """Checks the answers of an engine, and returns the rows that were too near to call and the greatest error."""
        near, greatest = 0, 0.0
        found = list(found)
        self.assertEqual(len(found), len(case["rows"]))
        for row, (one, true) in enumerate(zip(found, case["answers"])):
            where = f"{language}, {case['name']}, row {row}: {one} should be {true}"
            self.assertEqual(len(one["score"]), len(true["score"]), where)
            error = max(abs(a - b) / math.ulp(size) for a, b, size in zip(one["score"], true["score"], true["size"]))
            greatest = max(greatest, error)
            self.assertLessEqual(error, 0 if same_bits else ULPS, where)
            if self.clear(case, true):
                self.assertEqual(one["label"], true["label"], where)
            else:
                near += 1
            for a, b in zip(one["probability"], true["probability"], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-12, msg=where)
        return near, greatest

    @staticmethod
    def clear(case, true):
        """Whether no rounding can change the labels."""
        if case["form"] == "classes":
            first, second = sorted(true["score"])[-2:][::-1]
            return first - second > 2 * ULPS * max(map(math.ulp, true["size"]))
        return all(abs(z - case["threshold"]) > ULPS * math.ulp(size) for z, size in zip(true["score"], true["size"]))

    def run_all(self, language, run, same_bits=False):
        for case in self.cases:
            if language not in case["languages"]:
                continue
            with self.subTest(case["name"]):
                near, greatest = self.compare(case, run(case), language, same_bits)
                print(f"{language}, {case['name']}: {len(case['rows'])} rows, labels equal but for {near} too near to "
                      f"call, scores within {greatest:.2g} ulp of the sum", file=sys.stderr)

    def test_c_gives_the_same_bits(self):
        def run(case):
            true = case["answers"][0]
            shape = [len(true[what]) for what in ("score", "label", "probability")]
            return engines.run_c(case["folder"], case["columns"], case["rows"], shape)
        self.run_all("c", run, same_bits=True)

    @unittest.skipUnless(importlib.util.find_spec("onnxruntime"), "onnxruntime isn't installed")
    def test_onnx_gives_the_same_labels(self):
        self.run_all("onnx", lambda case: engines.run_onnx(case["folder"] / "model.onnx", case["columns"], case["rows"]))

    @staticmethod
    def as_sql(case):
        """Columns without names are x1, x2, … in SQL."""
        columns, rows = case["columns"], case["rows"]
        if case["name"] != "columns without names":
            return columns, rows
        named = [{"name": f"x{k + 1}", "kind": "number", "size": 1} for k in range(columns[0]["size"])]
        return named, [row[0] for row in rows]

    @unittest.skipUnless(importlib.util.find_spec("duckdb"), "duckdb isn't installed")
    def test_duckdb_gives_the_same_labels(self):
        self.run_all("duckdb",
                     lambda case: engines.run_duckdb((case["folder"] / "duckdb.sql").read_text(), *self.as_sql(case)))

    def test_postgresql_gives_the_same_labels(self):
        try:
            server = engines.PostgreSql()
        except FileNotFoundError as error:
            self.skipTest(str(error))
        self.addCleanup(server.stop)
        self.run_all("postgresql",
                     lambda case: server.query((case["folder"] / "postgresql.sql").read_text(), *self.as_sql(case)))


if __name__ == "__main__":
    unittest.main()
