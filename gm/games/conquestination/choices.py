"""The choices of the order writer on the map: placing units, chains of attacks, redeployment."""

from collections.abc import Collection, Iterable, Mapping
from itertools import product

from gm.game.base.hooks import Scene
from gm.game.base.writer import (
    ASSUME,
    Choices,
    Field,
    Here,
    Legal,
    Option,
    Pool,
    Verb,
    Way,
    Why,
    options,
    refusal,
    together,
)
from gm.games.conquestination.amounts import UNITS_LIMIT
from gm.games.conquestination.odds import MOST, outlook
from gm.games.conquestination.rules import Attack
from gm.games.conquestination.state import Campaign

DEPLOY = "deploy"
REINFORCE = "reinforce"
ATTACK = "attack"
REDEPLOY = "redeploy"
THEN = "then"
TURNS_AHEAD = (THEN, f"{THEN} {THEN}")  # A case may have the orders for the turn after it in it
_IF_EARLIER = ("if", (("won", "won"), ("lost", "lost")))


def choices(scene: Scene) -> Choices:
    """Return everything that the scene's player can order."""
    return _deployment(scene) if scene.after.run == 0 else _turn(scene)


def _deployment(scene: Scene) -> Choices:
    """Return the choices of run 0: where units are placed (CN-5.4)."""
    state: Campaign = scene.after
    placing = _placing(scene, ())
    countries = state.held(scene.code)
    return _common(scene, state.parties[scene.code].to_deploy).evolve(
        sections={DEPLOY: "list"},
        verbs=(placing,),
        empty=f"{DEPLOY}: []",
        at={DEPLOY: dict.fromkeys(countries, Here())},
        words={"choose": scene.translate("Click a country of yours: each click places a unit there.")},
        direct=DEPLOY,
    )


def _turn(scene: Scene) -> Choices:
    """Return the verbs for reinforcements, attacks and redeployments (CN-7 to CN-9).

    Those of later turns and of other players are included.
    """
    state: Campaign = scene.after
    board = scene.table.board
    _ = scene.translate
    countries = state.held(scene.code)
    hold = _hold(scene, countries)
    placing = _placing(scene, (hold,))
    marches = _marches(scene, hold)
    ends_of_verb = {ATTACK: _attacks(scene), REDEPLOY: _redeployments(scene)}
    ahead = Legal(())
    others = Legal(())
    if scene.spec.alternates(state):
        ahead = _ahead(scene, placing, marches, ends_of_verb)
    else:
        others = _others(scene, placing, marches[0])
    every_way = {**ends_of_verb, **ahead.ways, **others.ways}
    modes: dict[str, str] = {}
    if ahead.verbs:
        modes |= {TURNS_AHEAD[0]: _("Order your next turn, too"), TURNS_AHEAD[1]: _("And the turn after it")}
    if others.verbs:
        modes[ASSUME] = _("Assume what others do")
    deeper = (*ahead.verbs, *others.verbs)
    beyond = Why(_("{end} is not next to {start}; next to it are {near}"), "CN-11.3")
    return _common(scene, state.next_units(scene.code, board, scene.table.rules)).evolve(
        sections={
            **dict.fromkeys((REINFORCE, "attacks", REDEPLOY), "list"),
            **{verb.section: "map" if verb.line else "list" for verb in deeper},
        },
        verbs=(placing, *marches, *deeper),
        empty=f"{REINFORCE}: []",
        ways=every_way,
        at={REINFORCE: dict.fromkeys(countries, Here()), **ahead.at, **others.at},
        beyond=dict.fromkeys(every_way, beyond),
        modes=modes,
    )


def _common(scene: Scene, units: int) -> Choices:
    """Return the choices of every run: the player's countries, new units, each country's facts."""
    few = refusal(scene, "fewer-units", placed="{left}", wanted="{wanted}")
    return Choices(
        sections={},
        verbs=(),
        own=scene.after.held(scene.code),
        empty="",
        pools={"units": Pool(scene.translate("Units to place"), units, few)},
        facts={country: (_fact(scene, country),) for country in scene.table.board.countries},
    )


def _placing(scene: Scene, conditions: tuple[Field, ...]) -> Verb:
    """Return the verb for placing units: free in run 0, later too as long as a country is held."""
    _ = scene.translate
    word = REINFORCE if conditions else DEPLOY
    amounts = options([("#", _("a number")), ("rest", _("all that are left"))])
    fields = (Field("units", _("Units"), amounts, most=UNITS_LIMIT, noun=_("unit|units")), *conditions)
    entries = _entries(deploying=not conditions)
    return Verb(word, _("Place units"), word, entries=entries, pool="units", count="units", fields=fields)


def _entries(*, deploying: bool) -> tuple[tuple[str, object], ...]:
    entries = (("country", "start"), ("units", "units"))
    return entries if deploying else (*entries, ("if", (("hold", "hold"),)))


def _hold(scene: Scene, held: Iterable[str]) -> Field:
    """Return the field for "only while a country is held" (CN-9.6)."""
    held_options = options([("", "–"), *((f"[{line_id}]", line_id) for line_id in held)])
    return Field("hold", scene.translate("Only while you hold"), held_options, more=True)


def _marches(scene: Scene, hold: Field) -> tuple[Verb, Verb]:
    """Return the verbs for attacks and redeployments, with all their conditions (CN-9.2 to CN-9.8)."""
    _ = scene.translate
    conditions = _conditions(scene, hold)
    until = (
        Field("keep", _("Break off at"), options([("", _("never")), ("#", _("# or fewer left"))])),
        Field(
            "rolls",
            _("Break off after"),
            options([("", _("never")), ("#", _("a number"))]),
            noun=_("roll|rolls"),
        ),
    )
    stays = tuple((condition.name, condition.name) for condition in conditions)
    ends = (("from", "start"), ("to", "end"))
    foreign = refusal(scene, "not-own", country="{start}", owner=_("another player"))
    line = (
        ("id", "id"),
        *ends,
        ("with", "with"),
        ("until", (("keep", "keep"), ("rolls", "rolls"))),
        ("if", stays),
    )
    choice = (*ends, ("units", "with"), ("if", stays))
    sending = [("max", _("all that may go")), ("#", _("a number")), ("{leave: #}", _("all but #"))]
    sent_field = Field("with", _("With"), options(sending), most=UNITS_LIMIT, noun=_("unit|units"))
    attack = Verb(ATTACK, _("Attack"), "attacks", way=True, entries=line, after=ATTACK, closed=foreign)
    redeploy = Verb(
        REDEPLOY, _("Redeploy"), "redeploy", way=True, entries=choice, after=ATTACK, closed=foreign
    )
    home = refusal(scene, "not-own", country="{end}", owner=_("another player"))
    return (
        attack.evolve(fields=(sent_field, *until, *conditions)),
        redeploy.evolve(fields=(sent_field, *conditions), home=home),
    )


def _conditions(scene: Scene, hold: Field) -> tuple[Field, ...]:
    """Return the conditions that a march may have (CN-9.4 to CN-9.6)."""
    nothing = (Option("", "–"),)
    _ = scene.translate
    others = [
        (code.lower(), scene.formatter.called(code)) for code in scene.after.parties if code != scene.code
    ]
    if_number = options([("", "–"), ("#", _("a number"))])
    return (
        Field("won", _("Only if won"), nothing, earlier=ATTACK, more=True),
        Field("lost", _("Only if lost"), nothing, earlier=ATTACK, more=True),
        Field("owner", _("Only if the target is of"), options([("", "–"), *others]), more=True),
        Field("min_units", _("Only with at least"), if_number, more=True),
        Field("max_defenders", _("Only against at most"), if_number, more=True),
        hold,
    )


def _ahead(
    scene: Scene, placing: Verb, marches: Iterable[Verb], ways: Mapping[str, Mapping[str, Iterable[str]]]
) -> Legal:
    """Return the verbs for later turns, and for their case: the owners of countries then."""
    _ = scene.translate
    players = options((party.name.lower(), _(party.name)) for party in scene.after.parties.values())
    case = Verb("case", _("Only if it is then of"), "if", line="{start}: {owner}", once=True)
    verbs = (case.evolve(fields=(Field("owner", _("Player"), players),)), placing.evolve(pool=""), *marches)
    later = list[Verb]()
    for mode, verb in product(TURNS_AHEAD, verbs):
        fields = tuple(
            field.evolve(earlier=field.earlier and f"{field.earlier} {mode}") for field in verb.fields
        )
        section = "/-/".join((*mode.split(), verb.section))
        changes = {"name": f"{verb.name} {mode}", "section": section, "fields": fields}
        later.append(verb.evolve(**changes, mode=mode, after="", closed=None, home=None))
    every = scene.table.board.countries
    return Legal(
        tuple(later),
        {f"{word} {mode}": _later(ends) for (word, ends), mode in product(ways.items(), TURNS_AHEAD)},
        {verb.name: dict.fromkeys(every, Here()) for verb in later if not verb.way},
    )


def _others(scene: Scene, placing: Verb, attack: Verb) -> Legal:
    """Return the possible orders of all other players."""
    plain = placing.evolve(fields=placing.fields[:1])
    rivals = (code for code in scene.after.living if code != scene.code)
    return together(_of_other(scene, code, plain, attack) for code in rivals)


def _of_other(scene: Scene, code: str, placing: Verb, attack: Verb) -> Legal:
    """Return another player's possible orders for a forecast: placings and attacks."""
    shown_fields = [
        field for field in attack.fields if field.name in ("with", "keep", "rolls", "won", "lost")
    ]
    fields = tuple(
        field.evolve(earlier=field.earlier and f"{field.earlier} {code}") for field in shown_fields
    )
    entries = (*(entry for entry in attack.entries if entry[0] != "if"), _IF_EARLIER)
    verbs = (placing.evolve(pool=""), attack.evolve(fields=fields, entries=entries, after="", closed=None))
    countries = scene.after.held(code)
    near = scene.table.board.neighbours
    ways = {ATTACK: _later({country: near[country] for country in countries})}
    legal = Legal(verbs, ways, {placing.name: dict.fromkeys(countries, Here())})
    return legal.expected(code, scene.translate(scene.after.parties[code].name))


def _later(ways: Mapping[str, Iterable[str]]) -> Mapping[str, Mapping[str, Way]]:
    """Return all ways between neighbours: their owners at that time are not known yet."""
    return {start: dict.fromkeys(ends, Way()) for start, ends in ways.items()}


def _attacks(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """Return attacks from every country, also from those that may be taken by then (CN-7.11)."""
    own_countries = set(scene.after.held(scene.code))
    return {start: _targets(scene, start, own_countries) for start in scene.table.board.neighbours}


def _targets(scene: Scene, start: str, own_countries: Collection[str]) -> Mapping[str, Way]:
    """Return the attacks from a country."""
    return {end: _target(scene, start, end, own_countries) for end in scene.table.board.neighbours[start]}


def _target(scene: Scene, start: str, end: str, own_countries: Collection[str]) -> Way:
    """Return the defence of a target and the odds against it, or why it cannot be attacked."""
    target = scene.after.countries[end]
    start_country = scene.after.countries[start]
    if end in own_countries:
        return Way(why=refusal(scene, "own-target", country=end))
    rules: Attack = scene.table.rules.attack
    engaged = start_country.units - rules.stay_behind
    against = f"{scene.formatter.called(target.owner)} {target.units}"
    if start not in own_countries or not 0 < max(engaged, target.units) <= MOST or engaged < 1:
        return Way(against)
    chance = f"{outlook(engaged, target.units, rules)[0]:.0%}"
    return Way(
        scene.formatter.phrase(
            "{against}: {engaged} win in {chance}", against=against, engaged=engaged, chance=chance
        )
    )


def _redeployments(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """Return the countries that units of each country may be redeployed to, with the units there."""
    board = scene.table.board
    rules = scene.after.settings.applied(scene.table.rules)
    units = {country: Way(str(there.units)) for country, there in scene.after.countries.items()}
    ends_of_country = board.redeployable(rules.redeploy)
    return {start: _picked(units, ends) for start, ends in ends_of_country.items()}


def _picked(ways: Mapping[str, Way], ends: Iterable[str]) -> Mapping[str, Way]:
    """Return the ways that lead to these countries."""
    return {end: ways[end] for end in ends}


def _fact(scene: Scene, country: str) -> str:
    """Return a sentence about a country: its continent, owner, units and neighbours."""
    state = scene.after
    board = scene.table.board
    owned = state.countries[country]
    continent = board.continents.get(country[0], country[0])
    values = {"continent": continent, "owner": scene.formatter.called(owned.owner), "units": owned.units}
    near = ", ".join(map(board.called, board.neighbours[country]))
    return scene.formatter.phrase(
        "{continent}: {owner}, {units:unit}. Next to it: {near}.", **values, near=near
    )
