"""Peak memory of training on a stream: linsep generate sparse | linsep train - --online.

There is no peer: the limit is LIMIT, whatever the number of rows. Twenty million rows unless --rows says otherwise.
"""
import json
import os
import subprocess
import tempfile

LIMIT = 200_000_000


def ended(process):
    """Waits and returns (exit code, peak resident bytes)."""
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024


def compare(shop):
    rows = shop.rows or 20_000_000
    with tempfile.TemporaryFile() as answer:
        generate = subprocess.Popen([shop.linsep, "generate", "sparse", "--rows", str(rows)], stdout=subprocess.PIPE)
        train = subprocess.Popen([shop.linsep, "train", "-", "--online", "--json"], stdin=generate.stdout, stdout=answer)
        generate.stdout.close()
        train_code, train_peak = ended(train)
        generate_code, generate_peak = ended(generate)
        answer.seek(0)
        found = json.loads(answer.read() or b"{}")
    peak = max(train_peak, generate_peak)
    right = train_code == 0 and generate_code == 0 and found.get("rows") == rows and peak < LIMIT
    seconds = found.get("seconds", {}).get("train", float("nan"))
    return [{
        "what": f"{rows} rows, peak {train_peak / 1e6:.0f} MB", "peer": f"limit {LIMIT / 1e6:.0f} MB",
        "linsep_seconds": seconds, "peer_seconds": None, "ratio": LIMIT / train_peak, "agrees": right,
        "check": f"{found.get('rows')} rows arrived; generate's peak {generate_peak / 1e6:.0f} MB",
        "train_peak_bytes": train_peak, "generate_peak_bytes": generate_peak,
    }]
