"""Findings for a map maker: a map that loads may still be unplayable, unfair or badly drawn (W2-W5, W11)."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from gm.core.diagnostics import Diagnostic, Severity, SourceError
from gm.core.yaml.models import load_data
from gm.core.yaml.source import Node
from gm.game.spec import MAP_FILE
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.file_entries import Entry, entries
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.rules_data import load_rules
from gm.games.medieval.data.scenario import load_scenario
from gm.games.medieval.data.start_world import start_world
from gm.games.medieval.report.map_geometry import inside, name_texts
from gm.games.medieval.state import INDEPENDENTS, World
from gm.store import StoreError

START_FILE = "start.yaml"
FAIR_PERCENT = 15  # how much more than the poorest realm another may be worth, in percent
TURNS_COUNTED = 4  # turns of revenue that count as worth
# what "within easy reach" means: so many marches, or a voyage over so many seas
MARCHES = 2
SAILS = 2
TO_CONQUER_NEEDED = 4  # independent provinces that each realm should have within easy reach
FindingAt = Callable[[str, str, str, Severity], Diagnostic]
"""Makes a finding that stands at a name in a file. Gets (name of a place or code of a realm, key of the
finding, message, severity)."""


def check_map(folder: Path) -> list[Diagnostic]:
    """Return all findings about the map and the start position in a folder.

    If a file cannot be read, that is a finding, too.
    """
    findings: list[Diagnostic] = []
    try:
        rules = load_rules()
        atlas = load_atlas(folder / MAP_FILE, rules)
        _, map_node = load_data(folder / MAP_FILE)
        findings += check_atlas(atlas, map_node)
        world = start_world(load_scenario(folder / START_FILE, atlas, rules), atlas, rules)
        _, start_node = load_data(folder / START_FILE)
        finding_at = _finding_maker(start_node, "realms")
        findings += (*_homelands(atlas, world, finding_at), *_fairness(atlas, world, rules, finding_at))
    except SourceError as error:
        findings += error.diagnostics
    except (OSError, StoreError) as error:
        findings.append(Diagnostic("error", "map/unreadable", str(error), str(folder)))
    return findings


def check_atlas(atlas: Atlas, node: Node | None = None) -> list[Diagnostic]:
    """Return the findings about a map without its start position.

    With the map file's ``node`` each finding stands at the place's name in the file.
    """
    finding_at = _finding_maker(node, "provinces", "seas")
    return [*_connection(atlas, finding_at), *_drawing(atlas, finding_at), *_names(atlas, finding_at)]


def _finding_maker(node: Node | None, *sections: str) -> FindingAt:
    """Return a function that makes a finding at a name in one of these sections of a file.

    Without the file's ``node``, or for a name that it lacks, the finding has no line.
    """

    def make_finding(name: str, code: str, message: str, severity: Severity) -> Diagnostic:
        """Return a finding, at the entry called ``name`` if one of the sections has it."""
        if node is not None:
            for section in sections:
                if any(key.text == name for key, _ in entries(node, section)):
                    # the empty field: at the entry itself
                    return Entry(node, section, name).at("", code, message, severity=severity)
        return Diagnostic(severity, code, message)

    return make_finding


def _connection(atlas: Atlas, finding_at: FindingAt) -> Iterator[Diagnostic]:
    """Yield findings about places, parts of the map and seas that no open border joins to the rest (W3)."""
    for name in atlas.locations:
        if not atlas.graph.open_neighbours(name):
            closed = "only closed borders" if atlas.graph.neighbours(name) else "no border at all"
            yield finding_at(name, "map/cut-off", f"{name} has {closed}", "error")
    # the largest part comes first: the others are apart from it
    for part in atlas.graph.parts(atlas.locations)[1:]:
        if len(part) > 1:
            yield finding_at(
                part[0], "map/apart", f"no open way leads from {_names_in_words(part)} to the rest", "error"
            )
    for part in atlas.graph.parts(atlas.seas)[1:]:
        if not all(atlas.locations[name].inland for name in part):
            message = f"no fleet can sail from {_names_in_words(part)} to the other seas"
            yield finding_at(
                part[0], "map/inland-sea", f"{message}; 'inland: yes' says that it is meant so", "warning"
            )


def _names_in_words(names: list[str]) -> str:
    """Return names as text: all of up to five, or four and the number of the others."""
    return ", ".join(names) if len(names) <= 5 else f"{', '.join(names[:4])} and {len(names) - 4} more"


def _drawing(atlas: Atlas, finding_at: FindingAt) -> Iterator[Diagnostic]:
    """Yield a finding where a drawing does not fit the map.

    A place has no outline or its label is outside it, neighbours do not touch, or others touch.
    """
    for name, place in atlas.locations.items():
        if not place.outline:
            yield finding_at(name, "map/no-outline", f"{name} has no outline", "error")
        elif not inside(place.label, place.outline):
            yield finding_at(
                name, "map/label-outside", f"the label of {name} stands outside its outline", "error"
            )
    drawn_borders = _drawn_borders(atlas)
    straits = {frozenset((border.a, border.b)) for border in atlas.borders if border.strait}
    for border in atlas.borders:
        pair = frozenset((border.a, border.b))
        if pair not in drawn_borders and pair not in straits:
            message = f"{border.a} and {border.b} have a border, but their outlines share no side"
            yield finding_at(border.a, "map/outlines-apart", message, "error")
    for pair in sorted(drawn_borders, key=sorted):
        a, b = sorted(pair, key=atlas.place_order.__getitem__)
        if not atlas.graph.borders(a, b):
            difference = "a coast is missing" if atlas.is_sea(a) != atlas.is_sea(b) else "a border is missing"
            yield finding_at(
                a, "map/missing-border", f"the outlines of {a} and {b} touch: {difference}", "error"
            )


def _drawn_borders(atlas: Atlas) -> set[frozenset[str]]:
    """Return the pairs of places whose outlines share a side."""
    places_at: defaultdict[frozenset[tuple[float, float]], set[str]] = defaultdict(set)  # by side of a ring
    for name, place in atlas.locations.items():
        for ring in place.outline:
            for side in zip(ring, (*ring[1:], ring[0]), strict=True):
                places_at[frozenset(side)].add(name)
    return {frozenset(names) for names in places_at.values() if len(names) == 2}


def _names(atlas: Atlas, finding_at: FindingAt) -> Iterator[Diagnostic]:
    """Yield a finding about every two names that overlap on the map."""
    for (name, text), (other, other_text) in combinations(name_texts(atlas).items(), 2):
        if text.box.overlaps(other_text.box):
            yield finding_at(name, "map/names-overlap", f"the names of {name} and {other} overlap", "warning")


def _homelands(atlas: Atlas, world: World, finding_at: FindingAt) -> Iterator[Diagnostic]:
    """Yield a finding about each realm that lacks its capital or cannot reach its provinces from there."""
    for code, seat in atlas.realms.items():
        home = [province.name for province in world.owned_by(code)]
        if seat.capital not in home:
            yield finding_at(
                code, "start/no-capital", f"{code} does not own its capital {seat.capital}", "error"
            )
            continue
        reached = next(part for part in atlas.graph.parts((*home, *atlas.seas)) if seat.capital in part)
        lost = [name for name in home if name not in reached]
        if lost:
            message = f"{code} cannot reach its {_names_in_words(lost)} from its capital by land or sea"
            yield finding_at(code, "start/homeland-apart", message, "error")


def _fairness(atlas: Atlas, world: World, rules: Rules, finding_at: FindingAt) -> Iterator[Diagnostic]:
    """Yield a finding about each realm that is worth much more than the poorest, or has few lands to conquer.

    W11 wants a fair start.
    """
    rows = balance_figures(atlas, world, rules)
    poorest = min(rows, key=lambda row: row["worth"])
    for row in rows:
        code = row["realm"]
        worth = row["worth"]
        to_conquer = row["to conquer"]
        if worth * 100 > poorest["worth"] * (100 + FAIR_PERCENT):
            message = f"{code} is worth {worth} gold, {poorest['realm']} only {poorest['worth']}"
            yield finding_at(code, "start/unfair", f"{message}: more than {FAIR_PERCENT}% apart", "warning")
        if to_conquer < TO_CONQUER_NEEDED:
            message = (
                f"{code} has {to_conquer} independent provinces within easy reach, "
                f"{TO_CONQUER_NEEDED} would be fair"
            )
            yield finding_at(code, "start/hemmed-in", message, "warning")


def balance_figures(atlas: Atlas, world: World, rules: Rules) -> list[dict[str, Any]]:
    """Return the figures of each realm, under the names of the columns that ``pbem map check`` prints.

    Realms are in the order of their codes. ``worth`` is treasury, build cost of all troops and some turns of
    revenue without damage (L11), in gold.
    """
    return [_balance_of(code, atlas, world, rules) for code in world.realms]


def _balance_of(code: str, atlas: Atlas, world: World, rules: Rules) -> dict[str, Any]:
    """Return the figures of one realm at the start, by name; ``realm`` is its code."""
    lands = world.owned_by(code)
    units = world.of_realm(code)
    counts = chain.from_iterable(unit.counts().items() for unit in units)
    troops = [(rules.troops[name], count) for name, count in counts]
    commanders = sum(len(unit.commanders) for unit in units)
    areas = sum(land.production_areas for land in lands) * rules.economy.production_area_revenue
    revenue = sum((atlas.locations[land.name].revenue for land in lands), areas)
    build_cost = sum((troop.cost * count for troop, count in troops), rules.commanders.price * commanders)
    return {
        "realm": code,
        "provinces": len(lands),
        "cities": sum(atlas.city(land.name) is not None for land in lands),
        "harbours": sum(land.harbour for land in lands),
        "revenue": revenue,
        "upkeep": sum(
            (troop.upkeep * count for troop, count in troops), rules.commanders.upkeep * commanders
        ),
        "soldiers": sum(count for troop, count in troops if not troop.ship),
        "ships": sum(count for troop, count in troops if troop.ship),
        "build cost": build_cost,
        "worth": world.realms[code].treasury + build_cost + TURNS_COUNTED * revenue,
        "to conquer": len(lands_to_conquer(atlas, world, code)),
    }


def lands_to_conquer(atlas: Atlas, world: World, realm: str) -> list[str]:
    """Return the independent provinces that a realm can easily reach, in map order.

    They are up to ``MARCHES`` marches from one of its provinces, or up to ``SAILS`` seas from a harbour.
    """
    home = [land.name for land in world.owned_by(realm)]
    ports = [name for name in home if world.provinces[name].harbour]
    reached = atlas.graph.reached(home, MARCHES, lambda place: not atlas.is_sea(place))
    reached |= atlas.graph.reached(ports, SAILS + 1, atlas.is_sea)  # one more step leads ashore
    return [
        name for name in atlas.provinces if name in reached and world.provinces[name].owner == INDEPENDENTS
    ]
