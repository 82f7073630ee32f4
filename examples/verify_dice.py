"""Checks the dice of a turn with nothing but Python: no part of the program that rolled them is used.

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


def read_results(path):
    """Return what matters of a results file: its head, its ``dice``, and in ``rolls`` those only for you.

    Each of these is JSON on one line, behind its name or, of a roll, behind a dash.
    """
    results = {"rolls": []}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(": ")
        if name in ("game", "realm", "turn", "next_seal", "dice"):
            results[name] = json.loads(value)
        elif line.startswith('    - {"label": '):
            results["rolls"].append(json.loads(line.removeprefix("    - ")))
    return results


def sha256(data):
    """Return the SHA-256 hash of bytes, or of a text in UTF-8, in hexadecimal digits."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def draws(seed, label):
    """Yield numbers from 0 to 2^64 - 1, four from each HMAC-SHA-256 of the label and a counter."""
    block = 0
    while True:
        digest = hmac.new(seed.encode(), f"{label}\n{block}".encode(), hashlib.sha256).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def outcomes(seed, label, asked):
    """Yield the outcomes of a roll; ``asked``: pairs of what was asked and how many times.

    A chance like 3/20 succeeds (1, else 0) when the draw is below its share of 2^64. A choice among 6 is
    counted from 0.
    """
    numbers = draws(seed, label)
    for question, times in asked:
        numerator, slash, denominator = question.partition("/")
        for _ in range(times):
            number = next(numbers)
            if slash:
                yield int(number * int(denominator) < int(numerator) << 64)
            else:
                yield number * int(question) >> 64


def problems(now, before, orders=None, rolls=()):
    """Yield what does not fit, a sentence each.

    ``now`` and ``before``: the results of the turn and of the turn before; ``orders``: the bytes of the order
    file; ``rolls``: all rolls that can be checked.
    """
    dice = now["dice"]
    if [before["game"], before["realm"], before["turn"] + 1] != [now["game"], now["realm"], now["turn"]]:
        yield "the two results are not of one realm and of two turns in a row"
    yield from seal_problems(dice, before["next_seal"])
    if orders is not None and dice["order_files"].get(now["realm"]) != sha256(orders):
        yield "your order file is not the one that the dice were made of"
    files = "".join(f"{realm} {digest}\n" for realm, digest in sorted(dice["order_files"].items()))
    if sha256(f"turn seed\n{dice['secret']}\n{files}") != dice["seed"]:
        yield "the seed does not follow from the secret and the order files"
    for roll in rolls:
        is_of_turn = roll["label"].startswith(f"turn {now['turn']} | ")
        if not is_of_turn or list(outcomes(dice["seed"], roll["label"], roll["asked"])) != roll["outcomes"]:
            yield f"this was not rolled: {roll['label']}"


def seal_problems(dice, published_seal):
    """Yield what does not fit between the published seal, those that replaced it, and the secret.

    ``published_seal``: the one in the results of the turn before. ``renewed`` has an entry for each time that
    the turn was taken back after its results were known.
    """
    renewed = dice.get("renewed", [])
    seals = [*(entry["seal"] for entry in renewed), dice["seal"]]
    if published_seal != seals[0]:
        yield "the seal is not the one that was published before the turn"
    for entry, next_seal in zip(renewed, seals[1:], strict=True):
        opened = not entry["secret"] or sha256(entry["secret"]) == entry["seal"]
        if entry["sealed"] != next_seal or not opened:
            yield "the turn was taken back, and its seals do not follow each other"
    if renewed and not renewed[-1]["reopened"] and renewed[-1]["order_files"] != dice["order_files"]:
        yield "the turn was taken back, and its orders did not stay as they were"
    if sha256(dice["secret"]) != dice["seal"]:
        yield "the secret does not fit the seal"


def what_fits(now, roll_count, has_orders):
    """Return what was checked, and what to look up in the letters if the turn was taken back."""
    orders = ", your orders" if has_orders else ""
    lines = [f"Everything fits: seal, secret, seed{orders}, {roll_count} rolls."]
    for entry in now["dice"].get("renewed", []):
        moment = f"{entry['at']} ({entry['why']})"
        lines.append(f"It was taken back on {moment}: the letter of then must name {entry['sealed']}.")
        if entry["reopened"]:
            lines.append(f"New orders were accepted: {entry['reopened']}")
    return lines


def main():
    parser = argparse.ArgumentParser(description="Check the dice of a turn.")
    for name in ("results", "before", "--orders", "--rolls"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    now = read_results(options.results)
    before = read_results(options.before)
    orders = options.orders.read_bytes() if options.orders else None
    published = options.rolls.read_text(encoding="utf-8").splitlines() if options.rolls else []
    # the first line of dice.jsonl is its head
    rolls = [*now["rolls"], *map(json.loads, published[1:])]
    found = list(problems(now, before, orders, rolls))
    lines = found or what_fits(now, len(rolls), has_orders=bool(orders))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
