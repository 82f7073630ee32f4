"""The public report of a battle (B14): plain frozen records, in the order in which things happened.

Units are named by their keys (``ENG/A12``) and realms by their codes; a formatter turns them into names.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar

from gm.core.values import Record
from gm.games.medieval.data.clauses_data import numbered


class TroopCount(Record, kw_only=True):
    """``count`` troops of a type; ``words``: the same as text."""

    troop: str
    count: int

    @property
    def words(self) -> str:
        return numbered(self.count, self.troop)


class Modifier(Record, kw_only=True):
    """A change of a unit's strength (B5).

    ``kind`` and ``figures``: ``fortification`` (``name`` its level's name; foot, mounted, barracks),
    ``tactics`` (``name`` the leader; infantry, cavalry, naval as far as the troops use them, and the
    divisor), ``amphibious`` and ``marine`` (percent by troop type).
    """

    kind: str
    name: str = ""
    figures: Mapping[str, int] = {}


class BattleUnit(Record, kw_only=True):
    """A unit as it enters the battle. ``troops`` are those that can fight in it."""

    unit: str
    realm: str
    role: str
    """``army``, ``garrison``, ``fleet``, ``marines`` (army aboard) or ``mutineers`` (on an enemy's fleet)."""
    name: str | None
    troops: tuple[TroopCount, ...]
    commanders: tuple[str, ...]
    leader: str | None
    aboard: str | None
    modifiers: tuple[Modifier, ...]
    base_combat: int  # attacks times combat, no modifier (X1)
    total_combat: Decimal  # the same with every modifier: a hundred times the hits to be expected in a round
    hit_points: Decimal
    retreat_level: int
    follows: str | None
    defends: bool
    ranks: tuple[int, ...] = ()
    """How many stand in ranks 1 to 5, commanders included; empty in logs of earlier versions."""

    @property
    def heads(self) -> int:
        """The number of troops and commanders."""
        return sum(row.count for row in self.troops) + len(self.commanders)


class SiegeRoll(Record, kw_only=True):
    """The rolls of one unit's troops of a type against the walls (B2); ``chance`` is in percent."""

    unit: str
    troop: str
    rolls: int
    chance: Decimal
    damage: int


class SiegeReport(Record, kw_only=True):
    """The effects of the siege before round 1 (B2)."""

    level: int
    damage_before: int
    damage_after: int
    rolls: tuple[SiegeRoll, ...]


class TroopDamage(TroopCount, kw_only=True):
    """``count`` troops of a type caused ``damage`` in a round; commanders appear as ``Commander``."""

    damage: int


class UnitRound(Record, kw_only=True):
    """One unit in one round.

    ``casualties`` and ``remaining`` are told on even rounds only (B8.1). ``expected``: the expected hits of
    all its attacks in this round, ``variance`` their variance; logs of earlier versions have neither.
    """

    unit: str
    retreat_level: int
    caused: tuple[TroopDamage, ...]
    taken: Decimal
    total_taken: Decimal
    hit_points: Decimal
    casualties: tuple[TroopCount, ...] = ()
    fallen_commanders: tuple[str, ...] = ()
    remaining: Decimal | None = None
    expected: Decimal | None = None
    variance: Decimal | None = None


class Retreat(Record, kw_only=True):
    """A unit left at the end of a round, with its casualties (B9); ``to`` is empty for a destroyed one."""

    unit: str
    to: str
    casualties: tuple[TroopCount, ...] = ()
    fallen_commanders: tuple[str, ...] = ()


class BattleRound(Record, kw_only=True):
    """One round: every unit in it, and those that retreated at its end.

    After even ones casualties leave (B8.1).
    """

    number: int
    units: tuple[UnitRound, ...]
    retreats: tuple[Retreat, ...]


class WoundedRoll(Record, kw_only=True):
    """A partly damaged troop or commander at the end of the battle (B11)."""

    unit: str
    troop: str
    commander: str | None
    damage: Decimal
    hit_points: Decimal
    dies: bool


class CaptureRoll(Record, kw_only=True):
    """Casualties of a type that a winner could capture: ``rolls`` at ``chance`` percent, ``count`` taken.

    One record per captor's unit; with none taken, ``captor`` and ``into`` are empty.
    """

    unit: str
    troop: str
    chance: int
    rolls: int
    count: int
    captor: str = ""
    into: str = ""

    @property
    def words(self) -> str:
        return numbered(self.count, self.troop)


class SkillGain(Record, kw_only=True):
    """A leader gained in a tactic (``infantry``, ``cavalry``, ``siege``, ``naval``) up to ``value`` (B2)."""

    realm: str
    unit: str
    commander: str
    tactic: str
    value: int


class Rescue(Record, kw_only=True):
    """The fate of passengers of a destroyed fleet (B12, M6.1): saved into ``to``, or lost (empty)."""

    fleet: str
    army: str | None = None
    commander: str | None = None
    to: str = ""
    saved: tuple[TroopCount, ...] = ()
    lost: tuple[TroopCount, ...] = ()


class UnitEnd(Record, kw_only=True):
    """A unit's fate after the battle: ``survived``, ``retreated`` or ``destroyed``, with all its losses."""

    unit: str
    outcome: str
    place: str
    losses: tuple[TroopCount, ...]
    fallen_commanders: tuple[str, ...]

    @property
    def lost(self) -> int:
        """The number of troops and commanders lost."""
        return sum(row.count for row in self.losses) + len(self.fallen_commanders)


class BattleReport(Record, kw_only=True):
    """One battle from the siege to the skills gained.

    ``kind`` is ``land``, ``sea`` or ``border``; at a border ``place`` and ``other_place`` are its two
    provinces. ``result`` is ``won``, ``drawn`` (round limit) or ``nobody`` (all at war died or fled);
    ``winners`` are realm codes. The event of M13 names the new owner of the province.
    """

    parties: ClassVar[tuple[str, ...]] = ("realms", "owner", "winners")

    kind: str
    place: str
    other_place: str
    phase: int
    owner: str | None
    mutiny: bool
    realms: tuple[str, ...]
    units: tuple[BattleUnit, ...]
    siege: SiegeReport | None
    fortification: int  # the effective level that is defended; 0 for none (B3)
    tactics_divisor: int
    rounds: tuple[BattleRound, ...]
    result: str
    winners: tuple[str, ...]
    wounded: tuple[WoundedRoll, ...]
    captures: tuple[CaptureRoll, ...]
    skills: tuple[SkillGain, ...]
    rescues: tuple[Rescue, ...]
    ends: tuple[UnitEnd, ...]
    wars: tuple[tuple[str, str], ...] = ()
    """The realms that fought each other, each pair once; empty in logs of earlier versions."""

    def points_left(self, unit: BattleUnit) -> tuple[Decimal, ...]:
        """Return a unit's hit points at the start and after each round, until it leaves the battle."""
        points = [unit.hit_points]
        for fought in self.rounds:
            part = next((unit_round for unit_round in fought.units if unit_round.unit == unit.unit), None)
            if part is None:
                break
            points.append(max(Decimal(0), max(unit.hit_points, part.hit_points) - part.total_taken))
        return tuple(points)
