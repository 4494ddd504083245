"""The command line, the WebAssembly module and the R package are users of the library: they include public headers, their own files,
the words of src/report and what src/os knows of the system, nothing else of src/."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = ROOT / "apps" / "linsep"
MODULE = ROOT / "apps" / "wasm"
R = ROOT / "r" / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def main() -> int:
    faults = []
    files = [path for app in (APP, MODULE, R) for path in sorted(app.rglob("*")) if path.suffix in {".h", ".cc"}]
    for path in files:
        folder = MODULE if MODULE in path.parents else APP
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            public = name.startswith("linsep/") and (ROOT / "include" / name).is_file()
            own = (folder / name).is_file() or (name.startswith(("report/", "os/")) and (ROOT / "src" / name).is_file())
            if not public and not own:
                faults.append(f'{path.relative_to(ROOT)}: "{name}" is neither a public header nor a file of its own')
    if "/src" in (APP / "CMakeLists.txt").read_text(encoding="utf-8"):
        faults.append("apps/linsep/CMakeLists.txt names src")
    print("\n".join(faults) or f"{len(files)} files include public headers and their own only")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
