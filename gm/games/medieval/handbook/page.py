"""The handbook's page: one self-contained HTML file, made of the rules data, the texts and a played turn.

The tutorial's order file is read and tried as in a game, so that costs, strengths and outcomes in its text
are those of the game's code.
"""

from collections.abc import Mapping
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple, cast

from gm.core.diagnostics import fold
from gm.core.yaml.source import Source
from gm.game.answers import Preview
from gm.game.base.texts import chapter_views
from gm.games.medieval.analysis.forecast import FORMING, forecast, outcomes_of_steps
from gm.games.medieval.analysis.trial import preview_orders
from gm.games.medieval.data.atlas import Atlas, City
from gm.games.medieval.data.clauses_data import numbered
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.handbook import tables
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.handbook.texts import GUIDES, Tutorial, guide, terms, topics, tutorial
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read import read_orders
from gm.games.medieval.report.map_drawing import draw_map
from gm.games.medieval.report.map_marks import planned_moves
from gm.games.medieval.report.page_data import inlined
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.games.medieval.state.strength import hit_points, pace, total_combat
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.movement import march_cost
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.markup import html_of, line_of
from gm.text.pages import figure, gold, listed, ready_markup, render

STYLES = ("handbook", "handbook-page")
SCRIPTS = ("dom", "parts", "contents", "handbook")
FILE = "my-orders.yaml"  # the name of the tutorial's order file
SECTIONS = ("headquarters", "units")  # its parts below the head


class LandRow(NamedTuple):
    """A province of the tutorial's map with the troops in it."""

    name: str
    owner: str  # the realm's name; empty for independents
    revenue: Decimal  # in gold a turn
    city: City | None
    walls: str  # the name of the fortification's level; empty without one
    level: int  # of the fortification
    harbour: bool
    troops: str  # in words, with commanders
    combat: int  # of all troops together
    hit_points: Decimal
    enter: int | None = None  # the move-points of a march there; None if it is closed, or not shown


class Lesson(NamedTuple):
    """What the steps of the tutorial show."""

    file: str  # the whole order file
    preview: Preview  # what checking the file says
    lands: list[LandRow]  # the realm's provinces
    neighbours: list[LandRow]  # foreign provinces
    recruits: list[TroopType]  # of the capital's city
    figures: Mapping[str, Any]  # see :func:`_figures`
    map: str  # an <svg> element with the ordered moves


def order_file(tutorial: Tutorial) -> str:
    """Return the whole order file, put together from the lines of the steps.

    Raises ``ValueError`` if the heading below which a step's lines belong is not there once.
    """

    def added(section: str) -> str:
        """Return the lines that the steps add to a section."""
        return "".join(step.orders for step in tutorial.steps if step.into == section)

    text = added("head") + "".join(f"\n{name}:\n{added(name)}" for name in SECTIONS if added(name))
    for step in tutorial.steps:
        if step.orders and step.into not in ("head", *SECTIONS):
            heading = f"  {step.into}:\n"
            if text.count(heading) != 1:
                raise ValueError(
                    f"tutorial.yaml: step {step.id} goes below {step.into}, which is not there once"
                )
            text = text.replace(heading, heading + step.orders)
    return text


def read_file(tutorial: Tutorial, text: str, world: World, rules: Rules, atlas: Atlas) -> Orders:
    """Return the orders in a ``text`` of the tutorial, for the turn after ``world``.

    Raises ``ValueError`` if the reader has anything to say about them.
    """
    key = tutorial.next_key if world.turn else tutorial.key
    head: dict[str, Any] = {"game": tutorial.map, "realm": tutorial.realm, "turn": world.turn + 1, "key": key}
    file = read_orders(text.encode(), FILE, world=world, rules=rules, atlas=atlas, **head)
    if file.sheet is None or file.diagnostics:
        raise ValueError(
            "the tutorial's file: " + "\n".join(finding.render() for finding in file.diagnostics)
        )
    return cast("Orders", file.sheet)


def lesson(
    tutorial: Tutorial, world: World, rules: Rules, atlas: Atlas, translate: Translate = str
) -> Lesson:
    """Return what the steps of the tutorial show, from the start position ``world`` of its map."""
    text = order_file(tutorial)
    realm = tutorial.realm
    sheet = read_file(tutorial, text, world, rules, atlas)
    city = atlas.city(atlas.realms[realm].capital)
    moves = tuple(planned_moves(sheet, world))
    return Lesson(
        file=text,
        preview=preview_orders(world, realm, sheet, rules, atlas, Source(FILE, text), translate),
        lands=[_row(world, rules, atlas, land.name) for land in world.owned_by(realm)],
        neighbours=_neighbours(realm, world, rules, atlas),
        recruits=[rules.troops[name] for name in (city.recruits if city else ())],
        figures=_figures(sheet, world, [move.end for move in moves], rules, atlas),
        map=draw_map(
            atlas, world, rules, realm=realm, phases={0: moves}, zoom=tutorial.around, prefix="lesson"
        ),
    )


def _row(world: World, rules: Rules, atlas: Atlas, name: str, enter: int | None = None) -> LandRow:
    """Return the lesson's row of a province; ``enter``: the move-points of a march there."""
    land = world.provinces[name]
    owner = "" if land.owner == INDEPENDENTS else world.realms[land.owner].name
    level = rules.fortification(land.fortification)
    guards = [unit for unit in world.at(name) if not unit.is_fleet and not unit.empty]
    return LandRow(
        name=name,
        owner=owner,
        revenue=province_revenue(land, atlas, rules),
        city=atlas.city(name),
        walls=level.name if level else "",
        level=land.fortification,
        harbour=land.harbour,
        troops="; ".join(map(_members, guards)),
        combat=sum(total_combat(unit, rules) for unit in guards),
        hit_points=sum((hit_points(unit, rules) for unit in guards), Decimal(0)),
        enter=enter,
    )


def _members(unit: Unit) -> str:
    """Return the troops and commanders of a unit in words."""
    troops = [numbered(count, troop) for troop, count in unit.counts().items()]
    return ", ".join([*troops, *unit.commander_names])


def _neighbours(realm: str, world: World, rules: Rules, atlas: Atlas) -> list[LandRow]:
    """Return the foreign provinces over an open border: first those that the realm's armies may enter."""
    own_names = [land.name for land in world.owned_by(realm)]
    neighbours = dict.fromkeys(
        chain.from_iterable(atlas.open_neighbours(land, sea=False) for land in own_names)
    )
    foreign_names = [name for name in neighbours if name not in own_names]
    permitted = [
        name
        for name in foreign_names
        if world.is_enemy_land(realm, name) or world.has_permission(realm, name)
    ]
    rows = [_row(world, rules, atlas, name, march_cost(world, rules, realm, name)) for name in permitted]
    return rows + [_row(world, rules, atlas, name) for name in foreign_names if name not in permitted]


def _figures(sheet: Orders, world: World, ends: list[str], rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """Return the tutorial's figures by name, such as ``tutorial.treasury`` or ``tutorial.A1.combat``.

    ``ends``: the provinces to which armies march; they and the realm's own have figures of their defenders.
    """
    realm_forecast = forecast(world, sheet.realm, sheet, rules, atlas)
    own_names = [land.name for land in world.owned_by(sheet.realm)]
    targets = list(dict.fromkeys(ends))
    figures: dict[str, Any] = {
        name: gold(getattr(realm_forecast, name)) for name in ("treasury", "upkeep", "surplus", "decay")
    }
    figures |= {
        "provinces": len(own_names),
        "revenue": gold(realm_forecast.expected_revenue),
        "cost": gold(realm_forecast.garrison_expenses),
        # annexing a province costs its revenue (L6)
        "annex": gold(sum((atlas.locations[name].revenue for name in targets), Decimal(0))),
        "targets": listed(targets),
    }
    # the units when new ones are formed and filled, before anybody moves (F5-F8)
    *_, after_forming = outcomes_of_steps(world, sheet.realm, sheet, rules, atlas, FORMING)
    for unit in after_forming.state.of_realm(sheet.realm):
        if not unit.is_garrison:
            figures[f"{unit.id}.combat"] = total_combat(unit, rules)
            figures[f"{unit.id}.hit_points"] = figure(hit_points(unit, rules))
            figures[f"{unit.id}.pace"] = pace(unit, rules)
    for name in (*targets, *own_names):
        row = _row(world, rules, atlas, name)
        figures[f"{row.name}.combat"] = row.combat
        figures[f"{row.name}.hit_points"] = figure(row.hit_points)
        figures[f"{row.name}.resource"] = row.city.resource if row.city else 0
    return {f"tutorial.{name}": value for name, value in figures.items()}


def handbook_page(
    rules: Rules, atlas: Atlas, lesson_game: tuple[World, Rules, Atlas], language: str = ENGLISH
) -> str:
    """Return the players' handbook, as HTML, for a game with these rules on this map, in a language.

    ``lesson_game``: the start position, rules and map with which the tutorial is played. Raises
    ``ValueError`` when a text names an unknown figure or the tutorial's orders do not fit.
    """
    _, lesson_rules, lesson_atlas = lesson_game
    translate = translator("medieval", language)
    figures = RuleFigures(rules, atlas, translate=translate)
    lesson_values = lesson(tutorial(), *lesson_game, translate)
    lesson_figures = RuleFigures(lesson_rules, lesson_atlas, lesson_values.figures, translate)
    values: dict[str, Any] = {
        "rules": rules,
        "atlas": atlas,
        "inlined": inlined(STYLES, SCRIPTS),
        # each takes a text of the handbook, and returns it as paragraphs or one line of HTML; those of the
        # lesson fill in the figures of the tutorial's game
        "html": lambda text: html_of(translate(text), figures),
        "line": lambda text: line_of(translate(text), figures),
        "lesson_html": lambda text: html_of(translate(text), lesson_figures),
        "lesson_line": lambda text: line_of(translate(text), lesson_figures),
        "language": language,
        "_": translate,
        "guides": {name: guide(name) for name in GUIDES},
        "tutorial": tutorial(),
        "lesson": lesson_values,
        "lesson_map": ready_markup(lesson_values.map),
        "lesson_title": lesson_atlas.title,
        "stages": tables.order_of_events(),
        "sections": tables.word_sections(),
        "chapters": chapter_views("medieval", figures, words=tables.words_by_clause(), translate=translate),
        "topics": topics(),
        "terms": sorted(terms(), key=lambda term: fold(translate(term.term))),
        "soldiers": tables.soldier_groups(rules),
        "ships": tables.ship_groups(rules),
        "other_regions": tables.other_regions,
        "levels": tables.level_rows(rules),
        "structures": tables.structure_rows(rules),
        "cities": list(tables.city_rows(atlas, rules)),
        "realms": [seat for _, seat in sorted(atlas.realms.items())],
    }
    return render("medieval/handbook.html", values)
