"""What the reports of CONQUEST 0.0.2 tell of the game itself: map, supply, units, standings (CS-15.4, CS-15.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Part, Prose, Section, Shown
from gm.games.conquest_structures.drawing import NEUTRAL_COLOUR
from gm.games.conquest_structures.events import Captured, NetworkSupplied
from gm.games.conquest_structures.rules import Board, Rules, place_rank
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit, cities, is_immobile
from gm.text.pages import counted, listed


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    state, code, rules, board = scene.after, scene.code, scene.table.rules, scene.table.board
    allowed, used = state.capacity(code, rules)
    held, structures = state.standing(code, board, rules)
    units = state.units_of(code)
    short = sum(bool(unit.marks) for unit in units)
    yield Fact("Cities and homes", f"{held} of {len(cities(board, rules))}", "all of them win the game")
    yield Fact("Structures", str(structures))
    yield Fact("PopCap", f"{used} of {allowed}", f"{state.free_popcap(code, rules)} free for building")
    yield Fact("Units", str(len(units)), counted(short, "with marks", "with marks") if short else "none with marks")


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders."""
    about = f"{scene.table.board.title} after {scene.spec.label(scene.after)}: owners, units and networks"
    legend = "Arrows show who set out in this turn; broken ones, who was bumped. Your structures have a broad edge."
    parts: list[Part] = [scene.picture(about, legend)]
    gained = [
        [
            event.place,
            scene.table.rules.kind_name(event.place),
            _owner(scene, event.owner),
            _owner(scene, event.formerly),
        ]
        for event in scene.result.events
        if isinstance(event, Captured)
    ]
    if gained:
        parts.append(Grid(("Structure", "Kind", "Now", "Before"), gained, "Structures that changed hands"))
    yield Section("map", "Map", parts)
    yield Section("standings", "Standings", [_standings(scene)])
    every = Folded("All structures with their units and links", [_structures(scene)])
    yield Section("structures", "Structures", [every])
    yield Section("units", "Your units", [_units(scene), *_supply(scene)])


def _owner(scene: Scene, owner: str) -> Cell:
    return Cell("neutral", colour=NEUTRAL_COLOUR) if owner == NEUTRAL else scene.party_cell(owner)


def _standings(scene: Scene) -> Grid:
    state, rules, board = scene.after, scene.table.rules, scene.table.board
    rows: list[list[Shown]] = []
    for code, player in state.parties.items():
        types = [unit.type for unit in state.units_of(code)]
        tanks = types.count("tank")
        held = state.standing(code, board, rules)
        rows.append([scene.party_cell(code), *held, len(types) - tanks, tanks, player.status])
    rows.append([_owner(scene, NEUTRAL), *state.standing(NEUTRAL, board, rules), "", "", ""])
    columns = ("Player", "Cities and homes", "Structures", "Infantry", "Tanks", "Status")
    return Grid(columns, rows, numbers=columns[1:5])


def _structures(scene: Scene) -> Grid:
    state, rules, board = scene.after, scene.table.rules, scene.table.board
    rows: list[list[Shown]] = [
        [
            place,
            rules.kind_name(place),
            _owner(scene, state.owners[place]),
            _counts(state.at(place), rules),
            ", ".join(board.neighbours(place)),
        ]
        for place in board.structures
    ]
    return Grid(("Structure", "Kind", "Owner", "Units", "Links to"), rows)


def _counts(units: Sequence[Unit], rules: Rules) -> str:
    """``2 infantry, 1 tank``."""
    counts = [(sum(unit.type == name for unit in units), name) for name in rules.units]
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def _units(scene: Scene) -> Grid:
    rows: list[list[Shown]] = []
    for unit in sorted(scene.after.units_of(scene.party), key=lambda each: (place_rank(each.place), each.number)):
        stuck = is_immobile(unit, scene.table.rules)
        marks = Cell(str(unit.marks), tone="bad" if stuck else "warn" if unit.marks else "")
        able = Cell("immobile", tone="bad") if stuck else Cell("can move")
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
    free = state.free_popcap(code, rules)
    builders = [place for place in state.owned_by(code) if rules.kind_of(place).builds]
    affordable = [name.capitalize() for name, kind in rules.units.items() if kind.popcap <= free]
    found = [f"Build 1 {name}@{place}" for place in builders for name in affordable]
    for place, units in state.occupied().items():
        if any(unit.owner == code and not is_immobile(unit, rules) for unit in units):
            found += [f"{place} > {target}" for target in board.neighbours(place)]
    return found


def choices(scene: Scene) -> Iterator[Part]:
    """What each group of units could do, above the template."""
    state, rules, board, code = scene.after, scene.table.rules, scene.table.board, scene.code
    rows: list[list[Shown]] = []
    for place, units in state.occupied().items():
        own = [unit for unit in units if unit.owner == code and not is_immobile(unit, rules)]
        if own:
            rows.append([place, _counts(own, rules), ", ".join(board.neighbours(place))])
    builders = [place for place in state.owned_by(code) if rules.kind_of(place).builds]
    free = state.free_popcap(code, rules)
    yield Prose((f"You may build in {listed(builders, 'no place')}; {free} PopCap is free.",))
    yield Grid(("From", "Who can move", "To"), rows, "Where your units can go", nothing="No unit of yours can move.")


def template_lines(scene: Scene) -> list[str]:
    """What stands below the head of the template: the player's units, and examples that he could use (CS-13.1)."""
    state, rules, board, code = scene.after, scene.table.rules, scene.table.board, scene.code
    possible = possible_lines(rules, board, state, code)
    builds, moves = ([each for each in possible if sign in each] for sign in ("Build", ">"))
    held = [
        f"#   {place}: {_counts(units, rules)}" for place, units in state.occupied().items() if units[0].owner == code
    ]
    blocks = [f"#   {', '.join(block)}" for block in state.networks(code, board)]
    return [
        "# Lines are read from top to bottom; each unit takes the first that names it, the others hold.",
        "orders:",
        *(f"  # - {each}" for each in ([*builds[:2], *moves[:3]] or ["Hold@H1"])),
        "  # - 2 Infantry + u7 @ C2 > C3     # some of the units there",
        "  # - Hold@C2",
        "  # - Concede",
        "",
        "# Who gets supply first where a network of yours falls short:",
        "supply_priority:",
        *("  # - u7", "  # - Tank@C3", "  # - Infantry"),
        "",
        *("# Your units:", *(held or ["#   none"])),
        *("# Your networks:", *(blocks or ["#   none"])),
    ]


def rule_tables(rules: Rules) -> Iterator[Part]:
    """The tables of the handbook: units and structures."""
    numbers = ("Strength", "PopCap", "Supply lines")
    units: list[list[Shown]] = [[name, each.strength, each.popcap, each.supply] for name, each in rules.units.items()]
    yield Grid(("Unit", *numbers), units, numbers=numbers)
    word = {True: "yes", False: "no"}
    kinds: list[list[Shown]] = [
        [name, each.letter, each.popcap, each.supply, word[each.builds], word[each.victory]]
        for name, each in rules.structures.items()
    ]
    columns = ("Structure", "Letter", "PopCap", "Supply", "Builds units", "Counts for victory")
    yield Grid(columns, kinds, numbers=("PopCap", "Supply"))
