"""The results file: what a program reads, and what nobody else may read (W8).

And the game master's summary.
"""

import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from msgspec.structs import replace

from gm.core.values import GM, PhaseLimitReached
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.values import OrderFile
from gm.games.medieval.report.files import summary_lines
from gm.games.medieval.report.results import public_world, read_results
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.text.layout import flow, read_layout
from tests.medieval import reportland
from tests.medieval.reportland import CODES, HOSTILE, busy_files, busy_record, texts
from tests.medieval.testland import atlas, make_world, play, read_orders, rules, unit


def results(realm: str) -> dict[str, object]:
    return read_results(busy_files()[f"results/{realm}.yaml"].encode(), f"{realm}.yaml")


@pytest.mark.parametrize("realm", CODES)
def test_our_own_reader_and_the_yaml_reader_agree(realm: str) -> None:
    text = busy_files()[f"results/{realm}.yaml"]
    assert read_layout(text) == plain_data(read_yaml(text.encode(), "x", size_limit=10**8))


def test_battles_are_valid_yaml_too() -> None:
    names = [name for name in busy_files() if re.fullmatch(r"results/battles/.*\.yaml", name)]
    assert names
    for name in names:
        text = busy_files()[name]
        assert read_layout(text) == plain_data(read_yaml(text.encode(), name))


def test_the_head_says_what_it_is() -> None:
    data = results("ENG")
    head = {name: data[name] for name in ("results", "game", "realm", "turn", "season", "year", "key", "map")}
    assert head == {
        "results": 1,
        "game": "europe",
        "realm": "ENG",
        "turn": 1,
        "season": "spring",
        "year": 1320,
        "key": "key-of-eng-27",
        "map": "testland",
    }


@pytest.mark.clause("W8")
def test_the_position_is_the_whole_public_world() -> None:
    after = busy_record().after
    for realm in CODES:
        seen = public_world(results(realm))
        hidden = {
            code: realm_state.evolve(
                treasury=realm_state.treasury if code == realm else Decimal(0), missed_turns=0
            )
            for code, realm_state in after.realms.items()
        }
        assert seen == after.evolve(realms=hidden)


@pytest.mark.clause("W8")
@pytest.mark.parametrize("reader", CODES)
def test_no_secret_of_another_realm_is_in_a_realms_files(reader: str) -> None:
    record = busy_record()
    files = busy_files()
    own = {"results/" + reader + end for end in (".yaml", ".html")} | {f"next/{reader}.yaml"}
    mine = "\n".join(
        text for name, text in files.items() if name in own or name.startswith("results/battles/")
    )
    my_texts = {
        event.text for event in record.events if isinstance(event, OrderSettled) and event.audience == reader
    }
    for other in set(CODES) - {reader}:
        assert record.keys[other] not in mine
        for event in record.events:
            if event.audience != other:
                continue
            if isinstance(event, TreasuryChanged) and event.balance > 150:
                assert str(event.balance) not in mine, event
            if isinstance(event, OrderSettled) and event.text not in my_texts and len(event.text) > 12:
                assert event.text not in mine, event


@pytest.mark.clause("W8")
def test_gold_is_seen_by_its_giver_and_its_receiver_alone() -> None:
    for realm in CODES:
        seen = "41.37" in busy_files()[f"results/{realm}.yaml"]
        assert seen == (realm in ("LIT", "TEU"))


@pytest.mark.clause("W8", "F7")
def test_an_ambassadors_address_is_for_its_receiver_alone() -> None:
    world = reportland.busy_world()
    sheets = read_orders(world, {"ENG": reportland.ORDERS["ENG"]})
    sheets["ENG"] = replace(sheets["ENG"], contact="edward@london.example")
    played = play(world, sheets)
    record = MedievalResult(
        game="g",
        before=world,
        after=played.world,
        events=played.events,
        rules=rules(),
        atlas=atlas(),
        readings={code: OrderFile(sheet) for code, sheet in sheets.items()},
    )
    files = texts(record)
    readers = {name for name, text in files.items() if "edward@london.example" in text}
    assert readers == {"results/AQU.yaml", "results/AQU.html"}


def test_nothing_for_the_game_master_is_in_a_players_file() -> None:
    for name, text in busy_files().items():
        if name.startswith("results/"):
            assert "DiceRolled" not in text
            assert "RealmStandsStill" not in text


@pytest.mark.clause("W8", "M0")
@pytest.mark.parametrize("realm", CODES)
def test_what_happened_is_told_step_by_step_in_the_order_of_the_turn(realm: str) -> None:
    steps = results(realm)["events"]
    assert isinstance(steps, dict)
    due: dict[str, list[str]] = {}
    for event in busy_record().events:
        if event.visible_to(realm) and not isinstance(event, (OrderSettled, TreasuryChanged)):
            heading = f"phase {event.phase}, {event.step}" if event.phase else event.step
            due.setdefault(heading, []).append(event.kind)
    assert {heading: [event["event"] for event in happened] for heading, happened in steps.items()} == due
    assert list(steps) == list(due)
    assert any(heading.startswith("phase 1, ") for heading in steps)


@pytest.mark.clause("O2")
def test_every_order_has_its_outcome_with_clause_and_figures() -> None:
    record = busy_record()
    private = results("ENG")["private"]
    assert isinstance(private, dict)
    expected = [
        event for event in record.events if isinstance(event, OrderSettled) and event.audience == "ENG"
    ]
    assert len(private["orders"]) == len(expected) == sum(1 for _ in record.sheets["ENG"].all_orders())
    failed = next(order for order in private["orders"] if order["order"] == "A12 march: Flanders")
    assert (failed["fate"], failed["clause"]) == ("failed", "P4")
    assert failed["figures"] == {"needs": 2, "has": 1}
    assert "2" in failed["says"]
    assert failed["line"] > 5


def test_the_treasury_adds_up_line_by_line() -> None:
    for realm in CODES:
        private = results(realm)["private"]
        assert isinstance(private, dict)
        total = sum((Decimal(change["amount"]) for change in private["treasury_changes"]), Decimal(0))
        assert Decimal(private["treasury_before"]) + total == Decimal(private["treasury"])


@pytest.mark.clause("H1")
def test_the_forecast_is_in_the_private_part() -> None:
    private = results("ENG")["private"]
    assert isinstance(private, dict)
    assert private["forecast"]["treasury"] == private["treasury"]
    assert Decimal(private["forecast"]["upkeep"]) > 0


@pytest.mark.clause("O7")
def test_what_was_refused_and_what_was_set_aside_is_told_to_its_sender() -> None:
    france = results("FRA")["private"]
    norway = results("NOR")["private"]
    assert isinstance(france, dict)
    assert isinstance(norway, dict)
    assert [(finding["line"], finding["code"]) for finding in france["refused"]] == [
        (9, "order/unknown-province")
    ]
    assert norway["set_aside"][0]["says"] == "this is no YAML"
    assert "Pariss" not in busy_files()["results/ENG.yaml"]


@pytest.mark.parametrize(
    "text", [HOSTILE, "\x85\u2028\u2029\ufeff", "NO", "a: b # c", "- x", "1e3", "\ud800", "\x7f"]
)
def test_any_text_is_valid_yaml(text: str) -> None:
    line = f"x: {flow(text)}\n"
    read = plain_data(read_yaml(line.encode(), "x"))
    assert read == {"x": re.sub("[\ud800\x7f]", "\ufffd", text)}
    assert read_layout(line) == read


def test_hostile_names_survive_the_way_there_and_back() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Infantry": 2}, name=HOSTILE), realms={"ENG": {"ruler": HOSTILE}}
    )
    layout = read_results(
        texts(reportland.record_of(world, {}), html=False)["results/FRA.yaml"].encode(), "x"
    )
    assert public_world(layout).units["ENG/A1"].name == HOSTILE
    assert public_world(layout).realms["ENG"].ruler == HOSTILE


def test_a_file_that_somebody_rearranged_is_still_read() -> None:
    text = busy_files()["results/ENG.yaml"].replace("results: 1", "results:    1   # by hand")
    assert read_layout(text) is None
    assert read_results(text.encode(), "x") == results("ENG")


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format 2"):
        read_results(b"results: 2\n", "x")


def test_something_else_is_no_results_file() -> None:
    with pytest.raises(ValueError, match="not a results file"):
        read_results(b"orders: 1\n", "x")


def page() -> str:
    return reportland.Page(busy_files()["summary.html"]).text


def text() -> str:
    return busy_files()["summary.txt"]


@pytest.mark.parametrize("form", [page, text])
def test_it_says_who_sent_and_what_came_of_it(form: Callable[[], str]) -> None:
    content = form()
    for words in ("in time", "missing", "rejected", "England", "Battle of Flanders"):
        assert words in content
    assert "Sunday 29 November, 20:00" in content


@pytest.mark.clause("V3")
def test_missed_turns_are_flagged() -> None:
    assert "No orders from Teu" in page()
    assert "No orders from Teu" in text()


@pytest.mark.clause("M0")
def test_the_phase_limit_is_flagged() -> None:
    record = busy_record()
    event = PhaseLimitReached(audience=GM, phase=40, limit=40)
    files = texts(replace(record, events=(*record.events, event)))
    assert "broken off after 40 phases" in files["summary.txt"]
    assert "broken off after 40 phases" in files["summary.html"]
    assert "broken off" not in files["results/ENG.html"]


@pytest.mark.clause("O1")
def test_a_late_file_is_told() -> None:
    record = busy_record()
    late = replace(record, readings={"ENG": OrderFile(replace(record.sheets["ENG"], late=True))})
    assert "late" in next(line for line in summary_lines(late, "en") if line.startswith("ENG"))


@pytest.mark.clause("O7")
def test_a_file_set_aside_is_told_with_its_reason() -> None:
    assert "this is no YAML" in text()


def test_order_fates_and_gold_are_in_one_line_a_realm() -> None:
    line = next(line for line in text().splitlines() if line.startswith("FRA"))
    assert line.split()[-1].startswith(("+", "−")) or line.split()[-1][0].isdigit()
    assert " 1 " in line  # one order was refused


def test_the_terminal_gets_the_same_text() -> None:
    assert summary_lines(busy_record(), "en") == text().splitlines()
