"""The C++ example of docs/reference/cpp.md and docs/start/cpp.md is examples/train_arrays.cc, which tests/install builds and runs."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Example(unittest.TestCase):
    def test_the_manual_shows_the_program_that_is_run(self):
        program = (ROOT / "examples/train_arrays.cc").read_text(encoding="utf-8")
        program = program[program.index("#include"):]
        self.assertLessEqual(len(program.splitlines()), 12)
        for page in ("docs/reference/cpp.md", "docs/start/cpp.md"):
            shown = re.findall(r"```cpp\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
            self.assertIn(program, shown, page)


if __name__ == "__main__":
    unittest.main()
