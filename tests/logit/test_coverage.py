"""How often 95 % intervals cover the truth, one-sided ones included, with Wald's beside them: python3 test_coverage.py --draws 2000.

Three designs: a normal column (n = 50), a rare binary one beside a normal one (n = 100, often quasi-separable), and three columns (n = 200).
Wald's interval of an infinite estimate doesn't exist; programs that print one cover everything with it, so these draws are left out of
Wald's share and counted. Not run by ctest: it takes minutes."""
import argparse
import concurrent.futures
import math
import random

from fitted import fit_rows

DESIGNS = {
    "normal, n = 50": (50, [("normal", 0.8)], -0.2),
    "rare and normal, n = 100": (100, [("rare", 1.2), ("normal", 0.5)], -0.5),
    "three columns, n = 200": (200, [("normal", 0.7), ("binary", -0.6), ("normal", 0.0)], 0.3),
}


def draw(design, seed):
    rows, columns, intercept = DESIGNS[design]
    random_ = random.Random(f"{design} {seed}")
    value = {"normal": lambda: round(random_.gauss(0, 1), 4), "binary": lambda: 1.0 * (random_.random() < 0.5),
             "rare": lambda: 1.0 * (random_.random() < 0.06)}
    while True:
        x = [[value[kind]() for kind, _ in columns] for _ in range(rows)]
        z = [intercept + sum(v * b for v, (_, b) in zip(row, columns)) for row in x]
        y = [1 * (random_.random() < 1 / (1 + math.exp(-score))) for score in z]
        if 0 < sum(y) < rows:
            return x, y, [intercept] + [b for _, b in columns]


def one(task):
    design, seed = task
    x, y, truth = draw(design, seed)
    answer = fit_rows(x, y)["coefficients"]
    found = []
    for each, b in zip(answer, truth):
        if math.isnan(each["low"]) or math.isnan(each["high"]):
            found.append((None, None, each["status"]))
            continue
        wald = None
        if each["status"] == "finite":
            wald = abs(each["estimate"] - b) <= 1.959963984540054 * each["standard_error"]
        found.append((each["low"] <= b <= each["high"], wald, each["status"]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    draws = parser.parse_args().draws
    for design, (_, columns, _) in DESIGNS.items():
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(one, [(design, seed) for seed in range(draws)]))
        for at, name in enumerate(["(intercept)"] + [kind for kind, _ in columns]):
            each = [result[at] for result in results if result[at][0] is not None]
            wald = [wald for _, wald, _ in each if wald is not None]
            infinite = sum(status != "finite" for _, _, status in each)
            print(f"{design}: {name}: profile {100 * sum(cover for cover, _, _ in each) / len(each):.1f} % of {len(each)}, "
                  f"{infinite} infinite; Wald {100 * sum(wald) / len(wald):.1f} % of {len(wald)}", flush=True)


if __name__ == "__main__":
    main()
