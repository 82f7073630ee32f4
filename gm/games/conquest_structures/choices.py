"""What the order writer on the map offers: where each player's units can go, and what he can build."""

from itertools import groupby

from gm.game.base.events import Written
from gm.game.base.hooks import Scene
from gm.game.base.writer import (
    Choices,
    Ends,
    Field,
    Here,
    Option,
    Pool,
    Unit,
    Verb,
    Way,
    Why,
    numbers,
    options,
    refusal,
)
from gm.games.conquest_structures.moving import why_not_claim
from gm.games.conquest_structures.orders import Move
from gm.games.conquest_structures.rules import Board, Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest
from gm.games.conquest_structures.state import Unit as Troop
from gm.text.pages import listed

BUILD, MOVE, HOLD, SUPPLY, CONCEDE = "build", "move", "hold", "supply", "concede"
_BUILD = "Build {count} {type}@{start}"
_WHO = (Field("type", "Type"), numbers("How many"))


def choices(scene: Scene) -> Choices:
    """Everything that the scene's player can order."""
    state: Conquest = scene.after
    rules, board, code = scene.table.rules, scene.table.board, scene.code
    _, _, free = state.capacity(code, rules)
    no_popcap = refusal(scene, "no-popcap", free="{left}", needs="{wanted}")
    held = {place: units for place, units in state.occupied().items() if units[0].owner == code}
    taken, once = refusal(scene, "already-ordered"), Why("you concede already")
    verbs = (
        Verb(MOVE, "Move", "orders", way=True, line="[{units} @ ]{start} > {end}", units=True, none=taken),
        Verb(BUILD, "Build", "orders", line=_BUILD, fields=_WHO, pool="popcap", count="count", item="type"),
        Verb(HOLD, "Hold", "orders", line="Hold[ {units}]@{start}", units=True, none=taken),
        Verb(SUPPLY, "First in supply", "supply_priority", line="{who}", fields=(Field("who", "Who"),)),
        Verb(CONCEDE, "Concede the game", "orders", start=False, line="Concede", most=1, many=once),
    )
    return Choices(
        sections={"orders": "list", "supply_priority": "list"},
        verbs=verbs,
        own=state.owned_by(code),
        empty="orders: []",
        ways={MOVE: {place: _ends(scene, place, units) for place, units in held.items()}},
        at={
            BUILD: {place: _builds(rules, free, no_popcap) for place in state.bases(code, rules)},
            HOLD: {place: Here() for place in held},
            SUPPLY: {place: Here({"who": _selectors(place, units)}) for place, units in held.items()},
        },
        beyond={MOVE: refusal(scene, "not-adjacent", place="{start}", target="{end}", neighbours=("{near}",))},
        pools={"popcap": Pool("PopCap free", free, no_popcap)},
        units={place: tuple(_choosable(each, rules) for each in units) for place, units in held.items()},
        facts={place: (_fact(state, board, rules, place),) for place in board.structures},
    )


def _ends(scene: Scene, place: str, units: tuple[Troop, ...]) -> Ends:
    """Where units of a place can go; or why they cannot."""
    state, rules, board = scene.after, scene.table.rules, scene.table.board
    able = [unit for unit in units if not unit.immobile(rules)]
    found = {}
    for end in board.neighbours(place):
        reason, figures = why_not_claim(board, Move(Written(0, 0, ""), (), place, end), [*units], able)
        if reason:
            return Here(why=refusal(scene, reason, **figures))
        found[end] = Way(_whose(state, rules, end, scene.code))
    return found


def _builds(rules: Rules, free: int, why: Why) -> Here:
    kinds = [Option(name.capitalize(), name, kind.popcap, kind.popcap) for name, kind in rules.units.items()]
    if not any(each.first <= free for each in kinds):
        needs = min(each.first for each in kinds)
        return Here(why=Why(why.says.replace("{left}", str(free)).replace("{wanted}", str(needs)), why.clause))
    return Here({"type": tuple(kinds)})


def _selectors(place: str, units: tuple[Troop, ...]) -> tuple[Option, ...]:
    """CS-10.9: all there, those of a type, or one of them."""
    types = sorted({unit.type for unit in units})
    by_type = [(f"{kind.capitalize()}@{place}", f"{kind} in {place}") for kind in types]
    return options([(place, f"all in {place}"), *by_type, *((unit.id, f"{unit.type} {unit.id}") for unit in units)])


def _choosable(unit: Troop, rules: Rules) -> Unit:
    marks, fixed = f", {unit.marks} marks" if unit.marks else "", unit.immobile(rules)
    return Unit(unit.id, f"{unit.type} {unit.id}{marks}{', immobile' if fixed else ''}", fixed)


def _whose(state: Conquest, rules: Rules, place: str, code: str) -> str:
    owner = state.owners[place]
    name = "yours" if owner == code else "neutral" if owner == NEUTRAL else state.parties[owner].name
    return f"{name}: {_counted(state.at(place))}" if state.at(place) else name


def _counted(units: tuple[Troop, ...]) -> str:
    by_type = groupby(sorted(unit.type for unit in units))
    return listed([f"{len([*each])} {name}" for name, each in by_type])


def _fact(state: Conquest, board: Board, rules: Rules, place: str) -> str:
    kind, units = rules.kind_name(place), state.at(place)
    gives = rules.kind_of(place)
    given = [f"{count} {what}" for count, what in ((gives.popcap, "PopCap"), (gives.supply, "supply")) if count]
    return f"{kind.capitalize()}, gives {listed(given)}; in it {_counted(units) if units else 'nobody'}."
