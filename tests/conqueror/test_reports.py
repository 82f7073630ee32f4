"""CQ-22: what pages and results tell, and what they keep to themselves. CQ-21: the steps."""

import re
from itertools import chain, combinations, pairwise
from math import dist
from typing import Any

import pytest

from gm.core.yaml.source import Source
from gm.game.base.handbook_page import figures_of
from gm.game.base.texts import rulings
from gm.game.values import MapView
from gm.games.conqueror.land import COLOURS
from gm.games.conqueror.shapes import shapes_of
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import NEUTRAL
from maps.builder import colours
from tests.conqueror.turns import board, of_kind, opened, page, played, quiet, read, table, turn_of


@pytest.mark.clause("CQ-22.2")
def test_others_gold_items_and_labour_are_blanked() -> None:
    world = quiet(
        gold=77,
        ARDEN={"item": "fort", "stored": {"fort": 12}},
        LORN={"item": "farms", "stored": {"farms": 3}},
    )
    mine = world.seen("ARDEN")
    assert (mine.parties["ARDEN"].gold, mine.parties["LORN"].gold) == (77, 0)
    assert (mine.provinces["ARDEN"], mine.parties["ARDEN"]) == (
        world.provinces["ARDEN"],
        world.parties["ARDEN"],
    )
    assert (mine.provinces["LORN"].item, dict(mine.provinces["LORN"].stored)) == ("taxes", {})
    for code, province in mine.provinces.items():
        whole = world.provinces[code]
        open_to_all = ("owner", "armies", "fort", "population", "resources", "culture")
        assert [getattr(province, name) for name in open_to_all] == [
            getattr(whole, name) for name in open_to_all
        ]


@pytest.mark.clause("CQ-22.2")
def test_a_players_files_are_the_same_whatever_others_keep_to_themselves() -> None:
    files = {"arden": "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n", "lorn": ""}
    one = quiet(LORN={"item": "fort", "stored": {"fort": 12}})
    two = quiet(LORN={"item": "farms", "stored": {"recruit": 3}}).with_party("LORN", gold=21)
    own_files = []
    for world in (one, two):
        reports = SPEC.reports(table(), turn_of(world, files))
        own_files.append(
            {name: data for name, data in reports.items() if re.match(r"(results|next)/ARDEN", name)}
        )
    assert own_files[0] == own_files[1]
    assert len(own_files[0]) == 4


@pytest.mark.clause("CQ-22.1", "CQ-13.2")
def test_a_page_tells_how_foreign_provinces_think_of_owner_and_reader() -> None:
    world = quiet(CLUN={"owner": "LORN", "influence": {"LORN": 65, "ARDEN": 25, NEUTRAL: 10}, "fresh": 3})
    text = page(turn_of(world, {}), "ARDEN")
    row = text[text.index("Clun (CLUN)") :]
    assert row.index("supportive") < row.index("suspicious (25)")


@pytest.mark.clause("CQ-22.5")
def test_a_page_lists_orders_as_they_were_executed_with_losses_and_draws() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "fresh": 2})
    files = {
        "arden": "moves: [{from: ARDEN, to: CLUN, armies: 3}, {from: BRAY, to: ARDEN, armies: 1}]\n",
        "lorn": "",
    }
    turn = turn_of(world, files)
    fight = next(event for event in turn.events if event.kind == "Fought")
    text = page(turn, "LORN")
    assert f"{fight.field[0]} : {fight.field[1]}" in text  # type: ignore[attr-defined]
    assert ", ".join(fight.draws) in text  # type: ignore[attr-defined]
    assert "Arden → Clun" in text
    assert "Bray → Arden" in text


@pytest.mark.clause("CQ-22.5", "CQ-20.7")
def test_a_cancelled_order_is_told_to_its_player_alone() -> None:
    world = quiet(
        ARDEN={"fresh": 5},
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 0},
        DEAN={"owner": "LORN", "fresh": 5},
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
    content = page(turn_of(world, {"arden": move, "lorn": ""}), "LORN")
    assert "moves 3 from Arden to Bray" in content
    turn = turn_of(world, {"arden": move, "lorn": hide})
    assert "moves 3 from Arden to Bray" not in page(turn, "LORN")
    assert "Arden → Bray" not in page(turn, "LORN")
    assert "moves 3 from Arden to Bray" in page(turn_of(world, {"arden": move + hide}), "ARDEN")
    # it lasts until another word
    assert not played(turn.after, {"arden": "", "lorn": ""}).state.parties["LORN"].shows_moves


@pytest.mark.clause("CQ-22.7")
def test_the_map_shows_owners_armies_works_and_capitals() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "fort": 2, "fresh": 6})
    svg = SPEC.draw(table(), world, MapView(party="ARDEN"))
    for code, province in world.provinces.items():
        assert f"({code}), " in svg
        assert f">{province.armies}<" in svg
    assert "<title>keep</title>" in svg
    assert svg.count('rx="4"') == 2  # two capitals
    assert "Dean" not in SPEC.draw(table(), world, MapView(zoom="arden"))
    with pytest.raises(ValueError, match="did you mean 'BRAY'"):
        SPEC.draw(table(), world, MapView(zoom="BRAI"))


@pytest.mark.parametrize(("name", "over_water", "least"), [("duchies", 0, 30.0), ("europe859", 11, 30.0)])
def test_every_border_can_be_seen_and_nothing_touches_without_one(
    name: str, over_water: int, least: float
) -> None:
    shapes = shapes_of(board(name), 1.0)
    assert set(shapes.touching) | set(map(frozenset, shapes.crossings)) == shapes.borders
    assert len(shapes.crossings) == over_water
    assert min(shapes.touching.values()) > least
    lines = list(shapes.lines(board(name).by_id))
    for pair, length in shapes.touching.items():
        drawn = [line.points for line in lines if {line.code, line.behind} == pair]
        segments = chain.from_iterable(pairwise(points) for points in drawn)
        assert abs(sum(dist(*ends) for ends in segments) - length) < 1e-6, pair
    for code, ring in ((code, ring) for code, rings in shapes.rings.items() for ring in rings):
        for (_, end, _), (onward, _, _) in pairwise([*ring, ring[0]]):
            assert dist(end, onward) < 1e-6, f"{code} is no closed shape"


def test_a_map_without_outlines_is_shared_out_by_what_is_nearest() -> None:
    shapes = shapes_of(board(), 1.0)
    for code, (ring,) in shapes.rings.items():
        for start, _, behind in ring:
            assert (
                not behind
                or abs(dist(start, shapes.middles[code]) - dist(start, shapes.middles[behind])) < 1e-6
            )


def test_ways_over_water_lie_on_the_land_and_the_map_is_not_cut_off() -> None:
    svg = SPEC.draw(table("europe859"), opened("europe859"), MapView())
    # the crossings are drawn after the last province and before the names
    assert svg.rindex("data-place") < svg.index('stroke-dasharray="0.5 7.5"') < svg.index('class="name"')
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())  # type: ignore[union-attr]
    for x, y in re.findall(r'<text x="(-?[\d.]+)" y="(-?[\d.]+)"', svg):
        assert 0 < float(x) < width
        assert 0 < float(y) < height


def test_no_two_powers_look_alike_to_anybody() -> None:
    tints = list(COLOURS.values())[:8]
    assert min(colours.apart(*pair) for pair in combinations(tints, 2)) >= colours.WORDS_APART
    assert set(board("europe859").homes.values()) == set(list(COLOURS)[:8])
    svg = SPEC.draw(table("europe859"), opened("europe859"), MapView())
    assert len(set(re.findall(r"url\(#cq-h(\d)\)", svg))) == 8, "each has a hatching of its own"


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
    rich = poor.with_party(
        "LORN", gold=40, score=poor.parties["LORN"].score + (40 - poor.parties["LORN"].gold) // 2
    )
    records = [SPEC.record(SPEC.seen(table(), position, "ARDEN")) for position in (poor, rich)]
    assert records[0] == records[1]
    over = rich.evolve(winners=("LORN",))
    assert SPEC.seen(table(), over, "ARDEN").parties["LORN"].score == rich.parties["LORN"].score
    assert any(ruling.id == "scores-without-gold" for ruling in rulings("conqueror"))


@pytest.mark.clause("CQ-12.1", "CQ-22.3")
def test_the_check_counts_the_winter() -> None:
    """14.D28: purchases, taxes and winter's pay stand in the check, with what winter will want."""
    world = world_of().evolve(turn=3)
    data = b"game: g\nturn: 4\nplayer: arden\nbuy:\n  - {province: ARDEN, item: recruit, count: 1}\n"
    reading = SPEC.read_orders(table(), world, data, "o", game="g", realm="ARDEN", key=None)
    books = SPEC.preview(table(), world, "ARDEN", reading.sheet, Source("o", data.decode())).books
    lines = [line.says for line in books]
    assert lines[0] == "in the treasury"
    assert "buying 1 × recruit in ARDEN" in lines
    assert any(line.startswith("winter: pay of the armies") for line in lines)
    assert lines[-1].startswith("winter, 4 turns later, wants")
    paid = sum(line.amount or 0 for line in books)
    after = SPEC.play(table(), world, {"ARDEN": reading.sheet}, "trial 1").state
    assert books[0].balance + paid == after.parties["ARDEN"].gold == books[-2].balance


def world_of() -> Any:
    """Two players on the map for tests."""
    return SPEC.start(table(), SPEC.maps()["duchies"], None)


def test_a_text_names_a_figure_of_a_list_by_its_number_alone() -> None:
    figure = figures_of(table())
    first, *others = map(str, table().rules.seasons)
    assert [figure(f"seasons.{number}") for number in range(len(others) + 1)] == [first, *others]
    for wrong in ("-1", "+0", " 0", "1_0", str(len(others) + 1), "first", ""):
        with pytest.raises(ValueError, match="no figure"):
            figure(f"seasons.{wrong}")
