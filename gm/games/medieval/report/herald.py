"""The news of a medieval turn for the newspaper, the Herald (W8).

News come from owners before and after the turn, public events, battles, and the public positions of armies.
Their sentences and weights are in ``templates/medieval/herald.yaml``.
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

NAMED = 3  # of more provinces a headline only gives the number
_ANY_REALM = "*"  # stands for the former owners of cities, so that news of one winner are not divided by them

RELATIONS = (first.WarDeclared, final.AllianceCancelled, final.PeaceMade, final.AllianceFormed)


def herald(view: TurnView) -> Herald:
    """Return the newspaper of a turn."""
    return TurnNews(view).paper()


class TurnNews:
    """Finds the news of one turn, in the language of its view."""

    def __init__(self, view: TurnView) -> None:
        """Prepare for a turn, and count the cities that each realm owned before it."""
        self._view = view
        self._result = view.result
        self._atlas = view.result.atlas
        self._formatter = view.formatter.with_articles()
        before = view.result.before
        self._cities = Counter(
            land.owner for name, land in before.provinces.items() if self._atlas.city(name)
        )  # by the owner's code

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
        without_news = Herald(
            result.game, result.title, result.turn, when, letters=letters, leader=result.leader
        )
        return paper_of("medieval", without_news, formatter, news, lands)

    @staticmethod
    def _lands(world: World) -> dict[str, int]:
        """Return the number of provinces of each realm that is not defeated, by code."""
        counts = Counter(land.owner for land in world.provinces.values())
        return {code: counts[code] for code, realm in world.realms.items() if not realm.defeated}

    def news(self) -> Iterator[News]:
        """Yield all news of the turn, before the newspaper selects among them."""
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
        """Yield news of wars, peaces and alliances, each pair of realms once; then proclamations.

        All declarations of a kind by one realm are one piece of news.
        """
        cities = self._cities
        for kind in RELATIONS:
            others_of: dict[str, list[str]] = {}
            for event in self._view.seen(PUBLIC, kind):
                # if both realms of a pair have an event, the first one stands for both
                if event.realm not in others_of.get(event.other, ()):
                    others_of.setdefault(event.realm, []).append(event.other)
            for realm, others in others_of.items():
                size = sum(cities[code] for code in (realm, *others))
                values = {"realm": realm, "others": others}
                yield News(kind.__name__, size, values, anchor="relations")
        for proclaimed in self._view.seen(PUBLIC, final.Proclaimed):
            text = shortened(" ".join(proclaimed.text.split()), grammar("medieval").length)
            values = {"realm": proclaimed.realm, "text": text}
            yield News("Proclaimed", cities[proclaimed.realm], values, anchor="proclamations")

    def _of_land(self) -> Iterator[News]:
        """Yield news of land that changed hands: each capital alone, cities and other provinces together."""
        for (kind, realm, other), former_owners in self._lands_by_change().items():
            losers = [former for former in dict.fromkeys(former_owners.values()) if former != INDEPENDENTS]
            values: dict[str, Any] = {"realm": realm, "other": other, "former": losers}
            # of a capital's news: how many provinces the loser still has
            values["left"] = sum(land.owner == other for land in self._result.after.provinces.values())
            values |= {"count": len(former_owners), "large": len(former_owners) > NAMED}
            if kind == "capital":
                # the more cities its realm had, the bigger is the news
                size = self._cities[other]
            else:
                # land of a realm counts twice
                size = len(former_owners) + sum(former != INDEPENDENTS for former in former_owners.values())
            battle = next(
                (entry for entry in self._view.battles if entry.report.place in former_owners), None
            )
            source = {"anchor": battle.anchor, "page": _page(battle)} if battle else {}
            yield News(kind, size, values, tuple(map(self._place, former_owners)), **source)

    def _lands_by_change(self) -> dict[tuple[str, str, str], dict[str, str]]:
        """Return provinces with a new owner, by (kind, realm, other) of the news: former owners by name."""
        givers = {event.province: event.realm for event in self._view.seen(PUBLIC, final.ProvinceGiven)}
        lands: dict[tuple[str, str, str], dict[str, str]] = {}
        for name, former, owner in self._view.owners_changed:
            change = ("gift", givers[name], owner) if name in givers else self._change(name, former, owner)
            lands.setdefault(change, {})[name] = former
        return lands

    def _change(self, name: str, former: str, owner: str) -> tuple[str, str, str]:
        """Return (kind, realm, other), by which the news groups provinces with a new owner.

        ``realm``: the new owner, or the former one of land that is independent now; ``other``: the former
        owner, :data:`_ANY_REALM` for cities, empty for land that is or was independent.
        """
        place = self._atlas.locations[name]
        if owner == INDEPENDENTS:
            return "ceded", former, ""
        if place.capital_of == former:
            return "capital", owner, former
        kind = "cities" if place.city else "lands"
        # not grouped with land taken from realms: that news names who lost it
        if former == INDEPENDENTS:
            return kind, owner, ""
        return kind, owner, _ANY_REALM if place.city else former

    def _place(self, name: str) -> Piece:
        """Return a place, with its city if that has another name, as a linked piece of text."""
        city = self._atlas.city(name)
        text = f"{city.name} ({name})" if city and city.name != name else self._formatter.place(name)
        return Piece(text, self._view.place_anchor(name))

    def _of_battle(self, entry: BattleEntry) -> News:
        """Return the news of a battle; if fleets were lost as a whole, they are the news.

        Its size is the number of losses, half of that if independents fought, or the number of fleets lost.
        """
        report = entry.report
        count = together([*entry.counts.values()])
        values: dict[str, Any] = {
            "place": " – ".join(map(self._formatter.place, filter(None, (report.place, report.other_place)))),
            "realms": report.realms,
            "heads": count.engaged,
            "fallen": count.fell,
            "aboard": count.aboard,
            "rounds": len(report.rounds),
            "winners": report.winners,
            "walls": bool(report.fortification),
        }
        kind = "battle"
        # a battle with independents is lesser news
        size = count.fell if INDEPENDENTS not in report.realms else count.fell // 2
        fleets_lost = _fleets_lost(report) if report.kind == "sea" else []
        if fleets_lost:
            kind = "fleet"
            size = len(fleets_lost)
            values["lost"] = fleets_lost
            values["realm"] = list(dict.fromkeys(key.partition("/")[0] for key in fleets_lost))
        elif report.mutiny:
            kind = "mutiny"
        return News(kind, size, values, anchor=entry.anchor, page=_page(entry))

    def _of_the_dead(self, entry: BattleEntry) -> Iterator[News]:
        """Yield news of the commanders who fell in a battle or were lost with their ships, by realm."""
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
                place = (self._place(report.place),) if report.place in self._atlas.locations else ()
                yield News("fallen", len(names), values, place, entry.anchor, _page(entry))

    def _of_armies(self) -> Iterator[News]:
        """Yield news of armies that came this turn to the border of a realm not allied, or were formed there.

        The places of units are public (W8).
        """
        before = self._result.before
        after = self._result.after
        camps = Counter[tuple[str, str]]()  # soldiers by (realm, place)
        for unit in after.units.values():
            former = before.units.get(unit.key)
            has_come = former is None or former.place != unit.place
            if unit.is_army and unit.realm != INDEPENDENTS and has_come:
                camps[unit.realm, unit.place] += soldiers(unit, self._result.rules)
        for (realm, place), heads in camps.items():
            owners_nearby = {
                after.provinces[neighbour].owner
                for neighbour in self._atlas.graph.neighbours(place)
                if neighbour in after.provinces
            }
            other_realms = sorted(
                code for code in owners_nearby - {realm, INDEPENDENTS} if not after.allied(realm, code)
            )
            if other_realms and heads and place in after.provinces:
                # the news names only one of the realms at the border
                values = {"realm": realm, "other": other_realms[0], "about": max(10, round(heads, -1))}
                yield News("camp", heads, values, (self._place(place),))

    def _of_gold(self) -> News:
        """Return the news of all lands' revenue in a turn, and how much it changed.

        The gold of each realm is private (W8).
        """
        result = self._result
        then = self._all_revenue(result.before)
        now = self._all_revenue(result.after)
        change = "same"
        if now != then:
            change = "more" if now > then else "less"
        return News("yield", 0, {"total": now, "difference": abs(now - then), "change": change})

    def _of_damage(self) -> Iterator[News]:
        """Yield the news of the number of provinces with damage, and the worst of them, if there are any."""
        damage_of = {name: land.damage for name, land in self._result.after.provinces.items() if land.damage}
        if damage_of:
            worst = max(damage_of, key=lambda name: damage_of[name])
            values = {"count": len(damage_of), "damage": damage_of[worst]}
            yield News("ruin", len(damage_of), values, (self._place(worst),))

    def _all_revenue(self, world: World) -> Decimal:
        """Return the sum of all provinces' revenue in a turn."""
        lands = world.provinces.values()
        return sum((province_revenue(land, self._atlas, self._result.rules) for land in lands), Decimal(0))


def _fleets_lost(report: BattleReport) -> list[str]:
    """Return the keys of the fleets that were destroyed in a battle."""
    fleets = {unit.unit for unit in report.units if unit.role == "fleet"}
    return [end.unit for end in report.ends if end.outcome == "destroyed" and end.unit in fleets]


def _page(entry: BattleEntry) -> str:
    """Return the path of a battle's page in English: in this language every battle has one."""
    return entry.data.replace(".yaml", ".html")
