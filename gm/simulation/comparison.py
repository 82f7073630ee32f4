"""Two simulations side by side, as before and after a change of rules, map or bots.

Each figure of both, and its change, with the interval that holds the change with 95% confidence. A change is
*certain* when that interval does not include 0; of twenty figures that did not change, one looks certain by
chance.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gm.game.base.events import FAILED
from gm.simulation.estimates import Interval, difference, mean_interval, quartiles, wilson
from gm.simulation.findings import Findings, Tally
from gm.simulation.plan import difference_words, shown
from gm.simulation.plots import MARKS, Plot, curve, round_numbers
from gm.simulation.record import COURSE, UNFINISHED
from gm.simulation.report import course_means
from gm.store.formats import JsonObject
from gm.text.pages import aligned, render

LEAST = 2  # games on each side: of one nobody knows how far others lie from it


@dataclass(frozen=True, slots=True)
class Side:
    """A simulation: its folder, its settings, and its findings."""

    folder: str
    identity: JsonObject
    found: Findings


@dataclass(frozen=True, slots=True)
class Row:
    """A figure before and after; None on a side without data for it."""

    code: str
    name: str
    before: Interval | None
    after: Interval | None

    @property
    def change(self) -> Interval | None:
        """The change with its interval, if both sides have the figure."""
        return difference(self.before, self.after) if self.before and self.after else None

    @property
    def certain(self) -> bool:
        """Whether the interval of the change does not include 0."""
        return self.change is not None and (self.change.low > 0 or self.change.high < 0)

    @property
    def is_used(self) -> bool:
        """Whether a side has a figure other than 0."""
        return any(side and side.middle for side in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of one kind; shares are shown as percent. ``key``: the name in data."""

    key: str
    title: str
    what: str
    share: bool
    rows: tuple[Row, ...]

    @property
    def compared(self) -> int:
        """The number of figures that both sides have."""
        return sum(row.change is not None for row in self.rows)

    @property
    def certain(self) -> int:
        """The number of figures that certainly changed."""
        return sum(row.certain for row in self.rows)


def compared(before: Side, after: Side) -> list[Group]:
    """Return all figures of both, by kind. Raises ``ValueError`` for too few games."""
    for side in (before, after):
        if side.found.games < LEAST:
            raise ValueError(
                f"{side.folder} holds fewer than {LEAST} different games, and one shows no spread"
            )
    return [group for group in _groups(before.found, after.found) if group.rows]


def _groups(one: Findings, two: Findings) -> Iterator[Group]:
    """Yield the groups of figures."""
    yield Group("games", "The games", "Share", share=True, rows=_rows(_shares(one), _shares(two), _SHARES))
    yield Group(
        "course", "Their course", "On average", share=False, rows=_rows(_means(one), _means(two), _MEANS)
    )
    for kind, what, called in (("realms", "Realm", {**one.names, **two.names}), ("bots", "Bot", {})):
        for key, get, title, share in _FATES:
            had = _tallies(getattr(one, kind), get)
            has = _tallies(getattr(two, kind), get)
            title_words = f"{title.format(score=two.columns[0])}, by {what.lower()}"
            yield Group(f"{kind}_{key}", title_words, what, share, _rows(had, has, called))
    for kind in sorted({*one.uses, *two.uses} - {FAILED}):
        used = tuple(row for row in _rows(_uses(one, kind), _uses(two, kind), {}) if row.is_used)
        yield Group(
            f"uses_{kind.replace(' ', '_')}",
            f"Uses in a game: {kind}",
            kind.capitalize(),
            share=False,
            rows=used,
        )


def _rows(
    before: Mapping[str, Interval], after: Mapping[str, Interval], called: Mapping[str, str]
) -> tuple[Row, ...]:
    """Return a row for each name that one of the sides has."""
    codes = [code for code in called if code in before or code in after]
    codes += sorted({*before, *after} - {*codes})
    return tuple(Row(code, called.get(code, code), before.get(code), after.get(code)) for code in codes)


_SHARES = {
    "ended": "ended with a winner or nobody left",
    "won": "ended with a winner",
    "lost": "conquests lost again",
}
_MEANS = {
    "turns": "turns",
    "battles": "battles a turn",
    "changed hands": "places that changed hands, a turn",
    "out": "realms out at the end, in all",
    "failed": "orders that failed, in a hundred",
}


def _shares(findings: Findings) -> dict[str, Interval]:
    finished = findings.games - findings.reasons[UNFINISHED]
    shares = {
        "ended": wilson(finished, findings.games),
        "won": wilson(findings.reasons["victory"], findings.games),
    }
    return shares | ({"lost": findings.losing} if findings.taken else {})


def _means(findings: Findings) -> dict[str, Interval]:
    values: dict[str, Sequence[float]] = {
        "turns": findings.lengths,
        "failed": [100 * share for share in findings.each["failed"]],
    }
    values |= {name: findings.each[name] for name in (*COURSE[:2], "out")}
    return {name: _counted(mean_interval(value)) for name, value in values.items() if len(value) >= LEAST}


def _first(tally: Tally) -> Interval | None:
    return tally.first


def _won(tally: Tally) -> Interval | None:
    return tally.winning if tally.finished else None


def _growth(tally: Tally) -> Interval | None:
    return mean_interval(tally.grown) if len(tally.grown) >= LEAST else None


Measure = Callable[[Tally], Interval | None]
_FATES: Sequence[tuple[str, Measure, str, bool]] = (
    ("first", _first, "First at the end", True),
    ("won", _won, "Finished games won", True),
    ("growth", _growth, "Growth of {score}", False),
)


def _tallies(tallies: Mapping[str, Tally], get: Measure) -> dict[str, Interval]:
    intervals = {code: get(tally) for code, tally in sorted(tallies.items())}
    return {code: interval for code, interval in intervals.items() if interval is not None}


def _uses(findings: Findings, kind: str) -> dict[str, Interval]:
    return {name: _counted(findings.uses_a_game(kind, name)) for name in findings.rules.get(kind, {})}


def _counted(mean: Interval) -> Interval:
    """Return an interval cut at 0, for counts."""
    return replace(mean, low=max(0.0, mean.low))


# -- what is shown -------------------------------------------------------------------------------------------


def differences(before: JsonObject, after: JsonObject) -> list[str]:
    """Return the differing settings of the second simulation, in words, the program's version included."""
    plain = ("map", "options", "turns", "bots", "seats", "seed")
    return [
        f"{name}: {shown(before[name])} before, {shown(after[name])} after"
        if name in plain
        else difference_words(name, before[name], after[name])
        for name in after
        if before[name] != after[name]
    ]


def comparison_page(title: str, sides: tuple[Side, Side], groups: Sequence[Group]) -> str:
    """Return the page, for a game of this ``title``."""
    before, after = sides
    values = {
        "title": title,
        "before": before,
        "after": after,
        "differs": differences(before.identity, after.identity),
        "groups": [(group, forest(group)) for group in groups],
        "compared": sum(group.compared for group in groups),
        "curves": _curves(before.found, after.found),
    }
    return render("simulation/comparison.html", values)


def _curves(one: Findings, two: Findings) -> list[tuple[str, Plot, Plot]]:
    """Return each figure by turn, before and after on one scale: a turn's mean, and all realms' sums."""
    courses = [(name, 1, course_means(one, name), course_means(two, name)) for name in COURSE[:2]]
    columns = [column for column in two.columns if column in one.columns]
    sums = [(column, 0, _sums(one, column), _sums(two, column)) for column in columns]
    plots = []
    for name, first, had, has in (*courses, *sums):
        if not had or not has:
            continue
        top = max(interval.middle for interval in (*had, *has))
        turns = max(len(had), len(has)) - 1
        draw = partial(curve, top=top, first=first, turns=turns, band=False)
        plots.append((name, draw(had), draw(has)))
    return plots


def _sums(findings: Findings, column: str) -> list[Interval]:
    """Return a figure of all realms together, by turn."""
    return list(map(quartiles, findings.sums[column].values()))


def forest(group: Group) -> Plot:
    """Return the changes with their intervals around 0, and all figures in words."""
    changes = [row.change for row in group.rows if row.change]
    most = max((max(abs(change.low), abs(change.high)) for change in changes), default=0.0)
    steps = round_numbers(most * (100 if group.share else 1), MARKS // 2)
    highest = steps[-1] / (100 if group.share else 1)

    def across(value: float) -> float:
        return round(50 + 50 * value / highest, 2)

    end = f"{steps[-1]:g}"
    marks = [Plot(at=0, text=f"−{end}"), Plot(at=50, text="0"), Plot(at=100, text=f"+{end}")]
    return Plot(
        rows=[
            Plot(
                row=row,
                before=_words(row.before, share=group.share),
                after=_words(row.after, share=group.share),
                change=_words(row.change, share=group.share, sign="+"),
                at=row.change and tuple(map(across, (row.change.low, row.change.middle, row.change.high))),
            )
            for row in group.rows
        ],
        marks=marks,
    )


def _words(interval: Interval | None, *, share: bool, sign: str = "") -> str:
    """Return an interval as ``12% (8–19)``, with a ``sign`` as ``+1.4 (−0.6 to +3.4)``; a dash for none."""
    if interval is None:
        return "–"
    size = 100 if share else 1
    digits = _digits(interval, size, share=share, signed=bool(sign))
    # what rounds to nothing has no sign
    low, middle, high = (
        round(size * end, digits) + 0.0 for end in (interval.low, interval.middle, interval.high)
    )

    def figure(value: float) -> str:
        return f"{value:{sign}.{digits}f}".replace("-", "−")

    percent = "%" if share and not sign else ""
    between = " to " if sign or low < 0 else "–"
    return f"{figure(middle)}{percent} ({figure(low)}{between}{figure(high)})"


def _digits(interval: Interval, size: int, *, share: bool, signed: bool) -> int:
    """Return the number of digits for an interval's size; a certain change has enough not to look like 0."""
    width = size * (interval.high - interval.low)
    if width >= 20 or (share and width >= 10):
        digits = 0
    elif width >= 1:
        digits = 1
    else:
        digits = 2
    if signed and (interval.low > 0 or interval.high < 0):
        while digits < 3 and not (round(size * interval.low, digits) and round(size * interval.high, digits)):
            digits += 1
    return digits


def comparison_lines(sides: tuple[Side, Side], groups: Sequence[Group]) -> list[str]:
    """Return the comparison for a terminal: games, realms and bots, and rules that certainly changed."""
    values = {
        "before": sides[0],
        "after": sides[1],
        "differs": differences(sides[0].identity, sides[1].identity),
        "groups": [(group, forest(group)) for group in groups],
        "aligned": aligned,
    }
    return render("simulation/comparison.txt", values).rstrip("\n").split("\n")


def comparison_data(sides: tuple[Side, Side], groups: Sequence[Group]) -> JsonObject:
    """Return the comparison as data: each figure as its interval's lower end, middle and upper end."""
    before, after = sides

    return {
        "before": {"folder": before.folder, "games": before.found.games, "simulation": before.identity},
        "after": {"folder": after.folder, "games": after.found.games, "simulation": after.identity},
        "differs": differences(before.identity, after.identity),
        **{group.key: _group_data(group) for group in groups},
    }


def _group_data(group: Group) -> JsonObject:
    """Return the figures of a group by code."""
    return {row.code: _row_data(row) for row in group.rows}


def _row_data(row: Row) -> JsonObject:
    """Return a figure's intervals, and whether it certainly changed."""
    intervals = {"before": row.before, "after": row.after, "change": row.change}
    rounded = {name: interval and interval.rounded for name, interval in intervals.items()}
    return {**rounded, "certain": row.certain}
