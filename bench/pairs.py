"""``python -m bench --against OTHER``: compares two states of the program, the other's by its checkout.

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
"""What returns the words of a command, given the checkout whose program it runs."""


def show_pairs(other: Path) -> None:
    """Compare a few commands with those of another checkout and print the ratios."""
    with tempfile.TemporaryDirectory(prefix="gm-pairs-") as folder:
        print(f"{'processor time to that of the other':<44}{'median':>8}   least to most of {PAIRS} pairs")
        for name, command in commands(Path(folder)):
            ratios = compared(command, HERE, other.resolve(), PAIRS)
            figures = f"{statistics.median(ratios):>8.2f}   {min(ratios):.2f} to {max(ratios):.2f}"
            print(f"{name:<44}{figures}", flush=True)


def compared(command: Command, this: Path, other: Path, pairs: int) -> list[float]:
    """Return the ratios of a command's processor time in ``this`` checkout to that in the ``other``.

    It runs once in each before, for the caches.
    """
    for checkout in (this, other):
        once(command(checkout))
    ratios = []
    for number in range(pairs):
        order = (this, other) if number % 2 == 0 else (other, this)
        times = {checkout: once(command(checkout)).processor for checkout in order}
        ratios.append(times[this] / times[other])
    return ratios


def commands(scratch: Path) -> Iterator[tuple[str, Command]]:
    """Yield the name and the command of each: a check and turns of Europe, and a turn of 100 realms.

    The games are made in ``scratch``, each when its first command is asked for.
    """
    europe = scratch / "europe"
    letters = scratch / "europe-mail"
    once([EMPTY[0], "-m", "bench.europe", str(europe), str(letters)])
    own = ("--results", europe / "turns/turn-00/results/ENG.yaml")
    yield "pbem check, Europe", lambda checkout: pbem(checkout, "check", letters / "ENG.yaml", *own)
    once(gm("receive", letters, "--game", europe))
    yield "pbem turn --no-html, Europe", on_copies("turn", "--no-html", "--early", game=europe)
    yield "pbem turn, Europe", on_copies("turn", "--early", game=europe)
    making = once([EMPTY[0], "-m", "bench.generated", "1", "mostly land", str(scratch), "100"])
    wide = Path(making.said.strip())
    yield "pbem turn --no-html, 100 realms", on_copies("turn", "--no-html", "--early", game=wide)


def on_copies(*words: str, game: Path) -> Command:
    """Return a command that is run on a copy of a game each time."""

    def command(checkout: Path) -> Sequence[str]:
        """Return the command on a fresh copy; the one before it is gone."""
        copy = game.with_name(f"{game.name}-copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(game, copy)
        return pbem(checkout, *words, "--game", copy)

    return command


def pbem(checkout: Path, *arguments: str | Path) -> list[str]:
    """Return a command of the program in a checkout."""
    return [str(checkout / ".venv/bin/pbem"), *map(str, arguments)]
