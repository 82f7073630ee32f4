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
# The modes of the writer for the next turn, and for the turn after it: a case within a case has its orders
TURNS_AHEAD = (THEN, f"{THEN} {THEN}")
# What can be said of another player's attack; other conditions and an id are the player's own
_FIELDS_OF_OTHERS = ("with", "keep", "rolls", "won", "lost")
_CONDITIONS_OF_OTHERS = ("if", (("won", "won"), ("lost", "lost")))


def choices(scene: Scene) -> Choices:
    """Return the choices of the order writer: what the player can order, and assume of others."""
    return _deployment(scene) if scene.after.run == 0 else _turn(scene)


def _deployment(scene: Scene) -> Choices:
    """Return the choices of run 0: where units are placed (CN-5.4)."""
    state: Campaign = scene.after
    placing = _placing(scene, conditions=())
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
    """Return the choices of a later run: reinforcements, attacks and redeployments (CN-7 to CN-9).

    Where turns alternate, there are also the choices for the next two turns; else there are those of orders
    that are assumed of others.
    """
    state: Campaign = scene.after
    _ = scene.translate
    countries = state.held(scene.code)
    hold = _hold(scene, countries)
    placing = _placing(scene, conditions=(hold,))
    attack, redeploy = _marches(scene, hold)
    ends_of_verb = {ATTACK: _attacks(scene), REDEPLOY: _redeployments(scene)}
    ahead = Legal(())
    others = Legal(())
    if scene.spec.alternates(state):
        ahead = _ahead(scene, placing, (attack, redeploy), ends_of_verb)
    else:
        others = _others(scene, placing, attack)
    every_way = {**ends_of_verb, **ahead.ways, **others.ways}
    further_verbs = (*ahead.verbs, *others.verbs)
    beyond = Why(_("{end} is not next to {start}; next to it are {near}"), "CN-11.3")
    return _common(scene, state.next_units(scene.code, scene.table.board, scene.table.rules)).evolve(
        sections={
            **dict.fromkeys((REINFORCE, "attacks", REDEPLOY), "list"),
            **{verb.section: "map" if verb.line else "list" for verb in further_verbs},
        },
        verbs=(placing, attack, redeploy, *further_verbs),
        empty=f"{REINFORCE}: []",
        ways=every_way,
        at={REINFORCE: dict.fromkeys(countries, Here()), **ahead.at, **others.at},
        beyond=dict.fromkeys(every_way, beyond),
        modes=_modes(scene, ahead, others),
    )


def _modes(scene: Scene, ahead: Legal, others: Legal) -> dict[str, str]:
    """Return the titles of the writer's modes with any orders, by mode: turns ahead, and orders of others."""
    _ = scene.translate
    modes: dict[str, str] = {}
    if ahead.verbs:
        modes |= {TURNS_AHEAD[0]: _("Order your next turn, too"), TURNS_AHEAD[1]: _("And the turn after it")}
    if others.verbs:
        modes[ASSUME] = _("Assume what others do")
    return modes


def _common(scene: Scene, units: int) -> Choices:
    """Return what the choices of every run have in common; ``units``: how many the player has to place.

    It is the player's countries, the pool of new units, and a sentence about each country.
    """
    # the page's script fills in the two numbers
    why_fewer = refusal(scene, "fewer-units", placed="{left}", wanted="{wanted}")
    return Choices(
        sections={},
        verbs=(),
        own=scene.after.held(scene.code),
        empty="",
        pools={"units": Pool(scene.translate("Units to place"), units, why_fewer)},
        facts={country: (_fact(scene, country),) for country in scene.table.board.countries},
    )


def _placing(scene: Scene, conditions: tuple[Field, ...]) -> Verb:
    """Return the verb for placing units; ``conditions``: the fields for its conditions, none in run 0."""
    _ = scene.translate
    word = REINFORCE if conditions else DEPLOY
    amounts = options([("#", _("a number")), ("rest", _("all that are left"))])
    fields = (Field("units", _("Units"), amounts, most=UNITS_LIMIT, noun=_("unit|units")), *conditions)
    entries = _entries(deploying=not conditions)
    return Verb(word, _("Place units"), word, entries=entries, pool="units", count="units", fields=fields)


def _entries(*, deploying: bool) -> tuple[tuple[str, object], ...]:
    """Return the entries of a placing in the file, each with the field that fills it.

    ``deploying``: it is a placing of the deployment, which has no condition.
    """
    entries = (("country", "start"), ("units", "units"))
    return entries if deploying else (*entries, ("if", (("hold", "hold"),)))


def _hold(scene: Scene, held: Iterable[str]) -> Field:
    """Return the field for "only while a country is held" (CN-9.6)."""
    countries = options([("", "–"), *((f"[{country}]", country) for country in held)])
    return Field("hold", scene.translate("Only while you hold"), countries, more=True)


def _marches(scene: Scene, hold: Field) -> tuple[Verb, Verb]:
    """Return the verbs for attacks and redeployments, with all their conditions (CN-9.2 to CN-9.8).

    ``hold``: the field of the condition to hold a country.
    """
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
    # the entries of an order in the file, each with the field that fills it
    condition_entries = tuple((condition.name, condition.name) for condition in conditions)
    ends = (("from", "start"), ("to", "end"))
    attack_entries = (
        ("id", "id"),
        *ends,
        ("with", "with"),
        ("until", (("keep", "keep"), ("rolls", "rolls"))),
        ("if", condition_entries),
    )
    redeploy_entries = (*ends, ("units", "with"), ("if", condition_entries))
    why_foreign = refusal(scene, "not-own", country="{start}", owner=_("another player"))
    sending = [("max", _("all that may go")), ("#", _("a number")), ("{leave: #}", _("all but #"))]
    sent_field = Field("with", _("With"), options(sending), most=UNITS_LIMIT, noun=_("unit|units"))
    # both may also start where an earlier attack ends
    attack = Verb(
        ATTACK, _("Attack"), "attacks", way=True, entries=attack_entries, after=ATTACK, closed=why_foreign
    )
    redeploy = Verb(
        REDEPLOY,
        _("Redeploy"),
        "redeploy",
        way=True,
        entries=redeploy_entries,
        after=ATTACK,
        closed=why_foreign,
    )
    home = refusal(scene, "not-own", country="{end}", owner=_("another player"))
    return (
        attack.evolve(fields=(sent_field, *until, *conditions)),
        redeploy.evolve(fields=(sent_field, *conditions), home=home),
    )


def _conditions(scene: Scene, hold: Field) -> tuple[Field, ...]:
    """Return the fields of the conditions that a march may have (CN-9.4 to CN-9.6).

    ``hold``: that of the country that the player must hold.
    """
    no_condition = (Option("", "–"),)  # the page adds the earlier attacks to choose from
    _ = scene.translate
    others = [
        (code.lower(), scene.formatter.called(code)) for code in scene.after.parties if code != scene.code
    ]
    if_number = options([("", "–"), ("#", _("a number"))])
    return (
        Field("won", _("Only if won"), no_condition, earlier=ATTACK, more=True),
        Field("lost", _("Only if lost"), no_condition, earlier=ATTACK, more=True),
        Field("owner", _("Only if the target is of"), options([("", "–"), *others]), more=True),
        Field("min_units", _("Only with at least"), if_number, more=True),
        Field("max_defenders", _("Only against at most"), if_number, more=True),
        hold,
    )


def _ahead(
    scene: Scene, placing: Verb, marches: Iterable[Verb], ways: Mapping[str, Mapping[str, Iterable[str]]]
) -> Legal:
    """Return the orders for the next two turns, and the cases in which they count: who owns countries then.

    ``ways``: the ends of marches by verb and start. Nobody knows the position then: units are not counted,
    and marches start and end anywhere.
    """
    _ = scene.translate
    players = options((party.name.lower(), _(party.name)) for party in scene.after.parties.values())
    case = Verb("case", _("Only if it is then of"), "if", line="{start}: {owner}", once=True)
    case = case.evolve(fields=(Field("owner", _("Player"), players),))
    later_verbs = list[Verb]()
    for mode, verb in product(TURNS_AHEAD, (case, placing.evolve(pool=""), *marches)):
        section = "/-/".join((*mode.split(), verb.section))  # "-" stands for a case in a list of them
        later_verb = _unbound(verb).evolve(name=f"{verb.name} {mode}", section=section, mode=mode)
        later_verbs.append(later_verb.evolve(fields=_after_attacks_of(mode, verb.fields)))
    countries = scene.table.board.countries
    return Legal(
        tuple(later_verbs),
        {f"{word} {mode}": _later(ends) for (word, ends), mode in product(ways.items(), TURNS_AHEAD)},
        {verb.name: dict.fromkeys(countries, Here()) for verb in later_verbs if not verb.way},
    )


def _unbound(verb: Verb) -> Verb:
    """Return a verb without the limits of the present position: its orders start and end anywhere."""
    return verb.evolve(after="", closed=None, home=None)


def _after_attacks_of(suffix: str, fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields of a verb to whose name ``suffix`` was added.

    Where a field offers earlier attacks, it now offers those of the attack verb with the same suffix.
    """
    return tuple(field.evolve(earlier=field.earlier and f"{field.earlier} {suffix}") for field in fields)


def _others(scene: Scene, placing: Verb, attack: Verb) -> Legal:
    """Return the orders that can be assumed of all others: placings without conditions, and attacks."""
    units_field = placing.fields[0]
    unconditional = placing.evolve(fields=(units_field,))
    rivals = (code for code in scene.after.living if code != scene.code)
    return together(_of_other(scene, code, unconditional, attack) for code in rivals)


def _of_other(scene: Scene, code: str, placing: Verb, attack: Verb) -> Legal:
    """Return the orders that can be assumed of the player ``code``, for a forecast: placings and attacks.

    Their units are not counted, and attacks start in any of their countries.
    """
    fields = [field for field in attack.fields if field.name in _FIELDS_OF_OTHERS]
    # the entry of the reader's own conditions is replaced by one for others
    entries = [entry for entry in attack.entries if entry[0] != "if"]
    assumed_attack = _unbound(attack).evolve(
        fields=_after_attacks_of(code, fields), entries=(*entries, _CONDITIONS_OF_OTHERS)
    )
    verbs = (placing.evolve(pool=""), assumed_attack)
    countries = scene.after.held(code)
    near = scene.table.board.neighbours
    ways = {ATTACK: _later({country: near[country] for country in countries})}
    legal = Legal(verbs, ways, {placing.name: dict.fromkeys(countries, Here())})
    return legal.expected(code, scene.translate(scene.after.parties[code].name))


def _later(ways: Mapping[str, Iterable[str]]) -> Mapping[str, Mapping[str, Way]]:
    """Return ways without details, by start and end: the owners at that time are not known yet."""
    return {start: dict.fromkeys(ends, Way()) for start, ends in ways.items()}


def _attacks(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """Return the attacks from every country, by start and end: earlier attacks may take it (CN-7.11)."""
    own_countries = set(scene.after.held(scene.code))
    return {start: _targets(scene, start, own_countries) for start in scene.table.board.neighbours}


def _targets(scene: Scene, start: str, own_countries: Collection[str]) -> Mapping[str, Way]:
    """Return the attacks from a country on its neighbours, by end."""
    return {end: _target(scene, start, end, own_countries) for end in scene.table.board.neighbours[start]}


def _target(scene: Scene, start: str, end: str, own_countries: Collection[str]) -> Way:
    """Return what defends the target ``end``, or why it cannot be attacked.

    The odds are added if the attack starts in an own country with units to spare, and both sides are small
    enough for exact odds (``MOST``).
    """
    target = scene.after.countries[end]
    start_country = scene.after.countries[start]
    if end in own_countries:
        return Way(why=refusal(scene, "own-target", country=end))
    rules: Attack = scene.table.rules.attack
    engaged = start_country.units - rules.stay_behind
    against = f"{scene.formatter.called(target.owner)} {target.units}"
    has_odds = start in own_countries and engaged >= 1 and max(engaged, target.units) <= MOST
    if not has_odds:
        return Way(against)
    won, _, _ = outlook(engaged, target.units, rules)
    return Way(
        scene.formatter.phrase(
            "{against}: {engaged} win in {chance}", against=against, engaged=engaged, chance=f"{won:.0%}"
        )
    )


def _redeployments(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """Return the redeployments from each country, by start and end, with the units that are at the end."""
    rules = scene.after.settings.applied(scene.table.rules)
    way_to = {country: Way(str(there.units)) for country, there in scene.after.countries.items()}
    ends_of_country = scene.table.board.redeployable(rules.redeploy)
    return {start: {end: way_to[end] for end in ends} for start, ends in ends_of_country.items()}


def _fact(scene: Scene, country: str) -> str:
    """Return a sentence about a country: its continent, owner, units and neighbours."""
    board = scene.table.board
    owned = scene.after.countries[country]
    continent = board.continents.get(country[0], country[0])  # a country's code begins with its continent's
    values = {"continent": continent, "owner": scene.formatter.called(owned.owner), "units": owned.units}
    near = ", ".join(map(board.called, board.neighbours[country]))
    return scene.formatter.phrase(
        "{continent}: {owner}, {units:unit}. Next to it: {near}.", **values, near=near
    )
