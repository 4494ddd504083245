#!/usr/bin/env python3
"""Encodes the rows of a table as linsep does, independently of it, by the rules of docs/howto/tables.md.

    encode_rows.py mail.model mail.csv > mail.svm                      as `linsep encode mail.csv -m mail.model`
    encode_rows.py --leaves proof.json mail.csv | verify_certificate.py proof.json - --as-encoded

The first file is a model (as JSON), a certificate or a table's map by itself. Writes svmlight rows: a number that is taken
as it is as the decimal written there, every other value as the double that it is, with all digits. Standard library
only; its tokeniser asks Python's `unicodedata`. Exit code 3: the files can't be read.
"""
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # this folder, where a bundle may have a json.py of its own
import argparse
import json
import math
import os
import re
import types
import unicodedata
from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache

for name in ("read_rows", "xxh3"):  # from their sources here, never a compiled copy
    if name not in sys.modules:
        module = sys.modules[name] = types.ModuleType(name)
        module.__file__ = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        with open(module.__file__, "rb") as file:
            exec(compile(file.read(), module.__file__, "exec"), vars(module))
import read_rows
from read_rows import NUMBER, Refused, need
from xxh3 import xxh3

RULES = 1
UNICODE = "14.0.0"  # of linsep's words
HOLES = {b"na", b"n/a", b"nan", b"null", b"none", b"?", b"-"}
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-](\d\d):(\d\d))?)?", re.ASCII)
FORMAT = {"Y": r"(?P<Y>\d{4})", "y": r"(?P<y>\d\d)", "m": r"(?P<m>\d\d?)", "d": r"(?P<d>\d\d?)", "H": r"(?P<H>\d\d?)",
          "M": r"(?P<M>\d\d?)", "S": r"(?P<S>\d\d?)", "b": "(?P<b>(?i:" + "|".join(MONTHS) + "))"}


def pair_key(first, second):
    return xxh3(first.to_bytes(8, "little") + second.to_bytes(8, "little"))


# Words and terms.

# Scripts without blanks between words, by code point: each sign is a word (docs/reference/formats/model.md, "Text").
NO_BLANKS = re.compile("[\u0e00-\u0eff"  # Thai, Lao
                       "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
                       "\u1780-\u17ff"  # Khmer
                       "\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f"  # Kana
                       "\u3005-\u3007\u3021-\u3029\u3038-\u303c\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
                       "\U00016fe2-\U00016fe3\U00016ff0-\U00016ff1\U00020000-\U0003ffff]")


@cache
def within_words(character):
    """A letter, mark or digit in lower case, with a blank on both sides if it is a word; a blank in place of anything else."""
    if unicodedata.category(character)[0] not in "LMN" and character != "_":
        return " "
    return f" {character} " if NO_BLANKS.match(character) else character.lower()[0]  # İ becomes i and a dot: its simple mapping is i


def words_of(text):
    """The words of some bytes."""
    return "".join(map(within_words, text.decode("utf-8", "replace"))).split()


def terms_of(text, words, chars):
    """All n-grams of a text; of words as tuples, of characters as strings."""
    found = words_of(text)
    if words:
        return [tuple(found[at:at + n]) for n in range(words[0], words[1] + 1) for at in range(len(found) - n + 1)]
    padded = [f" {word} " for word in found]
    return [word[at:at + n] for n in range(chars[0], chars[1] + 1) for word in padded for at in range(len(word) - n + 1)]


def term_key(term):
    if isinstance(term, str):
        return xxh3(term.encode())
    key = xxh3(term[0].encode())
    for word in term[1:]:
        key = pair_key(key, xxh3(word.encode()))
    return key


# Numbers and dates.

def number_pattern(form):
    """What matches numbers that are written as `form` writes 1234.5: 1,234.5 or 12,50€."""
    before, digits, after = re.fullmatch(r"([^\d]*)(1.*5)([^\d]*)", form).groups()
    between, decimal = digits[1:-5], re.escape(digits[-2])
    blank = "[ \u00a0\u202f\u2009]"
    sign = f"(?:([+-]?){re.escape(before)}{blank}?|{re.escape(before)}{blank}?([+-]))" if before else "([+-]?)()"
    group = (blank if between == " " else re.escape(between)) + r"\d{3}"
    grouped = rf"[1-9]\d{{0,2}}(?:{group})+(?:{decimal}\d*)?" if between else "(?!)"
    exponent = "" if before or after else r"(?:[eE][+-]?\d+)?"
    end = f"{blank}?{re.escape(after)}" if after else ""
    return re.compile(rf"{sign}({grouped}|\d*(?:{decimal}\d*)?{exponent}){end}", re.ASCII), digits[-2]


BOOLEANS = {b"true": b"1", b"True": b"1", b"TRUE": b"1", b"false": b"0", b"False": b"0", b"FALSE": b"0"}


def written_by(form):
    """How a column with this format writes numbers, as `number_of` takes it."""
    return BOOLEANS if form == "true/false" else number_pattern(form)


def plain_number(field, pattern, decimal):
    """The number as a plain decimal with a point."""
    found = pattern.fullmatch(field.decode("utf-8", "replace"))
    need(found, f"{field[:40]} is not written as the other numbers of its column")
    digits = re.sub(rf"[^\deE+\-{re.escape(decimal)}]", "", found[3]).replace(decimal, ".")
    return ((found[1] or found[2] or "") + digits).encode()


def number_of(field, table, written=None):
    """(double, decimal as written); None for a hole. `written`: BOOLEANS, or the pattern and decimal sign of a column of its own."""
    field = field.strip(b" \t")
    if not field or field.lower() in HOLES or field in table.missing_words:
        return None
    if written is BOOLEANS:
        field = BOOLEANS.get(field, field)
    elif written:
        field = plain_number(field, *written)
    elif table.decimal == b",":
        need(b"." not in field, f"{field[:40]} is not a number")
        field = field.replace(b",", b".")
    need(NUMBER.fullmatch(field) and not math.isinf(float(field)), f"{field[:40]} is not a number")
    return float(field), field


def seconds_of(field, form):
    """Since 1970-01-01 00:00; None where the field is no such date."""
    if form == "iso":
        found = ISO.fullmatch(field)
        if not found or any(part and int(part) > most for part, most in zip(found.groups()[6:], (23, 59))):
            return None
        year, month, day, *time = (int(part or 0) for part in found.groups()[:6])
    else:
        parts = re.split("%(.)", form)
        pattern = "".join(FORMAT[part] if k % 2 else re.escape(part) for k, part in enumerate(parts))
        found = re.compile(pattern, re.ASCII).fullmatch(field)
        if not found:
            return None
        said = found.groupdict()
        year = int(said.get("Y") or 0) or int(said["y"]) + (2000 if int(said["y"]) < 69 else 1900)
        month = MONTHS.index(said["b"].lower()) + 1 if "b" in said else int(said.get("m", 1))
        day, time = int(said.get("d", 1)), [int(said.get(part, 0)) for part in "HMS"]
    if time[0] > 23 or time[1] > 59 or time[2] > 59:
        return None
    try:
        days = date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        return None
    return days * 86400 + time[0] * 3600 + time[1] * 60 + time[2]


# Encoders: each makes a dictionary {place: value} of a row; a value is a double, or the decimal as written.

class Numbers:
    def __init__(self, said, table):
        self.table, self.shift, self.factor, self.fill, self.indicator = (
            table, float(said["shift"]), float(said["factor"]), float(said["fill"]), said["missing"])
        self.size = 1 + self.indicator
        self.written = written_by(said["format"]) if "format" in said and said["kind"] == "number" else None

    def scaled(self, x):
        return (x - self.shift) * self.factor

    def value(self, row):
        """The encoded number, as crosses multiply it."""
        number = number_of(row[self.column], self.table, self.written)
        return self.scaled(self.fill if number is None else number[0])

    def encode(self, row):
        number = number_of(row[self.column], self.table, self.written)
        if number is None:
            return {0: self.scaled(self.fill), 1: 1.0 * self.indicator}
        plain = self.shift == 0 and self.factor == 1 and number[0] != 0
        return {0: number[1] if plain else self.scaled(number[0])}


class Dates(Numbers):
    SIZES = {"days": 1, "weekday": 7, "month": 12, "hour": 24}

    def __init__(self, said, table):
        super().__init__(said, table)
        self.format, self.parts = said["format"], said["parts"]
        self.size = sum(map(self.SIZES.get, self.parts)) + self.indicator

    def encode(self, row):
        field = row[self.column].strip(b" \t")
        seconds = seconds_of(field.decode("latin-1"), self.format)
        hole = seconds is None
        need(not hole or not field or field.lower() in HOLES or field in self.table.missing_words,
             f"{field[:40]} is not a date")
        day, time = divmod(seconds or 0, 86400)
        days = self.fill if hole else seconds / 86400
        month = 0 if hole else date.fromordinal(day + date(1970, 1, 1).toordinal()).month - 1
        place = {"weekday": (day + 3) % 7, "month": month, "hour": time // 3600}
        values, at = {}, 0
        for part in self.parts:
            if part == "days":
                values[at] = self.scaled(days)
            elif not hole:
                values[at + place[part]] = 1.0
            at += self.SIZES[part]
        if hole and self.indicator:
            values[at] = 1.0
        return values


class Terms:
    """What categories, crosses of them and texts have in common: places of terms, exact or hashed."""
    def read_terms(self, said, key, split):
        self.bits, self.signs = said.get("bits", 0), said.get("signed", False)
        self.used = set(said["used"]) if "used" in said else None
        self.places = {}
        for place, term in enumerate([] if self.bits else map(as_bytes, said[key])):
            self.places.setdefault(split(term), place)
        self.rare = len(self.places) if said.get("rare") else None
        self.terms = 2**self.bits if self.bits else len(said[key]) + (self.rare is not None)

    def bucket(self, key):
        """(place, sign), or None."""
        place = key & (2**self.bits - 1)
        if self.used is not None and place not in self.used:
            return None
        return place, -1.0 if self.signs and key >> 63 else 1.0


class Categories(Terms):
    def __init__(self, said, table):
        self.read_terms(said, "values", lambda term: term)
        self.hole = self.terms if said["missing"] else None
        self.size = self.terms + said["missing"]

    def place(self, row):
        """(place, sign) of the row's value, or None."""
        field = row[self.column]
        if not field:
            return None if self.hole is None else (self.hole, 1.0)
        if self.bits:
            return self.bucket(xxh3(field))
        place = self.places.get(field, self.rare)
        return None if place is None else (place, 1.0)

    def encode(self, row):
        return dict([self.place(row) or (0, 0.0)])


class Texts(Terms):
    def __init__(self, said, table):
        self.words, self.chars, self.tf, self.idf, self.norm = map(said.get, ("words", "chars", "tf", "idf", "norm"))
        self.read_terms(said, "terms", lambda term: tuple(term.decode().split(" ")) if self.words else term.decode())
        self.size = self.terms
        self.ranks = {bucket: k for k, bucket in enumerate(said["used"])} if self.bits and self.idf else {}

    def counts(self, text):
        counts = Counter()
        for term, count in Counter(terms_of(text, self.words, self.chars)).items():
            found = self.bucket(term_key(term)) if self.bits else (self.places.get(term), 1.0)
            if found and found[0] is not None:
                counts[found[0]] += count * found[1]
        return counts

    def encode(self, row):
        values = {}
        for place, count in sorted(self.counts(row[self.column]).items()):
            weight = {"sqrt": math.sqrt(abs(count)), "count": abs(count), "presence": 1.0}[self.tf]
            idf = self.idf[self.ranks[place] if self.bits else place] if self.idf else 1.0
            values[place] = math.copysign(weight, count) * idf if count else 0.0
        if self.norm:
            squares = 0.0
            for value in values.values():
                squares += value * value
            length = math.sqrt(squares)
            values = {place: value / length if length > 0 else value for place, value in values.items()}
        return values


class Crosses(Terms):
    def __init__(self, said, table):
        self.kind, self.second_name = said["cross"], as_bytes(said["second"])
        if self.kind == "categories":
            self.read_terms(said, "values", lambda term: tuple(term.split(b"\x1f", 1)))
            self.size = self.terms

    def join(self, first, second):
        self.first_encoder, self.second_encoder = first, second
        self.size = {"categories": lambda: self.size, "numbers": lambda: 1,
                     "number*category": lambda: second.size}[self.kind]()

    def encode(self, row):
        first, second = self.first_encoder, self.second_encoder
        if self.kind == "numbers":
            return {0: first.value(row) * second.value(row)}
        if self.kind == "number*category":
            place, sign = second.place(row) or (0, 0.0)
            return {place: first.value(row) * sign}
        a, b = row[self.column], row[self.second]
        if not a or not b:
            return {}
        if self.bits:
            return dict([self.bucket(pair_key(xxh3(a), xxh3(b))) or (0, 0.0)])
        place = self.places.get((a, b), self.rare)
        return {} if place is None else {place: 1.0}


KINDS = {"number": Numbers, "date": Dates, "category": Categories, "text": Texts, "cross": Crosses}


# Tables.

def as_bytes(word):
    """A string of the file, or {"bytes": …} with the character of each byte's number."""
    return word["bytes"].encode("latin-1") if isinstance(word, dict) else word.encode()


class Table:
    def __init__(self, said):
        need(isinstance(said, dict) and said.get("rules") == RULES, f"there is no table by rules {RULES}")
        self.header, self.decimal = said["header"], said["decimal"].encode()
        self.missing_words = {as_bytes(word) for word in said["missing_words"]}
        self.encoders, named = [], {}
        for column in said["columns"]:
            need(column["kind"] in KINDS, f"columns of kind {column['kind']} are not in CSV")
            encoder = KINDS[column["kind"]](column, self)
            encoder.name = as_bytes(column["name"])
            if column["kind"] != "cross":
                named.setdefault(encoder.name, encoder)
            self.encoders.append(encoder)
        for encoder in self.encoders:
            if isinstance(encoder, Crosses):
                encoder.join(named.get(encoder.name), named.get(encoder.second_name))
        self.features = sum(encoder.size for encoder in self.encoders)

    def find_columns(self, names):
        def place(name):
            need(names.count(name) == 1, f"there is no column {name}, or there are several")
            return names.index(name)
        for encoder in self.encoders:
            encoder.column = place(encoder.name)
            if isinstance(encoder, Crosses):
                encoder.second = place(encoder.second_name)
        return {at for e in self.encoders for at in (e.column, getattr(e, "second", e.column))}

    def encode(self, row):
        """[(feature from 1, decimal)] of what isn't 0."""
        entries, start = [], 1
        for encoder in self.encoders:
            for place, value in sorted(encoder.encode(row).items()):
                if isinstance(value, bytes):
                    entries.append((start + place, value))
                elif value != 0:
                    entries.append((start + place, f"{Decimal(value):f}".encode()))
            start += encoder.size
        return entries


def delimiter_of(text, options, reading):
    """A comma if the first row has one, else the first of three that gives all of the first rows the same fields."""
    if options.delimiter or reading.get("delimiter"):
        return read_rows.delimiter_of(options, "csv", text) if options.delimiter else reading["delimiter"].encode()
    if len(next(read_rows.records(text, b","), [])) > 1:
        return b","
    for delimiter in (b";", b"\t", b"|"):
        sizes = {len(row) for row in read_rows.records(text, delimiter)}
        if len(sizes) == 1 and sizes != {1}:
            return delimiter
    return b","


def read_table(data, table, options, reading):
    """A read_rows.Text of encoded rows."""
    text = read_rows.unpacked(data).removeprefix(read_rows.MARK)
    delimiter = delimiter_of(text, options, reading)
    rows = list(read_rows.records(text, delimiter))
    need(rows, "there are no rows")
    names = [str(k + 1).encode() for k in range(len(rows[0]))]
    if table.header:
        names = read_rows.unique_names(rows.pop(0))[0]
    asked = table.find_columns(names)
    label = options.label or reading.get("label", "").encode()
    for column in filter(None, (label, options.weight)):
        need(column in names, f"there is no column {column}")
    left_out = [name for k, name in enumerate(names) if k not in asked and name != label]
    said = {"format": "csv", "delimiter": delimiter, "header": table.header, "label": label, "left_out": left_out,
            **options.drops()}

    def encoded():
        for row in rows:
            need(len(row) == len(names), "a row has another number of fields than the first")
            word = row[names.index(label)] if label else b"0"
            trimmed = word.strip(b" \t")
            word = trimmed if NUMBER.fullmatch(trimmed) or read_rows.too_large(trimmed) else word
            kept = not label or options.keeps(trimmed)
            weight = row[names.index(options.weight)].strip(b" \t") if options.weight else b"1"
            yield (word, table.encode(row), weight) if kept else (None, [], weight)
    return read_rows.Text(said, [], table.features, encoded())


def find_table(said):
    """The map in a model, a certificate or by itself; and what a certificate says of its data."""
    need(isinstance(said, dict), "expected a JSON object")
    data = said.get("data", {}) if "linsep_certificate" in said else {}
    found = data.get("table", said.get("table", said))
    if isinstance(found, str):
        need(not found.startswith("sha256:"), "the certificate has only the hash of its table: give the model")
        found = json.loads(found)
    return Table(found), data


def write_leaves(text, data, options, write):
    lines = read_rows.leaves([text], options)
    said = json.loads(next(lines)) | {"table": data["table"]}
    write(json.dumps(said, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    for line in lines:
        write(line + b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("map", help="a model, a certificate or a table's map, as JSON")
    parser.add_argument("data", help="CSV or TSV")
    parser.add_argument("--label", default="", help="the column whose words are the labels [0 for every row]")
    parser.add_argument("--weight", default="", help="the column with the rows' weights, for leaves of a proof about a model [every row weighs 1]")
    parser.add_argument("--delimiter", default="", help="the delimiter [found out]")
    parser.add_argument("--classes", default="", help="the classes, negative first [found in the data]")
    parser.add_argument("--positive", default="", help="which class is positive [the greater number or later word]")
    parser.add_argument("--missing-label", choices=("refuse", "drop"), default="refuse")
    parser.add_argument("--leaves", action="store_true", help="write the leaves that the certificate is about")
    asked = parser.parse_args()
    if unicodedata.unidata_version != UNICODE:
        print(f"linsep's words are by Unicode {UNICODE}, this Python's by {unicodedata.unidata_version}: signs that "
              "only one of them knows are taken otherwise", file=sys.stderr)
    try:
        with open(asked.map, "rb") as file:
            said = json.loads(file.read().decode())
        table, data = find_table(said)
        need(asked.leaves or not asked.weight, "svmlight has no weights: --weight needs --leaves")
        reading = data.get("reading", {})
        options = read_rows.Options(label=asked.label.encode(), weight=asked.weight.encode(), row_weights=said.get("linsep_certificate") == 3,
                                    delimiter=asked.delimiter.encode(),
                                    classes=read_rows.split_words(asked.classes.encode()),
                                    positive=asked.positive.encode(), missing_label=asked.missing_label)
        with open(asked.data, "rb") as file:
            text = read_table(file.read(), table, options, reading)
        write = sys.stdout.buffer.write
        if asked.leaves:
            need("table" in data, "leaves are those of a certificate about a table")
            write_leaves(text, data, options, write)
        else:
            for label, entries, _ in text.rows:
                if label is not None:
                    write(label + b"".join(b" %d:%b" % entry for entry in entries) + b"\n")
    except (Refused, ValueError, KeyError, OSError) as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
