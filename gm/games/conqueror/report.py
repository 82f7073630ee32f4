"""What the reports of Conqueror! tell of the game itself (CQ-22): map, provinces, estimates, execution, players."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Grid, Part, Picture, Prose, Section, Shown
from gm.game.values import MapView
from gm.games.conqueror.books import public_score
from gm.games.conqueror.drawing import draw
from gm.games.conqueror.labour import labour
from gm.games.conqueror.land import Land
from gm.games.conqueror.outlook import Outlook, outlook
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import CULTURES, NEUTRAL, Player, Province, World
from gm.games.conqueror.telling import execution
from gm.text.pages import counted

CALM = {"rebellious": "bad", "restless": "warn", "supportive": "good", "devoted": "good"}
"""How words for control are shown; those that are not here, as they are."""


def rules_of(scene: Scene) -> Rules:
    """The rules with the game's settings."""
    rules: Rules = scene.after.settings.applied(scene.table.rules)
    return rules


def _outlook(scene: Scene) -> Outlook:
    return outlook(scene.after, scene.party or "", scene.table.board.land, rules_of(scene))


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    state, code = scene.after, scene.party or ""
    player, rules = state.parties[code], rules_of(scene)
    title = rules.title_of(player.prestige, player.leader.sex)
    owned = state.owned(code)
    best = max(_score(state, each, rules) for each in state.parties.values())
    known = "" if state.winners is not None else " without gold"
    yield Fact("Score", str(player.score), f"{_score(state, player, rules)}{known}, the best {best}")
    yield Fact("Provinces", f"{len(owned)} of {len(state.provinces)}", f"{title} {player.leader.name}".strip())
    yield Fact("Armies", str(sum(each.armies for each in owned)))
    if player.alive:
        coming = _outlook(scene)
        yield Fact("Treasury", f"{player.gold} gold", f"taxes bring {coming.a_turn} a turn")
        when = "the next turn" if coming.turns == 1 else f"in {coming.turns} turns"
        yield Fact("Winter", f"costs {coming.bill} gold", f"{when}; {player.gold + coming.until_winter} expected")
    yield Fact("Time left", _time_left(state, rules), "then the best score wins")


def _score(state: World, player: Player, rules: Rules) -> int:
    """What the players table says: while the game goes on without gold, so that nobody's can be worked out."""
    return player.score if state.winners is not None else public_score(player, rules)


def _time_left(state: World, rules: Rules) -> str:
    turns = max(0, rules.limits.turns - state.turn)
    words = "1 turn" if turns == 1 else f"{turns} turns"
    return words if state.settings.until is None else f"{words}, until {state.settings.until.isoformat()}"


def sections(scene: Scene) -> Iterator[Section]:
    """The sections of a player's page; the first stands above his orders."""
    state, board = scene.after, scene.table.board
    view = MapView(party=scene.party, events=tuple(scene.events()))
    label = scene.spec.label(state)
    about = f"{board.title} after {label}: who holds which province with how many armies"
    legend = (
        "Squares are capitals, towers are works; your provinces are darker. Arrows are attacks and moves, dashed ones "
        "attacks that did not take the province. Dotted lines are crossings; a striped edge cannot be crossed."
    )
    said = state.settings.description
    parts: list[Part] = [Prose((said,))] if said else []
    yield Section("map", "Map", [*parts, Picture(draw(board, state, view, label), about, legend)])
    if state.parties[scene.party].alive:
        yield Section("own", "Your provinces", list(_own(scene)))
    log = execution(scene)
    if log:
        yield Section("battles", "Execution", log)
    yield Section("players", "Players", list(_players(scene)))
    yield Section("foreign", "Other provinces", [_foreign(scene)])


def owner_cell(state: World, owner: str) -> Cell:
    """A player's name with his colour; nobody for the local leaders."""
    if owner == NEUTRAL:
        return Cell("nobody", tone="soft")
    return Cell(state.parties[owner].name, colour=state.parties[owner].colour)


def _named(scene: Scene, code: str) -> Cell:
    name = scene.table.board.provinces[code].name
    return Cell(f"{name} ({code})" if name.upper() != code else name)


def _works(rules: Rules, fort: int) -> str:
    return rules.works[fort] if fort else "–"


# -- own provinces -----------------------------------------------------------------------------------------------------


def _own(scene: Scene) -> Iterator[Part]:
    """CQ-22.4: the player's own provinces with estimates, and what they add up to."""
    state, code, rules = scene.after, scene.party or "", rules_of(scene)
    coming, player = _outlook(scene), state.parties[code]
    rows: list[list[Shown]] = []
    for province in state.owned(code):
        worked = labour(province, state.turn + 1, rules)
        rows.append(
            [
                _capital(_named(scene, province.code), province.code == player.capital),
                province.population,
                province.resources,
                CULTURES[province.culture],
                f"{worked} ({rules.productivity_word(worked)})",
                _control(scene, province, rules),
                province.armies,
                _works(rules, province.fort),
                _item(province, rules),
                coming.income[province.code],
                coming.support[province.code],
            ]
        )
    columns = ("Province", "People", "Resources", "Culture", "Labour", "Control", "Armies", "Works", "Works on")
    numbers = ("People", "Resources", "Armies", "Taxes", "Winter")
    yield Grid((*columns, "Taxes", "Winter"), rows, "Next turn, as things stand", numbers=numbers)
    expected = player.gold + coming.until_winter
    told = (
        f"Turns until winter has closed: {coming.turns}. Taxes bring {coming.a_turn} gold a turn, "
        f"{coming.until_winter} by then; with the {player.gold} in the treasury that makes {expected}. The armies as "
        f"they stand would cost {coming.bill} in winter."
    )
    short = coming.bill > expected
    yield Prose((told,), tone="warn" if short else "")


def _capital(cell: Cell, is_it: bool) -> Cell:
    return Cell(f"{cell.text}, capital") if is_it else cell


def _control(scene: Scene, province: Province, rules: Rules) -> Cell:
    word = rules.control_word(province.control)
    before = scene.before.provinces[province.code].influence.get(province.owner, 0) if scene.turn else province.control
    change = province.control - before
    told = f"{province.control} {word}" + (f" ({change:+d})" if change else "")
    return Cell(told.replace("(-", "(−"), tone=CALM.get(word, ""))


def _item(province: Province, rules: Rules) -> str:
    found = [_stored(province, province.item, rules) if province.item != TAXES else TAXES]
    found += [_stored(province, item, rules) for item in province.stored if item != province.item]
    target = f" for {province.target}" if province.target else ""
    return f"{found[0]}{target}" + (f"; stored: {', '.join(found[1:])}" if found[1:] else "")


def _stored(province: Province, item: str, rules: Rules) -> str:
    return f"{item} {province.stored.get(item, 0)}/{rules.items[item].price(province.population)}"


# -- the others --------------------------------------------------------------------------------------------------------


def _foreign(scene: Scene) -> Grid:
    """CQ-22.1, CQ-22.2: what everybody may know of others' provinces, and how they think of owner and reader."""
    state, code, rules = scene.after, scene.party or "", rules_of(scene)
    rows: list[list[Shown]] = []
    near = _near(state, code, scene.table.board.land)
    strangers = [each for each in state.provinces.values() if each.owner != code]
    for province in sorted(strangers, key=lambda each: (each.code not in near, each.code)):
        mine = province.influence.get(code, 0)
        worked = rules.productivity_word(labour(province, state.turn + 1, rules))
        attitude = rules.control_word(province.control) if province.owner != NEUTRAL else "–"
        rows.append(
            [
                _named(scene, province.code),
                owner_cell(state, province.owner),
                "yes" if province.code in near else "",
                province.armies,
                _works(rules, province.fort),
                province.population,
                province.resources,
                CULTURES[province.culture],
                f"{worked} productive",
                attitude,
                f"{rules.control_word(mine, own=False)} ({mine})",
            ]
        )
    columns = ("Province", "Owner", "Next to you", "Armies", "Works", "People", "Resources", "Culture", "Labour")
    numbers = ("Armies", "People", "Resources")
    heads = (*columns, "To its owner", "To you")
    return Grid(heads, rows, "Provinces next to yours stand first", numbers=numbers, nothing="All provinces are yours.")


def _near(state: World, code: str, land: Land) -> set[str]:
    return {beside for own in state.owned(code) for beside in land.neighbours[own.code]}


def _players(scene: Scene) -> Iterator[Part]:
    """CQ-22.7, CQ-22.8: scores, titles, who is a person; at the end it is the ranking."""
    state, rules = scene.after, rules_of(scene)
    rows: list[list[Shown]] = []
    scores = {code: _score(state, player, rules) for code, player in state.parties.items()}
    for code in sorted(scores, key=lambda each: -scores[each]):
        player = state.parties[code]
        place = 1 + sum(each > scores[code] for each in scores.values())
        title = rules.title_of(player.prestige, player.leader.sex)
        flag = f", {player.leader.flag}" if player.leader.flag else ""
        absent = player.human and player.missed > rules.limits.absent_after
        program = absent or not player.human
        plays = "the computer" if program else "a program" if code in scene.result.programs else "a person"
        rows.append(
            [
                owner_cell(state, code),
                place,
                f"{title} {player.leader.name}".strip() + flag if player.alive else "–",
                scores[code],
                len(state.owned(code)),
                sum(each.armies for each in state.owned(code)),
                scene.table.board.provinces[player.capital].name if player.capital else "–",
                plays if not player.out else player.status,
            ]
        )
    columns = ("Player", "Rank", "Leader", "Score", "Provinces", "Armies", "Capital", "Played by")
    caption = "The final ranking" if state.winners is not None else "Scores, without the gold that each has"
    yield Grid(columns, rows, caption, numbers=("Rank", "Score", "Provinces", "Armies"))
    if state.winners is None:
        yield Prose((f"Time left: {_time_left(state, rules)}.",))


# -- the template ------------------------------------------------------------------------------------------------------


def template_lines(state: World, land: Land, rules: Rules, code: str) -> list[str]:
    """What stands below the head of the template: examples with the player's own provinces in them."""
    owned = state.owned(code)
    if not owned:
        return ["moves: []"]
    best = max(owned, key=lambda each: (each.fresh, each.code))
    beside = next((each for each in land.neighbours[best.code] if state.provinces[each].owner != code), None)
    target = beside or land.neighbours[best.code][0]
    lines = [
        f"# At most {rules.limits.moves}, the first on top. An own province as target is a move, any other an attack."
    ]
    lines += ["moves:", f"  # - {{from: {best.code}, to: {target}, armies: {max(1, best.fresh - 1)}}}"]
    lines += [f"  # - {{from: {owned[0].code}, to: {land.neighbours[owned[0].code][0]}, armies: all}}", ""]
    lines += [f"# {' '.join(rules.items)}. It lasts until changed.", "production:"]
    lines += [f"  # {each.code}: {each.item}" for each in owned]
    lines += [f"  # {target}: farms     # if it is taken" if beside else "", ""]
    lines += [f"# Finished at once, before all moves. You have {state.parties[code].gold} gold.", "buy:"]
    lines += [f"  # - {{province: {best.code}, item: recruit, count: 2}}", ""]
    lines += ["# Whether your reports tell of others' friendly moves; it lasts until changed.", "report:"]
    lines += [f"  # show_internal_moves: {'true' if state.parties[code].shows_moves else 'false'}", ""]
    return [*lines, "# Your provinces:", *(_remark(each, state, rules) for each in owned)]


def _remark(province: Province, state: World, rules: Rules) -> str:
    worked = labour(province, state.turn + 1, rules)
    armies = counted(province.armies, "army", "armies")
    told = f"{armies}, labour {worked}, {rules.control_word(province.control)}, {_item(province, rules)}"
    return f"#   {province.code}: {told}"
