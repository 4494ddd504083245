#!/usr/bin/env python3
"""Draws docs/comparison.svg from the program's own answers: docs/make_comparison.py build/release/linsep"""
import json
import pathlib
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, EDGE, LEGEND = 760, 440, 14, 454
LEARNERS = [("perceptron", "#2b6cb0", ""), ("basic", "#dd6b20", "9 5"), ("least-squares", "#2f855a", "3 4")]


def run(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def read_points(text):
    points = []
    for line in text.splitlines():
        label, *entries = line.split()
        values = dict(entry.split(":") for entry in entries)
        points.append((float(values.get("1", 0)), float(values.get("2", 0)), float(label) > 0))
    return points


def crossing(theta, offset, box):
    """The two points where θ·x + θ0 = 0 meets the edge of the box."""
    (x0, x1), (y0, y1) = box
    found = []
    if theta[1] != 0:
        found += [(x, -(offset + theta[0] * x) / theta[1]) for x in (x0, x1)]
    if theta[0] != 0:
        found += [(-(offset + theta[1] * y) / theta[0], y) for y in (y0, y1)]
    slack = 1e-9 * (x1 - x0 + y1 - y0)
    inside = [p for p in found if x0 - slack <= p[0] <= x1 + slack and y0 - slack <= p[1] <= y1 + slack]
    return inside[:2]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        rows = f"{folder}/rows.svm"
        run(program, "generate", "comparison", "-o", rows)
        points = read_points(pathlib.Path(rows).read_text())
        answers = [json.loads(run(program, "train", rows, "--learner", name, "--json")) for name, _, _ in LEARNERS]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    box = [(min(v) - 0.05 * (max(v) - min(v)), max(v) + 0.05 * (max(v) - min(v))) for v in (xs, ys)]

    def place(x, y):
        (x0, x1), (y0, y1) = box
        return (EDGE + (x - x0) / (x1 - x0) * (WIDTH - 2 * EDGE), HEIGHT - EDGE - (y - y0) / (y1 - y0) * (HEIGHT - 2 * EDGE))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'role="img" aria-label="Points of two classes and the boundaries of three classifiers">',
           '<style>text{font:14px system-ui,"Segoe UI","DejaVu Sans",sans-serif;fill:#1a202c}</style>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<rect x="{EDGE}" y="{EDGE}" width="{WIDTH - 2 * EDGE}" height="{HEIGHT - 2 * EDGE}" fill="none" stroke="#cbd5e0"/>']
    for x, y, positive in points:
        px, py = place(x, y)
        shape = f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="none" stroke="#718096" stroke-width="1.5"/>'
        if positive:
            shape = f'<path d="M{px - 4:.1f} {py:.1f}h8M{px:.1f} {py - 4:.1f}v8" stroke="#1a202c" stroke-width="1.6"/>'
        out.append(shape)
    for (name, colour, dash), answer in zip(LEARNERS, answers):
        ends = crossing(answer["theta"], answer["offset"], box)
        (ax, ay), (bx, by) = (place(*end) for end in ends)
        out.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{colour}" stroke-width="2.2" '
                   f'stroke-dasharray="{dash}"/>')
    out.append(f'<rect x="{LEGEND}" y="{EDGE + 12}" width="280" height="76" rx="5" fill="#fff" stroke="#cbd5e0"/>')
    for i, ((name, colour, dash), answer) in enumerate(zip(LEARNERS, answers)):
        y = EDGE + 33 + 22 * i
        wrong = round(answer["training_error"] * answer["rows"])
        out.append(f'<line x1="{LEGEND + 12}" y1="{y - 5}" x2="{LEGEND + 52}" y2="{y - 5}" stroke="{colour}" stroke-width="2.2" '
                   f'stroke-dasharray="{dash}"/><text x="{LEGEND + 62}" y="{y}">{name}: {wrong} of {answer["rows"]} wrong</text>')
    out.append("</svg>")
    target = pathlib.Path(__file__).with_name("comparison.svg")
    target.write_text("\n".join(out) + "\n", encoding="utf-8")
    print(f"{target} drawn")


if __name__ == "__main__":
    main()
