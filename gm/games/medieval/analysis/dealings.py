"""Deeds of realms to each other in a turn, as bots recall them: wars, pacts, lone offers, gifts."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from msgspec.structs import asdict

from gm.core.values import Event
from gm.game.talk import Dealing, Recall
from gm.games.medieval.events import final, first, movement
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.steps.outcomes import OrderSettled

WAR = "war"
PEACE = "peace"
CONQUEST = "conquest"
GOLD = "gold"
LAND = "province"
ALLIANCE = "alliance"
CANCELLED = "alliance-cancelled"
PASSAGE = "passage"
NO_PASSAGE = "passage-revoked"
PEACE_OFFERED = "peace-offered"
ALLIANCE_OFFERED = "alliance-offered"

UNRETURNED = "offer-not-returned"  # the reason with which an offer fails
# the dealing that an offer in vain is, by the step that settles it
_OFFERS = {"peace_established": PEACE_OFFERED, "alliances_formed": ALLIANCE_OFFERED}

_KINDS: Mapping[type[Event], str] = {
    first.WarDeclared: WAR,
    first.PassageGranted: PASSAGE,
    first.PassageRevoked: NO_PASSAGE,
    movement.ProvinceConquered: CONQUEST,
    final.GoldReceived: GOLD,
    final.ProvinceGiven: LAND,
    final.PeaceMade: PEACE,
    final.AllianceCancelled: CANCELLED,
    final.AllianceFormed: ALLIANCE,
}


def dealings(turn: int, events: Iterable[Event]) -> tuple[Dealing, ...]:
    """Return the dealings of the turn with this number, in the order of its events.

    An offer that was not returned is a dealing too. Such offers and gifts of gold are private to the two
    realms (L15, W8). What a realm does to the independents is no dealing.
    """
    entries = list[Dealing]()
    for event in events:
        dealing_kind = _KINDS.get(type(event))
        if dealing_kind is not None:
            fields: dict[str, Any] = asdict(event)
            other_realm = fields.get("other", fields.get("former", ""))  # the former owner of a conquest
            place = fields.get("place", fields.get("province", ""))
            if other_realm != INDEPENDENTS:
                amount = fields.get("amount", Decimal(0))
                entries.append(
                    Dealing(
                        turn,
                        dealing_kind,
                        fields["realm"],
                        other_realm,
                        place,
                        amount,
                        private=dealing_kind == GOLD,
                    )
                )
        elif type(event) is OrderSettled and event.reason == UNRETURNED and event.step in _OFFERS:
            other_realm = str(event.figures["other"])
            entries.append(Dealing(turn, _OFFERS[event.step], event.audience, other_realm, private=True))
    return tuple(entries)


# words that the lines of a log about dealings have in them
_WORDS_OF_LINES = [*(kind.__name__ for kind in _KINDS), UNRETURNED]
RECALL = Recall(16, tuple(f'"{word}"' for word in _WORDS_OF_LINES), dealings)
"""How bots recall dealings: those of the last 16 turns."""
