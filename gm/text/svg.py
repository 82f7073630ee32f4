"""Building blocks for the drawings of small games: escaped text, lines, arrows, a frame that fits light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import hypot

Point = tuple[float, float]

STYLE = """
.paper{fill:#fbf6ea}.line{stroke:#5e5140}.ink{fill:#2a2118}.soft{fill:#5e5140}.halo{fill:#fbf6ea;stroke:#fbf6ea}
@media screen and (prefers-color-scheme:dark){
.paper{fill:#1c1814}.line{stroke:#b8ab93}.ink{fill:#ebe2d0}.soft{fill:#b8ab93}.halo{fill:#1c1814;stroke:#1c1814}}
text{font-family:"DejaVu Sans",Verdana,sans-serif;text-anchor:middle}
"""


def number(value: float) -> str:
    """A coordinate: two decimals at most, the same on every machine."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def element(name: str, attributes: Mapping[str, object], inside: str | None = None) -> str:
    """An element; ``inside`` is markup, or text that :func:`text_of` has escaped."""
    made = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value) if isinstance(value, float) else str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{made}/>" if inside is None else f"<{name}{made}>{inside}</{name}>"


def text(at: Point, words: str, *, size: float = 14, kind: str = "ink", **more: object) -> str:
    """Words centred at a point."""
    return element("text", {"x": at[0], "y": at[1], "font_size": size, "class_": kind, **more}, escape(words))


def titled(inside: str, title: str) -> str:
    """A group that tells what it is when somebody points at it."""
    return f"<g><title>{escape(title)}</title>{inside}</g>"


def line(start: Point, end: Point, **more: object) -> str:
    """A straight line."""
    return element("line", {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1], **more})


def between(start: Point, end: Point, *, gap: float, aside: float = 0) -> tuple[Point, Point]:
    """The part of a line that keeps ``gap`` from both its ends, moved ``aside`` to the right of its direction."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    gap = min(gap, length * 0.4)
    shift = (-dy * aside, dx * aside)
    return (
        (start[0] + dx * gap + shift[0], start[1] + dy * gap + shift[1]),
        (end[0] - dx * gap + shift[0], end[1] - dy * gap + shift[1]),
    )


def arrow(start: Point, end: Point, colour: str, *, width: float = 3, dashed: bool = False) -> str:
    """A line with a head."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    size = width * 3
    neck = (end[0] - dx * size, end[1] - dy * size)
    half = size * 0.6
    points = [end, (neck[0] - dy * half, neck[1] + dx * half), (neck[0] + dy * half, neck[1] - dx * half)]
    shaft = line(start, neck, stroke=colour, stroke_width=width, stroke_dasharray="6 5" if dashed else None)
    return shaft + polygon(points, fill=colour)


def polygon(points: Iterable[Point], **more: object) -> str:
    """A closed shape."""
    return element("polygon", {"points": " ".join(f"{number(x)},{number(y)}" for x, y in points), **more})


def drawing(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A whole picture, for a page or a file of its own."""
    head = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "role": "img",
        "aria_label": title,
    }
    paper = element("rect", {"width": "100%", "height": "100%", "class_": "paper"})
    return element("svg", head, f"<title>{escape(title)}</title><style>{STYLE}</style>{paper}{''.join(parts)}") + "\n"
