"""The version of linsep stands in several files, which agree; the packages are those of one release, this one or the next.

Between two releases the version ends in ".dev". R doesn't take such words: there it is the last release's with ".9000".
"""

import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def found(path, pattern):
    return re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE).group(1)


def numbers(version):
    return [int(part) for part in version.split(".")]


class Versions(unittest.TestCase):
    def test_the_build_the_wheel_the_citation_and_the_r_package_agree(self):
        release = found("CMakeLists.txt", r"^project\(linsep VERSION (\S+)")
        version = release + found("CMakeLists.txt", r"^set\(linsep_version \$\{PROJECT_VERSION\}(\S*)\)")
        self.assertIn(version, (release, release + ".dev"))
        self.assertEqual(found("pyproject.toml", r'^version = "(.+)"'), version)
        self.assertEqual(found("python/linsep/__init__.py", r'^__version__ = "(.+)"'), version)
        self.assertEqual(found("CITATION.cff", r"^version: (\S+)"), version)
        in_r = found("r/DESCRIPTION", r"^Version: (\S+)")
        if version == release:
            self.assertEqual(in_r, version)
        else:
            self.assertRegex(in_r, r"^\d+\.\d+\.\d+\.9000$")
            self.assertLess(numbers(in_r), numbers(release))

    def test_packages_agree(self):
        versions = {
            found("packaging/conda/recipe.yaml", r"^  version: (\d\S+)"),
            found("packaging/homebrew/linsep.rb", r'^  url ".*/v([\d.]+)\.tar\.gz"'),
            json.loads((ROOT / "packaging/vcpkg/linsep/vcpkg.json").read_text(encoding="utf-8"))["version"],
        }
        self.assertEqual(len(versions), 1, versions)
        self.assertGreaterEqual(numbers(versions.pop()), numbers(found("CMakeLists.txt", r"^project\(linsep VERSION (\S+)")))


    def test_the_promised_versions_of_files_are_those_of_the_code(self):
        promised = {}
        for line in (ROOT / "docs/reference/promises.md").read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) == 5 and (name := re.match(r"\[([a-z ]+)\]", cells[0])):
                promised[name[1]] = [int(number) for number in re.findall(r"\d+", cells[3])]
        pages = [int(found("src/data/paged/page_file.h", rf"\b{name} = (\d+)")) for name in ("kPageVersion", "kCacheVersion")]
        code = {
            "model": [1, int(found("src/model/model_bytes.cc", r"kFormatVersion = (\d+)"))],
            "certificate": [1, int(found("src/proof/data_json.h", r"kOptimalityVersion = (\d+)"))],
            "page file": pages,
            "picture document": [int(found("src/picture/json/document.cc", r'out\.field\("version", (\d+)\)'))],
            "checkpoint": [int(found("src/train/checkpoint/file.cc", r"kVersion = (\d+)"))],
        }
        self.assertEqual({name: promised.get(name) for name in code}, code)


if __name__ == "__main__":
    unittest.main()
