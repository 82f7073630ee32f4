"""The choices of the order writer on the map: targets of each player's units, and what bases can build."""

from itertools import groupby

from gm.game.base.events import Written
from gm.game.base.hooks import Scene
from gm.game.base.writer import (
    ASSUME,
    Choices,
    Ends,
    Field,
    Here,
    Legal,
    Option,
    Pool,
    Unit,
    Verb,
    Way,
    Why,
    listed,
    numbers,
    options,
    refusal,
    together,
)
from gm.games.conquest_structures.moving import why_not_claim
from gm.games.conquest_structures.orders import Move
from gm.games.conquest_structures.state import Conquest
from gm.games.conquest_structures.state import Unit as Troop
from gm.text.pages import capitalised

BUILD = "build"
MOVE = "move"
HOLD = "hold"
SUPPLY = "supply"
CONCEDE = "concede"
_BUILD = "Build {count} {type}@{start}"


def choices(scene: Scene) -> Choices:
    """Return everything that the scene's player can order."""
    state: Conquest = scene.after
    _ = scene.translate
    move, build, *other_verbs = _verbs(scene)
    own_choices = legal(scene, scene.code, (move, build))
    rivals = [code for code in state.living if code != scene.code]
    expected_choices = together(_of_other(scene, code, move, build) for code in rivals)
    ends_of_verb = {**own_choices.ways, **expected_choices.ways}
    occupied = state.occupied()
    units_by_place = _units_by_place(state, scene.code)
    # with placeholders that the page's order writer fills in
    not_adjacent = refusal(scene, "not-adjacent", place="{start}", target="{end}", neighbours=("{near}",))
    return Choices(
        sections={"orders": "list", "supply_priority": "list", **listed(expected_choices.verbs)},
        modes={ASSUME: _("Assume what others do")} if rivals else {},
        verbs=(*own_choices.verbs, *other_verbs, *expected_choices.verbs),
        own=state.owned_by(scene.code),
        empty="orders: []",
        ways=ends_of_verb,
        at={
            **own_choices.at,
            **expected_choices.at,
            HOLD: {place: Here() for place in units_by_place},
            SUPPLY: {
                place: Here({"who": _selectors(scene, place, units)})
                for place, units in units_by_place.items()
            },
        },
        beyond=dict.fromkeys(ends_of_verb, not_adjacent),
        pools=_pools(scene, rivals),
        units={place: _choosable_units(scene, units) for place, units in occupied.items()},
        facts={place: (_fact(scene, place),) for place in scene.table.board.structures},
    )


def _of_other(scene: Scene, code: str, move: Verb, build: Verb) -> Legal:
    """Return the orders that can be assumed of another player: moves, and builds by that player's PopCap."""
    name = scene.translate(scene.after.parties[code].name)
    return legal(scene, code, (move, build.evolve(pool=code))).expected(code, name)


def legal(scene: Scene, code: str, verbs: tuple[Verb, Verb]) -> Legal:
    """Return the orders that a party may give: the targets of its units, and what its bases can build.

    ``verbs``: those of moves and of builds.
    """
    state: Conquest = scene.after
    rules = scene.table.rules
    _, _, free = state.capacity(code, rules)
    ends = {place: _ends(scene, place, units) for place, units in _units_by_place(state, code).items()}
    builds = {place: _builds(scene, free, _no_popcap(scene)) for place in state.bases(code, rules)}
    return Legal(verbs, {MOVE: ends}, {BUILD: builds})


def _verbs(scene: Scene) -> tuple[Verb, ...]:
    """Return the kinds of orders, in the order of the panel's buttons."""
    _ = scene.translate
    units = (Field("type", _("Type")), numbers(_("How many")))
    supplied = (Field("who", _("Who")),)
    all_ordered = refusal(scene, "already-ordered")
    only_once = Why(_("you concede already"))
    way = "[{units} @ ]{start} > {end}"
    return (
        Verb(MOVE, _("Move"), "orders", way=True, line=way, units=True, none=all_ordered),
        Verb(
            BUILD, _("Build"), "orders", line=_BUILD, fields=units, pool="popcap", count="count", item="type"
        ),
        Verb(HOLD, _("Hold"), "orders", line="Hold[ {units}]@{start}", units=True, none=all_ordered),
        Verb(SUPPLY, _("First in supply"), "supply_priority", line="{who}", fields=supplied),
        Verb(CONCEDE, _("Concede the game"), "orders", start=False, line="Concede", most=1, many=only_once),
    )


def _units_by_place(state: Conquest, code: str) -> dict[str, tuple[Troop, ...]]:
    """Return a party's units by structure; between turns only one party has units in each."""
    return {place: units for place, units in state.occupied().items() if units[0].owner == code}


def _no_popcap(scene: Scene) -> Why:
    """Return why nothing more can be built; the writer's script fills in the two numbers."""
    return refusal(scene, "no-popcap", free="{left}", needs="{wanted}")


def _pools(scene: Scene, rivals: list[str]) -> dict[str, Pool]:
    """Return the pools of PopCap that builds use up: the player's, ``popcap``, and the others', by code."""
    why = _no_popcap(scene)
    free_of_code = {}
    for code in (scene.code, *rivals):
        _, _, free_of_code[code] = scene.after.capacity(code, scene.table.rules)
    own_pool = Pool(scene.translate("PopCap free"), free_of_code[scene.code], why)
    rival_pools = {code: Pool("PopCap", free_of_code[code], why, shown=False) for code in rivals}
    return {"popcap": own_pool, **rival_pools}


def _ends(scene: Scene, place: str, units: tuple[Troop, ...]) -> Ends:
    """Return the targets of units in a place, or why they cannot move."""
    rules = scene.table.rules
    board = scene.table.board
    mobile_units = [unit for unit in units if not unit.immobile(rules)]
    way_of_end = {}
    for end in board.neighbours(place):
        # a line that is in no file, without items: for all units there
        move = Move(Written(0, 0, ""), items=(), place=place, target=end)
        reason, figures = why_not_claim(board, move, [*units], mobile_units)
        if reason:  # it is the same for every end, since all are next to the place
            return Here(why=refusal(scene, reason, **figures))
        way_of_end[end] = Way(_whose(scene, end))
    return way_of_end


def _builds(scene: Scene, free: int, why: Why) -> Here:
    """Return the types that a base can build, or why it can build none.

    ``free``: the PopCap for it; ``why``: the sentence when it is not enough.
    """
    called = scene.formatter.called
    types = [
        Option(name.capitalize(), called(name), first=kind.popcap, each=kind.popcap)
        for name, kind in scene.table.rules.units.items()
    ]
    cheapest = min(option.first for option in types)
    if cheapest > free:
        # as the page's order writer fills them in for other orders
        sentence = why.says.replace("{left}", str(free)).replace("{wanted}", str(cheapest))
        return Here(why=Why(sentence, why.clause))
    return Here({"type": tuple(types)})


def _selectors(scene: Scene, place: str, units: tuple[Troop, ...]) -> tuple[Option, ...]:
    """Return the options for units that are supplied first: all of a place, a type, or one (CS-10.9)."""
    phrase = scene.formatter.phrase
    called = scene.formatter.called
    types = sorted({unit.type for unit in units})
    by_type = [
        (f"{kind.capitalize()}@{place}", phrase("{kind} in {place}", kind=called(kind), place=place))
        for kind in types
    ]
    single = ((unit.id, called(unit.id)) for unit in units)
    return options([(place, phrase("all in {place}", place=place)), *by_type, *single])


def _choosable_units(scene: Scene, units: tuple[Troop, ...]) -> tuple[Unit, ...]:
    """Return units as the order writer offers them to be chosen one by one."""
    return tuple(_choosable(scene, unit) for unit in units)


def _choosable(scene: Scene, unit: Troop) -> Unit:
    """Return a unit as the writer offers it: its id, its name with its marks, and whether it is immobile."""
    fixed = unit.immobile(scene.table.rules)
    _ = scene.translate
    marks = scene.formatter.phrase("{marks:mark}", marks=unit.marks) if unit.marks else ""
    immobile = _("immobile") if fixed else ""
    return Unit(unit.id, ", ".join(filter(None, (scene.formatter.called(unit.id), marks, immobile))), fixed)


def _whose(scene: Scene, place: str) -> str:
    """Return in words the owner of a structure and the units in it."""
    owner = scene.after.owners[place]
    units = scene.after.at(place)
    name = scene.translate("yours") if owner == scene.code else scene.formatter.called(owner)
    return f"{name}: {_counts_in_words(scene, units)}" if units else name


def _counts_in_words(scene: Scene, units: tuple[Troop, ...]) -> str:
    """Return in words how many units of each type there are."""
    by_type = groupby(sorted(unit.type for unit in units))
    return scene.formatter.listed(
        f"{len([*units_of_type])} {scene.formatter.called(name)}" for name, units_of_type in by_type
    )


def _fact(scene: Scene, place: str) -> str:
    """Return a sentence about a structure: its kind, its benefits, its units."""
    rules = scene.table.rules
    units = scene.after.at(place)
    _ = scene.translate
    gives = rules.kind_of(place)
    kind = capitalised(scene.formatter.called(rules.kind_name(place)))
    benefits = [
        f"{count} {what}" for count, what in ((gives.popcap, "PopCap"), (gives.supply, _("supply"))) if count
    ]
    units_words = _counts_in_words(scene, units) if units else _("nobody")
    return scene.formatter.phrase(
        "{kind}, gives {given}; in it {units}.",
        kind=kind,
        given=scene.formatter.listed(benefits),
        units=units_words,
    )
