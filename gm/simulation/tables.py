"""The four tables of a simulation: games, realm by game, realm by turn, and how often each rule was used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gm.store.formats import Record

Cell = str | int | float | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table's name and its columns, each with its kind: ``text``, ``count`` or ``figure``."""

    name: str
    columns: Mapping[str, str]


GAMES = DataTable(
    "games",
    {
        "game": "count",
        "seed": "text",
        "turns": "count",
        "reason": "text",
        "winners": "text",
        "leaders": "text",
        "orders": "count",
        "failed": "count",
        "refused": "count",
    },
)
RULES = DataTable("rules", {"kind": "text", "rule": "text", "uses": "count", "games": "count"})


def realms_table(figures: Iterable[str]) -> DataTable:
    """One line for each realm and game: who played it, how it ended, its figures at the start and at the end."""
    head = {
        "game": "count",
        "realm": "text",
        "bot": "text",
        "won": "count",
        "led": "count",
        "rank": "count",
        "out": "count",
    }
    named = tuple(figures)
    starts = {f"start {name}": "figure" for name in named}
    return DataTable("realms", {**head, **starts, **{f"end {name}": "figure" for name in named}})


def turns_table(figures: Iterable[str]) -> DataTable:
    """One line for each realm and turn of each game: its figures after that turn; turn 0 is the start."""
    head = {"game": "count", "turn": "count", "realm": "text"}
    return DataTable("turns", {**head, **dict.fromkeys(figures, "figure")})


def game_rows(records: Iterable[Record]) -> Iterator[Row]:
    """The rows of ``GAMES``."""
    for each in records:
        winners = " ".join(each["winners"])
        counts = (each["orders"], each["failed"], each["refused"])
        leaders = " ".join(each.get("leaders", ()))
        yield (each["game"], each["seed"], each["turns"], each["reason"], winners, leaders, *counts)


def realm_rows(records: Iterable[Record]) -> Iterator[Row]:
    """The rows of ``realms_table``."""
    for each in records:
        standing = ranks(each)
        for code, realm in each["realms"].items():
            won = int(code in each["winners"])
            first, last = realm["figures"][0], realm["figures"][-1]
            led = int(code in each.get("leaders", ()))
            head = (each["game"], code, realm["bot"], won, led, standing[code], realm["out"])
            yield (*head, *map(float, first), *map(float, last))


def turn_rows(records: Iterable[Record]) -> Iterator[Row]:
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


def ranks(record: Record) -> dict[str, int]:
    """Each realm's place in a game, 1 for the first: winners first, then by score, then by how long it was in the game.

    Equals share the better place.
    """
    order = {
        code: (code in record["winners"], realm["figures"][-1][0], realm["out"] or record["turns"] + 1)
        for code, realm in record["realms"].items()
    }
    better = sorted(order.values(), reverse=True)
    return {code: better.index(own) + 1 for code, own in order.items()}
