"""The words of a medieval order file: each with the shape of its value, its order and its clause (O3-O5).

The reader, the template and the editors' schema are all made from these tables, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from functools import cache

from gm.core.records import Record, record
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order

FORMAT = 1
"""The newest format of order files that is understood, written ``orders: 1``."""


class Shape(Enum):
    """What a word's value looks like."""

    REALMS = auto()
    """A list of realms."""
    PROVINCES = auto()
    """A list of provinces."""
    PERMISSIONS = auto()
    """Province: list of realms."""
    GIFTS = auto()
    """Province: realm."""
    PAYMENTS = auto()
    """Realm: gold."""
    PROCLAMATION = auto()
    RENAMES = auto()
    """Commander: his new name."""
    FORMED = auto()
    """New unit's id: its name or nothing."""
    TROOPS = auto()
    """Troop type: how many."""
    COUNT = auto()
    STRUCTURES = auto()
    """A list of what can be built and razed."""
    WISH = auto()
    """Yes orders it; no is the same as leaving it out."""
    NAME = auto()
    RETREAT_LEVEL = auto()
    OWN_UNIT = auto()
    """An own unit's id, or none."""
    COMMANDER = auto()
    """A commander's name, or none."""
    COMMANDERS = auto()
    ANSWER = auto()
    RANKS = auto()
    """Troop type: {rank: how many}."""
    PLAN = auto()
    # entries of a plan
    NOTHING = auto()
    TRANSFER = auto()
    REALM = auto()
    ARMIES = auto()
    PLACE = auto()
    PROVINCE = auto()
    LANDINGS = auto()
    """Army: the province where it lands."""


@record
class Word(Record):
    """A word of the grammar. ``kinds`` are the letters of the units that can carry it out."""

    name: str
    shape: Shape
    order: type[Order] | None
    clause: str
    says: str
    """What it orders, in a few words, for the template and for editors."""
    kinds: str = "AFG"


def _table(*words: Word) -> dict[str, Word]:
    return {word.name: word for word in words}


HEADQUARTERS = _table(
    Word("declare_war", Shape.REALMS, model.DeclareWar, "F1", "declare war on these realms"),
    Word("refuse_gifts", Shape.REALMS, model.RefuseGifts, "F2", "take no gold, troops or provinces from them"),
    Word("accept_gifts", Shape.REALMS, model.AcceptGifts, "F2", "take their gifts again"),
    Word("grant_passage", Shape.REALMS, model.GrantPassage, "F3", "let them enter all your lands"),
    Word("revoke_passage", Shape.REALMS, model.RevokePassage, "F3", "let them enter no longer"),
    Word("grant_permission", Shape.PERMISSIONS, model.GrantPermission, "F4", "let realms enter one province"),
    Word("revoke_permission", Shape.PERMISSIONS, model.RevokePermission, "F4", "let them enter it no longer"),
    Word("rename_commander", Shape.RENAMES, model.RenameCommander, "F7", "give a commander a new name"),
    Word("send_ambassador", Shape.REALMS, model.SendAmbassador, "F7", "show them your contact address"),
    Word("send_gold", Shape.PAYMENTS, model.SendGold, "L2", "send gold; a fee comes on top"),
    Word("annex", Shape.PROVINCES, model.Annex, "L6", "annex provinces that you own"),
    Word("give_province", Shape.GIFTS, model.GiveProvince, "L12", "give a province to a realm"),
    Word("cede_province", Shape.PROVINCES, model.CedeProvince, "L12", "make provinces independent"),
    Word("proclamation", Shape.PROCLAMATION, model.Proclamation, "L13", "say something to everybody"),
    Word("offer_peace", Shape.REALMS, model.OfferPeace, "L15", "end a war, if they offer it too"),
    Word("cancel_alliance", Shape.REALMS, model.CancelAlliance, "L16", "be neutral again"),
    Word("offer_alliance", Shape.REALMS, model.OfferAlliance, "L17", "become allies, if they offer it too"),
)

UNIT = _table(
    Word("name", Shape.NAME, model.Rename, "F7", "rename the unit"),
    Word("form", Shape.FORMED, model.FormUnit, "F5, F6", "form new armies and fleets here"),
    Word("retreat_level", Shape.RETREAT_LEVEL, model.SetRetreatLevel, "F7", "ranks lost before it retreats", "AF"),
    Word("follow", Shape.OWN_UNIT, model.Follow, "F7", "retreat with another unit of yours", "AF"),
    Word("leader", Shape.COMMANDER, model.SetLeader, "F7", "the commander who leads it"),
    Word("marines", Shape.ANSWER, model.SetMarines, "F7", "fight in sea battles when aboard", "A"),
    Word(
        "defend_fortifications", Shape.ANSWER, model.SetDefendFortifications, "M10", "fight from behind the walls", "A"
    ),
    Word("ranks", Shape.RANKS, model.SetRanks, "F9", "who stands where: rank 1 is in front"),
    Word("disband", Shape.TROOPS, model.Disband, "F10", "dismiss troops, salvage ships and siege machines"),
    Word("disband_commanders", Shape.COMMANDERS, model.DisbandCommander, "F10", "dismiss commanders"),
    Word("recruit", Shape.TROOPS, model.Recruit, "L4", "recruit soldiers, build ships", "G"),
    Word("hire_commander", Shape.COUNT, model.HireCommander, "L5", "hire so many commanders", "G"),
    Word("build", Shape.STRUCTURES, model.Build, "L8", "build structures", "AG"),
    Word("repair", Shape.WISH, model.Repair, "L8.1", "pay to repair the fortification", "AG"),
    Word("raze", Shape.STRUCTURES, model.Raze, "L10", "tear structures down", "AG"),
    Word("plan", Shape.PLAN, None, "O5", "what it does, in this order"),
)

PLAN = _table(
    Word("transfer", Shape.TRANSFER, model.Transfer, "M1", "hand troops and commanders to another unit"),
    Word("board", Shape.REALM, model.Board, "M2", "a foreign realm's fleet may load it", "A"),
    Word("load", Shape.ARMIES, model.Load, "M3", "take armies aboard", "F"),
    Word("sail", Shape.PLACE, model.Sail, "M4", "to the next sea, or into a harbour", "F"),
    Word("unload", Shape.LANDINGS, model.Unload, "M8", "put armies ashore", "F"),
    Word("march", Shape.PROVINCE, model.March, "M9", "to the next province", "A"),
    Word("hold", Shape.NOTHING, model.Hold, "P5", "wait a phase", "AF"),
    Word("pillage", Shape.NOTHING, model.Pillage, "M14", "seize the province's revenue", "AG"),
)

TOP = ("headquarters", "units")
"""The sections of the file, after its header."""


def all_words() -> Iterator[Word]:
    """Every word that makes an order."""
    yield from HEADQUARTERS.values()
    yield from (word for word in UNIT.values() if word.order is not None)
    yield from PLAN.values()


@cache
def where_else(section: str) -> Mapping[str, tuple[str, str]]:
    """For each word of the other sections: where it is to be written, and the clause. ``section`` is the one read."""
    places = {word: (f"'{word}:' stands at the left margin", "O3") for word in TOP}
    places |= {word: (f"write '{word}' under 'headquarters:'", "O3") for word in HEADQUARTERS}
    places |= {word: (f"write '{word}' under 'units:', below the unit that is to do it", "O4") for word in UNIT}
    places |= {word: (f"write it in the unit's plan, as '- {word}'", "O5") for word in PLAN}
    own = {"headquarters": HEADQUARTERS, "unit": UNIT, "plan": PLAN, "top": TOP, "units": ()}[section]
    return {word: place for word, place in places.items() if word not in own}
