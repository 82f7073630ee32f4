"""Handicaps that make a map of Medieval Diplomacy fair: ``python -m maps.builder.handicaps
maps/medieval/hexland`` plays some hundred games between equals and proposes how much more or less each realm
has at the start; ``--write`` puts it where it belongs: into ``handicaps`` of ``source/garrisons.yaml``, from
which the start is built anew, or, on a map without sources, into the treasuries of ``start.yaml``.

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
STEP = 40.0  # Gold by which the first round moves a realm that has 1/e of its fair share
LEAST = 0.2  # A share below this part of the fair one counts as this part: a round has few games
# No two handicaps lie so much further apart: the check of maps warns of 15% of what a realm is worth
APART = 70
COIN = 2  # Handicaps are multiples of this
Gold = Mapping[str, float]  # By realm

_TREASURY = re.compile(r"^(?P<head>  (?P<code>[A-Z]{3}): \{treasury: )(?P<gold>\d+)", re.MULTILINE)
_HANDICAPS = re.compile(r"^handicaps: \{.*?\}\n", re.MULTILINE | re.DOTALL)


def begun_with(folder: Path) -> dict[str, float]:
    """What each realm has now: its handicap, or its treasury on a map without sources."""
    treasuries = {
        each["code"]: float(each["gold"]) for each in _TREASURY.finditer(_text(folder / START_FILE))
    }
    if not (folder / RECIPES).exists():
        return treasuries
    recipes, _ = load_data(folder / RECIPES)
    return {code: float(recipes.get("handicaps", {}).get(code, 0)) for code in treasuries}


def begun_by(folder: Path, gold: Gold) -> str:
    """The text of start.yaml for others."""
    if (folder / RECIPES).exists():
        return start_text(folder, gold)
    start = _text(folder / START_FILE)
    return _TREASURY.sub(lambda each: f"{each['head']}{max(0, round(gold[each['code']]))}", start)


def write(folder: Path, gold: Gold) -> None:
    """Put others into the sources, if there are any, and into the start."""
    start = begun_by(folder, gold)
    if (path := folder / RECIPES).exists():
        line = (
            "handicaps: "
            f"{{{', '.join(f'{code}: {round(much)}' for code, much in gold.items() if round(much))}}}\n"
        )
        text, found = _HANDICAPS.subn(line, _text(path))
        path.write_text(
            text if found else re.sub("^(worth: .*\n)", rf"\1{line}", text, flags=re.MULTILINE), "utf-8"
        )
    (folder / START_FILE).write_text(start, "utf-8", newline="\n")


def shares(record: Mapping[str, Any]) -> dict[str, float]:
    """How near each realm was to winning a game; together they are 1."""
    scores = {code: realm["figures"][-1][0] for code, realm in record["realms"].items()}
    spread = pstdev(scores.values()) or 1.0
    near = {code: exp((score - max(scores.values())) / spread) for code, score in scores.items()}
    first, total = record["winners"] or record["leaders"] or list(scores), sum(near.values())
    return {code: (near[code] / total + (code in first) / len(first)) / 2 for code in scores}


def moved(gold: Gold, games: Sequence[Mapping[str, float]], step: float) -> dict[str, float]:
    """Handicaps after a round: more for who had less than his share.

    Their sum stays, and none is too far from it.
    """
    fair = 1 / len(gold)
    success = {code: max(LEAST, fmean(game[code] for game in games) / fair) for code in gold}
    wished = {code: much - step * log(success[code]) for code, much in gold.items()}
    middle = fmean(gold.values())
    over = fmean(wished.values()) - middle
    return {
        code: middle + max(-APART / 2, min(APART / 2, much - over - middle)) for code, much in wished.items()
    }


def coined(gold: Gold) -> dict[str, float]:
    """Handicaps in whole coins."""
    return {code: COIN * round(much / COIN) for code, much in gold.items()}


def rounds_of(plan: Plan, folder: Path, rounds: int, games: int, jobs: int) -> Iterator[dict[str, float]]:
    """The handicaps proposed after each round; the last ones are the mean of the later half."""
    gold, later = begun_with(folder), list[Gold]()
    for number in range(1, rounds + 1):
        own = derive_seed(plan.seed, "round", number)
        files = {**plan.files, START_FILE: begun_by(folder, coined(gold)).encode()}
        own_plan = replace(plan, files=files, seed=own)
        played = sorted(
            run_in_processes(own_plan, own_plan.jobs(games), jobs), key=lambda record: record["game"]
        )
        gold = moved(gold, [shares(record) for record in played], STEP / number**0.5)
        later = [*later, gold] if number * 2 > rounds else later
        last = {code: fmean(each[code] for each in later) for code in gold} if number == rounds else gold
        yield coined(last)


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def main(words: Sequence[str]) -> None:
    """Propose handicaps for the map of the folder named on the command line, and write them if that is
    asked for.
    """
    reader = argparse.ArgumentParser(prog="python -m maps.builder.handicaps")
    reader.add_argument("folder", type=Path)
    reader.add_argument("--rounds", type=int, default=12)
    reader.add_argument("--games", type=int, default=60, help="how many a round has")
    reader.add_argument("--turns", type=int, default=60)
    reader.add_argument("--bots", default="builder,conqueror,raider")
    reader.add_argument("--seed", default="handicaps")
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--write", action="store_true")
    asked = reader.parse_args(words)
    plan, _ = make_plan(SPEC, asked.folder, bots=asked.bots, turns=asked.turns, seed=asked.seed)
    gold: Gold = begun_with(asked.folder)
    for gold in rounds_of(plan, asked.folder, asked.rounds, asked.games, asked.jobs):
        print("   ".join(f"{code} {much:g}" for code, much in gold.items()), flush=True)  # noqa: T201
    if asked.write:
        write(asked.folder, gold)


if __name__ == "__main__":
    main(sys.argv[1:])
