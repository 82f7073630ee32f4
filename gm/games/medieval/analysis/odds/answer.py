"""From a question about the odds of a battle to its answer: in lines and a picture for people, figures for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from gm.core.codec import to_plain
from gm.core.sampling import Source
from gm.game.answers import OddsAnswer, OddsQuestion
from gm.games.medieval.analysis.odds.setup import BattleSetup, supposed_setup
from gm.games.medieval.analysis.odds.tally import (
    DRAWN,
    NOBODY,
    Odds,
    Share,
    SideOdds,
    Spread,
    UnitOdds,
    odds_of,
    result_text,
    verb,
)
from gm.games.medieval.analysis.odds.trials import NobodyFightsError, Trials
from gm.games.medieval.analysis.odds.typed import typed_setup
from gm.games.medieval.combat.battle import BORDER, SEA, Battle
from gm.games.medieval.state import INDEPENDENTS, World
from gm.resources import resource
from gm.text.pages import capitalised, listed, render

BAR = 24  # How long the bar of a certainty is
NAME = 26
TITLE_LETTERS, TITLE_LINES = 68, 4  # how much of the title is in the picture
BARS = 40  # so many bars fit into a chart: of more values, neighbours share one


def odds(table: Any, state: World | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """The odds of one battle by the rules and on the map of ``table``; see :class:`gm.game.answers.OddsMaker`."""
    if question.forces:
        setup = typed_setup(question, table.rules, state)
    elif state is not None:
        setup = supposed_setup(state, table.rules, table.board, question)
    else:
        raise ValueError("without a game, say who fights: two forces with 'vs' between them")
    try:
        trials = Trials(setup.turn, setup.battle, source)
    except NobodyFightsError:
        raise ValueError(_why_nobody(setup)) from None
    tally = trials.run(question.fights)
    battle = trials.battle
    names = _Names(setup.turn.state, battle, typed=bool(question.forces))
    title = _title(battle, setup, names)
    found = odds_of(battle, tally, trials.entries, title, setup.notes, names.realm, names.unit)
    return OddsAnswer(lines=lines_of(found), figures=figures_of(found), picture=partial(picture_of, found))


def _why_nobody(setup: BattleSetup) -> str:
    world = setup.turn.state
    here = {unit.realm for unit in world.at(setup.place) if not unit.empty}
    codes = sorted(here - {INDEPENDENTS})
    there = listed([f"{world.realms[code].name} ({code})" for code in codes], "nobody")
    hint = f": suppose it with --war {codes[0]}:{codes[1]}" if len(codes) > 1 else ""
    return f"in {setup.place} there is no battle: {there} there, and nobody is at war with anybody{hint}"


class _Names:
    """What realms and units are called: typed forces by what they are, a game's units by their names."""

    def __init__(self, world: World, battle: Battle, *, typed: bool) -> None:
        self._world = world
        self.typed = typed
        realms = [unit.realm for unit in battle.units]
        self._alone = {realm for realm in realms if realms.count(realm) == 1}

    def realm(self, code: str) -> str:
        return "the independents" if code == INDEPENDENTS else self._world.realms[code].name

    def unit(self, key: str) -> str:
        code, _, unit_id = key.partition("/")
        unit = self._world.units[key]
        if self.typed:
            kind = "soldiers aboard" if unit.aboard else {"A": "army", "F": "fleet", "G": "garrison"}[unit_id[0]]
            return kind if code in self._alone else f"{kind} {unit.number}"
        if unit.is_garrison:
            return f"garrison of {unit.place}"
        return f"{unit_id} “{unit.name}”" if unit.name else unit_id


def _title(battle: Battle, setup: BattleSetup, names: _Names) -> str:
    """What is fought: ``Land battle at Minsk: Lithuania against the Teutonic Order``."""
    where = ""
    if not names.typed:
        place = f"{'in' if setup.kind == SEA else 'at'} {setup.place}"
        where = f" between {setup.place} and {setup.other_place}" if setup.other_place else f" {place}"
    # those together that fight the same enemies
    together: dict[tuple[str, ...], list[str]] = {}
    for code in battle.realms:
        together.setdefault(battle.enemies[code], []).append(names.realm(code))
    kind = {SEA: "Sea battle", BORDER: "Battle at the border"}.get(battle.kind, "Land battle")
    return f"{kind}{where}: {' against '.join(listed(each) for each in together.values())}"


def lines_of(odds: Odds) -> tuple[str, ...]:
    """The odds in lines of at most a hundred columns."""
    results = ((capitalised(result_text(odds, result)), share) for result, share in odds.results.items())
    walls = [f"{damage} ({_percent(share)})" for damage, share in odds.walls.items()]
    return (
        f"{odds.title}, fought {odds.fights:,} times.",
        *odds.notes,
        "",
        *(
            f"  {text:<{NAME}} {share.share:>6.1%}  ({share.low:.1%} – {share.high:.1%})  "
            f"{'█' * round(share.share * BAR) or '▏'}"
            for text, share in results
        ),
        f"  (in brackets: where the true chance lies with {odds.confidence:.0%} confidence)",
        "",
        *(line for side in odds.sides for line in _side(side)),
        *([f"Damage of the fortification after the siege: {', '.join(walls)}."] if walls else []),
        f"Rounds: {_range(odds.rounds)}.",
    )


def _side(side: SideOdds) -> Iterator[str]:
    given = [
        f"{part.mean:.1f} {words}"
        for part, words in ((side.lost_winning, "winning"), (side.lost_not_winning, "otherwise"))
        if part.counts
    ]
    by_result = f" ({', '.join(given)})" if len(given) > 1 else ""
    name, loses = capitalised(side.name), verb("lose", [side.realm])
    yield f"{name} {loses} {side.lost.mean:.1f} of {side.start} on average{by_result}."
    if side.drowned.high or side.drowned.mean:
        yield f"  Drowned with the fleets that carried them: {_range(side.drowned)}."
    yield f"  {'':<{NAME + 4}}{'start':>6}{'lost':>8}   in nine fights of ten"
    for unit in (each for each in side.units if each.start):
        yield f"  {capitalised(unit.name)}{_fate(unit)}"
        for each in unit.troops:
            lost = each.lost
            yield f"    {each.troop:<{NAME + 2}}{each.start:>6}{lost.mean:>8.1f}   {lost.low} – {lost.high}"
    yield ""


def _fate(unit: UnitOdds) -> str:
    parts = []
    if unit.retreats.count:
        several = len(unit.retreats_to) > 1
        places = [f"to {place}{f' {_percent(each)}' if several else ''}" for place, each in unit.retreats_to.items()]
        parts.append(f"retreats {_percent(unit.retreats)} ({listed(places)})")
    if unit.destroyed.count:
        parts.append(f"destroyed {_percent(unit.destroyed)}")
    if unit.defends:
        parts.append("behind the walls")
    return f": {', '.join(parts)}" if parts else ""


def _percent(share: Share) -> str:
    return f"{share.share:.1%}"


def _range(found: Spread) -> str:
    same = found.low == found.high
    return f"{found.mean:.1f} on average" + ("" if same else f", in nine fights of ten {found.low} to {found.high}")


def picture_of(odds: Odds) -> str:
    """An SVG of its own: how likely each result is, and how many each side loses. It says in ``desc`` what it shows,
    and it is readable on light and on dark paper."""
    titles = [""]
    for word in odds.title.split():
        if len(titles[-1]) + len(word) >= TITLE_LETTERS and titles[-1]:
            titles.append("")
        titles[-1] = f"{titles[-1]} {word}".strip()
    realms = [side.realm for side in odds.sides]
    results = []
    for result, share in odds.results.items():
        name = capitalised(result_text(odds, result))
        colour = "none" if result in (DRAWN, NOBODY) else f"s{realms.index(result.split('+')[0]) % 4}"
        results.append((name if len(name) < 26 else f"{name[:24]}…", colour, share))
    says = [f"{result_text(odds, result)}: {share.share:.1%}" for result, share in odds.results.items()]
    losses = [
        f"{side.name} {verb('lose', [side.realm])} {side.lost.mean:.1f} of {side.start} on average"
        for side in odds.sides
    ]
    charts = [
        _chart(f"{capitalised(side.name)}: troops lost of {side.start}", f"s{index % 4}", side.lost, side.start)
        for index, side in enumerate(odds.sides)
    ]
    charts.append(_chart("Rounds", "none", odds.rounds, max(odds.rounds.counts, default=0)))
    values = {
        "odds": odds,
        "description": f"{'; '.join(says)}. {'; '.join(losses)}. {odds.rounds.mean:.1f} rounds on average.",
        "titles": titles[:TITLE_LINES],
        "results": results,
        "charts": charts,
    }
    return render(resource("templates", "medieval"), "odds.svg", values)


def _chart(title: str, style: str, found: Spread, most: int) -> dict[str, Any]:
    """How often which number came: bars over the numbers from 0 to ``most``, ``step`` of them in each."""
    step = max(1, -(-(most + 1) // BARS))
    heights: Counter[int] = Counter()
    for value, count in found.counts.items():
        heights[value // step] += count
    tick = 1
    while most / tick > 6:
        tick = tick * 5 // 2 if str(tick)[0] == "2" else tick * 2
    return {
        "title": title,
        "style": style,
        "mean": found.mean,
        "most": most,
        "step": step,
        "bars": sorted(heights.items()),
        "tallest": max(heights.values(), default=1),
        "ticks": range(0, most + 1, tick),
    }


def figures_of(odds: Odds) -> dict[str, Any]:
    """The same for programs: chances from 0 to 1, losses in troops; shares by name become lists."""
    data: dict[str, Any] = _rounded(to_plain(odds))
    data["results"] = [{**_winners(result), **share} for result, share in data["results"].items()]
    data["walls"] = [{"damage": int(damage), **share} for damage, share in data["walls"].items()]
    for unit in (unit for side in data["sides"] for unit in side["units"]):
        unit["retreats_to"] = [{"place": place, **share} for place, share in unit["retreats_to"].items()]
    return data


def _winners(result: str) -> dict[str, Any]:
    winners = [] if result in (DRAWN, NOBODY) else result.split("+")
    return {"winners": winners, "result": "won" if winners else result}


def _rounded(data: Any, name: str = "") -> Any:
    """Plain data with means to four digits and chances to six."""
    if isinstance(data, Mapping):
        return {key: _rounded(value, key) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_rounded(each) for each in data]
    return round(data, 4 if name == "mean" else 6) if isinstance(data, float) else data
