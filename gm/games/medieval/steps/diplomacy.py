"""Declarations between realms: war and rights first, peace and alliances last (F1-F4, L15-L17)."""

from collections.abc import Callable
from functools import partial

from gm.games.medieval.events import final, first
from gm.games.medieval.orders import model
from gm.games.medieval.state import Pair, World, pair
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step

# gets (world, realm, other realm) and returns why the first cannot give an order about the other
WhyNot = Callable[[World, str, str], Refusal | None]


def why_not_deal_with(world: World, realm: str, other: str) -> Refusal | None:
    """Return why ``realm`` cannot give any order about ``other``; None if it can.

    The other is the realm itself, unknown, or out of the game (W1, L19).
    """
    if other == realm:
        return refuse("other-is-self")
    if other not in world.realms:
        return refuse("other-unknown", other=other)
    return refuse("other-is-out", other=other) if world.realms[other].defeated else None


RIGHTS = (model.GrantPassage, model.GrantPermission, model.RevokePassage)
RELATION_ORDERS = (model.DeclareWar, *RIGHTS, model.OfferPeace, model.CancelAlliance, model.OfferAlliance)
"""Orders that the relation of two realms, or a right that was not granted, may forbid."""


def why_not_say(kind: type[model.Order] | None, world: World, realm: str, other: str) -> Refusal | None:
    """Return why ``realm`` cannot give an order of a kind about ``other``; None if it can (F1-F4, L15-L17).

    War, peace and alliances depend on the relations at the turn's start, a new alliance on the present ones
    too. For kinds that are not in ``RELATION_ORDERS``, and None, only :func:`why_not_deal_with` counts.
    """
    refusal = why_not_deal_with(world, realm, other)
    if refusal:
        return refusal
    their_pair = pair(realm, other)
    war = their_pair in world.progress.wars
    allied = their_pair in world.progress.alliances
    if kind is model.DeclareWar:
        return unless(not war, "war-already", other=other) or unless(not allied, "war-on-ally", other=other)
    if kind in (model.GrantPassage, model.GrantPermission):
        return unless(not world.at_war(realm, other), "grant-to-enemy", other=other)
    if kind is model.RevokePassage:
        return unless(other in world.realms[realm].passage, "passage-not-granted", other=other)
    if kind is model.OfferPeace:
        return unless(war, "peace-without-war", other=other)
    if kind is model.CancelAlliance:
        return unless(allied, "alliance-not-there", other=other)
    if kind is model.OfferAlliance:
        neutral = not war and their_pair not in world.wars  # nor was war declared in this turn
        return unless(neutral, "alliance-with-enemy", other=other) or unless(
            not allied, "alliance-already", other=other
        )
    return None


def why_not_permission(
    world: World, realm: str, order: model.GrantPermission | model.RevokePermission
) -> Refusal | None:
    """Return why a special permission cannot be granted or revoked; None if it can (F4).

    It must be for an own province, and is not granted to an enemy, and revoked only where it was granted.
    """
    land = world.provinces.get(order.province)
    if land is None or land.owner != realm:
        return refuse("permission-not-owner", province=order.province)
    granted = isinstance(order, model.GrantPermission) or order.other in land.permissions
    return why_not_say(type(order), world, realm, order.other) or unless(
        granted, "permission-not-granted", other=order.other, province=order.province
    )


def _allowed(
    work: Workspace, kind: type[model.RealmOrder], why_not: WhyNot | None = None
) -> dict[tuple[str, str], None]:
    """Settle all orders of a kind; return, as keys, (realm, other) of those that are allowed, each once.

    They are in the order in which the orders are carried out. ``why_not``: returns why an order is not
    allowed; by default :func:`why_not_say` for the kind.
    """
    why_not = why_not or partial(why_not_say, kind)
    return {
        (realm, order.other): None
        for realm, order in work.headquarters_orders(kind)
        if work.settle(realm, order, why_not(work.world, realm, order.other))
    }


@step("War Declared", "F1")
def war_declared(work: Workspace) -> None:
    """Turn neutral into war by one realm's declaration; rights between the two end both ways.

    Reads: relations at the turn's start. Writes: wars, passage rights, special permissions. Emits:
    WarDeclared, RightsEnded, OrderSettled.
    """
    # if two realms declare war on each other, both declarations are emitted
    declared = _allowed(work, model.DeclareWar)
    work.emit(*(first.WarDeclared(realm=realm, other=other) for realm, other in declared))
    new_wars = {pair(realm, other) for realm, other in declared}
    end_rights(work, new_wars)
    work.change(wars=work.world.wars | new_wars)


def end_rights(work: Workspace, wars: set[Pair]) -> None:
    """End passage rights and special permissions between these pairs, in both directions (F1)."""
    enemies: dict[str, list[str]] = {}  # by realm
    for a, b in sorted(wars):
        enemies.setdefault(a, []).append(b)
        enemies.setdefault(b, []).append(a)
    ended: dict[tuple[str, str], list[str]] = {}  # by (grantor, other): provinces of special permissions
    for code in sorted(enemies):
        realm = work.realm(code)
        lost = sorted(realm.passage.intersection(enemies[code]))
        work.put_realm(realm.evolve(passage=realm.passage.difference(lost)))
        ended |= {(code, other): [] for other in lost}
    for land in [land for land in work.world.provinces.values() if land.permissions]:
        lost = sorted(land.permissions.intersection(enemies.get(land.owner, ())))
        if lost:
            work.put_province(land.evolve(permissions=land.permissions.difference(lost)))
        for other in lost:
            ended.setdefault((land.owner, other), []).append(land.name)
    for (code, other), names in ended.items():
        work.emit(first.RightsEnded(realm=code, other=other, provinces=tuple(names)))


@step("Acceptance Changed", "F2", "W1")
def acceptance_changed(work: Workspace) -> None:
    """Set whose gifts each realm accepts, as ordered."""
    for realm, order in work.headquarters_orders(model.AcceptGifts, model.RefuseGifts):
        if not work.settle(realm, order, why_not_deal_with(work.world, realm, order.other)):
            continue
        present = work.realm(realm)
        accepts = isinstance(order, model.AcceptGifts)
        refused_so_far = order.other in present.refuses
        if accepts is refused_so_far:  # else the order changes nothing
            refuses = present.refuses - {order.other} if accepts else present.refuses | {order.other}
            work.put_realm(present.evolve(refuses=refuses))
            event = first.GiftsAccepted if accepts else first.GiftsRefused
            work.emit(event(realm=realm, other=order.other))


@step("Passage Rights Changed", "F3", "P1")
def passage_rights_changed(work: Workspace) -> None:
    """Revoke, then grant passage through all lands of a realm; it counts at once."""
    for kind, event in (
        (model.RevokePassage, first.PassageRevoked),
        (model.GrantPassage, first.PassageGranted),
    ):
        for realm, order in work.headquarters_orders(kind):
            why = why_not_say(kind, work.world, realm, order.other)
            passage = work.realm(realm).passage
            grants = kind is model.GrantPassage
            # to grant what is granted already is done, but changes nothing
            if work.settle(realm, order, why) and not (grants and order.other in passage):
                changed = passage | {order.other} if grants else passage - {order.other}
                work.put_realm(work.realm(realm).evolve(passage=changed))
                work.emit(event(realm=realm, other=order.other))


@step("Special Permission Changed", "F4", "P1")
def special_permission_changed(work: Workspace) -> None:
    """Revoke, then grant special permission for single provinces; it counts at once."""
    for realm, revoke in work.headquarters_orders(model.RevokePermission):
        if work.settle(realm, revoke, why_not_permission(work.world, realm, revoke)):
            land = work.province(revoke.province)
            work.put_province(land.evolve(permissions=land.permissions - {revoke.other}))
            work.emit(first.PermissionRevoked(realm=realm, other=revoke.other, province=land.name))
    for realm, grant in work.headquarters_orders(model.GrantPermission):
        if not work.settle(realm, grant, why_not_permission(work.world, realm, grant)):
            continue
        land = work.province(grant.province)
        if grant.other not in land.permissions:  # else the order is done, but changes nothing
            work.put_province(land.evolve(permissions=land.permissions | {grant.other}))
            work.emit(first.PermissionGranted(realm=realm, other=grant.other, province=land.name))


@step("Peace Established", "L15")
def peace_established(work: Workspace) -> None:
    """Turn war into neutral where both realms offered peace.

    Reads: wars at the turn's start. Writes: wars. Emits: PeaceMade, OrderSettled.
    """
    agreements = _agreements(work, model.OfferPeace)
    work.emit(*(final.PeaceMade(realm=a, other=b) for a, b in agreements))
    work.change(wars=work.world.wars.difference(agreements))


@step("Alliances Cancelled", "L16")
def alliances_cancelled(work: Workspace) -> None:
    """Cancel alliances by one ally's order; the two are neutral.

    Reads: alliances at the turn's start. Writes: alliances. Emits: AllianceCancelled, OrderSettled.
    """
    cancelled = _allowed(work, model.CancelAlliance)
    work.emit(*(final.AllianceCancelled(realm=realm, other=other) for realm, other in cancelled))
    work.change(alliances=work.world.alliances - {pair(realm, other) for realm, other in cancelled})


@step("Alliances Formed", "L17")
def alliances_formed(work: Workspace) -> None:
    """Ally two neutral realms that both offered an alliance.

    Reads: relations at the turn's start and now. Writes: alliances. Emits: AllianceFormed, OrderSettled.
    """
    agreements = _agreements(work, model.OfferAlliance)
    work.emit(*(final.AllianceFormed(realm=a, other=b) for a, b in agreements))
    work.change(alliances=work.world.alliances.union(agreements))


def _agreements(work: Workspace, kind: type[model.RealmOrder]) -> list[Pair]:
    """Settle all orders of a kind; return the pairs of realms that both gave one, which nothing forbids."""
    offers = {(realm, order.other) for realm, order in work.headquarters_orders(kind)}

    def why_not_agreed(world: World, realm: str, other: str) -> Refusal | None:
        return why_not_say(kind, world, realm, other) or unless(
            (other, realm) in offers, "offer-not-returned", other=other
        )

    return sorted({pair(realm, other) for realm, other in _allowed(work, kind, why_not_agreed)})
