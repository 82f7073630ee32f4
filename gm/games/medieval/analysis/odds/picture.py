"""The odds as a picture: how likely each result is, and how many each side loses, as an SVG of its own."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from functools import partial

from gm.games.medieval.analysis.odds.summary import Odds, Spread, result_text, verb
from gm.games.medieval.analysis.odds.tally import DRAWN, NOBODY
from gm.text.pages import capitalised

escape = partial(html.escape, quote=False)

WIDTH, EDGE = 720, 28
ROW = 34
BAR_LEFT, BAR_RIGHT = 200, 560
CHART_HEIGHT, CHART_TOP = 150, 40
COLUMNS, GAP = 2, 40
BARS = 40
"""So many bars fit into a chart: of more values, neighbours share one."""

_STYLE = """
svg{--paper:#fbf6ea;--ink:#2a2118;--soft:#5e5140;--rule:#cdbb97;--s0:#2f6690;--s1:#b4521e;--s2:#4f7a34;--s3:#7a4b8c;\
--none:#8d8371;font-family:Georgia,"DejaVu Serif",serif}
@media(prefers-color-scheme:dark){svg{--paper:#1d1a16;--ink:#efe6d6;--soft:#b9ab95;--rule:#52493c;--s0:#7fb4dc;\
--s1:#e59a63;--s2:#9bc97d;--s3:#c79ad6;--none:#968b7a}}
.paper{fill:var(--paper)}text{fill:var(--ink);font-size:14px}.soft{fill:var(--soft);font-size:12px}\
.title{font-size:19px;font-weight:600}.head{font-weight:600}.rule{stroke:var(--rule);fill:none}\
.whisker{stroke:var(--ink);fill:none;stroke-width:1.4}.mean{stroke:var(--ink);stroke-dasharray:3 3;fill:none}\
.end{text-anchor:end}.mid{text-anchor:middle}.s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}\
.s3{fill:var(--s3)}.none{fill:var(--none)}
"""


def picture_of(odds: Odds) -> str:
    """The picture. It says in ``desc`` what it shows, and it is readable on light and on dark paper."""
    charts = [
        (f"{capitalised(side.name)}: troops lost of {side.start}", side.lost, side.start, f"s{index % 4}")
        for index, side in enumerate(odds.sides)
    ]
    charts.append(("Rounds", odds.rounds, max(odds.rounds.counts, default=0), "none"))
    titles = _wrapped(odds.title)
    top = 30 + 24 * len(titles)
    below = top + ROW * len(odds.results) + 34
    rows = -(-len(charts) // COLUMNS)
    height = below + rows * (CHART_HEIGHT + 34) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="t d">',
        f'<title id="t">{escape(odds.title)}</title>',
        f'<desc id="d">{escape(_description(odds))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        *(
            f'<text class="title" x="{EDGE}" y="{34 + 24 * number}">{escape(line)}</text>'
            for number, line in enumerate(titles)
        ),
        *_results(odds, top),
        f'<text class="soft" x="{EDGE}" y="{below - 16}">{odds.fights:,} fights; the whiskers are where the true '
        f"chance lies with {odds.confidence:.0%} confidence.</text>",
    ]
    wide = (WIDTH - 2 * EDGE - GAP) / COLUMNS
    for index, (title, found, most, style) in enumerate(charts):
        x = EDGE + (index % COLUMNS) * (wide + GAP)
        y = below + (index // COLUMNS) * (CHART_HEIGHT + 34)
        parts += _histogram(title, found, most, style, x, y, wide)
    return "\n".join([*parts, "</svg>"]) + "\n"


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


def _colour(odds: Odds, result: str) -> str:
    if result in (DRAWN, NOBODY):
        return "none"
    first = result.split("+")[0]
    return f"s{[side.realm for side in odds.sides].index(first) % 4}"


def _results(odds: Odds, top: int) -> Iterator[str]:
    """A bar for each result, with its confidence as a whisker."""
    scale = BAR_RIGHT - BAR_LEFT
    for number, (result, share) in enumerate(odds.results.items()):
        y = top + ROW * number
        low, high = (BAR_LEFT + scale * each for each in (share.low, share.high))
        name = capitalised(result_text(odds, result))
        yield f'<text x="{EDGE}" y="{y + 16}">{escape(name if len(name) < 26 else name[:24] + "…")}</text>'
        yield (
            f'<rect class="{_colour(odds, result)}" x="{BAR_LEFT}" y="{y}" '
            f'width="{max(1.0, scale * share.share):.1f}" height="22" rx="2"/>'
        )
        yield f'<path class="whisker" d="M{low:.1f} {y + 7}v8m0-4H{high:.1f}m0-4v8"/>'
        yield f'<text x="{max(BAR_LEFT + scale * share.share, high) + 10:.1f}" y="{y + 16}">{share.share:.1%}</text>'


def _histogram(title: str, found: Spread, most: int, style: str, x: float, y: float, wide: float) -> Iterator[str]:
    """How often which number came: bars over the numbers from 0 to ``most``."""
    bottom = y + CHART_HEIGHT
    step = max(1, -(-(most + 1) // BARS))
    heights = _binned(found.counts, step)
    tallest = max(heights.values(), default=1)
    across = wide / (most // step + 1)
    yield f'<text class="head" x="{x:.1f}" y="{y + 14:.1f}">{escape(title)}</text>'
    for number, count in heights.items():
        tall = (CHART_HEIGHT - CHART_TOP) * count / tallest
        yield (
            f'<rect class="{style}" x="{x + number * across + across * 0.08:.1f}" y="{bottom - tall:.1f}" '
            f'width="{across * 0.84:.1f}" height="{tall:.1f}"/>'
        )
    yield f'<path class="rule" d="M{x:.1f} {bottom}h{wide:.1f}"/>'
    for value in _ticks(most):
        at = x + (value // step + 0.5) * across
        yield f'<text class="soft mid" x="{at:.1f}" y="{bottom + 16}">{value}</text>'
    mean = x + (found.mean / step + 0.5) * across
    yield f'<path class="mean" d="M{mean:.1f} {bottom}V{y + CHART_TOP - 6}"/>'
    late = mean > x + wide / 2
    kind, off = ("soft end", -6) if late else ("soft", 6)
    yield f'<text class="{kind}" x="{mean + off:.1f}" y="{y + CHART_TOP - 2:.1f}">{found.mean:.1f} on average</text>'


def _binned(counts: Mapping[int, int], step: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for value, count in counts.items():
        found[value // step] = found.get(value // step, 0) + count
    return dict(sorted(found.items()))


def _ticks(most: int) -> list[int]:
    step = 1
    while most / step > 6:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(0, most + 1, step))
