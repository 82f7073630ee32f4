"""Treasuries that make a map of Conqueror! fair: ``python -m maps.builder.fair maps/conqueror/europe859``
plays some hundred games between equals and proposes what each seat begins with; ``--write`` puts it into
``fair`` of the map. It needs the extra ``maps``.

Each round plays some games on fresh seeds with treasuries that stray around those proposed, and fits a
multinomial logit to all games so far: a seat's utility is linear in its gold, and where all utilities are
equal, so are chances. Half of what is fitted are wins, the other half is what the final scores say of who was
near to winning, which tells more for each game. What gold cannot mend, since nobody begins with less than
none, is left to who writes the map: people and armies of a home, the garrisons beside it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

from gm.core.dice import Dice
from gm.game.spec import MAP_FILE
from gm.games.conqueror.land import Board, StartFile
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.spec import ConquerorGame
from gm.simulation.plan import Plan, derive_seed, make_plan
from gm.simulation.processes import run_in_processes

SPEC = ConquerorGame()
HEAT = 60.0  # A score so much lower is e times less likely to be the best the next time
STRAY, LEAST = 0.3, 30  # Treasuries stray by this share of themselves, at least by so much gold
# What a hundred gold add to a utility before any game was played, and how many games say so
SLOPE, SURE = 0.7, 6.0
WORTH = 0.25  # They are reckoned to add at least so much
MOST = 60.0  # A treasury moves at most by so much gold in a round
STEPS = 12  # Newton's method needs no more
COIN = 5  # Treasuries are multiples of this

Gold = Mapping[str, float]  # By seat
_FAIR = re.compile(r"^fair:\n(?:  .*\n)+", re.MULTILINE)


def begun_with(board: Board, rules: Rules) -> dict[str, float]:
    """What each home begins with."""
    return {code: board.fair.get(code, StartFile()).of(rules.start, "gold") for code in board.homes}


def coined(gold: Gold) -> dict[str, int]:
    """Treasuries in whole coins, none below zero."""
    return {code: COIN * max(0, round(much / COIN)) for code, much in gold.items()}


def written(text: str, board: Board, gold: Gold) -> str:
    """The text of a map with other treasuries."""
    fair = {code: each.model_dump(exclude_none=True) for code, each in board.fair.items()}
    for code, much in coined(gold).items():
        fair[code] = {**fair.get(code, {}), "gold": much}
    starts = {code: ", ".join(f"{name}: {each}" for name, each in own.items()) for code, own in fair.items()}
    section = "fair:\n" + "".join(f"  {code}:  {{{own}}}\n" for code, own in starts.items())
    return _FAIR.sub(section, text) if _FAIR.search(text) else f"{text}{section}"


def shares(record: Mapping[str, Any]) -> list[float]:
    """How near each seat was to winning a game, in the order of seats; together they are 1."""
    scores = {code: realm["figures"][-1][0] for code, realm in sorted(record["realms"].items())}
    near = {code: exp((score - max(scores.values())) / HEAT) for code, score in scores.items()}
    first, total = record["winners"] or record["leaders"] or list(scores), sum(near.values())
    return [(near[code] / total + (code in first) / len(first)) / 2 for code in scores]


def fair_gold(played: Sequence[Gold], shared: Sequence[Sequence[float]]) -> dict[str, float]:
    """The treasuries at which a logit, fitted to those that were played and the shares of each game, has all
    seats win alike. Their sum is the mean of those that were played.
    """
    import numpy as np

    codes = sorted(played[0])
    gold, share = (
        np.array(each) for each in ([[game[code] / 100 for code in codes] for game in played], shared)
    )
    middle, seats = gold.mean(0), np.eye(len(codes))
    gold = gold - middle
    # utilities at the middle, and slopes, which are drawn to what is known of them beforehand
    before, sure = (np.repeat(each, len(codes)) for each in ((0.0, SLOPE), (0.1, SURE)))
    found = before
    for _ in range(STEPS):
        weights = np.exp(found[: len(codes)] + found[len(codes) :] * gold)
        chance = weights / weights.sum(1, keepdims=True)
        over = chance - share
        slope = np.concatenate([over.sum(0), (over * gold).sum(0)]) + sure * (found - before)
        each = np.einsum("gi,ij->gij", chance, seats) - np.einsum("gi,gj->gij", chance, chance)
        cross = np.einsum("gij,gj->ij", each, gold)
        curve = np.block([[each.sum(0), cross], [cross.T, np.einsum("gij,gi,gj->ij", each, gold, gold)]])
        found = found - np.linalg.solve(curve + np.diag(sure), slope)
    utility, worth = found[: len(codes)], np.maximum(found[len(codes) :], WORTH)
    goal = (utility / worth).sum() / (1 / worth).sum()
    return dict(zip(codes, (100 * (middle + (goal - utility) / worth)).tolist(), strict=True))


def strayed(gold: Gold, seed: str) -> dict[str, int]:
    """Treasuries around others."""
    chance = Dice(seed)("stray").below
    found = {
        code: max(LEAST, STRAY * much) * (chance(201) - 100) / 100 for code, much in sorted(gold.items())
    }
    return coined({code: much + found[code] for code, much in gold.items()})


def rounds_of(plan: Plan, board: Board, rounds: int, games: int, jobs: int) -> Iterator[dict[str, float]]:
    """The treasuries proposed after each round."""
    gold, text = begun_with(board, SPEC.read_rules()), plan.files[MAP_FILE].decode()
    played, shared = list[Gold](), list[list[float]]()
    for number in range(1, rounds + 1):
        own = derive_seed(plan.seed, "round", number)
        begun = strayed(gold, own)
        files = {**plan.files, MAP_FILE: written(text, board, begun).encode()}
        own_plan = replace(plan, files=files, seed=own)
        found = [shares(record) for record in run_in_processes(own_plan, own_plan.jobs(games), jobs)]
        played, shared = [*played, *[begun] * games], [*shared, *sorted(found)]
        wished = fair_gold(played, shared)
        gold = {
            code: max(0.0, much + min(MOST, max(-MOST, wished[code] - much))) for code, much in gold.items()
        }
        yield gold


def main(words: Sequence[str]) -> None:
    """Propose treasuries for the map of the folder named on the command line, and write them if that is
    asked for.
    """
    reader = argparse.ArgumentParser(
        prog="python -m maps.builder.fair", description="Treasuries that make a map fair."
    )
    reader.add_argument("folder", type=Path)
    reader.add_argument("--rounds", type=int, default=40)
    reader.add_argument("--games", type=int, default=12, help="how many a round has")
    reader.add_argument("--bots", default="sovereign")
    reader.add_argument("--seed", default="balance")
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--write", action="store_true")
    asked = reader.parse_args(words)
    file, turns = asked.folder / MAP_FILE, SPEC.read_rules().limits.turns
    board = Board.model_validate(SPEC.read_board(file))
    plan, _ = make_plan(SPEC, asked.folder, bots=asked.bots, turns=turns, seed=asked.seed)
    gold: Gold = begun_with(board, SPEC.read_rules())
    for gold in rounds_of(plan, board, asked.rounds, asked.games, asked.jobs):
        print("   ".join(f"{code} {much}" for code, much in coined(gold).items()), flush=True)  # noqa: T201
    if asked.write:
        file.write_text(written(file.read_text("utf-8"), board, gold), "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
