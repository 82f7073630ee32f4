"""Who and what an order file names (O8), and what its values may be (O9)."""

import pytest

from gm.games.medieval.data.atlas import Location
from gm.games.medieval.state import Province
from tests.medieval.order_reading import (
    CASES,
    HEADER,
    findings,
    gallery_world,
    orders,
    read,
    read_sheet,
    texts,
)
from tests.medieval.testland import atlas, rules


def codes(body: str) -> list[str]:
    return [finding.code for finding in findings(body)]


def hold(name: str) -> str:
    return f"units:\n  {name}:\n    plan: [hold]\n"


@pytest.mark.clause("O8")
@pytest.mark.parametrize(("written", "meant"), CASES["own units"])
def test_a_unit_is_named_by_its_id_and_a_garrison_by_its_province_too(written: str, meant: str) -> None:
    """14.C20: a name is bound when the order is carried out."""
    assert list(orders(hold(written)).plans) == [meant]
    assert set(codes(hold(written))) <= {"order/wrong-kind", "order/no-garrison-yet"}
    assert ("order/no-garrison-yet" in codes(hold(written))) is (meant == "Paris")


@pytest.mark.clause("O8")
@pytest.mark.parametrize(("receiver", "reference"), CASES["receivers"])
def test_a_receiver_may_be_another_realm_s_unit(receiver: str, reference: str) -> None:
    sheet = orders(f"units:\n  A1:\n    plan: [transfer: {{to: {receiver}, troops: {{Longbowmen: 1}}}}]\n")
    assert sheet.plans["A1"][0].receiver == reference  # type: ignore[union-attr]


@pytest.mark.clause("O8")
def test_somebody_else_s_unit_is_no_unit_of_yours() -> None:
    (diagnostic, _) = sorted(findings(hold("A3")), key=lambda finding: finding.code)
    assert (diagnostic.code, diagnostic.message) == ("order/foreign-unit", "A3 is Aqu's, not yours")
    (diagnostic, _) = sorted(findings(hold("A5")), key=lambda finding: finding.code)
    assert diagnostic.message == "you have no A5; Aqu, Den have one each"


@pytest.mark.clause("O8")
def test_an_unknown_name_gets_the_nearest_of_its_kind() -> None:
    (diagnostic,) = [
        finding for finding in findings("headquarters:\n  annex: [kentt, London]\n") if finding.is_error
    ]
    assert diagnostic.suggestion == "did you mean 'Kent'?"
    assert (diagnostic.line, diagnostic.column, diagnostic.width) == (7, 11, 5)


@pytest.mark.clause("O9")
def test_yes_no_and_on_are_names_everywhere_else() -> None:
    places = {name: Location(name=name) for name in ("On", "No", "Yes", "Null", "123")}
    lands = {name: Province(name=name, owner="ENG") for name in places}
    board = atlas().evolve(locations={**atlas().locations, **places})
    world = gallery_world()
    norway = world.realms["NOR"].evolve(code="NO", name="Norway")
    world = world.evolve(provinces={**world.provinces, **lands}, realms={**world.realms, "NO": norway})
    text = (
        HEADER
        + "headquarters:\n  declare_war: [NO]\n  annex: [On, No, yes, 123]\nunits:\n  A1:\n    name: off\n"
    )
    sheet, findings = read_sheet(text.encode(), "x", world=world, rules=rules(), atlas=board, game="test")
    assert findings == []
    assert sheet is not None
    assert texts(sheet) == [
        "declare_war: NO",
        "annex: On",
        "annex: No",
        "annex: Yes",
        "annex: 123",
        "A1 name: off",
    ]


@pytest.mark.clause("O9")
@pytest.mark.parametrize("number", ["0x10", "1e3", "1_000", "+3", "3.0", "three", "", "[3]", "９"])
def test_numbers_are_plain_decimal(number: str) -> None:
    assert codes(f"units:\n  A2:\n    retreat_level: 3\n  G1:\n    hire_commander: {number}\n") == [
        "sheet/wrong-type"
    ]


@pytest.mark.clause("W10")
@pytest.mark.parametrize(
    ("gold", "good"), [("12", True), ("3.5", True), ("3.50", True), ("3.505", False), ("-1", False)]
)
def test_gold_has_two_decimals_at_most(gold: str, good: bool) -> None:
    assert (codes(f"headquarters:\n  annex: [Kent]\n  send_gold: {{AQU: {gold}}}\n") == []) is good


@pytest.mark.clause("O7")
@pytest.mark.parametrize(("field", "value", "code"), CASES["other headers"])
def test_a_file_for_somewhere_else_is_set_aside_whole(field: str, value: str, code: str) -> None:
    lines = [f"{field}: {value}" if line.startswith(field) else line for line in HEADER.splitlines()]
    sheet, diagnostics = read("\n".join(lines) + "\nheadquarters:\n  declare_war: [FRA]\n")
    assert sheet is None
    assert [finding.code for finding in diagnostics] == [code]


@pytest.mark.clause("O7")
def test_the_right_key_is_never_told() -> None:
    _, diagnostics = read(HEADER.replace("otter", "stoat"))
    assert "otter" not in "".join(finding.render() for finding in diagnostics)


@pytest.mark.clause("O7")
def test_what_is_not_asked_of_the_header_is_not_checked() -> None:
    sheet, findings = read(
        HEADER.replace("turn: 5", "turn: 9").replace("ENG", "FRA"), realm=None, turn=None, key=None
    )
    assert findings == []
    assert sheet is not None
    assert (sheet.realm, sheet.turn) == ("FRA", 9)


@pytest.mark.clause("O7")
def test_one_bad_order_leaves_the_others_standing() -> None:
    body = (
        "headquarters:\n  declare_war: [FRA, XYZ, DEN]\nunits:\n  A1:\n    plan: [hold, march: Nowhere, "
        "pillage]\n"
    )
    sheet, diagnostics = read(HEADER + body)
    assert sheet is not None
    assert texts(sheet) == ["declare_war: FRA", "declare_war: DEN", "A1 hold", "A1 pillage"]
    assert [(finding.code, finding.line, finding.column) for finding in diagnostics] == [
        ("order/unknown-realm", 7, 22),
        ("order/unknown-province", 10, 25),
    ]


@pytest.mark.clause("O7")
def test_a_file_of_which_nothing_is_understood_is_set_aside_whole() -> None:
    sheet, diagnostics = read(HEADER + "headquarters:\n  declare_war: [XYZ]\n")
    assert sheet is None
    assert diagnostics[0].code == "sheet/nothing-understood"
