"""HTML for notebooks: verdicts, witnesses and reports.

Everything is escaped, there is no script, and the tables read well without the style.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ._proof.words import (
    ESTIMATES,
    at_least,
    at_most,
    capitalized,
    counted,
    level_in_words,
    listed,
    point_in_words,
    short,
    verdict_sentence,
)
from ._shown import shown_lines

# Those of `_proof` and `_separation`, which show themselves by what is here.
Certificate = Check = SeparationReport = Any

SHOWN = 20  # rows of a table; what is left out is counted below it

# The text's own colors are kept, so that it reads on light and dark pages alike.
_STYLE = (
    ".linsep{margin:.4em 0;padding:.1em 0 .1em .9em;border-left:4px solid #888;max-width:52em;"
    "line-height:1.45}"
    ".linsep-good{border-color:#0072b2}.linsep-mind{border-color:#e69f00}.linsep-bad{border-color:#d55e00}"
    ".linsep p{margin:.35em 0}.linsep ul,.linsep ol{margin:.35em 0;padding-left:1.6em}"
    ".linsep table{border-collapse:collapse;margin:.2em 0 .7em;font-size:inherit}"
    # The class stands twice to outweigh what notebooks say of all tables.
    ".linsep.linsep th,.linsep.linsep td{text-align:left;padding:.15em 1.2em .15em .3em;vertical-align:top}"
    ".linsep thead th{border-bottom:1px solid rgba(128,128,128,.6)}"
    ".linsep.linsep .linsep-number{text-align:right;font-variant-numeric:tabular-nums}"
    ".linsep summary{cursor:pointer}.linsep code{overflow-wrap:anywhere}"
)


def _text(value: object) -> str:
    return escape(shown_lines(value), quote=True)


def _paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def _headline(word: str, text: str) -> str:
    return f"<p><strong>{_text(word)}</strong>{_text(text)}</p>"


def _table(
    caption: str, head: Sequence[str], body: Iterable[Sequence[object]], numbers: Sequence[int] = ()
) -> str:
    """Return a table of escaped cells; `numbers` are the columns that are aligned to the right."""

    def cell(tag: str, place: int, value: object) -> str:
        kind = ' class="linsep-number"' if place in numbers else ""
        return f"<{tag}{kind}>{_text(value)}</{tag}>"

    lines = list(body)
    left_out = len(lines) - SHOWN
    rows = [
        "".join(cell("td", *each) for each in enumerate(line))
        for line in lines[: SHOWN if left_out > 1 else None]
    ]
    more = _paragraph(f"… and {left_out:,} more.") if left_out > 1 else ""
    titles = "".join(cell("th", *each) for each in enumerate(head))
    inner = "".join(f"<tr>{row}</tr>" for row in rows)
    content = f"<thead><tr>{titles}</tr></thead><tbody>{inner}</tbody>"
    return f"<p><strong>{_text(caption)}</strong></p><table>{content}</table>{more}"


def _details(summary: str, *parts: str) -> str:
    return f"<details><summary>{_text(summary)}</summary>{''.join(parts)}</details>"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _page(kind: str, parts: Iterable[str]) -> str:
    body = "".join(part for part in parts if part)
    return f'<div class="linsep linsep-{kind}"><style>{_STYLE}</style>{body}</div>'


def _size(certificate: Certificate) -> str:
    size = f"{counted(certificate.rows, 'row')} × {counted(certificate.features, 'feature')}"
    classes = [str(name) for name in certificate.classes]
    told = f"classes {listed(classes)} (positive)" if len(classes) == 2 else f"{len(classes)} classes"
    if certificate.against_the_rest is not None:
        told = f"class {certificate.against_the_rest} against the other {len(classes) - 1}"
    through = " Classifiers through the origin only." if certificate.origin else ""
    mapped = f" Features mapped by {certificate.map}." if certificate.map != "none" else ""
    return f"{size}, {told}.{mapped}{through}"


def witness_html(certificate: Certificate) -> str:
    """Return the witness as a table: row, id where rows have ids, class and share."""
    table = certificate.witness
    if not len(table):
        return ""
    rival = ["rival"] if "rival" in (table.dtype.names or ()) else []
    fields = ["row", *(["id"] if any(table["id"]) else []), "class", *rival]
    body = [[*(entry[name] for name in fields), short(float(entry["share"]))] for entry in table]
    head = [{"row": "row (from 0)", "rival": "compared with"}.get(name, name) for name in fields] + ["weight"]
    rows, point = counted(len(table), "row"), certificate.common_point
    caption, note = f"Witness: {rows} whose classes have a point in common", ""
    if point is not None:
        caption += f": {point_in_words(point.tolist(), certificate.column_names)}"
        note = (
            "That point is a weighted average of these rows from each class, so every boundary touches or misclassifies "
        )
        note += "one of them."
    elif rival:
        caption = f"Witness: {counted(len(table), 'comparison')} of a row's own class with another"
        note = "For every classifier, the leads of the own class in these comparisons, weighted like this, add up to 0."
    elif certificate.origin:
        caption = f"Witness: {rows} that can't be separated from one another"
        note = "Weighted like this, the rows of both classes have the same sum."
    return _table(caption, head, body, [0, len(head) - 1]) + (_paragraph(note) if note else "")


def levels_html(certificate: Certificate) -> str:
    """Return the separator as a formula, or the levels in order of importance."""
    if certificate.jointly:
        weights = [(name, str(value)) for level in certificate.levels[:1] for name, value in level.items()]
        return _table("Weights of the scores", ["column", "weight"], weights, [1]) if weights else ""
    formulas = [level_in_words(level, certificate.offset_name) for level in certificate.levels]
    some = counted(certificate.rows - certificate.left_at_zero, "row")
    told = f"{some} separated by" if certificate.left_at_zero else "Separated by"
    if len(formulas) <= 1:
        return "".join(f"<p>{told} {_code(f'z = {formula}')}.</p>" for formula in formulas)
    items = "".join(f"<li>{_code(f'z = {formula}')}</li>" for formula in formulas[:SHOWN])
    more = _paragraph(f"… and {len(formulas) - SHOWN:,} more.") if len(formulas) > SHOWN else ""
    return f"<p>{told} the first of these that isn't 0 on a row:</p><ol>{items}</ol>{more}"


def estimates_html(estimates: dict[str, str]) -> str:
    """Return what a logistic regression would do to each coefficient, infinite ones first."""
    order = list(ESTIMATES)
    body = sorted(estimates.items(), key=lambda item: order.index(item[1]))
    if not body:
        return ""
    lines = [(name, ESTIMATES[word]) for name, word in body]
    return _table(
        "Coefficients of a logistic regression without a penalty", ["coefficient", "estimate"], lines
    )


def _bounds_html(certificate: Certificate) -> str:
    lines = []
    if certificate.margin is not None:
        lines.append(f"Geometric margin {at_least(certificate.margin)}.")
    if certificate.margin_at_most is not None:
        lines.append(
            f"No separator's margin is above {at_most(certificate.margin_at_most).removeprefix('at most ')}."
        )
    if certificate.radius is not None:
        lines.append(f"Norm of a row {at_most(certificate.radius)}.")
    if certificate.mistake_bound is not None:
        lines.append(f"A perceptron from 0 makes at most {counted(certificate.mistake_bound, 'mistake')}.")
    bounds = certificate.mistake_bounds
    if bounds is not None:
        most = "" if bounds.at_most is None else f", and one that was found makes {bounds.at_most:,}"
        lines.append(f"{capitalized(certificate._core.least_words(bounds.at_least))}{most}.")
    return _paragraph(" ".join(lines)) if lines else ""


def check_how(certificate: Certificate, called: str) -> str:
    """Return how the proof, `called` so in Python, can be checked; folded away."""
    check, save = f"{called}.verify({'X, y' * certificate.without_rows})", f"{called}.save('proof.json')"
    command = _code("linsep verify proof.json DATA")
    steps = [
        f"<p>Here: {_code(check)}. For others: {_code(save)}; they check the file by "
        f"{_code('linsep.verify')}, by {command}, or without linsep by checker/verify_certificate.py.</p>"
    ]
    if certificate.sealed:
        steps.append(f"<p>It holds for any rows with the root {_code(certificate.root)}.</p>")
    else:
        steps.append(_paragraph("It isn't sealed with a digest of the rows yet: saving does that."))
    return _details("How to check it", *steps)


def certificate_html(certificate: Certificate) -> str:
    """Return the verdict in words, what proves it, and how to check it."""
    kind = {"separable": "good", "quasi-separable": "mind", "overlapping": "bad"}.get(
        certificate.verdict, "open"
    )
    parts = [
        _headline(certificate.verdict.capitalize(), f": {verdict_sentence(certificate)}"),
        _paragraph(_size(certificate)),
        levels_html(certificate),
        _bounds_html(certificate),
        estimates_html(certificate.estimates),
        witness_html(certificate),
        check_how(certificate, "certificate"),
    ]
    return _page(kind, parts)


def report_html(report: SeparationReport) -> str:
    """Return what separation does to a regression: coefficients, rows, advice; the proof folded away."""
    kind = {"none": "good", "undecided": "open", "complete": "bad"}.get(report.verdict, "mind")
    advice = "".join(f"<li>{_text(sentence)}</li>" for sentence in report.advice)
    separated = report.separated_rows.tolist()
    rows = ""
    if 0 < len(separated) < report.rows:
        numbering = "by the index" if report._design is not None and report._design.indexed else "from 0"
        told = f"The {counted(len(separated), 'row')} that can be separated ({numbering})"
        rows = _details(told, _paragraph(listed(separated, limit=200)))
    parts = [
        _headline(report.title, f" {report.summary}"),
        _paragraph(" ".join(report.causes)) if report.causes else "",
        estimates_html(report.estimates),
        f"<p><strong>What to do</strong></p><ul>{advice}</ul>",
        rows,
        _details("The proof", levels_html(report.certificate), witness_html(report.certificate)),
        check_how(report.certificate, "report.certificate"),
    ]
    return _page(kind, parts)


def check_html(check: Check) -> str:
    """Return what a checker found."""
    word = "Valid" if check.valid else ("Not proven yet" if check.needs_data else "Not valid")
    proven, about = (
        "".join(f"<li>{_text(sentence)}</li>" for sentence in each) for each in (check.proven, check.about)
    )
    parts = [
        _headline(word, f": {check.reason}."),
        f"<p>Checked exactly:</p><ul>{proven}</ul>" if proven else "",
        f"<p>What it is about:</p><ul>{about}</ul>" if about else "",
    ]
    return _page("good" if check.valid else "open" if check.needs_data else "bad", parts)


def rows_html(rows: Any) -> str:
    """Return what rows hold: size, classes and names."""
    if rows.rows < 0:
        return _page("open", [_headline("Rows", " that haven't been read yet.")])
    size = f"{counted(rows.rows, 'row')} × {counted(rows.features, 'feature')}"
    stored = f", {counted(rows.nonzeros, 'value')} stored" if rows.nonzeros >= 0 else ""
    names, classes = list(rows.feature_names), list(rows.classes)
    parts = [
        _headline("Rows", f": {size}{stored}{', with weights' if rows.weighted else ''}."),
        _paragraph(f"Classes: {listed(classes)}.") if classes else "",
        _paragraph(f"Features: {listed(names)}.") if names else "",
        f"<pre>{_text(rows.account)}</pre>" if rows.account else "",
    ]
    return _page("open", parts)
