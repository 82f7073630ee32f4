"""What realms say to each other: war and rights first, peace and alliances last (F1-F4, L15-L17)."""

from __future__ import annotations

from collections.abc import Callable

from gm.games.medieval.events import final, first
from gm.games.medieval.orders import model
from gm.games.medieval.state import Pair, World, pair
from gm.games.medieval.steps.turn import Refusal, refuse, unless
from gm.games.medieval.steps.workspace import Workspace, step

WhyNot = Callable[[World, str, str], Refusal | None]  # why a realm cannot say something to another


def why_not_deal_with(world: World, realm: str, other: str) -> Refusal | None:
    """Whether ``other`` is no realm that ``realm`` can address: itself, unknown, or out of the game (W1, L19)."""
    if other == realm:
        return refuse("other-is-self")
    if other not in world.realms:
        return refuse("other-unknown", other=other)
    return refuse("other-is-out", other=other) if world.realms[other].defeated else None


def _said(work: Workspace, kind: type[model.RealmOrder], why_not: WhyNot) -> dict[tuple[str, str], None]:
    """(realm, other) of each order of this kind that nothing forbids, once; all are settled."""
    return {
        (realm, order.other): None
        for realm, order in work.headquarters_orders(kind)
        if work.settle(realm, order, why_not(work.world, realm, order.other))
    }


def why_not_declare_war(world: World, realm: str, other: str) -> Refusal | None:
    """F1: only neutral, as it was when the turn began, becomes war; an alliance must be cancelled first."""
    return (
        why_not_deal_with(world, realm, other)
        or unless(pair(realm, other) not in world.progress.wars, "war-already", other=other)
        or unless(pair(realm, other) not in world.progress.alliances, "war-on-ally", other=other)
    )


@step("War Declared", "F1")
def war_declared(work: Workspace) -> None:
    """Neutral becomes war by one realm's word, and rights between the two end both ways."""
    # two realms may declare war on each other: both words are heard
    declared = _said(work, model.DeclareWar, why_not_declare_war)
    work.emit(*(first.WarDeclared(realm=realm, other=other) for realm, other in declared))
    new = {pair(realm, other) for realm, other in declared}
    if new:
        _end_rights(work, new)
        work.change(wars=work.world.wars | new)


def _end_rights(work: Workspace, wars: set[Pair]) -> None:
    """F1: no passage rights and special permissions between these pairs, in either direction."""
    enemies: dict[str, list[str]] = {}
    for a, b in sorted(wars):
        enemies.setdefault(a, []).append(b)
        enemies.setdefault(b, []).append(a)
    ended: dict[tuple[str, str], list[str]] = {}
    for code in sorted(enemies):
        realm = work.realm(code)
        lost = sorted(realm.passage.intersection(enemies[code]))
        work.put_realm(realm.evolve(passage=realm.passage.difference(lost)))
        ended |= {(code, other): [] for other in lost}
    for land in work.world.provinces.values():
        lost = sorted(land.permissions.intersection(enemies.get(land.owner, ())))
        if lost:
            work.put_province(land.evolve(permissions=land.permissions.difference(lost)))
        for other in lost:
            ended.setdefault((land.owner, other), []).append(land.name)
    for (code, other), names in ended.items():
        work.emit(first.RightsEnded(realm=code, other=other, provinces=tuple(names)))


@step("Acceptance Changed", "F2", "W1")
def acceptance_changed(work: Workspace) -> None:
    """Realms say whose gifts of gold, troops and provinces they take. What is so already stays so."""
    for realm, order in work.headquarters_orders(model.AcceptGifts, model.RefuseGifts):
        if not work.settle(realm, order, why_not_deal_with(work.world, realm, order.other)):
            continue
        now, accepts = work.realm(realm), isinstance(order, model.AcceptGifts)
        if accepts is (order.other in now.refuses):
            refuses = now.refuses - {order.other} if accepts else now.refuses | {order.other}
            work.put_realm(now.evolve(refuses=refuses))
            work.emit((first.GiftsAccepted if accepts else first.GiftsRefused)(realm=realm, other=order.other))


def why_not_grant(world: World, realm: str, other: str) -> Refusal | None:
    """F1, F3, F4: rights are never granted to an enemy."""
    enemies = world.at_war(realm, other)
    return why_not_deal_with(world, realm, other) or unless(not enemies, "grant-to-enemy", other=other)


def why_not_revoke_passage(world: World, realm: str, other: str) -> Refusal | None:
    """F3: what was not granted (or ended with war) cannot be revoked."""
    granted = other in world.realms[realm].passage
    return why_not_deal_with(world, realm, other) or unless(granted, "passage-not-granted", other=other)


@step("Passage Rights Changed", "F3", "P1")
def passage_rights_changed(work: Workspace) -> None:
    """Passage through all lands of a realm is revoked, then granted; it counts at once."""
    for realm, revoke in work.headquarters_orders(model.RevokePassage):
        if work.settle(realm, revoke, why_not_revoke_passage(work.world, realm, revoke.other)):
            now = work.realm(realm)
            work.put_realm(now.evolve(passage=now.passage - {revoke.other}))
            work.emit(first.PassageRevoked(realm=realm, other=revoke.other))
    for realm, grant in work.headquarters_orders(model.GrantPassage):
        allowed, now = work.settle(realm, grant, why_not_grant(work.world, realm, grant.other)), work.realm(realm)
        if allowed and grant.other not in now.passage:
            work.put_realm(now.evolve(passage=now.passage | {grant.other}))
            work.emit(first.PassageGranted(realm=realm, other=grant.other))


def _why_not_own(world: World, realm: str, province: str) -> Refusal | None:
    land = world.provinces.get(province)
    return unless(land is not None and land.owner == realm, "permission-not-owner", province=province)


def why_not_grant_permission(world: World, realm: str, order: model.GrantPermission) -> Refusal | None:
    """F4: for a province of one's own, not to an enemy."""
    return _why_not_own(world, realm, order.province) or why_not_grant(world, realm, order.other)


def why_not_revoke_permission(world: World, realm: str, order: model.RevokePermission) -> Refusal | None:
    """F4: for a province of one's own, where it was granted."""
    if found := _why_not_own(world, realm, order.province) or why_not_deal_with(world, realm, order.other):
        return found
    granted = order.other in world.provinces[order.province].permissions
    return unless(granted, "permission-not-granted", other=order.other, province=order.province)


@step("Special Permission Changed", "F4", "P1")
def special_permission_changed(work: Workspace) -> None:
    """Special permission for single provinces is revoked, then granted; it counts at once."""
    for realm, revoke in work.headquarters_orders(model.RevokePermission):
        if work.settle(realm, revoke, why_not_revoke_permission(work.world, realm, revoke)):
            land = work.province(revoke.province)
            work.put_province(land.evolve(permissions=land.permissions - {revoke.other}))
            work.emit(first.PermissionRevoked(realm=realm, other=revoke.other, province=land.name))
    for realm, grant in work.headquarters_orders(model.GrantPermission):
        if not work.settle(realm, grant, why_not_grant_permission(work.world, realm, grant)):
            continue
        land = work.province(grant.province)
        if grant.other not in land.permissions:
            work.put_province(land.evolve(permissions=land.permissions | {grant.other}))
            work.emit(first.PermissionGranted(realm=realm, other=grant.other, province=land.name))


def why_not_offer_peace(world: World, realm: str, other: str) -> Refusal | None:
    """L15: they were at war when the turn began; a war declared this turn does not end in it."""
    fight = pair(realm, other) in world.progress.wars
    return why_not_deal_with(world, realm, other) or unless(fight, "peace-without-war", other=other)


@step("Peace Established", "L15")
def peace_established(work: Workspace) -> None:
    """War becomes neutral where both offered peace."""
    made = _agreements(work, model.OfferPeace, why_not_offer_peace)
    work.emit(*(final.PeaceMade(realm=a, other=b) for a, b in made))
    work.change(wars=work.world.wars.difference(made))


def why_not_cancel_alliance(world: World, realm: str, other: str) -> Refusal | None:
    """L16: they were allied when the turn began."""
    allied = pair(realm, other) in world.progress.alliances
    return why_not_deal_with(world, realm, other) or unless(allied, "alliance-not-there", other=other)


@step("Alliances Cancelled", "L16")
def alliances_cancelled(work: Workspace) -> None:
    """One ally's word is enough: they are neutral."""
    cancelled = _said(work, model.CancelAlliance, why_not_cancel_alliance)
    work.emit(*(final.AllianceCancelled(realm=realm, other=other) for realm, other in cancelled))
    work.change(alliances=work.world.alliances - {pair(realm, other) for realm, other in cancelled})


def why_not_offer_alliance(world: World, realm: str, other: str) -> Refusal | None:
    """L17: they were neutral when the turn began and are so still (war to alliance takes two turns)."""
    both, before = pair(realm, other), world.progress
    return (
        why_not_deal_with(world, realm, other)
        or unless(both not in before.wars | world.wars, "alliance-with-enemy", other=other)
        or unless(both not in before.alliances, "alliance-already", other=other)
    )


@step("Alliances Formed", "L17")
def alliances_formed(work: Workspace) -> None:
    """Two neutral realms that both offered it are allies."""
    made = _agreements(work, model.OfferAlliance, why_not_offer_alliance)
    work.emit(*(final.AllianceFormed(realm=a, other=b) for a, b in made))
    work.change(alliances=work.world.alliances.union(made))


def _agreements(work: Workspace, kind: type[model.RealmOrder], why_not: WhyNot) -> list[Pair]:
    """The pairs in which both made the offer and nothing forbids it; all offers are settled."""
    made_by = {(realm, order.other) for realm, order in work.headquarters_orders(kind)}

    def why_not_agreed(world: World, realm: str, other: str) -> Refusal | None:
        return why_not(world, realm, other) or unless((other, realm) in made_by, "offer-not-returned", other=other)

    return sorted({pair(realm, other) for realm, other in _said(work, kind, why_not_agreed)})
