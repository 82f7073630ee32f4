"""What headquarters may choose (O3): for each word whom and what it can be about, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gm.games.medieval.orders.model import GiveProvince, GrantPermission, RevokePermission, SendGold, Written
from gm.games.medieval.state import World
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
from gm.games.medieval.steps.provinces import (
    annexation_price,
    annexed_counts,
    why_not_annex,
    why_not_give,
    why_not_let_go,
)
from gm.games.medieval.steps.turn import Refusal, refuse

if TYPE_CHECKING:
    from gm.games.medieval.analysis.choices import TurnChoices
    from gm.games.medieval.analysis.choices_text import GameData, Sayings

NOWHERE = Written(0, 0, "")

WHY_NOT_ABOUT: Mapping[str, Callable[[World, str, str], Refusal | None]] = {
    "declare_war": why_not_declare_war,
    "refuse_gifts": why_not_deal_with,
    "accept_gifts": why_not_deal_with,
    "grant_passage": why_not_grant,
    "revoke_passage": why_not_revoke_passage,
    "send_ambassador": why_not_deal_with,
    "offer_peace": why_not_offer_peace,
    "cancel_alliance": why_not_cancel_alliance,
    "offer_alliance": why_not_offer_alliance,
}
"""By word: whom it can be about."""

OFFERS = ("offer_peace", "offer_alliance")
"""What the other side has to offer too (L15, L17)."""


def headquarters_choices(all_realms: TurnChoices, realm: str, says: Sayings, pools: GameData) -> GameData:
    """By word: ``of``, answers by realm, province or commander; ``pair``, by province and realm (``Kent/FRA``);
    ``pool``, of which it takes one; ``waits``: it hangs on the other side's offer.
    """
    world, rules, atlas = all_realms.world, all_realms.rules, all_realms.atlas
    others = [code for code in world.realms if code != realm]
    own = [land.name for land in world.owned_by(realm)]
    found: dict[str, Any] = {
        word: {"of": {code: says(why_not(world, realm, code)) for code in others}}
        for word, why_not in WHY_NOT_ABOUT.items()
    }
    for word in OFFERS:
        found[word]["waits"] = True
    found["grant_permission"] = {
        "of": {
            code: says(why_not_grant_permission(world, realm, GrantPermission(NOWHERE, own[0], code))) if own else 0
            for code in others
        }
    }
    found["revoke_permission"] = {
        "pair": {
            f"{name}/{code}": says(why_not_revoke_permission(world, realm, RevokePermission(NOWHERE, name, code)))
            for name in own
            for code in sorted(world.provinces[name].permissions)
        }
    }
    reached = within_gold_reach(world, realm, rules, atlas)
    found["send_gold"] = {
        "of": {
            code: says(why_not_send_gold(world, realm, SendGold(NOWHERE, code, Decimal(1)), reached)) for code in others
        }
    }
    limit, annexed = rules.statuses[world.realms[realm].status].annexed_provinces, annexed_counts(world).get(realm, 0)
    pools["annex"] = [max(0, limit - annexed), says(refuse("annexation-limit", limit=limit, has=max(limit, annexed)))]
    found["annex"] = {
        "of": {
            name: says(
                why_not_annex(world, realm, name, min(annexed, limit - 1), rules),
                int(annexation_price(name, atlas) * 100),
            )
            for name in own
        },
        "pool": "annex",
    }
    nobody: frozenset[str] = frozenset()
    found["cede_province"] = {"of": {name: says(why_not_let_go(world, realm, name, nobody)) for name in own}}
    found["give_province"] = {
        "of": {
            code: says(why_not_give(world, realm, GiveProvince(NOWHERE, own[0], code), nobody)) if own else 0
            for code in others
        }
    }
    found["proclamation"] = {"of": {"": -int(rules.economy.proclamation * 100)}}
    found["rename_commander"] = {"of": {who.name: 0 for unit in world.of_realm(realm) for who in unit.commanders}}
    return found
