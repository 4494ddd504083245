"""The C++ reference: a page per public header, with what the header says of itself at its top."""

import re
import subprocess

# Headings of the list, and the headers under each; what isn't named here stands under "The rest".
GROUPS = {
    "From arrays to answers": ["linsep.h", "arrays.h", "specs.h", "choices.h"],
    "Training and choosing": ["train.h", "plan.h", "learner_info.h", "select.h", "checkpoint.h"],
    "Proof": ["certify.h", "logit.h", "certificate.h", "tools/certify_classes.h", "tools/proof_rows.h", "tools/leaves.h"],
    "Models": ["model.h", "map.h", "tools/explain.h", "tools/export.h", "tools/distances.h", "tools/ranking.h", "tools/compare.h", "tools/advice.h"],
    "Rows": ["read.h", "source.h", "batch.h", "tools/fields.h", "tools/generate.h"],
    "Tables": ["table/map.h", "table/fit.h", "table/options.h", "table/arrow.h", "tools/arrow_writer.h"],
    "Limits, progress, errors, options": ["limits.h", "progress.h", "stop_reason.h", "error.h", "options.h"],
    "Learners, engines and programs of your own": ["learner.h", "pass.h", "comm.h", "tools/engines.h", "tools/simd.h",
                                                  "tools/file.h", "tools/shown_text.h"],
}


def subject(path):
    """The comment at the top of a header."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return "\n".join(lines)


def marked(text):
    """`code` of a comment as reStructuredText."""
    return re.sub(r"`([^`]+)`", r"``\1``", text.replace("\\", "\\\\").replace("*", "\\*"))


def page_name(header):
    return header.replace("/", "-").removesuffix(".h")


def page_of(header, text, empty):
    """The page of a header, as reStructuredText."""
    title = f"linsep/{header}"
    lines = [title, "=" * len(title), "", marked(text), "", ".. code-block:: cpp", "", f"   #include <linsep/{header}>", ""]
    if not empty:
        lines += [f".. doxygenfile:: linsep/{header}", "   :project: linsep", ""]
    return "\n".join(lines)


def examples_page(root):
    """The programs of examples/, each whole."""
    lines = ["# Examples", "", "Each program is built against an installed linsep and run by the tests.", ""]
    for path in sorted((root / "examples").glob("*.cc")):
        lines += [f"({re.sub('[^a-z]', '-', path.name)})=", f"## {path.name}", "", "```cpp",
                  path.read_text(encoding="utf-8").rstrip(), "```", ""]
    return "\n".join(lines)


def name_files_by_path(xml):
    """Doxygen's index has a file's last name only, which two headers may share; breathe looks for the one of a path there."""
    index = (xml / "index.xml").read_text(encoding="utf-8")
    for reference in re.findall(r'refid="(\w+)" kind="file"', index):
        path = re.findall(r'<location file="([^"]+)"/>', (xml / f"{reference}.xml").read_text(encoding="utf-8"))[-1]
        index = re.sub(rf'(refid="{reference}" kind="file"><name>)[^<]*', rf"\g<1>{path}", index)
    (xml / "index.xml").write_text(index, encoding="utf-8")


def write(stage, doxyfile, xml):
    """Runs Doxygen, writes a page per header, the examples and the list of headers."""
    include = stage.root / "include/linsep"
    settings = doxyfile.read_text(encoding="utf-8")
    settings += f"INPUT = {include}\nOUTPUT_DIRECTORY = {xml.parent}\nXML_OUTPUT = {xml.name}\nSTRIP_FROM_PATH = {include.parent}\n"
    xml.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, capture_output=True)
    if done.stderr.strip():
        raise SystemExit(f"make_site: Doxygen says\n{done.stderr}")
    name_files_by_path(xml)
    headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
    groups = {heading: [name for name in names if name in headers] for heading, names in GROUPS.items()}
    rest = set(headers) - {name for names in groups.values() for name in names}
    if rest:
        groups["The rest"] = sorted(rest)
    lines = ["## Headers", ""]
    for heading, names in groups.items():
        lines += [f"### {heading}", "", "| header | |", "|---|---|"]
        for name in names:
            text = subject(include / name)
            stage.text(f"reference/cpp/{page_name(name)}.rst", page_of(name, text, name == "linsep.h"))
            first = text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
            lines.append(f"| [`linsep/{name}`](cpp/{page_name(name)}.rst) | {first} |")
        lines += ["", "```{toctree}", ":hidden:", "", *[f"cpp/{page_name(name)}" for name in names], "```", ""]
    stage.text("reference/cpp/examples.md", examples_page(stage.root))
    stage.document(stage.root / "docs/reference/cpp.md", "reference/cpp.md")
    text = (stage.folder / "reference/cpp.md").read_text(encoding="utf-8")
    stage.text("reference/cpp.md", text.replace("% made: headers", "\n".join(lines)))
