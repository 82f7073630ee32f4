"""Bots in the test world: what one orders, read and tried as a player's orders are."""

from collections.abc import Sequence
from functools import cache

from gm.core.yaml.source import Source
from gm.game.answers import TriedOrder
from gm.game.bots import Answer, ask, bot_view
from gm.game.values import GameData, View
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from tests.medieval.testland import atlas, rules

NAMES = tuple(SPEC.bots)
TEMPERS = tuple(name for name in NAMES if name not in ("local-forces", "steward"))


@cache
def table() -> GameData:
    """The test map with the rules as shipped."""
    return GameData(rules(), atlas())


def view_of(world: World, realm: str, seed: str = "seed", on: GameData | None = None) -> View:
    """What the realm's bot is shown."""
    return bot_view(SPEC, on or table(), world, realm, game="test", key="a-key-1", seed=seed)


def asked(name: str, world: World, realm: str, seed: str = "seed", on: GameData | None = None) -> Answer:
    """A bot's answer. It must be an order file that is read without any finding."""
    answer = ask(SPEC, SPEC.bots[name], view_of(world, realm, seed, on))
    assert answer.trouble == "", answer.trouble
    assert answer.reading is not None
    assert [diagnostic.render() for diagnostic in answer.reading.diagnostics] == [], answer.data.decode()
    return answer


def sheet_of(answer: Answer) -> Orders:
    """The orders in an answer."""
    assert answer.reading is not None
    sheet = answer.reading.sheet
    assert isinstance(sheet, Orders)
    return sheet


def orders_of(name: str, world: World, realm: str, seed: str = "seed") -> Sequence[Order]:
    """All that a bot orders."""
    return tuple(sheet_of(asked(name, world, realm, seed)).all_orders())


def illegal(
    name: str, world: World, realm: str, seed: str = "seed", on: GameData | None = None
) -> list[TriedOrder]:
    """The orders of a bot that would fail or be cut although neither dice nor others have a say in it."""
    answer = asked(name, world, realm, seed, on)
    view = SPEC.seen(on or table(), world, realm)
    tried = SPEC.preview(
        on or table(), view, realm, sheet_of(answer), Source(f"{realm}.yaml", answer.data.decode())
    )
    return [order for order in tried.orders if order.fate != "done" and not order.hangs_on]
