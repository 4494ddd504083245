"""Puts the documents together in one folder that Sphinx reads.

A document stays where it is in the repository and is written for it: its links are to files beside it. Here each is copied
to its place on the site, and its links are turned to where their targets are on the site: pages, or files to download.
"""

import os
import pathlib
import re
import shutil

# Pages from outside docs/: where they are in the repository, and on the site.
ELSEWHERE = {
    "README.md": "index.md",
    "docs/README.md": "index.md",
    "ARCHITECTURE.md": "explanation/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "GOVERNANCE.md": "project/governance.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
    "bench/README.md": "project/bench.md",
    "formal/README.md": "project/formal.md",
    "checker/README.md": "project/checker.md",
    "docs/site/README.md": "project/site.md",
    "RELEASING.md": "project/releasing.md",
    "tests/fuzz/README.md": "project/fuzzing.md",
    "python/README.md": "reference/python.md",
    "examples": "reference/cpp/examples.md",
    "examples/README.md": "reference/cpp/examples.md",
    "docs/gallery": "gallery/index.rst",
    "docs/reference/formats": "reference/formats/index.md",
}
LEFT_OUT = {"README.md", "docs/README.md", "examples/README.md", "python/README.md"}
# A comment that code hosts don't show: the pages below this one, for the site's navigation.
CONTENTS = re.compile(r'<!-- contents(?: "([^"]+)")?: ([^>]+) -->')
SCRIPTS = "gallery-scripts/"  # where sphinx-gallery finds docs/gallery; it writes to gallery/
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")


def place_of(path):
    """Where a file of the repository is on the site, or None."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path.startswith("examples/") and path.endswith(".cc"):
        return "reference/cpp/examples.md#" + re.sub(r"[^a-z]", "-", path.removeprefix("examples/"))
    if path.startswith("include/linsep/") and path.endswith(".h"):
        return "reference/cpp/" + path.removeprefix("include/linsep/").replace("/", "-").removesuffix(".h") + ".rst"
    if path.startswith("docs/gallery/") and path.endswith(".py"):
        return path.removeprefix("docs/").removesuffix(".py") + ".rst"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return None


def toctree(found):
    """The hidden table of contents that such a comment stands for."""
    caption = [f":caption: {found.group(1)}"] if found.group(1) else []
    return "\n".join(["```{toctree}", ":hidden:", *caption, "", *found.group(2).split(), "```"])


def runs_here(script):
    """Whether a script of the gallery finds the data that it needs: some read sets that aren't part of linsep."""
    text = script.read_text(encoding="utf-8")
    named = re.search(r'environ.*"LINSEP_DATA".*?"([^"]+\.csv)"', text)
    return not named or (pathlib.Path(os.environ.get("LINSEP_DATA") or "/nowhere") / named.group(1)).is_file()


def write_if_changed(path, text):
    """Leaves the file alone where it is so already: Sphinx reads only what is newer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


class Stage:
    """Copies documents of the repository `root` into `folder`."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        self.kept = set()

    def text(self, place, text):
        """Writes a page that was made here."""
        self.kept.add(place)
        write_if_changed(self.folder / place, text)

    def file(self, path, place):
        """Copies a file as it is."""
        self.kept.add(place)
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
            shutil.copy2(path, target)

    def document(self, path, place):
        """Copies a page, with its links turned. Text between fences stays as it is."""
        lines, fenced = [], False
        for line in path.read_text(encoding="utf-8").splitlines():
            code = re.match(r"\s*(```|~~~)(?!\{(?:tip|note|warning|seealso))", line)
            if code and fenced and lines and not lines[-1].strip():
                lines.pop()  # for doctest's sake a session may end with an empty line
            fenced ^= bool(code)
            if not fenced and not line.startswith("    "):
                line = CONTENTS.sub(toctree, LINK.sub(lambda found: self.link(path, place, found), line))
            lines.append(line)
        self.text(place, "\n".join(lines) + "\n")

    def link(self, path, place, found):
        """A link of the document, as it is on the site."""
        words, target = found.groups()
        target, _, anchor = target.partition("#")
        if not target or re.match(r"[a-z]+:|/", target):
            return found.group(0)
        repository = os.path.relpath(os.path.normpath(path.parent / target), self.root)
        real = self.root / repository
        if repository.startswith(".."):
            return found.group(0)
        there = place_of(repository)
        if repository.startswith("docs/gallery/") and real.is_file() and not runs_here(real):
            return words[1:-1]
        if there is None and real.is_file():
            there = "files/" + repository
            self.file(real, there)
        elif real.is_file() and real.suffix == ".txt":
            self.file(real, there)
        elif there is None and real.is_dir():
            return words[1:-1]
        elif there is None:
            return found.group(0)  # Sphinx reports it
        there, _, inner = there.partition("#")
        relative = os.path.relpath(there, os.path.dirname(place))
        anchor = anchor or inner
        if re.fullmatch(r"\[[\w./-]+\.md\]", words):
            words = "[]"  # a file's name says nothing here: Sphinx puts the page's title
        return f"{words}({relative}{'#' + anchor if anchor else ''})"

    def all_documents(self):
        """Every page and picture of docs/, and the pages from elsewhere."""
        docs = self.root / "docs"
        for path in sorted(docs.rglob("*")):
            repository = path.relative_to(self.root).as_posix()
            if repository.startswith("docs/site/") or repository in LEFT_OUT or not path.is_file():
                continue
            if repository.startswith("docs/gallery/"):
                if path.suffix in (".rst", ".csv") or (path.suffix == ".py" and runs_here(path)):
                    self.file(path, SCRIPTS + repository.removeprefix("docs/gallery/"))
            elif path.suffix == ".md":
                self.document(path, place_of(repository))
            elif path.suffix in (".svg", ".png", ".csv"):
                self.file(path, place_of(repository))
        for repository, place in ELSEWHERE.items():
            path = self.root / repository
            if repository not in LEFT_OUT and path.is_file():
                self.document(path, place)

    def remove_rest(self, made):
        """Removes what an earlier run put here and this one didn't, but for the folders that Sphinx's extensions make."""
        for path in sorted(self.folder.rglob("*")):
            place = path.relative_to(self.folder).as_posix()
            if path.is_file() and place not in self.kept and not (place.startswith(tuple(made)) and self.has_script(path, place)):
                path.unlink()

    def has_script(self, path, place):
        """Whether what sphinx-gallery made of a script has that script still. Anything else counts as having one."""
        script = re.match(r"gallery/(?:images/)?(plot_\w+)", place)
        return script is None or f"{SCRIPTS}{script.group(1)}.py" in self.kept


def repository_root():
    """The folder that holds docs/."""
    return pathlib.Path(__file__).resolve().parents[2]
