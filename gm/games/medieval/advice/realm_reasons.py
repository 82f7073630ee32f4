"""The reasons that advice gives for a realm's orders of headquarters (O3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gm.games.medieval.advice.grounds import Because, Grounds, because
from gm.games.medieval.orders import model
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.provinces import annexation_price


def annexed(grounds: Grounds, order: model.Annex) -> Because:
    """Return the reason for an annexation: its price, and the province's revenue (L6)."""
    land = grounds.world.provinces[order.province]
    revenue = province_revenue(land, grounds.atlas, grounds.rules)
    return because("annex", price=annexation_price(order.province, grounds.atlas), revenue=revenue)


def given_up(grounds: Grounds, order: model.GiveProvince | model.CedeProvince) -> Because:
    """Return the reason to give a province up: its revenue, and how many the realm owns now (L12)."""
    land = grounds.world.provinces[order.province]
    revenue = province_revenue(land, grounds.atlas, grounds.rules)
    return because("give up", revenue=revenue, lands=len(grounds.world.owned_by(grounds.realm)))


def compared(name: str) -> Callable[[Grounds, Any], Because]:
    """Return a function that gives the reason ``name``: the strength of another realm, and of its own."""

    def reason(grounds: Grounds, order: model.RealmOrder) -> Because:
        theirs = grounds.combat_of(order.other)
        return because(name, theirs=theirs, own=grounds.combat_of(grounds.realm))

    return reason


def befriended(name: str) -> Callable[[Grounds, Any], Because]:
    """Return a function that gives the reason ``name``: common enemies, and another realm's strength."""

    def reason(grounds: Grounds, order: model.RealmOrder) -> Because:
        return because(
            name, enemies=grounds.common_enemies(order.other), theirs=grounds.combat_of(order.other)
        )

    return reason


def peace_offered(grounds: Grounds, order: model.OfferPeace) -> Because:
    """Return the reason for peace: the number of the realm's wars, and the strength of both (L15)."""
    wars = sum(
        grounds.after_first_events.at_war(grounds.realm, code) for code in grounds.after_first_events.realms
    )
    own_combat = grounds.combat_of(grounds.realm)
    return because("offer_peace", wars=wars, theirs=grounds.combat_of(order.other), own=own_combat)


def gold_sent(grounds: Grounds, order: model.SendGold) -> Because:
    """Return the reason for a gift of gold: the whole treasury, and the receiver's strength (L2)."""
    treasury = grounds.world.realms[grounds.realm].treasury
    return because("send_gold", treasury=treasury, theirs=grounds.combat_of(order.other))


def proclaimed(grounds: Grounds, order: model.Proclamation) -> Because:
    """Return the reason for a proclamation: the gold that it brings (L13)."""
    return because("proclamation", gold=grounds.rules.economy.proclamation)


def permission_changed(grounds: Grounds, order: model.GrantPermission | model.RevokePermission) -> Because:
    """Return the reason to give or end a permission: the other's strength, and ours in the province (F4)."""
    return because("permission", theirs=grounds.combat_of(order.other), own=grounds.own_at(order.province))


def named(grounds: Grounds, order: model.RenameCommander) -> Because:
    """Return the reason for naming a commander (F7)."""
    return because("name")


REALM_REASONS: Mapping[type, Callable[[Grounds, Any], Because]] = {
    model.DeclareWar: compared("declare_war"),
    model.RefuseGifts: compared("gifts"),
    model.AcceptGifts: compared("gifts"),
    model.GrantPassage: befriended("grant_passage"),
    model.RevokePassage: befriended("revoke_passage"),
    model.GrantPermission: permission_changed,
    model.RevokePermission: permission_changed,
    model.RenameCommander: named,
    model.SendAmbassador: befriended("send_ambassador"),
    model.SendGold: gold_sent,
    model.Annex: annexed,
    model.GiveProvince: given_up,
    model.CedeProvince: given_up,
    model.Proclamation: proclaimed,
    model.OfferPeace: peace_offered,
    model.CancelAlliance: befriended("cancel_alliance"),
    model.OfferAlliance: befriended("offer_alliance"),
}
"""The function that chooses the reason, by the type of the order."""
