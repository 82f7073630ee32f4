"""Play the examples of all games with the commands that a GM types, from their order files.

    python -m examples.play [KEY ...] [--into FOLDER]

``examples/KEY/example.yaml`` says how a game begins; ``turn-01`` and so on hold the order files as they came.
Seed, keys and dates are fixed, so that it is the same game each time.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import click

from gm.cli.app import gm
from gm.core.values import Value
from gm.core.yaml.models import load_value
from gm.games import GAMES
from gm.resources import resource

HAND_MADE = "medieval"  # the game whose example is older and has a script of its own


class Example(Value):
    """An example's ``example.yaml``.

    ``first``: the date of the first deadline; ``options``: those of ``pbem new --set``; ``missing``: the
    turns in which order files are missing; ``keys``: whether the order files have keys.
    """

    map: str
    id: str
    seed: str
    first: str
    options: Mapping[str, str] = {}
    missing: tuple[int, ...] = ()
    keys: bool = True


def examples() -> list[str]:
    """Return the keys of the games that have an example, in the registry's order."""
    folder = resource("examples")
    return [name for name in GAMES if name == HAND_MADE or (folder / name / "example.yaml").is_file()]


def commands(key: str, folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of each command that the GM types; ``folder``: the game's."""
    source = resource("examples", key)
    example = load_value(source / "example.yaml", Example)
    yield [*new_game(key, folder, example), "--players", str(source / "players.yaml")]
    first = datetime.fromisoformat(f"{example.first} 12:00+00:00")
    mails = {int(mail.name.removeprefix("turn-")): mail for mail in source.glob("turn-*")}
    for number in range(1, max(mails) + 1):
        moment = first + timedelta(weeks=number - 1)
        options = ["--at", moment.isoformat(), "--game", str(folder)]
        # a turn for which nobody wrote has no folder
        files = [str(path) for path in sorted(mails[number].iterdir())] if number in mails else []
        if files:
            yield ["receive", *files, *options]
        yield ["turn", "--early", *options, *(["--missing-ok"] if number in example.missing else [])]


def new_game(key: str, folder: Path, example: Example) -> list[str]:
    """Return the arguments of ``pbem new`` for an example, without its players."""
    options = [word for name, value in example.options.items() for word in ("--set", f"{name}={value}")]
    return [
        *("new", str(folder), "--game", key, "--map", example.map, "--id", example.id),
        *("--seed", example.seed, "--key-secret", example.id, "--first", example.first, *options),
        *("--short-keys" if example.keys else "--no-keys", "--at", f"{example.first} 00:00"),
    ]


def run(key: str, folder: Path) -> None:
    """Play one example in a new folder; a game that is there already is removed."""
    if (folder / "game.yaml").is_file():
        shutil.rmtree(folder)
    if key == HAND_MADE:
        from examples.medieval import demo

        demo.run(folder)
        return
    for arguments in commands(key, folder):
        click.secho(f"\n$ pbem {shlex.join(arguments)}", bold=True)
        try:
            gm.main(arguments, prog_name="pbem", standalone_mode=False)
        except click.exceptions.Exit as end:
            # 1: some files have mistakes in them, which is part of an example's story
            if end.exit_code > 1:
                raise


@click.command()
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--into", type=click.Path(path_type=Path), default=Path("demo"), help="The games' folder.")
def main(keys: tuple[str, ...], into: Path) -> None:
    """Play the examples of these games, or of all, and say where the reports are."""
    known = examples()
    chosen = keys or known
    for key in chosen:
        if key not in known:
            sys.exit(f"there is no example of {key!r}; there is {', '.join(known)}")
    folders = {key: into / ("minsk" if key == HAND_MADE else key) for key in chosen}
    for key, folder in folders.items():
        run(key, folder)
    click.secho("\nThe examples have been played. Open in a browser:", bold=True)
    for folder in folders.values():
        newest = max((folder / "turns").iterdir())
        click.echo(f"  {newest / 'summary.html'}   (and results/ beside it)")


if __name__ == "__main__":
    main()
