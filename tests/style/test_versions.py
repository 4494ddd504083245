"""The version of linsep stands in several files, which agree; the packages are those of one version, this one or the next."""

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
        version = found("CMakeLists.txt", r"^project\(linsep VERSION (\S+)")
        self.assertEqual(found("pyproject.toml", r'^version = "(.+)"'), version)
        self.assertEqual(found("CITATION.cff", r"^version: (\S+)"), version)
        self.assertEqual(found("r/DESCRIPTION", r"^Version: (\S+)"), version)

    def test_packages_agree(self):
        versions = {
            found("packaging/conda/recipe.yaml", r"^  version: (\d\S+)"),
            found("packaging/homebrew/linsep.rb", r'^  url ".*/v([\d.]+)\.tar\.gz"'),
            json.loads((ROOT / "packaging/vcpkg/linsep/vcpkg.json").read_text(encoding="utf-8"))["version"],
        }
        self.assertEqual(len(versions), 1, versions)
        self.assertGreaterEqual(numbers(versions.pop()), numbers(found("CMakeLists.txt", r"^project\(linsep VERSION (\S+)")))


if __name__ == "__main__":
    unittest.main()
