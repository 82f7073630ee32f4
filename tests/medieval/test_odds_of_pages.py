"""The chances that pages tell: of attacks that may be ordered, and of battles before their dice (B14, O2)."""

from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gm.core.codec import encode
from gm.game.answers import OddsQuestion
from gm.game.values import GameData
from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.odds.answer import odds
from gm.games.medieval.analysis.odds.chances import CLEAR, Chances, chances_of, lead
from gm.games.medieval.analysis.odds.trials import BattleSetup, Trials, made_turn
from gm.games.medieval.combat.battle import LAND, Field
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_chances import FoughtBattles, foretold
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.state import World
from gm.games.medieval.steps.conquest import land_battles_fought, sea_battles_fought
from tests.examples import examples
from tests.medieval import positions
from tests.medieval.reportland import busy_files, busy_record
from tests.medieval.test_battle_properties import worlds as battlefields
from tests.medieval.testland import atlas, data_of, rules, unit, world_of
from tests.medieval.warfare import fought, reports

SCENES = {name: world_of(fields) for name, fields in data_of("odds-attacks").items()}


def attacks_of(world: World, realm: str = "ENG") -> dict[str, dict[int, tuple[int, str]]]:
    choices = TurnChoices(world, rules(), atlas())
    return choices.attacks.of_realm(realm, choices.of_realm(realm)["enter"])


@pytest.mark.clause("B14")
@pytest.mark.parametrize("name", SCENES)
def test_a_page_tells_what_gm_odds_tells(name: str) -> None:
    """In three out of four of ten scenes the error is below one spread; here it may be three."""
    world = SCENES[name]
    wins, words = attacks_of(world)["A1"][atlas().place_order["Reims"]]
    question = OddsQuestion(moves=(("A1", "Reims"),), party="ENG", fights=4000)
    figures = odds(GameData(rules(), atlas()), world, question, Random(3).random).figures  # noqa: S311
    true = figures["sides"][0]["wins"]["share"]
    lost = figures["sides"][0]["lost"]["mean"]
    fights = 60
    assert abs(wins / 100 - true) < 3 * sqrt(max(0.01, true * (1 - true)) / fights) + 0.01
    assert words.startswith("wins ")
    said = words.removesuffix(f" of {figures['sides'][0]['start']}").rpartition(" ")[2]
    assert abs((0 if said == "none" else int(said)) - lost) < 1.5


def test_the_same_position_has_the_same_chances_whatever_else_there_is() -> None:
    world = SCENES["a storm"]
    assert repr(attacks_of(world)) == repr(attacks_of(world))
    other = world.with_units([unit("LIT/A1", "Minsk", {"Men-at-Arms": 3})])
    assert attacks_of(other) == attacks_of(world)


def test_several_that_can_go_together_are_told_so() -> None:
    second = unit("ENG/A2", "Flanders", {"Heavy Infantry": 8})
    [(wins, words)] = attacks_of(SCENES["a raid"].with_units([second]))["A1"].values()
    assert wins < 90
    assert "; wins " in words
    assert words.endswith(" with A2")
    assert words.count(" 10") == 1, "item 39: of how many stands there once"


def test_a_large_garrison_has_the_odds_of_an_army_of_its_soldiers() -> None:
    world = SCENES["a storm"]
    army = world.units["ENG/A1"]
    enemy = world.units["FRA/G1"]
    garrison = unit("ENG/G1", "Flanders", {**army.troops, "Trading Cog": 2}, retreat_level=army.retreat_level)
    [(_, alone)] = attacks_of(world)["A1"].values()
    [(_, words)] = attacks_of(world.evolve(units={"ENG/G1": garrison, "FRA/G1": enemy}))["G1"].values()
    assert words == f"with all of Flanders {alone}"


@pytest.mark.parametrize(
    "changes",
    [
        {"wars": frozenset()},
        {"units": {}},
        {"units": {"ENG/G1": unit("ENG/G1", "Flanders", {"Heavy Infantry": 5})}},
        {"units": {"ENG/A1": unit("ENG/A1", "London", {"Siege Machine": 9})}},
        {"units": {"ENG/A1": unit("ENG/A1", "Bordeaux", {"Heavy Infantry": 9})}},
    ],
    ids=["at peace", "no army", "a small garrison", "too far", "behind mountains"],
)
def test_who_cannot_attack_has_no_odds(changes: dict[str, Any]) -> None:
    world = SCENES["a storm"]
    enemy = {"FRA/G1": world.units["FRA/G1"], "IND/A1": unit("IND/A1", "Savoy", {"Peasant Rabble": 1})}
    if "units" in changes:
        changes = {"units": {**changes["units"], **enemy}}
    assert not attacks_of(world.evolve(**changes))


@given(positions.worlds())
@examples(60, 3)
def test_any_position_has_odds_for_who_meets_enemies_alone(world: World) -> None:
    for realm in world.realms:
        for unit_id, targets in attacks_of(world, realm).items():
            own = world.units[f"{realm}/{unit_id}"]
            for index, (wins, words) in targets.items():
                place = list(atlas().place_order)[index]
                assert any(world.hostile(realm, unit.realm, place) for unit in world.at(place))
                assert 0 <= wins <= 100
                assert words.startswith(f"with all of {own.place} wins " if own.is_garrison else "wins ")
                assert " 10" in words


@given(battlefields(sea=False))
@examples(150, 5)
def test_what_is_clear_on_paper_is_clear_in_a_hundred_fights(world: World) -> None:
    turn = made_turn(world, rules(), atlas(), {})
    setup = BattleSetup(turn, LAND, "Paris")
    chances = chances_of(turn, setup.battle, encode(world.units), 12)
    assert (chances is None) == (setup.battle(Field(turn)) is None)
    if chances is None or not chances.clear:
        return
    trials = Trials(turn, setup.battle, Random(1).random)  # noqa: S311
    favourite, likely, at_least = lead(trials.battle)
    assert likely > 0.95
    assert at_least >= CLEAR
    assert chances.wins[favourite] == chances.fights
    won = sum(count for result, count in trials.run(100).results.items() if favourite in result.split("+"))
    assert won >= 90, trials.battle.units


# -- battles that were fought --------------------------------------------------------------------------------


def heads_of(report: BattleReport) -> dict[str, int]:
    return {code: sum(unit.heads for unit in report.units if unit.realm == code) for code in report.realms}


def test_a_battle_is_drawn_up_as_it_was() -> None:
    record = busy_record()
    reports = [event.report for event in record.events if isinstance(event, BattleFought)]
    again = FoughtBattles(record.before, record.after, record.public, rules(), atlas())
    chances_known = [(report, again.chances(report)) for report in reports]
    assert len([chances for _, chances in chances_known if chances]) >= len(chances_known) - 1 > 1
    for report, chances in chances_known:
        if chances:
            assert chances.start == heads_of(report)
    first = next(report for report, chances in chances_known if chances)
    stronger = first.units[0].evolve(total_combat=first.units[0].total_combat + 1)
    assert again.chances(first.evolve(units=(stronger, *first.units[1:]))) is None


@pytest.mark.parametrize("sea", [False, True])
def test_any_battle_has_its_own_chances_or_none(sea: bool) -> None:
    @given(battlefields(sea=sea))
    @examples(120, 4)
    def holds(world: World) -> None:
        played = fought(world, sea_battles_fought if sea else land_battles_fought, by=rules())
        again = FoughtBattles(played.before, played.world, played.events, rules(), atlas())
        for report in reports(played):
            if chances := again.chances(report):
                assert chances.start == heads_of(report)
                assert sum(chances.wins.values()) + chances.nobody >= chances.fights

    holds()


def test_pages_of_battles_and_realms_tell_the_chances() -> None:
    line = "<b>The chances:</b>"
    assert sum(line in page for name, page in busy_files().items() if "/battles/" in name) > 2
    assert all(line in busy_files()[f"results/{code}.html"] for code in ("ENG", "FRA"))


def test_what_luck_made_of_the_chances_agrees_with_the_luck_that_is_told() -> None:
    record = busy_record()
    report = next(
        event.report for event in record.events if isinstance(event, BattleFought) and event.report.winners
    )
    why = Explainer(str, str).why(report)
    winner = report.winners[0]
    sure = {code: 12 * (code == winner) for code in report.realms}
    lost = dict.fromkeys(report.realms, 0.0)
    chances = Chances(12, False, sure, 0, lost, {})
    assert foretold(chances, why).startswith(
        f"{winner} would win a battle like this at least 9 times in 10, "
    )
    assert "against" not in foretold(chances, why)
    against = foretold(chances.evolve(wins={code: 12 - wins for code, wins in sure.items()}), why)
    assert "Against the odds: " in against
    for side in why:
        helped = (
            side.luck is not None and (side.luck.score > 0.5) == (side.outcome == "won") and side.luck.degree
        )
        assert (f"the hits of {side.words} were " in against) == bool(helped)
    assert foretold(None, why) == ""
