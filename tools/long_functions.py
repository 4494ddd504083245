#!/usr/bin/env python3
"""Warns of functions beyond 80 lines, lambdas within them included. A warning only: some algorithms read best whole."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONG = 80
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
SCOPE = re.compile(r"(?:^|\s)(?:namespace|class|struct|union|enum|extern)\b[^()]*$")


def functions(text):
    """Yields the first line of each function and its number of lines."""
    code = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    blocks, begin = [], 0  # open blocks: None for a scope, else where the function starts
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


def main():
    for top in ("include", "src", "apps", "python/src", "r/src"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".h", ".cc"} and not path.stem.endswith(("_test", "_bench", "testing")):
                for line, length in functions(path.read_text(encoding="utf-8")):
                    if length > LONG:
                        print(f"{path.relative_to(ROOT)}:{line}: warning: a function of {length} lines", file=sys.stderr)


if __name__ == "__main__":
    main()
