"""What a player may order now, and the tables of the handbook."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Grid, Part, Shown
from gm.games.conqueror.labour import rush_price, why_not_make
from gm.games.conqueror.report import owner_cell, rules_of
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import CULTURES


def choices(scene: Scene) -> Iterator[Part]:
    """Where armies can go and against whom; what each province can make, and for how much gold at once."""
    state, code, land, rules = scene.after, scene.party or "", scene.table.board.land, rules_of(scene)
    rows: list[list[Shown]] = []
    makes: list[list[Shown]] = []
    for province in state.owned(code):
        beside = []
        for other in land.neighbours[province.code]:
            there = state.provinces[other]
            whose = "own" if there.owner == code else owner_cell(state, there.owner).text
            beside.append(f"{other} ({whose} {there.armies})")
        rows.append([province.code, province.fresh, ", ".join(beside)])
        able = [item for item in rules.items if why_not_make(province, item, rules) is None]
        prices = [f"{item} {rush_price(province, item, rules)}" for item in able if item != TAXES]
        makes.append([province.code, ", ".join(able), ", ".join(prices)])
    yield Grid(("From", "Armies", "Next to it"), rows, "Where your armies can go", numbers=("Armies",))
    yield Grid(("Province", "Can work on", "Gold for one at once"), makes, "What your provinces can make")


def rule_tables(rules: Rules) -> list[Part]:
    """Items, works, words and ranks (CQ-9, CQ-7, CQ-8.9, CQ-13, CQ-17)."""
    items: list[list[Shown]] = []
    for name, item in rules.items.items():
        needs = [CULTURES[item.culture]] + ([rules.works[item.works - 1]] if item.works > 1 else [])
        effect = f"{item.control:+d}" if item.control else f"{item.worked:+d} a turn" if item.worked else "–"
        cost = str(item.cost) if item.cost is not None else "(people + 1)²"
        items.append([name, cost, ", ".join(needs), effect.replace("-", "−")])
    works: list[list[Shown]] = [
        [rules.works[level] or "in the field", rules.garrison[level] if level else "all others", _odds(level, rules)]
        for level in range(len(rules.works))
    ]
    words: list[list[Shown]] = [[f"from {each.least}", each.own, each.foreign] for each in rules.control_words]
    labour: list[list[Shown]] = [[f"from {each.least}", each.word] for each in rules.productivity.words]
    ranks: list[list[Shown]] = [
        [at, f"{each.he}, {each.she}", f"from {each.provinces}"] for at, each in enumerate(rules.prestige, 1)
    ]
    return [
        Grid(("Item", "Labour", "Needs", "Control"), items, "What provinces make"),
        Grid(("Where", "Room", "The defender wins"), works, "Duels"),
        Grid(("Influence", "Of the owner", "Of others"), words, "Words for influence"),
        Grid(("Labour", "Productive"), labour, "Words for productivity"),
        Grid(("Prestige", "Title", "Provinces"), ranks, "Ranks"),
    ]


def _odds(level: int, rules: Rules) -> str:
    own = rules.duel.defender[level]
    return f"{own} of {own + rules.duel.attacker}"
