#!/usr/bin/env python3
"""Checks a certificate with the checker that is proven in Coq: formal/README.md.

    formal/verify.py CHECKER proof.json [leaves.txt]

CHECKER is the program that the target `formal` builds. This file only reads: checker/read_certificate.py reads the file
strictly, takes the rows from leaves or from what the certificate carries and checks the root; then everything goes to
CHECKER as one line. Exit code 0: valid, 1: invalid, 2: the data set is needed."""
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))
import check_model
import read_certificate
from read_certificate import need

COLUMN = re.compile(r"offset|[1-9][0-9]*(\*[1-9][0-9]*)*")
PRIME = re.compile("[1-9][0-9]{0,18}")


def in_parentheses(words):
    return "(" + " ".join(words) + ")"


def column(name):
    need(COLUMN.fullmatch(name), "there is no such column")
    return name


def vector(value):
    return in_parentheses(f"({column(name)} {number})" for name, number in value.items())


def alphas(value):
    return in_parentheses(f"({entry['row']} {entry['alpha']})" for entry in value)


def columns(value):
    return in_parentheses(map(column, value))


def vectors(value):
    return in_parentheses(map(vector, value))


def by_column(value, part):
    return in_parentheses(f"({column(name)} {part(each)})" for name, each in value.items())


def span(value):
    need(PRIME.fullmatch(value["prime"]), "the span's prime is not a whole number")
    return f"({in_parentheses(map(str, value['rows']))} {value['prime']} {by_column(value['dependent'], vector)})"


def row(leaf):
    """`17 +1 1:0.5 3:-2` as `+1 (1 0.5) (3 -2)`; a salt is left out."""
    _, sign, *entries = leaf.split(" ")
    return " ".join([sign, *(f"({entry.replace(':', ' ')})" for entry in entries if entry[0] != "#")])


PARTS = {
    "levels": vectors, "left_at_zero": str, "witness": alphas, "span": span,
    "margin": {"at_least_squared": str, "at_most_squared": str, "alpha": alphas, "radius_squared": str,
               "mistake_bound": str},
    "mistakes": {"at_least": str, "witnesses": lambda value: in_parentheses(map(alphas, value)), "at_most": str,
                 "weights": vector},
    "coefficients": {"plus_infinity": lambda value: by_column(value, alphas),
                     "minus_infinity": lambda value: by_column(value, alphas), "finite": columns,
                     "undetermined": columns, "directions": vectors, "steps": vector}}


def fields(value, parts):
    for name, part in parts.items():
        if name in value:
            yield from fields(value[name], part) if isinstance(part, dict) else [f"({name} {part(value[name])})"]


def renamed(value, reader):
    """All classes jointly: columns by their numbers, instead of "2:3" and "2:offset"."""
    if isinstance(value, dict):
        return read_certificate.Fields({renamed(key, reader): renamed(part, reader) for key, part in value.items()})
    if isinstance(value, list):
        return [renamed(part, reader) for part in value]
    if not isinstance(value, str) or not read_certificate.BLOCK_COLUMN.fullmatch(value):
        return value
    reader.vector([value])  # refuses what is no column
    number, place = value.split(":")
    return str((int(number) - 1) * reader.block + (reader.block if place == "offset" else int(place)))


def questions(certificate, lines=None):
    """The lines for the checker, all of which must be valid. `certificate` is the file's text, `lines` are those of a leaves file. Raises
    ValueError, ArithmeticError or NeedsData."""
    file = read_certificate.parse(certificate)
    if file["linsep_certificate"] != 3:
        return [question_of_rows(file, lines)]
    proofs = proofs_in(file)
    if lines is None:
        raise read_certificate.NeedsData("a proof about a model is checked against its rows")
    lines = list(lines)
    return [question_of_model(proof, iter(lines)) for proof in proofs]


def proofs_in(file):
    """The proofs of a file about a model: one of two classes, or one for each class against the rest or label column."""
    if not {"classes", "labels"} & file["data"].keys():
        return [check_model.Proof(file)]
    need("parts" in file, "no rules are proven for softmax")
    parts = check_model.several().proof_of(file).parts
    need(parts, "there are no parts")
    return parts


def question_of_model(proof, lines):
    """Of one of them. Any shares will do, so those that follow from scores are computed as the script does."""
    proof.compare_head(next(lines, "0"))
    rows = proof.rows(lines)
    proof.compare_root(rows.tree, len(rows.rows), rows.last)
    shares = check_model.solve(proof, rows).shares
    file = proof.file
    said = {"l1_ratio": "0", "offset_penalty": "0", "negative_weight": "1", "positive_weight": "1"} | file["objective"]
    said.pop("class_weights", None)  # those of the rows have them already
    said |= {name: file[name] for name in ("claim", "at_most", "at_least")} | {"rows": proof.n, "features": proof.d}
    said |= {"origin": str(proof.origin).lower(), "lower_by": "0", "model": vector(file["model"])}
    if "reference" in file:
        said |= {"lower_by": file["reference"]["lower_by"], "reference": vector(file["reference"]["weights"])}
    lists = {"shares": shares, "weights": [Fraction(weight, rows.one) for weight in rows.weights]}
    lists |= logarithms(proof, rows, shares) if proof.loss is check_model.Logistic else {}
    said |= {name: in_parentheses(map(str, numbers)) for name, numbers in lists.items()}
    said["data"] = in_parentheses(in_parentheses(["+1" if side else "-1", *(
        f"({column + 1} {Fraction(value, 10**rows.digits)})" for column, value in entries)]) for side, entries in rows.rows)
    return " ".join(f"({name} {value})" for name, value in said.items() if name != "penalty")


def logarithms(proof, rows, shares):
    """What the checker is told of the logistic loss, in parts of 2^-72. It checks that these are bounds, by powers of e."""
    def losses(classifier, bound):
        one = classifier.one * 10**rows.digits
        scores = (sum(classifier.theta[column] * value for column, value in entries) for _, entries in rows.rows)
        margins = ((score + classifier.offset * 10**rows.digits) * (1 if side else -1) for score, (side, _) in zip(scores, rows.rows))
        return [bound(margin * check_model.UNIT // one) for margin in margins]

    def minus_log(share):
        return check_model.minus_log(share)[0] if share else 0

    told = {"logs": [in_parentheses([str(minus_log(share)), str(minus_log(check_model.SHARE - share))]) for share in shares],
            "losses": losses(proof.classifier, proof.loss.loss)}
    if proof.reference:
        told |= {"losses_below": losses(proof.classifier, proof.loss.loss_below), "reference_losses": losses(proof.reference, proof.loss.loss)}
    return told


def question_of_rows(file, lines):
    """Of a certificate about rows."""
    reader = read_certificate.Reader(file)
    need(bool(file["levels"]) == ("left_at_zero" in file), "left_at_zero goes with levels")
    carried = list(reader.carried_rows(None))
    file = renamed(file, reader) if reader.joint else file
    words = [f"(map {file['map']})", f"(features {reader.d})", f"(origin {str(reader.origin).lower()})",
             f"(rows {reader.n})", f"(claim {column_free(file['claim'])})", *fields(file, PARTS)]
    if lines is None:
        words.append(f"(carried {in_parentheses(f'({number} {row(leaf)})' for number, leaf in carried)})")
    else:
        words.append(f"(data {in_parentheses(f'({row(leaf)})' for _, leaf, _, _ in reader.all_rows(lines))})")
    return " ".join(words)


def column_free(claim):
    need(re.fullmatch("[a-z-]+", claim), "the claim is unknown")
    return claim


class FormalChecker:
    """The proven checker behind a pipe: `ask` returns "valid", "invalid" or "needs data", and perhaps a reason."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, certificate, lines=None):
        try:
            lines = questions(certificate, lines)
        except read_certificate.NeedsData:
            return "needs data", ""
        except (ValueError, ArithmeticError, RecursionError) as error:
            return "invalid", str(error)
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer, _, reason = self.process.stdout.readline().rstrip("\n").partition("\t")
            if answer != "valid":
                break
        return answer, reason

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def main(program, certificate, leaves=None):
    text = pathlib.Path(certificate).read_text(encoding="utf-8")
    checker = FormalChecker(program)
    answer, reason = checker.ask(text, open(leaves, encoding="ascii", newline="\n") if leaves else None)
    checker.close()
    print(answer + (f": {ascii(reason)[1:-1]}" if reason else ""))
    return {"valid": 0, "needs data": 2}.get(answer, 1)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
