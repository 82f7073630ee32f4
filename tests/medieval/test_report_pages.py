"""The pages: well-formed, self-contained, escaped, and with everything in them that the rules promise."""

import json
import re
from itertools import product
from posixpath import dirname, join, normpath

import pytest
from msgspec.structs import replace

from gm.core.codec import to_plain
from gm.core.diagnostics import Diagnostic
from gm.game.values import OrderFile
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import file_part
from gm.games.medieval.report.battle_pages import chart
from gm.games.medieval.report.chronicle import arranged
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state.event_log import event_from
from tests.medieval.reportland import (
    CODES,
    HOSTILE,
    ORDERS,
    Page,
    busy_files,
    busy_record,
    busy_world,
    record_of,
    strange_scripts,
    texts,
    without_styles,
)
from tests.medieval.testland import atlas, commander, make_world, play, read_orders, rules, unit
from tests.medieval.warfare import rounds_of

REALM_PAGES = [f"results/{code}.html" for code in CODES]
BATTLE_PAGES = [
    f"results/battles/{name}.html" for name in ("01-hanobukten", "02-flanders", "03-paris", "04-scania")
]
PAGES = [*BATTLE_PAGES, *REALM_PAGES, "summary.html", "results/herald.html"]


def test_a_turn_gives_these_files() -> None:
    data = {name.replace(".html", ".yaml") for name in (*BATTLE_PAGES, *REALM_PAGES)}
    templates = {f"next/{code}{end}" for code, end in product(CODES, (".yaml", ".schema.json"))}
    assert set(busy_files()) == {*PAGES, *data, *templates, "summary.txt", "results/herald.de.html"}


def test_without_pages_the_files_for_programs_are_the_same() -> None:
    plain = texts(busy_record(), html=False)
    assert plain == {name: text for name, text in busy_files().items() if not name.endswith(".html")}


def test_the_same_turn_gives_the_same_text() -> None:
    assert texts(busy_record()) == busy_files()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_formed_and_needs_nothing_else(name: str) -> None:
    html = busy_files()[name]
    page = Page(html)
    assert page.wrong == []
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("h1") == 1
    assert strange_scripts(page) == []
    assert not {tag for tag in page.tags if tag in ("link", "iframe", "object", "img", "form")}
    assert not [attribute for attribute, _ in page.attributes if attribute.startswith("on")]
    assert "://" not in without_styles(html)
    assert "@import" not in html
    assert "url(http" not in html
    assert 'lang="en"' in html
    assert "width=device-width" in html


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = Page(busy_files()[name])
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert normpath(join(dirname(name), link)) in busy_files()


def page_of(realm: str) -> str:
    return Page(busy_files()[f"results/{realm}.html"]).text


@pytest.mark.clause("H1")
def test_the_page_has_the_treasurys_books_and_the_forecast() -> None:
    text = page_of("ENG")
    for words in ("Before the turn", "Upkeep", "In the treasury", "Expected surplus", "Expected revenue"):
        assert words in text


@pytest.mark.clause("H1")
@pytest.mark.slow
def test_a_shortfall_is_shouted_and_a_small_surplus_is_mentioned() -> None:
    army = unit("ENG/A1", "London", {"Heavy Infantry": 40})
    for treasury, words in (("3", "gold short"), ("17.50", "is left over"), ("90", "")):
        world = make_world(army, realms={"ENG": {"treasury": treasury}})
        played = play(world)
        record = replace(
            record_of(world, {}), after=played.world.with_realms(world.realms["ENG"]).with_units([army])
        )
        text = Page(texts(record)["results/ENG.html"]).text
        assert (words in text) if words else ("gold short" not in text and "is left over" not in text)


@pytest.mark.clause("O2")
def test_orders_that_failed_come_first_with_line_reason_and_clause() -> None:
    text = page_of("ENG")
    assert re.search(r"A12 march: Flanders needs 2 move-points, has 1 P4", text)
    assert text.index("Failed") < text.index("Carried out in part") < text.index("Carried out – ")
    record = busy_record()
    total = sum(1 for _ in record.sheets["ENG"].all_orders())
    counts = re.search(r"(\d+) done (\d+) reduced, (\d+) failed", text)
    assert counts is not None
    assert sum(int(count) for count in counts.groups()) == total


@pytest.mark.clause("O7")
@pytest.mark.slow
def test_bad_orders_and_files_set_aside_are_on_the_senders_page_alone() -> None:
    assert "no province is called 'Pariss'" in page_of("FRA")
    assert "rejected" in page_of("NOR")
    assert "this is no YAML" in page_of("NOR")
    for code in set(CODES) - {"FRA", "NOR"}:
        assert "Pariss" not in page_of(code)
        assert "this is no YAML" not in page_of(code)


@pytest.mark.clause("O1")
@pytest.mark.slow
def test_the_page_says_when_no_orders_came_or_when_they_were_late() -> None:
    assert "No orders came this turn" in page_of("TEU")
    record = busy_record()
    late = replace(record, readings={"ENG": OrderFile(replace(record.sheets["ENG"], late=True))})
    assert "after the deadline" in Page(texts(late)["results/ENG.html"]).text


@pytest.mark.clause("W11")
def test_the_page_of_the_start_tells_of_no_turn() -> None:
    world = busy_world()
    start = replace(record_of(world, {}), before=world, after=world, events=(), readings={})
    html = texts(start)["results/ENG.html"]
    page = Page(html)
    assert page.wrong == []
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert "The game begins" in page.text
    assert "A1 “Royal Lions”" in page.text
    for words in (
        "No orders came",
        "What changed since",
        "The treasury this turn",
        "A quiet season",
        "Turn 0",
        "turn 0",
    ):
        assert words not in page.text


@pytest.mark.clause("L13")
def test_everybody_reads_a_proclamation() -> None:
    assert all("Peace and good wine to all Christendom." in page_of(code) for code in CODES)


def test_the_chronicle_goes_through_the_turn_in_order() -> None:
    text = page_of("ENG")
    assert text.index("First Events") < text.index("Movement, phase 1") < text.index("Final Events")
    assert "England declares war on Den." in text
    assert arranged(()) == []


def test_what_changed_stands_at_the_top_in_ten_lines() -> None:
    for code in CODES:
        html = busy_files()[f"results/{code}.html"]
        lines = html[html.index('<ol class="changed">') : html.index("</ol>")].count("<li")
        assert 1 <= lines <= 10
        assert html.index('id="changed" ') < html.index('id="headquarters" ') < html.index('id="messages" ')


@pytest.mark.clause("W5")
def test_every_own_unit_has_a_row_that_can_be_linked_with_number_and_name_together() -> None:
    record = busy_record()
    for code in CODES:
        page = Page(busy_files()[f"results/{code}.html"])
        own = record.after.of_realm(code)
        assert {f"unit-{unit.id}" for unit in own} <= set(page.ids)
        assert all(
            f"{unit.id} “{unit.name}” {'army' if unit.is_army else 'fleet'}" in page.text
            for unit in own
            if unit.name
        )


@pytest.mark.clause("F7", "W8")
def test_an_ambassadors_address_is_on_the_page_of_the_realm_that_he_came_to() -> None:
    sheets = {**read_orders(busy_world(), ORDERS)}
    sheets["AQU"] = replace(sheets["AQU"], contact="anna@example.org")
    files = texts(record_of(busy_world(), sheets))
    assert "ambassador: anna@example.org" in Page(files["results/ENG.html"]).text
    assert not [
        code for code in CODES if code != "ENG" and "anna@example.org" in files[f"results/{code}.html"]
    ]


@pytest.mark.clause("W8")
def test_units_and_provinces_of_everybody_are_on_every_page() -> None:
    for code in CODES:
        text = page_of(code)
        assert all(name in text for name in atlas().provinces)
        assert "A12 “The King's Own”" in text


def battle(place: str) -> str:
    (name,) = [name for name in busy_files() if name.endswith(f"-{place}.html")]
    return Page(busy_files()[name]).text


@pytest.mark.clause("B14")
def test_a_battle_page_has_everything_of_the_report() -> None:
    for event in busy_record().events:
        if not isinstance(event, BattleFought):
            continue
        report = event.report
        text = battle(file_part(report.place))
        for words in (
            "Plain combat",
            "Total combat",
            "Hit points",
            "Retreat level",
            "Damage caused",
            "Taken",
        ):
            assert words in text
        for fought in report.rounds:
            assert f"Round {fought.number} –" in text
        for entry in report.units:
            for troop in entry.troops:
                assert f"{troop.count} {troop.troop}" in text
        assert ("Captures" in text) == bool(report.captures)
        assert ("Skills gained" in text) == bool(report.skills)
        assert ("The wounded" in text) == bool(report.wounded)
        assert ("The siege" in text) == (report.siege is not None)
        assert text.count("destroyed") >= sum(end.outcome == "destroyed" for end in report.ends)


@pytest.mark.clause("B14", "M13")
def test_a_battle_page_says_who_owns_the_province_then() -> None:
    taken = (
        r"conquers Flanders|Flanders passes|takes Flanders|Flanders, until now|master of Flanders|too weak "
        r"to take"
    )
    assert re.search(taken, battle("flanders"))


@pytest.mark.clause("B2", "B14")
def test_a_siege_is_told_roll_by_roll() -> None:
    text = battle("paris")
    assert "A fortification of level 6" in text
    assert "8 Siege Machines with a chance of 50% each" in text


def test_the_chart_falls_and_never_rises() -> None:
    for event in busy_record().events:
        if isinstance(event, BattleFought):
            drawn = chart(event.report, lambda unit: unit.unit, {})
            assert [line["name"] for line in drawn["lines"]] == [unit.unit for unit in event.report.units]
            for line in drawn["lines"]:
                assert list(line["curve"]) == sorted(line["curve"], reverse=True)
                assert len(line["curve"]) == len(rounds_of(event.report, line["name"])) + 1
                assert len(line["points"].split()) == len(line["curve"])


def hostile_record() -> MedievalResult:
    """Hostile text wherever a player, or the game master, may write."""
    world = busy_world()
    lions = world.units["ENG/A1"].evolve(
        name=HOSTILE, leader=HOSTILE, commanders=(commander(HOSTILE, 30, 12, 42, 1),)
    )
    world = world.with_units([lions]).with_realms(
        world.realms["ENG"].evolve(ruler=HOSTILE, name=HOSTILE), world.realms["DEN"].evolve(name="N" * 300)
    )
    orders = ORDERS | {
        "AQU": f"headquarters:\n  send_ambassador: [ENG]\n  proclamation: {_quoted(HOSTILE)}\n"
    }
    sheets = read_orders(world, orders)
    sheets["AQU"] = replace(sheets["AQU"], contact=HOSTILE)
    played = play(world, sheets)
    finding = Diagnostic("error", "order/x", HOSTILE, HOSTILE, 1, 1, 1, HOSTILE, HOSTILE, "O7")
    return MedievalResult(
        game="europe",
        before=world,
        after=played.world,
        events=played.events,
        rules=rules(),
        atlas=atlas().evolve(title=HOSTILE),
        readings={
            code: OrderFile(sheet, (finding,) if code == "ENG" else ()) for code, sheet in sheets.items()
        },
        set_aside={"ENG": (finding,)},
        keys=dict.fromkeys(CODES, HOSTILE),
        deadline=HOSTILE,
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.mark.slow
def test_hostile_text_is_shown_as_text_in_every_page() -> None:
    files = texts(hostile_record())
    assert sorted(files) == sorted(texts(hostile_record()))
    assert all(re.fullmatch(r"[A-Za-z0-9./-]+", name) for name in files)
    for name, text in files.items():
        if name.endswith(".html"):
            page = Page(text)
            assert page.wrong == [], name
            assert strange_scripts(page) == []
            assert "<script>alert" not in text
            assert not [value for attribute, value in page.attributes if attribute.startswith("on")]
    england = Page(files["results/ENG.html"])
    assert '<script>alert("x")</script> & {realm.__class__} %s' in england.text
    assert "\U0001f409" in england.text


def test_file_names_come_from_places_and_never_from_players() -> None:
    assert file_part("Zürich & <Umland>") == "zurich-umland"
    assert file_part("../../etc/passwd") == "etc-passwd"
    assert file_part("龍") == "place"
    assert len(file_part("x" * 500)) == 40


def test_a_turn_read_back_from_its_log_gives_the_same_files() -> None:
    record = busy_record()
    lines = [json.dumps(to_plain(event)) for event in record.events]
    again = replace(record, events=tuple(event_from(json.loads(line)) for line in lines))
    assert texts(again) == busy_files()
