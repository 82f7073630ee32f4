"""What changed in a realm's lands: owners, damage, annexation and works (M13, L1, L6-L8, L10, L12)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.games.medieval.events import battle, final, movement
from gm.games.medieval.report.changed_lines import Line, Piece, Scene, Weight, line


def owner_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Provinces lost and won: the owner before against the owner after, whatever happened in between."""
    record, name_of = scene.record, scene.speaker.realm
    given = {each.province for each in scene.seen(realm, final.ProvinceGiven)}
    lost: list[Piece] = []
    won: list[Piece] = []
    for name, land in record.after.provinces.items():
        former = record.before.provinces[name].owner
        if former == land.owner or realm not in (former, land.owner):
            continue
        gift = "as a gift " if name in given else ""
        if former == realm:
            capital = "your capital, " if record.atlas.locations[name].capital_of == realm else ""
            lost.append(scene.place(name, f"{capital}{gift}to {name_of(land.owner)}"))
        else:
            won.append(scene.place(name, f"{gift}from {name_of(former)}"))
    yield line(Weight.LANDS_LOST, "Provinces lost", "bad", lost)
    yield line(Weight.LANDS_WON, "Provinces won", "good", won)


def damage_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """What the realm's lands suffered."""
    owned = {land.name for land in scene.record.after.owned_by(realm)}
    pillagers = {
        each.place: scene.you(realm, each.unit.partition("/")[0])
        for each in scene.seen(realm, movement.ProvincePillaged)
        if each.owner == realm
    }
    harm: dict[str, list[str]] = {}
    for worse in scene.seen(realm, final.DamageIncreased):
        if worse.province in owned:
            by = [f"pillaged by {pillagers[worse.province]}"] if worse.province in pillagers else []
            harm.setdefault(worse.province, []).extend([f"damage {worse.damage}", *by])
    walls = {each.place: each for each in scene.seen(realm, battle.FortificationDamaged) if each.place in owned}
    for name, each in walls.items():
        harm.setdefault(name, []).append(f"walls: {each.damage} of {each.level} damaged")
    for razed in scene.seen(realm, final.StructureRazed):
        if razed.realm != realm and razed.province in owned:
            words = f"{razed.structure} razed by {scene.speaker.realm(razed.realm)}"
            harm.setdefault(razed.province, []).append(words)
    yield line(Weight.DAMAGE, "Damage", "bad", (scene.place(name, ", ".join(notes)) for name, notes in harm.items()))


def work_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """What was built and annexed, and what is annexed no longer."""
    built: list[Piece] = []
    for each in scene.seen(realm, final.StructureBuilt):
        if each.realm == realm:
            level = f" of level {each.level}" if each.structure == "fortification" else ""
            built.append(scene.place(each.province, f"{each.structure}{level}"))
    annexed = [scene.place(e.province) for e in scene.seen(realm, final.ProvinceAnnexed) if e.realm == realm]
    ended = [scene.place(e.province) for e in scene.seen(realm, final.AnnexationEnded) if e.realm == realm]
    yield line(Weight.WORKS, "Built", "good", built)
    yield line(Weight.ANNEXED, "Annexed", "good", annexed)
    yield line(Weight.ANNEXED, "No longer annexed to you", "bad", ended)
