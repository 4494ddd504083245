"""Certify where columns are many: seconds, peak memory and the size of the proof; each proof is checked.

    bench/many_columns.py [--linsep build/release/linsep] [--folder build/bench-data] [NAME …]

Sets: Zipf columns, 50,000 × 10,000 with 5 % of the labels flipped, values of six decimals or 0 and 1, by entries per row; and, where
LINSEP_DATA names the folder that has them, pcmac with 20 flipped labels, a9a and w8a with 50 products of two columns each.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import time


def zipf(linsep, path, nonzeros, ones):
    subprocess.run([linsep, "generate", "sparse", "--rows", "50000", "--features", "10000", "--nonzeros", str(nonzeros),
                    "-o", path], check=True)
    if ones:
        path.write_text(re.sub(r":\S+", ":1", path.read_text()))


def flipped(source, path, count):
    rows = source.read_text().splitlines()
    for i in random.Random(1).sample(range(len(rows)), count):
        label, _, rest = rows[i].partition(" ")
        rows[i] = ("1 " if label.startswith("-") else "-1 ") + rest
    path.write_text("\n".join(rows) + "\n")


def with_products(source, path, count):
    rows = [line.split() for line in source.read_text().splitlines()]
    width = max(int(entry.split(":")[0]) for row in rows for entry in row[1:])
    draw, pairs = random.Random(1), set()
    while len(pairs) < count:
        pairs.add(tuple(sorted(draw.sample(range(1, width + 1), 2))))
    for row in rows:
        value = dict(entry.split(":") for entry in row[1:])
        row += [f"{width + 1 + n}:{float(value[str(a)]) * float(value[str(b)]):g}"
                for n, (a, b) in enumerate(sorted(pairs)) if str(a) in value and str(b) in value]
    path.write_text("".join(" ".join(row) + "\n" for row in rows))


def measured(command):
    """Output, seconds, and this command's peak memory in MB where it is the greatest so far."""
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout, time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linsep", default="build/release/linsep", type=pathlib.Path)
    parser.add_argument("--folder", default="build/bench-data", type=pathlib.Path)
    parser.add_argument("--time", default="1200", help="seconds for each set")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    data = pathlib.Path(os.environ.get("LINSEP_DATA", "/nonexistent"))
    sets = {
        "pcmac-flipped": lambda path: flipped(data / "pcmac.svm", path, 20),
        "a9a-products": lambda path: with_products(data / "a9a.svm", path, 50),
        "w8a-products": lambda path: with_products(data / "w8a.svm", path, 50),
        "zipf-5": lambda path: zipf(options.linsep, path, 5, False),
        "zipf-10": lambda path: zipf(options.linsep, path, 10, False),
        "zipf-20-ones": lambda path: zipf(options.linsep, path, 20, True),
        "zipf-82": lambda path: zipf(options.linsep, path, 82, False),
    }
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or sets:
        path, proof = options.folder / f"{name}.svm", options.folder / f"{name}.json"
        if not path.exists():
            try:
                sets[name](path)
            except FileNotFoundError:
                print(f"{name}: LINSEP_DATA doesn't have it")
                continue
        text, seconds, memory = measured([options.linsep, "certify", path, "-o", proof, "--json", "--time", options.time])
        answer = json.loads(text)
        checked, check_seconds, _ = measured([options.linsep, "verify", proof, path, "--json"])
        print(f"{name}: {answer['verdict']}, {seconds:.1f} s, at most {memory:.0f} MB, witness of {len(answer['witness'] or [])} rows, "
              f"proof {proof.stat().st_size / 1e6:.1f} MB, valid {json.loads(checked)['valid']} in {check_seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
