"""The choices of the order writer on the map: moves, what provinces work on, what gold can finish."""

from collections.abc import Iterable, Mapping

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
    Verb,
    Way,
    Why,
    listed,
    options,
    refusal,
    together,
)
from gm.games.conqueror.figures import labour, possible_items, rush_price
from gm.games.conqueror.orders import BY_THE_NUMBER
from gm.games.conqueror.rules import DIPLOMAT, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import CULTURES, NEUTRAL, Province, World
from gm.text.pages import capitalised

MOVE = "move"
WORK = "work"
BUY = "buy"
REPORT = "report"
# The entries of an order in the file, each with the part of the drawn order that fills it
_MOVED = (("from", "start"), ("to", "end"), ("armies", "armies"))
_BOUGHT = (("province", "start"), ("item", "item"), ("count", "count"), ("target", "target"))


def choices(scene: Scene) -> Choices:
    """Return everything that the scene's player can order."""
    state: World = scene.after
    rules: Rules = state.settings.applied(scene.table.rules)
    _ = scene.translate
    verbs = tuple(_verbs(scene, rules, "false" if state.parties[scene.code].shows_moves else "true"))
    move_verb = verbs[0]
    own_choices = legal(scene, scene.code, rules, verbs)
    rivals = [code for code in state.living if code != scene.code]
    choices_of_rivals: list[Legal] = []
    for code in rivals:
        # of others only moves can be assumed
        moves = Legal((move_verb,), legal(scene, code, rules, verbs).ways)
        choices_of_rivals.append(moves.expected(code, _(state.parties[code].name)))
    expected_choices = together(choices_of_rivals)
    ends_of_verb = {**own_choices.ways, **expected_choices.ways}
    why_trimmed = Why(_("{start} has only {left} left to send"), "CQ-5.7")
    why_too_dear = refusal(scene, "too-dear", price="{wanted}", treasury="{left}")
    army_pools = {
        f"armies {code}": Pool("", province.fresh, why_trimmed, shown=False)
        for code, province in state.provinces.items()
    }
    return Choices(
        sections={
            "moves": "list",
            "production": "map",
            "buy": "list",
            "report": "map",
            **listed(expected_choices.verbs),
        },
        modes={ASSUME: _("Assume what others do")} if rivals else {},
        verbs=(*own_choices.verbs, *expected_choices.verbs),
        own=tuple(own_choices.ways[MOVE]),
        empty="moves: []",
        ways=ends_of_verb,
        at=own_choices.at,
        beyond=dict.fromkeys(
            ends_of_verb, Why(_("{end} is not next to {start}; next to it are {near}"), "CQ-20.4")
        ),
        pools={"gold": Pool(_("Treasury"), state.parties[scene.code].gold, why_too_dear), **army_pools},
        facts={code: tuple(_facts(scene, province, rules)) for code, province in state.provinces.items()},
        names={code: _(province.name) for code, province in scene.table.board.provinces.items()},
    )


def legal(scene: Scene, party: str, rules: Rules, verbs: tuple[Verb, ...]) -> Legal:
    """Return the orders that a party may give: where armies can go, what provinces can build, what gold buys.

    Provinces next to its own are among those that can build, since it may conquer them first. ``verbs``: the
    kinds of orders.
    """
    provinces = scene.after.provinces
    own_provinces = {province.code: province for province in scene.after.owned(party)}
    in_reach = {
        **own_provinces,
        **{code: provinces[code] for code in sorted(scene.table.board.beside(own_provinces))},
    }
    ends = {code: _ends(scene, province, rules) for code, province in own_provinces.items()}
    work = {code: Here({"item": _work(scene, province, rules)}) for code, province in in_reach.items()}
    sale = {code: Here(_sale(scene, province, rules)) for code, province in own_provinces.items()}
    return Legal(verbs, {MOVE: ends}, {WORK: work, BUY: sale})


def _verbs(scene: Scene, rules: Rules, preselected_answer: str) -> Iterable[Verb]:
    """Yield the kinds of orders, in the order of the panel's buttons: moves first.

    ``preselected_answer``: that of the order about reports, ``true`` or ``false``: the one that changes
    something.
    """
    pool = "armies {start}"
    most = rules.limits.moves
    _ = scene.translate
    item = Field("item", _("Item"))
    number = Field("count", _("How many"), most=99)
    armies = Field(
        "armies", _("Armies"), options([("all", _("all that are there")), ("#", _("a number"))]), most=9_999
    )
    armies = armies.evolve(noun=_("army|armies"))
    show = Field(
        "show",
        _("Your reports show others' friendly moves"),
        options([("true", _("yes")), ("false", _("no"))]),
    ).evolve(start=preselected_answer)
    served = (Field("target", _("For")),) if rules.knobs.diplomat_range else ()
    move = Verb(
        MOVE,
        _("Move or attack"),
        "moves",
        way=True,
        entries=_MOVED,
        fields=(armies,),
        pool=pool,
        count="armies",
    )
    yield move.evolve(most=most, many=Why(_("only {0} moves per turn").format(most), "CQ-20.3"))
    work = Verb(
        WORK, _("Work on"), "production", line="{start}: {item}", fields=(item,), once=True, after=MOVE
    )
    yield work.evolve(closed=Why(_("{start} is not yours, and no move of yours attacks it"), "CQ-9.12"))
    buy = Verb(BUY, _("Buy at once"), "buy", entries=_BOUGHT, pool="gold", count="count", item="item")
    gives = pool if rules.knobs.rush_armies_can_move else ""
    one_a_turn = refusal(scene, "one-a-turn", province="{start}")
    yield buy.evolve(fields=(item, number, *served), gives=gives, alone=one_a_turn)
    line = "show_internal_moves: {show}"
    yield Verb(REPORT, _("What reports show"), REPORT, start=False, line=line, fields=(show,), once=True)


def _ends(scene: Scene, province: Province, rules: Rules) -> Ends:
    """Return the provinces that armies of a province can go to, or why they cannot."""
    # by some rules armies can move in the turn in which they are bought
    if not province.fresh and not rules.knobs.rush_armies_can_move:
        return Here(why=Why(scene.translate("{0} has nothing left to send").format(province.code), "CQ-20.4"))
    return {code: Way(_whose(scene, code)) for code in scene.table.board.neighbours[province.code]}


def _whose(scene: Scene, code: str) -> str:
    """Return in words whose a province is, and how many armies are in it."""
    province = scene.after.provinces[code]
    owner = scene.translate("yours") if province.owner == scene.code else _owner(scene, province)
    return f"{owner}: {_armies(scene, province)}"


def _armies(scene: Scene, province: Province) -> str:
    return scene.formatter.phrase("{armies:army|armies}", armies=province.armies)


def _owner(scene: Scene, province: Province) -> str:
    return scene.translate("nobody") if province.owner == NEUTRAL else scene.formatter.called(province.owner)


def _work(scene: Scene, province: Province, rules: Rules) -> tuple[Option, ...]:
    """Return the options for a province's work; an own province's present work is last (CQ-9)."""
    items = possible_items(province, rules)
    phrase = scene.formatter.phrase
    called = scene.formatter.called
    values_and_titles: list[tuple[str, str]] = []
    for item in items:
        price = rules.items[item].price(province.population)
        title = phrase("{item} ({labour} labour)", item=called(item), labour=price)
        values_and_titles.append((item, title))
    if DIPLOMAT in items:
        values_and_titles += [
            (f"{{item: {DIPLOMAT}, target: {code}}}", f"{called(DIPLOMAT)} → {name}")
            for code, name in _served_neighbours(scene, province, rules)
        ]
    # the writer preselects the first option, which should change something; others' work is not known
    present_item = province.item if province.owner == scene.code else None
    return options(sorted(values_and_titles, key=lambda option: option[0] == present_item))


def _served_neighbours(scene: Scene, province: Province, rules: Rules) -> list[tuple[str, str]]:
    """Return (code, name) for the neighbours that diplomats of a province can serve (CQ-9.11).

    They are provinces of the same player, and none if the rules keep diplomats in their province.
    """
    if not rules.knobs.diplomat_range:
        return []
    board = scene.table.board
    provinces = scene.after.provinces
    own_neighbours = (code for code in board.neighbours[province.code] if provinces[code].owner == scene.code)
    return [(code, scene.translate(board.provinces[code].name)) for code in own_neighbours]


def _sale(scene: Scene, province: Province, rules: Rules) -> Mapping[str, tuple[Option, ...]]:
    """Return the options of a purchase in a province, by field: items with prices, and targets (CQ-11)."""
    formatter = scene.formatter
    for_sale = [item for item in possible_items(province, rules) if item != TAXES]
    recruits_first = sorted(for_sale, key=lambda item: item != RECRUIT)
    items = []
    for item in recruits_first:
        price = rush_price(province, item, rules)
        # the labour that is stored makes only the first one cheaper
        each = rush_price(province.with_stored(item, 0), item, rules)
        items.append(
            Option(
                value=item,
                title=formatter.phrase("{item} ({gold} gold)", item=formatter.called(item), gold=price),
                first=price,
                each=each,
                one=item not in BY_THE_NUMBER,
                gives=1 if item == RECRUIT else 0,  # an army for the pool of those that can move
            )
        )
    return {
        "item": tuple(items),
        "target": options([("", province.code), *_served_neighbours(scene, province, rules)]),
    }


def _facts(scene: Scene, province: Province, rules: Rules) -> Iterable[str]:
    """Yield sentences about a province for the panel: what the reader may know of it."""
    phrase = scene.formatter.phrase
    called = scene.formatter.called
    _ = scene.translate
    works_words = f", {called(rules.works[province.fort])}" if province.fort else ""
    yield f"{capitalised(_owner(scene, province))}: {_armies(scene, province)}{works_words}."
    land = {
        "people": province.population,
        "resources": province.resources,
        "culture": _(CULTURES[province.culture]),
    }
    yield phrase("People {people}, resources {resources}, culture: {culture}.", **land)
    if province.owner == scene.code:
        worked = labour(province, scene.after.turn + 1, rules)
        control = rules.control_word(province.control)
        work = {
            "item": called(province.item),
            "labour": worked,
            "word": _(control),
            "control": province.control,
        }
        yield phrase("Works on {item} with labour {labour}; {word} ({control}).", **work)
    else:
        own_influence = province.influence.get(scene.code, 0)
        yield phrase(
            "Your influence: {mine} ({word}).",
            mine=own_influence,
            word=_(rules.control_word(own_influence, is_owner=False)),
        )
