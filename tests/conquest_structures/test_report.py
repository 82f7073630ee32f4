"""What players read of a turn (CS-15.4 to CS-15.6)."""

from itertools import chain
from typing import Any

import pytest

from gm.game.base.files import results_text
from gm.game.base.hooks import scene_of
from gm.game.values import MapView, TurnResult
from gm.games.conquest_structures.report import possible_lines
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import Field, file_text


def told(field: Field, **lines: list[str]) -> TurnResult:
    """A turn with these lines, as its reports get it."""
    before = field.state
    readings = {
        code: SPEC.read_orders(
            field.table, before, file_text(code, *lines_of_code).encode(), "f", game="g", realm=code, key=None
        )
        for code, lines_of_code in lines.items()
    }
    field.play(**lines)
    return TurnResult(
        game="g", before=before, after=field.state, events=field.events, readings=readings, keys={}
    )


def page(field: Field, code: str, **lines: list[str]) -> str:
    return SPEC.reports(field.table, told(field, **lines))[f"results/{code}.html"].decode()


@pytest.mark.clause("CS-15.4")
def test_every_line_has_its_fate_and_every_stage_its_heading() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "I")
    html = page(field, "RED", RED=["C1 > R1", "Build 1 Tank@C1", "nonsense"], BLUE=["R1 > C1"])
    assert "Build 1 Tank@C1" in html
    assert "C1 is neither a base nor a home city" in html
    assert "&#39;nonsense&#39; is not understood" in html
    for stage in SPEC.stages:
        for step in stage.steps:
            assert f"<h3>{step.title}</h3>" in html
    assert "On the link C1–R1 they meet, Red 4 to Blue 1: Red wins and goes on." in html
    assert "Infantry u2 of Blue is bumped out of R1 and goes to C2." in html
    assert "Red takes R1 from Blue." in html


@pytest.mark.clause("CS-15.5")
def test_the_page_has_popcap_supply_units_changes_map_and_standings() -> None:
    field = Field().put("C1", "T").put("H1", "I", marks=1)
    html = page(field, "RED", RED=["C1 > R1"])
    for part in (
        "<svg",
        "Structures that changed hands",
        "Supply in this turn",
        "Cities and homes",
        "2 of 4",
        "3 of 2",
        "0 free for building",
        ">u2<",
    ):
        assert part in html, part
    assert "PopCap of 2, the units take 3, 0 is free" in html
    other = SPEC.reports(field.table, told(field, RED=["Hold@R1"]))["results/BLUE.html"].decode()
    assert "PopCap of 2, the units take 3" not in other


@pytest.mark.clause("CS-15.6")
def test_who_fell_short_is_told_that_he_can_choose() -> None:
    field = Field().put("C1", "T")
    assert "supply_priority (CS-15.6)" in page(field, "RED", RED=["Hold@C1"])
    assert "supply_priority (CS-15.6)" not in page(Field().put("C1", "I"), "RED", RED=["Hold@C1"])


@pytest.mark.clause("CS-1.4")
def test_results_are_open_to_all_and_orders_are_not() -> None:
    field = Field().put("C1", "I").put("C2", "I")
    played = told(field, RED=["C1 > R1"], BLUE=["Hold 1 Infantry@C2"])
    files = SPEC.reports(field.table, played)
    assert b"Hold 1 Infantry@C2" not in files["results/RED.html"] + files["results/RED.yaml"]
    data = SPEC.results_data(files["results/BLUE.yaml"], "f")
    happened = list(chain.from_iterable(data["events"].values()))
    assert any(event["event"] == "Captured" and event["place"] == "R1" for event in happened)


def test_results_give_back_the_position() -> None:
    field = Field().put("C1", "I")
    scene: Any = scene_of(SPEC, field.table, told(field, RED=["C1 > R1"]), "RED")  # type: ignore[arg-type]
    head, state = SPEC.results_state(results_text(scene).encode(), "f")
    assert head["map"] == "test-6"
    assert state == field.state


def test_the_lines_that_a_template_offers_are_carried_out() -> None:
    def position() -> Field:
        return Field({"M1": "RED", "R1": "RED", "C2": "RED"}).put("C1", "I").put("H1", "I", marks=3)

    field = position()
    lines = possible_lines(field.table.rules, field.table.board, field.state, "RED")
    builds = [f"Build 1 Infantry@{place}" for place in ("H1", "M1")]
    assert lines == [*builds, "C1 > H1", "C1 > M1", "C1 > R1"]
    for line in lines:
        assert position().play(RED=[line]).fates("RED") == [("done", "")], line


def test_the_map_shows_moves_bumps_conflicts_and_plans() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "I")
    plain = SPEC.draw(field.table, field.state, MapView())
    planned = field.read("RED", "C1 > R1").sheet
    assert SPEC.draw(field.table, field.state, MapView(sheet=planned)).count("<polygon") > plain.count(
        "<polygon"
    )
    field.play(RED=["C1 > R1"], BLUE=["R1 > C1"])
    drawn = SPEC.draw(field.table, field.state, MapView(events=field.events))
    assert "conflict in R1" in drawn
    assert "conflict on the link C1–R1" in drawn
    assert "stroke-dasharray" in drawn
    near = SPEC.draw(field.table, field.state, MapView(zoom="r1"))
    assert ">C1<" in near
    assert ">H1<" not in near
    assert "infantry" not in SPEC.draw(field.table, field.state, MapView(troops=False)).split("■")[0]


def test_why_shows_the_conflict_that_a_line_came_to() -> None:
    """14.D31: ``pbem why RED:5`` names the conflict in R1."""
    field = Field().put("C1", "I").put("C2", "I")
    readings = {"RED": field.read("RED", "C1 > R1"), "BLUE": field.read("BLUE", "C2 > R1")}
    before = field.state
    field.play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    played = TurnResult(game="g", before=before, after=field.state, events=field.events, readings=readings)
    answer = "\n".join(line.text for line in SPEC.explain(field.table, played, before, ["RED:5"]))
    assert "failed: they did not come to stay in R1" in answer
    assert "Conflict in R1 (round 1)" in answer


def test_the_map_tells_owners_by_patterns_and_each_way_once() -> None:
    """Two units that are bumped the same way make one arrow; whoever sees no colours sees hatchings."""
    field = Field({"R1": "BLUE"}).put("C1", "II").put("R1", "T")
    plain = SPEC.draw(field.table, field.state, MapView())
    field.play(RED=["C1 > R1"])
    assert len(field.told("Bumped")) == 2
    drawn = SPEC.draw(field.table, field.state, MapView(events=field.events))
    assert drawn.count('stroke-dasharray="6 5"') == 1
    assert drawn.count('fill="url(#cs-h1)"') == drawn.count('fill="url(#cs-h2)"') - 1 == 3, (
        "H1, C1 and the legend"
    )
    patterned = SPEC.draw(field.table, field.state, MapView(patterns=True))
    assert 'stroke-opacity="0.75"' in patterned
    assert 'stroke-opacity="0.75"' not in plain


@pytest.mark.clause("CS-9.1", "CS-9.2", "CS-15.4")
def test_why_knows_every_conflict_of_a_place_and_of_a_link() -> None:
    field = Field({"R1": "BLUE", "M1": "RED"}).put("C1", "TI").put("M1", "I").put("R1", "I").put("C2", "I")
    before = field.state
    field.play(RED=["1 Tank @ C1 > R1", "M1 > C2"], BLUE=["R1 > C1", "C2 > M1"])
    played = TurnResult(game="g", before=before, after=field.state, events=field.events)
    fought = [*field.told("FoughtAt"), *field.told("FoughtOnLink")]
    assert len(fought) >= 3
    for conflict in fought:
        for place in {conflict.place, getattr(conflict, "other", conflict.place)}:
            answer = "\n".join(line.text for line in SPEC.explain(field.table, played, before, [place]))
            strengths = " to ".join(
                f"{code.title()} {strength}" for code, strength in conflict.strengths.items()
            )
            assert strengths in answer, (place, answer)
