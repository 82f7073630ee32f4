"""Two simulations of a game side by side, as before and after a change of rules, map or bots.

For each figure of both there is its change, with the interval that holds it with 95% confidence. A change is
*certain* when that interval does not include 0; of twenty figures that did not change, one looks certain by
chance.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gm.core.diagnostics import says
from gm.game.base.events import FAILED
from gm.simulation.estimates import Interval, difference, interval_words, mean_interval, quartiles, wilson
from gm.simulation.findings import Findings, Tally
from gm.simulation.plan import difference_words, shown
from gm.simulation.plots import MARKS, Plot, curve, round_numbers
from gm.simulation.record import COURSE, UNFINISHED
from gm.simulation.report import course_means
from gm.store.formats import JsonObject
from gm.text.pages import aligned, render

LEAST = 2  # games on each side: one game shows no spread


@dataclass(frozen=True, slots=True)
class Side:
    """One of two simulations: its folder's name, its settings (``Plan.identity``), and its findings."""

    folder: str
    identity: JsonObject
    found: Findings


@dataclass(frozen=True, slots=True)
class Row:
    """A figure before and after; None on a side without data for it.

    ``code``: what the figure is of, such as a realm's code or a rule's name; ``name``: the same for people.
    """

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
    """Figures of one kind, such as the uses of rules, in both simulations: a table with a row for each."""

    key: str  # the name in data
    title: str
    what: str  # what the rows are of: the head of their column
    share: bool  # whether the figures are shares, which are shown as percent
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
    """Return all figures of two simulations in groups, without empty ones.

    Raises ``ValueError`` for fewer than ``LEAST`` games on a side.
    """
    for side in (before, after):
        if side.found.games < LEAST:
            pattern = "{0} holds fewer than {1} different games, and one shows no spread"
            raise ValueError(says(pattern, side.folder, LEAST))
    return [group for group in _groups(before.found, after.found) if group.rows]


def _groups(before: Findings, after: Findings) -> Iterator[Group]:
    """Yield the groups of figures, also empty ones."""
    game_rows = _rows(_game_shares(before), _game_shares(after), _SHARE_NAMES)
    yield Group("games", "The games", "Share", share=True, rows=game_rows)
    course_rows = _rows(_game_means(before), _game_means(after), _MEAN_NAMES)
    yield Group("course", "Their course", "On average", share=False, rows=course_rows)
    yield from _tally_groups(before, after)
    # the reasons why orders failed are counted with the uses of rules, but are no uses
    for kind in sorted({*before.uses, *after.uses} - {FAILED}):
        rows = _rows(_uses_a_game(before, kind), _uses_a_game(after, kind), {})
        used = tuple(row for row in rows if row.is_used)
        yield Group(
            f"uses_{kind.replace(' ', '_')}",
            f"Uses in a game: {kind}",
            kind.capitalize(),
            share=False,
            rows=used,
        )


def _tally_groups(before: Findings, after: Findings) -> Iterator[Group]:
    """Yield a group for each figure of realms and each of bots."""
    realm_names = {**before.names, **after.names}
    for kind, what, names in (("realms", "Realm", realm_names), ("bots", "Bot", {})):
        for key, measure, title, share in _MEASURES:
            old_figures = _measured(getattr(before, kind), measure)
            new_figures = _measured(getattr(after, kind), measure)
            title_words = f"{title.format(score=after.columns[0])}, by {what.lower()}"
            yield Group(f"{kind}_{key}", title_words, what, share, _rows(old_figures, new_figures, names))


def _rows(
    before: Mapping[str, Interval], after: Mapping[str, Interval], names: Mapping[str, str]
) -> tuple[Row, ...]:
    """Return a row for each code in either mapping: first those with a name, in the order of the names."""
    codes = [code for code in names if code in before or code in after]
    codes += sorted({*before, *after} - {*codes})
    return tuple(Row(code, names.get(code, code), before.get(code), after.get(code)) for code in codes)


_SHARE_NAMES = {
    "ended": "ended with a winner or nobody left",
    "won": "ended with a winner",
    "lost": "conquests lost again",
}
_MEAN_NAMES = {
    "turns": "turns",
    "battles": "battles a turn",
    "changed hands": "places that changed hands, a turn",
    "out": "realms out at the end, in all",
    "failed": "orders that failed, in a hundred",
}


def _game_shares(findings: Findings) -> dict[str, Interval]:
    """Return the shares of games and conquests, by the keys of ``_SHARE_NAMES``."""
    finished = findings.games - findings.reasons[UNFINISHED]
    shares = {
        "ended": wilson(finished, findings.games),
        "won": wilson(findings.reasons["victory"], findings.games),
    }
    return shares | ({"lost": findings.losing} if findings.taken else {})


def _game_means(findings: Findings) -> dict[str, Interval]:
    """Return the averages over all games, by the keys of ``_MEAN_NAMES``.

    A figure that fewer than ``LEAST`` games have is left out: its interval is unknown.
    """
    values: dict[str, Sequence[float]] = {
        "turns": findings.lengths,
        "failed": [100 * share for share in findings.each["failed"]],
    }
    # the last two counts of the course are compared as the share of conquests lost again
    values |= {name: findings.each[name] for name in (*COURSE[:2], "out")}
    return {
        name: _from_zero(mean_interval(of_games))
        for name, of_games in values.items()
        if len(of_games) >= LEAST
    }


def _first(tally: Tally) -> Interval | None:
    return tally.first


def _won(tally: Tally) -> Interval | None:
    return tally.winning if tally.finished else None


def _growth(tally: Tally) -> Interval | None:
    return mean_interval(tally.grown) if len(tally.grown) >= LEAST else None


Measure = Callable[[Tally], Interval | None]  # a figure of a realm or a bot; None without data for it
# (key, figure, title, whether it is a share)
_MEASURES: Sequence[tuple[str, Measure, str, bool]] = (
    ("first", _first, "First at the end", True),
    ("won", _won, "Finished games won", True),
    ("growth", _growth, "Growth of {score}", False),
)


def _measured(tallies: Mapping[str, Tally], measure: Measure) -> dict[str, Interval]:
    """Return a figure of all realms or bots that have it, by their codes or names."""
    intervals = {code: measure(tally) for code, tally in sorted(tallies.items())}
    return {code: interval for code, interval in intervals.items() if interval is not None}


def _uses_a_game(findings: Findings, kind: str) -> dict[str, Interval]:
    """Return how often each rule of a kind was used in a game on average, by its name."""
    return {name: _from_zero(findings.uses_a_game(kind, name)) for name in findings.rules.get(kind, {})}


def _from_zero(mean: Interval) -> Interval:
    """Return the interval of a count without the part below 0."""
    return replace(mean, low=max(0.0, mean.low))


# -- what is shown -------------------------------------------------------------------------------------------


def differences(before: JsonObject, after: JsonObject) -> list[str]:
    """Return a text for each setting (``Plan.identity``) in which two simulations differ."""
    # settings whose values say something to people; the others have fingerprints or need words of their own
    plain = ("map", "options", "turns", "bots", "seats", "seed")
    return [
        f"{name}: {shown(before[name])} before, {shown(after[name])} after"
        if name in plain
        else difference_words(name, before[name], after[name])
        for name in after
        if before[name] != after[name]
    ]


def comparison_page(title: str, sides: tuple[Side, Side], groups: Sequence[Group]) -> str:
    """Return the page that compares two simulations of the game ``title``, as HTML.

    ``sides``: before and after; ``groups``: their figures.
    """
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


def _curves(before: Findings, after: Findings) -> list[tuple[str, Plot, Plot]]:
    """Return (name, plot before, plot after) of each figure by turn, both plots on one scale.

    These are means of the first two counts of ``COURSE``, and medians of the sums of figures over all realms.
    """
    # (name, first turn, figure before, figure after): a course begins with turn 1, figures at the start
    courses = [(name, 1, course_means(before, name), course_means(after, name)) for name in COURSE[:2]]
    columns = [column for column in after.columns if column in before.columns]
    sums = [(column, 0, _sums(before, column), _sums(after, column)) for column in columns]
    plots = []
    for name, first, old_figure, new_figure in (*courses, *sums):
        if not old_figure or not new_figure:
            continue
        top = max(interval.middle for interval in (*old_figure, *new_figure))
        turns = max(len(old_figure), len(new_figure)) - 1
        draw = partial(curve, top=top, first=first, turns=turns, band=False)
        plots.append((name, draw(old_figure), draw(new_figure)))
    return plots


def _sums(findings: Findings, column: str) -> list[Interval]:
    """Return for each turn the quartiles, over all games, of the sum of a figure over all realms."""
    return list(map(quartiles, findings.sums[column].values()))


def forest(group: Group) -> Plot:
    """Return the plot of a group's changes, with their intervals around 0, and all its figures in words."""
    changes = [row.change for row in group.rows if row.change]
    most = max((max(abs(change.low), abs(change.high)) for change in changes), default=0.0)
    scale = 100 if group.share else 1
    steps = round_numbers(most * scale, MARKS // 2)
    highest = steps[-1] / scale

    def across(value: float) -> float:
        """Return where a change lies on the axis, in percent of its width: no change is in the middle."""
        return round(50 + 50 * value / highest, 2)

    end = f"{steps[-1]:g}"
    marks = [Plot(at=0, text=f"−{end}"), Plot(at=50, text="0"), Plot(at=100, text=f"+{end}")]
    return Plot(
        rows=[
            Plot(
                row=row,
                before=interval_words(row.before, share=group.share),
                after=interval_words(row.after, share=group.share),
                change=interval_words(row.change, share=group.share, sign="+"),
                at=row.change and tuple(map(across, (row.change.low, row.change.middle, row.change.high))),
            )
            for row in group.rows
        ],
        marks=marks,
    )


def comparison_lines(sides: tuple[Side, Side], groups: Sequence[Group]) -> list[str]:
    """Return the comparison as lines for a terminal: games, realms, bots, and rules that certainly changed.

    ``sides``: before and after; ``groups``: their figures.
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
    """Return the comparison as data: each figure as its interval's lower end, middle and upper end.

    ``sides``: before and after; ``groups``: their figures.
    """
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
