"""The figures behind what the reports of Conqueror! tell of the game itself (templates/conqueror/report.html)."""

from typing import Any

from gm.game.base.hooks import Scene
from gm.games.conqueror.figures import labour, outlook, public_score, rush_price, why_not_make
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import CULTURES, NEUTRAL, Player, Province, World
from gm.text.pages import counted


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    state: World = scene.after
    code, land, over = scene.code, scene.table.board, state.winners is not None
    rules: Rules = state.settings.applied(scene.table.rules)
    owned, player = state.owned(code), state.parties[code]
    coming = outlook(state, code, land, rules)
    near = {beside for own in owned for beside in land.neighbours[own.code]}
    strangers = [each for each in state.provinces.values() if each.owner != code]

    def score(player: Player) -> int:
        # while the game goes on without gold, so that nobody's can be worked out
        return player.score if over else public_score(player, rules)

    def able(province: Province) -> list[str]:
        return [item for item in rules.items if not why_not_make(province, item, rules)[0]]

    strongest = max(owned, key=lambda each: (each.fresh, each.code), default=None)
    ends = land.neighbours[strongest.code] if strongest else ()
    scores = {each.code: score(each) for each in state.parties.values()}
    ranked = sorted(state.parties.values(), key=lambda each: -scores[each.code])
    left = counted(max(0, rules.limits.turns - state.turn), "turn")
    return {
        "CULTURES": CULTURES,
        "NEUTRAL": NEUTRAL,
        "rules": rules,
        "owned": owned,
        "coming": coming,
        "expected": player.gold + coming.until_winter,
        "score": score,
        "best": max(scores.values()),
        "ranking": [(each, 1 + sum(more > scores[each.code] for more in scores.values())) for each in ranked],
        "title": lambda who: f"{rules.title_of(who.prestige, who.leader.sex)} {who.leader.name}".strip(),
        "time_left": f"{left}, until {state.settings.until.isoformat()}" if state.settings.until else left,
        "near": near,
        "strangers": sorted(strangers, key=lambda each: (each.code not in near, each.code)),
        "labour": lambda province: labour(province, state.turn + 1, rules),
        "able": able,
        "prices": lambda each: [f"{item} {rush_price(each, item, rules)}" for item in able(each) if item != TAXES],
        "strongest": strongest,
        "target": next((each for each in ends if state.provinces[each].owner != code), next(iter(ends), "")),
    }
