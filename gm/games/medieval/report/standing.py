"""How a realm stands to each other realm, and which orders to headquarters would be carried out next turn (F1-F4, L2,
L12, L15-L17), as the tables of choices have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gm.games.medieval.analysis.choices_realm import Choices
from gm.games.medieval.report.views import RealmRow
from gm.games.medieval.state import World

Choice = tuple[str, str, str]
"""An order about another realm: its word in the file, why it would fail (empty when it would be carried out, as far as
this realm can know) and the clause of that."""
_RELATED = ("declare_war", "offer_peace", "offer_alliance", "cancel_alliance")
_RIGHTS = ("revoke_passage", "grant_passage", "grant_permission", "revoke_permission")
_ABOUT = (*_RELATED, *_RIGHTS, "send_ambassador", "send_gold", "give_province", "accept_gifts", "refuse_gifts")
_RELATIONS = {"war": 0, "allied": 1, "neutral": 2}


def standing_rows(
    before: World, now: World, realm: str, found: Choices, realms: Iterable[RealmRow], contacts: Mapping[str, list[str]]
) -> list[dict[str, Any]]:
    """All other realms as seen from one: enemies first, then allies, at the end those who are out of the game.

    ``before`` is the world before the turn, ``now`` that after it, opened for the next; ``found`` what the realm may
    choose in it. ``grants`` and ``granted`` are passage given and had, ``admits`` and ``admitted`` the provinces of
    special permission given and had, ``contacts`` the addresses that its ambassadors left this turn (F7).
    """
    own, lands = now.realms[realm], now.owned_by(realm)
    rows = []
    for other in realms:
        code, theirs = other.code, now.realms[other.code]
        if code == realm:
            continue
        relation = now.relation(realm, code)
        out = own.defeated or theirs.defeated
        row = {
            "realm": other,
            "relation": relation.value,
            "changed": relation is not before.relation(realm, code),
            "grants": code in own.passage,
            "granted": realm in theirs.passage,
            "admits": [land.name for land in lands if code in land.permissions],
            "admitted": [land.name for land in now.owned_by(code) if realm in land.permissions],
            "refuses": code in own.refuses,
            "refused": realm in theirs.refuses,
            "contacts": contacts.get(code, []),
            "choices": () if out else tuple(_choices(now, realm, code, found)),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: (row["realm"].defeated, _RELATIONS[row["relation"]]))


def _choices(now: World, realm: str, code: str, found: Choices) -> Iterator[Choice]:
    """Every order about another realm; what is so already is not offered."""
    own = now.realms[realm]
    idle = {
        "grant_passage" if code in own.passage else "revoke_passage",
        "refuse_gifts" if code in own.refuses else "accept_gifts",
        *(() if now.owned_by(realm) else ("grant_permission", "give_province")),
    }
    for word in _ABOUT:
        table = found["headquarters"][word]
        pairs = [answer for pair, answer in table.get("pair", {}).items() if pair.endswith(f"/{code}")]
        answers = pairs[:1] if "pair" in table else [table["of"][code]]
        for answer in answers if word not in idle else ():
            clause, why = found["says"][int(answer)] if isinstance(answer, str) else ("", "")
            yield word, why, clause


def failing_orders(rows: Iterable[Mapping[str, Any]]) -> dict[Choice, list[str]]:
    """The realms about which an order would fail for the same reason."""
    found: dict[Choice, list[str]] = {}
    for row in rows:
        name = row["realm"].name
        for word, why, clause in row["choices"]:
            if why:
                found.setdefault((word, why.replace(name, "that realm"), clause), []).append(name)
    return found
