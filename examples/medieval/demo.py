"""Play the example game with the commands that a GM types, from the order files as the players sent them.

    python -m examples.medieval.demo [FOLDER]

Seed, keys and dates are fixed, so that it is the same game each time; ``examples/medieval/minsk/README.md``
tells its story.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gm.cli.app import gm
from gm.resources import resource

GAME = "minsk"
SEED = "minsk-37"
KEY_SECRET = "minsk"  # noqa: S105 - the example's keys are in its order files for everybody to read
STARTED = "2026-01-05 12:00"
FIRST_DEADLINE = "2026-01-11"
RECEIVED = ("2026-01-10 18:00", "2026-01-17 18:00", "2026-01-24 18:00", "2026-01-31 18:00")


def example() -> Path:
    """Return the folder with the example's players and order files."""
    return resource("examples", "medieval", "minsk")


def mail(turn: int) -> list[Path]:
    """Return the paths of a turn's order files as they came, sorted by name."""
    return sorted((example() / f"turn-{turn:02}").iterdir())


def commands(folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of each command that the GM types; ``folder``: the game's."""
    yield [
        *("new", str(folder), "--map", "minsk", "--id", GAME, "--seed", SEED),
        *("--short-keys", "--key-secret", KEY_SECRET, "--players", str(example() / "players.yaml")),
        *("--first", FIRST_DEADLINE, "--at", STARTED),
    ]
    for turn, received in enumerate(RECEIVED, start=1):
        yield ["receive", *map(str, mail(turn)), "--at", received, "--game", str(folder)]
        yield ["turn", "--early", "--at", received, "--game", str(folder)]


def run(folder: Path) -> None:
    """Play the whole example in a new folder; a game that is there already is removed."""
    if (folder / "game.yaml").is_file():
        shutil.rmtree(folder)
    for arguments in commands(folder):
        click.secho(f"\n$ pbem {shlex.join(arguments)}", bold=True)
        gm.main(arguments, prog_name="pbem", standalone_mode=False)


def main() -> None:
    """Play the example and say where the reports are."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("demo") / GAME
    run(folder)
    click.secho("\nThe example has been played. Open in a browser:", bold=True)
    for turn in range(1, len(RECEIVED) + 1):
        turn_folder = folder / "turns" / f"turn-{turn:02}"
        click.echo(f"  {turn_folder / 'summary.html'}")
        click.echo(f"  {turn_folder / 'results' / 'LIT.html'}   (and NOV, POL, TEU; the battles are linked)")


if __name__ == "__main__":
    main()
