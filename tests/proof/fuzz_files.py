"""Draws and changes files of rows and gives each to the program's reader and to checker/read_rows.py: the same leaves, or a
refusal by both. `python3 fuzz_files.py --files 1000000 --seed 7`; LINSEP_LEAVES_SERVER is the path of leaves_server."""
import argparse
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "checker"))
import read_rows

NUMBERS = ["0", "1", "-1", "2", "0.5", "-0.25", "1.50", "+3", ".5", "5.", "-0", "00", "007", "1e0", "2E+1", "15e-1", "1e-3", "-.0", "0e9",
           "0.1", "100", "1e5", "123456789", "1e22", "12345678901234567890", "0.1000000000000000055", "3.0000", "1e308", "1e-307"]
ODD_NUMBERS = ["1e400", "-1e309", "1e-400", "5e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "2.225073858507201e-308", "1e99999",
               "0e99999", "0e00000000001", "1e-10000", "1e+0000000002", "nan", "inf", "-inf", "NA", "1e", "1e+", "0x10", "1_0", "1,5",
               "--1", "+-1", ".", "+", "", "1.2.3", "١", "1e400x", "0." + "0" * 330 + "1", "1" * 310, "9" * 200, "0." + "1" * 130,
               "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "0.0e-99999", "1e9999", "0" * 120 + "1.5"]
LABELS = ["1", "-1", "+1", "0", "1.0", "-1.0", "1e0", "2", "-0", "yes", "no", "spam", "ham", "Yes", "a b", "é", "NaN", "inf", "0.1",
          "0.1000000000000000055", "1e5", "100000", "1e400", "1e-400", "1e15", "1e16", "123456789012345680", "1.5e300", "?", "*", "qid", "+", "1e", "\u00a0x", "x\u00a0",
          "0.30000000000000004", "1e23", "9007199254740993", "1e-7", "0.00001", "0.0001"]
NAMES = ["a", "b", "age", "body mass", "", "1", "2", "3", "a", "é", "nan", "NA", "x,y", 'q"r', "inf", "-", "+1", "column 2", "1e400", "y"]
SNIPPETS = [b",", b"\t", b" ", b";", b"\n", b"\r\n", b"\r", b'"', b'""', b"#", b"# c", b":", b"qid:3 ", b"1:1", b"\xef\xbb\xbf", b"\xc2\xa0", b"\x00",
            b"\x0b", b"\x0c", b"\x1f", b"\x7f", b"\xff", b"\n\n", b" \n", b"\t\n", b" \r\n", b"4294967295:1", b"4294967296:1", b"0:1", b"001:2", b"e", b"E", b".", b"-",
            b"+", b"0", b"1", b"9", b"-0", b"1e", b"|", b"'", b"\\", b"\xe2\x80\xae", b"\xed\xa0\x80", b"1:1:1", b"=", b"nan", b"?", b"\x1c", b"\x85"]


class Draw:
    """Files and options from one source of random numbers."""
    def __init__(self, source):
        self.source, self.one = source, source.choice
        self.wild = self.chance(0.4)  # else nearly all is as it should be, though oddly written

    def chance(self, share):
        return self.source.random() < share

    def number(self):
        if self.chance(0.04 if self.wild else 0.003):
            return self.one(ODD_NUMBERS)
        if self.chance(0.5):
            return self.one(NUMBERS)
        text = repr(self.source.uniform(-9, 9)) if self.chance(0.5) else str(self.source.randint(-50, 50))
        return text + (f"e{self.source.randint(-12, 12)}" if self.chance(0.1) else "")

    def labels(self):
        if self.chance(0.4):
            return self.one([["1", "-1"], ["0", "1"], ["yes", "no"], ["+1", "-1", "1.0"]])
        return [self.one(LABELS) for _ in range(self.one([3, 4]) if self.chance(0.25) else 2)]

    def label_of(self, labels, row):
        if self.chance(0.05):
            return self.one(["NA", "n/a", "NULL", "?", "nan"])
        return self.one(labels) if self.wild else labels[row % len(labels)]

    def svmlight(self):
        labels, lines = self.labels(), []
        for _ in range(self.source.randint(1 if self.wild else 2, 6)):
            blank = self.one([" ", " ", " ", "\t", "  "])
            words = [self.label_of(labels, len(lines))] + (["qid:" + self.one(["1", "77", "x", ""] if self.wild else ["1", "22"])] if self.chance(0.08) else [])
            index = 0
            while self.chance(0.7):
                index += self.source.randint(1, 3) if not self.wild or self.chance(0.98) else self.one([-1, 0, 2**32 - 9])
                words.append(f"{self.one(['', '', '', '0'])}{index}:{self.number()}")
            line = blank.join(words) + self.one(["", "", "", " ", "\t", "#c", " # comment", "\r"])
            lines += [self.one(["", "#", " # x", "\t", "\r"])] if self.chance(0.06) else []
            lines.append((" " if self.chance(0.04) else "") + line)
        return "\n".join(lines) + self.one(["", "\n", "\n", "\r\n"])

    def blank(self, delimiter):
        return self.one([" ", "\t", "  "]) if self.wild else {" ": "\t"}.get(delimiter, " ")

    def field(self, word, delimiter):
        odd = delimiter in word or "\n" in word or word.startswith('"')
        if odd and self.chance(0.9) or self.chance(0.08):
            blank = self.one(["", "", "", " "])
            word = '"' + blank + word.replace('"', '""') + blank + '"'
        return (self.blank(delimiter) if self.chance(0.1) else "") + word + (self.blank(delimiter) if self.chance(0.1) else "")

    def table(self, delimiter):
        labels, lines, columns = self.labels(), [], self.source.randint(1 if self.wild else 2, 5)
        kinds = ["number"] * columns
        kinds[self.source.randrange(columns) if self.chance(0.3) else -1] = "label"
        if columns > 2 and self.chance(0.2):
            kinds[self.source.randrange(columns)] = "word"
        self.label = kinds.index("label") + 1 if "label" in kinds else 1
        self.word = kinds.index("word") + 1 if "word" in kinds else 0
        if self.chance(0.5):
            names = [self.one(NAMES) if self.chance(0.5) else f"c{j}" for j in range(columns)]
            lines.append([self.field(name, delimiter) for name in names])
        else:
            names = []
        for _ in range(self.source.randint(1 if self.wild else 2, 5)):
            words = [self.number() if kind == "number" else self.label_of(labels, len(lines)) if kind == "label" else self.one(NAMES + ["r\ns"])
                     for kind in kinds]
            words = words if not self.wild or self.chance(0.985) else words[:-1] if self.chance(0.5) else words + ["1"]
            lines.append([self.field(word, delimiter) for word in words])
        end = self.one(["\n", "\n", "\n", "\r\n"])
        blank = lambda: self.one(["", " ", "\t", "\r"]) + end if self.chance(0.04) else ""
        text = "".join(blank() + delimiter.join(line) + end for line in lines)
        return (text if self.chance(0.7) else text.removesuffix(end)), names, columns

    def changed(self, data):
        for _ in range(self.one([1, 1, 1, 2, 3])):
            at, size = self.source.randint(0, len(data)), self.one([0, 0, 1, 2, 5])
            data = data[:at] + (self.one(SNIPPETS) if self.chance(0.8) else b"") + data[at + size:]
        return data

    def file(self):
        """(file name, bytes, options)."""
        kind, options = self.one(["svmlight", "csv", "csv", "tsv"]), {}
        if kind == "svmlight":
            text, names, columns = self.svmlight(), [], 3
        else:
            delimiter = "\t" if kind == "tsv" else ","
            if self.chance(0.15):
                delimiter = options["delimiter"] = self.one([";", "|", " ", "\t", ":", ",", "#", "'"] + ["x", "5", ".", "é"] * self.wild)
            text, names, columns = self.table(delimiter)
        column = lambda: self.one(names or ["1"]) if self.chance(0.5) else str(self.source.randint(0, columns + 1))
        if kind != "svmlight" and not self.wild:
            called = lambda number: names[number - 1] if names and self.chance(0.5) else str(number)
            if self.label != columns or self.chance(0.2):
                options["label"] = called(self.label)
            if self.word:
                options[self.one(["id", "ignore"])] = called(self.word)
            if "ignore" in options:
                options["ignore"] = [options["ignore"]] * self.one([1, 1, 2])
            elif columns > 3 and self.chance(0.2) and self.word != 1 != self.label:
                options["ignore"] = [called(1)]
        for name, share in (("label", 0.2), ("id", 0.1), ("weight", 0.08)):
            if self.chance(share if self.wild else 0.01):
                options[name] = column()
        if self.wild and self.chance(0.15):
            options["ignore"] = [column() for _ in range(self.source.randint(1, 2))]
        if self.chance(0.1):
            options["header"] = self.chance(0.5) if self.wild else bool(names)
        if self.chance(0.08 if self.wild else 0.01):
            options["classes"] = [self.one(LABELS) for _ in range(self.one([2, 2, 3]))]
        if self.chance(0.06 if self.wild else 0.01):
            options["positive"] = self.one(LABELS)
        if self.chance(0.4):
            options["missing_label"] = "drop"
        if self.chance(0.3):
            options["format"] = kind if not self.wild or self.chance(0.9) else self.one(["svmlight", "csv", "tsv"])
        endings = {"svmlight": ["svm", "libsvm", "svmlight"], "csv": ["csv", "CSV"], "tsv": ["tsv", "tab"]}[kind]
        name = "d." + self.one(endings) if self.chance(0.6) or not self.wild and self.chance(0.9) else self.one(["d", "d.txt", "d.csv", "d.tsv", "d.svm", "d.csv.gz"])
        data = text.encode()
        data = b"\xef\xbb\xbf" + data if self.chance(0.04) else data
        data = self.changed(data) if self.chance(0.6 if self.wild else 0.3) else data
        return name, gzip.compress(data, 1) if self.chance(0.01) else data, options


class Server:
    """The program's reader."""
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen([os.environ["LINSEP_LEAVES_SERVER"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def leaves(self, name, data, options):
        path = self.folder / name
        path.write_bytes(data)
        self.process.stdin.write(json.dumps({"path": str(path), **options}).encode() + b"\n")
        self.process.stdin.flush()
        size = int(self.process.stdout.readline())
        if size < 0:
            return None, self.process.stdout.readline().decode(errors="replace").strip()
        return self.process.stdout.read(size), ""

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def script_leaves(name, data, options):
    words = {key: [word.encode() for word in value] if isinstance(value, list) else value.encode()
             for key, value in options.items() if key not in ("format", "header", "missing_label")}
    words |= {key: options[key] for key in ("format", "header", "missing_label") if key in options}
    try:
        given = read_rows.Options(**words)
        return b"".join(line + b"\n" for line in read_rows.leaves([read_rows.read_text(name, data, given)], given)), ""
    except (ValueError, OSError, EOFError, zlib.error) as error:
        return None, str(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="don't stop at the first difference")
    options = parser.parse_args()
    accepted = differences = 0
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        server = Server(folder)
        for k in range(options.files):
            name, data, given = Draw(random.Random(f"{options.seed} {k}")).file()
            program, why = server.leaves(name, data, given)
            script, reason = script_leaves(name, data, given)
            accepted += program is not None
            if program != script:
                differences += 1
                print(f"file {k} of seed {options.seed}: {name} {data!r} {given}\n  program: {program} {why}\n  script: {script} {reason}")
                if not options.go_on or differences > 20:
                    break
            if (k + 1) % 100000 == 0:
                print(f"{k + 1} files, {accepted} with leaves, {differences} differences", flush=True)
        server.close()
    print(f"seed {options.seed}: {k + 1} files, {accepted} with leaves, {k + 1 - accepted} refused, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
