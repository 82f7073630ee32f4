"""The answer to a question about odds: in lines for people and in figures for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gm.core.records import Record, record
from gm.games.medieval.analysis.odds.summing import CONFIDENCE, Odds, Share, SideOdds, Spread, UnitOdds
from gm.games.medieval.analysis.odds.tally import DRAWN, NOBODY
from gm.games.medieval.combat.battle import BORDER, SEA, Battle
from gm.games.medieval.state import INDEPENDENTS
from gm.text.pages import capitalised, listed

BAR = 24
"""How long the bar of a certainty is."""
NAME = 26


@record
class Told(Record):
    """The odds of one battle with what its places, realms and units are called."""

    battle: Battle
    ground: str
    odds: Odds
    notes: tuple[str, ...]
    realm: Callable[[str], str]
    unit: Callable[[str], str]

    @property
    def title(self) -> str:
        """What is fought: ``Land battle at Minsk: Lithuania against the Teutonic Order``."""
        kinds = {SEA: "Sea battle", BORDER: "Battle at the border"}
        where = f" {self.ground}" if self.ground else ""
        return f"{kinds.get(self.battle.kind, 'Land battle')}{where}: {' against '.join(self._sides())}"

    def _sides(self) -> list[str]:
        """The realms, those together that fight the same enemies."""
        together: dict[tuple[str, ...], list[str]] = {}
        for code in self.battle.realms:
            together.setdefault(self.battle.enemies[code], []).append(self.realm(code))
        return [listed(names) for names in together.values()]

    def result(self, result: str) -> str:
        """How a fight ended: ``England wins``."""
        if result == DRAWN:
            return "drawn after too many rounds"
        if result == NOBODY:
            return "nobody holds the field"
        codes = result.split("+")
        return f"{listed([self.realm(code) for code in codes])} {verb('win', codes)}"


def verb(verb: str, codes: Sequence[str]) -> str:
    """``wins``, or ``win`` of several realms and of the independents."""
    return verb if len(codes) > 1 or codes[0] == INDEPENDENTS else f"{verb}s"


# -- for people --------------------------------------------------------------------------------------------------------


def lines_of(told: Told) -> tuple[str, ...]:
    """The odds in lines of at most a hundred columns."""
    odds = told.odds
    return (
        f"{told.title}, fought {odds.fights:,} times.",
        *told.notes,
        "",
        *(_result(capitalised(told.result(result)), share) for result, share in odds.results.items()),
        f"  (in brackets: where the true chance lies with {CONFIDENCE}% confidence)",
        "",
        *(line for side in odds.sides for line in _side(told, side)),
        *_walls(odds),
        f"Rounds: {_range(odds.rounds)}.",
    )


def _result(words: str, share: Share) -> str:
    low, high = share.bounds
    bar = "█" * round(share.value * BAR) or "▏"
    return f"  {words:<{NAME}} {share.value:>6.1%}  ({low:.1%} – {high:.1%})  {bar}"


def _side(told: Told, side: SideOdds) -> Iterator[str]:
    given = [
        f"{part.mean:.1f} {words}"
        for part, words in ((side.lost_winning, "winning"), (side.lost_losing, "otherwise"))
        if part.counts
    ]
    told_apart = f" ({', '.join(given)})" if len(given) > 1 else ""
    name, loses = capitalised(told.realm(side.realm)), verb("lose", [side.realm])
    yield f"{name} {loses} {side.lost.mean:.1f} of {side.start} on average{told_apart}."
    if side.drowned.high or side.drowned.mean:
        yield f"  Drowned with the fleets that carried them: {_range(side.drowned)}."
    yield f"  {'':<{NAME + 4}}{'start':>6}{'lost':>8}   in nine fights of ten"
    for unit in (each for each in side.units if each.unit.start):
        yield f"  {capitalised(told.unit(unit.unit.unit))}{_unit(unit)}"
        for each in unit.troops:
            lost = each.lost
            yield f"    {each.troop:<{NAME + 2}}{each.start:>6}{lost.mean:>8.1f}   {lost.low} – {lost.high}"
    yield ""


def _unit(unit: UnitOdds) -> str:
    parts = []
    if unit.retreats.count:
        parts.append(f"retreats {_percent(unit.retreats)} ({listed(_places(unit))})")
    if unit.destroyed.count:
        parts.append(f"destroyed {_percent(unit.destroyed)}")
    if unit.unit.defends:
        parts.append("behind the walls")
    return f": {', '.join(parts)}" if parts else ""


def _places(unit: UnitOdds) -> list[str]:
    if len(unit.places) == 1:
        return [f"to {place}" for place in unit.places]
    return [f"to {place} {_percent(share)}" for place, share in unit.places.items()]


def _walls(odds: Odds) -> Iterator[str]:
    if odds.walls:
        said = [f"{damage} ({_percent(share)})" for damage, share in odds.walls.items()]
        yield f"Damage of the fortification after the siege: {', '.join(said)}."


def _percent(share: Share) -> str:
    return f"{share.value:.1%}"


def _range(found: Spread) -> str:
    same = found.low == found.high
    return f"{found.mean:.1f} on average" + ("" if same else f", in nine fights of ten {found.low} to {found.high}")


# -- for programs ------------------------------------------------------------------------------------------------------


def figures_of(told: Told) -> dict[str, Any]:
    """The same for programs: chances from 0 to 1, losses in troops."""
    battle, odds = told.battle, told.odds
    return {
        "title": told.title,
        "kind": battle.kind,
        "place": battle.place,
        "other_place": battle.other_place or None,
        "fortification": battle.fortification,
        "fights": odds.fights,
        "confidence": CONFIDENCE / 100,
        "notes": list(told.notes),
        "results": [
            {"winners": _winners(result), "result": "won" if _winners(result) else result, **_share(share)}
            for result, share in odds.results.items()
        ],
        "rounds": _spread(odds.rounds),
        "walls": [{"damage": damage, **_share(share)} for damage, share in odds.walls.items()],
        "sides": [_side_data(told, side) for side in odds.sides],
    }


def _winners(result: str) -> list[str]:
    return [] if result in (DRAWN, NOBODY) else result.split("+")


def _side_data(told: Told, side: SideOdds) -> dict[str, Any]:
    return {
        "realm": side.realm,
        "name": told.realm(side.realm),
        "wins": _share(side.wins),
        "start": side.start,
        "lost": _spread(side.lost),
        "lost_winning": _spread(side.lost_winning),
        "lost_not_winning": _spread(side.lost_losing),
        "drowned": _spread(side.drowned),
        "units": [_unit_data(told, unit) for unit in side.units],
    }


def _unit_data(told: Told, odds: UnitOdds) -> dict[str, Any]:
    unit = odds.unit
    return {
        "unit": unit.unit,
        "name": told.unit(unit.unit),
        "role": unit.role,
        "defends": unit.defends,
        "total_combat": str(unit.total_combat),
        "hit_points": str(unit.hit_points),
        "retreat_level": unit.retreat_level,
        "start": unit.start,
        "lost": _spread(odds.lost),
        "troops": [{"troop": each.troop, "start": each.start, "lost": _spread(each.lost)} for each in odds.troops],
        "survives": _share(odds.survives),
        "retreats": _share(odds.retreats),
        "destroyed": _share(odds.destroyed),
        "retreats_to": [{"place": place, **_share(share)} for place, share in odds.places.items()],
    }


def _share(share: Share) -> dict[str, Any]:
    low, high = share.bounds
    return {"count": share.count, "share": round(share.value, 6), "low": round(low, 6), "high": round(high, 6)}


def _spread(found: Spread) -> dict[str, Any]:
    return {
        "mean": round(found.mean, 4),
        "low": found.low,
        "high": found.high,
        "counts": {str(value): count for value, count in found.counts.items()},
    }
