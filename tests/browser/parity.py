"""Orders as the page's scripts hold them, and what the page says would come of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.trial import TRIALS, Watched, try_orders
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.report.page_data import SCRIPTS, inlined, private_data, public_data
from gm.games.medieval.state import World
from tests.medieval.testland import rules

GAME = "test"
KEY = "test-key"
WORDS = {word.order: word.name for word in all_words()}
NAMES = SCRIPTS[: SCRIPTS.index("orders") + 1]

TRY = """([world, own, sheet]) => {
    const { orders, phases, forecast } = GmOrders.study(new GmBook(worlds[world], own), sheet);
    return { orders, phases, forecast };
}"""


@dataclass(frozen=True)
class Case:
    """Orders of one realm in one position."""

    name: str
    place: str
    """The name of the position; that of several cases may be the same."""
    world: World
    atlas: Atlas
    sheet: Orders

    def data(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The two blocks of data of a page."""
        realm = self.sheet.realm
        choices = TurnChoices(self.world, rules(), self.atlas)
        return (
            public_data(self.world, choices, game=GAME, title="Test"),
            private_data(self.world, realm, "a-key", choices),
        )

    def orders(self) -> Iterator[tuple[str, str | None, Order]]:
        """(section, unit, order) of each order."""
        yield from (("headquarters", None, order) for order in self.sheet.headquarters)
        yield from (("unit", order.unit, order) for order in self.sheet.units)
        for unit, entries in self.sheet.plans.items():
            yield from (("plan", unit, entry) for entry in entries)

    def trials(self) -> Sequence[Watched]:
        """The program's trials, as many as `pbem check` runs."""

        def tried(seed: str) -> Watched:
            return try_orders(self.world, self.sheet.realm, self.sheet, rules(), self.atlas, seed)

        first = tried(TRIALS[0])
        return first, *(tried(seed) for seed in (TRIALS[1:] if first.chance else ()))


# -- in the page ---------------------------------------------------------------------------------------------


class Desk:
    """A page with the scripts that add orders up, and the positions that it was given."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._known: set[str] = set()
        scripts = "".join(f"<script>{text}</script>" for text in inlined(scripts=NAMES).scripts)
        page.set_content(f"<!doctype html><title>Trial</title><script>const worlds = {{}};</script>{scripts}")

    def tried(self, case: Case) -> dict[str, Any]:
        """{orders, phases, forecast}: what the page says would come of a case's orders."""
        public, own = case.data()
        if case.place not in self._known:
            self._known.add(case.place)
            text = json.dumps(public)
            self._page.evaluate("([name, text]) => { worlds[name] = JSON.parse(text); }", [case.place, text])
        trial: dict[str, Any] = self._page.evaluate(
            TRY, [case.place, json.loads(json.dumps(own)), as_sheet(case)]
        )
        return trial


def as_sheet(case: Case) -> dict[str, Any]:
    """The orders as the scripts hold them (templates/medieval/script/sheet.js)."""
    orders = [
        {
            "id": f"{order.written.line}:{order.written.column}",
            "section": section,
            "unit": unit,
            "word": WORDS[type(order)],
            "value": value_of(order),
            "line": order.written.line,
            "column": order.written.column,
        }
        for section, unit, order in case.orders()
    ]
    return {"head": {}, "orders": orders}


def value_of(order: Order) -> Any:  # noqa: C901 - one case for each shape
    """An order's value as the scripts hold it."""
    match order:
        case model.GrantPermission() | model.RevokePermission() | model.GiveProvince():
            return {"province": order.province, "realm": order.other}
        case model.SendGold():
            return {"realm": order.other, "amount": str(order.amount)}
        case model.Annex() | model.CedeProvince() | model.March():
            return order.province
        case model.Proclamation():
            return order.text
        case model.RenameCommander():
            return {"name": order.name, "new_name": order.new_name}
        case model.FormUnit():
            return {"id": order.new_id, "name": order.name}
        case model.Recruit() | model.Disband():
            return {"troop": order.troop, "count": order.count}
        case model.HireCommander():
            return order.count
        case model.Build() | model.Raze():
            return order.structure.value
        case model.Rename():
            return order.name
        case model.SetRetreatLevel():
            return order.level
        case model.Follow():
            return order.leader
        case model.SetDefendFortifications() | model.SetMarines():
            return order.answer
        case model.SetLeader() | model.DisbandCommander():
            return order.commander
        case model.SetRanks():
            return {
                "troop": order.troop,
                "counts": {str(rank): count for rank, count in order.counts.items()},
            }
        case model.Transfer():
            return {"to": order.receiver, "troops": dict(order.troops), "commanders": list(order.commanders)}
        case model.Load():
            return list(order.armies)
        case model.Sail():
            return order.place
        case model.Unload():
            return dict(order.landings)
        case model.Board() | model.RealmOrder():
            return order.other
        case model.Repair():
            return True
        case _:
            return None
