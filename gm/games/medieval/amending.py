"""What a GM may correct between turns, when a mistake was made that the rules cannot mend (V2, V3).

Each correction is a few words, changes one thing, keeps the state sound, and is public: who reads the next results sees
it with the GM's reason. What would leave a broken state is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.core.events import Event
from gm.core.values import to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.gm import Amended
from gm.games.medieval.state import INDEPENDENTS, Relation, Status, World
from gm.games.medieval.state.invariants import broken_invariants
from gm.games.medieval.state.progress import TurnProgress
from gm.games.medieval.state.realm import pair
from gm.games.medieval.steps.conquest import hand_over
from gm.games.medieval.steps.turn import Turn
from gm.games.medieval.steps.workspace import Workspace, book_entries
from gm.text.pages import gold, signed

STEP = "orders"
"""Amendments stand in the log where the GM's other decisions do."""

AMENDMENTS: Mapping[str, str] = {
    "gold": "gold REALM AMOUNT                 e.g. gold ENG +12.50",
    "owner": "owner PROVINCE REALM              or IND, for independent",
    "troops": "troops UNIT TYPE NUMBER           e.g. troops ENG/A7 Longbowmen -3",
    "status": "status REALM STATUS               royalty or commoner",
    "relation": "relation REALM REALM RELATION     war, neutral or allied",
    "permission": "permission PROVINCE REALM ANSWER  may its units be there? yes or no",
}
"""What can be corrected, and how it is written."""

_NUMBER = re.compile(r"\b\d+\b")

Changed = tuple[World, str, tuple[Event, ...]]
"""The world, what was done in words, and the books of it."""


def amend(world: World, words: Sequence[str], why: str, rules: Rules, atlas: Atlas) -> tuple[World, tuple[Event, ...]]:
    """The world with one correction in it, and the events of that. Raises ``ValueError`` for one that cannot be."""
    kind = words[0].lower() if words else ""
    if kind not in _KINDS:
        hint = did_you_mean(nearest(kind, _KINDS)) if kind else ""
        raise ValueError(f"nothing called {shown(kind)} can be corrected; {hint or 'there is ' + ', '.join(_KINDS)}")
    count, change = _KINDS[kind]
    if len(words) - 1 != count:
        raise ValueError(f"write it like this: {' '.join(AMENDMENTS[kind].split())}")
    after, says, books = change(world, list(words[1:]), rules, atlas)
    if after == world:
        raise ValueError(f"that changes nothing: {says}")
    # a realm whose status was lowered is above its limits until the turn mends it: what was wrong already is no reason
    known = {_NUMBER.sub("", problem) for problem in broken_invariants(world, rules, atlas)}
    problems = [each for each in broken_invariants(after, rules, atlas) if _NUMBER.sub("", each) not in known]
    if problems:
        raise ValueError(f"that would leave a position that cannot be: {problems[0]}")
    told = Amended(step=STEP, what=says, why=why)
    return after, (told, *(replace(event, step=STEP) for event in books))


def _workspace(world: World, rules: Rules, atlas: Atlas) -> Workspace:
    return Workspace(Turn(state=world, number=world.turn, rules=rules, board=atlas, orders={}, seed=""))


def _gold(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    realm, amount = _realm(world, words[0]), _amount(words[1])
    if world.realms[realm].treasury + amount < 0:
        has = gold(world.realms[realm].treasury)
        raise ValueError(f"{world.realms[realm].name} has only {has} gold")
    work = _workspace(world, rules, atlas)
    work.pay(realm, amount, "correction by the game master")
    says = f"the treasury of {world.realms[realm].name} changed by {signed(amount)} gold"
    return work.finish(), says, tuple(work.events)


def _owner(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    province, owner = _province(world, words[0]), _realm(world, words[1], independents=True)
    name = "the independents" if owner == INDEPENDENTS else world.realms[owner].name
    says = f"{province} belongs to {name}"
    if world.provinces[province].owner == owner:
        return world, says, ()
    work = _workspace(world, rules, atlas)
    hand_over(work, province, owner)
    # between turns nothing is on its way: what the change marks for the rest of a turn does not count
    return work.finish().evolve(progress=TurnProgress()), says, tuple(work.events)


def _troops(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    key, troop, count = _unit(world, words[0]), _named(words[1], rules.troops, "type of troops"), _count(words[2])
    unit = world.units[key]
    if count < 0:
        unit, _ = unit.take(troop, -count)
    else:
        unit = unit.add(troop, (count, 0, 0, 0, 0))
    books = book_entries(unit, "corrected", 1, {troop: count})
    return world.with_units([unit]), f"{key} has {signed(count)} {troop}", tuple(books)


def _status(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    realm = _realm(world, words[0])
    status = _named(words[1], [each.value for each in Status], "status")
    after = world.with_realms(world.realms[realm].evolve(status=Status(status)))
    return after, f"the ruler of {world.realms[realm].name} is {status}", ()


def _relation(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    one, other = _realm(world, words[0]), _realm(world, words[1])
    if one == other:
        raise ValueError("a realm has no relation to itself")
    relation = Relation(_named(words[2], [each.value for each in Relation], "relation"))
    both = {pair(one, other)}
    after = world.evolve(
        wars=(world.wars | both) if relation is Relation.WAR else (world.wars - both),
        alliances=(world.alliances | both) if relation is Relation.ALLIED else (world.alliances - both),
    )
    return after, f"{world.realms[one].name} and {world.realms[other].name} are {_RELATION_WORDS[relation]}", ()


_RELATION_WORDS = {Relation.WAR: "at war", Relation.NEUTRAL: "neutral", Relation.ALLIED: "allied"}


def _permission(world: World, words: list[str], rules: Rules, atlas: Atlas) -> Changed:
    province, realm = _province(world, words[0]), _realm(world, words[1])
    allowed = _named(words[2], ("yes", "no"), "answer") == "yes"
    land = world.provinces[province]
    permissions = (land.permissions | {realm}) if allowed else (land.permissions - {realm})
    name = world.realms[realm].name
    says = f"{name} {'has' if allowed else 'has no'} special permission for {province}"
    return world.with_provinces(land.evolve(permissions=permissions)), says, ()


_KINDS: Mapping[str, tuple[int, Callable[[World, list[str], Rules, Atlas], Changed]]] = {
    "gold": (2, _gold),
    "owner": (2, _owner),
    "troops": (3, _troops),
    "status": (2, _status),
    "relation": (3, _relation),
    "permission": (3, _permission),
}


# -- words -------------------------------------------------------------------------------------------------------------


def _realm(world: World, word: str, *, independents: bool = False) -> str:
    codes = [*world.realms, *([INDEPENDENTS] if independents else [])]
    return _named(word, codes, "realm")


def _province(world: World, word: str) -> str:
    return _named(word, world.provinces, "province")


def _unit(world: World, word: str) -> str:
    return _named(word, world.units, "unit")


def _named(word: str, names: Iterable[str], what: str) -> str:
    """The one of ``names`` that the word means, whatever its case and accents (O8)."""
    known = list(names)
    found = next((name for name in known if fold(name) == fold(word)), None)
    if found is None:
        hint = did_you_mean(nearest(word, known))
        listed = f"there is {', '.join(known)}" if len(known) < 12 else ""
        raise ValueError(f"no {what} is called {shown(word)}" + (f": {hint or listed}" if hint or listed else ""))
    return found


def _amount(word: str) -> Decimal:
    try:
        amount = Decimal(word.replace("−", "-"))
        if not amount.is_finite() or amount != to_cents(amount) or not amount:
            raise ValueError
    except (InvalidOperation, ValueError):
        raise ValueError(f"{shown(word)} is no amount of gold; write it like +12.50 or -3") from None
    return to_cents(amount)


def _count(word: str) -> int:
    try:
        count = int(word.replace("−", "-"))
    except ValueError:
        count = 0
    if not count or abs(count) > 10_000:
        raise ValueError(f"{shown(word)} is no number of troops; write it like +4 or -3")
    return count
