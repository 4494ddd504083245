"""tools/check_layers.py refuses circles between folders of a room, modules of python/linsep and modules of web/, and system
headers outside src/os."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/check_layers.py"


class Circles(unittest.TestCase):
    def said(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", TOOL, folder], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1 if "circle" in run.stdout else 0, run.stdout + run.stderr)
        return [line for line in run.stdout.splitlines() if "circle" in line]

    def test_folders_that_include_each_other_are_refused(self):
        files = {"src/data/a/x.h": '#include "data/b/y.h"\n', "src/data/b/y.h": ""}
        self.assertEqual(self.said(files), [])
        files["src/data/b/z.cc"] = '#include "data/a/x.h"\n'
        self.assertEqual(self.said(files), ["a circle: src/data/a, src/data/b"])

    def test_a_folder_and_its_parent_are_two(self):
        files = {"src/data/x.h": '#include "data/a/y.h"\n', "src/data/a/y.h": ""}
        self.assertEqual(self.said(files), [])
        files["src/data/a/z.cc"] = '#include "data/x.h"\n'
        self.assertEqual(self.said(files), ["a circle: src/data, src/data/a"])

    def test_a_circle_may_go_by_way_of_others(self):
        files = {f"src/data/{a}/{a}.h": f'#include "data/{b}/{b}.h"\n' for a, b in ("ab", "bc", "ca")}
        self.assertEqual(self.said(files), ["a circle: src/data/a, src/data/b, src/data/c"])

    def test_tests_may_look_anywhere(self):
        files = {"src/data/a/x.h": '#include "data/b/y.h"\n', "src/data/b/y.h": "",
                 "src/data/b/y_test.cc": '#include "data/a/x.h"\n'}
        self.assertEqual(self.said(files), [])

    def test_modules_of_python_are_refused_also_from_within_functions(self):
        files = {"python/linsep/_a.py": "from ._b import f\n", "python/linsep/_b.py": "def f():\n    pass\n"}
        self.assertEqual(self.said(files), [])
        files["python/linsep/_b.py"] = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from ._a import g\n"
        self.assertEqual(self.said(files), [])
        files["python/linsep/_b.py"] = "def f():\n    from . import _a\n"
        self.assertEqual(self.said(files), ["a circle: python/linsep/_a.py, python/linsep/_b.py"])

    def test_modules_of_pages_are_refused(self):
        files = {"web/a.ts": "import {b} from './b';\n", "web/b.ts": "import type {A} from './a';\n"}
        self.assertEqual(self.said(files), [])
        files["web/b.ts"] = "import {\n  a,\n} from './a';\n"
        self.assertEqual(self.said(files), ["a circle: web/a.ts, web/b.ts"])


class System(unittest.TestCase):
    def code(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-B", TOOL, folder], capture_output=True, check=False).returncode

    def test_system_headers_stand_in_one_room(self):
        for text in ("#include <unistd.h>\n", "#include <sys/mman.h>\n", "#include <windows.h>\n", "#ifdef __linux__\n#endif\n"):
            with self.subTest(text):
                self.assertEqual(self.code("src/os/x.cc", text), 0)
                self.assertEqual(self.code("src/data/x_test.cc", text), 0)
                for place in ("src/data/x.cc", "apps/linsep/x.cc", "python/src/x.cc"):
                    self.assertEqual(self.code(place, text), 1, place)


if __name__ == "__main__":
    unittest.main()
