"""What changed between realms: victory, war and peace, rights, and letters (V1, F1-F4, L15-L17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.games.medieval.events import final, first, gm
from gm.games.medieval.report.changed_lines import Line, Piece, Scene, Weight, line
from gm.text.pages import gold, listed


def standing_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Who has won or is about to, what the game master decided about the realm, and who is out of the game."""
    for won in scene.seen(realm, final.VictoryWon):
        who = listed([scene.you(realm, code) for code in won.realms])
        tone = "good" if realm in won.realms else "bad"
        yield line(Weight.VICTORY, "The game is won", tone, [Piece(f"by {who}", "realms")])
    for near in scene.seen(realm, final.VictoryNear):
        who = listed([scene.you(realm, code) for code in near.realms])
        tone = "good" if realm in near.realms else "bad"
        note = f"{near.cities} of {near.total} cities, turn {near.turns} of the {near.needed} needed"
        yield line(Weight.VICTORY, "Victory is near", tone, [Piece(who, "realms", note)])
    decided = [Piece(f"you are {e.status} now") for e in scene.seen(realm, gm.StatusSet) if e.realm == realm]
    decided += [
        Piece(f"orders are given by {each.controller} now")
        for each in scene.seen(realm, gm.ControllerSet)
        if each.realm == realm
    ]
    yield line(Weight.STANDING, "The game master", "", decided)
    gone = [each.realm for each in scene.seen(realm, final.RealmDefeated) if each.realm != realm]
    yield line(Weight.OTHERS, "Out of the game", "", map(scene.realm, gone))


def relation_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Wars, peace and alliances of the realm."""
    wars = [
        scene.realm(each.realm, "declares war on you")
        if each.other == realm
        else scene.realm(each.other, "you declare war")
        for each in scene.seen(realm, first.WarDeclared)
        if realm in (each.realm, each.other)
    ]
    yield line(Weight.WAR, "War", "bad", wars)
    ended = [
        scene.realm(_other(realm, each), "" if each.realm == realm else "ended by them")
        for each in scene.seen(realm, final.AllianceCancelled)
        if realm in (each.realm, each.other)
    ]
    yield line(Weight.ALLIANCE_ENDED, "No longer allied", "warn", ended)
    yield line(Weight.PEACE, "Peace", "good", _partners(scene, realm, scene.seen(realm, final.PeaceMade)))
    yield line(Weight.PEACE, "Allied", "good", _partners(scene, realm, scene.seen(realm, final.AllianceFormed)))


def _partners(scene: Scene, realm: str, events: Iterable[final.PeaceMade | final.AllianceFormed]) -> list[Piece]:
    return [scene.realm(_other(realm, each)) for each in events if realm in (each.realm, each.other)]


def _other(realm: str, event: final.PeaceMade | final.AllianceFormed | final.AllianceCancelled) -> str:
    return event.other if event.realm == realm else event.realm


def rights_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """The rights that others gave the realm or took from it; what it granted itself it knows from its orders."""
    given: list[Piece] = []
    taken: list[Piece] = []
    for passage in scene.seen(realm, first.PassageGranted):
        given += _of(scene, realm, passage, "lets you pass")
    for permission in scene.seen(realm, first.PermissionGranted):
        given += _of(scene, realm, permission, f"lets you into {permission.province}")
    for accepted in scene.seen(realm, first.GiftsAccepted):
        given += _of(scene, realm, accepted, "takes your gifts")
    for revoked in scene.seen(realm, first.PassageRevoked):
        taken += _of(scene, realm, revoked, "lets you pass no longer")
    for ended in scene.seen(realm, first.PermissionRevoked):
        taken += _of(scene, realm, ended, f"lets you into {ended.province} no longer")
    for refused in scene.seen(realm, first.GiftsRefused):
        taken += _of(scene, realm, refused, "refuses your gifts")
    for lost in scene.seen(realm, first.RightsEnded):
        taken += _of(scene, realm, lost, "war ended the rights that it gave you")
    yield line(Weight.RIGHTS, "Rights", "warn" if taken else "good", taken + given)


def _of(
    scene: Scene,
    realm: str,
    event: first.PassageGranted
    | first.PassageRevoked
    | first.PermissionGranted
    | first.PermissionRevoked
    | first.GiftsAccepted
    | first.GiftsRefused
    | first.RightsEnded,
    words: str,
) -> list[Piece]:
    return [scene.realm(event.realm, words)] if event.other == realm else []


def letter_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Gold and ambassadors from others."""
    came = [scene.realm(e.realm, f"sends {gold(e.amount)} gold") for e in scene.seen(realm, final.GoldReceived)]
    came += [scene.realm(e.realm, "sends an ambassador") for e in scene.seen(realm, first.AmbassadorReceived)]
    yield line(Weight.LETTERS, "Envoys", "good", came)
