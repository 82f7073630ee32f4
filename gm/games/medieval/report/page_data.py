"""The data that a realm's page carries for its scripts: what everybody knows, and what is this realm's alone.

Two blocks of JSON, each the text of a ``<script type="application/json">``.

``gm-world``, the same on every page of a turn::

    format          1; scripts refuse a higher one
    game, map, title, turn, season, year    ``turn`` is the one that the next orders are for
    rules           the rules data (gm/games/medieval/rules.py) by the names they have there: movement, economy,
                    construction, commanders, statuses, units, forecast, seasons, troops (by name), fortifications
                    (level 1 first), ...; what only battles, victory or the GM need is left out
    reasons         {key: {clause, says}}: why an order can fail; ``{has}`` is a figure, ``{has:soldier}`` so many
    grammar         {headquarters, unit, plan}: [{name, shape, clause, says, kinds}], shapes as in orders/grammar.py
    places          {name: {x, y, neighbours: {name: border}, ...}} in the order of the map file (W12). A border is
                    ``open``, ``strait`` (a march over water) or what closes it: ``mountains``, ``reefs``. Only where
                    there is one: sea (true), revenue, city {name, resource, recruits}, production_limit, capital_of
    position        realms, wars, alliances, provinces, units as in the results file; what is as usual is left out

``gm-own``, a realm's: realm, key (of the next orders), treasury, and forecast (H1, before any orders).

Gold and hit points are text, exact ("12.50"), as in the results file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gm.games.medieval.atlas import Atlas, Border, Location
from gm.games.medieval.forecast import Forecast
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT, Word
from gm.games.medieval.reasons_data import load_reasons
from gm.games.medieval.report.position import position_data
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.rules import Rules
from gm.games.medieval.seasons import season_of
from gm.games.medieval.state import World
from gm.kernel.plain_data import plain
from gm.kernel.reports import ready_markup

if TYPE_CHECKING:
    from markupsafe import Markup

FORMAT = 1
"""The version of both blocks."""

_OPEN = "open"
_STRAIT = "strait"

_NOT_FOR_TRIALS = {"version", "battle", "victory", "recruits", "commander_names"}
"""Rules data that no order is judged by."""

_ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}
"""What could end the element, begin a comment or a character reference in it, or break a line of script."""


def world_block(record: TurnRecord) -> Markup:
    """The text of ``gm-world`` for the pages of a turn that was played."""
    world = public_data(record.after, record.rules, record.atlas, game=record.game, title=record.title)
    return ready_markup(script_json(world))


def own_block(record: TurnRecord, realm: str, forecast: Forecast) -> Markup:
    """The text of ``gm-own`` for one realm. Raises ``KeyError`` for a code that is no realm's."""
    return ready_markup(script_json(private_data(record.after, realm, record.keys.get(realm, ""), forecast)))


def public_data(world: World, rules: Rules, atlas: Atlas, *, game: str, title: str) -> dict[str, Any]:
    """``gm-world`` as plain data, for orders that are given in ``world``."""
    turn = world.turn + 1
    season, year = season_of(turn, rules)
    position = position_data(world)
    return {
        "format": FORMAT,
        "game": game,
        "map": atlas.name,
        "title": title,
        "turn": turn,
        "season": season,
        "year": year,
        "rules": _rules(rules),
        "reasons": {key: each.model_dump() for key, each in load_reasons().items()},
        "grammar": {
            "headquarters": [_word(each) for each in HEADQUARTERS.values()],
            "unit": [_word(each) for each in UNIT.values()],
            "plan": [_word(each) for each in PLAN.values()],
        },
        "places": _places(atlas),
        "position": {name: position[name] for name in ("realms", "wars", "alliances", "provinces", "units")},
    }


def private_data(world: World, realm: str, key: str, forecast: Forecast) -> dict[str, Any]:
    """``gm-own`` as plain data. Raises ``KeyError`` for a code that is no realm's."""
    return {
        "format": FORMAT,
        "realm": realm,
        "key": key,
        "treasury": str(world.realms[realm].treasury),
        "forecast": plain(forecast),
    }


def script_json(data: Any) -> str:
    """``data`` as JSON that is safe inside a script element, whatever players wrote into it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _rules(rules: Rules) -> dict[str, Any]:
    found = rules.model_dump(mode="json", exclude=_NOT_FOR_TRIALS)
    del found["economy"]["flagged_words"]
    for troop in found["troops"].values():
        del troop["regions"]
    return found


def _word(word: Word) -> dict[str, str]:
    return {
        "name": word.name,
        "shape": word.shape.name,
        "clause": word.clause,
        "says": word.says,
        "kinds": word.kinds,
    }


def _places(atlas: Atlas) -> dict[str, Any]:
    found = {name: _place(location) for name, location in atlas.locations.items()}
    borders = {frozenset((each.a, each.b)): _border(each) for each in atlas.borders}
    for name, place in found.items():
        place["neighbours"] = {other: borders[frozenset((name, other))] for other in atlas.graph.neighbours(name)}
    return found


def _border(border: Border) -> str:
    if border.barrier is not None:
        return border.barrier.value
    return _STRAIT if border.strait else _OPEN


def _place(location: Location) -> dict[str, Any]:
    x, y = location.label
    found: dict[str, Any] = {"x": x, "y": y}
    if location.sea:
        found["sea"] = True
    if location.revenue:
        found["revenue"] = str(location.revenue)
    if location.city is not None:
        city = location.city
        found["city"] = {"name": city.name, "resource": city.resource, "recruits": list(city.recruits)}
    if location.production_limit:
        found["production_limit"] = location.production_limit
    if location.capital_of is not None:
        found["capital_of"] = location.capital_of
    return found
