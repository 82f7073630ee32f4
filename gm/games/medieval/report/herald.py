"""The news of a medieval turn for the Herald (W8).

They are found in owners before and after it, public events, battles, and public positions of armies.
Sentences and weights are in ``templates/medieval/herald.yaml``.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gm.core.values import PUBLIC
from gm.game.base.herald import Herald, News, Piece, grammar
from gm.game.base.herald_events import event_news, letters_of, paper_of, shortened
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events import GameConceded, GameDrawn, final, first
from gm.games.medieval.report.battle_counts import together
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.turn_result import TurnView
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.state.strength import soldiers
from gm.games.medieval.steps.economy import province_revenue

NAMED = 3  # cities by name in a headline
_ROBBED = "*"  # realms, whoever they are

RELATIONS = (first.WarDeclared, final.AllianceCancelled, final.PeaceMade, final.AllianceFormed)


def herald(view: TurnView) -> Herald:
    """Return the newspaper of a turn."""
    return TurnNews(view).paper()


class TurnNews:
    """The news of one turn in the language of its view."""

    def __init__(self, view: TurnView) -> None:
        """Prepare for a turn, and count the cities that each realm owned before it."""
        self._view = view
        self._result = view.result
        self._atlas = view.result.atlas
        self._formatter = view.formatter.with_articles()
        before = view.result.before
        self._cities = Counter(
            land.owner for name, land in before.provinces.items() if self._atlas.city(name)
        )

    def paper(self) -> Herald:
        """Return the turn's newspaper: the articles about its news, worded in the formatter's language."""
        result = self._result
        formatter = self._formatter
        season, year = season_of(result.turn, result.rules)
        when = formatter.phrase(
            "{season} {year}, turn {turn}", season=formatter.translate(season), year=year, turn=result.turn
        )
        proclamations = [(event.realm, event.text) for event in self._view.seen(PUBLIC, final.Proclaimed)]
        names = {code: realm.name for code, realm in result.after.realms.items()}
        letters = letters_of(result.press, result.turn, names, proclamations)
        lands = (self._lands(result.before), self._lands(result.after))
        news = self.news() if result.turn else ()
        blank = Herald(result.game, result.title, result.turn, when, letters=letters, leader=result.leader)
        return paper_of("medieval", blank, formatter, news, lands)

    @staticmethod
    def _lands(world: World) -> dict[str, int]:
        counts = Counter(land.owner for land in world.provinces.values())
        return {code: counts[code] for code, realm in world.realms.items() if not realm.defeated}

    def news(self) -> Iterator[News]:
        """Yield all news that the turn's events may make, before the newspaper selects among them."""
        for kind in (
            GameDrawn,
            GameConceded,
            final.VictoryWon,
            final.VictoryNear,
            final.GameScored,
            final.RealmDefeated,
        ):
            for event in self._view.seen(PUBLIC, kind):
                yield News(
                    event.kind,
                    0,
                    {name: getattr(event, name) for name in event.__struct_fields__},
                    anchor="race",
                )
        yield from self._of_relations()
        yield from self._of_land()
        for entry in self._view.battles:
            yield self._of_battle(entry)
            yield from self._of_the_dead(entry)
        yield from event_news(grammar("medieval"), self._result.public, self._formatter)
        yield from self._of_armies()
        yield self._of_gold()
        yield from self._of_damage()
        yield News("weather", 0, {"season": season_of(self._result.turn, self._result.rules)[0]})

    def _of_relations(self) -> Iterator[News]:
        """Yield news of dealings between realms, each pair once; then proclamations.

        All dealings of a kind by one realm are one piece of news.
        """
        cities = self._cities
        for kind in RELATIONS:
            words: dict[str, list[str]] = {}
            for event in self._view.seen(PUBLIC, kind):
                if event.realm not in words.get(event.other, ()):
                    words.setdefault(event.realm, []).append(event.other)
            for realm, others in words.items():
                size = sum(cities[code] for code in (realm, *others))
                values = {"realm": realm, "others": others}
                yield News(kind.__name__, size, values, anchor="relations")
        for proclaimed in self._view.seen(PUBLIC, final.Proclaimed):
            text = shortened(" ".join(proclaimed.text.split()), grammar("medieval").length)
            values = {"realm": proclaimed.realm, "text": text}
            yield News("Proclaimed", cities[proclaimed.realm], values, anchor="proclamations")

    def _of_land(self) -> Iterator[News]:
        """Yield conquered land.

        Capitals one by one, cities and other provinces together.
        """
        for (kind, realm, other), names in self._lands_taken().items():
            robbed = [former for former in dict.fromkeys(names.values()) if former != INDEPENDENTS]
            values: dict[str, Any] = {"realm": realm, "other": other, "former": robbed}
            values["left"] = sum(land.owner == other for land in self._result.after.provinces.values())
            values |= {"count": len(names), "large": len(names) > NAMED}
            size = len(names) + sum(former != INDEPENDENTS for former in names.values())
            size = self._cities[other] if kind == "capital" else size
            fought = next((entry for entry in self._view.battles if entry.report.place in names), None)
            source = {"anchor": fought.anchor, "page": _page(fought)} if fought else {}
            yield News(kind, size, values, tuple(map(self._place, names)), **source)

    def _lands_taken(self) -> dict[tuple[str, str, str], dict[str, str]]:
        """Return the former owners of lands by name, grouped by the kind of change and its two realms."""
        gifts = {event.province: event.realm for event in self._view.seen(PUBLIC, final.ProvinceGiven)}
        lands: dict[tuple[str, str, str], dict[str, str]] = {}
        for name, former, owner in self._view.owners_changed:
            change = ("gift", gifts[name], owner) if name in gifts else self._change(name, former, owner)
            lands.setdefault(change, {})[name] = former
        return lands

    def _change(self, name: str, former: str, owner: str) -> tuple[str, str, str]:
        """Return (kind, realm, other) of the news about a province's new owner."""
        place = self._atlas.locations[name]
        if owner == INDEPENDENTS:
            return "ceded", former, ""
        if place.capital_of == former:
            return "capital", owner, former
        kind = "cities" if place.city else "lands"
        # what was nobody's is told apart: who lost something is named for that alone
        if former == INDEPENDENTS:
            return kind, owner, ""
        return kind, owner, _ROBBED if place.city else former

    def _place(self, name: str) -> Piece:
        city = self._atlas.city(name)
        called = f"{city.name} ({name})" if city and city.name != name else self._formatter.place(name)
        return Piece(called, self._view.place_anchor(name))

    def _of_battle(self, entry: BattleEntry) -> News:
        """Return the weight of a battle: the number of its losses, half of that against independents.

        A fleet that was lost as a whole weighs its ships.
        """
        report = entry.report
        count = together([*entry.counts.values()])
        fallen = count.fell
        values: dict[str, Any] = {
            "place": " – ".join(map(self._formatter.place, filter(None, (report.place, report.other_place)))),
            "realms": report.realms,
            "heads": count.engaged,
            "fallen": fallen,
            "aboard": count.aboard,
            "rounds": len(report.rounds),
            "winners": report.winners,
            "walls": bool(report.fortification),
        }
        kind = "battle"
        size = fallen if INDEPENDENTS not in report.realms else fallen // 2
        lost = _fleets_lost(report) if report.kind == "sea" else []
        if lost:
            kind = "fleet"
            size = len(lost)
            values["lost"] = lost
            values["realm"] = list(dict.fromkeys(key.partition("/")[0] for key in lost))
        elif report.mutiny:
            kind = "mutiny"
        return News(kind, size, values, anchor=entry.anchor, page=_page(entry))

    def _of_the_dead(self, entry: BattleEntry) -> Iterator[News]:
        """Yield the commanders who fell in a battle, or went down with their ships."""
        report = entry.report
        for realm, count in entry.counts.items():
            names = count.commanders
            if names:
                values = {
                    "realm": realm,
                    "commanders": names,
                    "several": len(names) > 1,
                    "sea": report.kind == "sea",
                }
                place = tuple(self._place(name) for name in (report.place,) if name in self._atlas.locations)
                yield News("fallen", len(names), values, place, entry.anchor, _page(entry))

    def _of_armies(self) -> Iterator[News]:
        """Yield armies that came this turn to an unfriendly realm's border, as a rumour of rough numbers.

        The places of units are public (W8).
        """
        before = self._result.before
        after = self._result.after
        camps = Counter[tuple[str, str]]()
        for unit in after.units.values():
            was = before.units.get(unit.key)
            if unit.is_army and unit.realm != INDEPENDENTS and (was is None or was.place != unit.place):
                camps[unit.realm, unit.place] += soldiers(unit, self._result.rules)
        for (realm, place), heads in camps.items():
            near = {
                after.provinces[neighbour].owner
                for neighbour in self._atlas.graph.neighbours(place)
                if neighbour in after.provinces
            }
            other_realms = sorted(
                code for code in near - {realm, INDEPENDENTS} if not after.allied(realm, code)
            )
            if other_realms and heads and place in after.provinces:
                values = {"realm": realm, "other": other_realms[0], "about": max(10, round(heads, -1))}
                yield News("camp", heads, values, (self._place(place),))

    def _of_gold(self) -> News:
        """Return the sum of all lands' revenue in a season, and how much it changed.

        The gold itself is private to its owner (W8).
        """
        result = self._result
        then = self._all_revenue(result.before)
        now = self._all_revenue(result.after)
        change = "same"
        if now != then:
            change = "more" if now > then else "less"
        return News("yield", 0, {"total": now, "difference": abs(now - then), "change": change})

    def _of_damage(self) -> Iterator[News]:
        """Yield the number of provinces with damage, and the worst of them, if there are any."""
        result = self._result
        harmed = {name: land.damage for name, land in result.after.provinces.items() if land.damage}
        if harmed:
            worst = max(harmed, key=lambda name: harmed[name])
            values = {"count": len(harmed), "damage": harmed[worst]}
            yield News("ruin", len(harmed), values, (self._place(worst),))

    def _all_revenue(self, world: World) -> Decimal:
        lands = world.provinces.values()
        return sum((province_revenue(land, self._atlas, self._result.rules) for land in lands), Decimal(0))


def _fleets_lost(report: BattleReport) -> list[str]:
    """Return the fleets of a battle that lost all ships."""
    fleets = {unit.unit for unit in report.units if unit.role == "fleet"}
    return [end.unit for end in report.ends if end.outcome == "destroyed" and end.unit in fleets]


def _page(entry: BattleEntry) -> str:
    """Return the battle's page in the language that every battle has."""
    return entry.data.replace(".yaml", ".html")
