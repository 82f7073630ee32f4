"""Answers to questions about the odds of a battle: as lines, as a picture, and as figures for programs."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from gm.core.codec import to_plain
from gm.core.diagnostics import joined, says
from gm.core.dice import Source
from gm.game.answers import OddsAnswer, OddsQuestion
from gm.games.medieval.analysis.odds import tally
from gm.games.medieval.analysis.odds.supposed import supposed_setup
from gm.games.medieval.analysis.odds.tally import Odds, SideOdds, Spread, UnitOdds, result_text, verb
from gm.games.medieval.analysis.odds.trials import BattleSetup, NobodyFightsError, Trials
from gm.games.medieval.analysis.odds.typed_field import typed_setup
from gm.games.medieval.combat.battle import BORDER, SEA, Battle
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.names import the
from gm.text.pages import capitalised, listed, render

BAR = 24  # characters of the bar of a certainty
NAME = 26  # characters of the column of names
PICTURE_NAME = 25  # characters of a result in the picture, at most
COLOURS = 4  # colours of realms in the picture: CSS classes ``s0`` to ``s3``
TITLE_LETTERS = 68  # characters of a line of the title
TITLE_LINES = 4  # lines of the title in the picture
BARS = 40  # so many bars fit into a chart: of more values, neighbours share one


def odds(table: Any, state: World | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """Return the odds of one battle by the rules and on the map of ``table``.

    ``state``: the position, if there is a game; ``source``: random numbers. Raises ``ValueError`` for a
    question that makes no battle. It is an :class:`gm.game.answers.OddsMaker`.
    """
    if question.forces:
        setup = typed_setup(question, table.rules, state)
    elif state is not None:
        setup = supposed_setup(state, table.rules, table.board, question)
    else:
        raise ValueError(says("without a game, say who fights: two forces with 'vs' between them"))
    try:
        trials = Trials(setup.turn, setup.battle, source)
    except NobodyFightsError:
        raise ValueError(_why_nobody(setup)) from None
    world = setup.turn.state
    battle = trials.battle
    typed = bool(question.forces)
    names = {code: realm.name for code, realm in world.realms.items()} | {INDEPENDENTS: "the independents"}
    sizes = Counter(contingent.realm for contingent in battle.contingents)

    def unit_name(key: str) -> str:
        """Return a unit's name; typed forces are named by their kind."""
        unit = world.units[key]
        if typed:
            kind = "soldiers aboard" if unit.aboard else unit.kind.name.lower()
            return kind if sizes[unit.realm] == 1 else f"{kind} {unit.number}"
        if unit.is_garrison:
            return f"garrison of {unit.place}"
        return f"{unit.id} “{unit.name}”" if unit.name else unit.id

    title = _title(battle, "" if typed else _where(setup), names)
    counted = trials.run(question.fights)
    answer = tally.odds_of(battle, counted, trials.entries, title, setup.notes, names.__getitem__, unit_name)
    return OddsAnswer(lines=lines_of(answer), figures=figures_of(answer), picture=partial(picture_of, answer))


def _why_nobody(setup: BattleSetup) -> str:
    """Return why there is no battle in a place, with a hint how to suppose a war."""
    world = setup.turn.state
    codes = sorted({unit.realm for unit in world.at(setup.place) if not unit.empty} - {INDEPENDENTS})
    names = [says("{0} ({1})", the(world.realms[code].name), code) for code in codes]
    realms = joined(names[:1], ", ") if names else says("nobody")
    if len(names) > 1:
        realms = says("{0} and {1}", joined(names[:-1], ", "), names[-1])
    why = says("in {0} there is no battle: {1} there, and nobody is at war with anybody", setup.place, realms)
    return says("{0}: suppose it with --war {1}:{2}", why, codes[0], codes[1]) if len(codes) > 1 else why


def _where(setup: BattleSetup) -> str:
    """Return the place of a battle in words, with a space in front."""
    if setup.other_place:
        return f" between {setup.place} and {setup.other_place}"
    return f" {'in' if setup.kind == SEA else 'at'} {setup.place}"


def _title(battle: Battle, place_words: str, names: Mapping[str, str]) -> str:
    """Return a battle's title: ``Land battle at Minsk: Lithuania against the Teutonic Order``."""
    # names by their enemies' codes: realms with the same enemies are on one side
    sides: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for code in battle.realms:
        sides[battle.enemies[code]].append(names[code])
    kind = {SEA: "Sea battle", BORDER: "Battle at the border"}.get(battle.kind, "Land battle")
    return f"{kind}{place_words}: {' against '.join(map(listed, sides.values()))}"


def lines_of(odds: Odds) -> tuple[str, ...]:
    """Return the odds in lines of at most a hundred columns."""
    results = ((capitalised(result_text(odds, result)), share) for result, share in odds.results.items())
    damages = [f"{damage} ({share.share:.1%})" for damage, share in odds.walls.items()]
    walls = [f"Damage of the fortification after the siege: {', '.join(damages)}."] if damages else []
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
        *chain.from_iterable(map(_side, odds.sides)),
        *walls,
        f"Rounds: {_range(odds.rounds)}.",
    )


def _side(side: SideOdds) -> Iterator[str]:
    """Yield the lines of one side: its losses, then its units with their troops."""
    parts = {"winning": side.lost_winning, "otherwise": side.lost_not_winning}
    results = [f"{part.mean:.1f} {words}" for words, part in parts.items() if part.counts]
    by_result = f" ({', '.join(results)})" if len(results) > 1 else ""
    name = capitalised(side.name)
    loses = verb("lose", [side.realm])
    yield f"{name} {loses} {side.lost.mean:.1f} of {side.start} on average{by_result}."
    if side.drowned.mean:
        yield f"  Drowned with the fleets that carried them: {_range(side.drowned)}."
    yield f"  {'':<{NAME + 4}}{'start':>6}{'lost':>8}   in nine fights of ten"
    for unit in (entry for entry in side.units if entry.start):
        yield f"  {capitalised(unit.name)}{_fate(unit)}"
        for troop in unit.troops:
            lost = troop.lost
            yield f"    {troop.troop:<{NAME + 2}}{troop.start:>6}{lost.mean:>8.1f}   {lost.low} – {lost.high}"
    yield ""


def _fate(unit: UnitOdds) -> str:
    """Return in words how often a unit retreats and is destroyed, and whether it is behind the walls.

    Empty if nothing of this is so.
    """
    parts = []
    if unit.retreats.count:
        places = [f"to {place}" for place in unit.retreats_to]
        if len(places) > 1:
            places = [f"to {place} {share.share:.1%}" for place, share in unit.retreats_to.items()]
        parts.append(f"retreats {unit.retreats.share:.1%} ({listed(places)})")
    if unit.destroyed.count:
        parts.append(f"destroyed {unit.destroyed.share:.1%}")
    if unit.defends:
        parts.append("behind the walls")
    return f": {', '.join(parts)}" if parts else ""


def _range(spread: Spread) -> str:
    """Return a spread in words: its mean, and the bounds of nine fights of ten if they differ."""
    is_single = spread.low == spread.high
    return f"{spread.mean:.1f} on average" + (
        "" if is_single else f", in nine fights of ten {spread.low} to {spread.high}"
    )


def picture_of(odds: Odds) -> str:
    """Return an SVG document: the chance of each result, each side's losses, and the number of rounds.

    Its ``desc`` says what it shows, and it is readable on light and on dark paper.
    """
    titles = textwrap.wrap(odds.title, TITLE_LETTERS, break_long_words=False, break_on_hyphens=False)
    realms = [side.realm for side in odds.sides]
    results = []
    for result, share in odds.results.items():
        name = capitalised(result_text(odds, result))
        winner = result.split("+")[0]  # of allies the first gives the colour
        colour = f"s{realms.index(winner) % COLOURS}" if winner in realms else "none"
        results.append((name if len(name) <= PICTURE_NAME else f"{name[: PICTURE_NAME - 1]}…", colour, share))
    says = [f"{result_text(odds, result)}: {share.share:.1%}" for result, share in odds.results.items()]
    losses = []
    charts = []
    for index, side in enumerate(odds.sides):
        losses.append(
            f"{side.name} {verb('lose', [side.realm])} {side.lost.mean:.1f} of {side.start} on average"
        )
        title = f"{capitalised(side.name)}: troops lost of {side.start}"
        charts.append(_chart(title, f"s{index % COLOURS}", side.lost, side.start))
    charts.append(_chart("Rounds", "none", odds.rounds, max(odds.rounds.counts, default=0)))
    values = {
        "odds": odds,
        "description": f"{'; '.join(says)}. {'; '.join(losses)}. {odds.rounds.mean:.1f} rounds on average.",
        "titles": titles[:TITLE_LINES],
        "results": results,
        "charts": charts,
    }
    return render("medieval/odds.svg", values)


def _chart(title: str, style: str, spread: Spread, most: int) -> dict[str, Any]:
    """Return the values of a histogram for the template: bars over the numbers from 0 to ``most``.

    If there are too many numbers for a bar each, a bar stands for several. ``style``: the bars' CSS class.
    """
    step = max(1, -(-(most + 1) // BARS))  # numbers in a bar, rounded up
    heights: Counter[int] = Counter()
    for value, count in spread.counts.items():
        heights[value // step] += count
    # marks are 1, 2, 5, 10, 20, 50 ... apart, so that there are at most seven
    tick = 1
    while most / tick > 6:
        tick = tick * 5 // 2 if str(tick)[0] == "2" else tick * 2
    return {
        "title": title,
        "style": style,
        "mean": spread.mean,
        "most": most,
        "step": step,
        "bars": sorted(heights.items()),
        "tallest": max(heights.values(), default=1),  # by which the template divides
        "ticks": range(0, most + 1, tick),
    }


def figures_of(odds: Odds) -> dict[str, Any]:
    """Return the odds for programs: chances from 0 to 1, losses in troops; shares by name become lists."""
    data: dict[str, Any] = _rounded(to_plain(odds))
    data["results"] = [
        {"winners": [], "result": result, **share}
        if result in (tally.DRAWN, tally.NOBODY)
        else {"winners": result.split("+"), "result": "won", **share}
        for result, share in data["results"].items()
    ]
    data["walls"] = [{"damage": int(damage), **share} for damage, share in data["walls"].items()]
    for unit in chain.from_iterable(side["units"] for side in data["sides"]):
        unit["retreats_to"] = [{"place": place, **share} for place, share in unit["retreats_to"].items()]
    return data


def _rounded(data: Any, name: str = "") -> Any:
    """Return plain data with means to four decimal places and chances to six; ``name``: the data's key."""
    if isinstance(data, Mapping):
        return {key: _rounded(value, key) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_rounded(item) for item in data]
    if isinstance(data, float):
        return round(data, 4 if name == "mean" else 6)
    return data
