"""The table that is printed, with budget and mark, and the file of figures that releases are compared by."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.timing import Timing

HEAD = f"{'':<54}{'processor':>13}{'spread':>13}{'wall':>9}{'memory':>10}{'must':>12}{'good':>12}"
DIFFERENCE = 0.1
"""The share by which a figure differs at least to be named in a comparison."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a figure must be, and what would be good."""

    must: float
    good: float
    unit: str = "P"
    least: bool = False
    """Whether both are limits from below."""

    def mark(self, figure: float) -> str:
        """Return ``good``, ``must`` (that is held, and no more) or ``OVER``."""
        if self._keeps(figure, self.good):
            return "good"
        return "must" if self._keeps(figure, self.must) else "OVER"

    def _keeps(self, figure: float, limit: float) -> bool:
        """Return whether a figure keeps a limit."""
        return figure >= limit if self.least else figure <= limit


@dataclass
class Table:
    """A table that is printed line by line as figures come in; what it keeps is by the figures' names."""

    figures: dict[str, float] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    """How each figure with a budget meets it."""
    units: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    """The heading over each figure."""
    spreads: dict[str, list[float]] = field(default_factory=dict)
    """The least and the most of the runs, where a figure is the median of some."""
    _title: str = "commands"

    def title(self, text: str) -> None:
        """Print a heading over the next lines."""
        print(f"\n{text}", flush=True)
        self._title = text

    def timing(self, name: str, timing: Timing, budget: Budget | None = None) -> Timing:
        """Print a line for a command and return its timing."""
        spread = f"{timing.least:.1f}-{timing.most:.1f}"
        clocks = f"{timing.in_p:>11.1f} P{spread:>13}{timing.wall_in_p:>7.0f} P{timing.memory:>6.0f} MiB"
        self._add(name, timing.in_p, clocks, budget)
        self._add_spread(name, timing.least, timing.most)
        self.units[name] = "P"
        memory_name = f"{name}, memory in MiB"
        self.units[memory_name] = "MiB"
        self.figures[memory_name] = round(timing.memory)
        return timing

    def figure(self, name: str, value: float, unit: str, budget: Budget | None = None) -> None:
        """Print a line for any other figure."""
        text = f"{_figure_text(value)} {unit}"
        self._add(name, value, f"{text:>13}{'':>32}", budget)
        self.units[name] = unit

    def figures_of(self, name: str, values: Sequence[float], unit: str, budget: Budget | None = None) -> None:
        """Print a line for the median of some measurements, with the least and the most of them."""
        middle = statistics.median(values)
        least = min(values)
        most = max(values)
        text = f"{_figure_text(middle)} {unit}"
        spread = f"{_figure_text(least)}-{_figure_text(most)}"
        self._add(name, middle, f"{text:>13}{spread:>13}{'':>19}", budget)
        self._add_spread(name, least, most)
        self.units[name] = unit

    def note(self, name: str, text: str) -> None:
        """Print a line with a text in place of a figure."""
        print(f"{name:<54}{text}", flush=True)

    def _add(self, name: str, value: float, columns: str, budget: Budget | None) -> None:
        """Keep a figure and print its line, with its budget and the mark behind the columns."""
        self.figures[name] = round(value, 4)
        self.titles[name] = self._title
        limits = ""
        if budget is not None:
            mark = budget.mark(value)
            self.marks[name] = mark
            must = f"{budget.must:,g} {budget.unit}"
            good = f"{budget.good:,g} {budget.unit}"
            limits = f"{must:>12}{good:>12}   {mark}"
        print(f"{name:<54}{columns}{limits}".rstrip(), flush=True)

    def _add_spread(self, name: str, least: float, most: float) -> None:
        """Keep the least and the most of a figure's runs."""
        self.spreads[name] = [round(least, 4), round(most, 4)]

    def save(self, path: Path, version: str) -> None:
        """Write the figures as JSON, to be compared with another release's."""
        measured = {
            "gm": version,
            "load": round(os.getloadavg()[0], 1),
            "figures": self.figures,
            "units": self.units,
            "titles": self.titles,
            "marks": self.marks,
            "spreads": self.spreads,
        }
        path.write_text(json.dumps(measured, indent=1) + "\n")

    def compare(self, path: Path) -> None:
        """Print what is a tenth more or less than in a saved file."""
        before = json.loads(path.read_text())
        print(f"\nAgainst pbem {before['gm']} ({path}), what differs by a tenth and more:")
        for name, figure in self.figures.items():
            old = before["figures"].get(name)
            if old and abs(figure / old - 1) >= DIFFERENCE:
                print(f"{name:<54}{old:>12g} -> {figure:g}")


def _figure_text(value: float) -> str:
    """Return a figure as text: the larger it is, the fewer decimals."""
    if value >= 1000:
        return f"{value:,.0f}"
    if value < 10:
        return f"{value:,.2f}"
    return f"{value:,.1f}"
