"""Shown output brought up to date: lines that the real output contradicts are rewritten, all others stay.

A mark ("…" in commands, "..." in Python sessions) stands for text that is left out or varies. A line of nothing but the mark stands for
any number of lines. A mark stays if the text beside it still is what the real output has there, because then it still stands for
the same: else an update would fill documents with times, and with the rows that were left out on purpose.
"""
import collections
import re

REPLACE, DELETE, INSERT = 1, 2, 1  # what changes cost; text that a mark stands for is free


def align(shown, real, is_mark, fits, likeness):
    """The cheapest way from one list to the other: pairs of indices (i, j), None for "no such". A mark's pairs come in a row."""
    rows, columns = len(shown), len(real)
    cost = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    step = [[""] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            ways = []
            if i < rows and is_mark(shown[i]):
                ways = [(cost[i + 1][j], "end")] + ([(cost[i][j + 1], "take")] if j < columns else [])
            else:
                if i < rows and j < columns:
                    same = fits(shown[i], real[j])
                    ways.append((cost[i + 1][j + 1] + (0 if same else REPLACE + (1 - likeness(shown[i], real[j])) / 2), "pair"))
                if i < rows:
                    ways.append((cost[i + 1][j] + DELETE, "delete"))
                if j < columns:
                    ways.append((cost[i][j + 1] + INSERT, "insert"))
            if ways:
                cost[i][j], step[i][j] = min(ways, key=lambda way: way[0])
    pairs, i, j = [], 0, 0
    while i < rows or j < columns:
        way = step[i][j]
        pairs.append((None if way == "insert" else i, None if way in ("delete", "end") else j))
        i += way in ("end", "pair", "delete")
        j += way in ("take", "pair", "insert")
    return pairs


def keep_marks(pairs, shown, is_mark, holds):
    """The marks of `shown` that stay: those with kept text, or an end, on one side. `holds(i, j)`: a pair that is kept text."""
    kept = {i for i, j in pairs if i is not None and j is not None and not is_mark(shown[i]) and holds(i, j)}
    solid = [i for i in range(len(shown)) if not is_mark(shown[i]) and str(shown[i]).strip()]
    staying = set()
    for i in (i for i in range(len(shown)) if is_mark(shown[i])):
        before = [k for k in solid if k < i][-1:]
        after = [k for k in solid if k > i][:1]
        if any(not side or side[0] in kept for side in (before, after)):
            staying.add(i)
    return staying


def rebuilt(pairs, shown, real, is_mark, staying, pair):
    """The new list: marks that stay, and for each other pair what `pair(i, j)` gives."""
    new, done = [], set()
    for i, j in pairs:
        if i is not None and is_mark(shown[i]):
            if i in staying and i not in done:
                new.append(shown[i])
            elif i not in staying and j is not None:
                new.append(real[j])
            done.add(i)
        elif j is not None:
            new.append(real[j] if i is None else pair(i, j))
    return new


def tokens(text, mark):
    """Words, single digits, blanks and signs: what a line is compared by. Digits are single, so that "0.04…" becomes "0.05…"."""
    return re.findall(re.escape(mark) + r"|[^\W\d_]+|\s+|.", text)


def merged_line(shown, real, mark):
    """A line of real output with the marks of the shown line that still stand for what they did."""
    if mark not in shown:
        return real
    old, new = tokens(shown.rstrip(), mark), tokens(real.rstrip(), mark)
    same = lambda a, b: a == b  # noqa: E731
    pairs = align(old, new, lambda token: token == mark, same, same)
    staying = keep_marks(pairs, old, lambda token: token == mark, lambda i, j: old[i] == new[j])
    return "".join(rebuilt(pairs, old, new, lambda token: token == mark, staying, lambda i, j: new[j]))


def joined(real, patterns):
    """The real lines, those joined to one that a pattern stands for together."""
    real = list(real)
    for pattern in patterns:
        if any(pattern.fullmatch(line) for line in real):
            continue
        spans = ((i, k) for k in range(2, len(real) + 1) for i in range(len(real) - k + 1))
        found = next(((i, k) for i, k in spans if pattern.fullmatch("\n".join(real[i : i + k]))), None)
        if found:
            i, k = found
            real[i : i + k] = ["\n".join(real[i : i + k])]
    return real


def merged(shown, real, mark="…", spans=False):
    """The lines to show: those of `shown` that `real` still has, with their marks, and the real ones elsewhere. `spans`: a mark within
    a line may stand for line breaks too, as in doctest."""
    pattern = lambda line: ".*".join(re.escape(part) for part in line.rstrip().split(mark)) + " *"  # noqa: E731
    compiled = {line: re.compile(pattern(line), re.DOTALL if spans else 0) for line in shown}
    if spans:
        real = joined(real, [compiled[line] for line in shown if mark in line and line.strip() != mark])
    words = {line: collections.Counter(tokens(line, mark)) for line in (*shown, *real)}

    def fits(old, new):
        return compiled[old].fullmatch(new) is not None

    def likeness(old, new):
        both = (words[old] & words[new]).total()
        return 2 * both / max(words[old].total() + words[new].total(), 1)

    def is_mark(line):
        return line.strip() == mark

    pairs = align(shown, real, is_mark, fits, likeness)
    alike = 0.6  # lines that say the same with other numbers
    staying = keep_marks(pairs, shown, is_mark, lambda i, j: fits(shown[i], real[j]) or likeness(shown[i], real[j]) >= alike)
    new = rebuilt(pairs, shown, real, is_mark, staying,
                  lambda i, j: shown[i] if fits(shown[i], real[j]) else merged_line(shown[i], real[j], mark))
    return [line for part in new for line in part.split("\n")]
