"""What the order writer on the map offers: where units are placed, attacks in chains with conditions, redeployment."""

from collections.abc import Collection, Iterable, Mapping

from gm.game.base.hooks import Scene
from gm.game.base.writer import Choices, Field, Here, Option, Pool, Verb, Way, Why, options, refusal
from gm.games.conquestination.odds import MOST, outlook
from gm.games.conquestination.orders import UNITS_LIMIT
from gm.games.conquestination.rules import Attack
from gm.games.conquestination.state import Campaign

DEPLOY, REINFORCE, ATTACK, REDEPLOY = "deploy", "reinforce", "attack", "redeploy"
_PLACED = Field("units", "Units", options([("#", "so many"), ("rest", "all that are left")]), most=UNITS_LIMIT)
_SENT = options([("max", "all that may go"), ("#", "so many"), ("{leave: #}", "all but so many")])
_IF_NUMBER = [("", "–"), ("#", "so many")]


def choices(scene: Scene) -> Choices:
    """Everything that the scene's player can order."""
    state: Campaign = scene.after
    code, board = scene.code, scene.table.board
    held = state.held(code)
    deploying = state.run == 0
    units = state.parties[code].to_deploy if deploying else state.next_units(code, board, scene.table.rules)
    word = DEPLOY if deploying else REINFORCE
    fields = (_PLACED,) if deploying else (_PLACED, _hold(held))
    placing = Verb(word, "Place units", word, entries=_entries(deploying), pool="units", count="units", fields=fields)
    few = refusal(scene, "fewer-units", placed="{left}", wanted="{wanted}")
    verbs = (placing,) if deploying else (placing, *_marches(scene, held))
    ways = {} if deploying else {ATTACK: _attacks(scene), REDEPLOY: _redeployments(scene)}
    beyond = Why("{end} is no neighbour of {start}; there are: {near}", "CN-11.3")
    return Choices(
        sections=dict.fromkeys(("deploy",) if deploying else ("reinforce", "attacks", "redeploy"), "list"),
        verbs=verbs,
        own=held,
        empty=f"{word}: []",
        ways=ways,
        at={word: dict.fromkeys(held, Here())},
        beyond={ATTACK: beyond, REDEPLOY: beyond} if ways else {},
        pools={"units": Pool("Units to place", units, few)},
        facts={country: (_fact(scene, country),) for country in board.countries},
        words=_WORDS if deploying else {},
        direct=word if deploying else "",
    )


_WORDS = {"choose": "Click a country of yours: each click places a unit there."}


def _entries(deploying: bool) -> tuple[tuple[str, object], ...]:
    entries = (("country", "start"), ("units", "units"))
    return entries if deploying else (*entries, ("if", (("hold", "hold"),)))


def _hold(held: Iterable[str]) -> Field:
    """CN-9.6: only while a country is held."""
    return Field(
        "hold", "Only while you hold", options([("", "–"), *((f"[{each}]", each) for each in held)]), more=True
    )


def _marches(scene: Scene, held: tuple[str, ...]) -> tuple[Verb, Verb]:
    """Attacks and redeployments, with all that may be said of them (CN-9.2 to CN-9.8)."""
    nothing = (Option("", "–"),)
    others = [(code.lower(), each.name) for code, each in scene.after.parties.items() if code != scene.code]
    earlier = (
        Field("won", "Only if won", nothing, earlier=ATTACK, more=True),
        Field("lost", "Only if lost", nothing, earlier=ATTACK, more=True),
    )
    conditions = (
        *earlier,
        Field("owner", "Only if the target is of", options([("", "–"), *others]), more=True),
        Field("min_units", "Only with at least", options(_IF_NUMBER), more=True),
        Field("max_defenders", "Only against at most", options(_IF_NUMBER), more=True),
        _hold(held),
    )
    until = (
        Field("keep", "Broken off when there are left", options([("", "never"), ("#", "so many or fewer")])),
        Field("rolls", "Broken off after", options([("", "never"), ("#", "so many rolls")])),
    )
    stays = tuple((each.name, each.name) for each in conditions)
    ends = (("from", "start"), ("to", "end"))
    foreign = refusal(scene, "not-own", country="{start}", owner="another player")
    line = (("id", "id"), *ends, ("with", "with"), ("until", (("keep", "keep"), ("rolls", "rolls"))), ("if", stays))
    choice = (*ends, ("units", "with"), ("if", stays))
    sent = Field("with", "With", _SENT, most=UNITS_LIMIT)
    attack = Verb(ATTACK, "Attack", "attacks", True, entries=line, after=ATTACK, closed=foreign)
    redeploy = Verb(REDEPLOY, "Redeploy", "redeploy", True, entries=choice, after=ATTACK, closed=foreign)
    home = refusal(scene, "not-own", country="{end}", owner="another player")
    return (
        attack.evolve(fields=(sent, *until, *conditions)),
        redeploy.evolve(fields=(sent, *conditions), home=home),
    )


def _attacks(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    """From every country: also from those that may be taken by then (CN-7.11)."""
    own, beside = set(scene.after.held(scene.code)), scene.table.board.neighbours
    return {start: {end: _target(scene, start, end, own) for end in beside[start]} for start in beside}


def _target(scene: Scene, start: str, end: str, own: Collection[str]) -> Way:
    there, here = scene.after.countries[end], scene.after.countries[start]
    if end in own:
        return Way(why=refusal(scene, "own-target", country=end))
    rules: Attack = scene.table.rules.attack
    engaged, against = here.units - rules.stay_behind, f"{scene.after.parties[there.owner].name} {there.units}"
    if start not in own or not 0 < max(engaged, there.units) <= MOST or engaged < 1:
        return Way(against)
    return Way(f"{against}: {engaged} win in {outlook(engaged, there.units, rules)[0]:.0%}")


def _redeployments(scene: Scene) -> Mapping[str, Mapping[str, Way]]:
    board, rules = scene.table.board, scene.after.settings.applied(scene.table.rules)
    beside = board.neighbours if rules.redeploy.links_allow_redeploy else board.by_land
    return {start: {end: Way(str(scene.after.countries[end].units)) for end in beside[start]} for start in beside}


def _fact(scene: Scene, country: str) -> str:
    state, board = scene.after, scene.table.board
    there, continent = state.countries[country], board.continents.get(country[0], country[0])
    units = f"{there.units} unit" if there.units == 1 else f"{there.units} units"
    near = ", ".join(map(board.called, board.neighbours[country]))
    return f"{continent}: {state.parties[there.owner].name}, {units}. Next to it: {near}."
