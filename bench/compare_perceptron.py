"""Five passes of a perceptron: against scikit-learn in memory and Vowpal Wabbit from the file.

All sides make the same corrections: through the origin, rows in the order of the file, a constant rate. Training errors are
counted by one piece of code (peer_server.py) from each side's weights or scores. scikit-learn's must equal linsep's but for
rounding. Vowpal Wabbit has no perceptron; plain gradient steps on the hinge loss, with a rate so large that its margin of 1 is
small beside the scores, are nearly one, with weights kept as floats. Its corrections soon differ, and the error of a last
classifier jumps from row to row: it is only required not to be lower than linsep's by more than its tolerance.
"""
import json
import tempfile

from workshop import Peer, against, interleaved, output

TOLERANCE = {"scikit-learn": 0.001, "vowpal": 0.01}


def compare(shop):
    path = shop.sparse_set()
    peer = Peer(shop, "peer_server.py", path)
    errors = {}
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/model.json"
        train = [shop.linsep, "train", path, "--learner", "perceptron", "--origin", "--passes", 5, "-o", model]

        def linsep():
            seconds = json.loads(output([*train, "--json"]))["seconds"]["train"]
            errors["linsep"] = peer.ask(do="error", model=model)["error"]
            return seconds

        def sklearn():
            answer = peer.ask(do="sklearn", passes=5)
            errors["scikit-learn"] = answer["error"]
            return answer["seconds"]

        def vowpal():
            answer = peer.ask(do="vowpal", passes=5, folder=folder)
            errors["vowpal"] = answer["error"]
            return answer["seconds"]

        seconds = interleaved(shop.repeats, linsep=linsep, sklearn=sklearn)
        whole = interleaved(max(1, shop.repeats // 2), linsep=lambda: shop.timed([*train, "--quiet"]), vowpal=vowpal)
        peer.close()

    def row(what, name, key, mine, theirs):
        agrees = errors["linsep"] - errors[key] <= TOLERANCE[key]
        if key == "scikit-learn":
            agrees = abs(errors["linsep"] - errors[key]) <= TOLERANCE[key]
        check = f"training error {errors['linsep']:.4f} against {errors[key]:.4f}"
        return against(what, name, mine, theirs, agrees, check)

    return [
        row("five passes in memory", "scikit-learn Perceptron", "scikit-learn", seconds["linsep"], seconds["sklearn"]),
        row("five passes, whole command", "Vowpal Wabbit from text and cache", "vowpal", whole["linsep"], whole["vowpal"]),
    ]
