"""Battles on the pages: why a side won or lost, how the dice fell, and the section that all realms' pages
share.
"""

import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from msgspec.structs import replace

from gm.core.codec import to_plain
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import Luck, frequency, luck_of, net_score
from gm.games.medieval.report.battle_pages import LABEL_GAP, chart
from gm.games.medieval.report.battle_why import Explainer, Why, enemies_of
from gm.games.medieval.report.battle_wordings import wordings
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import World
from gm.games.medieval.state.event_log import event_from
from gm.store.formats import compact
from tests.medieval.reportland import CODES, Page, busy_files, busy_record, texts
from tests.medieval.testland import commander, make_world, rules, unit
from tests.medieval.warfare import fought, report, sure_rules

WAR = [("ENG", "FRA")]


def battle(world: World, seed: str = "test", **more: object) -> BattleReport:
    return report(fought(world, by=rules(), seed=seed, **more))  # type: ignore[arg-type]


def why(report: BattleReport, code: str) -> Why:
    explained = Explainer(str.title, lambda key: key).why(report)
    return next(explanation for explanation in explained if explanation.realm == code)


def reasons(report: BattleReport, code: str) -> str:
    return "\n".join(f"{reason.text} [{reason.clause}]" for reason in why(report, code).reasons)


PLAIN = make_world(
    unit("ENG/A1", "Reims", {"Heavy Infantry": 10, "Heavy Cavalry": 5}),
    unit("FRA/A1", "Reims", {"Men-at-Arms": 12}),
    war=WAR,
)


@pytest.mark.clause("B5", "B14")
def test_the_report_says_what_each_unit_could_expect_in_each_round() -> None:
    first = battle(PLAIN).rounds[0].units
    chances = [Fraction(34, 100)] * 10 + [Fraction(35, 100)] * 10
    assert first[0].expected == Decimal(str(float(sum(chances))))
    assert float(str(first[0].variance)) == pytest.approx(
        float(sum(chance * (1 - chance) for chance in chances))
    )
    assert first[1].expected == Decimal(3)


@pytest.mark.clause("B5.1", "B5")
def test_expectations_know_who_had_a_place_inside_and_who_led() -> None:
    world = make_world(
        unit(
            "ENG/A1", "Paris", {"Men-at-Arms": 9}, commanders=[commander("John", infantry=60)], leader="John"
        ),
        unit("FRA/G1", "Paris", {"Men-at-Arms": 30}),
        war=WAR,
        provinces={"Paris": {"fortification": 1}},
    )
    first = battle(world).rounds[0].units
    row = rules().fortifications[0]
    led = Fraction(25, 100) * (1 + Fraction(60, rules().battle.tactics_divisor_fortified))
    commanders = rules().commanders
    assert float(first[0].expected or 0) == pytest.approx(
        float(9 * led) + commanders.attacks * commanders.combat / 100, abs=1e-4
    )
    inside = min(30, row.barracks)
    expected = inside * 0.25 * (100 + row.foot_combat) / 100 + (30 - inside) * 0.25
    assert float(first[1].expected or 0) == pytest.approx(expected, abs=1e-4)


def test_expectations_come_true_on_average() -> None:
    total = Luck(0, Decimal(0), Decimal(0))
    for n in range(60):
        luck = luck_of(battle(PLAIN, f"luck {n}"), ("ENG", "FRA"))
        assert luck is not None
        total = Luck(total.made + luck.made, total.expected + luck.expected, total.variance + luck.variance)
    assert abs(total.score) < 3


@pytest.mark.parametrize(
    ("luck", "words"),
    [
        (Luck(20, Decimal(20), Decimal(12)), "about as expected"),
        (
            Luck(17, Decimal("20.1"), Decimal(12)),
            "a little unlucky: 3.1 hits fewer than expected; one battle in four",
        ),
        (
            Luck(24, Decimal(20), Decimal(9)),
            "lucky: 4.0 hits more than expected; one battle in eight goes that well",
        ),
        (Luck(13, Decimal(20), Decimal(9)), "very unlucky: 7.0 hits fewer than expected; one battle in 70"),
        (
            Luck(60, Decimal(40), Decimal(16)),
            "extraordinarily lucky: 20.0 hits more than expected; not one battle in",
        ),
        (Luck(3, Decimal(3), Decimal(0)), "nothing was left to luck"),
    ],
)
def test_luck_is_put_into_words(luck: Luck, words: str) -> None:
    assert luck.words.startswith(words)


def test_how_rare_such_luck_is_agrees_with_the_exact_tail() -> None:
    """40 attacks at 30%: so few hits as 8 or fewer come in 11.1% of battles, by the exact sum."""
    luck = Luck(8, Decimal(12), Decimal("8.4"))
    assert luck.spread == pytest.approx(sqrt(8.4))
    assert 1 / luck.one_in == pytest.approx(0.111, abs=0.005)
    assert frequency(luck.one_in) == "one battle in nine"
    assert frequency(1.2) == "one battle in two"
    assert frequency(37) == "one battle in 40"
    assert frequency(340) == "one battle in 300"


def test_the_luck_of_two_sides_is_weighed_against_each_other() -> None:
    good = Luck(25, Decimal(20), Decimal(8))
    bad = Luck(15, Decimal(20), Decimal(8))
    assert net_score(good, bad) == pytest.approx(2.5)
    assert net_score(good, good) == 0
    assert net_score(Luck(1, Decimal(1), Decimal(0)), Luck(1, Decimal(1), Decimal(0))) == 0


@pytest.mark.clause("B14")
def test_numbers_hits_and_pace_are_compared() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Heavy Infantry": 30}), unit("FRA/A1", "Reims", {"Militia": 6}), war=WAR
    )
    fought_battle = battle(world)
    # told once, for the side that could not win; a page has the figures in its table
    assert "beaten in one round, the enemy in 72 rounds. [B5]" in reasons(fought_battle, "FRA")
    assert "rounds" not in reasons(fought_battle, "ENG")
    assert why(fought_battle, "ENG").gist.startswith("It was much stronger")
    assert why(fought_battle, "FRA").gist.startswith("The enemy far outmatched it")
    assert (why(fought_battle, "ENG").outcome, why(fought_battle, "FRA").outcome) == ("won", "lost")


@pytest.mark.clause("B5.1", "B2", "B12")
def test_walls_sieges_and_commanders_are_reasons() -> None:
    world = make_world(
        unit(
            "ENG/A1",
            "Paris",
            {"Heavy Infantry": 12, "Siege Machine": 3},
            commanders=[commander("John", infantry=46, cavalry=10)],
            leader="John",
        ),
        unit("FRA/G1", "Paris", {"Men-at-Arms": 4}),
        war=WAR,
        provinces={"Paris": {"fortification": 6}},
    )
    said = reasons(battle(world), "FRA")
    assert re.search(r"sheltered FRA/G1: foot \+\d+% to hit, .*\[B5\.1\]", said)
    assert re.search(r"siege engines had already brought down .* levels? of its walls\. \[B2\]", said)
    assert "No leader's rating helped its troops" in said
    assert "Led by John (infantry +15%)." in reasons(battle(world), "ENG")


@pytest.mark.clause("B12")
def test_a_leader_who_falls_is_named_with_the_round() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": 9}, commanders=[commander("John", infantry=46)], leader="John"),
        unit("FRA/A1", "Reims", {"Striker": 12}),
        war=WAR,
    )
    lines = reasons(report(fought(world, by=sure_rules())), "ENG")
    assert re.search(r"John fell: from round \d on nobody led ENG/A1\. \[B12\]", lines)


@pytest.mark.clause("B9")
def test_a_retreat_is_explained_by_level_and_ranks() -> None:
    def told(ranks: tuple[int, ...], level: int) -> str:
        world = make_world(
            unit("ENG/A1", "Reims", {"Target": ranks}, retreat_level=level),
            unit("ENG/A2", "Reims", {"Target": 9}, follow="A1"),
            unit("FRA/A1", "Reims", {"Striker": 4}),
            war=WAR,
            owners={"Flanders": "ENG"},
        )
        return reasons(report(fought(world, by=sure_rules())), "FRA")

    empty = told((0, 9, 0, 0, 0), 1)
    assert "ENG/A1 left for Flanders after round 1: nobody stood in rank 1 from the start" in empty
    assert "ENG/A2 left for Flanders after round 1: it follows ENG/A1. [B9]" in empty
    assert "everybody in ranks 1 to 2 was a casualty, and its retreat level is 2" in told((2, 1, 9, 0, 0), 2)


def test_who_left_the_field_and_who_was_lucky_is_in_the_gist() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Men-at-Arms": (1, 9, 0, 0, 0)}, retreat_level=1),
        unit("FRA/A1", "Reims", {"Men-at-Arms": 10}),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    fought_battle = battle(world)
    assert why(fought_battle, "ENG").gist.endswith("It left the field.")
    assert why(fought_battle, "FRA").gist.endswith("The enemy left the field.")
    bent = replace(
        fought_battle,
        rounds=tuple(
            replace(
                battle_round,
                units=tuple(
                    replace(part, expected=Decimal(20), variance=Decimal(1)) for part in battle_round.units
                ),
            )
            if battle_round.number == 1
            else battle_round
            for battle_round in fought_battle.rounds
        ),
    )
    # both sides hit far less than was due: what is told of its own hits does not contradict the sentence
    assert why(bent, "ENG").luck.degree.endswith("unlucky")
    assert "although the enemy's dice were worse still" in why(bent, "ENG").gist


@pytest.mark.clause("B1")
def test_enemies_are_those_at_war_and_friends_are_not() -> None:
    world = make_world(
        unit("AQU/A1", "Reims", {"Militia": 3}),
        unit("ENG/A1", "Reims", {"Militia": 3}),
        unit("FRA/A1", "Reims", {"Militia": 9}),
        war=[*WAR, ("AQU", "FRA")],
        allied=[("AQU", "ENG")],
    )
    fought_battle = battle(world)
    assert fought_battle.wars == (("AQU", "FRA"), ("ENG", "FRA"))
    assert enemies_of(fought_battle, "FRA") == ("AQU", "ENG")
    assert enemies_of(fought_battle, "ENG") == ("FRA",)
    assert "Its enemies' hits" in reasons(fought_battle, "FRA")
    three = battle(
        make_world(
            unit("ENG/A1", "Flanders", {"Militia": 3}),
            unit("FRA/A1", "Flanders", {"Militia": 3}),
            unit("IND/A1", "Flanders", {"Militia": 3}),
            war=WAR,
        )
    )
    assert "Its enemies also fought each other" in reasons(three, "ENG")


def without_news(record: object) -> object:
    """A record as an earlier version wrote it."""
    if isinstance(record, dict):
        return {
            key: without_news(value)
            for key, value in record.items()
            if key not in ("expected", "variance", "ranks", "wars")
        }
    return [without_news(element) for element in record] if isinstance(record, list) else record


def test_a_log_of_an_earlier_version_is_read_and_told_without_luck() -> None:
    events = [event for event in busy_record().events if isinstance(event, BattleFought)]
    for event in events:
        record = json.loads(compact(to_plain(event)))
        assert event_from(record) == event
        back = event_from(without_news(record))  # type: ignore[arg-type]
        assert isinstance(back, BattleFought)
        assert back.report.rounds[0].units[0].expected is None
        assert luck_of(back.report, back.report.realms) is None
        for code in back.report.realms:
            assert why(back.report, code).luck is None
            assert "were due" not in reasons(back.report, code)
    old = {
        id(event): event_from(without_news(json.loads(compact(to_plain(event)))))  # type: ignore[arg-type]
        for event in events
    }
    record = replace(busy_record(), events=tuple(old.get(id(event), event) for event in busy_record().events))
    files = texts(record)
    assert "The dice" not in files["results/battles/02-flanders.html"]
    assert "Why England won" in files["results/battles/02-flanders.html"]


def section(html: str, anchor: str) -> str:
    """A battle's part of a page: from its id to the next battle's."""
    start = html.index(f'id="{anchor}"')
    return html[start : html.find('class="battle"', start)]


@pytest.mark.clause("B14")
def test_every_realm_has_every_battle_its_own_first_and_open() -> None:
    events = [event.report for event in busy_record().events if isinstance(event, BattleFought)]
    for code in CODES:
        html = busy_files()[f"results/{code}.html"]
        own = [f"battle-{number:02d}" for number, battle in enumerate(events, 1) if code in battle.realms]
        others = [
            f"battle-{number:02d}" for number, battle in enumerate(events, 1) if code not in battle.realms
        ]
        assert re.findall(r'id="(battle-\d\d)"', html) == own + others
        assert re.findall(r'<article class="battle" id="(battle-\d\d)" ', html) == own
        assert html.count('<details class="battle">') == len(others)
        assert ("Battles of others" in html) == bool(others)


def test_others_battles_are_told_in_brief() -> None:
    """14.B17: sides, dice, who won why and who fought; rounds only in one's own."""
    own = section(busy_files()["results/ENG.html"], "battle-02")
    others = section(busy_files()["results/LIT.html"], "battle-02")
    for words in ("Round by round", 'class="chart"', "Who fought"):
        assert words in own
        assert words not in others
    assert len(others) < len(own) // 3
    reports = [event.report for event in busy_record().events if isinstance(event, BattleFought)]
    at = next(number for number, battle in enumerate(reports) if "Fl" in battle.place)
    fought = reports[at]
    said = Page(others).text
    explanations = Explainer(MedievalFormatter(busy_record().after).realm, str).why(
        fought, wordings(reports, 1)[at]
    )
    assert [
        f"{explanation.luck.made} hits made" for explanation in explanations if explanation.luck
    ] == re.findall(r"\d+ hits made", said)
    for explanation in explanations:
        assert explanation.gist in said
        assert explanation.luck
        assert f"expected: {explanation.luck.brief}." in said
    for end in fought.ends:
        assert f"{end.outcome}" in said
        assert all(f"{lost.count} {lost.troop}" in said for lost in end.losses)
    for one in fought.units:
        assert all(f"{troop.count} {troop.troop}" in said for troop in one.troops)


@pytest.mark.clause("B14")
def test_a_battle_shows_its_dice_its_curve_and_the_same_as_a_table() -> None:
    for name, html in busy_files().items():
        if not name.startswith("results/battles/") or not name.endswith(".html"):
            continue
        page = Page(html)
        for words in ("Hits made", "Expected", "Left", "Why "):
            assert words in page.text
        assert "Hit points left after each round" in page.text
        drawn = [value for attribute, value in page.attributes if attribute == "aria-labelledby"]
        assert all(set(value.split()) <= set(page.ids) for value in drawn)
        anchors = {link.removeprefix("#") for link in page.links if link.startswith("#")}
        assert anchors <= set(page.ids), "a link that leads nowhere"


def test_labels_at_the_ends_of_curves_never_lie_on_each_other() -> None:
    world = make_world(
        *(unit(f"ENG/A{number}", "Reims", {"Militia": 2}) for number in range(1, 16)),
        unit("FRA/A1", "Reims", {"Militia": 30}, name="x" * 40),
        war=WAR,
    )
    drawn = chart(battle(world), lambda unit: f"{unit.unit} of a realm with a long name", {"ENG": "#123456"})
    heights = sorted(line["label"][1] for line in drawn["lines"])
    assert all(later - earlier >= LABEL_GAP - 0.2 for earlier, later in pairwise(heights))
    assert heights[-1] <= drawn["height"]
    assert all(len(line["name"]) <= 17 for line in drawn["lines"])
    assert {line["colour"] for line in drawn["lines"]} == {"#123456", "#7d7264"}
    assert len({line["dash"] for line in drawn["lines"][:4]}) == 4


def test_a_long_battle_marks_only_some_rounds() -> None:
    by = sure_rules(round_limit=90)
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": 3}), unit("FRA/A1", "Reims", {"Target": 3}), war=WAR
    )
    drawn = chart(report(fought(world, by=by)), lambda unit: unit.unit, {})
    assert len(drawn["marks"]) <= 13
    assert drawn["marks"][0] == (34, 0)
    assert all(line["points"].count(",") == 91 for line in drawn["lines"])
    explanation = why(report(fought(world, by=by)), "ENG")
    assert (explanation.outcome, explanation.gist) == (
        "drawn",
        "Neither side could break the other before the limit of rounds.",
    )
