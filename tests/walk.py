"""The walk of an order line: the files, functions and containers that it passes, from its file to the pages.

    python -m tests.walk [--list] [--no-pages]

One march is checked, received and played on the example's map, and every call in ``gm`` is watched.

* The line is its text (in bytes, in a string, in a node, in what an order says of its place), the order that
  is read from it, and each event or forecast that says what became of it.
* A container is a value of ``gm`` that holds the line in a field, a list or another container. The state of
  the game is not searched: its steps remember in it which plans are open, and forget them at the turn's end.
* A function is on the walk when the line or a container is an argument or the result; a file when such a
  function is in it. Comprehensions belong to their function.
"""

import io
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias

import click
import msgspec

from examples.medieval import demo
from gm.cli.app import gm
from gm.core.values import Event, Record
from gm.core.yaml.source import Node, Scalar, Source
from gm.game.answers import TriedOrder
from gm.game.base.events import Written
from gm.games.medieval.orders.model import Order

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = f"{ROOT / 'gm'}/"
STATE = "gm.games.medieval.state"
LINE = "march: Samogitia"
ORDERS = f"""\
orders: 1
game: minsk
realm: LIT
turn: 1
key: happy-kite-39
units:
  Vilna:
    form: {{A2: Castle Guard}}
    plan:
      - transfer: {{to: A2, troops: {{Light Spearmen: 3, Light Cavalry: 1, Archers: 1}}}}
  A2:
    plan:
      - {LINE}
"""
PLAYERS = "players: [{realm: LIT, name: Anna, email: anna@example.org}]"
FORMS = (str, bytes, Node, Source, Written, Order, Event, TriedOrder)
"""What the line itself is, on its way."""
INLINED = ("<listcomp>", "<dictcomp>", "<setcomp>")
"""Functions to Python 3.11 alone."""
Trace: TypeAlias = Callable[[FrameType, str, Any], Any]
_ARGUMENTS_LISTED = 4 | 8  # the flags of code that has *args, **kwargs


class Walk(Record):
    """What the line passed: functions as ``file: name``, classes by name, each sorted."""

    functions: tuple[str, ...]
    containers: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the functions, below ``gm``."""
        return tuple(sorted({function.partition(":")[0] for function in self.functions}))


class Watcher:
    """Watches calls, and records those that the line passes."""

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self.containers: set[str] = set()
        self._answers: dict[int, tuple[object, bool]] = {}  # by identity, of values that stay as they are
        self._indifferent: set[type] = set()  # classes whose values hold no line
        self._searching = False

    def called(self, frame: FrameType, event: str, result: Any) -> Trace | None:
        """Record a call: a function for ``sys.settrace``. Returns what watches the call's return."""
        names = _arguments(frame.f_code)
        if names is None or self._searching:
            return None
        frame.f_trace_lines = False
        if names:
            given = frame.f_locals
            self._record(frame, [given[name] for name in names if name in given])
        return self.returned

    def returned(self, frame: FrameType, event: str, result: Any) -> Trace:
        """Record a return."""
        if event == "return" and result is not None:
            self._record(frame, [result])
        return self.returned

    def _record(self, frame: FrameType, values: list[Any]) -> None:
        """Record a function if one of the values that pass it holds the line."""
        self._searching = True  # what is asked of the values is not part of the walk
        if self._any(values):
            self.functions.add(_name(frame.f_code))
        self._searching = False

    def holds(self, value: Any) -> bool:
        """Return whether a value is the line, or holds it; record the class of a container."""
        kind = type(value)
        if kind in self._indifferent:
            return False
        if issubclass(kind, str):
            return LINE in value
        if issubclass(kind, bytes):
            return LINE.encode() in value
        if issubclass(kind, dict):
            return self._any((*value, *value.values()))
        if issubclass(kind, list | set | frozenset):
            return self._any(value)
        if not issubclass(kind, tuple | msgspec.Struct) or kind.__module__.startswith(STATE):
            self._indifferent.add(kind)
            return False
        if id(value) not in self._answers:
            self._answers[id(value)] = value, self._searched(value)
        return self._answers[id(value)][1]

    def _any(self, values: Iterable[Any]) -> bool:
        """Return whether one of the values holds the line; each is looked at, for the containers in it."""
        return any([self.holds(value) for value in values])

    def _searched(self, value: Any) -> bool:
        """Return whether a tuple or a value with fields holds the line."""
        if isinstance(value, Scalar):
            return LINE in value.source.line(value.line)
        if isinstance(value, tuple):
            return self._any(value)
        fields = (name for name in value.__struct_fields__ if not isinstance(value, Node) or name != "source")
        found = self._any(getattr(value, name) for name in fields)
        if found and not isinstance(value, FORMS):
            self.containers.add(f"{type(value).__module__.removeprefix('gm.')}.{type(value).__name__}")
        return found


@cache
def _arguments(code: CodeType) -> tuple[str, ...] | None:
    """Return the names of a function's arguments; None if it is none of ``gm``, or a comprehension."""
    if not code.co_filename.startswith(PACKAGE) or code.co_name in INLINED:
        return None
    count = code.co_argcount + code.co_kwonlyargcount + (code.co_flags & _ARGUMENTS_LISTED).bit_count()
    return code.co_varnames[:count]


def _name(code: CodeType) -> str:
    return f"{code.co_filename.removeprefix(PACKAGE)}: {code.co_qualname}"


def walked(folder: Path, *, pages: bool) -> Walk:
    """Play the first turn of the example's map in an empty folder; return the walk of the line.

    Without ``pages`` the turn makes none.
    """
    orders = folder / "orders.yaml"
    orders.write_text(ORDERS, encoding="utf-8")
    players = folder / "players.yaml"
    players.write_text(PLAYERS, encoding="utf-8")
    game = str(folder / demo.GAME)
    new, *_ = demo.commands(Path(game))
    _run([str(players) if word.endswith("players.yaml") else word for word in new])
    here = ["--game", game]
    now = [*here, "--at", demo.RECEIVED[0]]
    html = [] if pages else ["--no-html"]
    watcher = Watcher()
    before = sys.gettrace()
    for command in (
        ["check", str(orders), *here],
        ["receive", str(orders), *now],
        ["turn", "--early", *html, *now],
    ):
        sys.settrace(watcher.called)
        try:
            _run(command)
        finally:
            sys.settrace(before)
    return Walk(tuple(sorted(watcher.functions)), tuple(sorted(watcher.containers)))


def _run(arguments: list[str]) -> None:
    """Run a command, without its output."""
    with redirect_stdout(io.StringIO()):
        gm.main(arguments, prog_name="pbem", standalone_mode=False)


@click.command()
@click.option("--list", "listed", is_flag=True, help="Name each function and container.")
@click.option("--pages/--no-pages", default=True, help="Whether the turn makes pages.")
def main(*, listed: bool, pages: bool) -> None:
    """Measure the walk of an order line."""
    with tempfile.TemporaryDirectory() as folder:
        walk = walked(Path(folder), pages=pages)
    if listed:
        click.echo("\n".join((*walk.functions, *walk.containers)))
    files = len(walk.files)
    functions = len(walk.functions)
    containers = len(walk.containers)
    click.echo(f"An order line passes {files} files, {functions} functions and {containers} containers.")


if __name__ == "__main__":
    main()
