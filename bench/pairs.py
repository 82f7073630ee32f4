"""``python -m bench --against OTHER``: two states of the program compared, the other's by its checkout.

Both are run in turn, five pairs of each command, now this one first and now the other: what disturbs the
machine for a while falls on both. What is printed is the ratio of the processor's time, this state to the
other: the median of the pairs, and the least and the most of them. Each checkout needs its own ``.venv``.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.timing import EMPTY, gm, once

HERE = Path(__file__).resolve().parent.parent
PAIRS = 5
Command = Callable[[Path], Sequence[str]]
"""A command of the checkout in a folder."""


def show_pairs(other: Path) -> None:
    """Compare a few commands with those of another checkout and print the ratios."""
    with tempfile.TemporaryDirectory(prefix="gm-pairs-") as folder:
        print(f"{'processor time to that of the other':<44}{'median':>8}   least to most of {PAIRS} pairs")
        for what, command in commands(Path(folder)):
            ratios = compared(command, HERE, other.resolve(), PAIRS)
            shown = f"{statistics.median(ratios):>8.2f}   {min(ratios):.2f} to {max(ratios):.2f}"
            print(f"{what:<44}{shown}", flush=True)


def compared(command: Command, this: Path, other: Path, pairs: int) -> list[float]:
    """Return the ratios of a command's processor time in two checkouts, after one run of each for the
    caches.
    """
    for checkout in (this, other):
        once(command(checkout))
    ratios = []
    for number in range(pairs):
        times = {}
        for checkout in (this, other) if number % 2 == 0 else (other, this):
            times[checkout] = once(command(checkout)).processor
        ratios.append(times[this] / times[other])
    return ratios


def commands(scratch: Path) -> Iterator[tuple[str, Command]]:
    """Yield the commands by name: a turn of Europe with and without pages, a check, and a turn of 100
    realms.
    """
    europe = scratch / "europe"
    letters = scratch / "europe-mail"
    once([EMPTY[0], "-m", "bench.europe", str(europe), str(letters)])
    own = ("--results", europe / "turns/turn-00/results/ENG.yaml")
    yield "pbem check, Europe", lambda checkout: pbem(checkout, "check", letters / "ENG.yaml", *own)
    once(gm("receive", letters, "--game", europe))
    yield "pbem turn --no-html, Europe", on_copies("turn", "--no-html", "--early", game=europe)
    yield "pbem turn, Europe", on_copies("turn", "--early", game=europe)
    made = once([EMPTY[0], "-m", "bench.generated", "1", "mostly land", str(scratch), "100"]).said.strip()
    yield "pbem turn --no-html, 100 realms", on_copies("turn", "--no-html", "--early", game=Path(made))


def on_copies(*words: str, game: Path) -> Command:
    """Return a command that is run on a copy of a game each time."""

    def command(checkout: Path) -> Sequence[str]:
        copy = game.with_name(f"{game.name}-copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(game, copy)
        return pbem(checkout, *words, "--game", copy)

    return command


def pbem(checkout: Path, *arguments: str | Path) -> list[str]:
    """Return a command of the program in a checkout."""
    return [str(checkout / ".venv/bin/pbem"), *map(str, arguments)]
