"""The reference of the command line, a page per command, from the manual pages that `linsep manual` prints.

These are made from the same declarations as `linsep COMMAND --help`, and say which words are options.
"""

import re
import subprocess


def manual(program, command=None):
    """A manual page, in man's macros."""
    words = [program, "manual"] + ([command] if command else [])
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def commands(program):
    """The names of all commands, with what each is for."""
    found = re.findall(r"^\.BR linsep\\-(\S+) \(1\)\n(.*)$", manual(program), re.MULTILINE)
    return [(name.replace("\\-", "-"), plain(text)) for name, text in found]


def plain(text):
    """The text without man's escapes."""
    return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace("\\e", "\\").replace("\\&", "").replace("\\(aq", "'")


def escaped(text):
    """The text for reStructuredText, with what stands between backticks as code."""
    parts = re.split(r"`([^`]+)`", text)
    for place, part in enumerate(parts):
        parts[place] = f"``{part}``" if place % 2 else re.sub(r"([\\*_|<>])", r"\\\1", part)
    for place in range(2, len(parts), 2):  # code must end before a word begins
        if parts[place][:1].isalnum():
            parts[place] = "\\ " + parts[place]
    return "".join(parts)


def sections(page):
    """[(heading, [(term, [paragraphs])])] of a manual page; a term is None for text that stands by itself."""
    found, lines = [], page.splitlines()
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.startswith(".SH"):
            found.append((plain(line[3:].strip().strip('"')), []))
        elif line == ".TP":
            place += 1
            term = re.sub(r"^\.(BR?|I) ", "", lines[place])
            found[-1][1].append((plain(term), [""]))
        elif line == ".br" and found[-1][1]:
            found[-1][1][-1][1].append("")
        elif line.startswith((".B ", ".I ", ".BR ")) or not line.startswith("."):
            text = plain(re.sub(r"^\.(BR?|I) ", "", line))
            if not found[-1][1]:
                found[-1][1].append((None, [""]))
            paragraphs = found[-1][1][-1][1]
            paragraphs[-1] = (paragraphs[-1] + " " + text).strip()
        place += 1
    return found


def indented(paragraphs, by):
    return ["", *[line for text in paragraphs if text for line in (" " * by + escaped(text), "")]]


def page_of(program, command):
    """The page of a command, as reStructuredText."""
    lines, merged = [], {}
    for heading, entries in sections(manual(program, command)):
        merged.setdefault(heading, []).extend(entries)
    title = f"linsep {command}"
    usage = merged.pop("SYNOPSIS")[0][1][0]
    description = merged.pop("DESCRIPTION")
    for unused in ("NAME", "SEE ALSO"):
        merged.pop(unused, None)
    lines += [title, "=" * len(title), "", escaped(description[0][1][0]), "", ".. code-block:: text", "", "   " + usage, ""]
    lines += [f".. program:: linsep {command}", ""]
    for term, paragraphs in description[1:]:
        lines += [f"``{term}``", *indented(paragraphs, 3)[1:]]
    examples = merged.pop("EXAMPLES", [])
    if examples:
        lines += ["Examples", "--------", ""]
        for term, paragraphs in examples:
            lines += [escaped(" ".join(paragraphs)), "", ".. code-block:: console", "", "   $ " + term, ""]
    for heading, entries in merged.items():
        lines += [heading, "-" * len(heading), ""]
        for term, paragraphs in entries:
            if term is None:
                lines += [escaped(" ".join(paragraphs)), ""]
            elif term.startswith("-"):
                lines += [f".. option:: {term}", *indented(paragraphs, 3)]
            else:
                lines += [f"``{term}``", *indented(paragraphs, 3)[1:]]
    return "\n".join(lines)


def write(stage, program):
    """A page per command, linked from the table in commands.md, which must name every one."""
    stage.document(stage.root / "docs/reference/commands.md", "reference/commands.md")
    text = (stage.folder / "reference/commands.md").read_text(encoding="utf-8")
    names = [name for name, _ in commands(program)]
    for name in names:
        stage.text(f"reference/commands/{name}.rst", page_of(program, name))
        text, found = re.subn(rf"^\| (`linsep {name}\b[^`]*`)", rf"| [\1](commands/{name}.rst)", text, flags=re.MULTILINE)
        if not found:
            raise SystemExit(f"make_site: docs/reference/commands.md has no row for linsep {name}")
    stage.text("reference/commands.md", text.replace("% made: pages", "\n".join(f"commands/{name}" for name in names)))
