#!/usr/bin/env python3
"""Writes what a build contains as a CycloneDX 1.6 SBOM, from its build folder and the packages it was compiled from.

  tools/make_sbom.py BUILD [-o FILE]             of the program
  tools/make_sbom.py BUILD --wheel [-o FILE]     of the Python module
  tools/make_sbom.py BUILD --into WHEEL          puts the latter into a wheel, as .dist-info/sboms/linsep.cdx.json (PEP 770),
                                                 and the licences of its parts beside linsep's own

Only what is inside the files counts: libraries that the system brings at run time are dependencies of the package, not parts.
Versions are those of the headers and sources that were compiled. The same build gives the same bytes: the serial number is a hash
of the contents, and the time is SOURCE_DATE_EPOCH or left out.
"""

import argparse
import base64
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = "https://github.com/linsep/linsep"

# What can be compiled in: source package of Debian, package whose headers are used, licence (SPDX), and the builds that have it.
HEADERS, SOURCES, BOOST, APP = "headers", "sources", "boost", "app"
DEBIAN = [
    ("fmtlib", "fmtlib", "MIT", SOURCES),
    ("nlohmann-json3", "nlohmann-json3-dev", "MIT", HEADERS),
    ("fast-float", "libfast-float-dev", "Apache-2.0 OR MIT", HEADERS),
    ("eigen3", "libeigen3-dev", "MPL-2.0", HEADERS),
    ("xxhash", "libxxhash-dev", "BSD-2-Clause", HEADERS),
    ("cli11", "libcli11-dev", "BSD-3-Clause", APP),
    ("boost1.74", "libboost1.74-dev", "BSL-1.0", BOOST),
    ("highway", "highway", "Apache-2.0 OR BSD-3-Clause", SOURCES),
    ("zlib", "zlib", "Zlib", SOURCES),
    ("libzstd", "libzstd", "BSD-3-Clause OR GPL-2.0-only", SOURCES),
]


def cache(build):
    """The settings of a build folder."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w-]+):[A-Z]+=(.*)$", text, re.MULTILINE))


def component(name, version, licence, purl):
    kind = {"expression": licence} if " " in licence else {"license": {"id": licence}}
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": [kind], "purl": purl}


def debian_version(package, sources):
    """The version of a package: of its unpacked sources if they are there, otherwise of the installed one."""
    changelog = Path(sources or "/nowhere") / package / "debian/changelog"
    if changelog.is_file():
        return re.match(r"\S+ \(([^)]+)\)", changelog.read_text(encoding="utf-8")).group(1)
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"make_sbom: the version of {package} isn't known: it isn't installed as a Debian package")
    return done.stdout


def compiled_in(settings):
    """Those of DEBIAN that a build has."""
    has = {HEADERS: True, SOURCES: bool(settings.get("LINSEP_SOURCES")), BOOST: settings.get("LINSEP_EXACT") == "boost",
           APP: settings.get("LINSEP_APP") == "ON"}
    return [(name, package, licence) for name, package, licence, where in DEBIAN if has[where]]


def debian(settings):
    for name, package, licence in compiled_in(settings):
        version = debian_version(package, settings.get("LINSEP_SOURCES"))
        yield component(name, version, licence, f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B')}?arch=source")


def runtime(settings):
    """What zig links in: the C++ library, and the C library of a static program."""
    zig = settings.get("LINSEP_ZIG")
    if not zig:
        return
    library = Path(zig).parent / "lib"
    target = settings["LINSEP_TARGET"]
    found = lambda path, what: re.search(what, (library / path).read_text(encoding="utf-8")).groups()
    number = int(found("libcxx/include/__config", r"define _LIBCPP_VERSION (\d+)")[0])
    llvm = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    for name in ("libcxx", "libcxxabi", "libunwind"):
        yield component(name, llvm, "Apache-2.0 WITH LLVM-exception", f"pkg:generic/{name}@{llvm}")
    if target.endswith("musl"):
        musl = found("libc/musl/src/internal/version.h", r'VERSION "([^"]+)"')[0]
        yield component("musl", musl, "MIT", f"pkg:generic/musl@{musl}")
    elif "windows" in target:
        mingw = ".".join(found("libc/include/any-windows-any/_mingw_mac.h", r"(?s)MAJOR (\d+)\b.*?MINOR (\d+)\b.*?BUGFIX (\d+)\b"))
        yield component("mingw-w64", mingw, "ZPL-2.1", f"pkg:generic/mingw-w64@{mingw}")


def gloo(settings):
    """Gloo, from the sources that tools/setup --portable takes out of Horovod's: only wheels for Linux have it."""
    if settings.get("LINSEP_PYTHON") == "ON" and "linux" in settings.get("LINSEP_TARGET", ""):
        text = (Path(settings["LINSEP_SOURCES"]) / "gloo/CMakeLists.txt").read_text(encoding="utf-8")
        version = ".".join(re.findall(r"GLOO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))
        yield component("gloo", version, "BSD-3-Clause", f"pkg:generic/gloo@{version}")


def page(build):
    """The scripts of the report's page: licences.txt beside the bundle names them. Without charts there are none."""
    folder = build / "src/picture/bundle"
    if not (folder / "bundle.cc").is_file():
        sys.exit(f"make_sbom: {build} isn't built yet")
    if (folder / "licences.txt").is_file():
        text = (folder / "licences.txt").read_text(encoding="utf-8")
        for name, version, licence in re.findall(r'(?:^|, )([@\w./-]+) (\d[\w.-]*) \(([^()"]+)\)', text, re.MULTILINE):
            yield component(name, version, licence, f"pkg:npm/{name.replace('@', '%40')}@{version}")


def python_parts():
    version = re.search(r'"nanobind==([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8")).group(1)
    yield component("nanobind", version, "BSD-3-Clause", f"pkg:pypi/nanobind@{version}")


def notices(build):
    """The licences of a wheel's parts, which have to go with it: as Debian, nanobind and the packages of the report's page state them."""
    settings = cache(build)
    sources = Path(settings.get("LINSEP_SOURCES") or "/nowhere")
    packages = [package for _, package, _ in compiled_in(settings)] + (["libgloo-dev"] if [*gloo(settings)] else [])
    files = {package: [sources / package / "debian/copyright", Path("/usr/share/doc") / package / "copyright"] for package in packages}
    files["nanobind"] = [*Path(settings["nanobind_DIR"]).parents[1].glob("nanobind-*.dist-info/**/LICENSE")]
    if [*page(build)]:
        files["the report's page"] = [build / "src/picture/bundle/licences.txt"]
    parts = []
    for name, places in files.items():
        place = next((place for place in places if place.is_file()), None)
        if place is None:
            sys.exit(f"make_sbom: the licence of {name} isn't in {' or '.join(map(str, places)) or 'its package'}")
        parts.append(f"=== {name}\n\n{place.read_text(encoding='utf-8')}")
    return "\n".join(parts)


def sbom(build, wheel):
    settings = cache(build)
    version = settings["CMAKE_PROJECT_VERSION"]
    parts = [*debian(settings), *runtime(settings), *gloo(settings), *page(build), *(python_parts() if wheel else ())]
    parts = sorted({part["bom-ref"]: part for part in parts}.values(), key=lambda part: part["bom-ref"])
    purl = f"pkg:pypi/linsep@{version}" if wheel else f"pkg:github/linsep/linsep@v{version}"
    main = component("linsep", version, "Apache-2.0", purl)
    main["type"] = "library" if wheel else "application"
    main["externalReferences"] = [{"type": "vcs", "url": REPOSITORY}]
    if settings.get("LINSEP_TARGET"):
        main["properties"] = [{"name": "linsep:target", "value": settings["LINSEP_TARGET"]}]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main},
        "components": parts,
        "dependencies": [{"ref": purl, "dependsOn": [part["bom-ref"] for part in parts]}, *({"ref": part["bom-ref"]} for part in parts)],
    }
    if "SOURCE_DATE_EPOCH" in os.environ:
        time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        document["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))}"
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def put_into(wheel, files):
    """Adds files (name in .dist-info -> text) to a wheel and to its RECORD. Everything else stays as it is."""
    with zipfile.ZipFile(wheel) as old:
        entries = [(info, old.read(info)) for info in old.infolist()]
    record = next(info.filename for info, _ in entries if info.filename.endswith(".dist-info/RECORD"))
    files = {record.removesuffix("RECORD") + name: text.encode() for name, text in files.items()}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for info, content in entries:
            if info.filename in files:
                continue
            if info.filename == record:
                lines = [line for line in content.decode().splitlines() if line.split(",")[0] not in files]
                for name, data in files.items():
                    added = zipfile.ZipInfo(name, info.date_time)
                    added.external_attr, added.compress_type = info.external_attr, info.compress_type
                    new.writestr(added, data)
                    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    lines.insert(-1, f"{name},sha256={digest},{len(data)}")
                content = "".join(f"{line}\n" for line in lines).encode()
            new.writestr(info, content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--wheel", action="store_true")
    parser.add_argument("--into", type=Path, metavar="WHEEL")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    text = sbom(given.build, given.wheel or given.into is not None)
    if given.into:
        put_into(given.into, {"sboms/linsep.cdx.json": text, "licenses/THIRD-PARTY.txt": notices(given.build)})
    elif given.output:
        given.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
