"""The map of Conqueror! as a picture (map.svg), and the figures of its reports (report.html)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from math import dist
from typing import Any

from gm.core.diagnostics import fold
from gm.game.base.drawing import BoardPicture, Point, number
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.games.conqueror.figures import labour, outlook, possible_items, public_score, rush_price
from gm.games.conqueror.labels import Label, labels_of
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.shapes import SEA, WILD, Edge, shapes_of
from gm.games.conqueror.state import CULTURES, NEUTRAL, Player, Province, World
from gm.text.languages import Translate

SCALE = 1.3  # The enlargement of a map without outlines; outlines that a map has are drawn as they are
BRIGHT = 0.42  # A colour of more luminance, from 0 to 1, has dark letters on it
LONG_NAME = 9  # Longer names, in letters, stand on two lines if they have a space in them
ASHORE = 8.0  # How far inland ways over water begin
FLAGS = 8  # The number of charges for flags, and of hatchings for lands


class Picture(BoardPicture):
    """The map as a picture: its provinces with their owners, names and armies."""

    edge = 26.0  # The margin around the land
    badge = 13.0  # The radius of the circle with a province's armies
    legend_line = 30.0  # The height of a row of the legend
    letter = 9.6  # The width of a letter in the legend
    rest = 56.0  # What else an entry of the legend is wide
    nobody = NEUTRAL
    nobodys = "#a89f8c"
    gap = badge + 3
    aside = 6.0
    halo = 7.5

    def __init__(self, table: GameData, state: World, view: MapView, translate: Translate = str) -> None:
        """Compute the visible part of the map and the size of the picture."""
        super().__init__(table, state, view, translate)
        self.shapes = shapes_of(self.board, 1.0 if self.board.outlines else SCALE)
        self.shown: tuple[str, ...] = tuple(self.board.by_id)
        if view.zoom is not None:
            provinces = self.board.provinces
            # the place to zoom to may be given by its name or its code
            code_of_name = {fold(province.name): code for code, province in self.board.by_id.items()}
            centre_code = code_of_name.get(fold(view.zoom), view.zoom.strip().upper())
            steps = self.board.steps[
                self.centre(centre_code, provinces, (*provinces, *code_of_name), "province of this map")
            ]
            # the province that was asked for and its neighbours
            self.shown = tuple(place for place in self.shown if steps[place] <= 1)
        xs, ys = zip(*chain.from_iterable(map(self.shapes.corners, self.shown)), strict=True)
        self._left, self._top = min(xs) - self.edge, min(ys) - self.edge
        self.width, self.bottom = max(xs) - self._left + self.edge, max(ys) - self._top + self.edge
        self.rows = list(self._legend_rows())
        self.height = self.bottom + self.legend_line * len(self.rows) + 8  # a little room below the legend

    def _at(self, point: Point) -> Point:
        """Return where a point of the map is in the picture."""
        return point[0] - self._left, point[1] - self._top

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each province that is shown, by code."""
        return {code: self._at(self.shapes.middles[code]) for code in self.shown}

    def path(self, code: str) -> str:
        """Return the outline of a province as the data of an SVG path."""
        return "".join(map(self._closed, self.shapes.rings[code]))

    def _closed(self, ring: Iterable[Edge]) -> str:
        """Return a ring of edges as the data of an SVG path."""
        return f"{self.track(edge.start for edge in ring)}z"

    def track(self, points: Iterable[Point]) -> str:
        """Return a line through points as the data of an SVG path."""
        return _track(tuple(points), self._left, self._top)

    @property
    def wilds(self) -> str:
        """The outlines of land that no player can have, as the data of an SVG path."""
        return "".join(f"{self.track(ring)}z" for ring in self.shapes.wilds)

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield (data of an SVG path, kind) for every edge of the provinces shown, each once.

        The kind is ``coast``, ``end`` (land that nobody can have), ``barrier`` (two provinces that touch and
        are no neighbours by the rules), ``own`` or ``border`` (neighbours of one owner or of two).
        """
        owners = {code: province.owner for code, province in self.state.provinces.items()}
        for points, code, behind in self.shapes.lines(self.shown):
            if behind in (SEA, WILD):
                kind = "coast" if behind == SEA else "end"
            elif frozenset((code, behind)) not in self.shapes.borders:
                kind = "barrier"
            else:
                kind = "own" if owners[code] == owners[behind] else "border"
            yield self.track(points), kind

    @property
    def crossings(self) -> Iterator[str]:
        """The ways over water between the provinces shown, as data of SVG paths."""
        for pair, (start, end) in self.shapes.crossings.items():
            if set(pair) <= set(self.shown):
                # from a little inland on, so that even the narrowest water has a way that can be seen
                length = dist(start, end) or 1  # never 0: it divides
                inland_x = ASHORE * (end[0] - start[0]) / length
                inland_y = ASHORE * (end[1] - start[1]) / length
                start_inland = start[0] - inland_x, start[1] - inland_y
                end_inland = end[0] + inland_x, end[1] + inland_y
                yield self.track([start_inland, end_inland])

    def flag(self, owner: str) -> int:
        """Return the number of the charge on a player's flag and of the hatching of their land."""
        return list(self.state.parties).index(owner) % FLAGS

    def ink(self, owner: str) -> str:
        """Return the text colour that can be read on a player's colour."""
        colour = self.colour(owner)
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        # as in the usual formula for the contrast of colours on a screen
        luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
        return "#2a2118" if luminance > BRIGHT else "#ffffff"

    def name_lines(self, code: str) -> list[str]:
        """Return the lines of a province's name in the reader's language; a long one is cut at a space."""
        name = self.translate(self.board.by_id[code].name)
        first, _, rest = name.rpartition(" ")
        return [first, rest] if first and len(name) > LONG_NAME else [name]

    @cached_property
    def labels(self) -> Mapping[str, list[Label]]:
        """The labels of each province, by code, one for each line of text.

        They are the name and the code where they hide no other label or badge, the name or the code alone
        where there is less room, at worst none.
        """
        return labels_of({code: (at, self.name_lines(code)) for code, at in self.places.items()}, self.badge)

    def _legend_rows(self) -> Iterator[list[tuple[str, str]]]:
        """Yield the rows of the legend, (code, name and number of provinces) for as many players as fit."""
        row: list[tuple[str, str]] = []
        used = self.edge
        for code, player in self.state.parties.items():
            words = f"{self.translate(player.name)}: {len(self.state.owned(code))}"
            width = self.rest + self.letter * len(words)
            if row and used + width > self.width - self.edge:
                yield row
                row = []
                used = self.edge
            row.append((code, words))
            used += width
        yield row


@lru_cache(maxsize=4096)
def _track(points: tuple[Point, ...], left: float, top: float) -> str:
    """Return a line through points as the data of an SVG path; ``left`` and ``top`` become 0.

    It is cached, since all maps of a turn have the same edges.
    """
    pairs = (f"{number(x - left)} {number(y - top)}" for x, y in points)
    return f"M{'L'.join(pairs)}"


def values(scene: Scene) -> dict[str, Any]:
    """Return the values for the template ``report.html`` of the reader's report, by name."""
    state: World = scene.after
    code = scene.code
    land = scene.table.board
    rules: Rules = state.settings.applied(scene.table.rules)
    owned = state.owned(code)
    player = state.parties[code]
    coming = outlook(state, code, land, rules)
    near = land.beside([province.code for province in owned])
    strangers = [province for province in state.provinces.values() if province.owner != code]

    def score(player: Player) -> int:
        """Return a player's score as all may know it."""
        # gold counts only once the game is over: before, others could compute it from the score
        return player.score if state.winners is not None else public_score(player, rules)

    def prices(province: Province) -> list[str]:
        """Return each item that gold can finish in a province, with its price."""
        for_sale = [item for item in possible_items(province, rules) if item != TAXES]
        return [f"{item} {rush_price(province, item, rules)}" for item in for_sale]

    def labour_of(province: Province) -> int:
        """Return the labour of a province in the coming turn."""
        return labour(province, state.turn + 1, rules)

    def able(province: Province) -> list[str]:
        """Return the items that a province can work on, in the order of the rules."""
        return possible_items(province, rules)

    def title(player: Player) -> str:
        """Return a player's title with the leader's name, if there is one."""
        return f"{_(rules.title_of(player.prestige, player.leader.sex))} {player.leader.name}".strip()

    strongest = max(owned, key=lambda province: (province.fresh, province.code), default=None)
    scores = {party.code: score(party) for party in state.parties.values()}
    _ = scene.translate
    return {
        "CULTURES": CULTURES,
        "NEUTRAL": NEUTRAL,
        "rules": rules,
        "owned": owned,
        "coming": coming,
        "expected": player.gold + coming.until_winter,
        "score": score,
        "best": max(scores.values()),
        "ranking": _ranking(state, scores),
        "title": title,
        "time_left": _time_left(scene, rules),
        "near": near,
        "strangers": sorted(strangers, key=lambda stranger: (stranger.code not in near, stranger.code)),
        "labour": labour_of,
        "able": able,
        "prices": prices,
        "strongest": strongest,
        "target": _target_beside(scene, strongest) if strongest else "",
    }


def _ranking(state: World, scores: Mapping[str, int]) -> list[tuple[Player, int]]:
    """Return (player, place) for all players, the best first; equals share a place.

    ``scores``: by code.
    """

    def place(player: Player) -> int:
        return 1 + sum(score > scores[player.code] for score in scores.values())

    ranked = sorted(state.parties.values(), key=lambda player: -scores[player.code])
    return [(player, place(player)) for player in ranked]


def _time_left(scene: Scene, rules: Rules) -> str:
    """Return in words the number of turns left, and the last day, if one is set."""
    state: World = scene.after
    phrase = scene.formatter.phrase
    turns_words = phrase("{turns:turn}", turns=max(0, rules.limits.turns - state.turn))
    until = state.settings.until
    return phrase("{turns}, until {day}", turns=turns_words, day=until.isoformat()) if until else turns_words


def _target_beside(scene: Scene, province: Province) -> str:
    """Return the code of a neighbouring province, for an example of a move in the template.

    It is not the reader's if there is such a neighbour; empty without any neighbour.
    """
    neighbours = scene.table.board.neighbours[province.code]
    for neighbour in neighbours:
        if scene.after.provinces[neighbour].owner != scene.code:
            return str(neighbour)
    return neighbours[0] if neighbours else ""
