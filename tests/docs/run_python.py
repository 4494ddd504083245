#!/usr/bin/env python3
"""Runs the Python sessions that documents show and compares their output.

A session is a block between fences whose first line begins with ">>> ". All sessions of a document run in order, with one set of
names and in one temporary folder, which holds the .csv files that the document links to. In shown output "..." stands for any text.
Runs that didn't converge, and arrays that were copied, are errors unless the document catches the warning.

    run_python.py docs/howto/weights.md …             # all documents in one process: packages are imported once
    run_python.py --update docs/howto/weights.md      # rewrites the shown lines that differ; "..." stays (shown.py)

Ends with 77 where linsep can't be imported, or what --needs names. A document that opens os.environ["LINSEP_DATA"], "FILE" is passed over where that isn't there.
"""
import argparse
import contextlib
import doctest
import importlib
import io
import os
import pathlib
import re
import shutil
import sys
import tempfile
import traceback
import warnings

from linked import linked_rows
from shown import merged

SKIPPED = 77
BLOCK = re.compile(r"^([ \t]*)```[a-z]*\n([ \t]*>>> .*?)^\1```$", re.MULTILINE | re.DOTALL)


def sessions_of(text):
    """The examples of a document, each with the number of lines before it."""
    found = []
    for block in BLOCK.finditer(text):
        before = text.count("\n", 0, block.start(2))
        for example in doctest.DocTestParser().get_examples(block.group(2)):
            example.lineno += before
            found.append(example)
    return found


def last_line(text):
    """The last line of a traceback, the exception's name without its module."""
    return re.sub(r"^(?:\w+\.)+(?=\w+:|\w+$)", "", text.strip(), count=1)


def run(example, names, document):
    """What a terminal would show."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            exec(compile(example.source, f"{document}:{example.lineno + 1}", "single"), names)
        except Exception as error:
            last = last_line("".join(traceback.format_exception_only(error)))
            return shown.getvalue() + "Traceback (most recent call last):\n    ...\n" + last + "\n"
    return shown.getvalue()


def same(example, real):
    """Whether the real output is the shown one. Of an exception its last line counts."""
    want = example.want
    if example.exc_msg is not None:
        want = "Traceback (most recent call last):\n    ...\n" + last_line(example.exc_msg) + "\n"
    return doctest.OutputChecker().check_output(want, real, doctest.ELLIPSIS)


def updated(example, real):
    """The lines that an update shows, without their indentation."""
    lines = [line or "<BLANKLINE>" for line in real.splitlines()]
    new = merged(example.want.splitlines(), lines, "...", spans=True)
    fine = doctest.OutputChecker().check_output("".join(line + "\n" for line in new), real, doctest.ELLIPSIS)
    return new if fine else lines


def lacks_data(document):
    """The name of a file that the document reads from LINSEP_DATA and that isn't there, or None."""
    folder = pathlib.Path(os.environ.get("LINSEP_DATA") or "/nowhere")
    names = re.findall(r'"LINSEP_DATA"\], "([\w.]+)"', document.read_text(encoding="utf-8"))
    return next((name for name in names if not (folder / name).is_file()), None)


def check(document, update):
    """(examples, failures, updates) of a document."""
    text = document.read_text(encoding="utf-8")
    lines, names, failures, changes = text.splitlines(), {"__name__": "__main__"}, 0, []
    for example in sessions_of(text):
        real = run(example, names, document)
        if same(example, real):
            continue
        if update and (example.exc_msg is not None or not real.startswith("Traceback")):
            changes.append((example, real))
            continue
        failures += 1
        print(f"{document}:{example.lineno + 1}: >>> {example.source}shown:", example.want, "real:", real, sep="\n")
    for example, real in reversed(changes):
        begin = example.lineno + example.source.count("\n")
        lines[begin:begin + example.want.count("\n")] = [" " * example.indent + line for line in updated(example, real)]
    if changes:
        document.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(sessions_of(text)), failures, len(changes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="rewrite the shown lines that differ from the real ones")
    parser.add_argument("--package", type=pathlib.Path, help="the folder to import linsep from")
    parser.add_argument("--needs", default="linsep", help="a package that the documents use")
    parser.add_argument("document", type=pathlib.Path, nargs="+")
    given = parser.parse_args()
    if given.package:
        sys.path.insert(0, str(given.package.resolve()))
    try:
        import linsep._core  # noqa: F401
        importlib.import_module(given.needs)
        from sklearn.exceptions import ConvergenceWarning
    except ImportError as error:
        print(f"not run: {error}")
        return SKIPPED
    os.environ.setdefault("MPLBACKEND", "Agg")
    warnings.simplefilter("error", ConvergenceWarning)
    warnings.simplefilter("error", linsep.CopyWarning)
    failed = 0
    for document in [path.resolve() for path in given.document]:
        if not sessions_of(document.read_text(encoding="utf-8")):
            continue
        if lacking := lacks_data(document):
            print(f"{document.name}: passed over, as {lacking} isn't in LINSEP_DATA")
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for path in linked_rows(document):
                shutil.copy(path, folder)
            examples, failures, changes = check(document, given.update)
        failed += failures
        print(f"{document.name}: {examples} examples, {failures} failed, {changes} updated")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
