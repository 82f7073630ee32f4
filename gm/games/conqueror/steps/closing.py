"""What closes a turn: winter, rebellion, culture, rank, score, the end, the calendar (CQ-12, CQ-15 to CQ-17)."""

from __future__ import annotations

from typing import Any

from gm.core.events import GM
from gm.core.pipeline import step
from gm.games.conqueror.course import Course, Outcome, Turn
from gm.games.conqueror.events import CultureSpread, Deserted, Eliminated, RankChanged, Rebelled, WinterPaid
from gm.games.conqueror.figures import bill, rebellion_percent, rebels, score, spreads, winter, with_losses
from gm.games.conqueror.state import ELIMINATED, NEUTRAL, World


@step("Winter support", "CQ-12.1", "CQ-12.2", "CQ-12.3", "CQ-12.4", "CQ-12.5", "CQ-12.6", "CQ-14.1")
def winter_support(turn: Turn) -> Outcome:
    """When the winter turn closes troops are paid, and those who cannot be go home.
    Reads: armies, population, capitals. Writes: gold, armies, influence. Emits: WinterPaid, Deserted."""
    course = Course(turn)
    if not course.rules.is_winter(turn.number):
        return course.outcome()
    for code, player in list(course.living()):
        if player.capital is None:
            continue
        owned = course.owned(code)
        due = bill(player.capital, owned, course.land)
        found = winter(player.capital, player.gold, owned, course.land)
        course.enrich(code, -found.paid)
        left = course.parties[code].gold
        course.tell(WinterPaid(audience=code, party=code, due=due, paid=found.paid, left=left))
        for province in sorted(found.deserted):
            armies = found.deserted[province]
            course.provinces[province] = with_losses(course.provinces[province], armies)
            course.shift(province, code, course.rules.control.desertion * armies)
            course.tell(Deserted(party=code, province=province, armies=armies))
    return course.outcome()


@step("Rebellion", "CQ-15.1", "CQ-15.2", "CQ-15.3", "CQ-15.4")
def rebellion(turn: Turn) -> Outcome:
    """Provinces under low control with too few armies in them may rise.
    Reads: control, population, armies. Writes: armies, owners, capitals. Draws: D4, D3.
    Emits: Rebelled, CapitalMoved."""
    course = Course(turn)
    chance = turn.dice("D4 rebellion")
    for code, province in list(course.provinces.items()):
        if province.owner == NEUTRAL:
            continue
        percent = rebellion_percent(province, course.rules)
        drawn = chance.below(100) + 1
        if drawn <= percent:
            _rise(course, code, percent, drawn)
    return course.outcome()


def _rise(course: Course, code: str, percent: int, drawn: int) -> None:
    province = course.provinces[code]
    fight, draws = course.battle(code, rebels(province), province.armies, province.fort)
    course.tell(
        Rebelled(
            owner=province.owner,
            province=code,
            rebels=rebels(province),
            armies=province.armies,
            percent=percent,
            draw=drawn,
            field=fight.field,
            siege=fight.siege,
            draws=draws,
            won=fight.taken,
            left=fight.attackers,
        )
    )
    course.provinces[code] = with_losses(province, province.armies - fight.defenders)
    if fight.taken:
        course.provinces[code] = course.provinces[code].owned_by(NEUTRAL)
        course.change(code, fresh=fight.attackers, moved=0, conquered_on=None)
        course.capital_fell(province.owner, code)


@step("Cultural influence", "CQ-16.1", "CQ-16.2", "CQ-16.3", "CQ-16.4", "CQ-16.5", "CQ-16.6", "CQ-16.7")
def cultural_influence(turn: Turn) -> Outcome:
    """Great cultures win the hearts of their neighbours.
    Reads: culture, control, population, capitals, prestige. Writes: influence. Emits: CultureSpread."""
    course = Course(turn)
    for each in spreads(turn.state, course.land, course.rules):
        before = course.provinces[each.target].influence.get(each.party, 0)
        course.shift(each.target, each.party, each.points)
        gained = course.provinces[each.target].influence.get(each.party, 0) - before
        if gained:
            audience = GM if each.party == NEUTRAL else each.party
            ends: dict[str, Any] = {"source": each.source, "target": each.target}
            course.tell(CultureSpread(audience=audience, party=each.party, points=gained, **ends))
    return course.outcome()


@step("Prestige and elimination", "CQ-17.1", "CQ-17.2", "CQ-7.11", "CQ-14.6")
def prestige(turn: Turn) -> Outcome:
    """Ranks follow the provinces held; who holds none is out.
    Reads: owners. Writes: prestige, status. Emits: RankChanged, Eliminated."""
    course = Course(turn)
    for code, player in list(course.living()):
        if not player.alive:
            course.parties[code] = player.evolve(out=True, status=ELIMINATED)
            course.tell(Eliminated(party=code))
            continue
        rank = course.rules.prestige_of(len(course.owned(code)))
        if rank != player.prestige:
            course.parties[code] = player.evolve(prestige=rank)
            title = course.rules.title_of(rank, player.leader.sex)
            course.tell(RankChanged(party=code, title=title, prestige=rank, rose=rank > player.prestige))
    return course.outcome()


@step("Score and end", "CQ-2.6", "CQ-2.7", "CQ-17.3", "CQ-17.4", "CQ-17.5", "CQ-17.6")
def score_and_end(turn: Turn) -> Outcome:
    """Scores, and whether the game is over.
    Reads: everything. Writes: score, winners, ended_by. Emits nothing: the end is told by the program."""
    course = Course(turn)
    for code, player in course.parties.items():
        course.parties[code] = player.evolve(score=score(player, course.owned(code), course.rules))
    ended = _end(course)
    if not ended:
        return course.outcome()
    living = [code for code, player in course.living()]
    best = max((course.parties[code].score for code in living), default=0)
    winners = tuple(code for code in living if course.parties[code].score == best)
    return course.outcome(winners=winners, ended_by=ended)


def _end(course: Course) -> str:
    """Why the game is over now; empty: it goes on."""
    state: World = course.state
    living = [player for _, player in course.living()]
    if len(living) <= 1:
        return "alone"
    if not any(player.human for player in living):
        return "machines"
    if course.turn.number >= course.rules.limits.turns:
        return "turns"
    until = state.settings.until
    return "date" if until is not None and state.today >= until.isoformat() else ""


@step("Calendar", "CQ-1.3", "CQ-5.4")
def calendar(turn: Turn) -> Outcome:
    """All armies are fresh again, and the season is over.
    Reads: armies. Writes: armies, season, year. Emits nothing."""
    course = Course(turn)
    for code, province in list(course.provinces.items()):
        if province.moved:
            course.change(code, fresh=province.armies, moved=0)
    season, year = turn.rules.season(turn.number), turn.rules.year(turn.number)
    return course.outcome(plans={}, levied=(), season=season, year=year)
