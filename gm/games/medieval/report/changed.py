"""What changed for a realm since last turn, in at most ten lines, the most important first: the top of its page.

The lines are found, not told: owners, units and treasuries are compared before and after the turn, and events say how
it came about. Only what the realm may know goes into them (W8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gm.games.medieval.events import final
from gm.games.medieval.report.changed_forces import battle_lines, commander_lines, unit_lines
from gm.games.medieval.report.changed_lands import damage_lines, owner_lines, work_lines
from gm.games.medieval.report.changed_lines import Line, Piece, Scene, Weight, line
from gm.games.medieval.report.changed_realms import letter_lines, relation_lines, rights_lines, standing_lines
from gm.games.medieval.steps.turn import Fate, OrderSettled
from gm.text.pages import counted, gold, listed, signed

LIMIT = 10
"""Lines at most: more would not be read."""


def changes(scene: Scene, realm: str) -> tuple[Line, ...]:
    """At most LIMIT lines by weight; the last names what did not fit. None for the start, before the first turn."""
    if not scene.record.turn:
        return ()
    found = sorted((each for each in _all(scene, realm) if each.pieces), key=lambda each: each.weight)
    if len(found) <= LIMIT:
        return tuple(found)
    rest = listed([each.title.lower() for each in found[LIMIT - 1 :]])
    return (*found[: LIMIT - 1], line(Weight.MORE, "And more", "", [Piece("in what happened", "events", rest)]))


def _all(scene: Scene, realm: str) -> Iterator[Line]:
    for part in (
        standing_lines,
        owner_lines,
        relation_lines,
        battle_lines,
        unit_lines,
        commander_lines,
        order_lines,
        gold_lines,
        damage_lines,
        rights_lines,
        letter_lines,
        work_lines,
    ):
        yield from part(scene, realm)


def order_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """How many orders did not go as written (O2, O7)."""
    fates = Counter(event.fate for event in scene.seen(realm, OrderSettled))
    told = (
        (len(scene.record.refused(realm)), "not understood"),
        (fates[Fate.FAILED], "failed"),
        (fates[Fate.REDUCED], "carried out in part"),
    )
    pieces = [Piece(f"{counted(count, 'order')} {words}", "orders") for count, words in told if count]
    yield line(Weight.ORDERS, "Orders", "warn", pieces)


def gold_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """The treasury, and who was not paid (L3)."""
    before, after = scene.record.before.realms[realm].treasury, scene.record.after.realms[realm].treasury
    if after != before:
        note = f"it was {gold(before)}: {signed(after - before)}"
        tone = "good" if after > before else "bad"
        yield line(Weight.TREASURY, "Treasury", tone, [Piece(f"{gold(after)} gold", "headquarters", note)])
    for short in scene.seen(realm, final.UpkeepShort):
        left = [each for each in scene.seen(realm, final.UnpaidLeft) if each.realm == realm]
        gone = sum(sum(each.troops.values()) + len(each.commanders) for each in left)
        note = f"{gone} of {short.unpaid} unpaid left your service"
        missing = Piece(f"{gold(short.needed - short.paid)} gold of upkeep", "headquarters", note)
        yield line(Weight.UNPAID, "Not paid", "bad", [missing])
