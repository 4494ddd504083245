"""From a text file to rows in memory: against LIBLINEAR's reader and a bare read of the bytes.

LIBLINEAR's whole command with -e 1000 stops at once, so its time is that of its reader. Both sides must find the same
number of rows and features.
"""
import tempfile

from workshop import against, interleaved, output, timed


def liblinear_shape(shop, path):
    with tempfile.NamedTemporaryFile() as model:
        text = output([shop.liblinear(), "-s", 3, "-e", 1000, path, model.name])
        fields = dict(line.split(None, 1) for line in open(model.name, encoding="ascii") if line.count(" ") == 1)
    del text
    return int(fields["nr_feature"])


def compare(shop):
    path = shop.sparse_set()
    shape = shop.measured("read", path, 1)
    with open(path, "rb") as file:
        lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    features = liblinear_shape(shop, path)
    agrees = shape["rows"] == lines and shape["features"] == features
    check = f"{shape['rows']} rows, {shape['features']} features (LIBLINEAR {features})"

    with tempfile.NamedTemporaryFile() as model:
        seconds = interleaved(
            shop.repeats,
            bytes=lambda: shop.measured("bytes", path)["seconds"],
            one=lambda: shop.measured("read", path, 1)["seconds"],
            two=lambda: shop.measured("read", path, 2)["seconds"],
            liblinear=lambda: timed([shop.liblinear(), "-s", 3, "-e", 1000, "-q", path, model.name]),
        )
    size = path.stat().st_size

    def row(what, peer, mine, theirs, **more):
        best = size / sorted(mine)[len(mine) // 2] / 1e9
        return against(f"{what}, {best:.2f} GB/s", peer, mine, theirs, agrees, check, bytes=size, **more)

    return [
        row("read, 1 thread", "liblinear-train -e 1000", seconds["one"], seconds["liblinear"]),
        row("read, 2 threads", "liblinear-train -e 1000", seconds["two"], seconds["liblinear"]),
        row("read, 1 thread", "bare read and byte sum", seconds["one"], seconds["bytes"]),
    ]
