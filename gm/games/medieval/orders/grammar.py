"""The words of order files (O3-O5): reading, template, schemas, pages and handbook use these tables."""

from collections.abc import Iterator, Mapping
from functools import cache

from gm.core.diagnostics import says
from gm.games.medieval.orders import forms, model
from gm.games.medieval.orders.also_words import ALSO_HEADQUARTERS, ALSO_PLAN, ALSO_UNIT, MOVES
from gm.games.medieval.orders.values import Word

FORMAT = 1  # the newest format of order files that is understood, written ``orders: 1``


def _table(*words: Word) -> dict[str, Word]:
    """Return words of order files by their names, such as ``march``."""
    return {word.name: word for word in words}


HEADQUARTERS = _table(
    Word("declare_war", forms.REALMS, model.DeclareWar, "F1", "declare war on these realms"),
    Word(
        "refuse_gifts", forms.REALMS, model.RefuseGifts, "F2", "take no gold, troops or provinces from them"
    ),
    Word("accept_gifts", forms.REALMS, model.AcceptGifts, "F2", "take their gifts again"),
    Word("grant_passage", forms.REALMS, model.GrantPassage, "F3", "let them enter all your lands"),
    Word("revoke_passage", forms.REALMS, model.RevokePassage, "F3", "let them enter no longer"),
    Word("grant_permission", forms.PERMISSIONS, model.GrantPermission, "F4", "let realms enter one province"),
    Word("revoke_permission", forms.PERMISSIONS, model.RevokePermission, "F4", "let them enter it no longer"),
    Word("rename_commander", forms.RENAMES, model.RenameCommander, "F7", "give a commander a new name"),
    Word("send_ambassador", forms.REALMS, model.SendAmbassador, "F7", "show them your contact address"),
    Word("send_gold", forms.PAYMENTS, model.SendGold, "L2", "send gold; a fee comes on top"),
    Word("annex", forms.PROVINCES, model.Annex, "L6", "annex provinces that you own"),
    Word("give_province", forms.GIFTS, model.GiveProvince, "L12", "give a province to a realm"),
    Word("cede_province", forms.PROVINCES, model.CedeProvince, "L12", "make provinces independent"),
    Word("proclamation", forms.PROCLAMATION, model.Proclamation, "L13", "say something to everybody"),
    Word("offer_peace", forms.REALMS, model.OfferPeace, "L15", "end a war, if they offer it too"),
    Word("cancel_alliance", forms.REALMS, model.CancelAlliance, "L16", "be neutral again"),
    Word("offer_alliance", forms.REALMS, model.OfferAlliance, "L17", "become allies, if they offer it too"),
)

UNIT = _table(
    Word("name", forms.NAME, model.Rename, "F7", "rename the unit"),
    Word("form", forms.FORMED, model.FormUnit, "F5, F6", "form new armies and fleets here", does="form"),
    Word(
        "retreat_level",
        forms.RETREAT_LEVEL,
        model.SetRetreatLevel,
        "F7",
        "ranks lost before it retreats",
        "AF",
    ),
    Word("follow", forms.OWN_UNIT, model.Follow, "F7", "retreat with another unit of yours", "AF"),
    Word("leader", forms.COMMANDER, model.SetLeader, "F7", "the commander who leads it"),
    Word("marines", forms.ANSWER, model.SetMarines, "F7", "fight in sea battles when aboard", "A"),
    Word(
        "defend_fortifications",
        forms.ANSWER,
        model.SetDefendFortifications,
        "M10",
        "fight from behind the walls",
        "A",
    ),
    Word("ranks", forms.RANKS, model.SetRanks, "F9", "who stands where: rank 1 is in front"),
    Word(
        "disband",
        forms.TROOPS,
        model.Disband,
        "F10",
        "dismiss troops, salvage ships and siege machines",
        does="dismiss",
    ),
    Word(
        "disband_commanders",
        forms.COMMANDERS,
        model.DisbandCommander,
        "F10",
        "dismiss commanders",
        does="dismiss",
    ),
    Word(
        "recruit",
        forms.TROOPS,
        model.Recruit,
        "L4",
        "recruit soldiers, build ships",
        "G",
        "{$recruit: 1}",
        "raise",
    ),
    Word("hire_commander", forms.COUNT, model.HireCommander, "L5", "hire this number of commanders", "G"),
    Word("build", forms.STRUCTURES, model.Build, "L8", "build structures", "AG"),
    Word("repair", forms.WISH, model.Repair, "L8.1", "pay to repair the fortification", "AG"),
    Word("raze", forms.STRUCTURES, model.Raze, "L10", "tear structures down", "AG", "[production area]"),
    Word("plan", forms.PLAN, None, "O5", "what it does, in this order"),
)

PLAN = _table(
    Word(
        "transfer",
        forms.TRANSFER,
        model.Transfer,
        "M1",
        "hand troops and commanders to another unit",
        does="hand",
    ),
    Word("board", forms.REALM, model.Board, "M2", "a foreign realm's fleet may load it", "A", does="board"),
    Word("load", forms.ARMIES, model.Load, "M3", "take armies aboard", "F", does="take"),
    Word("sail", forms.PLACE, model.Sail, "M4", "to the next sea, or into a harbour", "F", does="go"),
    Word("unload", forms.LANDINGS, model.Unload, "M8", "put armies ashore", "F", does="land"),
    Word("march", forms.PROVINCE, model.March, "M9", "to the next province", "A", does="go"),
    Word("hold", forms.HOLDS, model.Hold, "P5", "wait a phase", "AF", does="stay"),
    Word("pillage", forms.NOTHING, model.Pillage, "M14", "seize the province's revenue", "AG", does="once"),
)

MEANT_IN_HEADQUARTERS = HEADQUARTERS | {also: HEADQUARTERS[name] for also, name in ALSO_HEADQUARTERS.items()}
MEANT_OF_UNIT = UNIT | {also: UNIT[name] for also, name in ALSO_UNIT.items()}
MEANT_IN_PLAN = PLAN | {also: PLAN[name] for also, name in ALSO_PLAN.items()}
"""The words of each section, by name and by the other words that mean the same."""


@cache
def meant_in_plan(kind: str) -> Mapping[str, Word]:
    """Return the words of a plan for a kind of unit (A, F or G), by all texts that mean them.

    Texts such as "go" mean to sail for a fleet and to march for others.
    """
    move = PLAN["sail" if kind == "F" else "march"]
    return MEANT_IN_PLAN | dict.fromkeys(MOVES, move)


TOP = ("headquarters", "units")  # the sections of the file, after its header


def all_words() -> Iterator[Word]:
    """Yield every word that makes an order."""
    yield from HEADQUARTERS.values()
    yield from (word for word in UNIT.values() if word.order is not None)
    yield from PLAN.values()


@cache
def where_else(section: str) -> Mapping[str, tuple[str, str]]:
    """Return (where it belongs, in words; the clause of that) for each word of the other sections.

    ``section``: the one that is read: headquarters, unit, plan, top or units.
    """
    sections = (
        (TOP, says("'{0}:' is at the left margin"), "O3"),
        (HEADQUARTERS, says("write '{0}' under 'headquarters:'"), "O3"),
        (UNIT, says("write '{0}' under 'units:', below the unit that is to do it"), "O4"),
        (PLAN, says("write it in the unit's plan, as '- {0}'"), "O5"),
    )
    hint_of: dict[str, tuple[str, str]] = {}
    for words, where, clause in sections:  # of a word in several sections the last one counts
        hint_of |= {word: (says(where, word), clause) for word in words}
    words_of = {"headquarters": HEADQUARTERS, "unit": UNIT, "plan": PLAN, "top": TOP, "units": ()}
    return {word: hint for word, hint in hint_of.items() if word not in words_of[section]}
