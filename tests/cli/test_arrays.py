"""Arrays in files of NumPy and safetensors: the model of the same numbers in a CSV file, to the last bit."""

import json
import random
import struct
import unittest
import zipfile

from program import CommandLineTest

CODES = {"<f2": "e", "<f4": "f", "<f8": "d", "|i1": "b", "<i8": "q"}


def bfloat16(number):
    """The upper half of a float."""
    return struct.pack("<f", number)[2:]


def packed(descr, numbers):
    if descr == "<V2":
        return b"".join(map(bfloat16, numbers))
    return struct.pack(f"<{len(numbers)}{CODES[descr]}", *numbers)


def npy(descr, shape, numbers, fortran=False):
    header = str({"descr": descr, "fortran_order": fortran, "shape": tuple(shape)}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + packed(descr, numbers)


def safetensors(**arrays):
    """Each array: dtype, shape, bytes."""
    entries, values = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, shape, data) in arrays.items():
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(values), len(values) + len(data)]}
        values += data
    header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header + values


class Arrays(CommandLineTest):
    rows, columns = 400, 6

    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        # Sixteenths below 8, which every type holds; labels that no plane separates.
        self.x = [[draw.randrange(-127, 128) / 16 for _ in range(self.columns)] for _ in range(self.rows)]
        self.y = [1 if sum(row) + draw.gauss(0, 4) > 0 else -1 for row in self.x]
        self.flat = [value for row in self.x for value in row]
        self.write("rows.csv", "".join(",".join(map(str, [*row, y])) + "\n" for row, y in zip(self.x, self.y)))
        self.save("y.npy", npy("|i1", [self.rows], self.y))

    def save(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def weights(self, *arguments):
        # Tables are scaled by themselves, arrays aren't.
        scale = ["--scale", "none"] if arguments[0].endswith(".csv") else []
        self.run_program("train", *arguments, *scale, "-o", "model.json")
        model = json.loads(self.read("model.json"))
        return model["theta"], model["offset"]

    def array(self, descr):
        return npy(descr, [self.rows, self.columns], self.flat)

    def test_labels_are_whole_numbers_of_64_bits(self):
        large = [2**53 + (y > 0) for y in self.y]
        self.save("large.npy", npy("<i8", [self.rows], large))
        self.write("large.csv", "".join(",".join(map(str, [*row, y])) + "\n" for row, y in zip(self.x, large)))
        self.save("rows.npy", npy("<f4", [self.rows, self.columns], self.flat))
        for data in (["rows.npy", "--label", "large.npy"], ["large.csv", "--scale", "none"]):
            self.run_program("train", *data, "--quiet", "-o", "m.json")
            self.assertEqual(json.loads(self.read("m.json"))["classes"], ["9007199254740992", "9007199254740993"])
            predicted = self.words("predict", *data[:1], "-m", "m.json").split()
            self.assertEqual(set(predicted), {"9007199254740992", "9007199254740993"})
        expected = self.weights("rows.npy", "--label", "y.npy")
        self.assertEqual(self.weights("rows.npy", "--label", "large.npy"), expected)

    def test_every_type_gives_the_model_of_the_same_numbers_as_text(self):
        for learner in (["margin"], ["margin", "--loss", "logistic"], ["perceptron", "--order", "shuffled"]):
            for descr in ("<f2", "<V2", "<f4", "<f8"):
                with self.subTest(learner=learner, descr=descr):
                    self.save("X.npy", self.array(descr))
                    text = ["--double"] if descr == "<f8" else []
                    self.assertEqual(self.weights("X.npy", "--label", "y.npy", "--learner", *learner),
                                     self.weights("rows.csv", *text, "--learner", *learner))

    def test_archives_and_tensors_are_read_wherever_their_values_lie(self):
        expected = self.weights("rows.csv", "--learner", "margin")
        for descr, dtype in (("<f4", "F32"), ("<f2", "F16"), ("<V2", "BF16")):
            for pad in range(4):  # values at every address modulo 4
                with zipfile.ZipFile(self.folder / "data.npz", "w") as archive:
                    archive.writestr("p" * (pad + 1), b"")
                    archive.writestr("X.npy", self.array(descr))
                    archive.writestr("labels.npy", npy("<i8", [self.rows], self.y))
                self.assertEqual(
                    self.weights("data.npz:X", "--label", "data.npz:labels.npy", "--learner", "margin"), expected)
            self.save("data.safetensors", safetensors(
                odd=("U8", [3], b"abc"), X=(dtype, [self.rows, self.columns], packed(descr, self.flat)),
                y=("I64", [self.rows, 1], packed("<i8", self.y))))
            self.assertEqual(
                self.weights("data.safetensors:X", "--labels", "data.safetensors:y", "--learner", "margin"), expected)

    def test_several_files_are_one(self):
        half = self.rows // 2 * self.columns
        self.save("a.npy", npy("<f2", [self.rows // 2, self.columns], self.flat[:half]))
        self.save("b.npy", npy("<f2", [self.rows // 2, self.columns], self.flat[half:]))
        expected = self.weights("rows.csv", "--learner", "margin", "--loss", "logistic")
        arrays = ("a.npy", "b.npy", "--label", "y.npy", "--learner", "margin", "--loss", "logistic")
        self.assertEqual(self.weights(*arrays), expected)
        self.assertEqual(self.weights(*arrays, "--threads", "4"), expected)
        self.save("X.npy", self.array("<f2"))
        self.assertEqual(self.weights("X.npy", "--label", "y.npy", "--learner", "margin", "--loss", "logistic"),
                         expected)

    def test_predict_evaluate_and_certify_take_them(self):
        self.save("X.npy", self.array("<f2"))
        self.weights("rows.csv", "--learner", "margin")
        self.assertEqual(self.words("predict", "X.npy", "-m", "model.json", "--scores"),
                         self.words("predict", "rows.csv", "-m", "model.json", "--scores"))
        arrays = self.answer("evaluate", "X.npy", "--label", "y.npy", "-m", "model.json")
        text = self.answer("evaluate", "rows.csv", "-m", "model.json")
        self.assertEqual(arrays["confusion"], text["confusion"])
        for name, data in (("text", ["rows.csv"]), ("array", ["X.npy", "--label", "y.npy"])):
            self.words("certify", *data, "-o", f"{name}.json")
            self.assertIn("overlap", self.words("verify", f"{name}.json", *data))

    def test_a_proof_is_about_the_binary_values(self):
        self.save("X.npy", npy("<f2", [2, 1], [0.1, 0.2]))
        self.save("y.npy", npy("|i1", [2], [-1, 1]))
        self.save("single.npy", npy("<f4", [2, 1], [struct.unpack("<e", struct.pack("<e", v))[0] for v in (0.1, 0.2)]))
        half = self.words("digest", "X.npy", "--label", "y.npy")
        self.assertEqual(half.split()[0], self.words("digest", "single.npy", "--label", "y.npy").split()[0])
        self.save("other.npy", npy("<f4", [2, 1], [0.1, 0.2]))
        self.assertNotEqual(half.split()[0], self.words("digest", "other.npy", "--label", "y.npy").split()[0])

    def test_a_matrix_of_labels_trains_all_columns(self):
        other = [1 if row[0] > row[1] else -1 for row in self.x]
        self.save("Y.npy", npy("|i1", [self.rows, 2], [v for pair in zip(self.y, other) for v in pair]))
        self.save("X.npy", self.array("<f2"))
        self.write("two.csv", "".join(",".join(map(str, [*row, a, b])) + "\n"
                                      for row, a, b in zip(self.x, self.y, other)))
        self.run_program("train", "X.npy", "--labels", "Y.npy", "--learner", "margin", "-o", "arrays.json")
        self.run_program("train", "two.csv", "--labels", "7,8", "--scale", "none", "--learner", "margin", "-o",
                         "text.json")
        arrays, text = (json.loads(self.read(name)) for name in ("arrays.json", "text.json"))
        self.assertEqual((arrays["theta"], arrays["offsets"]), (text["theta"], text["offsets"]))
        self.assertEqual(arrays["labels"], ["1", "2"])
        told = self.answer("evaluate", "X.npy", "--label", "Y.npy", "-m", "arrays.json")
        self.assertEqual(told["rows"], self.rows)
        self.assertEqual(self.words("predict", "X.npy", "-m", "arrays.json").split()[:3],
                         self.words("predict", "two.csv", "-m", "text.json").split()[:3])

    def test_a_0_beside_signs_is_no_label(self):
        other = [y if i % 3 else 0 for i, y in enumerate(reversed(self.y))]
        self.save("Y.npy", npy("|i1", [self.rows, 2], [v for pair in zip(self.y, other) for v in pair]))
        self.save("X.npy", self.array("<f2"))
        self.run_program("train", "X.npy", "--labels", "Y.npy", "--learner", "margin", "-o", "two.json")
        two = json.loads(self.read("two.json"))
        self.assertEqual(two["classes"], ["-1", "1", "-1", "1"])
        # The same rows with a weight of 0 where there is no label.
        self.write("weighed.csv", "".join(",".join(map(str, [*row, int(b != 0), b or 1])) + "\n"
                                          for row, b in zip(self.x, other)))
        weighed = self.weights("weighed.csv", "--weight", "7", "--label", "8", "--learner", "margin")
        self.assertEqual((two["theta"][self.columns:], two["offsets"][1]), weighed)
        told = self.answer("evaluate", "X.npy", "--label", "Y.npy", "-m", "two.json")
        counted = [round(one["mistakes"] / one["error"]) for one in told["labels"]]
        self.assertEqual(counted, [self.rows, sum(map(abs, other))])


class Refused(CommandLineTest):
    def save(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def setUp(self):
        super().setUp()
        self.save("X.npy", npy("<f4", [2, 2], [1, 2, 3, 4]))
        self.save("y.npy", npy("|i1", [2], [-1, 1]))

    def refusal(self, rows="X.npy", label="y.npy", code=3):
        return self.complaint("train", rows, "--label", label, code=code)

    def test_each_with_the_file_and_what_to_do(self):
        self.save("fortran.npy", npy("<f4", [2, 2], [1, 2, 3, 4], fortran=True))
        self.assertIn("fortran.npy: it is in Fortran order, column by column: save np.ascontiguousarray(X)",
                      self.refusal("fortran.npy"))
        self.save("big.npy", npy("<f4", [2, 2], [1, 2, 3, 4]).replace(b"<f4", b">f4"))
        self.assertIn("big.npy: its dtype '>f4' is big-endian: save X.astype('<f4')", self.refusal("big.npy"))
        self.save("whole.npy", npy("<i8", [2, 2], [1, 2, 3, 4]))
        self.assertIn("whole.npy: rows of dtype <i8 aren't supported: save X.astype(np.float32)",
                      self.refusal("whole.npy"))
        self.save("flat.npy", npy("<f4", [4], [1, 2, 3, 4]))
        self.assertIn("flat.npy: rows are an array of two dimensions, but this one is 4", self.refusal("flat.npy"))
        self.save("nan.npy", npy("<f2", [2, 2], [1, 2, 3, float("nan")]))
        self.assertIn("nan.npy: row 2, column 2: NaN is not a finite number", self.refusal("nan.npy"))
        self.save("y3.npy", npy("|i1", [3], [-1, 1, 1]))
        self.assertIn("y3.npy: there are 2 rows, but these labels are 3", self.refusal(label="y3.npy"))
        with zipfile.ZipFile(self.folder / "small.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("X.npy", npy("<f4", [2, 2], [1, 2, 3, 4]))
        self.assertIn("small.npz: array 'X' is compressed, so it can't be mapped: save it with np.savez",
                      self.refusal("small.npz"))

    def test_files_that_are_damaged_or_lie(self):
        whole = npy("<f4", [2, 2], [1, 2, 3, 4])
        self.save("cut.npy", whole[:-5])
        self.assertIn("cut.npy: its header promises 16 bytes of values, but 11 follow", self.refusal("cut.npy"))
        self.save("lie.npy", whole.replace(b"(2, 2)", b"(9, 9)"))
        self.assertIn("lie.npy: its header promises 324 bytes of values, but 16 follow", self.refusal("lie.npy"))
        self.save("object.npy", whole.replace(b"<f4", b"|O8"))
        self.assertIn("object.npy: its dtype is '|O8': convert it to numbers", self.refusal("object.npy"))
        self.save("text.npy", b"1,2,3\n")
        self.assertIn("text.npy: it doesn't begin as an .npy file does", self.refusal("text.npy"))
        self.save("empty.npy", b"")
        self.assertIn("empty.npy: the file is empty", self.refusal("empty.npy"))
        with zipfile.ZipFile(self.folder / "two.npz", "w") as archive:
            archive.writestr("a.npy", whole)
            archive.writestr("b.npy", whole)
        self.assertIn("two.npz: it holds several arrays: add the name of one, as in FILE.npz:a; there are a, b",
                      self.refusal("two.npz"))
        self.assertIn("two.npz:c: it has no array 'c'; there are a, b", self.refusal("two.npz:c"))
        tensor = safetensors(X=("F32", [2, 2], bytes(16)))
        self.save("cut.safetensors", tensor[:-1])
        self.assertIn("cut.safetensors: the file ends too early: it is cut off or damaged",
                      self.refusal("cut.safetensors"))

    def test_labels_that_say_nothing(self):
        self.save("Y.npy", npy("|i1", [2, 2], [-1, 7, 1, 1]))
        self.assertIn("Y.npy: row 1, column 2: the label is 7, but several columns of labels hold −1, 1 or 0 for no label",
                      self.refusal(label="Y.npy"))
        self.save("Y.npy", npy("|i1", [2, 2], [-1, 0, 1, 1]))
        self.assertIn("Y.npy: column 2: no row has the label -1", self.refusal(label="Y.npy"))
        self.save("nan.npy", npy("<f4", [2], [1, float("nan")]))
        self.assertIn("nan.npy: row 2: the label nan is not a finite number", self.refusal(label="nan.npy"))
        self.save("Y.npy", npy("|i1", [2, 2], [-1, 1, 1, -1]))
        self.assertIn("label columns", self.complaint("certify", "X.npy", "--label", "Y.npy", code=2))

    def test_rows_without_labels(self):
        self.assertIn("X.npy: arrays of rows have no labels: name a file that has them, as in --label y.npy",
                      self.complaint("train", "X.npy", code=2))

    def test_options_of_tables(self):
        for option in ("--weight", "--id", "--ignore"):
            self.assertIn(f"{option} is for tables", self.complaint("train", "X.npy", "--label", "y.npy", option, "1",
                                                                   code=2))

    def test_a_file_that_is_not_there(self):
        self.assertIn("none.npz:X: can't be read", self.refusal("none.npz:X"))


if __name__ == "__main__":
    unittest.main()
