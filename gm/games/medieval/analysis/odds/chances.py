"""Cheap odds of a battle for the pages of a turn.

They are shown beside a place that can be attacked, and with a battle that was fought: the odds before its
dice.

The code of the turn fights it, with dice that follow from the scene. A battle that is clear on paper is
fought only once, an open one a few times, in pairs: the second fight of a pair has the numbers of the first
turned round. Combined with the estimate on paper, three fights err less than ten would alone: by a tenth in
the chance, and by a tenth in the losses (measured on 650 open scenes of Europe against 300 fights of each).
"""

from collections.abc import Mapping
from decimal import Decimal
from math import erf, sqrt

from gm.core.dice import uniform
from gm.core.values import Record
from gm.games.medieval.analysis.odds.trials import DrawnUp, NobodyFightsError, Trials
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent
from gm.games.medieval.combat.fight import winners_of
from gm.games.medieval.combat.muster import strikes_in_percent, total_hit_points
from gm.games.medieval.combat.retreats import leads_itself
from gm.games.medieval.steps.turn import Turn
from gm.text.languages import Translate

CLEAR = 2.2
"""If a realm is so far ahead on paper, one fight with even dice tells whether it wins, and what it costs."""
LIKELY = 0.8
"""If a realm is so likely to win on paper, half of the fights are enough if it wins them all."""
PAPER = 4
"""The estimate on paper counts as so many fights."""
PARTS = 4
"""Wins on paper are counted in such parts of a fight."""
OTHER = 3 / 8
"""So often the other side wins what the favourite does not; else all have left or fallen, and nobody wins."""
_TURNED = 1 - 2.0**-53  # the largest random number: less a number, it is that number turned round


class Chances(Record):
    """The number of each realm's wins in some fights, alone or with allies, and its average losses."""

    fights: int  # those on paper are counted too
    clear: bool  # whether a realm was so far ahead on paper that one fight was enough
    wins: Mapping[str, float]  # by the realm's code, as in the following
    nobody: float  # fights that nobody won
    lost: Mapping[str, float]  # troops and commanders that fell, on average
    start: Mapping[str, int]  # troops and commanders before the battle

    def share(self, realm: str) -> float:
        """Return the part of the fights that a realm won, from 0 to 1."""
        return self.wins[realm] / self.fights

    def sure(self, realm: str) -> bool:
        """Return whether a realm won almost all of the fights."""
        return self.share(realm) > 0.9

    def words(self, realm: str, _: Translate = str) -> str:
        """Return a realm's wins as precisely as they are known: ``about 7 times in 10``."""
        tenths = round(10 * self.wins[realm] / self.fights)
        if tenths in (0, 10):
            if self.clear:
                return _("more than 9 times in 10") if tenths else _("less than once in 10")
            return _("at least 9 times in 10") if tenths else _("at most once in 10")
        return _("about {tenths} times in 10").format(tenths=tenths)

    def brief(self, realm: str, translate: Translate = str) -> str:
        """Return a realm's wins without the number of fights: ``about 3``."""
        return self._tenths(self.wins[realm], translate)

    def without(self, translate: Translate = str) -> str:
        """Return how often no realm would win, in the words of :meth:`brief`; empty below 1 in 20."""
        return self._tenths(self.nobody, translate) if self.nobody * 20 >= self.fights else ""

    def _tenths(self, count: float, _: Translate) -> str:
        """Return a count of fights as tenths of all in words, such as ``about 7``, never as none or all."""
        tenths = round(10 * count / self.fights)
        if tenths in (0, 10):
            if self.clear:
                return _("more than 9") if tenths else _("less than 1")
            return _("at least 9") if tenths else _("at most 1")
        return _("about {tenths}").format(tenths=tenths)

    def losses(self, realm: str, _: Translate = str) -> str:
        """Return a realm's average losses: ``loses about 3 of 21``."""
        lost = round(self.lost[realm])
        start = self.start[realm]
        says = _("loses about {lost} of {start}") if lost else _("loses next to none of {start}")
        return says.format(lost=lost, start=start)


def chances_of(turn: Turn, drawn_up: DrawnUp, seed: bytes, most: int) -> Chances | None:
    """Return the odds of a battle after at most ``most`` fights; None when nobody would fight in it.

    ``seed``: of the dice, so that the same seed has the same odds.
    """
    source = PairedNumbers(seed)
    try:
        trials = Trials(turn, drawn_up, source)
    except NobodyFightsError:
        return None
    # siege machines break walls before the battle by chance: there is no estimate on paper
    favourite, likely, lead_at_least = ("", 0.0, 0.0) if trials.battle.siege else lead(trials.battle)
    sizes = [(contingent.realm, contingent.standing()) for contingent in trials.battle.contingents]
    standing = dict.fromkeys(trials.battle.realms, 0)
    for realm, heads in sizes:
        standing[realm] += heads
    count = _Count(standing)
    if lead_at_least >= CLEAR:
        count.add(trials.fought())
        if count.won[favourite]:
            return count.chances("", 0, clear=True)
        count = _Count(count.start)  # the fight with even dice does not count if it came out otherwise
    while count.fights < most:
        source.begin(turned=count.fights % 2 == 1)
        count.add(trials.fought())
        pairs_are_whole = count.fights % 2 == 0
        is_half_done = 2 * count.fights >= most
        if pairs_are_whole and is_half_done and likely >= LIKELY and count.won[favourite] == count.fights:
            break
    return count.chances(favourite, likely)


class _Count:
    """The counted results of a battle's fights; ``start``: each realm's troops and commanders, by code."""

    def __init__(self, start: Mapping[str, int]) -> None:
        self.fights = self._nobody = 0
        self.start = start
        self.won = dict.fromkeys(start, 0)  # by code
        self._lost = dict.fromkeys(start, 0)  # troops and commanders in all fights, by code

    def add(self, battle: Battle) -> None:
        """Count the result of one fight."""
        winners = winners_of(battle)
        self.fights += 1
        self._nobody += not winners
        for code in winners:
            self.won[code] += 1
        for contingent in battle.contingents:
            self._lost[contingent.realm] += sum([band.fell for band in contingent.bands])

    def chances(self, favourite: str, likely: float, *, clear: bool = False) -> Chances:
        """Return the odds, combined with the estimate on paper if there is one.

        ``favourite``: the realm that is ahead on paper, or empty; ``likely``: its chance to win, from 0 to 1;
        ``clear``: whether it is so far ahead that one fight was enough.
        """
        means = {code: heads / self.fights for code, heads in self._lost.items()}
        wins = dict[str, float](self.won)
        nobody: float = self._nobody
        if favourite:
            on_paper = round(PAPER * PARTS * likely) / PARTS
            for code in wins:
                wins[code] += on_paper if code == favourite else (PAPER - on_paper) * OTHER
            nobody += (PAPER - on_paper) * (1 - OTHER)
        return Chances(self.fights + PAPER * bool(favourite), clear, wins, nobody, means, self.start)


class PairedNumbers:
    """The random numbers of a battle's fights; until the first of them begins, each number is 0.5."""

    def __init__(self, seed: bytes) -> None:
        self._new_numbers = uniform(seed)
        self._has_begun = False  # whether a fight has begun
        self._of_this_fight: list[float] = []  # the new numbers that it got so far
        self._turned_numbers: list[float] = []  # those of the fight before that are left, the next one last

    def begin(self, *, turned: bool) -> None:
        """Begin a fight.

        ``turned``: it gets the numbers of the fight before turned round (0.8 for 0.2), and then new ones.
        """
        self._has_begun = True
        last_fight = reversed(self._of_this_fight)
        self._turned_numbers = [_TURNED - number for number in last_fight] if turned else []
        self._of_this_fight = []

    def __call__(self) -> float:
        """Return the next number: one of the fight before, turned round, if any is left; else a new one.

        Before the first fight has begun, it is 0.5.
        """
        if self._turned_numbers:
            return self._turned_numbers.pop()
        if not self._has_begun:
            return 0.5
        number = next(self._new_numbers)
        self._of_this_fight.append(number)
        return number


def lead(battle: Battle) -> tuple[str, float, float]:
    """Return (code of the realm that is ahead on paper, its chance to win, how far at least it is ahead).

    The distance is in spreads of all the luck of the battle. Of more than two realms none is ahead: the code
    is empty then.

    Two forces that wear each other down end by the square law: hits times hit points decide, and each hit
    that could as well have missed adds to the spread. Of units that may leave the field only those count that
    fight until then (B9). The law knows no rounds: units that fall in the middle of one strike to its end,
    and none falls before the first has ended, which is the least. The middle of both, less a little, tells
    how often the realm wins.
    """
    if len(battle.realms) != 2:
        return "", 0.0, 0.0
    # (hits in a round, most hit points, least hit points) of each realm, see ``_hit_points_to_beat``
    sides = []
    for code in battle.realms:
        own = [contingent for contingent in battle.contingents if contingent.realm == code]
        hits = float(sum(strikes_in_percent(battle, contingent) for contingent in own)) / 100
        sides.append(
            (
                hits,
                _hit_points_to_beat(battle, own, at_least=False),
                _hit_points_to_beat(battle, own, at_least=True),
            )
        )
    leads = []  # (lead by the law, lead at least, code) of each realm
    realms = zip(battle.realms, sides, reversed(sides), strict=True)
    for code, (hits, _, least), (enemy_hits, enemy_most, _) in realms:
        # in rounds the enemy strikes for half a round more, and lasts at least for half a round's hits
        in_rounds = _ahead(hits, least - enemy_hits / 2, enemy_hits, max(enemy_most, hits / 2))
        leads.append((_ahead(hits, least, enemy_hits, enemy_most), in_rounds, code))
    ahead, at_least, favourite = max(leads)
    # a little less than the middle of both, as a point of the normal distribution
    chance = (1 + erf(((ahead + at_least) / 2 - 0.2) / sqrt(2))) / 2
    return favourite, chance, at_least


def _ahead(hits: float, hit_points: float, enemy_hits: float, enemy_hit_points: float) -> float:
    """Return by how many spreads of the luck a side is ahead by the square law; below 0: it is behind.

    ``hit_points`` may be below 0: for a lower bound :func:`lead` takes off half of a round's enemy hits.
    """
    spread = 0.8 * (hits * hits * max(hit_points, 0) + enemy_hits * enemy_hits * enemy_hit_points)
    return (hits * hit_points - enemy_hits * enemy_hit_points) / sqrt(spread) if spread else 0.0


def _hit_points_to_beat(battle: Battle, contingents: list[Contingent], *, at_least: bool) -> float:
    """Return how many hit points these units can lose before they are dead or gone.

    A unit that retreats (B9) counts only the ranks up to its retreat level, which fall first. ``at_least``:
    the lower bound, for which every unit that may retreat does, and units that follow others count 0.
    Otherwise only units that came from another place retreat.
    """
    points = Decimal(0)
    for contingent in contingents:
        if at_least and not leads_itself(battle, contingent):
            continue
        level = contingent.unit.retreat_level
        retreats = battle.can_retreat(contingent) and any(band.rank > level for band in contingent.bands)
        if retreats and (at_least or battle.field.done(contingent.key).came_from):
            points += sum(band.hit_points * band.standing for band in contingent.bands if band.rank <= level)
        else:
            points += total_hit_points(contingent)
    return float(points)
