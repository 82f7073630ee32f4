"""The public report of a battle (B14): plain frozen records, in the order in which things happened.

Units are named by their keys (``ENG/A12``) and realms by their codes; a formatter turns them into names.
"""

from collections.abc import Mapping
from decimal import Decimal

from gm.core.values import Record
from gm.games.medieval.data.clauses_data import numbered


class TroopCount(Record, kw_only=True):
    """``count`` troops of a type; ``words``: the same as text (``2 Archers``)."""

    troop: str
    count: int

    @property
    def words(self) -> str:
        return numbered(self.count, self.troop)


class Modifier(Record, kw_only=True):
    """A change of a unit's strength (B5).

    For each ``kind`` there are these ``figures``, and a ``name`` if one is given here:

    * ``fortification``, the name of its level: bonus of ``foot`` and ``mounted`` in percent, places in the
      ``barracks``;
    * ``tactics``, the leader: the ratings ``infantry``, ``cavalry``, ``naval`` and ``siege`` that the troops
      use, and the ``divisor`` of ratings;
    * ``amphibious`` and ``marine``: percent by troop type.
    """

    kind: str
    name: str = ""
    figures: Mapping[str, int] = {}


class BattleUnit(Record, kw_only=True):
    """A unit as it enters the battle.

    ``role``: ``army``, ``garrison``, ``fleet``, ``marines`` (an army aboard) or ``mutineers`` (on an enemy's
    fleet); ``name``: the one that its player gave it; ``troops``: those that can fight in the battle;
    ``commanders`` and the ``leader`` among them: names; ``aboard``: the key of its fleet; ``base_combat``:
    attacks times combat without any modifier (X1); ``total_combat``: the same with every modifier, which is a
    hundred times the hits to be expected in a round; ``follows``: the key of the unit whose retreats it
    follows; ``defends``: whether it is behind the walls (B3); ``ranks``: how many stand in ranks 1 to 5,
    commanders included, empty in logs of earlier versions.
    """

    unit: str
    realm: str
    role: str
    name: str | None
    troops: tuple[TroopCount, ...]
    commanders: tuple[str, ...]
    leader: str | None
    aboard: str | None
    modifiers: tuple[Modifier, ...]
    base_combat: int
    total_combat: Decimal
    hit_points: Decimal
    retreat_level: int
    follows: str | None
    defends: bool
    ranks: tuple[int, ...] = ()

    @property
    def heads(self) -> int:
        """The number of troops and commanders."""
        return sum(row.count for row in self.troops) + len(self.commanders)


class SiegeRoll(Record, kw_only=True):
    """The rolls of one unit's troops of a type against the walls (B2).

    ``rolls``: how many; ``chance`` of each, in percent; ``damage``: how many damaged the walls.
    """

    unit: str
    troop: str
    rolls: int
    chance: Decimal
    damage: int


class SiegeReport(Record, kw_only=True):
    """The siege before round 1, and what it did to the fortification (B2).

    ``level``: that of the fortification without any damage.
    """

    level: int
    damage_before: int
    damage_after: int
    rolls: tuple[SiegeRoll, ...]


class TroopDamage(TroopCount, kw_only=True):
    """``count`` troops of a type struck in a round and made ``damage`` hits.

    Commanders have the type ``Commander``.
    """

    damage: int


class UnitRound(Record, kw_only=True):
    """One unit in one round.

    ``taken``: the damage to it in this round; ``total_taken``: in all rounds so far; ``hit_points``: those
    with which it came to fight, without any damage. Only even rounds have ``casualties`` and
    ``fallen_commanders``, the dead who leave, and ``remaining``, the damage that is left and has killed
    nobody yet (B8.1). ``expected``: the hits to be expected of all its attacks in this round; ``variance``:
    the variance of these hits; logs of earlier versions have neither.
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
    """A unit that left at the end of a round, and its casualties (B9).

    ``to``: the place it went to; empty for a unit that was destroyed because all who turned to flee were
    casualties.
    """

    unit: str
    to: str
    casualties: tuple[TroopCount, ...] = ()
    fallen_commanders: tuple[str, ...] = ()


class BattleRound(Record, kw_only=True):
    """One round, counted from 1: every unit in it, and those that retreated at its end.

    Casualties leave after even rounds (B8.1).
    """

    number: int
    units: tuple[UnitRound, ...]
    retreats: tuple[Retreat, ...]


class WoundedRoll(Record, kw_only=True):
    """Whether a troop or commander, partly damaged at the end of the battle, dies (B11).

    The chance is ``damage`` divided by ``hit_points``, the damage that kills it. ``commander``: the name of a
    commander, whose ``troop`` is ``Commander``.
    """

    unit: str
    troop: str
    commander: str | None
    damage: Decimal
    hit_points: Decimal
    dies: bool


class CaptureRoll(Record, kw_only=True):
    """Casualties of a type that a winner could capture: ``rolls`` at ``chance`` percent, ``count`` captured.

    There is one for each ``captor``, a realm, with the unit that got them (``into``). Nobody captured any if
    both are empty.
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
    """A leader's gain in a tactic (B2, B11).

    ``commander``: the leader's name; ``tactic``: ``infantry``, ``cavalry``, ``siege`` or ``naval``;
    ``value``: the rating after it.
    """

    realm: str
    unit: str
    commander: str
    tactic: str
    value: int


class Rescue(Record, kw_only=True):
    """The fate of an army or of a commander of a fleet that was destroyed (B12, M6.1).

    ``to``: the fleet or the province that saves it, empty if it is lost; ``saved`` and ``lost``: the troops
    of an army that was not put ashore.
    """

    fleet: str
    army: str | None = None
    commander: str | None = None  # the name
    to: str = ""
    saved: tuple[TroopCount, ...] = ()
    lost: tuple[TroopCount, ...] = ()


class UnitEnd(Record, kw_only=True):
    """A unit's fate after the battle.

    ``outcome`` is ``survived``, ``retreated`` or ``destroyed``; ``place`` is where it is then; ``losses`` and
    ``fallen_commanders`` are all that it lost.
    """

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
    """One battle from the siege to the skills gained; the event of M13 names a province's new owner.

    ``kind``: ``land``, ``sea`` or ``border``; at a border ``place`` and ``other_place`` are its two
    provinces, else ``other_place`` is empty; ``owner``: who owned the province at the end of the previous
    phase (B2, B3); ``mutiny``: whether guests fight the fleet that they are aboard of (M6.1);
    ``fortification``: the effective level that is defended, 0 for none (B3); ``result``: ``won``, ``drawn``
    (by the round limit) or ``nobody`` (all at war died or fled); ``winners``: realm codes; ``wars``: the
    realms that fought each other, each pair once, empty in logs of earlier versions.
    """

    kind: str
    place: str
    other_place: str
    phase: int
    owner: str | None
    mutiny: bool
    realms: tuple[str, ...]
    units: tuple[BattleUnit, ...]
    siege: SiegeReport | None
    fortification: int
    tactics_divisor: int  # N of B5: the rating that doubles a chance to hit
    rounds: tuple[BattleRound, ...]
    result: str
    winners: tuple[str, ...]
    wounded: tuple[WoundedRoll, ...]
    captures: tuple[CaptureRoll, ...]
    skills: tuple[SkillGain, ...]
    rescues: tuple[Rescue, ...]
    ends: tuple[UnitEnd, ...]
    wars: tuple[tuple[str, str], ...] = ()

    def points_left(self, unit: BattleUnit) -> tuple[Decimal, ...]:
        """Return a unit's hit points at the start and after each round, until it leaves the battle."""
        points = [unit.hit_points]
        for fought in self.rounds:
            part = next((unit_round for unit_round in fought.units if unit_round.unit == unit.unit), None)
            if part is None:
                break
            # marines who come up from the reserve during the battle add hit points
            whole = max(unit.hit_points, part.hit_points)
            points.append(max(Decimal(0), whole - part.total_taken))
        return tuple(points)
