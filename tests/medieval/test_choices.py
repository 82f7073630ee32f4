"""15.4: what the tables of choices call legal is what the trial of `pbem check` does, at the same cost.

What the tables refuse fails there, with the same reason.
"""

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from gm.games.medieval.analysis.choices import BY_DICE, TurnChoices
from gm.games.medieval.analysis.trial import place_of, try_orders
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.scenario import load_scenario
from gm.games.medieval.data.start_world import start_world
from gm.games.medieval.orders import forms, model
from gm.games.medieval.orders.grammar import HEADQUARTERS, UNIT
from gm.games.medieval.orders.model import Order, Orders, Structure, Written
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.outcomes import OrderOutcome
from gm.resources import resource
from tests.browser.campaigns import orders as campaign_orders
from tests.examples import examples
from tests.medieval.order_reading import read_sheet
from tests.medieval.positions import worlds
from tests.medieval.testland import atlas, rules, world_of

HERE = Written(7, 3, "tried")
RICH = Decimal(1_000_000)
"""Whether there is gold is added up by the reader of the tables, not told by them."""


@dataclass
class Realm:
    """One realm's tables, asked as a page asks them, and the trial of the same order."""

    world: World
    board: Atlas
    realm: str

    def __post_init__(self) -> None:
        rich = self.world.realms[self.realm].evolve(treasury=RICH)
        self.world = self.world.with_realms(rich)
        turn = TurnChoices(self.world, rules(), self.board)
        self.shared, self.own = turn.shared(), turn.of_realm(self.realm)
        self.formatter = MedievalFormatter(self.world, sentences={})
        self.seen: Counter[str] = Counter()
        self.chance = False

    # -- the trial -------------------------------------------------------------------------------------------

    def tried(self, order: Order, unit: str | None, plan: bool) -> tuple[str, str, int, int]:
        """(clause, says, hundredths of gold, move-points) of an order that is given alone.

        No clause: it is done.
        """
        sheet = Orders(
            realm=self.realm,
            turn=self.world.turn + 1,
            headquarters=(order,) if unit is None else (),
            units=(order,) if unit is not None and not plan else (),  # type: ignore[arg-type]
            plans={unit: (order,)} if unit is not None and plan else {},  # type: ignore[dict-item]
        )
        trial = try_orders(self.world, self.realm, sheet, rules(), self.board, "one")
        self.chance = trial.chance
        order_trial = trial.orders[place_of(order)]
        event = order_trial.event
        if event.fate is OrderOutcome.DONE:
            return "", "", int(order_trial.gold * 100), order_trial.moves
        return (*self.formatter.reason(event.reason, event.figures), 0, 0)

    def same(self, name: str, answer: Any, order: Order, unit: str | None = None, **figures: object) -> None:
        """The table's answer and the trial agree."""
        clause, says, gold, _ = self.tried(order, unit, plan=False)
        if self.chance:
            return  # a battle or a fleet in flight comes between
        self.seen[f"{name} {'no' if isinstance(answer, str) else 'yes'}"] += 1
        what = (self.realm, name, unit, order, clause, says)
        if isinstance(answer, str):
            assert self.said(answer, self.own, **figures) == (clause, says), what
        else:
            assert (clause, gold) == ("", answer), what

    def said(self, answer: str, table: dict[str, Any], **figures: object) -> tuple[str, str]:
        clause, says = table["says"][int(answer)]

        def put(match: re.Match[str]) -> str:
            figure = (
                self.formatter.realm(self.owner(figures["to"])) if match[1] == "owner" else figures[match[1]]
            )
            value = str(figure)
            noun = (match[2] or "")[1:]
            return f"{value} {noun if value == '1' else noun + 's'}" if noun else value

        return clause, re.sub(r"\{(\w+)(:[^}]+)?\}", put, says)

    def owner(self, place: object) -> str:
        return self.world.provinces[str(place)].owner

    # -- what it is compared on ------------------------------------------------------------------------------

    def headquarters(self, *, late: bool) -> None:
        """``late``: also gold, whose way hangs on who owns what when the turn ends (L2)."""
        own = [land.name for land in self.world.owned_by(self.realm)]
        for word, table in self.own["headquarters"].items():
            for arg, answer in table.get("of", {}).items():
                order = headquarters_order(word, arg, own)
                if order is None or (word == "send_gold" and not late):
                    continue
                if table.get("waits") and not isinstance(answer, str):
                    assert "did not offer" in self.tried(order, None, plan=False)[1]
                elif (
                    table.get("pool")
                    and not isinstance(answer, str)
                    and not self.own["pools"][table["pool"]][0]
                ):
                    self.same(word, self.own["pools"][table["pool"]][1], order)
                elif word == "send_gold" and not isinstance(answer, str):
                    self.same(word, 100 + self.shared["limits"]["fee"], order)
                else:
                    self.same(word, answer, order)
            for pair, answer in table.get("pair", {}).items():
                province, code = pair.split("/")
                self.same(word, answer, model.RevokePermission(HERE, province, code))

    def units(self, *, late: bool) -> None:
        """What units are told; ``late``: what hangs on the end of the turn as well."""
        for unit in self.world.of_realm(self.realm):
            for word, table in self.own["units"][unit.id].items():
                if word in ("ships", "pillage") or (
                    not late and word in ("build", "repair", "raze", "recruit")
                ):
                    continue
                answers = table["of"] if isinstance(table, dict) else {"": table}
                pool = self.own["pools"].get(table.get("pool")) if isinstance(table, dict) else None
                for arg, answer in answers.items():
                    if pool is not None and not pool[0] and not isinstance(answer, str):
                        self.same(word, pool[1], unit_order(word, unit, arg), unit.id, left=0, ordered=1)
                    else:
                        self.same(word, answer, unit_order(word, unit, arg), unit.id)

    def plans(self) -> None:
        """The first step of every army and fleet: where it can go, board and pillage."""
        for unit in self.world.of_realm(self.realm):
            if unit.is_army and not unit.aboard:
                self._goes(unit, "march", model.March)
                for code, answer in self.own["board"].items():
                    self._planned(f"board {code}", unit, model.Board(HERE, code), answer)
            elif unit.is_fleet and not self._homeless(unit):
                self._goes(unit, "sail", model.Sail)

    def pillage(self) -> None:
        for unit in self.world.of_realm(self.realm):
            answer = self.own["units"][unit.id].get("pillage")
            if answer is not None and not unit.aboard:
                clause, says, gold, _ = self.tried(model.Pillage(HERE), unit.id, plan=True)
                expected = (*self.said(answer, self.own), 0) if isinstance(answer, str) else ("", "", answer)
                assert self.chance or (clause, says, gold) == expected, (self.realm, unit)
                self.seen[f"pillage {'no' if clause else 'yes'}"] += 1

    def _homeless(self, fleet: Unit) -> bool:
        land = self.world.provinces.get(fleet.place)
        return land is not None and (not land.harbour or self.world.is_enemy_land(self.realm, fleet.place))

    def _goes(self, unit: Unit, word: str, kind: type[model.March] | type[model.Sail]) -> None:
        """Check what the page says of a unit's march or sail to each neighbouring place."""
        order = self.board.place_order
        for place in self.board.graph.neighbours(unit.place):
            sea = self.board.is_sea(place)
            entry: Any = kind(HERE, place)
            way = self.shared["closed"][word].get(f"{order[unit.place]},{order[place]}")
            if word == "march" and sea:
                expected = self._common("far", unit, place)
            elif unit.empty or (word == "sail" and not unit.troops):
                expected = None
            elif word == "sail" and not sea and not self.board.is_sea(unit.place):
                expected = self._common("inland", unit, place)
            elif way is not None:
                expected = self.said(way, self.shared, **{"from": unit.place, "to": place})
            else:
                self._planned(f"{word} {place}", unit, entry, self.own["enter"][word][order[place]], place)
                continue
            if expected is not None:
                assert self.tried(entry, unit.id, plan=True)[:2] == expected, (unit, place)
                self.seen[f"{word} closed"] += 1

    def _common(self, name: str, unit: Unit, place: str) -> tuple[str, str]:
        return self.said(
            self.shared["said"][name], self.shared, **{"from": unit.place, "to": place, "unit": unit.id}
        )

    def _planned(self, name: str, unit: Unit, entry: Any, answer: Any, place: str = "") -> None:
        """An entry of a plan: refused for the same reason, or done for as many move-points, if there are
        so many.
        """
        clause, says, _, moves = self.tried(entry, unit.id, plan=True)
        what = (self.realm, name, unit, answer, clause, says)
        if unit.empty and isinstance(entry, model.March):
            assert clause == self.shared["says"][int(self.shared["said"]["nobody"])][0], what
        elif isinstance(answer, str):
            assert self.said(answer, self.own, to=place) == (clause, says), what
        elif clause:
            has = min((rules().troops[troop].move_points for troop in unit.troops), default=0)
            assert has < answer, what
            assert says == self.said(self.shared["said"]["points"], self.shared, needs=answer, has=has)[1], (
                what
            )
        elif isinstance(entry, (model.March, model.Sail)):
            assert moves == answer, what
        self.seen[f"{type(entry).__name__} {'no' if clause else 'yes'}"] += 1

    def landings(self) -> None:
        """Each place a fleet could put its army ashore from where it is."""
        order = self.board.place_order
        for fleet in self.world.of_realm(self.realm):
            cargo = (
                [unit for unit in self.world.cargo(fleet.key) if unit.realm == self.realm]
                if fleet.is_fleet
                else []
            )
            sea = self.board.is_sea(fleet.place)
            places = self.board.graph.neighbours(fleet.place) if sea else (fleet.place,)
            for place in (place for place in places if cargo and not self.board.is_sea(place)):
                clause, says, _, _ = self.tried(model.Unload(HERE, {cargo[0].id: place}), fleet.id, plan=True)
                way = self.shared["closed"]["unload"].get(f"{order[fleet.place]},{order[place]}")
                answer = self.own["enter"]["unload"][order[place]]
                if way is not None:
                    assert (clause, says) == self.said(way, self.shared, **{"from": fleet.place, "to": place})
                elif isinstance(answer, str):
                    assert (clause, says) == self.said(answer, self.own, to=place)
                elif answer != BY_DICE:
                    assert clause == "", (fleet, place, says)
                self.seen[f"unload {'no' if clause else 'yes'}"] += 1


def headquarters_order(word: str, arg: str, own: list[str]) -> Order | None:
    kind: Any = HEADQUARTERS[word].order
    match HEADQUARTERS[word].form:
        case forms.REALMS | forms.PROVINCES:
            return kind(HERE, arg)
        case forms.PERMISSIONS | forms.GIFTS:
            return kind(HERE, own[0], arg) if own else None
        case forms.PAYMENTS:
            return model.SendGold(HERE, arg, Decimal(1))
        case forms.RENAMES:
            return model.RenameCommander(HERE, arg, "Sir Nobody of Nowhere")
        case _:
            return model.Proclamation(HERE, "Hear ye!")


def unit_order(word: str, unit: Unit, arg: str) -> Order:
    kind: Any = UNIT[word].order
    fields: dict[str, tuple[Any, ...]] = {
        "form": (f"{arg}97", None),
        "disband": (arg, 1),
        "recruit": (arg or "Longbowmen", 1),
        "hire_commander": (1,),
        "follow": (arg or None,),
        "build": (Structure(arg or "harbour"),) if word == "build" else (),
        "raze": (Structure(arg or "harbour"),) if word == "raze" else (),
        "repair": (),
    }
    made: Order = kind(HERE, unit.id, *fields[word])
    return made


def start_of(name: str) -> tuple[World, Atlas]:
    """The position that games on a map start from, and its board."""
    folder = resource("maps", "medieval", name)
    board = load_atlas(folder / "map.yaml", rules())
    return start_world(load_scenario(folder / "start.yaml", board, rules()), board, rules()), board


@pytest.mark.clause("O2")
@examples(40, 2, phases=[Phase.generate])
@given(st.data())
def test_generated_positions(data: st.DataObject) -> None:
    """15.4: in any position, at peace and at war."""
    peace = data.draw(st.booleans())
    world = data.draw(worlds(peace=peace))
    realm = data.draw(
        st.sampled_from([code for code, party in sorted(world.realms.items()) if not party.defeated])
    )
    tables = Realm(world, atlas(), realm)
    tables.headquarters(late=peace)
    tables.plans()
    tables.units(late=peace)
    if peace:
        tables.landings()
        tables.pillage()


ABOARD: dict[str, Any] = {
    "its fleet stays": {"place": "Riga", "troops": {"Trading Cog": 5}},
    "its fleet has no way to a sea (M5)": {"place": "Paris", "troops": {"Trading Cog": 2}},
    "its fleet has no ships (M7)": {"place": "Riga"},
    "its fleet has too few ships (M7)": {"place": "Riga", "troops": {"Trading Cog": 1}},
}


@pytest.mark.clause("L8", "M5", "M7")
@pytest.mark.parametrize("fleet", ABOARD.values(), ids=ABOARD)
def test_who_is_put_ashore_before_he_works_is_not_aboard(fleet: dict[str, Any]) -> None:
    """15.4: an army that its fleet cannot carry stands in another realm's land when it is to work."""
    army = {"place": fleet["place"], "troops": {"Militia": 300}, "aboard": "LIT/F1"}
    granted = {"TEU": {"passage": ["LIT"]}, "FRA": {"passage": ["LIT"]}}
    world = world_of(
        {
            "units": {"LIT/A1": army, "LIT/F1": fleet},
            "realms": granted,
            "provinces": {"Riga": {"harbour": True}},
        }
    )
    tables = Realm(world, atlas(), "LIT")
    tables.units(late=True)
    assert {name for name in tables.seen if name.split()[0] in ("build", "repair", "raze")} == {
        "build no",
        "repair no",
        "raze no",
    }


@pytest.mark.parametrize(("name", "turns"), [("minsk", 4), ("hexland", 3)])
def test_positions_of_games(name: str, turns: int) -> None:
    """15.4: in games in which everybody gives orders, each realm's first steps turn by turn."""
    world, board = start_of(name)
    chance = Random(name)  # noqa: S311 - it plays, it guards nothing
    seen: Counter[str] = Counter()
    for turn in range(1, turns + 1):
        given_orders = {}
        for realm in world.realms:
            head = f"orders: 1\ngame: test\nrealm: {realm}\nturn: {world.turn + 1}\nkey: none\n"
            text = head + campaign_orders(world, board, rules(), realm, chance)
            sheet, _ = read_sheet(text.encode(), realm, world=world, rules=rules(), atlas=board, game="test")
            if sheet is not None:
                given_orders[realm] = sheet
        tables = Realm(world, board, chance.choice(sorted(world.realms)))
        tables.headquarters(late=False)
        tables.plans()
        seen.update(tables.seen)
        world = play_turn(world, given_orders, rules=rules(), atlas=board, seed=f"{name} {turn}").state
    assert seen["March yes"] + seen["Sail yes"] > 5
    assert {name for name in seen if name.endswith(" no")}


@pytest.mark.clause("F1", "P2")
def test_a_declared_war_opens_what_the_table_of_war_says() -> None:
    """15.4: the ways that a war opens are those of a world in which it is declared."""
    seen = 0
    world, board = start_of("minsk")
    for realm in world.realms:
        own = TurnChoices(world, rules(), board).of_realm(realm)
        for other in world.realms:
            if other == realm or isinstance(own["headquarters"]["declare_war"]["of"][other], str):
                continue
            declared = world.evolve(wars=world.wars | {(min(realm, other), max(realm, other))})
            then = TurnChoices(declared, rules(), board).of_realm(realm)["enter"]["march"]
            for place, index in board.place_order.items():
                land = world.provinces.get(place)
                if land is not None and land.owner == other:
                    now = own["war"]["march"].get(index, own["enter"]["march"][index])
                    assert isinstance(now, str) == isinstance(then[index], str)
                    assert isinstance(now, str) or now == then[index]
                    seen += 1
    assert seen > 10


def test_nobody_but_a_realm_has_tables() -> None:
    world, board = start_of("minsk")
    with pytest.raises(KeyError):
        TurnChoices(world, rules(), board).of_realm("IND")
