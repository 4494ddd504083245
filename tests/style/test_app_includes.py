"""The command line is a user of the library: it includes public headers and its own files, nothing of src/."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = ROOT / "apps" / "linsep"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def main() -> int:
    faults = []
    files = [path for path in sorted(APP.rglob("*")) if path.suffix in {".h", ".cc"}]
    for path in files:
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            public = name.startswith("linsep/") and (ROOT / "include" / name).is_file()
            if not public and not (APP / name).is_file():
                faults.append(f'{path.relative_to(ROOT)}: "{name}" is neither a public header nor a file of apps/linsep')
    if "/src" in (APP / "CMakeLists.txt").read_text(encoding="utf-8"):
        faults.append("apps/linsep/CMakeLists.txt names src")
    print("\n".join(faults) or f"{len(files)} files include public headers and their own only")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
