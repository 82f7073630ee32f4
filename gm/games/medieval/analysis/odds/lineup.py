"""A battle that is drawn up once and fought again and again by the code of the turn (B4-B11)."""

from __future__ import annotations

from gm.core.records import Record, record
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import NONE, Band, Contingent, ContingentStatus


@record
class _Start(Record):
    """One contingent as it enters: its bands with how many stand in front and in reserve, and its chances' leader."""

    contingent: Contingent
    bands: tuple[tuple[Band, int, int], ...]


class Lineup:
    """``battle`` as it was drawn up; :meth:`reset` puts everybody back into his place, alive."""

    def __init__(self, battle: Battle) -> None:
        battle.recorded = False
        self.battle = battle
        self._starts = [
            _Start(each, tuple((band, band.standing, band.reserve) for band in each.bands))
            for each in battle.contingents
        ]

    def reset(self) -> None:
        """Undo a fight. What the field knows of it (who retreated where) is the field's."""
        battle = self.battle
        battle.round = 0
        battle.drawn = False
        for start in self._starts:
            contingent = start.contingent
            contingent.state = ContingentStatus.FIGHTS
            contingent.damage = contingent.taken = NONE
            contingent.victim = None
            for band, standing, reserve in start.bands:
                band.standing, band.reserve = standing, reserve
                band.marked = band.fell = band.written = 0
            if contingent.barracks:
                contingent.barracks.bonus_left = contingent.barracks.row.barracks
            leader = contingent.unit.lead_commander
            if contingent.leader is not leader:
                contingent.leader = leader
                battle.set_chances(contingent)
            contingent.update_front_rank()
