#!/usr/bin/env python3
"""Writes architecture.svg: how rows flow, and the rooms. Usage: python3 docs/make_architecture.py"""
import pathlib

INK, LINE = "#1a202c", "#4a5568"
STYLE = f"""
text {{ font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }}
.h {{ font-size: 17px; font-weight: 600; fill: {INK}; }}
.t {{ font-size: 15px; font-weight: 600; fill: {INK}; }}
.s {{ font-size: 12px; fill: {LINE}; }}
.m {{ font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; fill: {INK}; }}
.a {{ stroke: {LINE}; stroke-width: 1.4; }}
"""
# x, y, width, height, fill, stroke, title, lines
PLAIN, CONTRACT, LOOP, FILE = ("#edf2f7", LINE), ("#e6fffa", "#2c7a7b"), ("#fffaf0", "#c05621"), ("#ffffff", LINE)
BOXES = [
    (24, 56, 126, 64, PLAIN, "bytes", ["file, gzip, zstd,", "standard input"]),
    (182, 56, 126, 64, PLAIN, "chunks", ["256 kB, cut after", "whole rows"]),
    (340, 56, 126, 64, PLAIN, "pages", ["parsed by any", "thread, in order"]),
    (498, 56, 150, 64, CONTRACT, "Source", ["memory, pages, files,", "order, feature map"]),
    (700, 56, 236, 64, LOOP, "train: the one loop", ["rewind · visit · synchronise ·", "end_pass · observe"]),
    (440, 164, 150, 64, CONTRACT, "Comm", ["solo, threads,", "MPI, Gloo"]),
    (634, 164, 198, 64, CONTRACT, "Pass", ["Learner: perceptron, margin", "Finder: survey, peel, scan"]),
    (850, 164, 86, 64, CONTRACT, "Observer", ["bar, log"]),
    (700, 272, 236, 56, LOOP, "Outcome", ["reason, Model, Certificate, history"]),
    (498, 272, 150, 56, FILE, "model, proof", ["files, data only"]),
    (340, 272, 126, 56, FILE, "score, verify", ["need no learner"]),
]
# x1, y1, x2, y2, both ends
ARROWS = [
    (152, 88, 179, 88, 0), (310, 88, 337, 88, 0), (468, 88, 495, 88, 0), (650, 88, 697, 88, 0),
    (748, 122, 748, 161, 1), (893, 122, 893, 161, 0), (631, 196, 593, 196, 1), (748, 230, 748, 269, 0),
    (696, 300, 651, 300, 0), (496, 300, 469, 300, 0),
]
LABELS = [(674, 80, "middle", "Batch"), (888, 146, "end", "Progress")]
LAYERS = [
    ("7", "#faf5ff", [("apps/linsep", "the command line"), ("apps/wasm", "the playground's module")]),
    ("6", "#fffaf0", [("picture", "the document that reports, plots and the playground draw")]),
    ("5", "#fffaf0", [("train", "the one loop; a spec becomes a plan and an outcome")]),
    ("4", "#f0fff4", [("learn", "perceptron, basic, least squares, margin"), ("certify", "the finder of certificates")]),
    ("3", "#fffff0", [("numeric", "shared numerics"), ("format", "text and page files"), ("generate", "data from a seed")]),
    ("2", "#e6fffa", [("model", "score"), ("data", "sources"), ("comm", "workers"), ("proof", "certificates, checker")]),
    ("1", "#ebf8ff", [("kernel", "dot, axpy by SIMD"), ("map", "feature maps, kernels"), ("exact", "exact numbers")]),
    ("0", "#edf2f7", [("include/linsep", "public headers"), ("core", "errors, options, random"), ("os", "files, threads")]),
]


def text(x, y, anchor, kind, words):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{words}</text>'


def box(x, y, width, height, colours, title, lines):
    fill, stroke = colours
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{stroke}"/>'
    yield text(x + width / 2, y + 23, "middle", "t", title)
    for k, line in enumerate(lines):
        yield text(x + width / 2, y + 40 + 15 * k, "middle", "s", line)


def arrow(x1, y1, x2, y2, both):
    start = ' marker-start="url(#b)"' if both else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="a" marker-end="url(#h)"{start}/>'


def layers(top):
    for k, (name, fill, rooms) in enumerate(LAYERS):
        y = top + 34 * k
        yield text(40, y + 20, "middle", "s", f"L{name}")
        width = (872 - 10 * (len(rooms) - 1)) / len(rooms)
        for column, (room, subject) in enumerate(rooms):
            x = 64 + column * (width + 10)
            yield f'<rect x="{x:g}" y="{y}" width="{width:g}" height="29" rx="5" fill="{fill}" stroke="#718096"/>'
            yield (f'<text x="{x + width / 2:g}" y="{y + 19}" text-anchor="middle"><tspan class="m">{room}</tspan>'
                   f'<tspan class="s" dx="9">{subject}</tspan></text>')


def drawing():
    yield ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 674" width="960" height="674" role="img" '
           'aria-label="How rows flow through linsep, and its rooms">')
    yield '<defs>'
    yield ('<marker id="h" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
           f'<path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/></marker>')
    yield ('<marker id="b" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
           f'<path d="M8 0 L0 4 L8 8 z" fill="{LINE}"/></marker>')
    yield f'</defs>\n<style>{STYLE}</style>\n<rect width="960" height="674" fill="#ffffff"/>'
    yield text(24, 32, "start", "h", "How rows flow")
    for one in BOXES:
        yield from box(*one)
    for one in ARROWS:
        yield arrow(*one)
    for one in LABELS:
        yield text(one[0], one[1], one[2], "s", one[3])
    yield '<line x1="24" y1="348" x2="936" y2="348" stroke="#cbd5e0"/>'
    yield text(24, 378, "start", "h", "Rooms and layers")
    yield text(200, 378, "start", "s",
               "an include goes downwards only; rooms of one layer don’t see each other; a checker enforces it")
    yield from layers(394)
    yield '</svg>'


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("architecture.svg").write_text("\n".join(drawing()) + "\n", encoding="utf-8")
