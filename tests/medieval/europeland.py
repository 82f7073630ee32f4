"""The map of Europe in 1320 and its start, for the tests."""

from collections.abc import Mapping
from functools import cache

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.scenario import load_scenario
from gm.games.medieval.data.start_world import start_world
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.resources import resource
from tests.medieval.order_reading import read_sheet
from tests.medieval.testland import Played, rules

EUROPE = resource("maps", "medieval", "europe-1320")


@cache
def europe() -> Atlas:
    return load_atlas(EUROPE / "map.yaml", rules())


@cache
def europe_world() -> World:
    return start_world(load_scenario(EUROPE / "start.yaml", europe(), rules()), europe(), rules())


def read_europe(world: World, realm: str, text: str) -> Orders:
    """A realm's orders on this map, without header; a bad order is an error here."""
    header = f"orders: 1\ngame: europe\nrealm: {realm}\nturn: {world.turn + 1}\nkey: test-key\n"
    sheet, findings = read_sheet(
        (header + text).encode(), f"{realm}.yaml", world=world, rules=rules(), atlas=europe(), game="europe"
    )
    assert sheet is not None
    assert not [finding for finding in findings if finding.is_error], "\n".join(
        finding.render() for finding in findings
    )
    return sheet


def play_europe(world: World, orders: Mapping[str, str]) -> Played:
    """A whole turn on this map."""
    sheets = {realm: read_europe(world, realm, text) for realm, text in orders.items()}
    outcome = play_turn(world, sheets, rules=rules(), atlas=europe(), seed="test")
    return Played(world, outcome.state, outcome.events)
