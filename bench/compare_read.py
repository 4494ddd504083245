"""From a text file to rows in memory: against LIBLINEAR's reader and a bare read of the bytes.

LIBLINEAR's whole command with -e 1000 stops at once, so its time is that of its reader. Both sides must find the same
number of rows and features.
"""
import statistics
import tempfile

from workshop import against, interleaved, output


def liblinear_features(shop, path):
    with tempfile.NamedTemporaryFile(mode="r") as model:
        output([shop.liblinear(), "-s", 3, "-e", 1000, "-q", path, model.name])
        for line in model:
            if line.startswith("nr_feature "):
                return int(line.split()[1])
    raise SystemExit("bench/run: LIBLINEAR's model has no nr_feature")


def compare(shop):
    path = shop.sparse_set()
    shape = shop.measured("read", path, 1)
    with open(path, "rb") as file:
        lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    features = liblinear_features(shop, path)
    agrees = shape["rows"] == lines and shape["features"] == features
    check = f"{shape['rows']} rows, {shape['features']} features (LIBLINEAR {features})"

    versions = [version for version in shop.measured("versions") if version != "scalar"] or ["scalar"]
    with tempfile.NamedTemporaryFile() as model:
        sides = {
            "bytes": lambda: shop.measured("bytes", path)["seconds"],
            "liblinear": lambda: shop.timed([shop.liblinear(), "-s", 3, "-e", 1000, "-q", path, model.name]),
            "two threads": lambda: shop.measured("read", path, 2)["seconds"],
        }
        for version in versions:
            sides[version] = lambda version=version: shop.measured("read", path, 1, version)["seconds"]
        seconds = interleaved(shop.repeats, **sides)
    size = path.stat().st_size

    def row(how, peer, theirs):
        speed = size / statistics.median(seconds[how]) / 1e9
        return against(f"read, {how}, {speed:.2f} GB/s", peer, seconds[how], seconds[theirs], agrees, check, bytes=size)

    return [row(how, "liblinear-train -e 1000", "liblinear") for how in [*versions, "two threads"]] + [
        row(versions[0], "bare read and byte sum", "bytes")]
