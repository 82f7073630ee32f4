"""The commands that change a game, each with a game to try it on."""

import json
import os
import secrets
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.cli import turn as turn_command
from gm.games.medieval.spec import MedievalGame
from gm.store.disk import LOCK, Files
from gm.store.journal import journal_of
from tests.cli.conftest import all_orders, write_orders
from tests.commands import command as type_in
from tests.faults.cache import Tree
from tests.packing import opened

EARLY = "2026-01-09 12:00"
WORKING = (LOCK, "journal.jsonl")  # files of a game that differ from run to run: the journal tells the time


@dataclass(frozen=True)
class Command:
    """A command that is tried.

    ``words``: what is typed in the game's folder; ``on``: the game that it is tried on; ``did``: its name in
    the journal; ``target``: the folder that it makes, where it makes one.
    """

    name: str
    on: str
    words: tuple[str, ...]
    did: str
    target: str = ""


LISTED = YAML(typ="safe").load(Path(__file__).with_name("commands.yaml"))


def _commands() -> Iterator[Command]:
    for name, entry in LISTED["commands"].items():
        words = tuple(shlex.split(entry["typed"]))
        yield Command(name, entry["on"], words, entry.get("did", words[0]), entry.get("target", ""))


COMMANDS = list(_commands())


@cache
def base(on: str, fresh: Path, room: Path) -> Path:
    """A folder with a game in ``minsk`` and what belongs beside it. Not to be changed."""
    top = room / on
    game = top / "minsk"
    (earlier, *steps) = LISTED["games"].get(on, ("",))
    if earlier:
        shutil.copytree(base(earlier, fresh, room), top)
    else:
        (top / "mail").mkdir(parents=True)
        shutil.copytree(fresh, game)
        (top / "kept").mkdir()
        (top / "new").mkdir()
        all_orders(game)
        write_orders(game, "LIT", "units:\n  Minsk:\n    recruit: {Archers: 1}\n")
        (top / "mail" / "broken.yaml").write_text("units: [", encoding="utf-8")
    os.chdir(game)
    if on == "aging":
        with (game / "game.yaml").open("a") as settings:
            settings.write("keep_unpacked: 1\n")
    if on == "ready":
        type_in("receive", "../mail", "--at", "2026-01-09 11:00", code=1)
        (top / "mail").rename(top / "later")
        (top / "mail").mkdir()
        write_orders(game, "LIT", "headquarters: {offer_peace: [POL]}\n")
        (top / "mail" / "worse.yaml").write_text("units: [[", encoding="utf-8")
        for old, new in (("mail", "x"), ("later", "mail"), ("x", "later")):
            (top / old).rename(top / new)
    for typed in steps:
        code, words = (1, typed[1]) if isinstance(typed, dict) else (0, typed)
        type_in(*shlex.split(words), code=code)
    for path in top.rglob("*"):
        os.utime(path, (0, 0))
    return top


@contextmanager
def same_secrets() -> Iterator[None]:
    """What is drawn at random is the same in every run."""
    numbers = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda size=16: f"{next(numbers):0{2 * size}x}")
        yield


def once(make: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which works out only once what it is asked for again.

    Every file of many is made at once.
    """
    results: list[tuple[object, Any]] = []

    def found(*arguments: object, **keywords: object) -> Any:
        asked = (arguments, keywords)
        for earlier, made in results:
            if earlier == asked:
                return made
        made = make(*arguments, **keywords)
        results.append(
            (asked, Files({name: made.pieces(name) for name in made}) if isinstance(made, Files) else made)
        )
        return results[-1][1]

    return found


@contextmanager
def quick() -> Iterator[None]:
    """The rules reckon each turn once, and its pages are made once: what is tried here is what becomes of
    the files.
    """
    real: Callable[..., object] = turn_command.play_turn
    forecasts: dict[object, object] = {}

    def play(campaign: object, plan: object, *rest: object, **more: object) -> object:
        key = (campaign.next_turn, tuple(sorted(plan.files.items())), repr(plan.decisions))  # type: ignore[attr-defined]
        if key not in forecasts:
            forecasts[key] = real(campaign, plan, *rest, **more)
        return forecasts[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turn_command, "play_turn", play)
        for name in ("reports", "handbook"):
            patch.setattr(MedievalGame, name, once(getattr(MedievalGame, name)))
        yield


def game_in(top: Path, command: Command) -> Path:
    """The game that a command changes or makes."""
    return top / command.target if command.target else top / "minsk"


def lasting(tree: Tree) -> Tree:
    """What of a tree is the same in every run, and empty folders left out.

    A packed turn is the same as its folder.
    """
    whole = opened(tree)
    return {
        name: data
        for name, data in whole.items()
        if data is not None and name.rpartition("/")[2] not in WORKING
    }


def told(top: Path, command: Command) -> int:
    """How often the journal tells of a command; it is whole."""
    game = game_in(top, command)
    entries = journal_of(game).entries if game.is_dir() else ()
    return sum(entry["did"] == command.did for entry in entries)


def orders_in(tree: Tree) -> set[bytes]:
    """The contents of all order files of a game, wherever they are kept."""
    places = ("/inbox/", "/orders/", "/.change/")
    files = {name: data for name, data in opened(tree).items() if any(place in name for place in places)}
    return {
        data
        for name, data in files.items()
        if data is not None and (name.endswith(".yaml") or "/.change/" in name)
    }


def unfinished(tree: Tree) -> list[str]:
    """What killed runs left."""
    return [name for name in tree if any(part.startswith(".") and part != LOCK for part in name.split("/"))]


def journal_lines(data: bytes | None) -> list[object]:
    """The journal's whole lines without their times and chains."""
    lines = (data or b"").split(b"\n")[:-1]
    return [
        {name: value for name, value in json.loads(line).items() if name not in ("at", "chain")}
        for line in lines
    ]
