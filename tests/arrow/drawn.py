"""Tables that tests draw, as CSV and as Arrow; and packages that may not be there."""

import csv
import datetime
import decimal
import random


def package(name):
    try:
        return __import__(name)
    except ImportError:
        return None


pyarrow = package("pyarrow")


def drawn_columns(seed, rows):
    """A column of each kind, with holes: by name, the values as Python has them."""
    draw = random.Random(seed)

    def hole(value, share):
        return None if draw.random() < share else value

    day = datetime.date(2025, 1, 1)
    return {
        "amount": [hole(draw.randrange(8000) / 8, 0.1) for _ in range(rows)],
        "items": [draw.randrange(-5, 100) for _ in range(rows)],
        "price": [decimal.Decimal(draw.randrange(10000)).scaleb(-2) for _ in range(rows)],
        "day": [hole(day + datetime.timedelta(days=draw.randrange(500)), 0.05) for _ in range(rows)],
        "when": [datetime.datetime(2025, 1, 1) + datetime.timedelta(minutes=draw.randrange(500000)) for _ in range(rows)],
        "card": [hole(f"c{draw.randrange(30)}", 0.05) for _ in range(rows)],
        "country": [draw.choice(["AT", "NA", "DE", "Côte d'Ivoire, a long name"]) for _ in range(rows)],
        "note": [" ".join(draw.choice(["free", "prize", "a", "B\"c", "día", "x,y"]) for _ in range(6)) + str(i)
                 for i in range(rows)],
        "label": [draw.choice(["ham", "spam"]) for _ in range(rows)],
    }


def as_csv(columns, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow(["" if value is None else value for value in row])


def as_arrow(columns):
    return pyarrow.table({
        **columns,
        "country": pyarrow.array(columns["country"]).dictionary_encode(),
        "card": pyarrow.array(columns["card"], pyarrow.large_string()),
    })
