"""What the reports of Conqueror! tell of the game itself (CQ-22): map, provinces, estimates, execution, players."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Part, Prose, Section, Shown
from gm.games.conqueror.events import Cancelled, Fought, Moved, Rebelled
from gm.games.conqueror.figures import Outlook, labour, outlook, public_score, rush_price, why_not_make
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import CULTURES, NEUTRAL, Player, Province, World
from gm.text.pages import counted

CALM = {"rebellious": "bad", "restless": "warn", "supportive": "good", "devoted": "good"}
"""How words for control are shown; those that are not here, as they are."""
NOTHING = "–"


def rules_of(scene: Scene) -> Rules:
    """The rules with the game's settings."""
    rules: Rules = scene.after.settings.applied(scene.table.rules)
    return rules


def _outlook(scene: Scene) -> Outlook:
    return outlook(scene.after, scene.code, scene.table.board.land, rules_of(scene))


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    state, code = scene.after, scene.code
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
    words = counted(max(0, rules.limits.turns - state.turn), "turn")
    return words if state.settings.until is None else f"{words}, until {state.settings.until.isoformat()}"


def sections(scene: Scene) -> Iterator[Section]:
    """The sections of a player's page; the first stands above his orders."""
    state = scene.after
    about = f"{scene.table.board.title} after {scene.spec.label(state)}: who holds which province with how many armies"
    legend = (
        "Squares are capitals, towers are works; your provinces are darker. Arrows are attacks and moves, dashed ones "
        "attacks that did not take the province. Dotted lines are crossings; a striped edge cannot be crossed."
    )
    description: list[Part] = [Prose((state.settings.description,))] if state.settings.description else []
    yield Section("map", "Map", [*description, scene.picture(about, legend)])
    if state.parties[scene.party].alive:
        yield Section("own", "Your provinces", list(_own(scene)))
    log = list(_execution(scene))
    if log:
        yield Section("battles", "Execution", log)
    yield Section("players", "Players", list(_players(scene)))
    yield Section("foreign", "Other provinces", [_foreign(scene)])


def _owner(scene: Scene, owner: str) -> Cell:
    """A player's name with his colour; nobody for the local leaders."""
    return Cell("nobody", tone="soft") if owner == NEUTRAL else scene.party_cell(owner)


def _name(scene: Scene, code: str, more: str = "") -> Cell:
    name = scene.table.board.provinces[code].name
    return Cell((f"{name} ({code})" if name.upper() != code else name) + more)


# -- own provinces -----------------------------------------------------------------------------------------------------


def _own(scene: Scene) -> Iterator[Part]:
    """CQ-22.4: the player's own provinces with estimates, and what they add up to."""
    state, code, rules = scene.after, scene.code, rules_of(scene)
    coming, player = _outlook(scene), state.parties[code]
    rows: list[list[Shown]] = []
    for province in state.owned(code):
        worked = labour(province, state.turn + 1, rules)
        rows.append(
            [
                _name(scene, province.code, ", capital" if province.code == player.capital else ""),
                province.population,
                province.resources,
                CULTURES[province.culture],
                f"{worked} ({rules.productivity_word(worked)})",
                _control(scene, province, rules),
                province.armies,
                rules.works[province.fort] or NOTHING,
                _item(province, rules),
                coming.income[province.code],
                coming.support[province.code],
            ]
        )
    columns = ("Province", "People", "Resources", "Culture", "Labour", "Control", "Armies", "Works", "Works on")
    numbers = ("People", "Resources", "Armies", "Taxes", "Winter")
    yield Grid((*columns, "Taxes", "Winter"), rows, "Next turn, as things stand", numbers=numbers)
    expected = player.gold + coming.until_winter
    estimate = (
        f"Turns until winter has closed: {coming.turns}. Taxes bring {coming.a_turn} gold a turn, "
        f"{coming.until_winter} by then; with the {player.gold} in the treasury that makes {expected}. The armies as "
        f"they stand would cost {coming.bill} in winter."
    )
    yield Prose((estimate,), tone="warn" if coming.bill > expected else "")


def _control(scene: Scene, province: Province, rules: Rules) -> Cell:
    word = rules.control_word(province.control)
    before = scene.before.provinces[province.code].influence.get(province.owner, 0) if scene.turn else province.control
    change = f" ({province.control - before:+d})".replace("-", "−") if province.control != before else ""
    return Cell(f"{province.control} {word}{change}", tone=CALM.get(word, ""))


def _item(province: Province, rules: Rules) -> str:
    """What it works on, and how much labour is stored of what is needed."""
    items = dict.fromkeys((province.item, *province.stored))
    labours = {
        item: f"{item} {province.stored.get(item, 0)}/{rules.items[item].price(province.population)}" for item in items
    }
    now = labours.pop(province.item) if province.item != TAXES else TAXES
    stored = [words for item, words in labours.items() if item != province.item]
    target = f" for {province.target}" if province.target else ""
    return f"{now}{target}" + (f"; stored: {', '.join(stored)}" if stored else "")


# -- the turn ----------------------------------------------------------------------------------------------------------


def _execution(scene: Scene) -> Iterator[Part]:
    """CQ-22.5: the turn's orders as they were executed, one after another, with losses and draws."""
    rows: list[list[Shown]] = []
    duels: list[list[Shown]] = []
    for event in scene.events():
        if isinstance(event, Moved):
            rows.append(_executed(scene, event, event.armies, Cell("moved", tone="soft"), NOTHING, NOTHING))
        elif isinstance(event, Cancelled):
            why = scene.tell.reason(event.why, {"source": event.source, "target": event.target})[1]
            result = Cell(f"cancelled: {why}", tone="warn")
            rows.append(_executed(scene, event, event.armies, result, NOTHING, NOTHING))
        elif isinstance(event, Fought):
            result = Cell("taken", tone="good") if event.taken else Cell("beaten off", tone="bad")
            lost = (f"{pair[0]} : {pair[1]}" if any(pair) else NOTHING for pair in (event.field, event.siege))
            rows.append(_executed(scene, event, f"{event.armies} against {event.defenders}", result, *lost))
            duels.append([f"{event.number}. {scene.tell.called(event.target)}", ", ".join(event.draws)])
        elif isinstance(event, Rebelled):
            duels.append([f"Rebels in {scene.tell.called(event.province)}", ", ".join(event.draws)])
    if rows:
        columns = ("Order", "Whose", "Armies", "Result", "Lost in the field", "Lost in the siege")
        yield Grid(columns, rows, "In the order in which stacks were drawn")
    duels = [row for row in duels if row[1]]
    if duels:
        caption = "The defender wins a duel on 11 or less of 21 in the field, on more behind walls."
        yield Folded("Every duel", [Grid(("Where", "What was drawn"), duels, caption)])


def _executed(scene: Scene, event: Moved | Cancelled | Fought, *more: Shown) -> list[Shown]:
    where = f"{event.number}. {scene.tell.called(event.source)} → {scene.tell.called(event.target)}"
    if isinstance(event, Fought) and event.defender != NEUTRAL:
        where += f" ({scene.after.parties[event.defender].name})"
    return [where, scene.party_cell(event.owner), *more]


# -- the others --------------------------------------------------------------------------------------------------------


def _foreign(scene: Scene) -> Grid:
    """CQ-22.1, CQ-22.2: what everybody may know of others' provinces, and how they think of owner and reader."""
    state, code, rules = scene.after, scene.code, rules_of(scene)
    near = {beside for own in state.owned(code) for beside in scene.table.board.land.neighbours[own.code]}
    rows: list[list[Shown]] = []
    strangers = [each for each in state.provinces.values() if each.owner != code]
    for province in sorted(strangers, key=lambda each: (each.code not in near, each.code)):
        mine = province.influence.get(code, 0)
        rows.append(
            [
                _name(scene, province.code),
                _owner(scene, province.owner),
                "yes" if province.code in near else "",
                province.armies,
                rules.works[province.fort] or NOTHING,
                province.population,
                province.resources,
                CULTURES[province.culture],
                f"{rules.productivity_word(labour(province, state.turn + 1, rules))} productive",
                rules.control_word(province.control) if province.owner != NEUTRAL else NOTHING,
                f"{rules.control_word(mine, own=False)} ({mine})",
            ]
        )
    columns = ("Province", "Owner", "Next to you", "Armies", "Works", "People", "Resources", "Culture", "Labour")
    numbers = ("Armies", "People", "Resources")
    heads = (*columns, "To its owner", "To you")
    return Grid(heads, rows, "Provinces next to yours stand first", numbers=numbers, nothing="All provinces are yours.")


def _players(scene: Scene) -> Iterator[Part]:
    """CQ-22.7, CQ-22.8: scores, titles, who is a person; at the end it is the ranking."""
    state, rules = scene.after, rules_of(scene)
    rows: list[list[Shown]] = []
    scores = {code: _score(state, player, rules) for code, player in state.parties.items()}
    for code in sorted(scores, key=lambda each: -scores[each]):
        player, owned = state.parties[code], state.owned(code)
        title = f"{rules.title_of(player.prestige, player.leader.sex)} {player.leader.name}".strip()
        flag = f", {player.leader.flag}" if player.leader.flag else ""
        absent = player.human and player.missed > rules.limits.absent_after
        plays = "a program" if code in scene.result.programs else "a person"
        if player.out:
            plays = player.status
        elif absent or not player.human:
            plays = "the computer"
        rows.append(
            [
                scene.party_cell(code),
                1 + sum(each > scores[code] for each in scores.values()),
                title + flag if player.alive else NOTHING,
                scores[code],
                len(owned),
                sum(each.armies for each in owned),
                scene.table.board.provinces[player.capital].name if player.capital else NOTHING,
                plays,
            ]
        )
    columns = ("Player", "Rank", "Leader", "Score", "Provinces", "Armies", "Capital", "Played by")
    caption = "The final ranking" if state.winners is not None else "Scores, without the gold that each has"
    yield Grid(columns, rows, caption, numbers=("Rank", "Score", "Provinces", "Armies"))
    if state.winners is None:
        yield Prose((f"Time left: {_time_left(state, rules)}.",))


# -- what can be ordered -----------------------------------------------------------------------------------------------


def choices(scene: Scene) -> Iterator[Part]:
    """Where armies can go and against whom; what each province can make, and for how much gold at once."""
    state, code, land, rules = scene.after, scene.code, scene.table.board.land, rules_of(scene)
    rows: list[list[Shown]] = []
    makes: list[list[Shown]] = []
    for province in state.owned(code):
        beside = []
        for there in (state.provinces[other] for other in land.neighbours[province.code]):
            whose = "own" if there.owner == code else _owner(scene, there.owner).text
            beside.append(f"{there.code} ({whose} {there.armies})")
        rows.append([province.code, province.fresh, ", ".join(beside)])
        able = [item for item in rules.items if why_not_make(province, item, rules) is None]
        prices = [f"{item} {rush_price(province, item, rules)}" for item in able if item != TAXES]
        makes.append([province.code, ", ".join(able), ", ".join(prices)])
    yield Grid(("From", "Armies", "Next to it"), rows, "Where your armies can go", numbers=("Armies",))
    yield Grid(("Province", "Can work on", "Gold for one at once"), makes, "What your provinces can make")


def template_lines(scene: Scene) -> list[str]:
    """What stands below the head of the template: examples with the player's own provinces in them (CQ-19.1)."""
    state, land, rules, code = scene.after, scene.table.board.land, rules_of(scene), scene.code
    owned = state.owned(code)
    if not owned:
        return ["moves: []"]
    best = max(owned, key=lambda each: (each.fresh, each.code))
    near, first = land.neighbours[best.code], owned[0].code
    beside = next((each for each in near if state.provinces[each].owner != code), None)
    target = beside or near[0]
    return [
        f"# At most {rules.limits.moves}, the first on top. An own province as target is a move, any other an attack.",
        "moves:",
        f"  # - {{from: {best.code}, to: {target}, armies: {max(1, best.fresh - 1)}}}",
        f"  # - {{from: {first}, to: {land.neighbours[first][0]}, armies: all}}",
        "",
        f"# {' '.join(rules.items)}. It lasts until changed.",
        "production:",
        *(f"  # {each.code}: {each.item}" for each in owned),
        f"  # {target}: farms     # if it is taken" if beside else "",
        "",
        f"# Finished at once, before all moves. You have {state.parties[code].gold} gold.",
        "buy:",
        f"  # - {{province: {best.code}, item: recruit, count: 2}}",
        "",
        "# Whether your reports tell of others' friendly moves; it lasts until changed.",
        "report:",
        f"  # show_internal_moves: {'true' if state.parties[code].shows_moves else 'false'}",
        "",
        "# Your provinces:",
        *(f"#   {each.code}: {_remark(each, state, rules)}" for each in owned),
    ]


def _remark(province: Province, state: World, rules: Rules) -> str:
    worked, armies = labour(province, state.turn + 1, rules), counted(province.armies, "army", "armies")
    return f"{armies}, labour {worked}, {rules.control_word(province.control)}, {_item(province, rules)}"


def rule_tables(rules: Rules) -> Iterator[Part]:
    """Items, works, words and ranks (CQ-9, CQ-7, CQ-8.9, CQ-13, CQ-17)."""
    items: list[list[Shown]] = []
    for name, item in rules.items.items():
        needs = [CULTURES[item.culture]] + ([rules.works[item.works - 1]] if item.works > 1 else [])
        effect = f"{item.control:+d}" if item.control else f"{item.worked:+d} a turn" if item.worked else NOTHING
        cost = str(item.cost) if item.cost is not None else "(people + 1)²"
        items.append([name, cost, ", ".join(needs), effect.replace("-", "−")])
    duels = (f"{own} of {own + rules.duel.attacker}" for own in rules.duel.defender)
    works: list[list[Shown]] = [
        [word or "in the field", room if word else "all others", odds]
        for word, room, odds in zip(rules.works, rules.garrison, duels, strict=False)
    ]
    words = [[f"from {each.least}", each.own, each.foreign] for each in rules.control_words]
    labour_words = [[f"from {each.least}", each.word] for each in rules.productivity.words]
    ranks: list[list[Shown]] = [
        [at, f"{each.he}, {each.she}", f"from {each.provinces}"] for at, each in enumerate(rules.prestige, 1)
    ]
    yield Grid(("Item", "Labour", "Needs", "Control"), items, "What provinces make")
    yield Grid(("Where", "Room", "The defender wins"), works, "Duels")
    yield Grid(("Influence", "Of the owner", "Of others"), words, "Words for influence")
    yield Grid(("Labour", "Productive"), labour_words, "Words for productivity")
    yield Grid(("Prestige", "Title", "Provinces"), ranks, "Ranks")
