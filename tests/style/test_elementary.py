"""Results never depend on the C library's mathematics: src/core/elementary.h is used instead, and its tables are what their tool
writes. Tests and benchmarks may compare with the C library."""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Correctly rounded everywhere, and so allowed: sqrt, fma, floor, ldexp and the like.
CALL = re.compile(r"std::(?:exp2?|expm1|log(?:1p|2|10)?|pow|cbrt|hypot|a?(?:sin|cos|tan)h?|atan2|erfc?|[lt]gamma)\(")


class Elementary(unittest.TestCase):
    def test_the_c_library_computes_no_result(self):
        calls = []
        for folder in ("include", "src", "apps", "python/src"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path == ROOT / "apps/linsep/progress_bar.cc":  # the time that is left, on a terminal
                    continue
                if path.suffix not in {".h", ".cc"} or re.search(r"_(test|bench)\.cc$|/(testing|contract_checks)\.h$", str(path)):
                    continue
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    if CALL.search(line.split("//")[0]):
                        calls.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
        self.assertFalse(calls, "use core/elementary.h:\n" + "\n".join(calls))

    def test_tables_are_what_the_tool_writes(self):
        run = subprocess.run([sys.executable, "-B", ROOT / "tools/make_elementary_tables.py", "--check"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
