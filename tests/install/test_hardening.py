"""What the program, the library and the modules of engines are built with, as built and as installed (SECURITY.md).

LINSEP_BUILD: the build folder, of a release build without sanitizers.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["LINSEP_BUILD"])


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True, capture_output=True, text=True).stdout


def programs_and_libraries(folder):
    """The files that are run or loaded, not those that tests have made."""
    files = [path for pattern in ("linsep", "liblinsep*.so*") for path in sorted(folder.rglob(pattern))]
    return [path for path in files if path.is_file() and not path.is_symlink()
            and "tests" not in path.relative_to(folder).parts and path.read_bytes()[:4] == b"\x7fELF"]


class Hardening:
    """The checks of `files`."""

    def test_the_program_and_the_library_are_there(self):
        names = {path.name.split(".")[0] for path in self.files}
        self.assertIn("linsep", names)
        self.assertIn("liblinsep", names)

    def test_no_file_has_a_search_path_of_its_own(self):
        for path in self.files:
            self.assertNotRegex(readelf(path, "-d"), r"\(R(UN)?PATH\)", path)

    def test_all_symbols_are_bound_before_the_first_instruction(self):
        for path in self.files:
            self.assertRegex(readelf(path, "-d"), r"BIND_NOW|Flags:.*\bNOW\b", path)
            self.assertIn("GNU_RELRO", readelf(path, "-l"), path)

    def test_the_stack_is_not_executable(self):
        for path in self.files:
            flags = re.search(r"GNU_STACK(?:\s+0x[0-9a-f]+){5}\s+(\S+)", readelf(path, "-l")).group(1)
            self.assertNotIn("E", flags, path)

    def test_the_program_is_position_independent(self):
        program = next(path for path in self.files if path.name == "linsep")
        self.assertRegex(readelf(program, "-h"), r"Type:\s+DYN")

    def test_stacks_buffers_and_indices_are_checked(self):
        for path in self.files:
            symbols = readelf(path, "-s", "--dyn-syms")
            self.assertIn("__stack_chk_fail", symbols, path)
            if path.name in {"linsep", "liblinsep.so.0.3.0"}:
                self.assertRegex(symbols, r"__(memcpy|memmove|memset|read|pread|snprintf|vsnprintf)\w*_chk", path)
                self.assertIn("__glibcxx_assert_fail", symbols, path)

    def test_a_library_in_the_working_directory_is_not_loaded(self):
        for module in (path for path in self.files if path.name in {"liblinsep_mpi.so", "liblinsep_gloo.so"}):
            needed = re.findall(r"NEEDED.*\[(.*)\]", readelf(module, "-d"))
            with tempfile.TemporaryDirectory() as folder:
                for name in needed:
                    Path(folder, name).touch()  # loading it would be an error: "file too short"
                code = f"import ctypes; ctypes.CDLL({str(module)!r}, mode=ctypes.RTLD_GLOBAL)"
                ended = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
                self.assertEqual(ended.returncode, 0, ended.stderr)


class Built(Hardening, unittest.TestCase):
    files = programs_and_libraries(BUILD)


class Installed(Hardening, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.folder.name], check=True, capture_output=True)
        cls.files = programs_and_libraries(Path(cls.folder.name))


if __name__ == "__main__":
    unittest.main()
