"""What the reports of Conquestination tell of the game itself: map, players, countries, battles (CN-13.3, CN-13.4)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Part, Picture, Prose, Section, Shown
from gm.game.values import MapView
from gm.games.conquestination.battle import compared
from gm.games.conquestination.countries import CountryMap
from gm.games.conquestination.drawing import draw
from gm.games.conquestination.events import Conquered, Fought
from gm.games.conquestination.reinforcing import continent_bonus, reinforcements
from gm.games.conquestination.rules import Rules
from gm.games.conquestination.state import Campaign

HOW = {"won": "won", "beaten": "beaten", "broken": "broken off"}


def next_units(state: Campaign, code: str, land: CountryMap, rules: Rules) -> int:
    """What a player would get if his turn began now."""
    least = state.settings.min_reinforcement
    figures = rules.reinforcement if least is None else rules.reinforcement.evolve(min_reinforcement=least)
    return reinforcements(state.held(code), land, figures).units if state.held(code) else 0


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    state, code, land = scene.after, scene.party or "", scene.table.board.land
    held = state.held(code)
    yield Fact("Countries", f"{len(held)} of {len(state.countries)}", "all of them win the game")
    yield Fact("Units", str(state.units_of(code)))
    whole = [land.continents[letter] for letter in land.continents if set(land.continent(letter)) <= set(held)]
    yield Fact("Continents", str(len(whole)), ", ".join(whole) or "none held whole")
    if state.run == 0:
        yield Fact("To deploy", str(state.parties[code].to_deploy), "in run 0")
    else:
        yield Fact("Next reinforcement", str(next_units(state, code, land, scene.table.rules)), "if nothing changed")


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders."""
    state, board = scene.after, scene.table.board
    view = MapView(party=scene.party, events=tuple(each for each in scene.result.events if scene.visible(each)))
    label = scene.spec.label(state)
    about = f"{board.title} after {label}: who holds which country with how many units"
    legend = "Your countries are darker. Dotted lines are sea links. Arrows are attacks, broken ones without success."
    yield Section("map", "Map", [Picture(draw(board, state, view, label), about, legend)])
    yield Section("players", "Players", [_players(scene), *_next(scene)])
    fights = _battles(scene)
    if fights:
        yield Section("battles", "Battles", fights)
    yield Section("countries", "Countries", [_countries(scene)])


def _owner(state: Campaign, owner: str) -> Cell:
    return Cell(state.parties[owner].name, colour=state.parties[owner].colour)


def _players(scene: Scene) -> Grid:
    state, land, rules = scene.after, scene.table.board.land, scene.table.rules
    won = dict.fromkeys(state.parties, 0)
    lost = dict(won)
    for event in scene.result.events:
        if isinstance(event, Conquered):
            won[event.owner] += 1
            lost[event.formerly] += 1
    rows: list[list[Shown]] = []
    for seat, code in enumerate(state.parties, 1):
        held = set(state.held(code))
        whole = [land.continents[each] for each in land.continents if set(land.continent(each)) <= held]
        units = next_units(state, code, land, rules)
        status = state.parties[code].status
        changed = f"+{won[code]} −{lost[code]}" if won[code] or lost[code] else ""
        rows.append(
            [_owner(state, code), seat, len(held), changed, state.units_of(code), ", ".join(whole), units, status]
        )
    columns = (
        "Player",
        "Seat",
        "Countries",
        "Won and lost",
        "Units",
        "Whole continents",
        "Next reinforcement",
        "Status",
    )
    return Grid(columns, rows, numbers=("Seat", "Countries", "Units", "Next reinforcement"))


def _next(scene: Scene) -> Iterator[Part]:
    state = scene.after
    if state.winners is not None:
        return
    who = "everybody, in the order of seats" if state.current is None else state.parties[state.current].name
    what = "Run 0 deploys" if state.run == 0 else f"Run {state.run} plays the turn of {who}"
    yield Prose((f"{what}; order files quote turn {state.run}.",))


def _battles(scene: Scene) -> list[Part]:
    rows: list[list[Shown]] = []
    rolls: list[Part] = []
    for event in scene.result.events:
        if not isinstance(event, Fought):
            continue
        tone = "good" if event.how == "won" else "bad" if event.how == "beaten" else "soft"
        rows.append(
            [
                f"{event.source} → {event.target}",
                _owner(scene.after, event.owner),
                _owner(scene.after, event.defender),
                f"{event.engaged} : {event.defenders}",
                f"{event.lost} : {event.killed}",
                len(event.rolls),
                Cell(HOW[event.how], tone=tone),
            ]
        )
        rolls.append(_rolls(event))
    if not rows:
        return []
    columns = ("Where", "Attacker", "Defender", "Units", "Losses", "Rolls", "Result")
    return [Grid(columns, rows, numbers=("Rolls",)), Folded("Every roll", rolls)]


def _rolls(event: Fought) -> Grid:
    rows: list[list[Shown]] = []
    for number, words in enumerate(event.rolls, 1):
        attack, _, defence = words.partition(" : ")
        lost, killed = compared(map(int, attack.split()), map(int, defence.split()))
        rows.append([number, attack, defence, lost, killed])
    columns = ("Roll", "Attacker", "Defender", "Attacker loses", "Defender loses")
    return Grid(columns, rows, f"{event.source} → {event.target}", numbers=("Roll", *columns[3:]))


def _countries(scene: Scene) -> Grid:
    state, land, rules = scene.after, scene.table.board.land, scene.table.rules
    rows: list[list[Shown]] = []
    for letter, name in land.continents.items():
        own = land.continent(letter)
        bonus = continent_bonus(len(own), rules.reinforcement)
        for country in own:
            holding = state.countries[country]
            beside = ", ".join(
                f"{each} (link)" if each not in land.by_land[country] else each for each in land.neighbours[country]
            )
            continent = f"{name} ({bonus} if whole)" if country == own[0] else name
            rows.append([country, continent, _owner(state, holding.owner), holding.units, beside])
    return Grid(("Country", "Continent", "Owner", "Units", "Neighbours"), rows, numbers=("Units",))


# -- what can be ordered -----------------------------------------------------------------------------------------------


def choices(scene: Scene) -> Iterator[Part]:
    """Where a player's units stand against whom, above the template."""
    state, code, land = scene.after, scene.party or "", scene.table.board.land
    if state.run == 0:
        yield Prose((f"You place {state.parties[code].to_deploy} units now, one in each round of the deployment.",))
    else:
        units = next_units(state, code, land, scene.table.rules)
        yield Prose((f"If nothing changes before your turn you get {units} units.",))
    rows: list[list[Shown]] = []
    for country in state.held(code):
        strangers = [each for each in land.neighbours[country] if state.countries[each].owner != code]
        told = ", ".join(
            f"{each} ({state.parties[state.countries[each].owner].name} {state.countries[each].units})"
            for each in strangers
        )
        if strangers:
            rows.append([country, state.countries[country].units, told])
    yield Grid(
        ("From", "Units", "You can attack"), rows, "Your borders", numbers=("Units",), nothing="You have no border."
    )


def template_lines(state: Campaign, land: CountryMap, rules: Rules, code: str) -> list[str]:
    """What stands below the head of the template: examples with the player's own countries in them."""
    own = state.held(code)
    first = own[0] if own else land.countries[0]
    if state.run == 0:
        lines = [
            f"# You have {state.parties[code].to_deploy} units to place. Those you do not place go where the enemy is"
        ]
        lines += ["# strongest against you.", "deploy:", f"  # - {{country: {first}, units: 2}}"]
        lines.append(f"  # - {{country: {own[-1] if own else first}, units: rest}}")
    else:
        source, target = _example(state, land, code) or (
            first,
            land.neighbours[first][0] if land.neighbours[first] else first,
        )
        units = next_units(state, code, land, rules)
        lines = [
            f"# Read from top to bottom. You get {units} units, if nothing changes before your turn.",
            "reinforce:",
        ]
        lines += [f"  # - {{country: {source}, units: 1}}", f"  # - {{country: {source}, units: rest}}", ""]
        lines += [
            "# with: a number, max, or {leave: 2}.  until: won, {keep: 2}, {rolls: 3}, or both of these.",
            "attacks:",
        ]
        lines.append(f"  # - {{id: gate, from: {source}, to: {target}, with: max, until: {{keep: 2}}}}")
        onward = next((each for each in land.neighbours[target] if each != source), source)
        lines.append(f"  # - {{from: {target}, to: {onward}, with: {{leave: 1}}, if: {{won: gate, max_defenders: 3}}}}")
        lines += ["", "# Choices: the first that can be done is done.", "redeploy:"]
        beside = next((each for each in land.neighbours[source] if each in own), target)
        lines.append(f"  # - {{from: {beside}, to: {source}, units: max, if: {{lost: gate}}}}")
    lines += ["", "# Your countries:"]
    lines += [f"#   {country}: {state.countries[country].units}" for country in own] or ["#   none"]
    return lines


def _example(state: Campaign, land: CountryMap, code: str) -> tuple[str, str] | None:
    """An attack that could be made, from where most units stand."""
    possible = [
        (-state.countries[source].units, source, target)
        for source in state.held(code)
        for target in land.neighbours[source]
        if state.countries[target].owner != code
    ]
    return min(possible)[1:] if possible else None


def rule_tables(rules: Rules) -> list[Part]:
    """The odds of a roll, for the handbook (CN-14.4)."""
    rows: list[list[Shown]] = []
    for attack in range(1, rules.attack.max_attack_dice + 1):
        for defence in range(1, rules.attack.max_defence_dice + 1):
            rows.append([f"{attack} against {defence}", *_odds(attack, defence, rules.attack.die)])
    columns = ("Dice", "Defender loses", "Each loses one", "Attacker loses")
    return [Grid(columns, rows, "The odds of a roll", numbers=columns[1:])]


def _odds(attack: int, defence: int, faces: int) -> list[str]:
    from itertools import product

    outcomes = [
        compared(dice[:attack], dice[attack:]) for dice in product(range(1, faces + 1), repeat=attack + defence)
    ]
    counts = (
        sum(lost == 0 for lost, _ in outcomes),
        sum(lost == killed == 1 for lost, killed in outcomes),
        sum(killed == 0 for _, killed in outcomes),
    )
    return [f"{100 * count / len(outcomes):.1f}%" if count else "–" for count in counts]
