"""What a GM may correct between turns, when a mistake was made that the rules cannot mend (V2, V3).

See :mod:`gm.game.base.amending`, which checks the words, and that the state stays sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from gm.core.diagnostics import shown
from gm.core.events import Event
from gm.core.values import to_cents
from gm.game.base.amending import STEP, Correction, the_one
from gm.game.values import GameData
from gm.games.medieval.state import INDEPENDENTS, Relation, Status, World
from gm.games.medieval.state.realm import pair
from gm.games.medieval.state.world import TurnProgress
from gm.games.medieval.steps.conquest import hand_over
from gm.games.medieval.steps.turn import Turn
from gm.games.medieval.steps.workspace import Workspace, book_entries
from gm.text.pages import gold, signed

Changed = tuple[World, str] | tuple[World, str, tuple[Event, ...]]
"""The world, what was done in words, and the books of it."""


def _gold(table: GameData, world: World, words: Sequence[str]) -> Changed:
    realm, amount = the_one(words[0], world.realms, "realm"), _amount(words[1])
    name, treasury = world.realms[realm].name, world.realms[realm].treasury
    if treasury + amount < 0:
        raise ValueError(f"{name} has only {gold(treasury)} gold")
    work = _workspace(table, world)
    work.pay(realm, amount, "correction by the game master")
    return work.finish(), f"the treasury of {name} changed by {signed(amount)} gold", _stamped(work.events)


def _owner(table: GameData, world: World, words: Sequence[str]) -> Changed:
    province = the_one(words[0], world.provinces, "province")
    owner = the_one(words[1], [*world.realms, INDEPENDENTS], "realm")
    says = f"{province} belongs to {'the independents' if owner == INDEPENDENTS else world.realms[owner].name}"
    if world.provinces[province].owner == owner:
        return world, says
    work = _workspace(table, world)
    hand_over(work, province, owner)
    # between turns nothing is on its way: what the change marks for the rest of a turn does not count
    return work.finish().evolve(progress=TurnProgress()), says, _stamped(work.events)


def _troops(table: GameData, world: World, words: Sequence[str]) -> Changed:
    key, troop = the_one(words[0], world.units, "unit"), the_one(words[1], table.rules.troops, "type of troops")
    count, unit = _count(words[2]), world.units[key]
    if count < 0:
        unit, _ = unit.take(troop, -count)
    else:
        unit = unit.add(troop, (count, 0, 0, 0, 0))
    books = book_entries(unit, "corrected", 1, {troop: count})
    return world.with_units([unit]), f"{key} has {signed(count)} {troop}", _stamped(books)


def _status(table: GameData, world: World, words: Sequence[str]) -> Changed:
    realm = world.realms[the_one(words[0], world.realms, "realm")]
    status = Status(the_one(words[1], list(Status), "status"))
    return world.with_realms(realm.evolve(status=status)), f"the ruler of {realm.name} is {status.value}"


def _relation(table: GameData, world: World, words: Sequence[str]) -> Changed:
    one, other = (the_one(word, world.realms, "realm") for word in words[:2])
    if one == other:
        raise ValueError("a realm has no relation to itself")
    relation = Relation(the_one(words[2], list(Relation), "relation"))
    both = {pair(one, other)}
    after = world.evolve(
        wars=(world.wars | both) if relation is Relation.WAR else (world.wars - both),
        alliances=(world.alliances | both) if relation is Relation.ALLIED else (world.alliances - both),
    )
    says = "at war" if relation is Relation.WAR else relation.value
    return after, f"{world.realms[one].name} and {world.realms[other].name} are {says}"


def _permission(table: GameData, world: World, words: Sequence[str]) -> Changed:
    land = world.provinces[the_one(words[0], world.provinces, "province")]
    realm = the_one(words[1], world.realms, "realm")
    allowed = the_one(words[2], ("yes", "no"), "answer") == "yes"
    permissions = (land.permissions | {realm}) if allowed else (land.permissions - {realm})
    says = f"{world.realms[realm].name} {'has' if allowed else 'has no'} special permission for {land.name}"
    return world.with_provinces(land.evolve(permissions=permissions)), says


CORRECTIONS: Mapping[str, Correction] = {
    "gold": Correction("gold REALM AMOUNT                 e.g. gold ENG +12.50", _gold),
    "owner": Correction("owner PROVINCE REALM              or IND, for independent", _owner),
    "troops": Correction("troops UNIT TYPE NUMBER           e.g. troops ENG/A7 Longbowmen -3", _troops),
    "status": Correction("status REALM STATUS               royalty or commoner", _status),
    "relation": Correction("relation REALM REALM RELATION     war, neutral or allied", _relation),
    "permission": Correction("permission PROVINCE REALM ANSWER  may its units be there? yes or no", _permission),
}


def _workspace(table: GameData, world: World) -> Workspace:
    return Workspace(Turn(state=world, number=world.turn, rules=table.rules, board=table.board, orders={}, seed=""))


def _stamped(books: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(event.evolve(step=STEP) for event in books)


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
