"""Propose handicaps that make a map of Medieval Diplomacy fair.

``python -m maps.builder.handicaps maps/medieval/hexland`` plays some hundred games between equals and
proposes how much more or less each realm has at the start; ``--write`` puts it where it belongs: into
``handicaps`` of ``source/garrisons.yaml``, from which the start is built anew, or, on a map without sources,
into the treasuries of ``start.yaml``.

After each round of games, played from the start proposed last, a realm's handicap moves by the logarithm of
how far its share of success is from the fair one, by less in each round; what is proposed at last is the mean
of the later half. A share of success is half of having won, or led, and half of how near the score came to
the best.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log
from operator import itemgetter
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from gm.core.yaml.models import load_data
from gm.games.medieval.data.map_check import START_FILE
from gm.games.medieval.spec import MedievalGame
from gm.simulation.plan import Plan, derive_seed, make_plan
from gm.simulation.processes import run_in_processes
from maps.builder.sources import RECIPES, start_text

SPEC = MedievalGame()
STEP = 40.0
"""Gold by which the first round moves a realm that has 1/e of its fair share."""
LEAST = 0.2
"""A share below this part of the fair one counts as this part: a round has few games."""
APART = 70
"""How far two handicaps lie apart at most: the check of maps warns of 15% of what a realm is worth."""
COIN = 2
"""Handicaps are multiples of this."""
Gold = Mapping[str, float]
"""The handicap of each realm, or its treasury on a map without sources, by code."""

_TREASURY = re.compile(r"^(?P<head>  (?P<code>[A-Z]{3}): \{treasury: )(?P<gold>\d+)", re.MULTILINE)
_HANDICAPS = re.compile(r"^handicaps: \{.*?\}\n", re.MULTILINE | re.DOTALL)
_WORTH = re.compile(r"^(worth: .*\n)", re.MULTILINE)


def begun_with(folder: Path) -> dict[str, float]:
    """Return what each realm of a map has now: its handicap, or its treasury on a map without sources."""
    start = _text(folder / START_FILE)
    treasuries = {match["code"]: float(match["gold"]) for match in _TREASURY.finditer(start)}
    if not _has_sources(folder):
        return treasuries
    recipes, _ = load_data(folder / RECIPES)
    handicaps = recipes.get("handicaps", {})
    return {code: float(handicaps.get(code, 0)) for code in treasuries}


def begun_by(folder: Path, gold: Gold) -> str:
    """Return the text of start.yaml with these handicaps, or with these treasuries."""
    if _has_sources(folder):
        return start_text(folder, gold)

    def with_treasury(match: re.Match[str]) -> str:
        """Return a realm's line up to its treasury, which is replaced."""
        return f"{match['head']}{max(0, round(gold[match['code']]))}"

    return _TREASURY.sub(with_treasury, _text(folder / START_FILE))


def write(folder: Path, gold: Gold) -> None:
    """Put handicaps into a map's sources, if there are any, and into its start."""
    start = begun_by(folder, gold)
    if _has_sources(folder):
        recipes = folder / RECIPES
        recipes.write_text(_with_handicaps(_text(recipes), gold), "utf-8")
    (folder / START_FILE).write_text(start, "utf-8", newline="\n")


def _with_handicaps(text: str, gold: Gold) -> str:
    """Return the text of garrisons.yaml with other handicaps; without any before, they go below ``worth``."""
    fields = [f"{code}: {round(amount)}" for code, amount in gold.items() if round(amount)]
    line = f"handicaps: {{{', '.join(fields)}}}\n"
    replaced, count = _HANDICAPS.subn(line, text)
    if count:
        return replaced
    return _WORTH.sub(rf"\1{line}", text)


def shares(record: Mapping[str, Any]) -> dict[str, float]:
    """Return how near each realm was to winning a game, by code; together they are 1.

    ``record`` is a game of a simulation: its ``realms`` with their ``figures`` (the score first, turn by
    turn), ``winners`` and ``leaders``.
    """
    scores = {code: realm["figures"][-1][0] for code, realm in record["realms"].items()}
    spread = pstdev(scores.values()) or 1.0
    best = max(scores.values())
    nearness = {code: exp((score - best) / spread) for code, score in scores.items()}
    total = sum(nearness.values())
    first = record["winners"] or record["leaders"] or list(scores)
    return {code: (nearness[code] / total + (code in first) / len(first)) / 2 for code in scores}


def moved(gold: Gold, games: Sequence[Mapping[str, float]], step: float) -> dict[str, float]:
    """Return the handicaps after a round: more for who had less than a fair share.

    Their sum stays, and none is too far from it. ``games``: the share of each realm in each game.
    """
    fair_share = 1 / len(gold)
    wishes: dict[str, float] = {}
    for code, amount in gold.items():
        success = fmean(game[code] for game in games) / fair_share
        wishes[code] = amount - step * log(max(LEAST, success))
    middle = fmean(gold.values())
    excess = fmean(wishes.values()) - middle
    handicaps: dict[str, float] = {}
    for code, wish in wishes.items():
        change = max(-APART / 2, min(APART / 2, wish - excess - middle))
        handicaps[code] = middle + change
    return handicaps


def coined(gold: Gold) -> dict[str, float]:
    """Return handicaps in whole coins."""
    return {code: COIN * round(amount / COIN) for code, amount in gold.items()}


def rounds_of(plan: Plan, folder: Path, rounds: int, games: int, jobs: int) -> Iterator[dict[str, float]]:
    """Yield the handicaps proposed after each round; the last ones are the mean of the later half.

    ``games``: how many a round has; ``jobs``: how many processes play them.
    """
    gold = begun_with(folder)
    later_half: list[Gold] = []
    for number in range(1, rounds + 1):
        start = begun_by(folder, coined(gold)).encode()
        seed = derive_seed(plan.seed, "round", number)
        round_plan = replace(plan, files={**plan.files, START_FILE: start}, seed=seed)
        records = run_in_processes(round_plan, round_plan.jobs(games), jobs)
        in_order = sorted(records, key=itemgetter("game"))
        gold = moved(gold, [shares(record) for record in in_order], STEP / number**0.5)
        if number * 2 > rounds:
            later_half.append(gold)
        if number < rounds:
            yield coined(gold)
        else:
            yield coined(_means(later_half))


def _means(golds: Sequence[Gold]) -> dict[str, float]:
    """Return the mean of several handicaps of each realm."""
    return {code: fmean(gold[code] for gold in golds) for code in golds[0]}


def _has_sources(folder: Path) -> bool:
    """Return whether the start of a map is built from recipes."""
    return (folder / RECIPES).exists()


def _text(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text("utf-8")


def read_options(words: Sequence[str]) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m maps.builder.handicaps")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--games", type=int, default=60, help="how many a round has")
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--bots", default="builder,conqueror,raider")
    parser.add_argument("--seed", default="handicaps")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> None:
    """Propose handicaps for the map of the folder that the command line names; write them if it asks so."""
    options = read_options(words)
    folder = options.folder
    plan, _ = make_plan(SPEC, folder, bots=options.bots, turns=options.turns, seed=options.seed)
    gold: Gold = begun_with(folder)
    for gold in rounds_of(plan, folder, options.rounds, options.games, options.jobs):
        print("   ".join(f"{code} {amount:g}" for code, amount in gold.items()), flush=True)  # noqa: T201
    if options.write:
        write(folder, gold)


if __name__ == "__main__":
    main(sys.argv[1:])
