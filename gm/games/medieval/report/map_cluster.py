"""What the page's map shows at a place: symbols above its name, troops below, all around the place's label.

Everything is drawn in the map's own small units, nineteen to the font size, and each symbol is written down once and
used by name: three hundred places would make a page twice as long otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_markers import Marker, markers_at
from gm.games.medieval.report.map_places import marker_boxes, row_height, works
from gm.games.medieval.report.map_symbols import INK, PAPER, miniature
from gm.games.medieval.report.map_text import Box, NameText
from gm.games.medieval.report.places import slug
from gm.games.medieval.state import Province, World
from gm.games.medieval.steps.economy import province_revenue
from gm.text.pages import gold

SIZE = 19
"""The font size of names, in the units that all at a place is drawn in."""
_FLAG = '<path stroke-width="1.2" d="M-4,9V-9L7,-5 -4,-1"/>'
_BASE = '<rect class="base" x="-11.5" y="-11.5" width="23" height="23"/>'

CLUSTER_STYLE = (
    f".n text{{font-size:{SIZE}px}}.t text{{font-size:14.5px}}.coin text{{font-size:12.5px}}"
    f".base{{fill:var(--d);stroke:var(--edge,{INK});stroke-width:var(--rim,1.2px);rx:var(--round,2px)}}"
    f".flag{{fill:var(--c);stroke:{INK};stroke-linejoin:round}}"
    f".pill{{fill:{PAPER};stroke:{INK}}}.purse{{fill:#f3d675;stroke:{INK}}}"
    ".at .s{transform:scale(var(--unit))}"
)


class Clusters:
    """Draws places one after the other and remembers the symbols that they use.

    ``names`` are the texts of the places' names on the map, ``unit`` is their font size there.
    """

    def __init__(
        self, atlas: Atlas, world: World, rules: Rules, names: dict[str, NameText], unit: float, prefix: str
    ) -> None:
        self._atlas, self._world, self._rules = atlas, world, rules
        self._names, self._scale, self._prefix = names, SIZE / unit, prefix
        self._symbols: dict[str, str] = {}
        """The name of each symbol used so far, by its drawing."""

    def draw(self, place: Location) -> str:
        """The link that holds all there is at a place: ``row`` of symbols, ``n`` its name and a ``t`` for each side."""
        land = self._world.provinces.get(place.name)
        css = "sea" if land is None else "capital" if place.capital_of else "town" if place.city else "land"
        on_map = self._names[place.name]
        text = NameText(on_map.lines, on_map.size * self._scale, 0.0, 0.0)
        row = "".join(self._row(place, land)) if land else ""
        if row:
            row = f'<g class="row" {_move(0, row_height(text, SIZE))}>{row}</g>'
        troops = markers_at(self._world, self._rules, place.name, None)
        boxes = marker_boxes(text, len(troops), SIZE)
        drawn = "".join(self._troops(found, box) for found, box in zip(troops, boxes, strict=True))
        return (
            f'<a class="at {css}" href="#place-{slug(place.name)}" aria-label="{escape(place.name)}" '
            f'{_move(*place.label)}><g class="s">{row}<g class="n">{self._name(text, place.sea)}</g>{drawn}</g></a>'
        )

    def definitions(self) -> str:
        """The symbols that the drawn places use."""
        return "".join(f'<g id="{name}">{drawing}</g>' for drawing, name in self._symbols.items())

    def _row(self, place: Location, land: Province) -> Iterator[str]:
        """The works in the middle; the flag stands to their left and the revenue to their right."""
        row = works(place, land)
        half = sum(width for _, _, width in row) / 2
        left = -half
        for css, drawing, width in row:
            yield self._use(drawing, css, left + width / 2)
            left += width
        if land.annexed_to:
            side = "" if land.annexed_to == land.owner else " foreign"
            yield self._use(_FLAG, f"flag u-{land.annexed_to}{side}", -half - 10)
        words = gold(province_revenue(land, self._atlas, self._rules))
        wide = 9 + 6.4 * len(words)
        purse = f'<rect class="purse" x="{number(-wide / 2)}" y="-8" width="{number(wide)}" height="16" rx="8"/>'
        css = "level broken" if land.damage else "level"
        at = half + wide / 2 + 2 if row else 0
        yield f'<g class="coin" {_move(at, 0)}>{self._use(purse)}<text class="{css}" y="4.3">{words}</text></g>'

    def _name(self, text: NameText, sea: bool) -> str:
        drawn = text.svg("sea-name" if sea else "name")
        return drawn.replace(f' font-size="{SIZE}"', "").replace(' x="0"', "")

    def _troops(self, found: Marker, box: Box) -> str:
        digits = len(str(found.count))
        end = 15 + 8.4 * digits + 4
        pill = f'<rect class="pill" y="-8.5" width="{number(end)}" height="17" rx="4"/>'
        figure = f'{_BASE}<g class="figure" transform="scale(.86)">{miniature(found.best)}</g>'
        return (
            f'<g class="t u-{found.side}" {_move(box.x - (end - 11.5) / 2, box.y)}>{self._use(pill)}{self._use(figure)}'
            f'<text class="count" x="{number(13.5 + 4.2 * digits)}" y="5">{found.count}</text></g>'
        )

    def _use(self, drawing: str, css: str = "", x: float = 0) -> str:
        name = self._symbols.setdefault(drawing, f"{self._prefix}-s{len(self._symbols)}")
        of_class = f' class="{css}"' if css else ""
        at = f' x="{number(x)}"' if round(x, 1) else ""
        return f'<use{of_class} href="#{name}"{at}/>'


def _move(x: float, y: float) -> str:
    return f'transform="translate({number(x)},{number(y)})"'
