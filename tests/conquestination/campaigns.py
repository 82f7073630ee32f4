"""Positions, order files and runs to test with."""

from collections.abc import Mapping
from typing import Any

from gm.core.diagnostics import Diagnostic
from gm.core.pipeline import Outcome
from gm.game.base.events import LineSettled
from gm.game.base.position import COLOURS
from gm.game.values import GameData, OrderFile
from gm.games.conquestination.cells import rank
from gm.games.conquestination.rules import Settings
from gm.games.conquestination.spec import SPEC
from gm.games.conquestination.state import Campaign, Country, Player
from tests.conquestination.lands import board

GAME = "cn-demo"


def table(name: str = "test-5") -> GameData:
    """Rules and map."""
    return SPEC.shipped_table(name)


def settings(name: str = "test-5", **options: Any) -> Settings:
    """Settings with everything put in that follows from rules and map; without the ruling of fair starts."""
    settings = SPEC.chosen(
        Settings(**{"fair_start": False, **options}), board(name), options.get("players", 2)
    )  # type: ignore[attr-defined]
    assert isinstance(settings, Settings)
    return settings


def begun(
    name: str = "test-5", seed: str = "seed", *, at: GameData | None = None, **options: Any
) -> Campaign:
    """A new game, as it is dealt; ``at``: on this very map."""
    state = SPEC.opening(at or table(name), settings(name, **options), seed)  # type: ignore[attr-defined]
    assert isinstance(state, Campaign)
    return state


def position(where: str, *, turn: int = 2, name: str = "test-5", **options: Any) -> Campaign:
    """A position from words such as ``P1 red 3, P2 blue 1``; seats are in the order of first mention."""
    countries = {}
    codes: list[str] = []
    for words in where.split(","):
        country, owner, units = words.split()
        countries[country] = Country(owner=owner.upper(), units=int(units))
        codes += [owner.upper()] if owner.upper() not in codes else []
    chosen = settings(name, players=max(2, len(codes)), **options)
    codes += [code for code in COLOURS if code not in codes][: max(0, 2 - len(codes))]
    parties = {code: Player(code=code, name=code.title(), colour=COLOURS[code]) for code in codes}
    current = codes[0] if chosen.mode == "single" else None
    return Campaign(
        turn=turn,
        parties=parties,
        settings=chosen,
        countries={code: countries[code] for code in sorted(countries, key=rank)},
        current=current,
    )


def read(
    state: Campaign, party: str, text: str, *, name: str = "test-5", turn: int | None = None
) -> OrderFile:
    """An order file below whose head ``text`` stands."""
    head = f"game: {GAME}\nturn: {state.run if turn is None else turn}\nplayer: {party}\n"
    file = (head + text).encode()
    return SPEC.read_orders(table(name), state, file, f"{party}.yaml", game=GAME, realm=None, key=None)


def played(
    state: Campaign, files: Mapping[str, str], *, seed: str = "seed", name: str = "test-5"
) -> Outcome[Campaign]:
    """The run that these order files make; none of them may be refused."""
    sheets = {}
    for party, text in files.items():
        reading = read(state, party, text, name=name)
        assert reading.sheet is not None, reading.diagnostics
        assert reading.errors == 0, reading.diagnostics
        sheets[party.upper()] = reading.sheet
    return SPEC.play(table(name), state, sheets, seed)


def of_kind(outcome: Outcome[Campaign], kind: str) -> list[Any]:
    """The events of a kind."""
    return [event for event in outcome.events if event.kind == kind]


def fates(outcome: Outcome[Campaign], party: str) -> list[tuple[str, str]]:
    """(fate, reason) of each line of a party, in the order of the file."""
    own: list[Any] = [e for e in outcome.events if isinstance(e, LineSettled) and e.audience == party.upper()]
    return [(str(line.fate), line.reason) for line in sorted(own, key=lambda line: (line.line, line.column))]


def units(state: Campaign) -> str:
    """The position in the words of ``position``."""
    return ", ".join(
        f"{code} {country.owner.lower()} {country.units}" for code, country in state.countries.items()
    )


def messages(reading: OrderFile) -> list[str]:
    """What was found in a file, as it would be printed without places."""
    diagnostics: tuple[Diagnostic, ...] = reading.diagnostics
    return [f"{diagnostic.severity} {diagnostic.clause}: {diagnostic.message}" for diagnostic in diagnostics]
