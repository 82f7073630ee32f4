"""What headquarters may choose (O3): for each word whom and what it can be about, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial

from gm.games.medieval.analysis.choices_context import NOWHERE, Answers, ChoiceContext, Choices, cents
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS
from gm.games.medieval.orders.model import GiveProvince, GrantPermission, RevokePermission, SendGold
from gm.games.medieval.orders.schema_realm import why_not_about
from gm.games.medieval.steps.diplomacy import why_not_grant_permission, why_not_revoke_permission
from gm.games.medieval.steps.economy import why_not_send_gold, within_gold_reach
from gm.games.medieval.steps.provinces import (
    annexation_price,
    annexed_counts,
    why_not_annex,
    why_not_give,
    why_not_let_go,
)
from gm.games.medieval.steps.turn import Refusal, refuse

OFFERS = ("offer_peace", "offer_alliance")  # What the other side has to offer too (L15, L17)


def headquarters_choices(turn: ChoiceContext, realm: str, says: Answers) -> Choices:
    """By word: ``of``, answers by realm, province or commander; ``pair``, by province and realm (``Kent/FRA``);
    ``pool``, of which it takes one; ``waits``: it hangs on the other side's offer.
    """
    world, rules, atlas = turn.world, turn.rules, turn.atlas
    others = [code for code in world.realms if code != realm]
    own = [land.name for land in world.owned_by(realm)]
    nobody: frozenset[str] = frozenset()
    reached = within_gold_reach(world, realm, rules, atlas)

    def each(ask: Callable[[str], Refusal | None], names: Iterable[str]) -> Choices:
        return {"of": {name: says(ask(name)) for name in names}}

    def granted(code: str) -> Refusal | None:
        return why_not_grant_permission(world, realm, GrantPermission(NOWHERE, own[0], code)) if own else None

    def given(code: str) -> Refusal | None:
        return why_not_give(world, realm, GiveProvince(NOWHERE, own[0], code), nobody) if own else None

    found: Choices = {
        word.name: each(partial(why_not_about(word), world, realm), others)
        for word in HEADQUARTERS.values()
        if word.form is forms.REALMS
    }
    for name in OFFERS:
        found[name]["waits"] = True
    found["grant_permission"] = each(granted, others)
    found["revoke_permission"] = {
        "pair": {
            f"{name}/{code}": says(why_not_revoke_permission(world, realm, RevokePermission(NOWHERE, name, code)))
            for name in own
            for code in sorted(world.provinces[name].permissions)
        }
    }
    found["send_gold"] = each(
        lambda code: why_not_send_gold(world, realm, SendGold(NOWHERE, code, Decimal(1)), reached), others
    )
    limit, annexed = rules.statuses[world.realms[realm].status].annexed_provinces, annexed_counts(world).get(realm, 0)
    full = refuse("annexation-limit", limit=limit, has=max(limit, annexed))
    says.pools["annex"] = [max(0, limit - annexed), says(full)]
    found["annex"] = {
        "of": {
            name: says(
                why_not_annex(world, realm, name, min(annexed, limit - 1), rules), cents(annexation_price(name, atlas))
            )
            for name in own
        },
        "pool": "annex",
    }
    found["cede_province"] = each(lambda name: why_not_let_go(world, realm, name, nobody), own)
    found["give_province"] = each(given, others)
    found["proclamation"] = {"of": {"": -cents(rules.economy.proclamation)}}
    found["rename_commander"] = {"of": {who.name: 0 for unit in world.of_realm(realm) for who in unit.commanders}}
    return found
