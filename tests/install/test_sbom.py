"""What tools/make_sbom.py writes: valid CycloneDX, the same bytes each time, and in a wheel where PEP 770 wants it.

LINSEP_BUILD: the build folder. The schema is checked if cyclonedx-python-lib is installed (tests/requirements.txt).
"""

import base64
import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

BUILD = os.environ["LINSEP_BUILD"]
TOOL = Path(__file__).resolve().parents[2] / "tools/make_sbom.py"
NAME = "linsep-0.dist-info/sboms/linsep.cdx.json"
LICENCES = "linsep-0.dist-info/licenses/THIRD-PARTY.txt"

try:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
except ImportError:
    JsonStrictValidator = None


def made(*arguments, epoch="1700000000"):
    return subprocess.run([sys.executable, TOOL, BUILD, *arguments], check=True, capture_output=True, text=True,
                          env=dict(os.environ, SOURCE_DATE_EPOCH=epoch)).stdout


class Sbom(unittest.TestCase):
    def test_it_names_the_libraries_compiled_in(self):
        parts = {part["name"] for part in json.loads(made())["components"]}
        self.assertLessEqual({"eigen3", "fast-float", "nlohmann-json3", "xxhash", "cli11"}, parts)
        self.assertNotIn("nanobind", parts)
        self.assertIn("nanobind", {part["name"] for part in json.loads(made("--wheel"))["components"]})

    def test_every_part_has_a_version_a_licence_and_an_address(self):
        for part in json.loads(made("--wheel"))["components"]:
            self.assertTrue(part["version"] and part["licenses"] and part["purl"].startswith("pkg:"), part)
            self.assertRegex(part["name"], "^[a-z0-9@./-]+$")  # not a word of a licence's text

    def test_the_same_build_gives_the_same_bytes(self):
        self.assertEqual(made(), made())
        first, second = json.loads(made()), json.loads(made(epoch="1700000001"))
        self.assertNotEqual(first["serialNumber"], second["serialNumber"])
        self.assertEqual(first["components"], second["components"])

    @unittest.skipIf(JsonStrictValidator is None, "cyclonedx-python-lib isn't installed")
    def test_it_is_valid(self):
        for text in (made(), made("--wheel")):
            self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_6).validate_str(text))

    def test_a_wheel_has_it_and_records_it(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder, "linsep-0-py3-none-any.whl")
            with zipfile.ZipFile(wheel, "w") as new:
                new.writestr("linsep/__init__.py", "")
                new.writestr("linsep-0.dist-info/RECORD", "linsep/__init__.py,,\nlinsep-0.dist-info/RECORD,,\n")
            made("--into", wheel)
            once = wheel.read_bytes()
            made("--into", wheel)
            self.assertEqual(wheel.read_bytes(), once)
            with zipfile.ZipFile(wheel) as files:
                contents = {name: files.read(name) for name in (NAME, LICENCES)}
                rows = list(csv.reader(io.StringIO(files.read("linsep-0.dist-info/RECORD").decode())))
            sha256 = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() for name, data in contents.items()}
            self.assertEqual(rows[-3:-1], [[name, f"sha256={sha256[name]}", str(len(data))] for name, data in contents.items()])
            self.assertEqual(rows[-1], ["linsep-0.dist-info/RECORD", "", ""])
            self.assertEqual(contents[NAME].decode(), made("--wheel"))
            for name in ("Eigen", "nlohmann", "Wenzel Jakob"):
                self.assertIn(name, contents[LICENCES].decode())


if __name__ == "__main__":
    unittest.main()
