"""What the reports of Conquestination tell of the game itself: map, players, countries, battles (CN-13.3, CN-13.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Part, Prose, Section, Shown
from gm.games.conquestination.battle import compared
from gm.games.conquestination.countries import CountryMap
from gm.games.conquestination.events import Conquered, Fought
from gm.games.conquestination.rules import Rules
from gm.games.conquestination.state import Campaign, continent_bonus

HOW = {
    "won": Cell("won", tone="good"),
    "beaten": Cell("beaten", tone="bad"),
    "broken": Cell("broken off", tone="soft"),
}
"""How an attack ended."""


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    state, code, land = scene.after, scene.code, scene.table.board.land
    held = state.held(code)
    yield Fact("Countries", f"{len(held)} of {len(state.countries)}", "all of them win the game")
    yield Fact("Units", str(state.units_of(code)))
    whole = [land.continents[letter] for letter in land.whole(held)]
    yield Fact("Continents", str(len(whole)), ", ".join(whole) or "none held whole")
    if state.run == 0:
        yield Fact("To deploy", str(state.parties[code].to_deploy), "in run 0")
    else:
        yield Fact("Next reinforcement", str(state.next_units(code, land, scene.table.rules)), "if nothing changed")


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders."""
    about = (
        f"{scene.table.board.title} after {scene.spec.label(scene.after)}: who holds which country with how many units"
    )
    legend = "Your countries are darker. Dotted lines are sea links. Arrows are attacks, broken ones without success."
    yield Section("map", "Map", [scene.picture(about, legend)])
    yield Section("players", "Players", [_players(scene), *_next(scene)])
    fights = [event for event in scene.result.events if isinstance(event, Fought)]
    if fights:
        yield Section("battles", "Battles", list(_battles(scene, fights)))
    yield Section("countries", "Countries", [_countries(scene)])


def _players(scene: Scene) -> Grid:
    state, land, rules = scene.after, scene.table.board.land, scene.table.rules
    conquests = [event for event in scene.result.events if isinstance(event, Conquered)]
    won, lost = Counter(event.owner for event in conquests), Counter(event.formerly for event in conquests)
    rows: list[list[Shown]] = [
        [
            scene.party_cell(code),
            seat,
            len(state.held(code)),
            f"+{won[code]} −{lost[code]}" if won[code] or lost[code] else "",
            state.units_of(code),
            ", ".join(land.continents[each] for each in land.whole(state.held(code))),
            state.next_units(code, land, rules),
            player.status,
        ]
        for seat, (code, player) in enumerate(state.parties.items(), 1)
    ]
    columns = ("Player", "Seat", "Countries", "Won and lost", "Units", "Whole continents", "Next reinforcement")
    return Grid((*columns, "Status"), rows, numbers=("Seat", "Countries", "Units", "Next reinforcement"))


def _next(scene: Scene) -> Iterator[Part]:
    state = scene.after
    if state.winners is None:
        who = "everybody, in the order of seats" if state.current is None else state.parties[state.current].name
        what = "Run 0 deploys" if state.run == 0 else f"Run {state.run} plays the turn of {who}"
        yield Prose((f"{what}; order files quote turn {state.run}.",))


def _battles(scene: Scene, fights: list[Fought]) -> Iterator[Part]:
    rows: list[list[Shown]] = [
        [
            f"{event.source} → {event.target}",
            scene.party_cell(event.owner),
            scene.party_cell(event.defender),
            f"{event.engaged} : {event.defenders}",
            f"{event.lost} : {event.killed}",
            len(event.rolls),
            HOW[event.how],
        ]
        for event in fights
    ]
    columns = ("Where", "Attacker", "Defender", "Units", "Losses", "Rolls", "Result")
    yield Grid(columns, rows, numbers=("Rolls",))
    yield Folded("Every roll", [_rolls(event) for event in fights])


def _rolls(event: Fought) -> Grid:
    rows: list[list[Shown]] = []
    for number, words in enumerate(event.rolls, 1):
        attack, defence = words.split(" : ")
        rows.append([number, attack, defence, *compared(map(int, attack.split()), map(int, defence.split()))])
    columns = ("Roll", "Attacker", "Defender", "Attacker loses", "Defender loses")
    return Grid(columns, rows, f"{event.source} → {event.target}", numbers=("Roll", *columns[3:]))


def _countries(scene: Scene) -> Grid:
    state, land, rules = scene.after, scene.table.board.land, scene.table.rules
    rows: list[list[Shown]] = []
    for letter, name in land.continents.items():
        own = land.continent(letter)
        bonus = continent_bonus(len(own), rules.reinforcement)
        for country in own:
            holding, by_land = state.countries[country], land.by_land[country]
            beside = ", ".join(each if each in by_land else f"{each} (link)" for each in land.neighbours[country])
            continent = f"{name} ({bonus} if whole)" if country == own[0] else name
            rows.append([country, continent, scene.party_cell(holding.owner), holding.units, beside])
    return Grid(("Country", "Continent", "Owner", "Units", "Neighbours"), rows, numbers=("Units",))


# -- what can be ordered -----------------------------------------------------------------------------------------------


def choices(scene: Scene) -> Iterator[Part]:
    """Where a player's units stand against whom, above the template."""
    state, code, land = scene.after, scene.code, scene.table.board.land
    if state.run == 0:
        yield Prose((f"You place {state.parties[code].to_deploy} units now, one in each round of the deployment.",))
    else:
        units = state.next_units(code, land, scene.table.rules)
        yield Prose((f"If nothing changes before your turn you get {units} units.",))
    rows: list[list[Shown]] = []
    for country in state.held(code):
        strangers = [(each, state.countries[each]) for each in land.neighbours[country]]
        targets = [f"{c} ({state.parties[at.owner].name} {at.units})" for c, at in strangers if at.owner != code]
        if targets:
            rows.append([country, state.countries[country].units, ", ".join(targets)])
    columns = ("From", "Units", "You can attack")
    yield Grid(columns, rows, "Your borders", numbers=("Units",), nothing="You have no border.")


def template_lines(scene: Scene) -> list[str]:
    """What stands below the head of the template: examples with the player's own countries in them (CN-10.1)."""
    state, land, code = scene.after, scene.table.board.land, scene.code
    own = state.held(code)
    first = own[0] if own else land.countries[0]
    owned = [f"#   {country}: {state.countries[country].units}" for country in own] or ["#   none"]
    if state.run == 0:
        return [
            f"# You have {state.parties[code].to_deploy} units to place. Those you do not place go where the enemy is",
            "# strongest against you.",
            "deploy:",
            f"  # - {{country: {first}, units: 2}}",
            f"  # - {{country: {own[-1] if own else first}, units: rest}}",
            *("", "# Your countries:", *owned),
        ]
    source, target = _example(state, land, code) or (first, next(iter(land.neighbours[first]), first))
    units = state.next_units(code, land, scene.table.rules)
    onward = next((each for each in land.neighbours[target] if each != source), source)
    beside = next((each for each in land.neighbours[source] if each in own), target)
    return [
        f"# Read from top to bottom. You get {units} units, if nothing changes before your turn.",
        "reinforce:",
        f"  # - {{country: {source}, units: 1}}",
        f"  # - {{country: {source}, units: rest}}",
        "",
        "# with: a number, max, or {leave: 2}.  until: won, {keep: 2}, {rolls: 3}, or both of these.",
        "attacks:",
        f"  # - {{id: gate, from: {source}, to: {target}, with: max, until: {{keep: 2}}}}",
        f"  # - {{from: {target}, to: {onward}, with: {{leave: 1}}, if: {{won: gate, max_defenders: 3}}}}",
        "",
        "# Choices: the first that can be done is done.",
        "redeploy:",
        f"  # - {{from: {beside}, to: {source}, units: max, if: {{lost: gate}}}}",
        *("", "# Your countries:", *owned),
    ]


def _example(state: Campaign, land: CountryMap, code: str) -> tuple[str, str] | None:
    """An attack that could be made, from where most units stand."""
    possible = [
        (-state.countries[source].units, source, target)
        for source in state.held(code)
        for target in land.neighbours[source]
        if state.countries[target].owner != code
    ]
    return min(possible)[1:] if possible else None


def rule_tables(rules: Rules) -> Iterator[Part]:
    """The odds of a roll, for the handbook (CN-14.4)."""
    dice = product(range(1, rules.attack.max_attack_dice + 1), range(1, rules.attack.max_defence_dice + 1))
    rows: list[list[Shown]] = [
        [f"{attack} against {defence}", *_odds(attack, defence, rules.attack.die)] for attack, defence in dice
    ]
    columns = ("Dice", "Defender loses", "Each loses one", "Attacker loses")
    yield Grid(columns, rows, "The odds of a roll", numbers=columns[1:])


def _odds(attack: int, defence: int, faces: int) -> list[str]:
    rolls = product(range(1, faces + 1), repeat=attack + defence)
    outcomes = [compared(dice[:attack], dice[attack:]) for dice in rolls]
    counts = (
        sum(lost == 0 for lost, _ in outcomes),
        sum(lost == killed == 1 for lost, killed in outcomes),
        sum(killed == 0 for _, killed in outcomes),
    )
    return [f"{100 * count / len(outcomes):.1f}%" if count else "–" for count in counts]
