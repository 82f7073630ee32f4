"""``python -m bench --exponents``: how what commands cost grows with a game's turns and realms.

For each command the tables show the costs at three sizes in P, an empty Python start, by the processor's
time, with the least and the most of the runs; the costs in calls of functions, which are the same on every
machine; and the exponent ``k`` of the calls: the one with which ``a + b * size ** k`` has the three costs. A
command whose costs do not grow has none.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.timing import EMPTY, empty_starts, gm, median_processor, once

TURNS = (10, 100, 300)
REALMS = (4, 23, 100)
RUNS = 3
FLAT = 1.1
"""A command that costs no more than so many times as much at the largest size does not grow."""
HALVINGS = 60
"""How often the range of an exponent is halved."""
COUNT_CALLS = """
import cProfile, pstats, sys
from click.testing import CliRunner
from gm.cli.app import gm
profile = cProfile.Profile()
result = profile.runcall(CliRunner().invoke, gm, sys.argv[1:], prog_name="pbem")
if result.exit_code:
    raise SystemExit(result.output)
print(pstats.Stats(profile).total_calls)
"""
PLAY_TURNS = """
import sys
from click.testing import CliRunner
from gm.cli.app import gm
for _ in range(int(sys.argv[2])):
    words = ["turn", "--no-html", "--missing-ok", "--game", sys.argv[1]]
    result = CliRunner().invoke(gm, words, prog_name="pbem")
    if result.exit_code:
        raise SystemExit(result.output)
"""
COMMANDS = {
    "turn --no-html": ("turn", "--no-html", "--missing-ok", "--early"),
    "turn": ("turn", "--missing-ok", "--early"),
    "status": ("status",),
    "verify": ("verify",),
    "verify --replay": ("verify", "--replay"),
    "history": ("history",),
    "publish": ("publish", "SITE"),
}
"""The words of each command by its name; ``publish`` runs for the first time: it writes all turns."""


def show_exponents() -> None:
    """Measure the growth with turns and with realms and print a table of each."""
    with tempfile.TemporaryDirectory(prefix="gm-exponents-") as folder:
        show("turns", long_games(Path(folder)), list(COMMANDS))
        show("realms", wide_games(Path(folder)), ["turn --no-html", "turn", "status"])


def show(unit: str, games: dict[int, Path], names: Sequence[str]) -> None:
    """Print a table with a line for each command of ``names``.

    ``games``: those of each size, in ``unit``; ``names``: keys of ``COMMANDS``.
    """
    sizes = ", ".join(map(str, games))
    print(f"\n| command | P at {sizes} {unit} | thousand calls | exponent |\n|---|---|---|---|")
    for name in names:
        print(command_line(name, games), flush=True)


def command_line(name: str, games: dict[int, Path]) -> str:
    """Measure a command on games by their size; return its line of the table."""
    times = [in_p(name, game) for game in games.values()]
    calls = [count_calls(name, game) for game in games.values()]
    time_texts = [f"{statistics.median(runs):.0f} ({min(runs):.0f}-{max(runs):.0f})" for runs in times]
    thousands = [f"{count / 1000:,.0f}" for count in calls]
    growth = exponent_text(exponent(list(games), calls))
    return f"| `{name}` | {'; '.join(time_texts)} | {', '.join(thousands)} | {growth} |"


def long_games(scratch: Path) -> dict[int, Path]:
    """Return a game on the smallest map in which nobody orders anything, by the number of turns played."""
    game = scratch / "long"
    seats = []
    for realm in ("LIT", "NOV", "POL", "TEU"):
        seats += ["--player", f"{realm}={realm}@example.org"]
    once(gm("new", game, "--seed", "bench", "--key-secret", "bench", "--every", "none", *seats))
    games = {}
    played = 0
    for turns in TURNS:
        once([EMPTY[0], "-c", PLAY_TURNS, str(game), str(turns - played)])
        played = turns
        games[turns] = Path(shutil.copytree(game, scratch / f"long-{turns}"))
    return games


def wide_games(scratch: Path) -> dict[int, Path]:
    """Return games by the number of realms, each of which has as much as one of Europe and orders as much."""
    games = {}
    for realms in REALMS:
        making = once([EMPTY[0], "-m", "bench.generated", "1", "mostly land", str(scratch), str(realms)])
        games[realms] = Path(making.said.strip())
    return games


def in_p(name: str, game: Path) -> list[float]:
    """Return the processor's time of a command in P, of some runs on copies of a game."""
    times = []
    for copy in copies(game, RUNS):
        p = median_processor(empty_starts(3))
        times.append(once(gm(*words_on(name, copy))).processor / p)
    return times


def count_calls(name: str, game: Path) -> int:
    """Return how many functions are called for a command in a process of its own."""
    copy = next(copies(game, 1))
    counting = once([EMPTY[0], "-c", COUNT_CALLS, *words_on(name, copy)])
    return int(counting.said.splitlines()[-1])


def copies(game: Path, number: int) -> Iterator[Path]:
    """Yield a fresh copy of a game so many times; the one before it is gone."""
    place = game.with_name(f"{game.name}-copy")
    for _ in range(number):
        shutil.rmtree(place, ignore_errors=True)
        yield Path(shutil.copytree(game, place / "game"))


def words_on(name: str, game: Path) -> list[str]:
    """Return the words of a command for a game; a site is made beside it."""
    words = [str(game.with_name("site")) if word == "SITE" else word for word in COMMANDS[name]]
    return [*words, "--game", str(game)]


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float | None:
    """Return ``k`` of ``a + b * size ** k`` through three costs; none if they do not grow."""
    first, middle, last = costs
    if middle <= first or last <= FLAT * first:
        return None
    goal = (last - middle) / (middle - first)
    least = 0.01
    most = 4.0
    for _ in range(HALVINGS):
        k = (least + most) / 2
        small, medium, large = (size**k for size in sizes)
        if (large - medium) / (medium - small) < goal:
            least = k
        else:
            most = k
    return k


def exponent_text(growth: float | None) -> str:
    """Return an exponent in words."""
    return "does not grow" if growth is None else f"{growth:.2f}"
