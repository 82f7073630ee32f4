"""The same turn twice, with other orders: what comes out differently."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.answers import Explanation, Fates, diff_of_fates, fates_of, titled_diff
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import Relation, Unit, World
from gm.games.medieval.steps.turn import OrderSettled
from gm.text.pages import capitalised, gold, listed, signed


def diff(record: MedievalResult, other: MedievalResult) -> tuple[Explanation, ...]:
    """The differences of ``other`` from ``record``: fates of orders, battles, owners, units, gold, relations."""
    speaker = MedievalFormatter(record.before, record.after, other.after)
    return titled_diff(
        (
            ("Orders:", diff_of_fates(_fates(record, speaker), _fates(other, speaker), speaker.realm)),
            ("Battles:", _battles(record, other)),
            ("Provinces:", _owners(record.after, other.after, speaker)),
            ("Units:", _units(record.after, other.after, speaker)),
            ("Gold:", _gold(record.after, other.after, speaker)),
            ("Relations:", _relations(record.after, other.after, speaker)),
        )
    )


def _fates(record: MedievalResult, speaker: MedievalFormatter) -> Fates:
    return fates_of((each for each in record.events if isinstance(each, OrderSettled)), speaker.reason)


def _battles(record: MedievalResult, other: MedievalResult) -> Iterator[str]:
    was, now = _battles_of(record), _battles_of(other)
    for key in dict.fromkeys((*was, *now)):
        name = f"{key[0]}, phase {key[1]}"
        if key not in now:
            yield f"{name}: is not fought now; it was: {was[key]}"
        elif key not in was:
            yield f"{name}: is fought now: {now[key]}"
        elif was[key] != now[key]:
            yield f"{name}: was: {was[key]}; now: {now[key]}"


def _battles_of(record: MedievalResult) -> dict[tuple[str, int, int], str]:
    speaker = MedievalFormatter(record.before, record.after)
    found: dict[tuple[str, int, int], str] = {}
    for entry in battle_entries((each for each in record.events if isinstance(each, BattleFought)), speaker):
        number = 0
        while (entry.title, entry.phase, number) in found:
            number += 1
        losses = [
            f"{speaker.unit(end.unit)} ({end.outcome}, {sum(each.count for each in end.losses)} lost)"
            for end in entry.report.ends
        ]
        found[entry.title, entry.phase, number] = f"{entry.result} {capitalised(listed(losses))}"
    return found


def _owners(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for name, land in was.provinces.items():
        new = now.provinces[name]
        if land.owner != new.owner:
            yield f"{name}: belonged to {speaker.realm(land.owner)}, now to {speaker.realm(new.owner)}"
        for word in ("annexed_to", "damage", "fortification", "fortification_damage", "harbour"):
            a, b = getattr(land, word), getattr(new, word)
            if a != b:
                said = [speaker.words(each) if each is not None else "nobody" for each in (a, b)]
                yield f"{name}, {word.replace('_', ' ')}: was {said[0]}, now {said[1]}"


def _units(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for key in dict.fromkeys((*was.units, *now.units)):
        old, new = was.units.get(key), now.units.get(key)
        a, b = (_state(each) if each is not None and not each.empty else "not there" for each in (old, new))
        if a != b:
            yield f"{capitalised(speaker.unit(key))}: was {a}; now {b}"


def _state(unit: Unit) -> str:
    troops = listed([f"{unit.count(name)} {name}" for name in unit.troops])
    where = f"aboard {unit.aboard} at {unit.place}" if unit.aboard else f"at {unit.place}"
    led = f", {listed([each.name for each in unit.commanders])}" if unit.commanders else ""
    return f"{where} with {troops}{led}"


def _gold(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for code, realm in was.realms.items():
        new = now.realms[code].treasury
        if realm.treasury != new:
            change = signed(new - realm.treasury)
            yield f"{capitalised(speaker.realm(code))}: was {gold(realm.treasury)}, now {gold(new)} ({change})"


def _relations(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    codes = sorted(was.realms)
    for index, a in enumerate(codes):
        for b in codes[index + 1 :]:
            old, new = was.relation(a, b), now.relation(a, b)
            if old != new:
                names = f"{speaker.realm(a)} and {speaker.realm(b)}"
                yield f"{capitalised(names)}: was {_word(old)}, now {_word(new)}"


def _word(relation: Relation) -> str:
    return relation.value
