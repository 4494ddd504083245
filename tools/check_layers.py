#!/usr/bin/env python3
"""Checks the rules of ARCHITECTURE.md on what a room may use.

Usage: tools/check_layers.py [ROOT]. Prints each line that breaks a rule; exit code 1 if there is one.
 - An include goes to a lower layer; rooms of one layer don't see each other (so `learn` and `certify` don't).
 - System headers (POSIX, Windows) and questions which system it is stand in `os` alone; also apps/ and python/ go through it.
 - PURE rooms, which also run in a browser, touch no file, thread or virtual memory.
 - Big-integer libraries appear in `exact` alone, also in apps/, bench/ and tests/; everyone else speaks of `Integer` and
   `Rational` through the functions of exact/number.h, never through members that one library has.
 - No 32-bit `long` in the pure rooms: it has 64 bits on one machine and 32 on another.
 - Folders inside a room or a program have an order: none includes one that includes it, directly or by way of others. A
   folder's parent counts as a folder of its own. Neither do modules of python/linsep or of web/ import each other.
   Circles that are left are listed in KNOWN, which may only shrink.
Tests beside the code obey the rules for rooms, not those for the pure ones.
"""
import ast
import pathlib
import re
import sys

LAYERS = {
    "linsep": 0, "core": 0, "os": 0,
    "kernel": 1, "exact": 1, "map": 1, "table": 1, "bytes": 1,
    "model": 2, "data": 2, "comm": 2, "proof": 2,
    "numeric": 3, "format": 3, "generate": 3, "export": 3,
    "learn": 4, "certify": 4,
    "train": 5,
    "report": 6,
    "picture": 7,
}
WITHIN_A_LAYER = {("core", "linsep"), ("os", "linsep"), ("os", "core")}
# Finer than the numbers: arithmetic that proofs rest on never uses the float kernels.
FORBIDDEN = {("proof", "kernel"), ("proof", "map"), ("proof", "table")}
# Only tests may: the order in which a learner's rows come is for train to see to.
FOR_TESTS = {("learn", "data")}
PURE = {"core", "kernel", "exact", "map", "table", "model", "proof", "numeric", "export", "learn", "certify", "report",
        "picture"}
# Circles between folders or modules as of 2026-11-17. A member that has left its circle is taken out of the list.
KNOWN: list[set[str]] = [
    {"apps/linsep", "apps/linsep/options", "apps/linsep/pictures", "apps/linsep/tables"},
]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SYSTEM = re.compile(r"^\s*#\s*include\s+<((?:thread|mutex|shared_mutex|condition_variable|future|semaphore|stop_token|"
                    r"filesystem|fstream|iostream|cstdio|stdio\.h|fcntl\.h|unistd\.h|pthread\.h|sys/[a-z_]+\.h))>",
                    re.MULTILINE)
ONE_SYSTEM = re.compile(r"^\s*#\s*include\s+<((?:sys|net|netinet|arpa|linux|mach)/[\w./]+|unistd\.h|fcntl\.h|dlfcn\.h|signal\.h|csignal|"
                        r"poll\.h|pthread\.h|sched\.h|netdb\.h|ifaddrs\.h|termios\.h|dirent\.h|malloc\.h|spawn\.h|pwd\.h|"
                        r"io\.h|process\.h|[Ww]indows\.h|winsock2\.h)>|\b(__linux__|__APPLE__|_WIN32|__GLIBC__)\b", re.MULTILINE)
BIG_INTEGERS = re.compile(r"\b(?:mpz|mpq|mpf|fmpz|fmpq|nmod|cpp_int|cpp_rational|gmp_\w+)(?:_\w+)?\b|\bmp_\w+_t\b|<gmp|"
                          r"<flint|<boost/|[.>](?:get_(?:num|den|d|str|si|ui|mp[zq]_t)|canonicalize|fits_\w+_p)\(")
LONG = re.compile(r"\b(?:unsigned\s+)?long\b(?!\s+double)")

MODULE = re.compile(r'^\s*(?:import|export)\s+(?!type\b)[^;"\']*?from\s+["\'](\.[^"\']+)["\']|^\s*import\s+["\'](\.[^"\']+)["\']',
                    re.MULTILINE)


def code_of(text: str) -> str:
    """The text without comments, line numbers kept."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//.*", "", text)


def is_test(path: pathlib.Path) -> bool:
    return path.name.endswith(("_test.cc", "_bench.cc", "testing.h"))


def allowed(room: str, target: str, test: bool) -> bool:
    if (room, target) in FOR_TESTS and not test:
        return False
    if room == target or (room, target) in WITHIN_A_LAYER:
        return True
    if (room, target) in FORBIDDEN or (room in PURE and target == "os"):
        return False
    return target in LAYERS and LAYERS[target] < LAYERS[room]


def room_of(path: pathlib.Path, root: pathlib.Path) -> str:
    parts = path.relative_to(root).parts
    return "linsep" if parts[0] == "include" else parts[1]


def big_integers(code: str) -> list[str]:
    return [f"big-integer types belong into exact: {word}" for word in sorted(set(BIG_INTEGERS.findall(code)))]


def one_system(code: str) -> list[str]:
    return [f"what one system has belongs into src/os: {header or word}" for header, word in ONE_SYSTEM.findall(code)]


def faults(path: pathlib.Path, room: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = [f'{room} must not include "{include}"' for include in INCLUDE.findall(text)
             if not allowed(room, include.split("/")[0], is_test(path))]
    code = code_of(text)
    if room != "exact":
        found += big_integers(code)
    if room != "os" and not is_test(path):
        found += one_system(code)
    if room in PURE and not path.name.endswith(("_test.cc", "_bench.cc")):
        found += [f"{room} must not touch files or threads: <{header}>" for header in SYSTEM.findall(text)]
        found += ["`long` differs between machines: use std::int64_t" for _ in LONG.findall(code)]
    return found


def rings(graph: dict[str, set[str]]) -> list[list[str]]:
    """The circles of a graph: its strongly connected parts of more than one node (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], number[other])
        if lowest[node] == number[node]:
            ring = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(ring) > 1:
                found.append(sorted(ring))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def folder_graph(root: pathlib.Path) -> dict[str, set[str]]:
    """Which folder of a room or program includes files of which other folder of it."""
    graph: dict[str, set[str]] = {}
    tops = [(root / "src", 2), (root / "apps/linsep", 2), (root / "apps/wasm", 2)]
    for top, depth in tops:
        for path in sorted(top.rglob("*")):
            if path.suffix not in {".h", ".cc"} or is_test(path):
                continue
            folder = path.parent.relative_to(root)
            for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
                target = (top / include).parent.relative_to(root)
                if (top / include).is_file() and target != folder and target.parts[:depth] == folder.parts[:depth]:
                    graph.setdefault(str(folder), set()).add(str(target))
    return graph


def python_graph(root: pathlib.Path) -> dict[str, set[str]]:
    """Which module of python/linsep imports which, also from within functions; what only type checkers read is left out."""
    graph: dict[str, set[str]] = {}
    package = root / "python"
    for path in sorted((package / "linsep").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for check in [node for node in ast.walk(tree) if isinstance(node, ast.If)]:
            if "TYPE_CHECKING" in ast.unparse(check.test):
                check.body = []
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or node.level == 0:
                continue
            base = path.parents[node.level - 1] / (node.module or "").replace(".", "/")
            for name in node.names:
                for target in (base / f"{name.name}.py", base.with_suffix(".py"), base / "__init__.py"):
                    if target.is_file():
                        graph.setdefault(str(path.relative_to(root)), set()).add(str(target.relative_to(root)))
                        break
    return graph


def web_graph(root: pathlib.Path) -> dict[str, set[str]]:
    """Which module of web/ imports which; imports of types alone are left out."""
    graph: dict[str, set[str]] = {}
    for path in sorted((root / "web").rglob("*")):
        if path.suffix not in {".ts", ".js", ".mjs"} or "node_modules" in path.parts:
            continue
        for names in MODULE.findall(path.read_text(encoding="utf-8")):
            target = (path.parent / (names[0] or names[1])).resolve()
            for file in (target, target.with_suffix(".ts"), target.with_name(target.name + ".ts")):
                if file.is_file():
                    graph.setdefault(str(path.relative_to(root)), set()).add(str(file.relative_to(root)))
                    break
    return graph


def circles(root: pathlib.Path) -> list[str]:
    """Circles that aren't known."""
    found = [set(ring) for graph in (folder_graph, python_graph, web_graph) for ring in rings(graph(root))]
    if root == pathlib.Path(__file__).resolve().parents[1]:
        for name in sorted(set().union(*KNOWN) - set().union(*found)):
            print(f"note: {name} is in no circle any more; take it out of KNOWN in tools/check_layers.py")
    return [f"a circle: {', '.join(sorted(ring))}" for ring in found if not any(ring <= known for known in KNOWN)]


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    bad = 0
    files = [p for top in ("include", "src") for p in sorted((root / top).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in files:
        room = room_of(path, root)
        found = faults(path, room) if room in LAYERS else [f"the room {room} has no layer in tools/check_layers.py"]
        for fault in found:
            print(f"{path.relative_to(root)}: {fault}")
        bad += len(found)
    outside = [p for top in ("apps", "bench", "python/src", "r/src", "tests") for p in sorted((root / top).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in outside:
        code = code_of(path.read_text(encoding="utf-8"))
        found = big_integers(code)
        if path.relative_to(root).parts[0] in {"apps", "python"}:
            found += one_system(code)
        for fault in found:
            print(f"{path.relative_to(root)}: {fault}")
        bad += len(found)
    for fault in circles(root):
        print(fault)
        bad += 1
    print(f"layers: {len(files) + len(outside)} files, {bad} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
