"""The port for vcpkg (packaging/vcpkg) fits the tree: its options are ones that the build knows, and its dependencies are what the build looks for.

vcpkg itself isn't run, since a port takes its sources from a release. COMPILER: the C++ compiler.
"""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = ROOT / "packaging/vcpkg/linsep"
PORTS = {  # of what CMake looks for
    "fmt": "fmt", "hwy": "highway", "FastFloat": "fast-float", "Eigen3": "eigen3", "ZLIB": "zlib", "zstd": "zstd",
    "nlohmann_json": "nlohmann-json", "XXHASH_INCLUDE_DIR": "xxhash", "BOOST_INCLUDE_DIR": "boost-multiprecision", "CLI11": "cli11"}


def needed(file):
    """The ports of what a CMakeLists.txt can't do without, besides tests, micro-benchmarks and GMP."""
    text = (ROOT / file).read_text(encoding="utf-8")
    names = re.findall(r"find_(?:package|path|library)\((\w+) [^()]*REQUIRED", text)
    return {PORTS[name] for name in names if not re.match("Threads|GTest|rapidcheck|benchmark|GMP|FLINT", name)}


class Port(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.portfile = (PORT / "portfile.cmake").read_text(encoding="utf-8")
        cls.manifest = json.loads((PORT / "vcpkg.json").read_text(encoding="utf-8"))

    def test_the_build_knows_its_options(self):
        options = re.findall(r"-D\w+=\w+", self.portfile)
        self.assertIn("-DLINSEP_EXACT=boost", options)
        feature = re.search(r"FEATURES tools (\w+)\)", self.portfile).group(1)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={os.environ['COMPILER']}",
                                   f"-D{feature}=OFF", *options], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("not used by the project", done.stderr)
            targets = subprocess.run(["cmake", "--build", folder, "--target", "help"], check=True, capture_output=True, text=True).stdout
        self.assertRegex(targets, r"(?m)^linsep_train: phony")
        self.assertNotRegex(targets, r"(?m)^linsep_(app|mpi|gloo|arrow): phony")

    def test_it_brings_what_the_build_looks_for(self):
        brought = {entry for entry in self.manifest["dependencies"] if isinstance(entry, str)}
        self.assertEqual(brought, needed("CMakeLists.txt") | needed("src/exact/CMakeLists.txt"))
        self.assertEqual(set(self.manifest["features"]["tools"]["dependencies"]), needed("apps/linsep/CMakeLists.txt"))

    def test_the_files_and_the_target_that_it_names_are_there(self):
        for file in (PORT / "usage", ROOT / "LICENSE"):
            self.assertIn(f"/{file.name}\"", self.portfile)
            self.assertTrue(file.exists(), file)
        install = (ROOT / "cmake/Install.cmake").read_text(encoding="utf-8")
        self.assertIn("${CMAKE_INSTALL_LIBDIR}/cmake/linsep", install)
        self.assertIn("CONFIG_PATH lib/cmake/linsep)", self.portfile)
        self.assertIn("EXPORT linsepTargets NAMESPACE linsep::", install)
        self.assertIn("linsep::linsep)", (PORT / "usage").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
