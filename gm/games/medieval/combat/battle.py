"""One battle while it is fought, and the field: the workspace of a step in which battles are fought."""

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
    """The workspace of a step in which battles are fought.

    Relations, permissions and owners are those of ``world``: battles do not change them.
    """

    @cached_property
    def _skills(self) -> frozenset[tuple[str, str, str]]:
        """The (realm, commander, tactic) of each gain in skill this turn."""
        return self.world.progress.skills

    def gain_once(self, realm: str, commander: str, tactic: str) -> bool:
        """Record a commander's gain in a tactic (B2, B11); return whether it is the first this turn."""
        gains = self._skills | {(realm, commander, tactic)}
        is_first = gains != self._skills
        self._skills = gains
        self.note(skills=gains)
        return is_first

    def last_owner(self, place: str) -> str | None:
        """Return who owned a province at the end of the previous phase (P7, B2, B3); None for a sea."""
        progress = self.world.progress.provinces.get(place)
        return progress.owner_last_phase if progress is not None else None

    def meeting_places(self, units: Iterable[Unit]) -> list[str]:
        """Return the places, in map order, at which these units are of several realms, at war or not."""
        first_realm: dict[str, str] = {}  # by place
        meeting = {
            unit.place for unit in units if first_realm.setdefault(unit.place, unit.realm) != unit.realm
        }
        return sorted(meeting, key=self.board.place_order.__getitem__)


def has_ships(unit: Unit) -> bool:
    """Return whether this is a fleet with a ship in it."""
    return unit.is_fleet and bool(unit.troops)


def realms_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the codes of these units' realms, sorted, each once."""
    return tuple(sorted({unit.realm for unit in units}))


LAND = "land"
SEA = "sea"
BORDER = "border"


class Battle(msgspec.Struct, kw_only=True):
    """A battle that is set up and fought. What is the same in a :class:`BattleReport` has the same name."""

    field: Field
    kind: str  # ``LAND``, ``SEA`` or ``BORDER``
    place: str
    other_place: str = ""  # at a border, the province on its other side
    contingents: list[Contingent]  # in the order of W12
    owner: str | None = None  # who owned the province at the end of the previous phase (B2, B3)
    mutiny: bool = False
    fortification: int = 0  # the effective level that is defended; 0 for none (B3)
    siege: SiegeReport | None = None
    units: tuple[BattleUnit, ...] = ()  # as they enter the battle, for the report; empty without one
    round: int = 0  # how many rounds were fought
    recorded: bool = True  # whether every round is put into ``rounds``
    rounds: list[BattleRound] = []
    drawn: bool = False
    skills: list[SkillGain] = []
    rescues: list[Rescue] = []
    by_key: dict[str, Contingent] = {}  # by key of the unit
    realms: tuple[str, ...] = ()
    enemies: dict[str, tuple[str, ...]] = {}  # by realm: those in this battle that it is at war with (B1)
    _friends: dict[tuple[str, str], list[Contingent]] = {}  # by (shooter, target): see ``friends``
    _streams: dict[str, Stream] = {}  # by purpose

    def __post_init__(self) -> None:
        self.by_key = {contingent.key: contingent for contingent in self.contingents}
        self.realms = tuple(sorted({contingent.realm for contingent in self.contingents}))
        self.enemies = {a: tuple(b for b in self.realms if self.hostile(a, b)) for a in self.realms}

    @property
    def name(self) -> str:
        """The name of the place, or at a border those of both places, in dice labels and events."""
        return f"{self.place} - {self.other_place}" if self.other_place else self.place

    @property
    def tactics_divisor(self) -> int:
        """The rating that doubles a chance to hit (N in B5), another one at a defended fortification."""
        rules = self.field.rules.battle
        return rules.tactics_divisor_fortified if self.fortification else rules.tactics_divisor

    def dice(self, purpose: str) -> Stream:
        """Return the stream of this battle's place for one purpose (W12)."""
        if purpose not in self._streams:
            self._streams[purpose] = self.field.turn.dice(self.name, purpose)
        return self._streams[purpose]

    def hostile(self, a: str, b: str) -> bool:
        """Return whether two realms fight each other here (B1); at a border permissions do not matter."""
        return self.field.world.hostile(a, b, "" if self.kind == BORDER else self.place)

    def friends(self, shooter: str, target: str) -> list[Contingent]:
        """Return the contingents, still fighting, that share the damage of one realm's hits on another (B1).

        They belong to the target, and to those of its allies that are at war with the shooter.
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
        """Return whether a contingent keeps its realm in the battle (B10).

        At sea only ships count, and in a mutiny also soldiers. Marked casualties count until they leave (B4).
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
        """Set each band's chances to hit, in the open and behind walls, under its present leader (B5)."""
        best_percent = self.field.rules.battle.best_chance_percent
        divisor = self.tactics_divisor
        for band in contingent.bands:
            tactics = getattr(contingent.leader, band.tactics) if contingent.leader and band.tactics else 0
            base_figures = (best_percent, band.combat, tactics, divisor)
            bonuses = (band.amphibious, band.marine)
            band.chance = attack_chance(*base_figures, 0, *bonuses)  # 0: no fortification helps in the open
            band.chance_inside = (
                attack_chance(*base_figures, band.fortification, *bonuses) if band.sheltered else band.chance
            )

    def can_retreat(self, contingent: Contingent) -> bool:
        """Return whether a unit may retreat from this battle at all (B9, B9.3, W7).

        False for independents, garrisons and defenders behind walls; for armies aboard, which go where their
        fleet goes; and for a fleet with mutineers aboard.
        """
        if contingent.realm == INDEPENDENTS or contingent.defends:
            return False
        if self.kind == SEA:
            mutinous = any(other.role is Role.MUTINEERS and other.fights for other in self.aboard(contingent))
            return contingent.role is Role.FLEET and not mutinous
        return contingent.role is Role.ARMY and contingent.unit.aboard is None

    def aboard(self, fleet: Contingent) -> list[Contingent]:
        """Return the battle's contingents aboard a fleet."""
        return [other for other in self.contingents if other.carrier == fleet.key]

    def destroy(self, contingent: Contingent) -> None:
        """Mark a unit as destroyed, so that it fights no more."""
        contingent.state = ContingentStatus.DESTROYED

    def marines_stand_down(self, fleet: Contingent) -> None:
        """Let marines of a destroyed fleet fight no more, except in a mutiny (B12, M6.1)."""
        if not self.mutiny:
            for contingent in self.aboard(fleet):
                contingent.stand_back()
                contingent.update_front_rank()


def write_losses(field: Field, contingent: Contingent) -> Unit:
    """Remove from the field's unit the casualties that it had since the last call (B8.1); return the unit."""
    unit = field.unit(contingent.key)
    changed_bands = [band for band in contingent.bands if band.fell > band.written]
    if changed_bands:
        troops = {name: list(ranks) for name, ranks in unit.troops.items()}
        for band in changed_bands:
            if band.commander:
                unit, _ = unit.without_commander(band.commander.name)
            else:
                troops[band.troop][band.rank - 1] -= band.fell - band.written
            band.written = band.fell
        unit = unit.with_troops({name: as_ranks(counts) for name, counts in troops.items()})
        field.put(unit)
    return unit
