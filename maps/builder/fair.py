"""Propose treasuries that make a map of Conqueror! fair.

``python -m maps.builder.fair maps/conqueror/europe859`` plays some hundred games between equals and proposes
what each seat begins with; ``--write`` puts it into ``fair`` of the map. It needs the extra ``maps``.

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
HEAT = 60.0
"""A score so much lower is e times less likely to be the best the next time."""
STRAY = 0.3
"""The share of itself by which a treasury strays."""
LEAST = 30
"""The gold by which a treasury strays at least."""
SLOPE = 0.7
"""What a hundred gold add to a utility before any game was played."""
SURE = 6.0
"""How many games say so."""
SURE_OF_UTILITY = 0.1
"""How many games say that the utilities are 0."""
WORTH = 0.25
"""What a hundred gold are reckoned to add at least."""
MOST = 60.0
"""A treasury moves at most by so much gold in a round."""
STEPS = 12
"""Newton's method needs no more."""
COIN = 5
"""Treasuries are multiples of this."""

Gold = Mapping[str, float]
"""The treasury of each seat, by code."""
_FAIR = re.compile(r"^fair:\n(?:  .*\n)+", re.MULTILINE)


def begun_with(board: Board, rules: Rules) -> dict[str, float]:
    """Return what gold each home begins with, by code."""
    return {code: board.fair.get(code, StartFile()).of(rules.start, "gold") for code in board.homes}


def coined(gold: Gold) -> dict[str, int]:
    """Return treasuries in whole coins, none below zero."""
    return {code: COIN * max(0, round(amount / COIN)) for code, amount in gold.items()}


def written(text: str, board: Board, gold: Gold) -> str:
    """Return the text of a map with other treasuries."""
    starts = {code: start.model_dump(exclude_none=True) for code, start in board.fair.items()}
    for code, amount in coined(gold).items():
        starts.setdefault(code, {})["gold"] = amount
    section = "fair:\n"
    for code, start in starts.items():
        fields = [f"{name}: {value}" for name, value in start.items()]
        section += f"  {code}:  {{{', '.join(fields)}}}\n"
    if not _FAIR.search(text):
        return f"{text}{section}"
    return _FAIR.sub(section, text)


def shares(record: Mapping[str, Any]) -> list[float]:
    """Return how near each seat was to winning a game, in the order of seats; together they are 1.

    ``record`` is a game of a simulation: its ``realms`` with their ``figures`` (the score first, turn by
    turn), ``winners`` and ``leaders``.
    """
    scores = {code: realm["figures"][-1][0] for code, realm in sorted(record["realms"].items())}
    best = max(scores.values())
    nearness = {code: exp((score - best) / HEAT) for code, score in scores.items()}
    total = sum(nearness.values())
    first = record["winners"] or record["leaders"] or list(scores)
    return [(nearness[code] / total + (code in first) / len(first)) / 2 for code in scores]


def fair_gold(played: Sequence[Gold], shared: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return the treasuries at which all seats win alike, by a logit that is fitted to games.

    ``played``: the treasuries of each game; ``shared``: the shares of its seats, by the alphabet of their
    codes. The treasuries' sum is the mean of those that were played.
    """
    import numpy as np

    codes = sorted(played[0])
    hundreds = [[gold[code] / 100 for code in codes] for gold in played]
    gold_of_games = np.array(hundreds)
    middle = gold_of_games.mean(0)
    fitted = _fitted(gold_of_games - middle, np.array(shared))
    utilities = fitted[: len(codes)]
    worths = np.maximum(fitted[len(codes) :], WORTH)
    goal = (utilities / worths).sum() / (1 / worths).sum()
    treasuries = 100 * (middle + (goal - utilities) / worths)
    return dict(zip(codes, treasuries.tolist(), strict=True))


def _fitted(gold: Any, share: Any) -> Any:
    """Return a logit's parameters, fitted by Newton's method: all seats' utilities, then all their slopes.

    ``gold``: hundreds of gold more than the mean, an array of games and seats; ``share``: the seats' shares
    of the games. Utilities, which are those at the mean, and slopes are drawn to what is known beforehand.
    """
    import numpy as np

    seats = gold.shape[1]
    before = np.repeat((0.0, SLOPE), seats)
    sure = np.repeat((SURE_OF_UTILITY, SURE), seats)
    parameters = before
    for _ in range(STEPS):
        weights = np.exp(parameters[:seats] + parameters[seats:] * gold)
        chance = weights / weights.sum(1, keepdims=True)
        excess = chance - share
        gradient = np.concatenate([excess.sum(0), (excess * gold).sum(0)]) + sure * (parameters - before)
        curvature = _curvature(gold, chance) + np.diag(sure)
        parameters = parameters - np.linalg.solve(curvature, gradient)
    return parameters


def _curvature(gold: Any, chance: Any) -> Any:
    """Return the second derivatives of a logit's loss by its utilities and slopes, as a square array.

    ``gold`` and ``chance``: arrays of games and seats.
    """
    import numpy as np

    diagonals = np.einsum("gi,ij->gij", chance, np.eye(gold.shape[1]))
    by_game = diagonals - np.einsum("gi,gj->gij", chance, chance)
    of_utilities = by_game.sum(0)
    of_both = np.einsum("gij,gj->ij", by_game, gold)
    of_slopes = np.einsum("gij,gi,gj->ij", by_game, gold, gold)
    return np.block([[of_utilities, of_both], [of_both.T, of_slopes]])


def strayed(gold: Gold, seed: str) -> dict[str, int]:
    """Return treasuries that stray by chance around others, in whole coins."""
    chance = Dice(seed)("stray").below
    strays = {}
    for code, amount in sorted(gold.items()):
        percent = chance(201) - 100
        strays[code] = max(LEAST, STRAY * amount) * percent / 100
    return coined({code: amount + strays[code] for code, amount in gold.items()})


def rounds_of(plan: Plan, board: Board, rounds: int, games: int, jobs: int) -> Iterator[dict[str, float]]:
    """Yield the treasuries proposed after each round.

    ``games``: how many a round has; ``jobs``: how many processes play them.
    """
    gold = begun_with(board, SPEC.read_rules())
    text = plan.files[MAP_FILE].decode()
    played: list[Gold] = []
    shared: list[list[float]] = []
    for number in range(1, rounds + 1):
        seed = derive_seed(plan.seed, "round", number)
        treasuries = strayed(gold, seed)
        files = {**plan.files, MAP_FILE: written(text, board, treasuries).encode()}
        round_plan = replace(plan, files=files, seed=seed)
        records = run_in_processes(round_plan, round_plan.jobs(games), jobs)
        # records come in any order: sorted, the same seeds propose the same
        shared += sorted(shares(record) for record in records)
        played += [treasuries] * games
        gold = _moved(gold, fair_gold(played, shared))
        yield gold


def _moved(gold: Gold, wishes: Gold) -> dict[str, float]:
    """Return treasuries moved to what is wished, by ``MOST`` at most, none below zero."""
    treasuries: dict[str, float] = {}
    for code, amount in gold.items():
        change = min(MOST, max(-MOST, wishes[code] - amount))
        treasuries[code] = max(0.0, amount + change)
    return treasuries


def read_options(words: Sequence[str]) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m maps.builder.fair", description="Treasuries that make a map fair."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--games", type=int, default=12, help="how many a round has")
    parser.add_argument("--bots", default="sovereign")
    parser.add_argument("--seed", default="balance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> None:
    """Propose treasuries for the map of the folder that the command line names; write them if it asks so."""
    options = read_options(words)
    file = options.folder / MAP_FILE
    rules = SPEC.read_rules()
    board = Board.model_validate(SPEC.read_board(file))
    plan, _ = make_plan(SPEC, options.folder, bots=options.bots, turns=rules.limits.turns, seed=options.seed)
    gold: Gold = begun_with(board, rules)
    for gold in rounds_of(plan, board, options.rounds, options.games, options.jobs):
        line = "   ".join(f"{code} {amount}" for code, amount in coined(gold).items())
        print(line, flush=True)  # noqa: T201
    if options.write:
        file.write_text(written(file.read_text("utf-8"), board, gold), "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
