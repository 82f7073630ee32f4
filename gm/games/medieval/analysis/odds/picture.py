"""The odds as a picture: how likely each result is, and how many each side loses, as an SVG of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gm.games.medieval.analysis.odds.summary import Odds, Spread, result_text, verb
from gm.games.medieval.analysis.odds.tally import DRAWN, NOBODY
from gm.resources import resource
from gm.text.pages import capitalised, render

WIDTH, EDGE = 720, 28
ROW = 34
BAR_LEFT, BAR_RIGHT = 200, 560
CHART_HEIGHT, CHART_TOP = 150, 40
COLUMNS, GAP = 2, 40
WIDE = (WIDTH - 2 * EDGE - GAP) / COLUMNS
BARS = 40  # So many bars fit into a chart: of more values, neighbours share one


def picture_of(odds: Odds) -> str:
    """The picture. It says in ``desc`` what it shows, and it is readable on light and on dark paper."""
    titles = _wrapped(odds.title)
    top = 30 + 24 * len(titles)
    below = top + ROW * len(odds.results) + 34
    shown = [
        (f"{capitalised(side.name)}: troops lost of {side.start}", side.lost, side.start, f"s{index % 4}")
        for index, side in enumerate(odds.sides)
    ]
    shown.append(("Rounds", odds.rounds, max(odds.rounds.counts, default=0), "none"))
    values = {
        "width": WIDTH,
        "height": below - (-len(shown) // COLUMNS) * (CHART_HEIGHT + 34) + 10,
        "edge": EDGE,
        "title": odds.title,
        "description": _description(odds),
        "titles": titles,
        "results": _results(odds, top),
        "note": below - 16,
        "fights": f"{odds.fights:,}",
        "confidence": f"{odds.confidence:.0%}",
        "charts": [_chart(*each, index, below) for index, each in enumerate(shown)],
    }
    return render(resource("templates", "medieval"), "odds.svg", values)


def _wrapped(text: str, letters: int = 68) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= letters and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines[:4]


def _description(odds: Odds) -> str:
    results = [f"{result_text(odds, result)}: {share.share:.1%}" for result, share in odds.results.items()]
    losses = [
        f"{side.name} {verb('lose', [side.realm])} {side.lost.mean:.1f} of {side.start} on average"
        for side in odds.sides
    ]
    return f"{'; '.join(results)}. {'; '.join(losses)}. {odds.rounds.mean:.1f} rounds on average."


def _results(odds: Odds, top: int) -> list[dict[str, Any]]:
    """A bar for each result, with its confidence as a whisker."""
    scale = BAR_RIGHT - BAR_LEFT
    realms = [side.realm for side in odds.sides]
    rows = []
    for number, (result, share) in enumerate(odds.results.items()):
        name = capitalised(result_text(odds, result))
        high = BAR_LEFT + scale * share.high
        rows.append(
            {
                "y": top + ROW * number,
                "name": name if len(name) < 26 else f"{name[:24]}…",
                "colour": "none" if result in (DRAWN, NOBODY) else f"s{realms.index(result.split('+')[0]) % 4}",
                "left": BAR_LEFT,
                "width": max(1.0, scale * share.share),
                "low": BAR_LEFT + scale * share.low,
                "high": high,
                "end": max(BAR_LEFT + scale * share.share, high) + 10,
                "percent": f"{share.share:.1%}",
            }
        )
    return rows


def _chart(title: str, found: Spread, most: int, style: str, index: int, below: int) -> dict[str, Any]:
    """How often which number came: bars over the numbers from 0 to ``most``."""
    x = EDGE + (index % COLUMNS) * (WIDE + GAP)
    y = below + (index // COLUMNS) * (CHART_HEIGHT + 34)
    step = max(1, -(-(most + 1) // BARS))
    heights: Counter[int] = Counter()
    for value, count in found.counts.items():
        heights[value // step] += count
    tallest = max(heights.values(), default=1)
    across = WIDE / (most // step + 1)
    tick = 1
    while most / tick > 6:
        tick = tick * 5 // 2 if str(tick)[0] == "2" else tick * 2
    mean = x + (found.mean / step + 0.5) * across
    return {
        "title": title,
        "style": style,
        "x": x,
        "y": y,
        "top": y + CHART_TOP,
        "bottom": y + CHART_HEIGHT,
        "wide": WIDE,
        "bar": across * 0.84,
        "bars": [
            (x + number * across + across * 0.08, (CHART_HEIGHT - CHART_TOP) * count / tallest)
            for number, count in sorted(heights.items())
        ],
        "ticks": [(x + (value // step + 0.5) * across, value) for value in range(0, most + 1, tick)],
        "mean": mean,
        "late": mean > x + WIDE / 2,
        "average": f"{found.mean:.1f}",
    }
