"""Rules, maps, positions, order files and turns to test with."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gm.core.codec import from_plain
from gm.core.pipeline import Outcome
from gm.core.yaml.models import load_value
from gm.game.values import GameData, OrderFile, TurnResult
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import Rules, Settings
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import NEUTRAL, Orders, Province, World
from gm.resources import resource

GAME = "cq-demo"


@cache
def rules() -> Rules:
    """The rules as shipped."""
    return load_value(resource("rules", "conqueror") / "rules.yaml", Rules)


@cache
def board(name: str = "duchies") -> Board:
    """A map that comes with the program."""
    board = SPEC.shipped_table(name).board
    assert isinstance(board, Board)
    return board


def province(code: str = "ARDEN", *, control: int = 100, owner: str = "ARDEN", **changes: Any) -> Province:
    """A home province as play begins, with some things different.

    Who does not control it is the local leaders.
    """
    influence = {owner: control, NEUTRAL: 100 - control} if owner != NEUTRAL else {NEUTRAL: 100}
    values: dict[str, Any] = {
        "code": code,
        "owner": owner,
        "status": "neutral" if owner == NEUTRAL else "empire",
        "population": 3,
        "resources": 0,
        "culture": 2,
        "fort": 0,
        "fresh": 5,
        "influence": influence,
    }
    return Province(**{**values, **changes})


def table(name: str = "duchies") -> GameData:
    """Rules and map."""
    return SPEC.shipped_table(name)


def settings(name: str = "duchies", **chosen: Any) -> Settings:
    """Settings with everything put in that follows from rules and map.

    The start is that of the rules alone.
    """
    chosen = {"fair_start": False, **chosen}
    settings = SPEC.chosen(from_plain(chosen, Settings), table(name).board, 2)  # type: ignore[attr-defined]
    assert isinstance(settings, Settings)
    return settings


def opened(name: str = "duchies", *, seed: str = "seed", **options: Any) -> World:
    """A game before its first turn."""
    world = SPEC.opening(table(name), settings(name, **options), seed)  # type: ignore[attr-defined]
    assert isinstance(world, World)
    return world


def position(
    *, turn: int = 0, gold: int | None = None, given: Mapping[str, Any] | None = None, **changes: Any
) -> World:
    """The start of ``duchies`` with provinces changed: ``CLUN={"owner": "ARDEN", "fresh": 4, "control":
    50}``.

    ``control`` is the owner's influence, the rest is the local leaders'; ``turn`` is the last that was
    played.
    """
    world = opened(**(given or {})).evolve(turn=turn)
    for code, values in changes.items():
        fields = dict(values)
        province = world.provinces[code]
        if "owner" in fields:
            province = province.owned_by(fields.pop("owner")).evolve(item=province.item)
        if "control" in fields:
            control = fields.pop("control")
            influence = {province.owner: control, NEUTRAL: 100 - control}
            fields["influence"] = {NEUTRAL: 100} if province.owner == NEUTRAL else influence
        world = world.with_provinces(province.evolve(**fields))
    for code in world.parties:
        world = world.with_party(code, gold=gold) if gold is not None else world
    return world


def quiet(**changes: Any) -> World:
    """A position in which little happens by itself: nobody but players builds, and no culture wins its
    neighbours.
    """
    return position(given={"neutrals_build": False, "influence_cap": 0}, **changes)


def plan(world: World, code: str = "ARDEN") -> Orders:
    """What the computer would order for a seat."""
    return plan_of(world, code, table().board, world.settings.applied(table().rules), lambda many: 0)


def work_of_home(**changes: Any) -> str:
    """What the computer lets ``ARDEN`` work on in a position in which little happens by itself."""
    world = quiet(**changes)
    return {entry.province: entry.item for entry in plan(world).production}.get(
        "ARDEN", world.provinces["ARDEN"].item
    )


def read(world: World, party: str, text: str, *, name: str = "duchies", turn: int | None = None) -> OrderFile:
    """An order file below whose head ``text`` stands."""
    head = f"game: {GAME}\nturn: {world.turn + 1 if turn is None else turn}\nplayer: {party}\n"
    file = (head + text).encode()
    return SPEC.read_orders(table(name), world, file, f"{party}.yaml", game=GAME, realm=None, key=None)


def orders_in(reading: OrderFile) -> Orders:
    """What was read of a file that stands."""
    assert reading.sheet is not None, reading.diagnostics
    orders = reading.sheet.orders
    assert isinstance(orders, Orders)
    return orders


def played(
    world: World, files: Mapping[str, str] | None = None, *, seed: str = "seed", name: str = "duchies"
) -> Outcome[World]:
    """The turn that these order files make; none of them may be refused."""
    sheets = {}
    for party, text in (files or {}).items():
        reading = read(world, party, text, name=name)
        assert reading.sheet is not None, reading.diagnostics
        assert reading.errors == 0, reading.diagnostics
        sheets[party.upper()] = reading.sheet
    return SPEC.play(table(name), world, sheets, seed)


def first_turn(
    world: World,
    files: Mapping[str, str],
    is_meant: Callable[[Outcome[World]], bool],
    *,
    name: str = "duchies",
) -> Outcome[World]:
    """The first of many such turns, each with other dice, that comes out as wanted."""
    for number in range(300):
        outcome = played(world, files, seed=str(number), name=name)
        if is_meant(outcome):
            return outcome
    raise AssertionError("no turn came out so")


def of_kind(outcome: Outcome[World], kind: str) -> list[Any]:
    """The events of a kind."""
    return [event for event in outcome.events if event.kind == kind]


def messages(reading: OrderFile) -> list[str]:
    """What was found in a file, as it would be printed without places."""
    return [
        f"{diagnostic.severity} {diagnostic.clause}: {diagnostic.message}"
        for diagnostic in reading.diagnostics
    ]


def turn_of(
    world: World, files: Mapping[str, str], *, seed: str = "seed", name: str = "duchies"
) -> TurnResult:
    """The turn as the campaign hands it to the reports."""
    readings = {party.upper(): read(world, party, text, name=name) for party, text in files.items()}
    outcome = played(world, files, seed=seed, name=name)
    return TurnResult(
        game=GAME, before=world, after=outcome.state, events=outcome.events, readings=readings, keys={}
    )


def page(turn: TurnResult, party: str, *, name: str = "duchies") -> str:
    """A party's page of a turn."""
    return SPEC.reports(table(name), turn)[f"results/{party}.html"].decode()
