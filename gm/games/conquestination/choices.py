"""What the order writer on the map offers: where units are placed, attacks in chains with conditions, redeployment."""

from collections.abc import Collection, Iterable, Mapping
from itertools import product

from gm.game.base.hooks import Scene
from gm.game.base.writer import ASSUME, Choices, Field, Here, Option, Pool, Verb, Way, Why, assumed, options, refusal
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
    """Everything that the scene's player can order."""
    state: Campaign = scene.after
    code = scene.code
    board = scene.table.board
    held = state.held(code)
    deploying = state.run == 0
    units = state.parties[code].to_deploy if deploying else state.next_units(code, board, scene.table.rules)
    word = DEPLOY if deploying else REINFORCE
    _ = scene.translate
    left = options([("#", _("so many")), ("rest", _("all that are left"))])
    placed = Field("units", _("Units"), left, most=UNITS_LIMIT)
    fields = (placed,) if deploying else (placed, _hold(scene, held))
    placing = Verb(
        word, _("Place units"), word, entries=_entries(deploying), pool="units", count="units", fields=fields
    )
    few = refusal(scene, "fewer-units", placed="{left}", wanted="{wanted}")
    marches = () if deploying else _marches(scene, held)
    alternates = scene.spec.alternates(state)
    ahead = tuple(_ahead(scene, placing, marches)) if alternates and marches else ()
    ways = {} if deploying else {ATTACK: _attacks(scene), REDEPLOY: _redeployments(scene)}
    later = {f"{each} {mode}": _later(ways[each]) for each in ways for mode in TURNS_AHEAD if ahead}
    rivals = {other: state.held(other) for other in state.living if other != code and marches and not alternates}
    others = [verb for other in rivals for verb in _of_others(scene, other, placing.evolve(fields=(placed,)), marches)]
    near = board.neighbours
    theirs = {f"{ATTACK} {other}": _later({each: near[each] for each in own}) for other, own in rivals.items()}
    sections = ("deploy",) if deploying else ("reinforce", "attacks", "redeploy")
    modes = (
        (TURNS_AHEAD[0], _("Order your next turn, too"), ahead),
        (TURNS_AHEAD[1], _("And the turn after it"), ahead),
        (ASSUME, _("Assume what others do"), others),
    )
    beyond = Why(_("{end} is no neighbour of {start}; there are: {near}"), "CN-11.3")
    return Choices(
        sections={
            **dict.fromkeys(sections, "list"),
            **{each.section: "map" if each.line else "list" for each in (*ahead, *others)},
        },
        verbs=(placing, *marches, *ahead, *others),
        own=held,
        empty=f"{word}: []",
        ways={**ways, **later, **theirs},
        at={
            word: dict.fromkeys(held, Here()),
            **{each.name: dict.fromkeys(board.countries, Here()) for each in ahead if not each.way},
            **{f"{word} {other}": dict.fromkeys(own, Here()) for other, own in rivals.items()},
        },
        beyond=dict.fromkeys((*ways, *later, *theirs), beyond),
        modes={name: title for name, title, verbs in modes if verbs},
        pools={"units": Pool(_("Units to place"), units, few)},
        facts={country: (_fact(scene, country),) for country in board.countries},
        words={"choose": _("Click a country of yours: each click places a unit there.")} if deploying else {},
        direct=word if deploying else "",
    )


def _entries(deploying: bool) -> tuple[tuple[str, object], ...]:
    entries = (("country", "start"), ("units", "units"))
    return entries if deploying else (*entries, ("if", (("hold", "hold"),)))


def _hold(scene: Scene, held: Iterable[str]) -> Field:
    """CN-9.6: only while a country is held."""
    found = options([("", "–"), *((f"[{each}]", each) for each in held)])
    return Field("hold", scene.translate("Only while you hold"), found, more=True)


def _marches(scene: Scene, held: tuple[str, ...]) -> tuple[Verb, Verb]:
    """Attacks and redeployments, with all that may be said of them (CN-9.2 to CN-9.8)."""
    nothing = (Option("", "–"),)
    _ = scene.translate
    others = [(code.lower(), scene.tell.called(code)) for code in scene.after.parties if code != scene.code]
    if_number = options([("", "–"), ("#", _("so many"))])
    earlier = (
        Field("won", _("Only if won"), nothing, earlier=ATTACK, more=True),
        Field("lost", _("Only if lost"), nothing, earlier=ATTACK, more=True),
    )
    conditions = (
        *earlier,
        Field("owner", _("Only if the target is of"), options([("", "–"), *others]), more=True),
        Field("min_units", _("Only with at least"), if_number, more=True),
        Field("max_defenders", _("Only against at most"), if_number, more=True),
        _hold(scene, held),
    )
    until = (
        Field("keep", _("Broken off when there are left"), options([("", _("never")), ("#", _("so many or fewer"))])),
        Field("rolls", _("Broken off after"), options([("", _("never")), ("#", _("so many rolls"))])),
    )
    stays = tuple((each.name, each.name) for each in conditions)
    ends = (("from", "start"), ("to", "end"))
    foreign = refusal(scene, "not-own", country="{start}", owner=_("another player"))
    line = (("id", "id"), *ends, ("with", "with"), ("until", (("keep", "keep"), ("rolls", "rolls"))), ("if", stays))
    choice = (*ends, ("units", "with"), ("if", stays))
    sending = [("max", _("all that may go")), ("#", _("so many")), ("{leave: #}", _("all but so many"))]
    sent = Field("with", _("With"), options(sending), most=UNITS_LIMIT)
    attack = Verb(ATTACK, _("Attack"), "attacks", True, entries=line, after=ATTACK, closed=foreign)
    redeploy = Verb(REDEPLOY, _("Redeploy"), "redeploy", True, entries=choice, after=ATTACK, closed=foreign)
    home = refusal(scene, "not-own", country="{end}", owner=_("another player"))
    return (
        attack.evolve(fields=(sent, *until, *conditions)),
        redeploy.evolve(fields=(sent, *conditions), home=home),
    )


def _ahead(scene: Scene, placing: Verb, marches: Iterable[Verb]) -> Iterable[Verb]:
    """Yield the same for the turns after this one, and for what case: whose countries are then."""
    _ = scene.translate
    players = options((each.name.lower(), _(each.name)) for each in scene.after.parties.values())
    case = Verb("case", _("Only if it is then of"), "if", line="{start}: {owner}", once=True)
    verbs = (case.evolve(fields=(Field("owner", _("Player"), players),)), placing.evolve(pool=""), *marches)
    for mode, each in product(TURNS_AHEAD, verbs):
        fields = tuple(field.evolve(earlier=field.earlier and f"{field.earlier} {mode}") for field in each.fields)
        section = "/-/".join((*mode.split(), each.section))
        changes = {"name": f"{each.name} {mode}", "section": section, "fields": fields}
        yield each.evolve(**changes, mode=mode, after="", closed=None, home=None)


def _of_others(scene: Scene, code: str, placing: Verb, marches: Iterable[Verb]) -> Iterable[Verb]:
    """Return what another player may do, as far as a forecast needs it: where he places units, and whom he attacks."""
    verbs = [placing.evolve(pool="")]
    for attack in (each for each in marches if each.name == ATTACK):
        known = [each for each in attack.fields if each.name in ("with", "keep", "rolls", "won", "lost")]
        fields = tuple(each.evolve(earlier=each.earlier and f"{each.earlier} {code}") for each in known)
        entries = (*(each for each in attack.entries if each[0] != "if"), _IF_EARLIER)
        verbs.append(attack.evolve(fields=fields, entries=entries, after="", closed=None))
    return assumed(verbs, code, scene.translate(scene.after.parties[code].name))


def _later(ways: Mapping[str, Iterable[str]]) -> Mapping[str, Mapping[str, Way]]:
    """Return all ways between neighbours: whose the countries are is seen then."""
    return {start: dict.fromkeys(ends, Way()) for start, ends in ways.items()}


def _attacks(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """From every country: also from those that may be taken by then (CN-7.11)."""
    own = set(scene.after.held(scene.code))
    beside = scene.table.board.neighbours
    return {start: {end: _target(scene, start, end, own) for end in beside[start]} for start in beside}


def _target(scene: Scene, start: str, end: str, own: Collection[str]) -> Way:
    there = scene.after.countries[end]
    here = scene.after.countries[start]
    if end in own:
        return Way(why=refusal(scene, "own-target", country=end))
    rules: Attack = scene.table.rules.attack
    engaged = here.units - rules.stay_behind
    against = f"{scene.tell.called(there.owner)} {there.units}"
    if start not in own or not 0 < max(engaged, there.units) <= MOST or engaged < 1:
        return Way(against)
    chance = f"{outlook(engaged, there.units, rules)[0]:.0%}"
    return Way(
        scene.tell.phrase("{against}: {engaged} win in {chance}", against=against, engaged=engaged, chance=chance)
    )


def _redeployments(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    board = scene.table.board
    rules = scene.after.settings.applied(scene.table.rules)
    ways = board.redeployable(rules.redeploy)
    units = scene.after.countries
    return {start: {end: Way(str(units[end].units)) for end in ends} for start, ends in ways.items()}


def _fact(scene: Scene, country: str) -> str:
    state = scene.after
    board = scene.table.board
    there = state.countries[country]
    continent = board.continents.get(country[0], country[0])
    found = {"continent": continent, "owner": scene.tell.called(there.owner), "units": there.units}
    near = ", ".join(map(board.called, board.neighbours[country]))
    return scene.tell.phrase("{continent}: {owner}, {units:unit}. Next to it: {near}.", **found, near=near)
