"""Plays the examples of all games with the commands that a GM types, from their order files.

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

HAND_MADE = "medieval"
"""Its example is older and has a script of its own."""


class Example(Value):
    """Hold an example's ``example.yaml``.

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
    """The games that have an example, in the registry's order."""
    folder = resource("examples")
    return [name for name in GAMES if name == HAND_MADE or (folder / name / "example.yaml").is_file()]


def commands(key: str, folder: Path) -> Iterator[list[str]]:
    """What the GM types, command by command."""
    source = resource("examples", key)
    example = load_value(source / "example.yaml", Example)
    options = [word for name, value in example.options.items() for word in ("--set", f"{name}={value}")]
    yield [
        *(
            "new",
            str(folder),
            "--game",
            key,
            "--map",
            example.map,
            "--id",
            example.id,
            "--seed",
            example.seed,
        ),
        *(
            "--key-secret",
            example.id,
            "--players",
            str(source / "players.yaml"),
            "--first",
            example.first,
            *options,
        ),
        *(("--short-keys",) if example.keys else ("--no-keys",)),
        *("--at", f"{example.first} 00:00"),
    ]
    first = datetime.fromisoformat(f"{example.first} 12:00+00:00")
    mails = {int(mail.name.removeprefix("turn-")): mail for mail in source.glob("turn-*")}
    for number in range(1, max(mails) + 1):
        at = ["--at", (first + timedelta(weeks=number - 1)).isoformat(), "--game", str(folder)]
        # a turn for which nobody wrote has no folder
        files = [str(path) for path in sorted(mails[number].iterdir())] if number in mails else []
        if files:
            yield ["receive", *files, *at]
        yield ["turn", "--early", *at, *(["--missing-ok"] if number in example.missing else [])]


def run(key: str, folder: Path) -> None:
    """Play one example in a new folder; one that is there already makes room."""
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
        except click.exceptions.Exit as ended:
            # a file with mistakes in it is part of a story
            if ended.exit_code > 1:
                raise


def main() -> None:
    """Play them and say where the reports are."""
    words = sys.argv[1:]
    into = Path(words.pop(words.index("--into") + 1)) if "--into" in words else Path("demo")
    wanted = [word for word in words if not word.startswith("-")] or examples()
    for key in wanted:
        if key not in examples():
            sys.exit(f"there is no example of {key!r}; there is {', '.join(examples())}")
        run(key, into / ("minsk" if key == HAND_MADE else key))
    click.secho("\nThe examples have been played. Open in a browser:", bold=True)
    for key in wanted:
        folder = into / ("minsk" if key == HAND_MADE else key)
        newest = max((folder / "turns").iterdir())
        click.echo(f"  {newest / 'summary.html'}   (and results/ beside it)")


if __name__ == "__main__":
    main()
