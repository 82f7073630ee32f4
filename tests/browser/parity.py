"""The same orders tried by the program and by the page's scripts, and what of it does not agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.forecast import forecast
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import FormUnit, Order, OrderSheet
from gm.games.medieval.preview import TRIALS
from gm.games.medieval.report.page_data import private_data, public_data
from gm.games.medieval.report.scripts import SCRIPTS, inlined
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.state import World
from gm.games.medieval.trial import Trial, place_of, try_orders
from gm.kernel.plain_data import plain
from tests.medieval.testland import rules

GAME = "test"
KEY = "test-key"
WORDS = {word.order: word.name for word in all_words()}
NAMES = SCRIPTS[: SCRIPTS.index("trial") + 1]

TRY = """([world, own, sheet, text]) => {
    const data = worlds[world];
    const given = text === null ? { sheet, problems: [], aside: [] } : GmSheet.read(text, data, own);
    const worded = (each) => (text === null ? "" : GmSheet.describe(each, data));
    const orders = given.sheet.orders.map((each) => ({ ...each, text: worded(each) }));
    return { orders, problems: [...given.problems, ...given.aside], trial: GmTrial.run(data, own, given.sheet) };
}"""


@dataclass(frozen=True)
class Case:
    """Orders of one realm in one position. ``text``: the file that they were read from, for the page to read too."""

    name: str
    place: str
    """The name of the position; that of several cases may be the same."""
    world: World
    atlas: Atlas
    sheet: OrderSheet
    text: str | None = None

    def own(self) -> dict[str, Any]:
        realm = self.sheet.realm
        expected = forecast(self.world, realm, None, rules(), self.atlas)
        return private_data(self.world, realm, self.sheet.key, expected)

    def orders(self) -> Iterator[tuple[str, str | None, Order]]:
        """(section, unit, order) of each order."""
        yield from (("headquarters", None, order) for order in self.sheet.headquarters)
        yield from (("unit", order.unit, order) for order in self.sheet.units)
        for unit, entries in self.sheet.plans.items():
            yield from (("plan", unit, entry) for entry in entries)

    def trials(self) -> Sequence[Trial]:
        """The program's trials, as many as `gm check` runs."""

        def tried(seed: str) -> Trial:
            return try_orders(self.world, self.sheet.realm, self.sheet, rules(), self.atlas, seed)

        first = tried(TRIALS[0])
        return first, *(tried(seed) for seed in (TRIALS[1:] if first.chance else ()))


def place_name(order: Any) -> str:
    return f"{order['line']}:{order['column']}"


# -- in the page -------------------------------------------------------------------------------------------------------


class Desk:
    """A page with the scripts of the trial, and the positions that it was given."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._known: set[str] = set()
        scripts = "".join(f"<script>{text}</script>" for text in inlined(scripts=NAMES).scripts)
        page.set_content(f"<!doctype html><title>Trial</title><script>const worlds = {{}};</script>{scripts}")

    def know(self, case: Case) -> None:
        """Give the page the case's position, once."""
        if case.place not in self._known:
            self._known.add(case.place)
            data = public_data(case.world, rules(), case.atlas, game=GAME, title="Test")
            self._page.evaluate(
                "([name, text]) => { worlds[name] = JSON.parse(text); }", [case.place, json.dumps(data)]
            )

    def tried(self, case: Case) -> dict[str, Any]:
        """{orders, problems, trial}: what the page reads and what it says would come of it."""
        self.know(case)
        sheet = None if case.text is not None else as_sheet(case)
        found: dict[str, Any] = self._page.evaluate(TRY, [case.place, case.own(), sheet, case.text])
        return found

    def choices(self, case: Case, unit: str, words: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        """What the page says that a unit may do next."""
        self.know(case)
        ask = """([world, own, sheet, unit, words]) => {
            const found = GmTrial.choices(worlds[world], own, sheet, unit);
            return Object.fromEntries(words.filter((word) => word in found).map((word) => [word, found[word]]));
        }"""
        given: dict[str, list[dict[str, Any]]] = self._page.evaluate(
            ask, [case.place, case.own(), as_sheet(case), unit, list(words)]
        )
        return given


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
            return {"troop": order.troop, "counts": {str(rank): count for rank, count in order.counts.items()}}
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


# -- side by side ------------------------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """What was compared, and whatever did not agree, a sentence each."""

    read: list[str] = field(default_factory=list)
    fates: list[str] = field(default_factory=list)
    costs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    books: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case, tried: Mapping[str, Any]) -> None:
        """Compare one case with what the page made of it."""
        self.counts["cases"] += 1
        trials = case.trials()
        self._read(case, tried["orders"])
        ids = {place_name(order): order["id"] for order in tried["orders"]}
        speaker = Speaker(case.world, sentences={})
        for _, _, order in case.orders():
            result = tried["trial"]["orders"].get(ids.get(f"{order.written.line}:{order.written.column}", ""))
            self._order(case, order, trials, result, speaker)
        for trial in trials:
            self._phases(case, trial, tried["trial"]["phases"])
        self._forecast(case, tried["trial"]["forecast"])

    def _read(self, case: Case, orders: Iterable[Mapping[str, Any]]) -> None:
        if case.text is None:
            return
        found = sorted((order["line"], order["column"], order["text"]) for order in orders)
        expected = sorted(place_of(order) for order in case.sheet.all_orders())
        if found != expected:
            self.read.append(f"{case.name}: {sorted(set(found) ^ set(expected))}")

    def _order(
        self, case: Case, order: Order, trials: Sequence[Trial], result: Mapping[str, Any] | None, speaker: Speaker
    ) -> None:
        word = WORDS[type(order)]
        self.counts["orders"] += 1
        self.words[word] += 1
        what = f"{case.name} {case.sheet.realm}, line {order.written.line}, {word} {value_of(order)}"
        if result is None:
            self.fates.append(f"{what}: the page says nothing")
            return
        outcomes = [trial.orders[place_of(order)] for trial in trials]
        if result["open"]:
            self.counts["open"] += 1
            return
        self.counts[result["fate"]] += 1
        self.reasons[result["reason"]] += 1
        shown = {name: result[name] for name in ("fate", "reason", "clause", "says", "figures")}
        for each in outcomes:
            event = each.event
            clause, says = speaker.reason(event.reason, event.figures) if event.reason else ("", "")
            expected = {
                "fate": event.fate.value,
                "reason": event.reason,
                "clause": clause,
                "says": says,
                "figures": plain(event.figures),
            }
            if not alike(shown, expected):
                self.fates.append(f"{what}: the page says {shown}, the program {expected}")
                return
            cost = {"gold": str(each.gold), "moves": each.moves}
            if not alike(result["cost"], cost):
                self.costs.append(f"{what}: the page says {result['cost']}, the program {cost}")
                return

    def _phases(self, case: Case, trial: Trial, phases: Sequence[Mapping[str, Any]]) -> None:
        doubt = any(unit.get("open") for phase in phases for unit in phase["units"].values())
        if len(phases) != len(trial.plan) and not trial.chance:
            self.places.append(f"{case.name}: {len(phases)} phases in the page, {len(trial.plan)} in the program")
        formed = {f"{case.sheet.realm}/{each.new_id}" for each in case.sheet.units if isinstance(each, FormUnit)}
        for shown, expected in zip(phases, trial.plan, strict=False):
            strangers = {
                key for key in shown["units"].keys() - expected.units.keys() if not shown["units"][key].get("open")
            }
            for key in strangers:
                self.places.append(f"{case.name}, phase {expected.phase}: {key} is in the page only")
            for key, at in expected.units.items():
                unit = shown["units"].get(key)
                if unit is None:
                    # a unit that chance has made, of captured ships for instance
                    if key in case.world.units or key in formed or not doubt:
                        self.places.append(f"{case.name}, phase {expected.phase}: {key} is not in the page")
                elif not unit.get("open"):
                    self.counts["places"] += 1
                    there = {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}
                    if unit != there:
                        self.places.append(f"{case.name}, phase {expected.phase}: {key} is {unit}, should be {there}")

    def _forecast(self, case: Case, shown: Mapping[str, Any]) -> None:
        expected = plain(forecast(case.world, case.sheet.realm, case.sheet, rules(), case.atlas))
        if not alike(shown, expected):
            self.books.append(f"{case.name}: the page says {shown}, the program {expected}")


def alike(shown: Any, expected: Any) -> bool:
    """Whether two plain values are the same, gold to the hundredth however it is written."""
    if isinstance(shown, Mapping) and isinstance(expected, Mapping):
        return shown.keys() == expected.keys() and all(alike(shown[name], expected[name]) for name in shown)
    if isinstance(shown, list) and isinstance(expected, list):
        return len(shown) == len(expected) and all(map(alike, shown, expected))
    if isinstance(shown, str) and isinstance(expected, str) and shown != expected:
        try:
            return Decimal(shown) == Decimal(expected)
        except InvalidOperation:
            return False
    return bool(shown == expected)
