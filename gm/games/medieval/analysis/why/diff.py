"""The same turn twice, with other orders: what comes out differently."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gm.game.answers import Explanation, diff_of_fates, differences, fates_of, numbered, titled_diff
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.turn import OrderSettled
from gm.text.pages import capitalised, gold, listed, signed


def diff(result: MedievalResult, other: MedievalResult) -> tuple[Explanation, ...]:
    """The differences of ``other`` from ``result``: fates of orders, battles, owners, units, gold, relations."""
    speaker = MedievalFormatter(result.before, result.after, other.after)
    was, now = (
        fates_of((e for e in each.events if isinstance(e, OrderSettled)), speaker.reason) for each in (result, other)
    )
    worlds = (result.after, other.after, speaker)
    return titled_diff(
        (
            ("Orders:", diff_of_fates(was, now, speaker.realm)),
            ("Battles:", _battles(result, other)),
            ("Provinces:", _provinces(*worlds)),
            ("Units:", _units(*worlds)),
            ("Gold:", _gold(*worlds)),
            ("Relations:", _relations(*worlds)),
        )
    )


def _battles(result: MedievalResult, other: MedievalResult) -> Iterator[str]:
    for (title, phase, _), was, now in differences(_battles_of(result), _battles_of(other)):
        name = f"{title}, phase {phase}"
        if now is None:
            yield f"{name}: is not fought now; it was: {was}"
        elif was is None:
            yield f"{name}: is fought now: {now}"
        else:
            yield f"{name}: was: {was}; now: {now}"


def _battles_of(result: MedievalResult) -> dict[tuple[str, int, int], str]:
    speaker = MedievalFormatter(result.before, result.after)
    found: dict[tuple[str, int, int], str] = {}
    for entry in battle_entries((each for each in result.events if isinstance(each, BattleFought)), speaker):
        losses = [
            f"{speaker.unit(end.unit)} ({end.outcome}, {sum(each.count for each in end.losses)} lost)"
            for end in entry.report.ends
        ]
        found[numbered(found, entry.title, entry.phase)] = f"{entry.result} {capitalised(listed(losses))}"
    return found


def _provinces(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for name, land in was.provinces.items():
        new = now.provinces[name]
        if land.owner != new.owner:
            yield f"{name}: belonged to {speaker.realm(land.owner)}, now to {speaker.realm(new.owner)}"
        for word in ("annexed_to", "damage", "fortification", "fortification_damage", "harbour"):
            old = getattr(land, word)
            if old != getattr(new, word):
                a, b = (speaker.words(each) if each is not None else "nobody" for each in (old, getattr(new, word)))
                yield f"{name}, {word.replace('_', ' ')}: was {a}, now {b}"


def _units(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for key in dict.fromkeys((*was.units, *now.units)):
        old, new = (_state(world.units.get(key)) for world in (was, now))
        if old != new:
            yield f"{capitalised(speaker.unit(key))}: was {old}; now {new}"


def _state(unit: Unit | None) -> str:
    if unit is None or unit.empty:
        return "not there"
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
    for a, b in combinations(sorted(was.realms), 2):
        old, new = was.relation(a, b), now.relation(a, b)
        if old != new:
            names = f"{speaker.realm(a)} and {speaker.realm(b)}"
            yield f"{capitalised(names)}: was {old.value}, now {new.value}"
