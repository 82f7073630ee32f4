"""One battle while it is fought, and the field: the world as one step of battles works on it."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from gm.core.dice import Stream
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus, Role, attack_chance
from gm.games.medieval.combat.report import BattleRound, BattleUnit, Rescue, SiegeReport, SkillGain
from gm.games.medieval.state import INDEPENDENTS, Unit
from gm.games.medieval.state.unit import as_ranks
from gm.games.medieval.steps.turn import Workspace


class Field(Workspace):
    """A step's workspace.

    Relations, permissions and owners are those of ``world``: battles do not change them.
    """

    @cached_property
    def _skills(self) -> frozenset[tuple[str, str, str]]:
        """The (realm, commander, tactic) of each gain in skill this turn."""
        return self.world.progress.skills

    def gain_once(self, realm: str, commander: str, tactic: str) -> bool:
        """Record that the commander gains in this tactic; return whether it is for the first time this turn.

        B2, B11.
        """
        gained = self._skills | {(realm, commander, tactic)}
        first = gained != self._skills
        self._skills = gained
        self.note(skills=gained)
        return first

    def last_owner(self, place: str) -> str | None:
        """Return who owned a province at the end of the previous phase (P7, B2, B3); None for a sea."""
        mark = self.world.progress.provinces.get(place)
        return mark.owner_last_phase if mark is not None else None

    def meeting_places(self, units: Iterable[Unit]) -> list[str]:
        """Return the places where several realms meet among these units, as the step found them.

        They are in map order.
        """
        first: dict[str, str] = {}
        meeting = {unit.place for unit in units if first.setdefault(unit.place, unit.realm) != unit.realm}
        return sorted(meeting, key=self.board.place_order.__getitem__)


def has_ships(unit: Unit) -> bool:
    """Return whether this is a fleet with a ship in it."""
    return unit.is_fleet and bool(unit.troops)


def realms_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the realms of these units by code."""
    return tuple(sorted({unit.realm for unit in units}))


LAND = "land"
SEA = "sea"
BORDER = "border"


class Battle(msgspec.Struct, kw_only=True):
    """A battle at ``place`` (a border also has ``other_place``). ``contingents`` are in the order of W12."""

    field: Field
    kind: str
    place: str
    other_place: str = ""
    contingents: list[Contingent]
    owner: str | None = None
    mutiny: bool = False
    fortification: int = 0
    siege: SiegeReport | None = None
    units: tuple[BattleUnit, ...] = ()
    round: int = 0  # how many rounds were fought
    recorded: bool = True  # whether every round is put on record for the report (B14)
    rounds: list[BattleRound] = []
    drawn: bool = False
    skills: list[SkillGain] = []
    rescues: list[Rescue] = []
    by_key: dict[str, Contingent] = {}
    realms: tuple[str, ...] = ()
    enemies: dict[str, tuple[str, ...]] = {}  # by realm: those in this battle that it is at war with (B1)
    _friends: dict[tuple[str, str], list[Contingent]] = {}
    _streams: dict[str, Stream] = {}

    def __post_init__(self) -> None:
        self.by_key = {contingent.key: contingent for contingent in self.contingents}
        self.realms = tuple(sorted({contingent.realm for contingent in self.contingents}))
        self.enemies = {a: tuple(b for b in self.realms if self.hostile(a, b)) for a in self.realms}

    @property
    def name(self) -> str:
        """The name of the place in dice labels and events."""
        return f"{self.place} - {self.other_place}" if self.other_place else self.place

    @property
    def tactics_divisor(self) -> int:
        """N of B5: it differs for all when a fortification is defended."""
        rules = self.field.rules.battle
        return rules.tactics_divisor_fortified if self.fortification else rules.tactics_divisor

    def dice(self, purpose: str) -> Stream:
        """Return the stream of this battle's place for one purpose (W12)."""
        if purpose not in self._streams:
            self._streams[purpose] = self.field.turn.dice(self.name, purpose)
        return self._streams[purpose]

    def hostile(self, a: str, b: str) -> bool:
        """Return whether two realms fight here (B1); at a border, special permissions do not matter."""
        return self.field.world.hostile(a, b, "" if self.kind == BORDER else self.place)

    def friends(self, shooter: str, target: str) -> list[Contingent]:
        """Return the contingents that share the damage of a realm's hits (B1).

        They are the target and its allies at war with the shooter.
        """
        sharing = self._friends.get((shooter, target))
        if sharing is None:
            allied = self.field.world.allied
            realms = {other for other in self.enemies[shooter] if other == target or allied(other, target)}
            sharing = self._friends[shooter, target] = [
                contingent for contingent in self.contingents if contingent.realm in realms
            ]
        return [contingent for contingent in sharing if contingent.fights]

    def lives(self, contingent: Contingent) -> bool:
        """Return whether a contingent keeps its side in the battle (B10).

        At sea only ships count, in a mutiny soldiers too. Casualties that are only marked still count (B4).
        """
        if not contingent.fights:
            return False
        if not contingent.at_sea:
            return contingent.present() > 0
        if contingent.ships():
            return True
        soldiers = (band for band in contingent.bands if not band.commander)
        return self.mutiny and any(band.present for band in soldiers)

    def goes_on(self) -> bool:
        """Return whether two realms at war with each other are still in the battle (B10)."""
        living = {contingent.realm for contingent in self.contingents if self.lives(contingent)}
        return any(enemy in living for realm in living for enemy in self.enemies[realm])

    def set_chances(self, contingent: Contingent) -> None:
        """Compute each band's chance to hit, under the unit's present leader (B5)."""
        best_percent = self.field.rules.battle.best_chance_percent
        divisor = self.tactics_divisor
        for band in contingent.bands:
            tactics = getattr(contingent.leader, band.tactics) if contingent.leader and band.tactics else 0
            own_figures = (best_percent, band.combat, tactics, divisor)
            bonuses = (band.amphibious, band.marine)
            band.chance = attack_chance(*own_figures, 0, *bonuses)
            band.chance_inside = (
                attack_chance(*own_figures, band.fortification, *bonuses) if band.sheltered else band.chance
            )

    def can_retreat(self, contingent: Contingent) -> bool:
        """Return whether such a unit may ever retreat from here (B9, B9.3, W7).

        Armies aboard go where their fleet goes.
        """
        if contingent.realm == INDEPENDENTS or contingent.defends:
            return False
        if self.kind == SEA:
            mutinous = any(other.role is Role.MUTINEERS and other.fights for other in self.aboard(contingent))
            return contingent.role is Role.FLEET and not mutinous
        return contingent.role is Role.ARMY and contingent.unit.aboard is None

    def aboard(self, fleet: Contingent) -> list[Contingent]:
        """Return the contingents aboard a fleet."""
        return [other for other in self.contingents if other.carrier == fleet.key]

    def destroy(self, contingent: Contingent) -> None:
        contingent.state = ContingentStatus.DESTROYED

    def marines_stand_down(self, fleet: Contingent) -> None:
        """Let marines of a destroyed fleet fight no more, except in a mutiny (B12, M6.1)."""
        if not self.mutiny:
            for contingent in self.aboard(fleet):
                contingent.stand_back()
                contingent.update_front_rank()


def write_losses(field: Field, contingent: Contingent) -> Unit:
    """Return the unit without the casualties that left since the last call (B8.1)."""
    unit = field.unit(contingent.key)
    fresh = [band for band in contingent.bands if band.fell > band.written]
    if fresh:
        troops = {name: list(ranks) for name, ranks in unit.troops.items()}
        for band in fresh:
            if band.commander:
                unit, _ = unit.without_commander(band.commander.name)
            else:
                troops[band.troop][band.rank - 1] -= band.fell - band.written
            band.written = band.fell
        unit = unit.with_troops({name: as_ranks(counts) for name, counts in troops.items()})
        field.put(unit)
    return unit
