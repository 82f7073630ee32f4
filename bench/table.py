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


@dataclass(frozen=True, slots=True)
class Budget:
    """What a figure must be, and what would be good. ``least``: both are limits from below."""

    must: float
    good: float
    unit: str = "P"
    least: bool = False

    def mark(self, figure: float) -> str:
        """``good``, ``must`` (that is held, and no more) or ``OVER``."""
        if self.least:
            return "good" if figure >= self.good else "must" if figure >= self.must else "OVER"
        return "good" if figure <= self.good else "must" if figure <= self.must else "OVER"


@dataclass
class Table:
    """Prints line by line as figures come in, and keeps them. ``marks`` counts how budgets were met."""

    figures: dict[str, float] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    """The heading over each figure."""
    spreads: dict[str, list[float]] = field(default_factory=dict)
    """The least and the most of the runs, where a figure is the median of some."""
    _title: str = "commands"

    def title(self, text: str) -> None:
        """A heading over the next lines."""
        print(f"\n{text}", flush=True)
        self._title = text

    def timing(self, what: str, timing: Timing, budget: Budget | None = None) -> Timing:
        """A line for a command."""
        spread = f"{timing.least:.1f}-{timing.most:.1f}"
        clocks = f"{timing.in_p:>11.1f} P{spread:>13}{timing.wall_in_p:>7.0f} P{timing.memory:>6.0f} MiB"
        self._line(what, timing.in_p, clocks, budget)
        self.spreads[what] = [round(timing.least, 4), round(timing.most, 4)]
        self.units |= {what: "P", f"{what}, memory in MiB": "MiB"}
        self.figures[f"{what}, memory in MiB"] = round(timing.memory)
        return timing

    def figure(self, what: str, value: float, unit: str, budget: Budget | None = None) -> None:
        """A line for any other figure."""
        self._line(what, value, f"{_shown(value) + ' ' + unit:>13}{'':>32}", budget)
        self.units[what] = unit

    def figures_of(self, what: str, values: Sequence[float], unit: str, budget: Budget | None = None) -> None:
        """A line for the median of some measurements, with the least and the most of them."""
        middle = statistics.median(values)
        spread = f"{_shown(min(values))}-{_shown(max(values))}"
        self._line(what, middle, f"{_shown(middle) + ' ' + unit:>13}{spread:>13}{'':>19}", budget)
        self.units[what] = unit
        self.spreads[what] = [round(min(values), 4), round(max(values), 4)]

    def note(self, what: str, text: str) -> None:
        """A line that says why there is no figure."""
        print(f"{what:<54}{text}", flush=True)

    def _line(self, what: str, value: float, shown: str, budget: Budget | None) -> None:
        self.figures[what], self.titles[what] = round(value, 4), self._title
        limits = ""
        if budget is not None:
            self.marks[what] = budget.mark(value)
            limits = "".join(f"{f'{each:,g} {budget.unit}':>12}" for each in (budget.must, budget.good))
            limits += f"   {self.marks[what]}"
        print(f"{what:<54}{shown}{limits}".rstrip(), flush=True)

    def save(self, path: Path, version: str) -> None:
        """Write the figures as JSON, to be compared with another release's."""
        of_each = {"units": self.units, "titles": self.titles, "marks": self.marks, "spreads": self.spreads}
        told = {"gm": version, "load": round(os.getloadavg()[0], 1), "figures": self.figures, **of_each}
        path.write_text(json.dumps(told, indent=1) + "\n")

    def compare(self, path: Path) -> None:
        """Print what is a tenth more or less than in a saved file."""
        before = json.loads(path.read_text())
        print(f"\nAgainst pbem {before['gm']} ({path}), what differs by a tenth and more:")
        for what, figure in self.figures.items():
            old = before["figures"].get(what)
            if old and abs(figure / old - 1) >= 0.1:
                print(f"{what:<54}{old:>12g} -> {figure:g}")


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
