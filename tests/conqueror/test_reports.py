"""CQ-22: what pages and results tell, and what they keep to themselves. CQ-21: the steps."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm.game.base.texts import rulings
from gm.game.values import MapView, NewGameRequest, TurnResult
from gm.games.conqueror.drawing import cells_of
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import NEUTRAL, OTHERS
from gm.games.conqueror.steps import STAGES
from tests.conqueror.turns import board, of_kind, opened, page, played, quiet, read, table, turn_of


@pytest.mark.clause("CQ-21.1")
def test_the_steps_of_a_turn_in_the_order_of_the_rules() -> None:
    assert list(SPEC.step_titles().values()) == [  # type: ignore[attr-defined]
        "Intake",
        "Orders of the computer",
        "Production is set",
        "Buying",
        "Execution",
        "Production",
        "Winter support",
        "Rebellion",
        "Cultural influence",
        "Prestige and elimination",
        "Score and end",
        "Calendar",
    ]
    assert sum(len(stage.steps) for stage in STAGES) == 12


@pytest.mark.clause("CQ-21.2")
def test_provinces_stand_by_id_and_players_by_seat() -> None:
    world = opened("europe859")
    assert list(world.provinces) == sorted(world.provinces)
    assert list(world.parties) == list(board("europe859").homes)
    told = [each.province for each in of_kind(played(quiet(), {}), "Worked")]
    assert told == sorted(told)


@pytest.mark.clause("CQ-22.2")
def test_others_gold_items_and_labour_are_blanked() -> None:
    world = quiet(
        gold=77, ARDEN={"item": "fort", "stored": {"fort": 12}}, LORN={"item": "farms", "stored": {"farms": 3}}
    )
    mine = world.seen("ARDEN")
    assert (mine.parties["ARDEN"].gold, mine.parties["LORN"].gold) == (77, 0)
    assert (mine.provinces["ARDEN"], mine.parties["ARDEN"]) == (world.provinces["ARDEN"], world.parties["ARDEN"])
    assert (mine.provinces["LORN"].item, dict(mine.provinces["LORN"].stored)) == ("taxes", {})
    for code, each in mine.provinces.items():
        whole = world.provinces[code]
        open_to_all = ("owner", "armies", "fort", "population", "resources", "culture")
        assert [getattr(each, name) for name in open_to_all] == [getattr(whole, name) for name in open_to_all]


@pytest.mark.clause("CQ-22.1", "CQ-22.2")
def test_of_influence_a_player_knows_his_own_and_the_owners() -> None:
    shares = {NEUTRAL: 30, "ARDEN": 25, "LORN": 45}
    world = quiet(BRAY={"influence": shares})
    assert dict(world.seen("ARDEN").provinces["BRAY"].influence) == {NEUTRAL: 30, "ARDEN": 25, OTHERS: 45}
    taken = world.with_provinces(world.provinces["BRAY"].owned_by("LORN"))
    assert dict(taken.seen("LORN").provinces["BRAY"].influence) == {NEUTRAL: 55, "LORN": 45}
    assert dict(taken.seen("ARDEN").provinces["BRAY"].influence) == {NEUTRAL: 30, "ARDEN": 25, "LORN": 45}


@pytest.mark.clause("CQ-22.2")
def test_a_players_files_are_the_same_whatever_others_keep_to_themselves() -> None:
    files = {"arden": "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n", "lorn": ""}
    one = quiet(LORN={"item": "fort", "stored": {"fort": 12}})
    two = quiet(LORN={"item": "farms", "stored": {"recruit": 3}}).with_party("LORN", gold=21)
    found = []
    for world in (one, two):
        reports = SPEC.reports(table(), turn_of(world, files))
        found.append({name: data for name, data in reports.items() if re.match(r"(results|next)/ARDEN", name)})
    assert found[0] == found[1]
    assert len(found[0]) == 4


@pytest.mark.clause("CQ-22.1", "CQ-13.2")
def test_a_page_tells_how_foreign_provinces_think_of_owner_and_reader() -> None:
    world = quiet(CLUN={"owner": "LORN", "influence": {"LORN": 65, "ARDEN": 25, NEUTRAL: 10}, "fresh": 3})
    text = page(turn_of(world, {}), "ARDEN")
    row = text[text.index("Clun (CLUN)") :]
    assert row.index("supportive") < row.index("suspicious (25)")


@pytest.mark.clause("CQ-22.4", "CQ-22.3")
def test_a_page_has_a_table_of_the_own_provinces_with_estimates() -> None:
    world = quiet(
        turn=1, ARDEN={"item": "fort", "stored": {"fort": 10}}, BRAY={"owner": "ARDEN", "control": 30, "fresh": 3}
    )
    text = page(turn_of(world, {"arden": ""}), "ARDEN")
    for words in ("fort 22/50", "12 (moderately)", "29 restless (−1)", "Turns until winter has closed: 2."):
        assert words in text, words
    assert "capital" in text


@pytest.mark.clause("CQ-22.5")
def test_a_page_lists_orders_as_they_were_executed_with_losses_and_draws() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "fresh": 2})
    files = {"arden": "moves: [{from: ARDEN, to: CLUN, armies: 3}, {from: BRAY, to: ARDEN, armies: 1}]\n", "lorn": ""}
    turn = turn_of(world, files)
    fight = next(each for each in turn.events if each.kind == "Fought")
    text = page(turn, "LORN")
    assert f"{fight.field[0]} : {fight.field[1]}" in text  # type: ignore[attr-defined]
    assert ", ".join(fight.draws) in text  # type: ignore[attr-defined]
    assert "Arden → Clun" in text
    assert "Bray → Arden" in text


@pytest.mark.clause("CQ-22.5", "CQ-20.7")
def test_a_cancelled_order_is_told_to_its_player_alone() -> None:
    world = quiet(
        ARDEN={"fresh": 5}, BRAY={"owner": "ARDEN", "control": 100, "fresh": 0}, DEAN={"owner": "LORN", "fresh": 5}
    )
    files = {
        "arden": "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 4}]\n",
    }
    seed = next(str(n) for n in range(50) if of_kind(played(world, files, seed=str(n)), "Cancelled"))
    turn = turn_of(world, files, seed=seed)
    assert "was no longer yours" in page(turn, "ARDEN")
    assert "cancelled" not in page(turn, "LORN")


@pytest.mark.clause("CQ-22.6", "CQ-6.4")
def test_friendly_moves_of_others_can_be_left_out() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "fresh": 2})
    move = "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n"
    hide = "report: {show_internal_moves: false}\n"
    shown = page(turn_of(world, {"arden": move, "lorn": ""}), "LORN")
    assert "moves 3 from Arden to Bray" in shown
    turn = turn_of(world, {"arden": move, "lorn": hide})
    assert "moves 3 from Arden to Bray" not in page(turn, "LORN")
    assert "Arden → Bray" not in page(turn, "LORN")
    assert "moves 3 from Arden to Bray" in page(turn_of(world, {"arden": move + hide}), "ARDEN")
    # it lasts until another word
    assert not played(turn.after, {"arden": "", "lorn": ""}).state.parties["LORN"].shows_moves


@pytest.mark.clause("CQ-22.7", "CQ-22.8", "CQ-2.6")
def test_everybody_reads_of_players_time_and_scores_and_at_the_end_the_ranking() -> None:
    world = quiet().with_party("LORN", gold=90)
    text = page(turn_of(world, {"arden": ""}), "ARDEN")
    assert "Time left: 39 turns." in text
    assert "Baron" in text
    last = turn_of(world.evolve(turn=39), {"arden": ""})
    ended = page(last, "ARDEN")
    assert "The final ranking" in ended
    assert "The last turn is over. The best score wins: Lorn." in ended
    assert "next/ARDEN.yaml" not in SPEC.reports(table(), last)


@pytest.mark.clause("CQ-22.7")
def test_the_map_shows_owners_armies_works_and_capitals() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "fort": 2, "fresh": 6})
    svg = SPEC.draw(table(), world, MapView(party="ARDEN"))
    for code, each in world.provinces.items():
        assert f"({code}), " in svg
        assert f">{each.armies}<" in svg
    assert "<title>keep</title>" in svg
    assert svg.count('rx="4"') == 2  # two capitals
    assert "Dean" not in SPEC.draw(table(), world, MapView(zoom="arden"))
    with pytest.raises(ValueError, match="did you mean 'BRAY'"):
        SPEC.draw(table(), world, MapView(zoom="BRAI"))


@pytest.mark.parametrize("name", ["duchies", "europe859"])
def test_every_border_can_be_seen_and_what_touches_without_one_is_marked(name: str) -> None:
    cells = cells_of(board(name), 1.0)
    drawn = {pair for pair in cells.touching if pair in cells.borders} | {frozenset(each) for each in cells.crossings}
    assert drawn == cells.borders
    for code, edges in cells.edges.items():
        # a closed shape with its middle inside
        assert all(abs(one[1][0] - two[0][0]) < 1e-6 for one, two in zip(edges, (*edges[1:], edges[0]), strict=True)), (
            code
        )


def test_plans_of_an_order_file_are_drawn() -> None:
    world = quiet()
    sheet = read(world, "arden", "moves: [{from: ARDEN, to: BRAY, armies: 4}]\n").sheet
    assert SPEC.draw(table(), world, MapView(sheet=sheet)).count("<polygon") > SPEC.draw(
        table(), world, MapView()
    ).count("<polygon")


@pytest.mark.clause("CQ-22.2", "CQ-22.8")
def test_gold_cannot_be_worked_out_from_scores() -> None:
    """14.D28: while the game goes on scores are told without gold; at its end with it."""
    poor = world_of()
    rich = poor.with_party("LORN", gold=40, score=poor.parties["LORN"].score + (40 - poor.parties["LORN"].gold) // 2)
    shown = [SPEC.record(SPEC.seen(table(), each, "ARDEN")) for each in (poor, rich)]
    assert shown[0] == shown[1]
    over = rich.evolve(winners=("LORN",))
    assert SPEC.seen(table(), over, "ARDEN").parties["LORN"].score == rich.parties["LORN"].score
    assert any(each.id == "scores-without-gold" for each in rulings("conqueror"))


@pytest.mark.clause("CQ-12.1", "CQ-22.3")
def test_the_check_counts_the_winter() -> None:
    """14.D28: purchases, taxes and winter's pay stand in the check, with what winter will want."""
    world = world_of().evolve(turn=3)
    data = b"game: g\nturn: 4\nplayer: arden\nbuy:\n  - {province: ARDEN, item: recruit, count: 1}\n"
    reading = SPEC.read_orders(table(), world, data, "o", game="g", realm="ARDEN", key=None)
    books = SPEC.preview(table(), world, "ARDEN", reading.sheet, data, "o").books
    told = [each.says for each in books]
    assert told[0] == "in the treasury"
    assert "buying 1 × recruit in ARDEN" in told
    assert any(each.startswith("winter: pay of the armies") for each in told)
    assert told[-1].startswith("winter, 4 turns later, wants")
    paid = sum(each.amount or 0 for each in books)
    after = SPEC.play(table(), world, {"ARDEN": reading.sheet}, "trial 1").state
    assert books[0].balance + paid == after.parties["ARDEN"].gold == books[-2].balance


@pytest.mark.clause("CQ-2.3", "CQ-22.7")
def test_a_seat_that_a_program_plays_is_called_so() -> None:
    """14.D28: programs are not named as persons."""
    start = world_of()
    turn = TurnResult(game="g", before=start, after=start, events=(), programs=("LORN",))
    page = SPEC.reports(table(), turn)["results/ARDEN.html"].decode()
    assert "a program" in page
    assert page.count("a person") == 1


def test_the_handbook_says_what_is_set_in_this_game() -> None:
    """14.D28: figures and settings in force."""
    chosen = SPEC.maps()["duchies"]
    founded = SPEC.founded(NewGameRequest(map=chosen, options={"turns": "7", "influence_cap": "10"}))
    book = SPEC.handbook(founded.table, SPEC.start(founded.table, chosen, None))
    assert "The settings of this game" in book
    assert "influence_cap" in book
    assert "7 turns" in book
    assert "The settings of this game" not in SPEC.handbook(SPEC.shipped_table("duchies"))


def world_of() -> Any:
    """Two players on the map for tests."""
    return SPEC.start(table(), SPEC.maps()["duchies"], None)
