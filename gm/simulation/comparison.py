"""Two simulations side by side, as before and after a change of rules, map or bots.

Each figure of both, and how much it changed, with the interval that holds the change with 95% confidence. A
change is *certain* when that interval lies on one side of nothing; of twenty figures that did not change, one
looks certain by chance.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gm.game.base.events import FAILED
from gm.simulation.estimates import Interval, difference, mean_interval, quartiles, wilson
from gm.simulation.findings import Findings, Tally
from gm.simulation.plan import difference_words, shown
from gm.simulation.record import COURSE, UNFINISHED
from gm.simulation.report import MARKS, Plot, course_means, curve, round_numbers
from gm.store.formats import JsonObject
from gm.text.pages import aligned, render

LEAST = 2  # games on each side: of one nobody knows how far others lie from it


@dataclass(frozen=True, slots=True)
class Side:
    """A simulation: where it is kept, what was asked for, and what its games show."""

    folder: str
    identity: JsonObject
    found: Findings


@dataclass(frozen=True, slots=True)
class Row:
    """A figure before and after; none on a side where there is nothing to see it from."""

    code: str
    name: str
    before: Interval | None
    after: Interval | None

    @property
    def change(self) -> Interval | None:
        return difference(self.before, self.after) if self.before and self.after else None

    @property
    def certain(self) -> bool:
        return self.change is not None and (self.change.low > 0 or self.change.high < 0)


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of one kind; shares are shown as percent. ``key``: what data call them."""

    key: str
    title: str
    what: str
    share: bool
    rows: tuple[Row, ...]

    @property
    def certain(self) -> int:
        return sum(row.certain for row in self.rows)


def compared(before: Side, after: Side) -> list[Group]:
    """Return all figures of both, by kind. Raises ``ValueError`` for too few games."""
    for side in (before, after):
        if side.found.games < LEAST:
            raise ValueError(f"{side.folder} holds fewer than {LEAST} different games, and one shows no spread")
    return [group for group in _groups(before.found, after.found) if group.rows]


def _groups(one: Findings, two: Findings) -> Iterator[Group]:
    yield Group("games", "The games", "Share", True, _rows(_shares(one), _shares(two), _SHARES))
    yield Group("course", "Their course", "On average", False, _rows(_means(one), _means(two), _MEANS))
    for kind, what, called in (("realms", "Realm", {**one.names, **two.names}), ("bots", "Bot", {})):
        for key, get, title, share in _FATES:
            had, has = (_tallies(getattr(findings, kind), get) for findings in (one, two))
            said = f"{title.format(score=two.columns[0])}, by {what.lower()}"
            yield Group(f"{kind}_{key}", said, what, share, _rows(had, has, called))
    for kind in sorted({*one.uses, *two.uses} - {FAILED}):
        used = _rows(_uses(one, kind), _uses(two, kind), {})
        rows_with_values = tuple(row for row in used if any(side and side.middle for side in (row.before, row.after)))
        yield Group(
            f"uses_{kind.replace(' ', '_')}", f"Uses in a game: {kind}", kind.capitalize(), False, rows_with_values
        )


def _rows(had: Mapping[str, Interval], has: Mapping[str, Interval], called: Mapping[str, str]) -> tuple[Row, ...]:
    codes = [code for code in called if code in had or code in has]
    codes += sorted({*had, *has} - {*codes})
    return tuple(Row(code, called.get(code, code), had.get(code), has.get(code)) for code in codes)


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


def _shares(found: Findings) -> dict[str, Interval]:
    finished = found.games - found.reasons[UNFINISHED]
    shares = {"ended": wilson(finished, found.games), "won": wilson(found.reasons["victory"], found.games)}
    return shares | ({"lost": found.losing} if found.taken else {})


def _means(found: Findings) -> dict[str, Interval]:
    values: dict[str, Sequence[float]] = {
        "turns": found.lengths,
        "failed": [100 * share for share in found.each["failed"]],
    }
    values |= {name: found.each[name] for name in (*COURSE[:2], "out")}
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
    return {code: interval for code, tally in sorted(tallies.items()) if (interval := get(tally)) is not None}


def _uses(found: Findings, kind: str) -> dict[str, Interval]:
    return {name: _counted(found.uses_a_game(kind, name)) for name in found.rules.get(kind, {})}


def _counted(mean: Interval) -> Interval:
    """Return what cannot be below nothing."""
    return replace(mean, low=max(0.0, mean.low))


# -- what is shown -----------------------------------------------------------------------------------------------------


def differences(before: JsonObject, after: JsonObject) -> list[str]:
    """Return what was asked otherwise of the second simulation, in words, if only with which program."""
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
        "compared": sum(row.change is not None for group in groups for row in group.rows),
        "curves": _curves(before.found, after.found),
    }
    return render("simulation/comparison.html", values)


def _curves(one: Findings, two: Findings) -> list[tuple[str, Plot, Plot]]:
    """Before and after on one scale: what a turn was like, and all realms' figures together."""
    drawn = [(name, 1, course_means(one, name), course_means(two, name)) for name in COURSE[:2]]
    for name in (column for column in two.columns if column in one.columns):
        had, has = ([quartiles(turn) for turn in findings.sums[name].values()] for findings in (one, two))
        drawn.append((name, 0, had, has))
    curves_by_name = []
    for name, first, had, has in (row for row in drawn if row[2] and row[3]):
        top = max(interval.middle for interval in (*had, *has))
        turns = max(len(had), len(has)) - 1
        draw = partial(curve, top=top, first=first, turns=turns, band=False)
        curves_by_name.append((name, draw(had), draw(has)))
    return curves_by_name


def forest(group: Group) -> Plot:
    """Return the changes with their intervals around nothing, and all figures in words."""
    changes = [row.change for row in group.rows if row.change]
    most = max((abs(end) for change in changes for end in (change.low, change.high)), default=0.0)
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


def _words(each: Interval | None, *, share: bool, sign: str = "") -> str:
    """``12% (8–19)``, or ``+1.4 (−0.6 to +3.4)``; without a share as many digits as the interval is worth."""
    if each is None:
        return "–"
    size = 100 if share else 1
    wide = size * (each.high - each.low)
    digits = 0 if wide >= 20 or (share and wide >= 10) else 1 if wide >= 1 else 2
    if sign and (each.low > 0 or each.high < 0):  # what is certain must not look like nothing
        while digits < 3 and not (round(size * each.low, digits) and round(size * each.high, digits)):
            digits += 1
    # what rounds to nothing has no sign
    ends = [round(size * value, digits) + 0.0 for value in (each.low, each.middle, each.high)]
    low, middle, high = (f"{value:{sign}.{digits}f}".replace("-", "−") for value in ends)
    return f"{middle}{'%' * (share and not sign)} ({low}{' to ' if sign or ends[0] < 0 else '–'}{high})"


def comparison_lines(sides: tuple[Side, Side], groups: Sequence[Group]) -> list[str]:
    """Return the same for a terminal: all of the games, realms and bots.

    Of the rules only those are told that certainly changed.
    """
    values = {
        "before": sides[0],
        "after": sides[1],
        "differs": differences(sides[0].identity, sides[1].identity),
        "groups": [(group, forest(group)) for group in groups],
        "aligned": aligned,
    }
    return render("simulation/comparison.txt", values).rstrip("\n").split("\n")


def comparison_data(sides: tuple[Side, Side], groups: Sequence[Group]) -> JsonObject:
    """Return the same as data: each figure as its interval's lower end, middle and upper end."""
    before, after = sides

    def row(each: Row) -> JsonObject:
        parts = {"before": each.before, "after": each.after, "change": each.change}
        rounded = {
            name: it and [round(value, 4) for value in (it.low, it.middle, it.high)] for name, it in parts.items()
        }
        return {**rounded, "certain": each.certain}

    return {
        "before": {"folder": before.folder, "games": before.found.games, "simulation": before.identity},
        "after": {"folder": after.folder, "games": after.found.games, "simulation": after.identity},
        "differs": differences(before.identity, after.identity),
        **{group.key: {line.code: row(line) for line in group.rows} for group in groups},
    }
