"""The command line, the WebAssembly module and the R package are users of the library: they include public headers, their own files,
the words of src/report and what src/os knows of the system, nothing else of src/. CLI11, slow to compile, is included in one file."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = ROOT / "apps" / "linsep"
MODULE = ROOT / "apps" / "wasm"
R = ROOT / "r" / "src"
PARSER = APP / "options" / "command_options.cc"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def main() -> int:
    faults = []
    files = [path for app in (APP, MODULE, R) for path in sorted(app.rglob("*")) if path.suffix in {".h", ".cc"}]
    for path in files:
        folder = MODULE if MODULE in path.parents else APP
        text = path.read_text(encoding="utf-8")
        if "<CLI/" in text and path != PARSER:
            faults.append(f"{path.relative_to(ROOT)}: CLI11 belongs into {PARSER.relative_to(ROOT)} alone")
        for name in INCLUDE.findall(text):
            public = name.startswith("linsep/") and (ROOT / "include" / name).is_file()
            own = (folder / name).is_file() or (name.startswith(("report/", "os/")) and (ROOT / "src" / name).is_file())
            if not public and not own:
                faults.append(f'{path.relative_to(ROOT)}: "{name}" is neither a public header nor a file of its own')
    build = (APP / "CMakeLists.txt").read_text(encoding="utf-8")
    if "/src" in build:
        faults.append("apps/linsep/CMakeLists.txt names src")
    if "<CLI/" in build:
        faults.append("apps/linsep/CMakeLists.txt precompiles CLI11")
    print("\n".join(faults) or f"{len(files)} files include public headers and their own only")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
