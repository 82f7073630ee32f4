"""Check the dice of a turn with nothing but Python: no part of the program that rolled them is used.

    python verify_dice.py ENG-turn-05.results.yaml ENG-turn-04.results.yaml
        [--orders FILE] [--rolls dice.jsonl]

The two results files are yours, of the turn and of the turn before; FILE is the order file that you sent, and
dice.jsonl is published with the turn. Exit code 0: everything that was given fits; 1: something does not, and
it says what.
"""

import argparse
import hashlib
import hmac
import json
import sys
from pathlib import Path


def results(path):
    """Return what matters of a results file: JSON values behind their names, and the rolls only for you."""
    values = {"rolls": []}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(": ")
        if name in ("game", "realm", "turn", "next_seal", "dice"):
            values[name] = json.loads(value)
        elif line.startswith('    - {"label": '):
            values["rolls"].append(json.loads(line[6:]))
    return values


def draws(seed, label):
    """Yield numbers from 0 to 2^64 - 1, four to each HMAC-SHA-256 of the label and a counter."""
    block = 0
    while True:
        digest = hmac.new(seed.encode(), f"{label}\n{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8))
        block += 1


def outcomes(seed, label, asked):
    """Yield the outcomes of a roll: a choice among 6 is counted from 0.

    A chance like 3/20 succeeds (1) when the draw is below its share of 2^64.
    """
    numbers = draws(seed, label)
    for question, times in asked:
        above, slash, below = question.partition("/")
        for _ in range(times):
            draw = next(numbers)
            yield int(draw * int(below) < int(above) << 64) if slash else draw * int(question) >> 64


def problems(now, before, orders=None, rolls=()):
    """Yield what does not fit, a sentence each."""
    dice, sha256 = now["dice"], lambda data: hashlib.sha256(data).hexdigest()
    if [before["game"], before["realm"], before["turn"] + 1] != [now["game"], now["realm"], now["turn"]]:
        yield "the two results are not of one realm and of two turns in a row"
    renewed = dice.get("renewed", [])  # each time that the turn was taken back after its results were known
    seals = [*(entry["seal"] for entry in renewed), dice["seal"]]
    if before["next_seal"] != seals[0]:
        yield "the seal is not the one that was published before the turn"
    for entry, seal in zip(renewed, seals[1:], strict=True):
        if entry["sealed"] != seal or (entry["secret"] and sha256(entry["secret"].encode()) != entry["seal"]):
            yield "the turn was taken back, and its seals do not follow each other"
    if renewed and not renewed[-1]["reopened"] and renewed[-1]["order_files"] != dice["order_files"]:
        yield "the turn was taken back, and its orders did not stay as they were"
    if sha256(dice["secret"].encode()) != dice["seal"]:
        yield "the secret does not fit the seal"
    if orders is not None and dice["order_files"].get(now["realm"]) != sha256(orders):
        yield "your order file is not the one that the dice were made of"
    files = "".join(f"{realm} {digest}\n" for realm, digest in sorted(dice["order_files"].items()))
    if sha256(f"turn seed\n{dice['secret']}\n{files}".encode()) != dice["seed"]:
        yield "the seed does not follow from the secret and the order files"
    for roll in rolls:
        ours = roll["label"].startswith(f"turn {now['turn']} | ")
        if not ours or list(outcomes(dice["seed"], roll["label"], roll["asked"])) != roll["outcomes"]:
            yield f"this was not rolled: {roll['label']}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check the dice of a turn.")
    for name in ("results", "before", "--orders", "--rolls"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    now = results(options.results)
    orders = options.orders.read_bytes() if options.orders else None
    lines = options.rolls.read_text(encoding="utf-8").splitlines()[1:] if options.rolls else []
    rolls = [*now["rolls"], *map(json.loads, lines)]
    found = list(problems(now, results(options.before), orders, rolls))
    fits = f"Everything fits: seal, secret, seed{', your orders' if orders else ''}, {len(rolls)} rolls."
    for entry in now["dice"].get("renewed", []):
        fits += f"\nIt was taken back on {entry['at']} ({entry['why']}): "
        fits += f"the letter of then must name {entry['sealed']}."
        fits += f"\nNew orders were accepted: {entry['reopened']}" if entry["reopened"] else ""
    sys.stdout.write("\n".join(found or [fits]) + "\n")
    sys.exit(bool(found))
