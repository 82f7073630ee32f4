"""The handbook: every clause has its text, every figure comes from the rules, every link leads somewhere."""

import base64
import hashlib
import html
import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from gm.game.values import TurnResult
from gm.games.medieval.data.clauses_data import load_clauses, load_reasons, load_rulings
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.rules_data import load_rules
from gm.games.medieval.handbook import texts
from gm.games.medieval.handbook.figures import FILTERS, RuleFigures
from gm.games.medieval.handbook.page import handbook_page
from gm.games.medieval.handbook.tables import (
    city_rows,
    level_rows,
    order_of_events,
    ship_groups,
    soldier_groups,
)
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT, all_words
from gm.games.medieval.pipeline import FINAL, FIRST, MOVEMENT
from gm.games.medieval.spec import SPEC
from gm.resources import resource
from gm.text.markup import html_of, line_of
from tests.handbook_marks import anchors_in, clauses_in, prose_in
from tests.medieval.handbookland import Parsed, all_texts, page
from tests.medieval.testland import data_of, rules

UNITS = (
    "gold|percent|turns?|move-points?|rounds?|ranks?|levels?|workers?|commanders|places|phases|holds?|damage"
)
SPELLED_OUT = {
    "clause L17": "two turns: that follows from the order of the steps",
    "fights-example": "the figures of an example",
}
"""Texts with a number in words that is in no rules data, and why."""
NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|quarter"


def figures(by: Rules | None = None) -> RuleFigures:
    return RuleFigures(by or rules(), SPEC.shipped_table("minsk").board)


def with_rules(by: Rules) -> str:
    """The handbook of a game whose GM has rules of his own."""
    table = SPEC.shipped_table("minsk")
    start = SPEC.start(table, SPEC.maps()["minsk"], None)
    return handbook_page(by, table.board, (start, table.rules, table.board))


# -- texts ---------------------------------------------------------------------------------------------------


def test_every_clause_has_a_text_and_no_other() -> None:
    assert sorted(texts.clause_texts()) == sorted(load_clauses())
    assert all(len(text) > 40 for text in texts.clause_texts().values())


def test_every_letter_of_the_clauses_has_a_chapter() -> None:
    assert [chapter.id for chapter in texts.chapters()] == list(
        dict.fromkeys(key[0] for key in load_clauses())
    )


def test_no_text_types_a_figure_that_the_rules_data_have() -> None:
    typed: dict[str, list[str]] = {}
    for where, text in all_texts():
        prose = prose_in(text)
        figures_typed = re.findall(r".{0,20}\d.{0,20}", prose)
        if where not in SPELLED_OUT and not where.startswith("clause X"):
            figures_typed += re.findall(rf"\b(?:{NUMBERS})[ -](?:{UNITS})\b", prose)
        if figures_typed:
            typed[where] = figures_typed
    assert typed == {}


def test_every_clause_that_a_text_names_exists_and_is_linked() -> None:
    for where, text in all_texts():
        assert clauses_in(text) <= set(load_clauses()), where
        bare = re.sub(r"```.*?```|`[^`]*`|\[[^\]]*\]|\{[^}]*\}", "", text, flags=re.DOTALL)
        assert not re.search(r"\b[WOPMBLNVHTX]\d+\b", bare), where


def test_there_are_questions_enough_and_their_anchors_are_their_own() -> None:
    all_questions = chain.from_iterable(topic.questions for topic in texts.topics())
    questions = [question.id for question in all_questions]
    assert len(questions) >= 25
    assert len(set(questions)) == len(questions)
    assert len(texts.terms()) >= 40


def test_every_event_has_a_remark_and_no_other() -> None:
    steps = chain.from_iterable(stage.steps for stage in (FIRST, MOVEMENT, FINAL))
    assert set(texts.remarks()) == {step.clauses[0] for step in steps}


# -- marks ---------------------------------------------------------------------------------------------------


def test_marks_become_html_and_everything_else_is_escaped() -> None:
    text = (
        "A <script> & {numbers.movement.hold|word} [M9], `{A1: <b>}`, **loud**, *soft*, [there](#map).\n\n- "
        "a\n- b\n  c"
    )
    assert html_of(text, figures()) == (
        '<p>A &lt;script&gt; &amp; one <a class="clause" href="#rule-M9">M9</a>, <code>{A1: '
        "&lt;b&gt;}</code>, "
        '<strong>loud</strong>, <em>soft</em>, <a href="#map">there</a>.</p>\n<ul><li>a</li><li>b c</li></ul>'
    )
    assert html_of("```\nmarch: *A*\n\n  <x>\n```", figures()) == (
        '<pre class="orders" tabindex="0"><code>march: *A*\n\n  &lt;x&gt;</code></pre>'
    )
    hostile = '![p](http://x.org/a.png) [y](javascript:alert(1)) [z](http://x.org) <b onclick=x> & "q"'
    assert html_of(hostile, figures()) == f"<p>{html.escape(hostile, quote=False)}</p>"
    assert line_of('[x](#a"><script>)', figures()).count("<") == 2
    assert line_of("[there](#map)", figures(), lambda _: "") == "there"
    assert anchors_in("[there](#map) `[x](#y)`\n\n```\n[a](#b)\n```") == {"map"}


def test_figures_come_in_the_form_that_is_asked_for() -> None:
    said = data_of("handbook-figures")
    figure = figures()
    assert {asked: figure(asked) for asked in said} == said
    assert {asked.partition("|")[2].split(" ")[0] for asked in said} - {""} == set(FILTERS)


@pytest.mark.parametrize(
    "wrong",
    [
        "numbers.economy.decay",
        "decay",
        "numbers",
        "numbers.economy",
        "troops.Elves.combat",
        "7|roman",
        "sums.x",
    ],
)
def test_a_figure_that_does_not_exist_is_an_error(wrong: str) -> None:
    with pytest.raises(ValueError, match=re.escape(wrong.partition("|")[0])):
        figures()(wrong)


@pytest.mark.clause("X2", "X3", "X7")
def test_results_of_worked_examples_are_worked_out() -> None:
    sums = ("tactics_on_foot", "tactics_on_horse", "siege_with_skill", "damaged_revenue")
    assert [figures()(f"sums.{name}") for name in sums] == ["36.9", "49.5", "36.3", "26"]


# -- the page ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("map_name", ["minsk", "hexland", "europe-1320"])
def test_the_page_is_sound_and_every_link_leads_somewhere(map_name: str) -> None:
    parsed = Parsed(page(map_name))
    assert parsed.problems == []
    assert parsed.outside == []
    assert len(parsed.ids) == len(set(parsed.ids))
    assert set(parsed.links) <= set(parsed.ids)
    assert "{" not in re.sub(
        r"\{[^}]*:[^}]*\}", "", "".join(parsed.text[f"rule-{key}"] for key in load_clauses())
    )


def test_every_clause_is_reached_by_its_id_and_by_the_name_it_has_in_reports() -> None:
    ids = set(Parsed(page()).ids)
    for key in load_clauses():
        assert {key, f"rule-{key}"} <= ids


def test_every_ruling_and_every_reason_stands_under_its_clause() -> None:
    parsed = Parsed(page())
    figures_known = figures()
    for ruling in load_rulings():
        said = re.sub(r"<[^>]+>", "", str(line_of(ruling.ruling, figures_known))).replace("&#x27;", "'")
        assert said.replace("&amp;", "&") in parsed.text[f"rule-{ruling.clause}"], ruling.id
    for key, reason in load_reasons().items():
        longest = max(re.split(r"\{[^}]*\}", reason.says), key=len)
        assert longest in parsed.text[f"rule-{reason.clause}"], key


def test_clauses_that_the_game_does_not_have_yet_say_so() -> None:
    parsed = Parsed(page())
    for key, clause in load_clauses().items():
        assert ("not in the game yet" in parsed.text[f"rule-{key}"]) is clause.later


def test_the_page_is_the_same_each_time() -> None:
    assert SPEC.handbook(SPEC.shipped_table("minsk")) == page()


def test_only_the_scripts_of_the_page_may_run() -> None:
    policy = re.search(r"script-src ([^;]+);", page())
    scripts = re.findall(r"<script>(.*?)</script>", page(), re.DOTALL)
    assert policy is not None
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    assert policy[1].split() == [f"'sha256-{digest}'" for digest in digests]
    assert "GmHandbook" in scripts[-1]


def test_a_gms_own_rules_change_text_and_tables(tmp_path: Path) -> None:
    """Numbers, troops and recruits of a game master's own show in the handbook's rules and tables."""
    ours = resource("rules", "medieval", "numbers.yaml").read_text(encoding="utf-8")
    theirs = ours.replace("decay_percent: 7 ", "decay_percent: 9 ").replace(
        "last_turn: null", "last_turn: 12"
    )
    theirs = theirs.replace("marines_replaced: true", "marines_replaced: false").replace(
        "hold: 1 ", "hold: 3 "
    )
    theirs = theirs.replace("  price: 15 ", "  price: 22.50 ").replace(
        "salvage_divisor: 3", "salvage_divisor: 8"
    )
    (tmp_path / "numbers.yaml").write_text(theirs, encoding="utf-8")
    (tmp_path / "troops.yaml").write_text(
        "troops:\n"
        "  Hobbits: {kind: foot, attacks: 3, combat: 11, hit_points: 1, move_points: 1, cost: 2, "
        "upkeep: 0.1, weight: 1, regions: [west]}\n"
        "  Rowing Boat: {kind: transport, attacks: 1, combat: 2, hit_points: 1, move_points: 1, cost: "
        "2, upkeep: 0.1, storage: 5, capture_chance: 90, regions: [west]}\n"
        "  Siege Machine: {siege_power: 0}\n",
        encoding="utf-8",
    )
    (tmp_path / "recruits.yaml").write_text("recruits: {west: [Hobbits, Rowing Boat]}\n", encoding="utf-8")
    parsed = Parsed(with_rules(load_rules(tmp_path)))
    assert "9% of what is then in the treasury" in parsed.text["rule-L9"]
    assert "The game ends after turn 12" in parsed.text["rule-V1"]
    assert "Nobody takes the places of the fallen." in parsed.text["rule-B13"]
    assert "each further one costs 3 move-points" in " ".join(parsed.text["rule-P5"].split())
    assert "22.5 gold" in parsed.text["rule-L5"]
    assert "1/8" in parsed.text["rule-F10"]
    assert "3 × 11" in parsed.text["troop-hobbits"]
    assert "90%" in parsed.text["troop-rowing-boat"]
    assert "Siege power: none" in parsed.text["rule-T1"]
    assert set(parsed.links) <= set(parsed.ids)


# -- in a realm's page ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_realms_page_has_every_clause_that_it_names_and_stays_small() -> None:
    table = SPEC.shipped_table("europe-1320")
    start = SPEC.start(table, SPEC.maps()["europe-1320"], ["ENG"])
    files = SPEC.reports(table, TurnResult(game="x", before=start, after=start, events=(), keys={"ENG": "k"}))
    text = files["results/ENG.html"].decode()
    section = text[text.index('<section id="rules" ') :].partition("</section>")[0]
    assert len(section.encode()) < 100_000
    parsed = Parsed(section)
    ids = set(re.findall(r'<[^<>]* id="?([^\s">]+)', text))
    clauses = {anchor for anchor in ids if anchor.startswith("rule-")}
    assert {"rule-L9", "rule-M9", "rule-F1"} <= clauses < {f"rule-{key}" for key in load_clauses()}
    assert set(re.findall(r'href="?#(rule-[^\s">]+)', text)) <= clauses
    assert set(parsed.links) <= ids
    assert f"{table.rules.economy.decay_percent}% of what is then in the treasury" in parsed.text["rule-L9"]


# -- tables and lists ----------------------------------------------------------------------------------------


def test_every_troop_stands_once_in_the_tables() -> None:
    groups = (*soldier_groups(rules()).values(), *ship_groups(rules()).values())
    all_troops = chain.from_iterable(groups)
    named = [troop.name for troop in all_troops]
    assert sorted(named) == sorted(rules().troops)
    assert set(soldier_groups(rules())) == {"West", "East", "Muslim", "Mongol", "Everywhere"}


@pytest.mark.clause("T4")
def test_construction_costs_are_those_of_the_turn() -> None:
    row = level_rows(rules())[2]
    assert (row.level, row.work.gold, row.work.workers, row.repair) == (3, 14, 3, 7)
    assert len(level_rows(rules())) == rules().construction.fortification_limit


@pytest.mark.clause("T6")
@pytest.mark.parametrize("map_name", ["minsk", "europe-1320"])
def test_a_citys_recruits_are_told_by_its_region(map_name: str) -> None:
    atlas = SPEC.shipped_table(map_name).board
    for row in city_rows(atlas, rules()):
        city = atlas.city(row.province)
        assert city is not None
        usual = rules().recruits[row.region.lower()]
        assert {*usual, *row.also} - set(row.without) == set(city.recruits)
        assert len(row.also) + len(row.without) <= len(usual)


def test_the_order_of_events_is_the_turns_own() -> None:
    stages = order_of_events()
    assert [stage.title for stage in stages] == ["First Events", "Movement Events", "Final Events"]
    assert [stage.repeats for stage in stages] == [False, True, False]
    ran = [[step.title for step in stage.steps] for stage in (FIRST, MOVEMENT, FINAL)]
    assert [[step.title for step in stage.steps] for stage in stages] == ran


def test_every_word_of_an_order_file_is_in_the_order_of_events_where_it_acts() -> None:
    where = {word: step.clause for stage in order_of_events() for step in stage.steps for word in step.words}
    assert set(where) == {word.name for word in all_words()}
    assert (where["repair"], where["declare_war"], where["transfer"], where["march"]) == (
        "L8",
        "F1",
        "M1",
        "M9",
    )


def test_every_word_of_the_grammar_has_an_entry() -> None:
    parsed = Parsed(page())
    for word in (*HEADQUARTERS.values(), *UNIT.values(), *PLAN.values()):
        assert word.says.lower() in parsed.text[f"word-{word.name}"].lower()


# -- other languages -----------------------------------------------------------------------------------------


def test_the_handbook_in_german_has_every_clause_and_link_of_the_english_one() -> None:
    table = SPEC.shipped_table("minsk")
    english, german = (SPEC.handbook(table, None, language) for language in ("en", "de"))
    assert '<html lang="de">' in german
    for pattern in (r' id="([^"]*)"', r'href="#(rule-[^"]*)"'):
        anchors = [Counter(re.findall(pattern, handbook)) for handbook in (english, german)]
        topics = [
            {name: n for name, n in anchor.items() if not name.startswith(("topic-", "term-"))}
            for anchor in anchors
        ]
        assert topics[0].keys() == topics[1].keys()
    assert "{" not in re.sub(r"<(script|style|code|svg)\b.*?</\1>", "", german, flags=re.DOTALL)
