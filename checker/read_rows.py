#!/usr/bin/env python3
"""Makes the leaves of a data set from svmlight, CSV or TSV text, or from an .npy file, by the rules of docs/reference/formats,
independently of linsep.

    read_rows.py data.csv --label outcome > leaves.txt
    read_rows.py X.npy --label y.npy > leaves.txt
    read_rows.py data.svm | verify_certificate.py proof.json -

Writes what `linsep leaves` writes (docs/reference/formats/certificate.md, "Leaves as a file"). Exit code 3: it can't be read.
"""
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # this folder, where a bundle may have a json.py of its own
import argparse
import ast
import decimal
import gzip
import hashlib
import itertools
import json
import math
import os
import re
import struct
import zipfile
import zlib
from decimal import Decimal

decimal.setcontext(decimal.Context(decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX))
MARK = b"\xef\xbb\xbf"  # of the byte order
DIGITS = rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
NUMBER = re.compile(DIGITS + rb"(?:[eE][-+]?[0-9]+)?")
BEGINS_NUMBER = re.compile(DIGITS + rb"(?:[eE][-+]?[0-9]+|(?![eE]))")
FEW_EXPONENT_DIGITS = re.compile(DIGITS + rb"(?:[eE][-+]?0*[0-9]{0,4})?")
CANONICAL = re.compile(rb"-?(?:[1-9][0-9]{0,99}(?:\.[0-9]{0,99}[1-9])?|0\.[0-9]{0,99}[1-9])")
ENTRY = re.compile(rb"0*([0-9]{1,10}):(.*)", re.DOTALL)
LOOKED_AT = 65536  # bytes that the delimiter is found by
MISSING = {b"", b"na", b"n/a", b"nan", b"null", b"?"}
NO_NAMES = {b"nan", b"inf", b"infinity", b"na", b"n/a", b"null", b"none", b"?"}


class Refused(ValueError):
    """The text isn't what the format's page says, or the options make no sense."""


def need(condition, message):
    if not condition:
        raise Refused(message)


# Numbers and labels.

def is_zero(number):
    return not re.search(rb"[1-9]", re.split(rb"[eE]", number)[0])


def is_normal(number):
    """Whether the nearest double is neither infinite nor 0 nor subnormal."""
    return 2.0**-1022 <= abs(float(number)) < math.inf


def canonical(written):
    """The canonical text of a decimal as written; b"" for 0."""
    if CANONICAL.fullmatch(written):
        return written  # of at most 201 digits, so well within a double's range
    need(FEW_EXPONENT_DIGITS.fullmatch(written) and NUMBER.fullmatch(written), f"{written[:40]} is not a number")
    if is_zero(written):
        return b""
    need(is_normal(written), f"{written[:40]} is beyond the range of a double")
    text = f"{Decimal(written.decode()).normalize():f}".encode()
    need(len(text) <= 100_000, "a value has more than 100,000 digits")
    return text


def too_large(word):
    """Whether it begins with a number that is beyond a double's range."""
    number = BEGINS_NUMBER.match(word)
    return bool(number) and math.isinf(float(number[0]))


def class_name(word):
    """Of a number the shortest decimal of its double: as printf's %g writes it, or without an exponent where that isn't longer.
    From 2^53 on, where doubles skip integers, all digits as written, unless that decimal is the number."""
    if not NUMBER.fullmatch(word):
        return word
    number = float(word)
    if math.isinf(number):
        return word
    if number == 0:
        return b"0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # digits before the decimal point
    scientific = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+03d}"
    plain = f"{Decimal(number):f}" if exponent >= 0 else f"{abs(Decimal(repr(number))):f}"
    plain = plain.lstrip("-")
    name = "-" * sign + (plain if len(plain) <= len(scientific) else scientific)
    if abs(number) >= 2**53 and Decimal(word.decode()) != Decimal(name):
        name = f"{Decimal(word.decode()).normalize():f}"
    return name.encode()


def as_label(word):
    """A class's name; what is said of a label is said in its own words."""
    need(word and not too_large(word), f"{word[:40]} is no label")
    need(not NUMBER.fullmatch(word) or is_zero(word) or is_normal(word), f"{word[:40]} is beyond the range of a double")
    return class_name(word)


def mark_of(word, classes):
    """-1 or +1, of more than two classes their number. Labels that are numbers are compared as those that are written."""
    marks = [b"-1", b"+1"] if len(classes) == 2 else [b"%d" % number for number in range(1, len(classes) + 1)]
    if NUMBER.fullmatch(word):
        need(FEW_EXPONENT_DIGITS.fullmatch(word), f"the label {word[:40]} has too long an exponent")
        value = Decimal(word.decode())
        for name, mark in zip(classes, marks):
            if NUMBER.fullmatch(name) and Decimal(name.decode()) == value:
                return mark
    elif word in classes:
        return marks[classes.index(word)]
    raise Refused(f"the label {word[:40]} is not one of the classes")


def find_classes(met, rows, options):
    """[negative, positive], or more in their order. `met`: the names of the classes that occur, in their order."""
    named = [class_name(word) for word in options.classes]
    if named:
        need(len(named) >= 2 and len(set(named)) == len(named), "at least two different classes must be named")
        need(set(met) <= set(named), "a label isn't one of the classes that are named")
        found = named
    else:
        need(len(met) <= 10_000 and (len(met) <= 20 or rows >= 3 * len(met)), "there are too many classes")
        found = list(met)
        if len(found) == 1:
            other = {b"1": b"-1", b"-1": b"1", b"0": b"1"}.get(found[0])
            wanted = class_name(options.positive) if options.positive else found[0]
            other = wanted if wanted != found[0] else other
            need(other, "all rows are of one class: name both classes")
            found.append(other)
        numbers = all(NUMBER.fullmatch(name) for name in found)
        found.sort(key=(lambda name: Decimal(name.decode())) if numbers else None)
    if options.positive:
        need(len(found) == 2, "of more than two classes none is positive")
        need(class_name(options.positive) in found, "there is no such class as the positive one")
        found.sort(key=class_name(options.positive).__eq__)
    return found


# svmlight.

def svmlight_rows(text, options):
    """(label, [(index, value as written)], weight) of every row; the label is None where the row is left out."""
    for line in text.split(b"\n"):
        words = [word for word in re.split(rb"[ \t]", line.removesuffix(b"\r").partition(b"#")[0]) if word]
        if not words:
            continue
        label, entries, before = words[0], [], 0
        need(b":" not in label and not re.search(rb"[\x00-\x1f\x7f]", label), f"{label[:40]} is no label")
        if words[1:] and words[1].startswith(b"qid:"):
            need(re.fullmatch(rb"qid:[0-9]+", words.pop(1)), "expected the digits of a query number")
        for word in words[1:]:
            entry = ENTRY.fullmatch(word)
            index = int(entry[1]) if entry else 0
            need(before < index < 2**32, f"{word[:40]} is no entry with an index above {before}")
            need(NUMBER.fullmatch(entry[2]), f"{word[:40]} has no number")
            entries.append((index, entry[2]))
            before = index
        yield label if options.keeps(label) else None, entries, b"1"


# CSV and TSV.

def quoted_field(text, at, delimiter, blanks):
    """The field whose opening quote stands at `at`, and where it ends."""
    close = text.find(b'"', at + 1)
    while close >= 0 and text[close + 1:close + 2] == b'"':
        close = text.find(b'"', close + 2)
    need(close >= 0, "a quote is opened and never closed")
    said, end = text[at + 1:close].replace(b'""', b'"'), close + 1
    while text[end:end + 1] and text[end:end + 1] in blanks:
        end += 1
    if text[end:end + 1] == b"\r" and text[end + 1:end + 2] in (b"", b"\n"):
        end += 1
    need(text[end:end + 1] in (b"", b"\n", delimiter), "text follows a closing quote")
    return said, end


def quoted_record(text, at, delimiter, blanks):
    """The fields of the row at `at`, and where the next one begins."""
    fields, stop = [], re.compile(b"[\n" + re.escape(delimiter) + b"]|$(?![\\s\\S])")
    while True:
        while text[at:at + 1] and text[at:at + 1] in blanks:
            at += 1
        if text[at:at + 1] == b'"':
            said, end = quoted_field(text, at, delimiter, blanks)
        else:
            end = stop.search(text, at).start()
            said = text[at:end]
            if text[end:end + 1] != delimiter:
                said = said.removesuffix(b"\r")
            said = said.rstrip(blanks)
        fields.append(said)
        at = end + 1
        if text[end:end + 1] != delimiter:
            return fields, at


def records(text, delimiter):
    """The fields of every row, without blanks and quotes around them."""
    blanks, at = b" \t".replace(delimiter, b""), 0
    while at < len(text):
        end = text.find(b"\n", at)
        line = text[at:end if end >= 0 else len(text)]
        if b'"' in line:
            fields, at = quoted_record(text, at, delimiter, blanks)
            yield fields
            continue
        at += len(line) + 1
        line = line.removesuffix(b"\r")
        if line.strip(blanks):
            yield [field.strip(blanks) for field in line.split(delimiter)]


def column_number(word):
    return int(word) if re.fullmatch(b"[0-9]+", word) and int(word) < 2**64 else None


def is_name(field):
    """Whether a field of the first row can only be a name."""
    field = field.strip(b" \t")
    number = NUMBER.fullmatch(field) or too_large(field)
    return bool(field) and not number and field[field[:1] in (b"+", b"-"):].lower() not in NO_NAMES


def has_header(first, options):
    if options.header is not None:
        return options.header
    numbers = [column_number(word) for word in options.named()]
    if None in numbers:
        return True
    features = [j for j in range(len(first)) if j + 1 not in numbers]
    if not (options.label or options.labels):
        features = features[:-1]
    return any(is_name(first[j]) for j in features)


def unique_names(fields):
    """The names of a header, of which the second city is called city.2, or the next that is free; and those that repeat."""
    names = [field.strip(b" \t") or b"column %d" % (j + 1) for j, field in enumerate(fields)]
    known, met, repeated = set(names), {}, set()
    for j, name in enumerate(names):
        met[name] = count = met.get(name, 0) + 1
        if count == 1:
            continue
        repeated.add(name)
        while b"%b.%d" % (name, count) in known:
            count += 1
        met[name] = count
        names[j] = b"%b.%d" % (name, count)
        known.add(names[j])
    return names, repeated


def find_columns(first, options):
    """(header, names, labels, features, left out, weight) by the first row; columns from 0."""
    header = has_header(first, options)
    names, repeated = [str(j + 1).encode() for j in range(len(first))], set()
    if header:
        names, repeated = unique_names(first)
    def place(word, alone=True):
        if header and word in names:
            need(not alone or word not in repeated, f"more than one column is called {word}")
            return names.index(word)
        number = column_number(word)
        need(number and number <= len(first), f"there is no column {word}")
        return number - 1
    used = [place(word) for word in (options.id, options.weight) if word]
    used += sorted({place(word, alone=False) for word in options.ignore if word})
    free = [j for j in range(len(first)) if j not in used]
    asked = options.labels or [options.label]
    need(any(asked) or free, "no column is left for the label")
    labels = [place(word) if word else free[-1] for word in asked]
    need(len({*used, *labels}) == len(used) + len(labels), "a column has two purposes")
    features = [j for j in range(len(first)) if j not in used and j not in labels]
    need(features, "no column is left for features")
    weight = place(options.weight) if options.weight else None
    return header, names, labels, features, sorted(used), weight


def read_csv(text, options, delimiter):
    table = records(text.removeprefix(MARK), delimiter)
    first = next(table, None)
    if first is None:
        return None
    header, names, labels, features, left_out, weight = find_columns(first, options)
    def label(field):
        word = field.strip(b" \t")
        if not options.keeps(word):
            return None
        # Blanks in quotes belong to a word, but not to a number.
        return word if NUMBER.fullmatch(word) or too_large(word) else field
    def row(fields):
        need(len(fields) == len(first), "a row has another number of fields than the first")
        values = [fields[j].strip(b" \t") for j in features]
        need(all(map(NUMBER.fullmatch, values)), "a feature is not a number")
        number = fields[weight].strip(b" \t") if weight is not None else b"1"
        need(NUMBER.fullmatch(number) and 0 <= float(number) < math.inf, "a weight is not a number of 0 or more")
        found = tuple(label(fields[j]) for j in labels)
        return None if None in found else found if options.labels else found[0], list(enumerate(values, 1)), number
    reading = {"format": "csv", "delimiter": delimiter, "header": header, "label": b"" if options.labels else names[labels[0]],
               "left_out": [names[j] for j in left_out], **options.drops()}
    return Text(reading, [names[j] for j in features] if header else [], len(features),
                map(row, table if header else itertools.chain([first], table)),
                [names[j] for j in labels] if header else options.labels)


# Arrays.

HEADER_BYTES = 10_000  # more than any array of numbers needs; NumPy refuses longer ones too
NUMBERS = {"f2": "e", "f4": "f", "f8": "d", "V2": "H", "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B",
           "u2": "H", "u4": "I", "u8": "Q"}


class Array:
    """The array of an .npy file in C order: its shape, and its numbers as Python has them."""
    def __init__(self, data):
        need(data[:6] == b"\x93NUMPY" and len(data) > 12 and data[6] in (1, 2, 3), "it is no .npy file of version 1 to 3")
        begin = 10 if data[6] == 1 else 12
        size = int.from_bytes(data[8:begin], "little")
        need(size <= HEADER_BYTES and begin + size <= len(data), "its header is cut off or too long")
        facts = self.header(data[begin:begin + size])
        kind, self.shape = facts["descr"], facts["shape"]
        need(isinstance(kind, str) and kind.lstrip("<>|=") in NUMBERS, "its values aren't numbers")
        self.kind = kind.lstrip("<>|=")
        code = NUMBERS[self.kind]
        need(kind[0] != ">" or struct.calcsize(code) == 1, "it is big-endian")
        need(isinstance(self.shape, tuple) and all(type(length) is int and 0 <= length < 2**62 for length in self.shape),
             "its shape is no shape")
        need(facts["fortran_order"] is False or len(self.shape) < 2, "it is in Fortran order")
        values = memoryview(data)[begin + size:]
        need(math.prod(self.shape) * struct.calcsize(code) == len(values), "its header promises more or fewer values")
        self.values, self.code = values, code

    @staticmethod
    def header(text):
        """The dictionary, of which every key stands once."""
        try:
            found = ast.parse(text.decode("utf-8").strip(), mode="eval").body
            need(isinstance(found, ast.Dict), "its header is no dictionary")
            keys = [ast.literal_eval(key) for key in found.keys if key]
            need(sorted(keys) == ["descr", "fortran_order", "shape"], "its header has other fields than an array's")
            return ast.literal_eval(found)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise Refused(str(error) if isinstance(error, Refused) else "its header isn't that of an .npy file") from None

    def slice(self, first, count):
        """So many numbers from one on; bfloat16 is the upper half of a float32."""
        size = struct.calcsize(self.code)
        found = struct.unpack(f"<{count}{self.code}", self.values[first * size:(first + count) * size])
        return [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in found] if self.kind == "V2" else found


def exact_decimal(number):
    """The decimal that a binary number is; b"" for 0."""
    need(math.isfinite(number), "a value is infinite or no number")
    return f"{Decimal(number):f}".encode() if number else b""


def array_label(number):
    """A label's word: 0 and 1 of booleans, of floats the shortest decimal that reads back as the same double."""
    need(math.isfinite(number), "a label is infinite or no number")
    return class_name(repr(number if abs(number) >= 2**53 else float(number)).encode())


def is_array(path):
    return os.fsdecode(path).endswith(".npy")


def read_arrays(paths, options):
    """Texts of .npy files whose rows follow one another; the options for label and weight name files of one number for each row."""
    need(not options.of_csv(arrays=True), "an option of CSV and TSV doesn't go with arrays")
    need(is_array(options.label or b"".join(options.labels[:1])) and len(options.labels) < 2,
         "arrays of rows have no labels: name a file that has them, as in --label y.npy")
    need(not options.weight or is_array(options.weight), "name a file that has the weights, as in --weight w.npy")
    arrays = []
    for path in paths:
        with open(path, "rb") as file:
            arrays.append(Array(file.read()))
    def column(path, what):
        with open(path, "rb") as file:
            found = Array(file.read())
        need(found.shape == (count,), f"there are {count} rows, but the {what} are of the shape {found.shape}")
        return found.slice(0, count)
    need(all(len(array.shape) == 2 and array.shape[1] > 0 for array in arrays), "rows are an array of two dimensions")
    count = sum(array.shape[0] for array in arrays)
    names = []
    if options.labels:
        with open(options.labels[0], "rb") as file:
            found = Array(file.read())
        need(len(found.shape) == 2 and found.shape[0] == count and found.shape[1] > 0, f"there are {count} rows, but the labels are of the shape {found.shape}")
        labels = [found.slice(row * found.shape[1], found.shape[1]) for row in range(count)]
        signs = options.classes[0] == b"-1" if options.classes else any(-1 in row for row in labels)
        need(all(label in ((-1, 0, 1) if signs else (0, 1)) for row in labels for label in row), "labels in columns are 0 and 1, or -1 and 1 with 0 for none")
        names = [str(place + 1).encode() for place in range(found.shape[1])]
        options.classes = [b"-1" if signs else b"0", b"1"] * len(names)
        words = (tuple(None if signs and not label else array_label(label) for label in row) for row in labels)
    else:
        words = map(array_label, column(options.label, "labels"))
    weights = map(exact_decimal, column(options.weight, "weights") if options.weight else itertools.repeat(1.0, count))
    def rows(array):
        for row in range(array.shape[0]):
            values = array.slice(row * array.shape[1], array.shape[1])
            yield next(words), list(enumerate(map(exact_decimal, values), 1)), next(weights)
    return [Text(None, [], array.shape[1], rows(array), names) for array in arrays]


# Files.

class Text:
    """How a text is read (None: an array, whose values are exact), the features' names and number (0: as the rows tell), the rows,
    and the names of several label columns, of which every row has a tuple of words, None without one."""
    def __init__(self, reading, names, width, rows, labels=()):
        self.reading, self.names, self.width, self.rows, self.labels = reading, names, width, rows, list(labels)


def is_entry(word):
    index, colon, value = word.partition(b":")
    return bool(colon) and b"," not in value and re.fullmatch(b"qid|[0-9]+", index) is not None


def guess_format(path, text):
    name = re.sub(r"(?i)\.(gz|zst|zstd)$", "", path).lower()
    for ending, kind in ((r"\.csv", "csv"), (r"\.(tsv|tab)", "tsv"), (r"\.(svm|svmlight|libsvm)", "svmlight")):
        if re.search(ending + r"\Z", name):
            return kind
    for line in text.removeprefix(MARK).split(b"\n"):
        line = line.lstrip(b" \t\r")
        if line and not line.startswith(b"#"):
            if any(map(is_entry, re.split(rb"[ \t]", line))):
                return "svmlight"
            return "csv" if re.search(b"[,;|]", line) else "tsv" if b"\t" in line else "svmlight"
    return "svmlight"


def field_count(text, delimiter, one=False):
    """How many fields all records of the first bytes have, or the first of them; 0 where they differ or can't be read."""
    counts = []
    try:
        for fields in records(text[:LOOKED_AT], delimiter):
            counts.append(len(fields))
            if one:
                break
    except Refused:
        if one or len(text) <= LOOKED_AT:
            return 0
    else:
        if not one and len(text) > LOOKED_AT and len(counts) > 1:
            counts.pop()  # it may be cut off
    return counts[0] if counts and len(set(counts)) == 1 else 0


def delimiter_of(options, kind, text):
    if not options.delimiter and kind == "tsv":
        return b"\t"
    if not options.delimiter:
        if field_count(text, b",", one=True) > 1:
            return b","
        return next((sign for sign in (b";", b"\t", b"|") if field_count(text, sign) > 1), b",")
    delimiter = {b"tab": b"\t", b"\\t": b"\t", b"space": b" "}.get(options.delimiter, options.delimiter)
    need(re.fullmatch(rb"[\t -~\x7f]", delimiter) and not re.fullmatch(rb'[0-9A-Za-z"+.-]', delimiter), "bad delimiter")
    return delimiter


def unpacked(data):
    """gzip and zstd are recognized by their first bytes."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data)
    if data.startswith(b"\x28\xb5\x2f\xfd") or re.match(rb"[P-_]\x2a\x4d\x18", data):
        try:
            from compression import zstd  # Python 3.14
        except ImportError:
            raise Refused("zstd needs Python 3.14: decompress the file") from None
        return zstd.decompress(data)
    return data


def read_text(path, data, options):
    """A Text; None where there is no row."""
    data = unpacked(data)
    kind = options.format if options.format != "auto" else guess_format(path, data)
    if kind == "svmlight":
        need(not data or not options.of_csv(), "an option of CSV and TSV doesn't go with svmlight")
        return Text({"format": "svmlight", **options.drops()}, [], 0, svmlight_rows(data.removeprefix(MARK), options))
    return read_csv(data, options, delimiter_of(options, kind, data.removeprefix(MARK)))


def leaves(texts, options):
    """The lines of the leaves file for texts that follow one another."""
    texts = [text for text in texts if text]
    need(texts, "there are no rows")
    ways = [text.reading or {} for text in texts]
    alike = {(way.get("format"), way.get("delimiter"), tuple(text.names), text.width) for way, text in zip(ways, texts)}
    need(len(alike) == 1, "the files have different columns")
    bodies, met, words, width, several = [], {}, {}, texts[0].width, options.labels
    written = canonical if texts[0].reading else bytes
    for label, entries, weight in (row for text in texts for row in text.rows):
        values = [(index, written(value)) for index, value in entries]
        if label is None:
            continue
        if label not in words:
            for place, word in enumerate(label if several else [label]):
                met.setdefault(place, {}) if word is None else met.setdefault(place, {}).setdefault(as_label(word))
            words[label] = label
        weight = weight_text(written(weight)) if options.row_weights else b""
        bodies.append((words[label], weight + b"".join(b" %d:%b" % entry for entry in values if entry[1])))
        width = max(width, entries[-1][0]) if entries else width
    need(bodies, "there are no rows")
    said = {"rows": len(bodies), "features": width}
    if several:
        need(texts[0].labels, "several label columns need CSV, TSV or an array of labels")
        columns = [find_classes(met[place], len(bodies), options.of_column(place)) for place in sorted(met)]
        need(all(len(classes) == 2 for classes in columns), "a label column has more than two classes")
        said["labels"] = [{"name": name, "negative": low, "positive": high} for name, (low, high) in zip(texts[0].labels, columns)]
        marks = {found: b"".join(b"?" if word is None else mark_of(word, classes)[:1] for word, classes in zip(found, columns))
                 for found in words}
    else:
        classes = find_classes(met[0], len(bodies), options)
        marks = {word: mark_of(word, classes) for word in words}
        said |= {"classes": classes} if len(classes) > 2 else {"negative": classes[0], "positive": classes[1]}
    if texts[0].reading:
        said["reading"] = texts[0].reading
    if texts[0].names:
        said["names"] = texts[0].names
    try:
        yield json.dumps(said, sort_keys=True, separators=(",", ":"), default=lambda name: name.decode()).encode()
    except UnicodeDecodeError:
        raise Refused("names of classes and columns must be UTF-8") from None
    for number, (word, body) in enumerate(bodies, 1):
        yield b"%d %b%b%b" % (number, marks[word], body, salt_of(options.secret, number))


def weight_text(weight):
    """What a leaf has behind the class: the weight as a canonical decimal, b"" for 0."""
    need(not weight.startswith(b"-"), "a weight is below 0")
    return b"" if weight == b"1" else b"*" + (weight or b"0")


def salt_of(secret, number):
    """What a leaf ends with by the secret that its rows are salted with; nothing without one."""
    return b" #" + hashlib.sha256(b"\4%b%d" % (secret, number)).hexdigest()[:32].encode() if secret else b""


def read_secret(path):
    """The secret of a file that `linsep certify --salt` wrote."""
    if not path:
        return b""
    with open(path, "rb") as file:
        secret = file.readline(80).rstrip(b"\r\n")
    need(re.fullmatch(b"[0-9a-f]{64}", secret), f"{os.fsdecode(path)}: expected a salt of 64 hexadecimal digits")
    return secret


class Options:
    """How to read, as the program's options say it. All words are bytes."""
    def __init__(self, format="auto", label=b"", id=b"", weight=b"", ignore=(), delimiter=b"", header=None, classes=(),
                 positive=b"", missing_label="refuse", secret=b"", row_weights=False, labels=()):
        self.format, self.label, self.id, self.weight = format, label, id, weight
        self.ignore = list(filter(None, ignore))
        self.delimiter, self.header, self.classes, self.positive = delimiter, header, list(classes), positive
        self.drop, self.secret, self.row_weights, self.labels = missing_label == "drop", secret, row_weights, list(labels)
        need(not self.labels or not positive, "of several label columns none has the positive class")

    def of_column(self, place):
        """What holds for one of several label columns."""
        return Options(classes=self.classes[2 * place:2 * place + 2])

    def of_csv(self, arrays=False):
        named = [*self.ignore, self.id, self.drop] if arrays else self.named()
        return bool(any(named) or self.delimiter or self.header is not None)

    def keeps(self, label):
        """False: the row has no label and is left out. A word that is named as a class is one."""
        missing = label.lower() in MISSING and label not in (*self.classes, self.positive or None)
        need(self.drop or not missing, "a row has no label")
        return not missing

    def drops(self):
        return {"drop_missing_labels": True} if self.drop else {}

    def named(self):
        return [word for word in (*self.ignore, *self.labels, self.label, self.id, self.weight) if word]


def split_words(text):
    words = text.split(b",")
    return words if words[-1] else words[:-1]


def add_options(parser):
    """The options that say how to read."""
    parser.add_argument("--format", choices=("auto", "svmlight", "csv", "tsv"), default="auto")
    for name in ("label", "labels", "id", "weight", "ignore", "delimiter", "classes", "positive"):
        parser.add_argument(f"--{name}", type=os.fsencode, default=b"", help="as that of linsep leaves")
    parser.add_argument("--salt", type=os.fsencode, default=b"", metavar="FILE",
                        help="the secret that the rows are salted with (linsep certify --salt)")
    parser.add_argument("--missing-label", choices=("refuse", "drop"), default="refuse")
    parser.add_argument("--row-weights", action="store_true", help="leaves have the rows' weights, as those of proofs about models do")
    header = parser.add_mutually_exclusive_group()
    header.add_argument("--header", action="store_true", default=None)
    header.add_argument("--no-header", dest="header", action="store_false")
    return parser


def checker_options(description):
    """The arguments of verify_certificate.py, which prints names in any alphabet."""
    sys.stdout.reconfigure(errors="backslashreplace")
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("certificate", help="a proof, or a bundle that has one")
    parser.add_argument("rows", nargs="*", help="data files, or their leaves; -: leaves on standard input")
    parser.add_argument("--root", help="the root that the data set must have")
    parser.add_argument("--as-encoded", action="store_true", help="accept the columns and encoding that the proof names")
    return add_options(parser).parse_args()


def options_of(given):
    classes = split_words(given.classes)
    need(not given.classes or len(classes) >= 2, "--classes takes at least two words with commas between them")
    return Options(given.format, given.label, given.id, given.weight, split_words(given.ignore), given.delimiter,
                   given.header, classes, given.positive, given.missing_label, read_secret(given.salt), given.row_weights, split_words(given.labels))


def lines_of(paths, given):
    """The leaves of files whose rows follow one another, as `given` says how to read them."""
    options, texts = options_of(given), []
    if any(map(is_array, paths)):
        need(all(map(is_array, paths)), "arrays and texts are different data")
        return leaves(read_arrays(paths, options), options)
    other = [path for path in paths if re.search(r"\.(npz|safetensors)(:|\Z)", path)]
    need(not other, f"{''.join(other[:1])}: of arrays .npy is read: save the array with numpy.save")
    for path in paths:
        with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
            texts.append(read_text(path, file.read(), options))
    return leaves(texts, options)


def checked_lines(paths, given):
    """The lines of a file of leaves, or of standard input (-), else those of data files; None where there is no file."""
    if not paths:
        return None
    if paths != ["-"]:
        with open(paths[0], "rb") as file:
            if file.read(1) != b"{":
                return (line.decode() for line in lines_of(paths, given))
    need(len(paths) == 1, "leaves are one file")
    return salted_lines(open(0 if paths == ["-"] else paths[0], encoding="ascii", newline="\n"), read_secret(given.salt))


def read_proof(path):
    """The text of a certificate; of a bundle also its rows and the file in it that has them, else None and None."""
    with open(path, "rb") as file:
        if file.read(4) != b"PK\3\4":
            return open(path, encoding="utf-8", newline="").read(), None, None
    try:
        with zipfile.ZipFile(path) as bundle:
            names = bundle.namelist()
            need(len(set(names)) == len(names) and "proof.json" in names, "it is no bundle, or a file is in it twice")
            name = next(filter(names.__contains__, ("rows.csv", "rows.svm", "leaves.txt")), None)
            return bundle.read("proof.json").decode("utf-8"), name and bundle.read(name), name
    except (zipfile.BadZipFile, RuntimeError, OverflowError, struct.error) as error:
        raise Refused(f"the bundle is damaged: {error}") from None


def bundled_lines(rows, name, data):
    """The leaves of a bundle's rows, read as its certificate says that they were."""
    if name == "leaves.txt":
        return iter(rows.decode("ascii").removesuffix("\n").split("\n"))
    reading = data["reading"]
    classes = data["classes"] or [data["negative"], data["positive"]]
    options = Options(reading["format"] or "auto", reading.get("label", "").encode(), delimiter=reading.get("delimiter", "").encode(),
                      ignore=map(str.encode, reading.get("left_out", [])), header=reading.get("header"),
                      classes=map(str.encode, classes),
                      missing_label="drop" if reading.get("drop_missing_labels") else "refuse")
    return (line.decode() for line in leaves([read_text(name, rows, options)], options))


def lines_for(given, rows, name, proof):
    """For verify_certificate.py: the lines of the files that are named, else those of the bundle's rows. Version 3 weighs rows."""
    given.row_weights = proof["linsep_certificate"] == 3
    return bundled_lines(rows, name, proof["data"]) if name and not given.rows else checked_lines(given.rows, given)


def salted_lines(lines, secret):
    """The lines of leaves, each with its salt where there is a secret and the lines have none."""
    for number, line in enumerate(lines):
        plain = number and secret and "#" not in line
        yield line.removesuffix("\n") + salt_of(secret, number).decode() if plain else line


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", help="files whose rows follow one another; -: standard input")
    given = add_options(parser).parse_args()
    try:
        for line in lines_of(given.data, given):
            sys.stdout.buffer.write(line + b"\n")
    except (ValueError, OSError, EOFError, zlib.error) as error:
        print(f"read_rows.py: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
