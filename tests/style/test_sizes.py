"""Folders, files and functions stay small enough to be read: see CONTRIBUTING.md."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_MODULES = 24  # of a folder
LONG_FILE = 300  # lines; nine files in ten are shorter
LONG_FUNCTION = 60  # lines; every function is at most that

# What braces must not be looked for in.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
SCOPE = re.compile(r"(?:^|\s)(?:namespace|class|struct|union|enum|extern)\b[^()]*$")


def sources(*tops):
    return [path for top in tops for path in sorted((ROOT / top).rglob("*")) if path.suffix in {".h", ".cc"}]


def is_test(path):
    return path.stem.endswith(("_test", "_bench", "testing")) or "reference" in path.stem or "oracle" in path.stem


def functions(path):
    """Pairs of a function's first line and how many lines it has, bodies of lambdas within it included."""
    code = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), path.read_text(encoding="utf-8"))
    blocks, begin = [], 0  # open blocks: None for a scope, else where the function (or what stands within one) begins
    for found in re.finditer(r"[;{}]", code):
        at = found.start()
        if found[0] == "{":
            head = code[begin:at]
            inside = any(start is not None for start in blocks)
            first = begin + len(head) - len(head.lstrip())
            blocks.append(None if not inside and (SCOPE.search(head) or "(" not in head) else first)
        elif found[0] == "}" and blocks:
            start = blocks.pop()
            if start is not None and all(outer is None for outer in blocks):
                yield code.count("\n", 0, start) + 1, code.count("\n", start, at) + 1
        begin = at + 1


class Sizes(unittest.TestCase):
    def test_a_folder_has_few_modules(self):
        for folder in {path.parent for path in sources("src", "apps", "include")}:
            modules = {re.sub(r"(_test|_bench|_inl)$", "", path.stem) for path in sources(folder) if path.parent == folder}
            self.assertLessEqual(len(modules), MOST_MODULES, f"{folder.relative_to(ROOT)}: {sorted(modules)}")

    def test_nine_files_in_ten_are_short(self):
        lengths = sorted(len(path.read_text(encoding="utf-8").splitlines()) for path in sources("src", "apps", "include"))
        self.assertLess(lengths[len(lengths) * 9 // 10], LONG_FILE)

    def test_a_function_fits_a_screen(self):
        long = [f"{path.relative_to(ROOT)}:{line}: {length} lines" for path in sources("src", "apps", "include")
                if not is_test(path) for line, length in functions(path) if length > LONG_FUNCTION]
        self.assertEqual(long, [])


if __name__ == "__main__":
    unittest.main()
