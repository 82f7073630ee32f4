"""What the reports of CONQUEST 0.0.2 tell of the game itself: map, supply, units, standings (CS-15.4, CS-15.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Part, Picture, Prose, Section, Shown
from gm.game.values import MapView
from gm.games.conquest_structures.board import Board, place_rank
from gm.games.conquest_structures.drawing import NEUTRAL_COLOUR, draw
from gm.games.conquest_structures.events import Captured, NetworkSupplied
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit, capacity, free_popcap, is_immobile
from gm.games.conquest_structures.steps.ending import cities, standing
from gm.games.conquest_structures.steps.supplying import networks
from gm.text.pages import counted, listed


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The figures at the top of a player's page."""
    state, code, rules, board = scene.after, scene.party or "", scene.table.rules, scene.table.board
    allowed, used = capacity(state, code, rules)
    held, structures = standing(state, code, board, rules)
    all_cities = len(cities(board, rules))
    units = state.units_of(code)
    short = sum(bool(unit.marks) for unit in units)
    return (
        Fact("Cities and homes", f"{held} of {all_cities}", "all of them win the game"),
        Fact("Structures", str(structures)),
        Fact("PopCap", f"{used} of {allowed}", f"{free_popcap(state, code, rules)} free for building"),
        Fact("Units", str(len(units)), counted(short, "with marks", "with marks") if short else "none with marks"),
    )


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders."""
    state, rules, board, played = scene.after, scene.table.rules, scene.table.board, scene.result
    view = MapView(party=scene.party, events=tuple(each for each in played.events if scene.visible(each)))
    about = f"{board.title} after {scene.spec.label(state)}: owners, units and networks"
    legend = "Arrows show who set out in this turn; broken ones, who was bumped. Your structures have a broad edge."
    parts: list[Part] = [Picture(draw(rules, board, state, view), about, legend)]
    gained = list(_changed_hands(scene))
    if gained:
        parts.append(Grid(("Structure", "Kind", "Now", "Before"), gained, "Structures that changed hands"))
    yield Section("map", "Map", parts)
    yield Section("standings", "Standings", [_standings(scene)])
    yield Section(
        "structures", "Structures", [Folded("All structures with their units and links", [_structures(scene)])]
    )
    yield Section("units", "Your units", [_units(scene), *_supply(scene)])


def _owner(state: Conquest, owner: str) -> Cell:
    if owner == NEUTRAL:
        return Cell("neutral", colour=NEUTRAL_COLOUR)
    return Cell(state.parties[owner].name, colour=state.parties[owner].colour)


def _changed_hands(scene: Scene) -> Iterator[list[Shown]]:
    for event in scene.result.events:
        if isinstance(event, Captured):
            kind = scene.table.rules.kind_name(event.place)
            yield [event.place, kind, _owner(scene.after, event.owner), _owner(scene.after, event.formerly)]


def _standings(scene: Scene) -> Grid:
    state, rules, board = scene.after, scene.table.rules, scene.table.board
    rows: list[list[Shown]] = []
    for code, player in state.parties.items():
        held, structures = standing(state, code, board, rules)
        units = state.units_of(code)
        tanks = sum(unit.type == "tank" for unit in units)
        rows.append([_owner(state, code), held, structures, len(units) - tanks, tanks, player.status])
    neutral = state.owned_by(NEUTRAL)
    counting = cities(board, rules)
    rows.append([_owner(state, NEUTRAL), sum(place in counting for place in neutral), len(neutral), "", "", ""])
    columns = ("Player", "Cities and homes", "Structures", "Infantry", "Tanks", "Status")
    return Grid(columns, rows, numbers=columns[1:5])


def _structures(scene: Scene) -> Grid:
    state, rules, board = scene.after, scene.table.rules, scene.table.board
    rows: list[list[Shown]] = []
    for place in board.structures:
        units = state.at(place)
        rows.append(
            [
                place,
                rules.kind_name(place),
                _owner(state, state.owners[place]),
                _told(units, rules) or "",
                ", ".join(board.neighbours(place)),
            ]
        )
    return Grid(("Structure", "Kind", "Owner", "Units", "Links to"), rows)


def _told(units: Sequence[Unit], rules: Rules) -> str:
    """``2 infantry, 1 tank``."""
    counts = [(sum(unit.type == name for unit in units), name) for name in rules.units]
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def _units(scene: Scene) -> Grid:
    state, rules = scene.after, scene.table.rules
    rows: list[list[Shown]] = []
    for unit in sorted(state.units_of(scene.party or ""), key=lambda each: (place_rank(each.place), each.number)):
        marks = Cell(str(unit.marks), tone="bad" if is_immobile(unit, rules) else "warn" if unit.marks else "")
        able = Cell("immobile", tone="bad") if is_immobile(unit, rules) else Cell("can move")
        rows.append([unit.id, unit.type, unit.place, unit.came_from or "", marks, able])
    columns = ("Unit", "Type", "Place", "Came from", "Marks", "State")
    return Grid(columns, rows, numbers=("Marks",), nothing="You have no units.")


def _supply(scene: Scene) -> Iterator[Part]:
    """CS-15.5: per network S, D, who got lines, and where a choice was made; CS-15.6: what a player may do about it."""
    own = [e for e in scene.result.events if isinstance(e, NetworkSupplied) and e.owner == scene.party]
    if not own:
        return
    rows: list[list[Shown]] = []
    for each in own:
        chosen = "by your list" if each.chosen else "by the default order" if each.short else "everybody"
        short = Cell(listed(list(each.short), ""), tone="bad") if each.short else Cell("")
        rows.append([", ".join(each.places), each.sources, each.needs, listed(list(each.supplied), ""), short, chosen])
    columns = ("Network", "Lines", "Needed", "Supplied", "Out of supply", "How it was decided")
    yield Grid(columns, rows, "Supply in this turn", numbers=("Lines", "Needed"))
    if any(each.short for each in own):
        advice = "A network of yours fell short. Next turn you can say who gets lines first: supply_priority (CS-15.6)."
        yield Prose((advice,), tone="warn")


# -- what can be ordered -----------------------------------------------------------------------------------------------


def possible_lines(rules: Rules, board: Board, state: Conquest, code: str) -> list[str]:
    """Lines that would be carried out as things stand, the holding ones apart: builds first, then moves."""
    free = free_popcap(state, code, rules)
    found = [
        f"Build 1 {name.capitalize()}@{place}"
        for place in state.owned_by(code)
        if rules.kind_of(place).builds
        for name, kind in rules.units.items()
        if kind.popcap <= free
    ]
    for place, units in state.occupied().items():
        if any(unit.owner == code and not is_immobile(unit, rules) for unit in units):
            found += [f"{place} > {target}" for target in board.neighbours(place)]
    return found


def choices(scene: Scene) -> Iterator[Part]:
    """What each group of units could do, above the template."""
    state, rules, board, code = scene.after, scene.table.rules, scene.table.board, scene.party or ""
    rows: list[list[Shown]] = []
    for place, units in state.occupied().items():
        own = [unit for unit in units if unit.owner == code and not is_immobile(unit, rules)]
        if own:
            rows.append([place, _told(own, rules), ", ".join(board.neighbours(place))])
    builders = [place for place in state.owned_by(code) if rules.kind_of(place).builds]
    free = free_popcap(state, code, rules)
    building = f"You may build in {listed(builders, 'no place')}; {free} PopCap is free."
    yield Prose((building,))
    yield Grid(("From", "Who can move", "To"), rows, "Where your units can go", nothing="No unit of yours can move.")


def template_lines(rules: Rules, board: Board, state: Conquest, code: str) -> list[str]:
    """What stands below the head of the template: the player's units, and examples that he could use."""
    possible = possible_lines(rules, board, state, code)
    builds = [each for each in possible if each.startswith("Build")][:2]
    moves = [each for each in possible if ">" in each][:3]
    examples = [*builds, *moves] or ["Hold@H1"]
    lines = [
        "# Lines are read from top to bottom; each unit takes the first that names it, the others hold.",
        "orders:",
    ]
    lines += [f"  # - {each}" for each in examples]
    lines += ["  # - 2 Infantry + u7 @ C2 > C3     # some of the units there", "  # - Hold@C2", "  # - Concede"]
    lines += ["", "# Who gets supply first where a network of yours falls short:", "supply_priority:"]
    lines += ["  # - u7", "  # - Tank@C3", "  # - Infantry"]
    held = [
        f"#   {place}: {_told(units, rules)}" for place, units in state.occupied().items() if units[0].owner == code
    ]
    blocks = [f"#   {', '.join(block)}" for block in networks(state, code, board)]
    lines += ["", "# Your units:", *(held or ["#   none"]), "# Your networks:", *(blocks or ["#   none"])]
    return lines


def rule_tables(rules: Rules) -> tuple[Part, ...]:
    """The tables of the handbook."""
    units: list[list[Shown]] = [[name, each.strength, each.popcap, each.supply] for name, each in rules.units.items()]
    kinds: list[list[Shown]] = [
        [
            name,
            each.letter,
            each.popcap,
            each.supply,
            "yes" if each.builds else "no",
            "yes" if each.victory else "no",
        ]
        for name, each in rules.structures.items()
    ]
    return (
        Grid(("Unit", "Strength", "PopCap", "Supply lines"), units, numbers=("Strength", "PopCap", "Supply lines")),
        Grid(
            ("Structure", "Letter", "PopCap", "Supply", "Builds units", "Counts for victory"),
            kinds,
            numbers=("PopCap", "Supply"),
        ),
    )
