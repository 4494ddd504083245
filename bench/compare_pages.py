"""Passes over rows in pages on disk: against a bare read of the page file.

A perceptron's pass in the given order and a pass of the margin learner's coordinate descent in its random order, each
beside read() in pieces of 1 MB and a sum of words, interleaved. The file lies in the system's cache, so the bare read is as fast
as memory lets it be. Memory is a quarter of the text's size, but no less than 256 MB.
"""
import json

from workshop import against, output


def compare(shop):
    text = shop.sparse_set()
    pages = text.with_suffix(".lsp")
    if not pages.exists():
        output([shop.linsep, "convert", text, "-o", pages, "--quiet"])
    memory = max(text.stat().st_size // 4, 256 << 20)
    program = shop.build / "bench" / "linsep_pages"
    found = json.loads(output([program, pages, memory, max(4, shop.repeats) + 2]))
    rows = []
    for name, words in (("perceptron", "perceptron pass"), ("descent", "pass of coordinate descent")):
        # The first passes find cold pages, check them, and look at labels.
        mine, bare = found[name][2:], found["bare"][2:]
        rate = found["bytes"] / sorted(mine)[len(mine) // 2] / 1e9
        note = f"peak {found['peak'] / 1e6:.0f} MB of {memory / 1e6:.0f} MB"
        rows.append(against(f"{words}, {rate:.1f} GB/s", "bare read of the page file", mine, bare, found["peak"] < memory,
                            note, bytes=found["bytes"], peak=found["peak"], permuting=found["permuting"]))
    return rows
