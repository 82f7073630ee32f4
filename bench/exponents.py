"""``python -m bench --exponents``: how what commands cost grows with a game's turns and realms.

Of each command the costs at three sizes are told in P, an empty Python start, by the processor's time, with
the least and the most of the runs; the costs in calls of functions, which are the same on every machine; and
the exponent
``k`` of the calls: the one with which ``a + b * size ** k`` has the three costs. A command whose costs do not
grow has none.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.timing import EMPTY, empty_starts, gm, once

TURNS = (10, 100, 300)
REALMS = (4, 23, 100)
RUNS = 3
FLAT = 1.1
"""Who takes no more than so many times as much at the largest size does not grow."""
COUNT = """
import cProfile, pstats, sys
from click.testing import CliRunner
from gm.cli.app import gm
profile = cProfile.Profile()
result = profile.runcall(CliRunner().invoke, gm, sys.argv[1:], prog_name="pbem")
if result.exit_code:
    raise SystemExit(result.output)
print(pstats.Stats(profile).total_calls)
"""
PLAY = """
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
"""The words of each; of ``publish`` the first time, when all turns are told."""


def show_exponents() -> None:
    """Measure the growth with turns and with realms and print a table of each."""
    with tempfile.TemporaryDirectory(prefix="gm-exponents-") as folder:
        show("turns", long_games(Path(folder)), list(COMMANDS))
        show("realms", wide_games(Path(folder)), ["turn --no-html", "turn", "status"])


def show(what: str, games: dict[int, Path], names: Sequence[str]) -> None:
    """Print a line for each command."""
    sizes = list(games)
    print(
        f"\n| command | P at {', '.join(map(str, sizes))} {what} | thousand calls | exponent "
        "|\n|---|---|---|---|"
    )
    for name in names:
        times = [in_p(name, game) for game in games.values()]
        counted = [calls(name, game) for game in games.values()]
        shown = "; ".join(
            f"{statistics.median(each):.0f} ({min(each):.0f}-{max(each):.0f})" for each in times
        )
        thousands = ", ".join(f"{each / 1000:,.0f}" for each in counted)
        print(f"| `{name}` | {shown} | {thousands} | {told(exponent(sizes, counted))} |", flush=True)


def long_games(scratch: Path) -> dict[int, Path]:
    """Return a game on the smallest map in which nobody orders anything, after each of the numbers of
    turns.
    """
    game = scratch / "long"
    seats = [
        word
        for realm in ("LIT", "NOV", "POL", "TEU")
        for word in ("--player", f"{realm}={realm}@example.org")
    ]
    once(gm("new", game, "--seed", "bench", "--key-secret", "bench", "--every", "none", *seats))
    found = {}
    played = 0
    for turns in TURNS:
        once([EMPTY[0], "-c", PLAY, str(game), str(turns - played)])
        played = turns
        found[turns] = Path(shutil.copytree(game, scratch / f"long-{turns}"))
    return found


def wide_games(scratch: Path) -> dict[int, Path]:
    """Return games whose realms have as much each as one of Europe, with the orders of all of them."""
    made = {}
    for realms in REALMS:
        said = once([EMPTY[0], "-m", "bench.generated", "1", "mostly land", str(scratch), str(realms)]).said
        made[realms] = Path(said.strip())
    return made


def in_p(name: str, game: Path) -> list[float]:
    """Return the processor's time of a command in P, of some runs on copies of a game."""
    found = []
    for copy in copies(game, RUNS):
        empty = statistics.median(run.processor for run in empty_starts(3))
        found.append(once(gm(*words_on(name, copy))).processor / empty)
    return found


def calls(name: str, game: Path) -> int:
    """Return how many functions are called for a command in a process of its own."""
    copy = next(copies(game, 1))
    return int(once([EMPTY[0], "-c", COUNT, *words_on(name, copy)]).said.splitlines()[-1])


def copies(game: Path, number: int) -> Iterator[Path]:
    """Yield a fresh copy of a game so many times."""
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
    wanted = (last - middle) / (middle - first)
    least = 0.01
    most = 4.0
    for _ in range(60):
        k = (least + most) / 2
        small, medium, large = (size**k for size in sizes)
        if (large - medium) / (medium - small) < wanted:
            least = k
        else:
            most = k
    return k


def told(found: float | None) -> str:
    """Return an exponent in words."""
    return "does not grow" if found is None else f"{found:.2f}"
