"""A battle as a story (B14): the sides, the walls, the turning point, retreats, losses.

This module finds what is worth telling; the wording is in templates/medieval/story.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any

from gm.core.diagnostics import printable
from gm.core.values import Event, grouped
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.movement import ConquestTooWeak, HarbourDestroyed, ProvinceConquered
from gm.games.medieval.report.battle_counts import Count, Counts, battle_counts, counts_of_turn
from gm.games.medieval.report.battle_course import camps, hits_behind_walls, turning_of
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import INDEPENDENTS
from gm.text.pages import capitalised
from gm.text.words import Said, load_sentences, variant

AFTERWARDS = (ProvinceConquered, ConquestTooWeak, HarbourDestroyed)
"""What may follow at the place of a battle in the same phase (M13, M13.1)."""
_PLACES = ("place", "other")  # the values of sentences that are places: they are told with their article
NAMED = 3  # if a side has more units than this, they are counted and at most so many are named


class Storyteller:
    """Writes the stories of a turn's battles. In its methods ``form`` is the number of the wording."""

    def __init__(self, formatter: MedievalFormatter, rules: Rules, events: Iterable[Event]) -> None:
        """Prepare for the battles of a turn. ``events``: the turn's events for everybody, in order."""
        self._formatter = formatter.with_articles()
        self._rules = rules
        self._sentences = load_sentences("templates", "medieval", "story")
        # two battles may be fought in one sea and phase, so a report's id is the key of its battle
        all_events = [*events]
        self._reports = [event.report for event in all_events if isinstance(event, BattleFought)]
        counts_of_reports = zip(self._reports, counts_of_turn(all_events), strict=True)
        self._counts = {id(report): counts for report, counts in counts_of_reports}
        # the brief stories so far, by the report's id: pages, summary and letters have the same ones
        self._brief_stories: dict[int, tuple[str, ...]] = {}
        # what followed the battles, by phase and place
        events_afterwards = (event for event in all_events if isinstance(event, AFTERWARDS))
        self._followed = grouped(events_afterwards, lambda event: (event.phase, event.place))

    def story(self, report: BattleReport, form: int = 0) -> tuple[str, ...]:
        """Return the whole story, a few sentences, in the wording ``form`` (:mod:`.battle_wordings`)."""
        turning = self._turning(report)
        walls = self._walls(report, turning, form)  # first, as it may take words from the turning point
        course = (
            [self._opening(report, form)],
            [self._siege(report, form), walls],
            [self._translate("Turning", form=form, **turning)],
            [*self._retreats(report), self._destroyed(report)],
            [*self._fallen(report), *self._rescued(report), *self._captured(report)],
        )
        return (*filter(None, map(_sentence, course)), *self._ending(report, form))

    def brief(self, report: BattleReport) -> tuple[str, ...]:
        """Return losses and aftermath alone, in sentences, for where there is little room."""
        if id(report) not in self._counts:  # no report of the turn's events: its id may be used again
            return self._ending(report, 0)
        if id(report) not in self._brief_stories:
            self._brief_stories[id(report)] = self._ending(report, 0)
        return self._brief_stories[id(report)]

    def _counts_of(self, report: BattleReport) -> Counts:
        """Return the counts of a battle by realm, with the losses aboard if it is one of the turn's."""
        return self._counts.get(id(report)) or battle_counts(report)

    def _ending(self, report: BattleReport, form: int) -> tuple[str, ...]:
        """Return the end of a story in sentences: losses, then what followed or, if nothing did, who won."""
        places = dict.fromkeys((report.place, report.other_place))
        events = chain.from_iterable(self._followed.get((report.phase, place), ()) for place in places)
        aftermath = [self._said_after(event, form) for event in events]
        price = _sentence([self._price(report, form)])
        if aftermath:
            return price, *aftermath
        closing = self._translate(
            "End",
            end=_end_variant(report),
            winners=self._realms(report.winners),
            place=report.place,
            form=form,
        )
        return price, _sentence([closing])

    def _said_after(self, event: Event, form: int) -> str:
        """Return the sentence about an event after a battle; a conquest in the wording ``form``."""
        if not form or not isinstance(event, ProvinceConquered):
            return self._formatter.format_event(event)
        realm, former = self._realms((event.realm, event.former))
        return _sentence(
            [self._translate("Conquered", form=form, realm=realm, former=former, place=event.place)]
        )

    def _translate(self, sentence: str, /, **values: Any) -> str:
        """Return a sentence of the story in the reader's language, in the variant that its values select.

        Lists of texts are joined, and places have their article.
        """
        pattern = variant(self._sentences[sentence], values.__getitem__)
        formatter = self._formatter
        for name, value in values.items():
            if isinstance(value, list):
                values[name] = formatter.listed(value)
            elif name in _PLACES:
                values[name] = formatter.place(value)
        return formatter.prose(pattern, **values)

    def _realms(self, codes: Iterable[str]) -> list[str]:
        """Return the names of realms."""
        return [self._formatter.realm(code) for code in codes]

    def _opening(self, report: BattleReport, form: int) -> str:
        """Return the sentence about the sides, by the kind of battle."""
        sides = camps(report)
        # of two sides the owner's is the last
        kind = "attack" if report.owner in sides[-1] else report.kind
        if report.mutiny:
            kind = "mutiny"
        if len(sides) != 2:
            kind = "several"
            sides = [report.realms, ()]
        elif report.mutiny:
            rebels = {unit.realm for unit in report.units if unit.role == "mutineers"}
            sides.sort(key=rebels.isdisjoint)  # the side with rebels first
        modifiers = chain.from_iterable(unit.modifiers for unit in report.units if unit.realm in sides[0])
        landed = any(modifier.kind == "amphibious" for modifier in modifiers)
        realms_with_troops = {unit.realm for unit in report.units if unit.heads}
        first = [self._side(report, code) for code in sides[0] if code in realms_with_troops]
        second = [self._side(report, code) for code in sides[1] if code in realms_with_troops]
        where = {"place": report.place, "other": report.other_place, "landed": landed}
        return self._translate("Opening", kind=kind, sides=first, foes=second, form=form, **where)

    def _side(self, report: BattleReport, code: str) -> str:
        """Return a realm and its units in words; of more than ``NAMED`` only some with names or leaders."""
        units = [unit for unit in report.units if unit.realm == code and unit.heads]
        mentioned = units
        if len(units) > NAMED:
            mentioned = [unit for unit in units if unit.name or unit.leader][:NAMED]
        mentioned_texts = []
        for unit in mentioned:
            if unit.role == "garrison":
                unit_name = self._formatter.translate("the garrison")
            else:
                unit_name = self._formatter.own_unit(*unit.unit.split("/"))
            mentioned_texts.append(
                self._translate("Unit", unit=unit_name, leader=printable(unit.leader or ""))
            )
        values = {
            "realm": self._formatter.realm(code),
            "many": len(units) > NAMED,
            "number": len(units),
            "units": mentioned_texts,
        }
        count = self._counts_of(report)[code]
        return self._translate(
            "Side", **values, count=count.engaged, noun=count.noun_in(self._formatter.translate)
        )

    def _siege(self, report: BattleReport, form: int) -> str:
        """Return the siege's effect on the walls, in words (B2); empty without a siege."""
        siege = report.siege
        if siege is None:
            return ""
        damage = siege.damage_after - siege.damage_before
        level = siege.level
        return self._translate(
            "Siege", done=damage, level=level, razed=siege.damage_after == level, form=form
        )

    def _walls(self, report: BattleReport, turning: dict[str, Any], form: int) -> str:
        """Return the walls' benefit for the defenders, in words (B5.1, B8); empty without one.

        If walls fell in a short fight, the ``turning`` in these values becomes empty, for this sentence tells
        the length.
        """
        hits_and_saved = hits_behind_walls(report, self._rules)
        level = self._rules.fortification(report.fortification)
        if level is None or hits_and_saved is None:
            return ""
        hits, saved = hits_and_saved
        fell = turning["turning"] == "swift" and report.owner not in report.winners and round(saved) > 0
        if fell:
            turning["turning"] = ""
        return self._translate(
            "Walls",
            wall=self._formatter.translate(level.name),
            fell=fell,
            form=form,
            hits=round(hits),
            saved=round(saved),
            rounds=len(report.rounds),
        )

    def _turning(self, report: BattleReport) -> dict[str, Any]:
        """Return the values of the turning point (:func:`.battle_course.turning_of`), its realms in words."""
        turning = turning_of(report)
        sides = [side for side in ("winner", "loser") if side in turning]
        return turning | {side: self._realms(turning[side]) for side in sides}

    def _retreats(self, report: BattleReport) -> Iterator[str]:
        """Yield the retreats in words, those of a realm in one round to one place together (B9)."""
        retreats: list[tuple[str, int, str]] = []  # (place that they went to, round, unit's key)
        for fought in report.rounds:
            retreats += [(retreat.to, fought.number, retreat.unit) for retreat in fought.retreats]
        for (to, number, code), group in groupby(retreats, key=lambda row: (row[0], row[1], _realm(row[2]))):
            units = [self._formatter.own_unit(*key.split("/")) for _, _, key in group]
            group_values = {"many": len(units) > NAMED, "number": len(units), "units": units}
            units_words = self._translate("Units", **group_values, realm=self._formatter.realm(code))
            is_last = number == len(report.rounds)
            yield self._translate(
                "FellBack" if to else "Fled", units=units_words, place=to, round=number, last=is_last
            )

    def _destroyed(self, report: BattleReport) -> str:
        """Return the destroyed units, in words, of realms that have others left in the battle.

        For other realms the sentence about losses says it.
        """
        realms_left = {_realm(end.unit) for end in report.ends if end.outcome != "destroyed"}
        destroyed = [
            end.unit for end in report.ends if end.outcome == "destroyed" and _realm(end.unit) in realms_left
        ]
        units = [self._formatter.unit(key) for key in destroyed[:NAMED]]
        return self._translate(
            "Destroyed", number=len(destroyed), units=units, more=len(destroyed) - len(units)
        )

    def _fallen(self, report: BattleReport) -> Iterator[str]:
        """Yield, in words, the commanders who fell in battle or died of wounds (B8.1, B11).

        Those of one realm and round who follow each other in the report are in one sentence.
        """
        # the round in which each fell, or "wounds", by the unit's key and the commander's name
        round_of: dict[tuple[str, str | None], int | str] = {}
        for fought in report.rounds:
            parts: tuple[Any, ...] = (*fought.units, *fought.retreats)
            for part in parts:
                dead = ((part.unit, name) for name in part.fallen_commanders)
                round_of |= dict.fromkeys(dead, fought.number)
        round_of |= {(wound.unit, wound.commander): "wounds" for wound in report.wounded if wound.dies}
        fallen: list[tuple[str, int | str | None, str]] = []  # (realm's code, round, commander's name)
        for end in report.ends:
            fallen += [
                (_realm(end.unit), round_of.get((end.unit, name)), name) for name in end.fallen_commanders
            ]
        for (code, round_fallen), group in groupby(fallen, key=lambda loss: loss[:2]):
            names = [printable(name) for _, _, name in group]
            yield self._translate("Fell", names=names, realm=self._formatter.realm(code), round=round_fallen)

    def _rescued(self, report: BattleReport) -> Iterator[str]:
        """Yield, in words, passengers lost or saved with a fleet (B12)."""
        unit = self._formatter.unit
        passengers = [
            (rescue, rescue.commander or (rescue.army and unit(rescue.army))) for rescue in report.rescues
        ]
        # (fleet's key, whether saved, commander's or army's name)
        aboard = [(rescue.fleet, bool(rescue.to), printable(name)) for rescue, name in passengers if name]
        for (fleet, saved), group in groupby(aboard, key=lambda row: row[:2]):
            yield self._translate(
                "Aboard", names=[name for _, _, name in group], fleet=unit(fleet), saved=saved
            )

    def _captured(self, report: BattleReport) -> Iterator[str]:
        """Yield, in words, captured troops and their captors (B11)."""
        realm = self._formatter.realm
        # by the names of captor and loser, and whether they are ships
        captured = Counter[tuple[str, str, bool]]()
        for roll in report.captures:
            if roll.count:
                ship = self._rules.troops[roll.troop].ship
                captured[realm(roll.captor), realm(_realm(roll.unit)), ship] += roll.count
        for (captor, loser, ship), count in captured.items():
            yield self._translate("Captured", captor=captor, realm=loser, count=count, ship=ship)

    def _price(self, report: BattleReport, form: int) -> str:
        """Return each realm's losses of its force and aboard, in words; then who lost nobody."""
        counts = self._counts_of(report)
        realms = dict.fromkeys(chain(*camps(report), counts))
        losers = [code for code in realms if counts[code].fell or counts[code].aboard]
        spared = self._realms(code for code in realms if code not in losers)
        prices = list[str]()
        for code in losers:
            realm = self._formatter.realm(code)
            part = self._lost(counts[code], code)
            prices.append(self._translate("Price", first=not prices, realm=realm, part=part, form=form))
        clauses = [self._formatter.listed(prices)] if prices else []
        if spared:
            clauses.append(self._translate("Spared", realms=spared, form=form))
        return "; ".join(clauses)

    def _lost(self, count: Count, code: str) -> str:
        """Return the losses of the realm ``code`` in words."""
        noun = count.noun_in(self._formatter.translate)
        values = {
            "had": count.engaged,
            "lost": count.fell,
            "left": count.engaged - count.fell,
            "noun": noun,
            "theirs": code == INDEPENDENTS,  # whether the realm's name is a plural
            "one": _noun_after(1, noun),
            "many": _noun_after(2, noun),
        }
        part = self._translate("Lost", **values)
        if not count.aboard:
            return part
        return self._translate("LostAboard", part=part, lost=count.fell, aboard=count.aboard)


def _end_variant(report: BattleReport) -> str:
    """Return the variant of the closing sentence: ``kept`` if the land's owner won, ``drawn``, ``nobody``.

    In other cases it is the kind of battle.
    """
    has_survivors = any(
        end.outcome == "survived" and _realm(end.unit) in report.winners for end in report.ends
    )
    if has_survivors and report.owner in report.winners:
        return "kept"
    if report.result == "drawn":
        return "drawn"
    return report.kind if has_survivors else "nobody"


def _realm(key: str) -> str:
    """Return the code of the realm in a unit's key, ``ENG/A1``."""
    return key.partition("/")[0]


def _sentence(parts: Iterable[str]) -> str:
    """Return parts as one sentence; empty without parts."""
    text = "; ".join(filter(None, parts))
    return f"{capitalised(text)}." if text else ""


def _noun_after(number: int, noun: str) -> str:
    """Return a noun, given with its plural after a bar, in the form for a number."""
    return format(Said(number), noun).partition(" ")[2]
