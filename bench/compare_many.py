"""One against the rest over 20 classes in one command, against 20 commands of two classes each.

Sparse rows (47,236 features, 80 nonzeros), margin learner, hinge, C = 1, gap 1e-3. The separate runs read files that differ in
their labels only, written before the clock starts. Both sides end with the same objectives, to the last bit. The first row is
whole commands by wall clock, the second their processor seconds, the third training alone by wall clock.
"""
import json
import resource
import time

from workshop import against, output

CLASSES = 20


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def train(shop, path):
    """Wall seconds, processor seconds, and what the run reported."""
    words = [shop.linsep, "train", path, "--learner", "margin", "--json", "--quiet", "-o", shop.data / "many.model"]
    begin, before = time.perf_counter(), processor()
    told = json.loads(output(words))
    return time.perf_counter() - begin, processor() - before, told


def label_file(path, lines, own):
    with open(path, "wb") as file:
        file.writelines((b"1 " if label == own else b"-1 ") + rest for label, rest in lines)


def compare(shop):
    rows = shop.rows or 100_000
    path = shop.generated(f"classes-{rows}.svm", "classes", "--rows", rows, "--features", 47236, "--nonzeros", 80,
                          "--classes", CLASSES)
    with open(path, "rb") as file:
        lines = [line.split(b" ", 1) for line in file]
    one = shop.data / "one-class.svm"
    together = {"wall": [], "processor": [], "training": []}
    apart = {"wall": [], "processor": [], "training": []}
    same = True
    for _ in range(shop.repeats):
        wall, used, told = train(shop, path)
        for name, value in (("wall", wall), ("processor", used), ("training", told["seconds"]["train"])):
            together[name].append(value)
        sums = dict.fromkeys(apart, 0.0)
        for part in told["parts"]:
            label_file(one, lines, part["name"].encode())
            wall, used, alone = train(shop, one)
            for name, value in (("wall", wall), ("processor", used), ("training", alone["seconds"]["train"])):
                sums[name] += value
            same = same and (alone["objective"], alone["passes"]) == (part["objective"], part["passes"])
        for name, value in sums.items():
            apart[name].append(value)
    one.unlink()
    return [against(f"{CLASSES} classes, {rows:,} rows: {name}", f"{CLASSES} runs", together[name], apart[name], same,
                    "objectives and passes of every class") for name in together]
