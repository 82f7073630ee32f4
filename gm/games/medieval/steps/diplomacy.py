"""What realms say to each other: war and rights first, peace and alliances last (F1-F4, L15-L17)."""

from __future__ import annotations

from collections.abc import Callable

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.events.final import AllianceCancelled, AllianceFormed, PeaceMade
from gm.games.medieval.events.first import (
    GiftsAccepted,
    GiftsRefused,
    PassageGranted,
    PassageRevoked,
    PermissionGranted,
    PermissionRevoked,
    RightsEnded,
    WarDeclared,
)
from gm.games.medieval.orders.model import (
    AcceptGifts,
    CancelAlliance,
    DeclareWar,
    GrantPassage,
    GrantPermission,
    OfferAlliance,
    OfferPeace,
    RealmOrder,
    RefuseGifts,
    RevokePassage,
    RevokePermission,
)
from gm.games.medieval.state import Pair, World, pair
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, headquarters_orders, refuse, settled


def why_not_deal_with(world: World, realm: str, other: str) -> Refusal | None:
    """Whether ``other`` is no realm that ``realm`` can address: itself, unknown, or out of the game (W1, L19)."""
    if other == realm:
        return refuse("other-is-self")
    if other not in world.realms:
        return refuse("other-unknown", other=other)
    if world.realms[other].defeated:
        return refuse("other-is-out", other=other)
    return None


# -- F1 ----------------------------------------------------------------------------------------------------------------


def why_not_declare_war(world: World, realm: str, other: str) -> Refusal | None:
    """F1: only neutral, as it was when the turn began, becomes war; an alliance must be cancelled first."""
    if found := why_not_deal_with(world, realm, other):
        return found
    if pair(realm, other) in world.progress.wars:
        return refuse("war-already", other=other)
    if pair(realm, other) in world.progress.alliances:
        return refuse("war-on-ally", other=other)
    return None


@step("War Declared", "F1")
def war_declared(turn: Turn) -> Outcome:
    """Neutral becomes war by one realm's word, and rights between the two end both ways.

    Reads: relations at the turn's start. Writes: wars, passage rights, special permissions.
    Emits: WarDeclared, RightsEnded, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    declared: dict[tuple[str, str], None] = {}
    for realm, order in headquarters_orders(turn, DeclareWar):
        refusal = why_not_declare_war(world, realm, order.other)
        events.append(settled(realm, order, refusal))
        if refusal is None:
            # two realms may declare war on each other: both words are heard
            declared[(realm, order.other)] = None
    events += (WarDeclared(realm=realm, other=other) for realm, other in declared)
    new = {pair(realm, other) for realm, other in declared}
    if not new:
        return Outcome(world, tuple(events))
    world, ended = _without_rights(world, new)
    return Outcome(world.evolve(wars=world.wars | new), (*events, *ended))


def _without_rights(world: World, wars: set[Pair]) -> tuple[World, list[Event]]:
    """F1: no passage rights and special permissions between these pairs, in either direction."""
    enemies: dict[str, list[str]] = {}
    for a, b in sorted(wars):
        enemies.setdefault(a, []).append(b)
        enemies.setdefault(b, []).append(a)
    ended: dict[tuple[str, str], list[str]] = {}
    realms = []
    for code in sorted(enemies):
        realm = world.realms[code]
        for other in sorted(realm.passage.intersection(enemies[code])):
            ended.setdefault((code, other), [])
        realms.append(realm.evolve(passage=realm.passage.difference(enemies[code])))
    provinces = []
    for land in world.provinces.values():
        lost = sorted(land.permissions.intersection(enemies.get(land.owner, ())))
        if lost:
            provinces.append(land.evolve(permissions=land.permissions.difference(lost)))
        for other in lost:
            ended.setdefault((land.owner, other), []).append(land.name)
    events: list[Event] = [
        RightsEnded(realm=realm, other=other, provinces=tuple(names)) for (realm, other), names in ended.items()
    ]
    return world.with_realms(*realms).with_provinces(*provinces), events


# -- F2 ----------------------------------------------------------------------------------------------------------------


@step("Acceptance Changed", "F2", "W1")
def acceptance_changed(turn: Turn) -> Outcome:
    """Realms say whose gifts of gold, troops and provinces they take. What is so already stays so.

    Writes: refusals of gifts. Emits: GiftsAccepted, GiftsRefused, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    refuses: dict[str, frozenset[str]] = {}
    for realm, order in headquarters_orders(turn, AcceptGifts, RefuseGifts):
        refusal = why_not_deal_with(world, realm, order.other)
        events.append(settled(realm, order, refusal))
        if refusal is not None:
            continue
        now = refuses.get(realm, world.realms[realm].refuses)
        wanted = now - {order.other} if isinstance(order, AcceptGifts) else now | {order.other}
        if wanted != now:
            changed = GiftsAccepted if isinstance(order, AcceptGifts) else GiftsRefused
            events.append(changed(realm=realm, other=order.other))
        refuses[realm] = wanted
    world = world.with_realms(*(world.realms[realm].evolve(refuses=who) for realm, who in refuses.items()))
    return Outcome(world, tuple(events))


# -- F3, F4 ------------------------------------------------------------------------------------------------------------


def why_not_grant(world: World, realm: str, other: str) -> Refusal | None:
    """F1, F3, F4: rights are never granted to an enemy."""
    if found := why_not_deal_with(world, realm, other):
        return found
    return refuse("grant-to-enemy", other=other) if world.at_war(realm, other) else None


def why_not_revoke_passage(world: World, realm: str, other: str) -> Refusal | None:
    """F3: what was not granted (or ended with war) cannot be revoked."""
    if found := why_not_deal_with(world, realm, other):
        return found
    return None if other in world.realms[realm].passage else refuse("passage-not-granted", other=other)


@step("Passage Rights Changed", "F3", "P1")
def passage_rights_changed(turn: Turn) -> Outcome:
    """Passage through all lands of a realm is revoked, then granted; it counts at once.

    Writes: passage rights. Emits: PassageGranted, PassageRevoked, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    passage: dict[str, frozenset[str]] = {}
    for realm, revoke in headquarters_orders(turn, RevokePassage):
        refusal = why_not_revoke_passage(world, realm, revoke.other)
        events.append(settled(realm, revoke, refusal))
        if refusal is None:
            passage[realm] = passage.get(realm, world.realms[realm].passage) - {revoke.other}
            events.append(PassageRevoked(realm=realm, other=revoke.other))
    for realm, grant in headquarters_orders(turn, GrantPassage):
        refusal = why_not_grant(world, realm, grant.other)
        events.append(settled(realm, grant, refusal))
        now = passage.get(realm, world.realms[realm].passage)
        if refusal is None and grant.other not in now:
            passage[realm] = now | {grant.other}
            events.append(PassageGranted(realm=realm, other=grant.other))
    world = world.with_realms(*(world.realms[realm].evolve(passage=who) for realm, who in passage.items()))
    return Outcome(world, tuple(events))


def _why_not_own(world: World, realm: str, province: str) -> Refusal | None:
    land = world.provinces.get(province)
    return None if land is not None and land.owner == realm else refuse("permission-not-owner", province=province)


def why_not_grant_permission(world: World, realm: str, order: GrantPermission) -> Refusal | None:
    """F4: for a province of one's own, not to an enemy."""
    return _why_not_own(world, realm, order.province) or why_not_grant(world, realm, order.other)


def why_not_revoke_permission(world: World, realm: str, order: RevokePermission) -> Refusal | None:
    """F4: for a province of one's own, where it was granted."""
    if found := _why_not_own(world, realm, order.province) or why_not_deal_with(world, realm, order.other):
        return found
    if order.other not in world.provinces[order.province].permissions:
        return refuse("permission-not-granted", other=order.other, province=order.province)
    return None


@step("Special Permission Changed", "F4", "P1")
def special_permission_changed(turn: Turn) -> Outcome:
    """Special permission for single provinces is revoked, then granted; it counts at once.

    Writes: special permissions. Emits: PermissionGranted, PermissionRevoked, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    held: dict[str, frozenset[str]] = {}
    for realm, revoke in headquarters_orders(turn, RevokePermission):
        refusal = why_not_revoke_permission(world, realm, revoke)
        events.append(settled(realm, revoke, refusal))
        if refusal is None:
            name = revoke.province
            held[name] = held.get(name, world.provinces[name].permissions) - {revoke.other}
            events.append(PermissionRevoked(realm=realm, other=revoke.other, province=name))
    for realm, grant in headquarters_orders(turn, GrantPermission):
        refusal = why_not_grant_permission(world, realm, grant)
        events.append(settled(realm, grant, refusal))
        if refusal is not None:
            continue
        now = held.get(grant.province, world.provinces[grant.province].permissions)
        if grant.other not in now:
            held[grant.province] = now | {grant.other}
            events.append(PermissionGranted(realm=realm, other=grant.other, province=grant.province))
    world = world.with_provinces(*(world.provinces[name].evolve(permissions=who) for name, who in held.items()))
    return Outcome(world, tuple(events))


# -- L15-L17 -----------------------------------------------------------------------------------------------------------


def why_not_offer_peace(world: World, realm: str, other: str) -> Refusal | None:
    """L15: they were at war when the turn began; a war declared this turn does not end in it."""
    if found := why_not_deal_with(world, realm, other):
        return found
    return None if pair(realm, other) in world.progress.wars else refuse("peace-without-war", other=other)


@step("Peace Established", "L15")
def peace_established(turn: Turn) -> Outcome:
    """War becomes neutral where both offered peace.

    Reads: wars at the turn's start. Writes: wars. Emits: PeaceMade, OrderSettled.
    """
    made, events = _agreements(turn, OfferPeace, why_not_offer_peace)
    told = [PeaceMade(realm=a, other=b) for a, b in made]
    return Outcome(turn.state.evolve(wars=turn.state.wars.difference(made)), (*events, *told))


def why_not_cancel_alliance(world: World, realm: str, other: str) -> Refusal | None:
    """L16: they were allied when the turn began."""
    if found := why_not_deal_with(world, realm, other):
        return found
    return None if pair(realm, other) in world.progress.alliances else refuse("alliance-not-there", other=other)


@step("Alliances Cancelled", "L16")
def alliances_cancelled(turn: Turn) -> Outcome:
    """One ally's word is enough: they are neutral.

    Reads: alliances at the turn's start. Writes: alliances. Emits: AllianceCancelled, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    cancelled: dict[tuple[str, str], None] = {}
    for realm, order in headquarters_orders(turn, CancelAlliance):
        refusal = why_not_cancel_alliance(world, realm, order.other)
        events.append(settled(realm, order, refusal))
        if refusal is None:
            cancelled[(realm, order.other)] = None
    events += (AllianceCancelled(realm=realm, other=other) for realm, other in cancelled)
    gone = {pair(realm, other) for realm, other in cancelled}
    return Outcome(world.evolve(alliances=world.alliances - gone), tuple(events))


def why_not_offer_alliance(world: World, realm: str, other: str) -> Refusal | None:
    """L17: they were neutral when the turn began and are so still (war to alliance takes two turns)."""
    if found := why_not_deal_with(world, realm, other):
        return found
    if pair(realm, other) in world.progress.wars | world.wars:
        return refuse("alliance-with-enemy", other=other)
    return refuse("alliance-already", other=other) if pair(realm, other) in world.progress.alliances else None


@step("Alliances Formed", "L17")
def alliances_formed(turn: Turn) -> Outcome:
    """Two neutral realms that both offered it are allies.

    Reads: relations at the turn's start and now. Writes: alliances. Emits: AllianceFormed, OrderSettled.
    """
    made, events = _agreements(turn, OfferAlliance, why_not_offer_alliance)
    told = [AllianceFormed(realm=a, other=b) for a, b in made]
    return Outcome(turn.state.evolve(alliances=turn.state.alliances.union(made)), (*events, *told))


def _agreements(
    turn: Turn, kind: type[RealmOrder], why_not: Callable[[World, str, str], Refusal | None]
) -> tuple[list[Pair], list[Event]]:
    """The pairs in which both made the offer and nothing forbids it, and every offer's fate."""
    offers = list(headquarters_orders(turn, kind))
    made_by: set[tuple[str, str]] = {(realm, order.other) for realm, order in offers}
    events: list[Event] = []
    agreed: set[Pair] = set()
    for realm, order in offers:
        refusal = why_not(turn.state, realm, order.other)
        if refusal is None and (order.other, realm) not in made_by:
            refusal = refuse("offer-not-returned", other=order.other)
        events.append(settled(realm, order, refusal))
        if refusal is None:
            agreed.add(pair(realm, order.other))
    return sorted(agreed), events
