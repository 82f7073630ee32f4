"""How a realm stands to each other realm, and which orders to headquarters would be carried out next turn (F1-F4, L2,
L12, L15-L17): asked of the very checks that the turn uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gm.core.values import CENT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import GiveProvince, GrantPermission, RevokePermission, SendGold, Written
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.views import RealmRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.diplomacy import (
    why_not_cancel_alliance,
    why_not_deal_with,
    why_not_declare_war,
    why_not_grant,
    why_not_grant_permission,
    why_not_offer_alliance,
    why_not_offer_peace,
    why_not_revoke_passage,
    why_not_revoke_permission,
)
from gm.games.medieval.steps.economy import why_not_send_gold, within_gold_reach
from gm.games.medieval.steps.provinces import why_not_give
from gm.games.medieval.steps.turn import Refusal, Turn

_UNWRITTEN = Written(line=0, column=0, text="")
"""Where the orders stand that are only tried: nowhere."""


class Choice(NamedTuple):
    """An order about another realm: its word in the file and why it would fail, with the clause of that.

    ``why`` is empty when it would be carried out, as far as this realm can know: whether the other offers the same, or
    gold is left when it is due, only the turn will tell.
    """

    word: str
    why: str = ""
    why_clause: str = ""

    @property
    def label(self) -> str:
        return self.word.replace("_", " ")


class StandingRow(NamedTuple):
    """Another realm as seen from one: relation, rights and gifts both ways, and the orders about it.

    ``grants`` and ``granted`` are passage given and had; ``admits`` and ``admitted`` name the provinces of special
    permission given and had. ``contacts`` are the addresses that its ambassadors left this turn (F7).
    """

    realm: RealmRow
    relation: str
    changed: bool
    grants: bool
    granted: bool
    admits: tuple[str, ...]
    admitted: tuple[str, ...]
    refuses: bool
    refused: bool
    contacts: tuple[str, ...]
    choices: tuple[Choice, ...]

    @property
    def legal(self) -> list[Choice]:
        return [each for each in self.choices if not each.why]


def failing_orders(rows: Iterable[StandingRow]) -> dict[tuple[str, str, str], list[str]]:
    """The realms about which an order would fail for the same reason, by (order, why, clause)."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        for choice in row.choices:
            if choice.why:
                why = choice.why.replace(row.realm.name, "that realm")
                found.setdefault((choice.label, why, choice.why_clause), []).append(row.realm.name)
    return found


def opened(world: World, rules: Rules, atlas: Atlas) -> World:
    """The world as the next turn's orders find it: the turn has opened, and nothing has happened in it."""
    turn: Turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="")
    found: World = turn_opens(turn.at_step(turn_opens.name, 0)).state
    return found


class Standings:
    """Makes one realm's rows. ``before`` is the world before the turn, ``now`` that after it, opened for the next."""

    def __init__(
        self, before: World, now: World, realm: str, rules: Rules, atlas: Atlas, speaker: MedievalFormatter
    ) -> None:
        self._before, self._now, self._realm, self._speaker = before, now, realm, speaker
        self._own = now.realms[realm]
        self._lands = now.owned_by(realm)
        self._reached = within_gold_reach(now, realm, rules, atlas)

    def row(self, other: RealmRow, contacts: tuple[str, ...]) -> StandingRow:
        """How the realm and another one stand after the turn."""
        world, own, code = self._now, self._realm, other.code
        relation = world.relation(own, code)
        return StandingRow(
            realm=other,
            relation=relation.value,
            changed=relation is not self._before.relation(own, code),
            grants=code in self._own.passage,
            granted=own in world.realms[code].passage,
            admits=tuple(land.name for land in self._lands if code in land.permissions),
            admitted=tuple(land.name for land in world.owned_by(code) if own in land.permissions),
            refuses=code in self._own.refuses,
            refused=own in world.realms[code].refuses,
            contacts=contacts,
            choices=tuple(self._choices(code)),
        )

    def _choices(self, code: str) -> Iterator[Choice]:
        if self._own.defeated or self._now.realms[code].defeated:
            return
        for word, refusal in self._checked(code):
            clause, why = self._speaker.reason(refusal.reason, refusal.figures) if refusal else ("", "")
            yield Choice(word, why, clause)

    def _checked(self, code: str) -> Iterator[tuple[str, Refusal | None]]:
        """Every order about a realm, as the order file words it, and its check. What is so already is not offered."""
        world, realm, lands = self._now, self._realm, self._lands
        yield "declare_war", why_not_declare_war(world, realm, code)
        yield "offer_peace", why_not_offer_peace(world, realm, code)
        yield "offer_alliance", why_not_offer_alliance(world, realm, code)
        yield "cancel_alliance", why_not_cancel_alliance(world, realm, code)
        if code in self._own.passage:
            yield "revoke_passage", why_not_revoke_passage(world, realm, code)
        else:
            yield "grant_passage", why_not_grant(world, realm, code)
        if lands:
            grant = GrantPermission(written=_UNWRITTEN, province=lands[0].name, other=code)
            yield "grant_permission", why_not_grant_permission(world, realm, grant)
        for land in lands:
            if code in land.permissions:
                revoke = RevokePermission(written=_UNWRITTEN, province=land.name, other=code)
                yield "revoke_permission", why_not_revoke_permission(world, realm, revoke)
                break
        yield "send_ambassador", why_not_deal_with(world, realm, code)
        gold = SendGold(written=_UNWRITTEN, other=code, amount=CENT)
        yield "send_gold", why_not_send_gold(world, realm, gold, self._reached)
        if lands:
            gift = GiveProvince(written=_UNWRITTEN, province=lands[0].name, other=code)
            yield "give_province", why_not_give(world, realm, gift, frozenset())
        yield "accept_gifts" if code in self._own.refuses else "refuse_gifts", why_not_deal_with(world, realm, code)
