"""From a question about odds to its answer: find the battle, fight it, add up."""

from __future__ import annotations

from typing import Any

from gm.core.sampling import Source
from gm.game.answers import OddsAnswer, OddsQuestion
from gm.games.medieval.analysis.odds.answer import Told, figures_of, lines_of
from gm.games.medieval.analysis.odds.forces import read_forces
from gm.games.medieval.analysis.odds.scene import Scene, typed_scene
from gm.games.medieval.analysis.odds.summing import odds_of
from gm.games.medieval.analysis.odds.trials import NobodyFightsError, Trials
from gm.games.medieval.analysis.odds.what_if import supposed_scene, who_is_there
from gm.games.medieval.combat.battle import SEA, Battle
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import listed


def odds(table: Any, state: World | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """The odds of one battle by the rules and on the map of ``table``; see :class:`gm.game.answers.OddsMaker`."""
    scene = _scene(table, state, question)
    try:
        trials = Trials(scene.turn, scene.battle, source)
    except NobodyFightsError:
        raise ValueError(_why_nobody(scene)) from None
    tally = trials.run(question.fights)
    world = scene.turn.state
    typed = bool(question.forces)
    names = _Names(world, trials.battle, typed=typed)
    told = Told(
        trials.battle,
        "" if typed else _ground(scene),
        odds_of(tally, trials.entries),
        scene.notes,
        names.realm,
        names.unit,
    )

    def picture() -> str:
        from gm.games.medieval.analysis.odds.picture import picture_of

        return picture_of(told)

    return OddsAnswer(lines=lines_of(told), figures=figures_of(told), picture=picture)


def _scene(table: Any, state: World | None, question: OddsQuestion) -> Scene:
    if question.forces:
        return typed_scene(
            read_forces(question.forces, table.rules),
            table.rules,
            state,
            kind=question.kind,
            fortification=question.fortification,
            landing=question.landing,
            party=question.party or "",
        )
    if state is None:
        raise ValueError("without a game, say who fights: two forces with 'vs' between them")
    return supposed_scene(state, table.rules, table.board, question)


def _ground(scene: Scene) -> str:
    """Where the battle is, in words."""
    if scene.other_place:
        return f"between {scene.place} and {scene.other_place}"
    return f"{'in' if scene.kind == SEA else 'at'} {scene.place}"


def _why_nobody(scene: Scene) -> str:
    world = scene.turn.state
    codes = [code for code in who_is_there(world, scene.place) if code != INDEPENDENTS]
    there = listed([f"{world.realms[code].name} ({code})" for code in codes], "nobody")
    hint = f": suppose it with --war {codes[0]}:{codes[1]}" if len(codes) > 1 else ""
    return f"in {scene.place} there is no battle: {there} there, and nobody is at war with anybody{hint}"


class _Names:
    """What realms and units are called: typed forces by what they are, a game's units by their names."""

    def __init__(self, world: World, battle: Battle, *, typed: bool) -> None:
        self._world = world
        self._typed = typed
        self._alone = {
            unit.realm: sum(other.realm == unit.realm for other in battle.units) == 1 for unit in battle.units
        }

    def realm(self, code: str) -> str:
        if code == INDEPENDENTS:
            return "the independents"
        return self._world.realms[code].name

    def unit(self, key: str) -> str:
        code, _, unit_id = key.partition("/")
        unit = self._world.units[key]
        if self._typed:
            kind = {"A": "army", "F": "fleet", "G": "garrison"}[unit_id[0]]
            if unit.aboard:
                kind = "soldiers aboard"
            return kind if self._alone.get(code) else f"{kind} {unit.number}"
        label = f"garrison of {unit.place}" if unit.is_garrison else unit_id
        return f"{label} “{unit.name}”" if unit.name and not unit.is_garrison else label
