"""The four tables of a simulation: games, realm by game, realm by turn, and how often each rule was used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.store.formats import JsonObject

Cell = str | int | float | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table's name and its columns, each with its kind: ``text``, ``count`` or ``figure``."""

    name: str
    columns: Mapping[str, str]


_TEXTS = ("seed", "reason", "winners", "leaders", "realm", "bot", "kind", "rule")


def _table(name: str, head: str, figures: Iterable[str] = ()) -> DataTable:
    columns = {each: "text" if each in _TEXTS else "count" for each in head.split()}
    return DataTable(name, {**columns, **dict.fromkeys(figures, "figure")})


GAMES = _table("games", "game seed turns reason winners leaders orders failed refused")
RULES = _table("rules", "kind rule uses games")


def realms_table(figures: Sequence[str]) -> DataTable:
    """One line for each realm and game: who played it, how it ended, its figures at the start and at the end."""
    names = [f"{when} {name}" for when in ("start", "end") for name in figures]
    return _table("realms", "game realm bot won led rank out", names)


def turns_table(figures: Iterable[str]) -> DataTable:
    """One line for each realm and turn of each game: its figures after that turn; turn 0 is the start."""
    return _table("turns", "game turn realm", figures)


def game_rows(records: Iterable[JsonObject]) -> Iterator[Row]:
    """The rows of ``GAMES``."""
    for each in records:
        who = " ".join(each["winners"]), " ".join(each.get("leaders", ()))
        head = (each["game"], each["seed"], each["turns"], each["reason"])
        yield (*head, *who, each["orders"], each["failed"], each["refused"])


def realm_rows(records: Iterable[JsonObject]) -> Iterator[Row]:
    """The rows of ``realms_table``."""
    for each in records:
        places = ranks(each)
        for code, realm in each["realms"].items():
            won, led = int(code in each["winners"]), int(code in each.get("leaders", ()))
            head = (each["game"], code, realm["bot"], won, led, places[code], realm["out"])
            yield (*head, *map(float, realm["figures"][0]), *map(float, realm["figures"][-1]))


def turn_rows(records: Iterable[JsonObject]) -> Iterator[Row]:
    """The rows of ``turns_table``."""
    for each in records:
        for turn in range(each["turns"] + 1):
            for code, realm in each["realms"].items():
                yield (each["game"], turn, code, *map(float, realm["figures"][turn]))


def rule_rows(uses: Mapping[str, Mapping[str, int]], games: Mapping[str, Mapping[str, int]]) -> Iterator[Row]:
    """The rows of ``RULES``: how often each rule was used, and in how many games."""
    for kind in sorted(uses):
        for rule in sorted(uses[kind]):
            yield (kind, rule, uses[kind][rule], games[kind][rule])


def ranks(record: JsonObject) -> dict[str, int]:
    """Each realm's place in a game, 1 for the first: winners first, then by score, then by how long it was in the game.

    Equals share the better place.
    """
    order = {
        code: (code in record["winners"], realm["figures"][-1][0], realm["out"] or record["turns"] + 1)
        for code, realm in record["realms"].items()
    }
    better = sorted(order.values(), reverse=True)
    return {code: better.index(own) + 1 for code, own in order.items()}
